//! Charts as SVG, fit for print: colors that color-blind readers can distinguish, a legend beside the
//! plot, and units on the axes.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;

use crate::order::Order;

/// Line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Plot of an experiment's results, with a title.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    pub title: String,
    pub plot: Plot,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Lines over a logarithmic y axis, because the compared values differ by powers of ten.
    Lines {
        x_label: String,
        y_label: String,
        /// Whether the x axis is logarithmic as well.
        x_log: bool,
        series: Vec<Series>,
    },
    /// Observed frequency against predicted probability. Both axes go from 0 to 1; the diagonal shows
    /// perfect predictions.
    Reliability { x_label: String, y_label: String, series: Vec<Series> },
    /// One panel per kind of value, stacked vertically, with the same lines in each.
    Panels { x_label: String, x_log: bool, panels: Vec<Panel> },
    /// Horizontal stacked bars from zero: one bar per name, and one segment per part.
    Bars { label: String, parts: Vec<String>, bars: Vec<(String, Vec<f64>)> },
}

/// Plot that shares its x axis with other panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    pub y_label: String,
    /// Whether the y axis is logarithmic. If not, it begins at zero.
    pub y_log: bool,
    pub series: Vec<Series>,
}

/// Error of a chart that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the chart \"{title}\" cannot be drawn: {reason}")]
pub struct ChartError {
    title: String,
    reason: String,
}

/// Colors of the palette of Okabe and Ito.
const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
];
const WIDTH: u32 = 1000;
const LEAST_HEIGHT: u32 = 560;
const PANEL_HEIGHT: u32 = 360;
const MARGIN: u32 = 12;
const TITLE_HEIGHT: u32 = 40;
/// Approximate height of a line of text and width of a letter, pixels.
const ROW_HEIGHT: u32 = 22;
const LETTER_WIDTH: u32 = 8;
/// Width of a line's sample in the legend, pixels.
const SAMPLE_WIDTH: u32 = 48;
/// Space for the number behind the longest bar, pixels.
const NUMBER_WIDTH: u32 = 64;
const FONT: &str = "sans-serif";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Chart {
    /// Draws the chart as an SVG document. Its height depends on the number of names.
    ///
    /// # Errors
    /// Fails if there is nothing to draw.
    pub fn svg(&self) -> Result<String, ChartError> {
        let (rows, least) = match &self.plot {
            Plot::Lines { series, .. } => (series.len(), LEAST_HEIGHT),
            Plot::Reliability { series, .. } => (series.len() + 1, LEAST_HEIGHT),
            Plot::Panels { panels, .. } => {
                (panels.first().map_or(0, |p| p.series.len()), PANEL_HEIGHT * panels.len() as u32)
            }
            Plot::Bars { bars, .. } => (bars.len() + 3, LEAST_HEIGHT),
        };
        let height = least.max(ROW_HEIGHT * (rows as u32 + 1) + TITLE_HEIGHT + 2 * MARGIN);
        let mut text = String::new();
        // The document is only complete once the drawing area is dropped.
        let mut draw = || -> Result<(), Box<dyn Error>> {
            let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
            area.fill(&WHITE)?;
            let inside = area.margin(MARGIN, MARGIN, MARGIN, MARGIN).titled(&self.title, (FONT, 22))?;
            match &self.plot {
                Plot::Lines { x_label, y_label, x_log, series } => {
                    let panel = Panel { y_label: y_label.clone(), y_log: true, series: series.clone() };
                    draw_panels(&inside, x_label, *x_log, &[panel])?;
                }
                Plot::Reliability { x_label, y_label, series } => {
                    let kept =
                        Series { name: "as promised".to_owned(), points: vec![(0.0, 0.0), (1.0, 1.0)] };
                    let series: Vec<Series> = series.iter().cloned().chain([kept]).collect();
                    let (left, right) = beside_legend(&inside, &series);
                    draw_lines(&left, [x_label, y_label], &series, 0.0..1.0, 0.0..1.0)?;
                    draw_legend(&right, &series)?;
                }
                Plot::Panels { x_label, x_log, panels } => draw_panels(&inside, x_label, *x_log, panels)?,
                Plot::Bars { label, parts, bars } => draw_bars(&inside, label, parts, bars)?,
            }
            Ok(area.present()?)
        };
        draw().map_err(|e| ChartError { title: self.title.clone(), reason: e.to_string() })?;
        Ok(text)
    }
}

/// Returns the number of letters of the longest name.
fn letters<'a>(names: impl Iterator<Item = &'a String>) -> u32 {
    names.map(|name| name.chars().count() as u32).max().unwrap_or(0)
}

