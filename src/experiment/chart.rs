//! Charts as SVG, fit to be printed: colours that the colour-blind tell apart, a legend beside the plot, units
//! on the axes.

use std::error::Error;
use std::path::{Path, PathBuf};

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// What an experiment shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    pub title: String,
    pub plot: Plot,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Values on a logarithmic axis: what is compared lies powers of ten apart.
    Lines {
        x_label: String,
        y_label: String,
        /// Powers of ten along the other axis too.
        x_log: bool,
        series: Vec<Series>,
    },
    /// A value a name, from zero.
    Bars { label: String, bars: Vec<(String, f64)> },
}

/// A chart that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: the chart cannot be drawn: {reason}", path.display())]
pub struct ChartError {
    path: PathBuf,
    reason: String,
}

/// By Okabe and Ito.
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
const SIZE: (u32, u32) = (1000, 560);
/// A line's sample in the legend, and a letter of its name.
const SAMPLE_WIDTH: u32 = 48;
const LETTER_WIDTH: u32 = 8;
const FONT: &str = "sans-serif";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Chart {
    /// Writes an SVG file.
    pub fn write(&self, path: &Path) -> Result<(), ChartError> {
        let area = SVGBackend::new(path, SIZE).into_drawing_area();
        let draw = || -> Result<(), Box<dyn Error>> {
            area.fill(&WHITE)?;
            let inside = area.margin(12, 12, 12, 12).titled(&self.title, (FONT, 22))?;
            match &self.plot {
                Plot::Lines { series, x_log, .. } => {
                    let letters = series.iter().map(|s| s.name.chars().count()).max().unwrap_or(0) as u32;
                    let legend = SAMPLE_WIDTH + LETTER_WIDTH * letters;
                    let width = inside.dim_in_pixel().0.saturating_sub(legend).max(SIZE.0 / 2);
                    let (left, right) = inside.split_horizontally(width);
                    let (x, y) = ranges(series)?;
                    let y = (y.0 / 1.2..y.1 * 1.2).log_scale();
                    if *x_log && x.0 > 0.0 {
                        self.draw_lines(&left, (x.0 / 1.05..x.1 * 1.05).log_scale(), y)?;
                    } else {
                        self.draw_lines(&left, x.0..x.1, y)?;
                    }
                    draw_legend(&right, series)?;
                }
                Plot::Bars { label, bars } => draw_bars(&inside, label, bars)?,
            }
            Ok(area.present()?)
        };
        draw().map_err(|e| ChartError { path: path.to_owned(), reason: e.to_string() })
    }

    fn draw_lines<X, Y>(&self, area: &Area, x: X, y: Y) -> Result<(), Box<dyn Error>>
    where
        X: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y: AsRangedCoord<Value = f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let Plot::Lines { x_label, y_label, series, .. } = &self.plot else { return Ok(()) };
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
}

fn style(k: usize) -> ShapeStyle {
    COLORS[k % COLORS.len()].stroke_width(2)
}

/// Lines past the colours are dashed and marked by triangles.
fn is_dashed(k: usize) -> bool {
    k >= COLORS.len()
}

/// Lowest and highest along both axes.
#[expect(clippy::type_complexity, reason = "two pairs")]
fn ranges(series: &[Series]) -> Result<((f64, f64), (f64, f64)), String> {
    let points = || series.iter().flat_map(|s| &s.points);
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let (low, high) = points()
            .map(pick)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        if low < high { (low, high) } else { (0.5 * low, 2.0 * high) }
    };
    let (x, y) = (range(|p| p.0), range(|p| p.1));
    if x.0.is_finite() && y.0.is_finite() && y.0 > 0.0 {
        Ok((x, y))
    } else {
        Err("there is nothing to draw".to_owned())
    }
}

/// The highest line at its right end comes first.
fn draw_legend(area: &Area, series: &[Series]) -> Result<(), Box<dyn Error>> {
    let mut order: Vec<usize> = (0..series.len()).collect();
    let end = |k: usize| series[k].points.last().map_or(0.0, |p| p.1);
    order.sort_by(|&a, &b| end(b).total_cmp(&end(a)));
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

fn draw_bars(area: &Area, label: &str, bars: &[(String, f64)]) -> Result<(), Box<dyn Error>> {
    let longest = bars.iter().map(|b| b.1).fold(0.0, f64::max);
    if longest <= 0.0 || !longest.is_finite() {
        return Err("there is nothing to draw".into());
    }
    let names = 190;
    let (width, height) = area.dim_in_pixel();
    let (width, height) = (width as i32, height as i32);
    let (room, row) = (width - names - 70, (height - 40) / bars.len() as i32);
    for (k, (name, value)) in bars.iter().enumerate() {
        let (top, bottom) = (row * k as i32 + row / 6 + 8, row * (k as i32 + 1) - row / 6 + 8);
        let end = names + (f64::from(room) * value / longest).round() as i32;
        area.draw(&Rectangle::new([(names, top), (end, bottom)], COLORS[0].filled()))?;
        let middle = (top + bottom) / 2 - 8;
        area.draw(&Text::new(name.clone(), (0, middle), (FONT, 15)))?;
        area.draw(&Text::new(format!("{value:.1}"), (end + 6, middle), (FONT, 15)))?;
    }
    area.draw(&Text::new(label.to_owned(), (names, height - 22), (FONT, 17)))?;
    Ok(())
}

/// 20000 → 20k.
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
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chart.svg");
        chart.write(&path).unwrap();
        let svg = std::fs::read_to_string(&path).unwrap();
        for text in ["Time of a query", "triangles", "time (µs)", "boxtree", "aabb"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(lines(Vec::new()).write(&path).is_err());
        let bars = Plot::Bars { label: "bytes".to_owned(), bars: vec![("sphere".to_owned(), 20.0)] };
        Chart { plot: bars, ..chart }.write(&path).unwrap();
        let svg = std::fs::read_to_string(&path).unwrap();
        assert!(svg.contains("sphere") && svg.contains("20") && svg.contains("bytes"));
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!([0.05, 3.0, 20_000.0, 2.5e6].map(tick), ["0.05", "3", "20k", "2.5M"]);
    }
}
