//! Counts per step: one plot for each count that any contender reports.

use maud::{Markup, html};

use super::shared::{SharedPlot, lines, values};
use crate::compare::engine::COUNT_NAMES;
use crate::compare::result::{Comparison, ContenderResult};
use crate::page::plot::by_step;
use crate::page::scale::{Axis, Form, Scale};

/// Returns the section of counts over steps.
pub fn section(comparison: &Comparison) -> Markup {
    let is_counted = |name: &&str| comparison.contenders.iter().any(|one| one.counts.contains_key(*name));
    let counted: Vec<&str> = COUNT_NAMES.into_iter().filter(is_counted).collect();
    html! {
        @if !counted.is_empty() {
            section {
                h2 { "Counts" }
                div.plots { @for name in counted { (plot(comparison, name)) } }
            }
        }
    }
}

fn plot(comparison: &Comparison, name: &str) -> Markup {
    let of = |one: &ContenderResult| one.counts.get(name).map(|all| by_step(all.iter().map(|&n| n as f64)));
    let lines = lines(comparison, |one| of(one).unwrap_or_default());
    let scale = Scale::from_zero(values(&lines)).unwrap_or(Scale::linear(0.0, 1.0));
    let plot = SharedPlot {
        title: title(name),
        x: Axis::steps(comparison.steps),
        y: Axis::new(&format!("{name} per step"), scale, Form::Number),
        lines,
        missing: "does not count this",
        marks: Vec::new(),
        note: None,
    };
    plot.figure(&comparison.contenders)
}

/// Returns the plot title of a counter.
fn title(name: &str) -> &str {
    match name {
        "passes" => "Passes of collision detection",
        "pairs" => "Pairs of bodies whose boxes overlap",
        "node tests" => "Node tests: bounding volumes tested",
        "candidates" => "Candidates: triangle pairs for the exact stage",
        "false alarms" => "False alarms: candidates without a contact",
        "contacts" => "Contacts handed to the solver",
        "awake bodies" => "Bodies awake",
        other => other,
    }
}