/// Splits the area into the plot and a legend that is wide enough for the names of the lines. Returns
/// both.
fn beside_legend<'a>(inside: &Area<'a>, series: &[Series]) -> (Area<'a>, Area<'a>) {
    let legend = SAMPLE_WIDTH + LETTER_WIDTH * letters(series.iter().map(|s| &s.name));
    inside.split_horizontally(inside.dim_in_pixel().0.saturating_sub(legend).max(WIDTH / 2))
}

/// Draws the panels above each other, with the first panel's legend beside them.
fn draw_panels(area: &Area, x_label: &str, x_log: bool, panels: &[Panel]) -> Result<(), Box<dyn Error>> {
    let Some(first) = panels.first() else { return Err(NOTHING.into()) };
    let (left, right) = beside_legend(area, &first.series);
    let all = panels.iter().flat_map(|p| &p.series);
    let (low, high) = range(all.flat_map(|s| &s.points).map(|p| p.0)).ok_or(NOTHING)?;
    let areas = left.split_evenly((panels.len(), 1));
    for (k, (Panel { y_label, y_log, series }, area)) in panels.iter().zip(&areas).enumerate() {
        // Only the lowest panel labels the shared x axis.
        let labels = [if k + 1 == panels.len() { x_label } else { "" }, y_label.as_str()];
        let y = range(series.iter().flat_map(|s| &s.points).map(|p| p.1)).ok_or(NOTHING)?;
        match (x_log && low > 0.0, *y_log && y.0 > 0.0) {
            (true, true) => {
                let x = (low / 1.05..high * 1.05).log_scale();
                draw_lines(area, labels, series, x, (y.0 / 1.2..y.1 * 1.2).log_scale())?;
            }
            (true, false) => {
                let x = (low / 1.05..high * 1.05).log_scale();
                draw_lines(area, labels, series, x, y.0.min(0.0)..1.05 * y.1)?;
            }
            (false, true) => {
                draw_lines(area, labels, series, low..high, (y.0 / 1.2..y.1 * 1.2).log_scale())?;
            }
            (false, false) => draw_lines(area, labels, series, low..high, y.0.min(0.0)..1.05 * y.1)?,
        }
    }
    draw_legend(&right, &first.series)
}

/// Returns the lowest and the highest value, widened if they are equal; `None` without values.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let (low, high) = match (low < high, high > 0.0) {
        (true, _) => (low, high),
        (false, true) => (0.5 * low, 2.0 * high),
        (false, false) => (low, low + 1.0),
    };
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

const NOTHING: &str = "there is nothing to draw";

fn draw_lines<X, Y>(
    area: &Area,
    [x_label, y_label]: [&str; 2],
    series: &[Series],
    x: X,
    y: Y,
) -> Result<(), Box<dyn Error>>
where
    X: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64>,
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(48)
        .y_label_area_size(72)
        .margin_right(16)
        .margin_top(12)
        .build_cartesian_2d(x, y)?;
    let label = |v: &f64| tick(*v);
    chart
        .configure_mesh()
        .x_desc(x_label)
        .y_desc(y_label)
        .x_label_formatter(&label)
        .y_label_formatter(&label)
        .label_style((FONT, 15))
        .axis_desc_style((FONT, 17))
        .x_labels(6)
        .x_max_light_lines(0)
        .y_labels(6)
        .y_max_light_lines(4)
        .light_line_style(BLACK.mix(0.06))
        .bold_line_style(BLACK.mix(0.15))
        .draw()?;
    for (k, Series { points, .. }) in series.iter().enumerate() {
        let style = style(k);
        let points = points.iter().copied();
        if is_dashed(k) {
            chart.draw_series(DashedLineSeries::new(points.clone(), 7, 5, style))?;
            chart.draw_series(points.map(|p| TriangleMarker::new(p, 5, style.filled())))?;
        } else {
            chart.draw_series(LineSeries::new(points.clone(), style))?;
            chart.draw_series(points.map(|p| Circle::new(p, 4, style.filled())))?;
        }
    }
    Ok(())
}

fn style(k: usize) -> ShapeStyle {
    COLORS[k % COLORS.len()].stroke_width(2)
}

/// Returns whether line `k` is dashed with triangles as markers. Lines are, if there are more lines
/// than colors.
fn is_dashed(k: usize) -> bool {
    k >= COLORS.len()
}

