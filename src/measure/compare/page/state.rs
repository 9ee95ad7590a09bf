//! State of the bodies: energy, overlap, lost bodies, passages through surfaces, rest.

use maud::{Markup, html};

use super::shared::{SharedPlot, lines, values};
use crate::compare::result::{Comparison, ContenderResult, Loss, Lost, Passed};
use crate::digits::grouped;
use crate::page::number::digits;
use crate::page::plot::{Mark, by_step};
use crate::page::scale::{Axis, Form, Scale, range};

/// Largest number of lost bodies, and of bodies that passed through a surface, that are listed per
/// contender.
const LISTED: usize = 50;

/// Returns the section of energy, overlap, losses, passages and rest.
pub fn section(comparison: &Comparison) -> Markup {
    html! {
        section {
            h2 { "Energy, overlap, losses, passages, rest" }
            div.plots { (energy(comparison)) (overlap(comparison)) }
            h3 { "Bodies lost" }
            ul { @for one in &comparison.contenders { li { (lost(one)) } } }
            h3 { "Bodies that passed through a surface" }
            ul { @for one in &comparison.contenders { li { (passed(one)) } } }
            p.note {
                "One measure for all engines, from the poses before and after each step: a point in the material \
                 of a body, its core, crossed the surface of another body. Each pair is listed once, with its \
                 first step."
            }
            h3 { "Rest" }
            ul { @for one in &comparison.contenders { li { (rest(one)) } } }
        }
    }
}

fn energy(comparison: &Comparison) -> Markup {
    let lines = lines(comparison, |one| by_step(one.energy.iter().copied()));
    let (low, high) = range(values(&lines)).unwrap_or((0.0, 1.0));
    let pad = 0.05 * (high - low);
    let plot = SharedPlot {
        title: "Kinetic and potential energy of the movable bodies",
        x: Axis::steps(comparison.steps),
        y: Axis::new("energy, J", Scale::linear(low - pad, high + pad), Form::Number),
        lines,
        missing: "no steps",
        marks: Vec::new(),
        note: Some("Potential energy is zero at the height of the origin.".to_owned()),
    };
    plot.figure(&comparison.contenders)
}

fn overlap(comparison: &Comparison) -> Markup {
    let sampled = |one: &ContenderResult| {
        let depths = one.overlap.iter().map(|depth| 1e3 * depth);
        comparison.sampled.iter().map(|&step| f64::from(step)).zip(depths).collect()
    };
    let lines = lines(comparison, sampled);
    let scale = Scale::from_zero(values(&lines)).unwrap_or(Scale::linear(0.0, 1.0));
    let steps = Scale::linear(0.0, f64::from(comparison.steps.max(1)) + 0.5);
    let plot = SharedPlot {
        title: "Deepest overlap of any two bodies",
        x: Axis::new("step", steps, Form::Whole),
        y: Axis::new("depth, mm", scale, Form::Number),
        marks: vec![(Mark::Circle, "step that was measured", lines.concat())],
        lines,
        missing: "not measured",
        note: Some(
            "One measure for all engines, at the poses that each gives: the distance by which one of two bodies \
             would have to move, along the best of some forty directions (for convex bodies: of all directions), \
             until the exact test of their triangles finds no overlap."
                .to_owned(),
        ),
    };
    plot.figure(&comparison.contenders)
}

fn lost(one: &ContenderResult) -> Markup {
    let said = |lost: &Lost| {
        let how = match lost.how {
            Loss::Fell => "fell",
            Loss::NotFinite => "state not finite",
        };
        format!("{} ({how}, step {})", lost.body, grouped(lost.step.into()))
    };
    let listed: Vec<String> = one.lost.iter().take(LISTED).map(said).collect();
    list(&one.name, one.lost.len(), &listed)
}

fn passed(one: &ContenderResult) -> Markup {
    let Some(passages) = &one.passages else {
        return html! { b { (one.name) } ": not checked" };
    };
    let said = |passed: &Passed| {
        format!("{} (through {}, step {})", passed.body, passed.through, grouped(passed.step.into()))
    };
    let listed: Vec<String> = passages.iter().take(LISTED).map(said).collect();
    list(&one.name, passages.len(), &listed)
}

/// Lists the first of `count` bodies of a contender.
fn list(name: &str, count: usize, listed: &[String]) -> Markup {
    let more = count - listed.len();
    html! {
        b { (name) } ": "
        @if listed.is_empty() { "none" } @else { (grouped(count as u64)) " – " (listed.join(", ")) }
        @if more > 0 { " and " (grouped(more as u64)) " more" }
    }
}

fn rest(one: &ContenderResult) -> Markup {
    html! {
        b { (one.name) } ": "
        @match one.rest.since {
            Some(0) => "no body is ever faster than 20 mm/s",
            Some(step) => { "no body is faster than 20 mm/s after step " (grouped(step.into())) }
            None => "some body is faster than 20 mm/s to the end",
        }
        @if let Some(speed) = one.rest.shiver {
            "; over the last tenth of the steps, the mean speed of the bodies is " (digits(1e3 * speed)) " mm/s"
        }
        "."
    }
}
