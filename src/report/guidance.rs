//! What guidance by the parts of surfaces came to, one surface after another.

use serde::Serialize;

use crate::tree::{Guided, Kept};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuidanceFigures {
    pub surface: String,
    /// Found on each simplified model, the coarsest first.
    pub components: Vec<u32>,
    /// Components that are not divided further.
    pub last_components: usize,
    /// Where components and the rule compete for the top: divisions that each of them made.
    pub guided_divisions: u32,
    pub plain_divisions: u32,
    /// Node tests of the better guided hierarchy to those of the plain one at the same random poses; `None` where
    /// components were to be kept in any case, or there are none.
    pub sampled_tests_to_plain: Option<f64>,
    /// The hierarchy in use: `plain`, with components `where-they-pay`, or with `all-components` on top.
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

    /// The components a level, and what became of them, in words.
    pub fn words(&self) -> [String; 3] {
        let components = match &self.components[..] {
            [] => "none found".to_owned(),
            levels => levels.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
        };
        let tests = self.sampled_tests_to_plain.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        [components, tests, self.kept.replace('-', " ")]
    }
}