/// Draws the legend. Names are sorted by the value at the right end of the line, the highest first.
fn draw_legend(area: &Area, series: &[Series]) -> Result<(), Box<dyn Error>> {
    let mut order: Vec<usize> = (0..series.len()).collect();
    let end = |k: usize| series[k].points.last().map_or(0.0, |p| p.1);
    order.order_by(|&a, &b| end(b).total_cmp(&end(a)));
    for (row, k) in order.into_iter().enumerate() {
        let y = 24 + 22 * row as i32;
        let style = style(k);
        if is_dashed(k) {
            area.draw(&PathElement::new([(4, y), (11, y)], style))?;
            area.draw(&PathElement::new([(25, y), (32, y)], style))?;
            area.draw(&TriangleMarker::new((18, y), 5, style.filled()))?;
        } else {
            area.draw(&PathElement::new([(4, y), (32, y)], style))?;
            area.draw(&Circle::new((18, y), 4, style.filled()))?;
        }
        area.draw(&Text::new(series[k].name.clone(), (40, y - 8), (FONT, 15)))?;
    }
    Ok(())
}

fn draw_bars(
    area: &Area,
    label: &str,
    parts: &[String],
    bars: &[(String, Vec<f64>)],
) -> Result<(), Box<dyn Error>> {
    let total = |values: &[f64]| values.iter().sum::<f64>();
    let longest = bars.iter().map(|b| total(&b.1)).fold(0.0, f64::max);
    let names = (LETTER_WIDTH * letters(bars.iter().map(|b| &b.0))).min(WIDTH / 2) as i32;
    let (width, height) = area.dim_in_pixel();
    let room = f64::from(width - NUMBER_WIDTH) - f64::from(names);
    let row = f64::from(height - 3 * ROW_HEIGHT) / bars.len().max(1) as f64;
    for (k, (name, values)) in bars.iter().enumerate() {
        let at = |share: f64| (row * (k as f64 + share)).round() as i32;
        let mut sum = 0.0;
        let mut end = names;
        for (part, value) in values.iter().enumerate() {
            sum += value;
            let start = end;
            end = names + (if longest > 0.0 { room * sum / longest } else { 0.0 }).round() as i32;
            let color = COLORS[part % COLORS.len()].filled();
            area.draw(&Rectangle::new([(start, at(0.2)), (end, at(0.8))], color))?;
        }
        let text = at(0.5) - LETTER_WIDTH as i32;
        area.draw(&Text::new(name.clone(), (0, text), (FONT, 15)))?;
        area.draw(&Text::new(format!("{sum:.1}"), (end + LETTER_WIDTH as i32, text), (FONT, 15)))?;
    }
    let below = |rows: u32| (height - rows * ROW_HEIGHT - LETTER_WIDTH) as i32;
    area.draw(&Text::new(label.to_owned(), (names, below(2)), (FONT, 17)))?;
    let mut left = names;
    for (k, part) in parts.iter().enumerate() {
        let [high, low] = [below(1) + 2, below(1) + 14];
        area.draw(&Rectangle::new([(left, high), (left + 12, low)], COLORS[k % COLORS.len()].filled()))?;
        area.draw(&Text::new(part.clone(), (left + 18, below(1)), (FONT, 15)))?;
        left += (LETTER_WIDTH * (part.chars().count() as u32 + 2)) as i32 + 24;
    }
    Ok(())
}

/// Formats a value for an axis, such as 20k for 20000.
fn tick(value: f64) -> String {
    match value.abs() {
        v if v >= 1e6 => format!("{}M", short(value / 1e6)),
        v if v >= 1e3 => format!("{}k", short(value / 1e3)),
        _ => short(value),
    }
}

fn short(value: f64) -> String {
    format!("{:.3}", value).trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_names_its_axes_and_every_series() {
        let series = |name: &str, scale: f64| Series {
            name: name.to_owned(),
            points: (1..5).map(|k| (f64::from(k) * 1000.0, scale * f64::from(k))).collect(),
        };
        let lines = |series| Chart {
            title: "Time of a query".to_owned(),
            plot: Plot::Lines {
                x_label: "triangles".to_owned(),
                y_label: "time (µs)".to_owned(),
                x_log: true,
                series,
            },
        };
        let chart = lines(vec![series("boxtree", 1.0), series("aabb", 30.0)]);
        let svg = chart.svg().unwrap();
        for text in ["Time of a query", "triangles", "time (µs)", "boxtree", "aabb"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(lines(Vec::new()).svg().is_err());
        let bars = Plot::Bars {
            label: "bytes".to_owned(),
            parts: vec!["hot".to_owned(), "cold".to_owned()],
            bars: vec![("sphere".to_owned(), vec![16.5, 4.0]), ("cube".to_owned(), vec![0.0, 0.0])],
        };
        let svg = Chart { plot: bars, ..chart }.svg().unwrap();
        for text in ["sphere", "20.5", "bytes", "hot", "cold", "cube"] {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!([0.05, 3.0, 20_000.0, 2.5e6].map(tick), ["0.05", "3", "20k", "2.5M"]);
    }
}
