//! Plots as SVG, written without a plotting library. So each line has a class, by which one style sheet
//! colors it on light and dark screens and on paper. Each line also has a name that is shown on
//! hovering, and text grows on a phone. The library `plotters`, which draws the charts of experiments,
//! writes fixed colors and whole pixels.

use maud::{Markup, html};

use super::scale::Axis;
use super::trace::{area, line, thinned};

use crate::order::Order;

const WIDTH: f64 = 520.0;
/// Height of most plots.
pub const HEIGHT: f64 = 290.0;
/// Edges of the drawing area. The name of the y axis is above it; ticks are to the left and below.
const LEFT: f64 = 62.0;
const RIGHT: f64 = WIDTH - 22.0;
const TOP: f64 = 30.0;
const BELOW: f64 = 48.0;
/// Smallest distance between labels at the ends of lines: the height of text on a phone.
const LINE_HEIGHT: f64 = 16.0;

/// Plot with two axes and layers between them. Later layers are drawn over earlier ones.
pub struct Plot {
    /// Description of the plot for screen readers.
    pub name: String,
    pub height: f64,
    pub x: Axis,
    pub y: Axis,
    pub layers: Vec<Layer>,
}

/// Layer of a plot: one shape with its style.
pub struct Layer {
    /// Classes of the style sheet, for color and dashes.
    pub class: String,
    /// Text that is shown on hovering.
    pub name: String,
    pub shape: Shape,
}

/// Points in the units of the axes.
pub type Points = Vec<(f64, f64)>;

/// Shape of a layer, in the units of the axes.
pub enum Shape {
    Line(Points),
    /// Line that is thinned to a hundred columns, for plots with very many lines.
    Hair(Points),
    /// Area from the line down to the lower end of the y axis.
    Area(Points),
    Marks(Mark, Points),
    /// Text to the right of a point.
    Text(f64, f64),
    /// Label beside the right end of the plot, kept apart from other such labels.
    End(f64),
}

/// Shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Circle,
    Square,
    Triangle,
}

impl Mark {
    pub fn path(self, x: f64, y: f64) -> String {
        match self {
            Self::Circle => format!("M{:.1} {y:.1}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z", x - 3.5),
            Self::Square => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
            Self::Triangle => format!("M{x:.1} {:.1}l4.5 8h-9z", y - 5.0),
        }
    }

    /// Returns the mark for a legend.
    pub fn key(self) -> Markup {
        html! { svg.key viewBox="0 0 14 14" aria-hidden="true" { path.mark d=(self.path(7.0, 7.0)) {} } }
    }
}

/// Returns a sample of a line for a legend.
pub fn line_key(class: &str) -> Markup {
    html! {
        svg.key.long viewBox="0 0 34 14" aria-hidden="true" { path class={ "line " (class) } d="M1 7h32" {} }
    }
}

/// Returns a sample of an area for a legend.
pub fn area_key(class: &str) -> Markup {
    html! {
        svg.key viewBox="0 0 14 14" aria-hidden="true" {
            path class={ "area " (class) } d="M1 1h12v12h-12z" {}
        }
    }
}

impl Plot {
    /// Draws the plot; `None` if it has no values.
    pub fn svg(&self) -> Option<Markup> {
        let has_values = |layer: &Layer| match &layer.shape {
            Shape::Line(points) | Shape::Hair(points) | Shape::Area(points) | Shape::Marks(_, points) => {
                points.iter().any(|p| is_finite(*p))
            }
            Shape::Text(..) | Shape::End(_) => false,
        };
        if !self.layers.iter().any(has_values) {
            return None;
        }
        Some(html! {
            svg.plot viewBox={ "0 0 " (WIDTH) " " (self.height) } role="img" aria-label=(self.name) {
                (self.frame())
                @for layer in &self.layers { (self.layer(layer)) }
                (self.ends())
            }
        })
    }

    /// Draws the axes, ticks, and a thin line at each tick of the y axis.
    fn frame(&self) -> Markup {
        let bottom = self.bottom();
        html! {
            text.axis x="4" y="14" { (self.y.label) }
            text.axis x=((LEFT + RIGHT) / 2.0) y=(self.height - 8.0) text-anchor="middle" { (self.x.label) }
            @for (value, label) in self.y.ticks() {
                @let y = round(self.place_y(value));
                path.grid d={ "M" (LEFT) " " (y) "H" (RIGHT) } {}
                text x=(LEFT - 6.0) y=(y + 4.5) text-anchor="end" { (label) }
            }
            @for (value, label) in self.x.ticks() {
                @let x = round(self.place_x(value));
                path.tick d={ "M" (x) " " (bottom) "v5" } {}
                text x=(x) y=(bottom + 20.0) text-anchor="middle" { (label) }
            }
            path.tick d={ "M" (LEFT) " " (bottom) "H" (RIGHT) } {}
        }
    }

