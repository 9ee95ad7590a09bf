//! Line charts as SVG, fit to be printed: colours that the colour-blind tell apart, a legend, units on the axes.

use std::path::{Path, PathBuf};

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
    pub x_label: String,
    pub y_label: String,
    /// Powers of ten along the axis.
    pub x_log: bool,
    pub series: Vec<Series>,
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
const SIZE: (u32, u32) = (960, 600);

impl Chart {
    /// Writes an SVG file. The vertical axis is logarithmic: what is compared lies powers of ten apart.
    pub fn write(&self, path: &Path) -> Result<(), ChartError> {
        let fault = |reason: String| ChartError { path: path.to_owned(), reason };
        let points = || self.series.iter().flat_map(|s| &s.points);
        let range = |pick: fn(&(f64, f64)) -> f64| {
            let (low, high) = points()
                .map(pick)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
            if low < high { (low, high) } else { (0.5 * low, 2.0 * high) }
        };
        let (x, y) = (range(|p| p.0), range(|p| p.1));
        if !(x.0.is_finite() && y.0.is_finite() && y.0 > 0.0) {
            return Err(fault("there is nothing to draw".to_owned()));
        }
        let y = (y.0 / 1.3..y.1 * 1.3).log_scale();
        let drawn = if self.x_log && x.0 > 0.0 {
            self.draw(path, (x.0..x.1).log_scale(), y)
        } else {
            self.draw(path, x.0..x.1, y)
        };
        drawn.map_err(|e| fault(e.to_string()))
    }

    fn draw<X, Y>(&self, path: &Path, x: X, y: Y) -> Result<(), Box<dyn std::error::Error>>
    where
        X: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y: AsRangedCoord<Value = f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let area = SVGBackend::new(path, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, ("sans-serif", 22))
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(72)
            .build_cartesian_2d(x, y)?;
        let label = |v: &f64| tick(*v);
        chart
            .configure_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .x_label_formatter(&label)
            .y_label_formatter(&label)
            .label_style(("sans-serif", 15))
            .axis_desc_style(("sans-serif", 17))
            .light_line_style(BLACK.mix(0.06))
            .bold_line_style(BLACK.mix(0.15))
            .draw()?;
        for (k, series) in self.series.iter().enumerate() {
            let color = COLORS[k % COLORS.len()];
            // Past the colours, lines are thin.
            let style = color.stroke_width(if k < COLORS.len() { 3 } else { 1 });
            chart
                .draw_series(LineSeries::new(series.points.iter().copied(), style).point_size(3))?
                .label(&series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .legend_area_size(32)
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3))
            .label_font(("sans-serif", 15))
            .draw()?;
        area.present()?;
        Ok(())
    }
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
        let chart = Chart {
            title: "Time of a query".to_owned(),
            x_label: "triangles".to_owned(),
            y_label: "time (µs)".to_owned(),
            x_log: true,
            series: vec![series("boxtree", 1.0), series("aabb", 30.0)],
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chart.svg");
        chart.write(&path).unwrap();
        let svg = std::fs::read_to_string(&path).unwrap();
        for text in ["Time of a query", "triangles", "time (µs)", "boxtree", "aabb"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(Chart { series: Vec::new(), ..chart }.write(&path).is_err());
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!([0.05, 3.0, 20_000.0, 2.5e6].map(tick), ["0.05", "3", "20k", "2.5M"]);
    }
}
