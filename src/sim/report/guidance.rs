//! Results of guiding hierarchies by the parts of a surface, one entry per surface.

use serde::Serialize;

use crate::order::Order;
use crate::plan::{Guided, Kept};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuidanceFigures {
    pub surface: String,
    /// Number of components found on each simplified model of the surface, the coarsest model first.
    pub components: Vec<u32>,
    /// Number of components that are not divided further.
    pub last_components: usize,
    /// Number of divisions of the top levels that follow components, and that follow the split rule, if
    /// both compete.
    pub guided_divisions: u32,
    pub plain_divisions: u32,
    /// Node tests of the better guided hierarchy, relative to those of the plain hierarchy at the same
    /// random poses. `None` if no sample was taken, because there are no components or they are used in
    /// any case.
    pub sampled_tests_to_plain: Option<f64>,
    /// Hierarchy in use: `plain`, `where-they-pay` (components where they save tests), or
    /// `all-components` (components throughout the top).
    pub kept: &'static str,
    pub simplify_ms: f64,
    pub top_ms: f64,
}

impl GuidanceFigures {
    pub fn of(surface: &str, guided: &Guided) -> Self {
        Self {
            surface: surface.to_owned(),
            components: guided.levels.iter().map(|level| level.component_count).collect(),
            last_components: guided.component_count,
            guided_divisions: guided.guided_count,
            plain_divisions: guided.plain_count,
            sampled_tests_to_plain: guided.sample.map(|sample| sample.ratio()),
            kept: match guided.kept {
                Kept::Plain => "plain",
                Kept::Chosen => "where-they-pay",
                Kept::Components => "all-components",
            },
            simplify_ms: guided.simplify.as_secs_f64() * 1e3,
            top_ms: guided.top.as_secs_f64() * 1e3,
        }
    }

    /// Returns the surface, its numbers of components level by level, the ratio of node tests, and the
    /// hierarchy in use, as text.
    fn words(&self) -> [String; 4] {
        let components: Vec<String> = self.components.iter().map(u32::to_string).collect();
        let tests = self.sampled_tests_to_plain.map_or_else(String::new, |ratio| format!("{ratio:.3}"));
        [self.surface.clone(), components.join(", "), tests, self.kept.replace('-', " ")]
    }

    /// Columns of [`Self::rows`].
    pub const HEADER: [&str; 4] =
        ["parts of surfaces", "made level by level", "node tests to plain", "in use"];

    /// Returns rows for readers: at most `most` surfaces with components, those with the largest
    /// savings first, and rows with the numbers of further surfaces.
    pub fn rows(all: &[&Self], most: usize) -> Vec<[String; 4]> {
        let (mut found, none): (Vec<&Self>, Vec<&Self>) = all.iter().partition(|f| !f.components.is_empty());
        let ratio = |figures: &Self| figures.sampled_tests_to_plain.unwrap_or(1.0);
        found.order_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let mut rows: Vec<[String; 4]> = found.iter().take(most).map(|figures| figures.words()).collect();
        let line = |text: String| [text, String::new(), String::new(), String::new()];
        if found.len() > most {
            rows.push(line(format!("and {} more", found.len() - most)));
        }
        if !none.is_empty() {
            rows.push(line(format!("none found on {} of {}", none.len(), all.len())));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_without_parts_are_one_line() {
        let figures = |surface: &str, components: &[u32], ratio| GuidanceFigures {
            surface: surface.to_owned(),
            components: components.to_vec(),
            last_components: 9,
            guided_divisions: 0,
            plain_divisions: 0,
            sampled_tests_to_plain: ratio,
            kept: "where-they-pay",
            simplify_ms: 0.0,
            top_ms: 0.0,
        };
        let all = [
            figures("plate", &[], None),
            figures("mill", &[4, 9], Some(0.9)),
            figures("chair", &[3], Some(0.5)),
            figures("rod", &[], None),
        ];
        let all: Vec<&GuidanceFigures> = all.iter().collect();
        let rows = GuidanceFigures::rows(&all, 12);
        assert_eq!(rows[0], ["chair", "3", "0.500", "where they pay"]);
        assert_eq!((rows[1][1].as_str(), rows[2][0].as_str()), ("4, 9", "none found on 2 of 4"));
        assert_eq!(GuidanceFigures::rows(&all, 1)[1][0], "and 1 more");
    }
}