    fn layer(&self, layer: &Layer) -> Markup {
        let (kind, path) = match &layer.shape {
            Shape::Line(points) => ("line", line(&self.placed(points, 1.0))),
            Shape::Hair(points) => ("line hair", line(&self.placed(points, (RIGHT - LEFT) / 100.0))),
            Shape::Area(points) => ("area", area(&self.placed(points, 1.0), self.bottom())),
            Shape::Marks(mark, points) => {
                let placed = points.iter().filter(|p| is_finite(**p)).map(|p| self.place(*p));
                ("mark", placed.map(|(x, y)| mark.path(x, y)).collect())
            }
            Shape::Text(x, y) => {
                let (x, y) = self.place((*x, *y));
                return html! { text.row x=(round(x + 6.0)) y=(round(y)) { (layer.name) } };
            }
            Shape::End(_) => return html! {},
        };
        html! {
            @if !path.is_empty() {
                path class={ (kind) " " (layer.class) } d=(path) { title { (layer.name) } }
            }
        }
    }

    /// Draws labels beside the right ends of lines.
    fn ends(&self) -> Markup {
        let end = |layer: &Layer| match layer.shape {
            Shape::End(value) => Some((self.place_y(value), layer.name.clone())),
            _ => None,
        };
        let mut ends: Vec<(f64, String)> = self.layers.iter().filter_map(end).collect();
        ends.order_by(|a, b| a.0.total_cmp(&b.0));
        spread(&mut ends, self.bottom());
        html! {
            @for (y, label) in &ends { text.row x=(RIGHT + 4.0) y=(round(y + 4.5)) { (label) } }
        }
    }

    fn placed(&self, points: &[(f64, f64)], column: f64) -> Points {
        thinned(points.iter().filter(|p| is_finite(**p)).map(|p| self.place(*p)), column)
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.place_x(x), self.place_y(y))
    }

    fn place_x(&self, value: f64) -> f64 {
        LEFT + self.x.scale.share(value) * (RIGHT - LEFT)
    }

    fn place_y(&self, value: f64) -> f64 {
        self.bottom() + self.y.scale.share(value) * (TOP - self.bottom())
    }

    fn bottom(&self) -> f64 {
        self.height - BELOW
    }
}

fn is_finite((x, y): (f64, f64)) -> bool {
    x.is_finite() && y.is_finite()
}

fn round(place: f64) -> f64 {
    (10.0 * place).round() / 10.0
}

/// Separates labels, which are sorted from the top. Labels that overlap move down, and up again if they
/// would leave the plot.
fn spread(ends: &mut [(f64, String)], bottom: f64) {
    for k in 1..ends.len() {
        ends[k].0 = ends[k].0.max(ends[k - 1].0 + LINE_HEIGHT);
    }
    let mut below = bottom + LINE_HEIGHT;
    for (y, _) in ends.iter_mut().rev() {
        *y = y.min(below - LINE_HEIGHT);
        below = *y;
    }
}

/// Pairs each value with its step number, counted from 1.
pub fn by_step(values: impl IntoIterator<Item = f64>) -> Points {
    values.into_iter().zip(1_u32..).map(|(value, step)| (f64::from(step), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::scale::{Form, Scale};
    use super::*;

    fn plot(shape: Shape) -> Plot {
        Plot {
            name: "a < b".to_owned(),
            height: HEIGHT,
            x: Axis::steps(3),
            y: Axis::new("ms", Scale::linear(0.0, 10.0), Form::Number),
            layers: vec![Layer { class: "c0".to_owned(), name: "<one>".to_owned(), shape }],
        }
    }

    #[test]
    fn a_plot_has_a_name_axes_and_its_lines() {
        let svg = plot(Shape::Line(by_step([0.0, 10.0, 5.0]))).svg().unwrap().into_string();
        for text in
            ["aria-label=\"a &lt; b\"", ">ms<", ">step<", "&lt;one&gt;", "M134.7 242l145.3-212 145.3 106"]
        {
            assert!(svg.contains(text), "{text} in {svg}");
        }
    }

    #[test]
    fn values_that_are_not_finite_are_not_plotted() {
        let svg = plot(Shape::Line(by_step([f64::NAN, 10.0, f64::INFINITY]))).svg().unwrap().into_string();
        assert!(
            svg.contains("d=\"M280 30m-5 0h10\"") && !svg.contains("NaN") && !svg.contains("inf"),
            "{svg}"
        );
        assert!(plot(Shape::Line(by_step([f64::NAN]))).svg().is_none());
        assert!(plot(Shape::Line(Vec::new())).svg().is_none());
    }

    const BOTTOM: f64 = HEIGHT - BELOW;

    #[test]
    fn labels_at_the_end_of_lines_stay_apart_and_in_the_plot() {
        let mut ends: Vec<(f64, String)> =
            [100.0, 101.0, BOTTOM, BOTTOM].map(|y| (y, String::new())).to_vec();
        spread(&mut ends, BOTTOM);
        assert!(ends.windows(2).all(|two| two[1].0 - two[0].0 >= LINE_HEIGHT));
        assert!(ends[0].0 == 100.0 && ends[3].0 == BOTTOM);
    }
}
