//! Common parts of all plots of contenders: colors, the plot that contenders share, and its legend.

use maud::{Markup, html};

use crate::compare::result::{Comparison, ContenderResult};
use crate::page::plot::{HEIGHT, Layer, Mark, Plot, Points, Shape, line_key};
use crate::page::scale::Axis;

/// Number of colors. Color-blind readers can distinguish them.
const COLORS: usize = 6;
/// Number of lines with the same kind of dashes.
const SOLID: usize = 4;

/// Returns the style classes of contender `k`. No two of the first twelve contenders have both the same
/// color and the same dashes.
pub fn class(k: usize) -> String {
    format!("{} d{}", color(k), k / SOLID % 3)
}

/// Returns the style class of a contender's color alone.
pub fn color(k: usize) -> String {
    format!("c{}", k % COLORS)
}

/// Plot with a line for every contender.
pub struct SharedPlot<'a> {
    pub title: &'a str,
    pub x: Axis,
    pub y: Axis,
    /// Line of each contender; empty if the contender has no values.
    pub lines: Vec<Points>,
    /// Remark in the legend on contenders without values.
    pub missing: &'a str,
    /// Marks that are drawn over the lines, with their meaning.
    pub marks: Vec<(Mark, &'a str, Points)>,
    pub note: Option<String>,
}

impl SharedPlot<'_> {
    /// Returns the plot with its title and legend.
    pub fn figure(self, contenders: &[ContenderResult]) -> Markup {
        let remarks = self.remarks(contenders);
        let drawn = |(k, points): (usize, Points)| {
            let layer =
                Layer { class: class(k), name: contenders[k].name.clone(), shape: Shape::Line(points) };
            remarks[k].is_none().then_some(layer)
        };
        let mut layers: Vec<Layer> = self.lines.into_iter().enumerate().filter_map(drawn).collect();
        let keys: Vec<(Mark, &str)> = self.marks.iter().map(|(mark, name, _)| (*mark, *name)).collect();
        layers.extend(self.marks.into_iter().map(|(mark, name, points)| Layer {
            class: String::new(),
            name: name.to_owned(),
            shape: Shape::Marks(mark, points),
        }));
        let name = described(self.title, contenders);
        let plot = Plot { name, height: HEIGHT, x: self.x, y: self.y, layers };
        let legend = html! {
            ul.legend {
                @for (k, one) in contenders.iter().enumerate() {
                    li {
                        (line_key(&class(k))) (one.name)
                        @if let Some(remark) = &remarks[k] { span.muted { " (" (remark) ")" } }
                    }
                }
                @for (mark, name) in keys { li { (mark.key()) (name) } }
            }
        };
        figure(html! { (self.title) }, plot.svg(), legend, self.note.as_deref())
    }

    /// Returns per contender a remark if it has no line of its own, because it has no values or the
    /// values of an earlier contender.
    fn remarks(&self, contenders: &[ContenderResult]) -> Vec<Option<String>> {
        let remark = |(k, line): (usize, &Points)| match self.lines[..k].iter().position(|l| l == line) {
            _ if line.is_empty() => Some(self.missing.to_owned()),
            Some(same) => Some(format!("the same as {}", contenders[same].name)),
            None => None,
        };
        self.lines.iter().enumerate().map(remark).collect()
    }
}

fn described(title: &str, contenders: &[ContenderResult]) -> String {
    let names: Vec<&str> = contenders.iter().map(|one| one.name.as_str()).collect();
    format!("{title}: {}", names.join(", "))
}

/// Returns a drawing with its title, legend and note.
pub fn figure(title: Markup, drawing: Option<Markup>, legend: Markup, note: Option<&str>) -> Markup {
    html! {
        figure {
            figcaption { (title) }
            @if let Some(drawing) = drawing { (drawing) } @else { p.muted { "There is no value to draw." } }
            (legend)
            @if let Some(note) = note { p.note { (note) } }
        }
    }
}

/// Returns a line per contender.
pub fn lines(comparison: &Comparison, line: impl Fn(&ContenderResult) -> Points) -> Vec<Points> {
    comparison.contenders.iter().map(line).collect()
}

/// Returns the values of all lines.
pub fn values(lines: &[Points]) -> impl Iterator<Item = f64> + Clone {
    lines.iter().flatten().map(|p| p.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contender_without_values_or_with_those_of_another_is_said_to_be() {
        let one = |name: &str| ContenderResult { name: name.to_owned(), ..ContenderResult::default() };
        let plot = SharedPlot {
            title: "pairs",
            x: Axis::steps(2),
            y: Axis::steps(2),
            lines: vec![vec![(1.0, 1.0)], Vec::new(), vec![(1.0, 1.0)], vec![(1.0, 2.0)]],
            missing: "not counted",
            marks: Vec::new(),
            note: None,
        };
        let page = plot.figure(&["a", "b", "c", "d"].map(one)).into_string();
        assert!(
            page.contains("b<span class=\"muted\"> (not counted)")
                && page.contains("c<span class=\"muted\"> (the same as a)")
        );
        assert_eq!(page.matches("<title>").count(), 2);
    }

    #[test]
    fn twelve_contenders_look_different() {
        let mut all: Vec<String> = (0..12).map(class).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 12);
    }
}
