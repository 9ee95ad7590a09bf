//! Deviation of contenders from the first contender: distances, bodies, and the first step.

use maud::{Markup, html};

use super::shared::{SharedPlot, class, color, figure, lines};
use crate::compare::result::{Comparison, ContenderResult, Parting};
use crate::compare::summary;
use crate::digits::grouped;
use crate::order::Order;
use crate::page::number::{length, length_tick};
use crate::page::plot::{HEIGHT, Layer, Plot, Points, Shape, by_step, line_key};
use crate::page::scale::{Axis, Form, Scale, range};

/// Lower end of the axis, m. Smaller deviations are drawn at this value.
const FLOOR: f64 = 1e-12;
/// Number of bodies per contender that are drawn, and number of these that are named.
const DRAWN: usize = 200;
const NAMED: usize = 5;

/// Returns the section of the deviation of all contenders from the first.
pub fn section(comparison: &Comparison) -> Markup {
    let Some((first, others)) = comparison.contenders.split_first() else { return html! {} };
    let farthest = others.iter().flat_map(|one| one.deviation.farthest.iter().copied());
    let high = range(farthest).map_or(0.0, |(_, high)| high);
    html! {
        section {
            h2 { "Motion" }
            @if !others.is_empty() {
                p {
                    "Deviation: distance of the farthest point of a body from its position in " (first.name)
                    " after the same step."
                }
                ul { @for other in others { li { (in_words(first, other)) } } }
                @if high > 0.0 { (plots(comparison, Scale::log(FLOOR, (2.0 * high).max(1e3 * FLOOR)))) }
            }
        }
    }
}

fn in_words(first: &ContenderResult, other: &ContenderResult) -> Markup {
    let by = |parting: &Parting| format!("{}, by {}", summary::place(parting), length(parting.distance));
    html! {
        b { (other.name) }
        @match (&other.first_difference, &other.parting) {
            (None, _) => { " is the same as " (first.name) ", bit for bit." }
            (Some(different), None) => {
                " differs first " (by(different))
                ", and no body ever deviates by more than a hundredth of its size."
            }
            (Some(different), Some(parting)) => {
                " differs first " (by(different))
                ". A body deviates by more than a hundredth of its size first "
                (by(parting)) "."
            }
        }
    }
}

fn plots(comparison: &Comparison, scale: Scale) -> Markup {
    let shared = |title, series: fn(&ContenderResult) -> &Vec<f64>| {
        let plot = SharedPlot {
            title,
            x: Axis::steps(comparison.steps),
            y: Axis::new("deviation", scale, Form::Length),
            lines: lines(comparison, |one| by_step(series(one).iter().copied())),
            missing: "the reference of the others",
            marks: Vec::new(),
            note: None,
        };
        plot.figure(&comparison.contenders)
    };
    html! {
        p.note {
            "All plots have the same logarithmic scale. It begins at " (length_tick(FLOOR))
            ", where smaller deviations, including zero, are drawn."
        }
        div.plots {
            (shared("Body with the largest deviation", |one| &one.deviation.farthest))
            (shared("Median deviation of the bodies", |one| &one.deviation.middle))
        }
        h3 { "Every body" }
        div.plots {
            @for (k, one) in comparison.contenders.iter().enumerate().skip(1) {
                (every_body(comparison, k, one, scale))
            }
        }
    }
}

/// Body with its deviation after each tracked step.
struct Track<'a> {
    name: &'a str,
    points: Points,
    last: f64,
}

/// Returns the tracks of a contender, those with the largest final deviation first.
fn tracks<'a>(comparison: &Comparison, one: &'a ContenderResult) -> Vec<Track<'a>> {
    let last = |values: &[f32]| values.iter().rev().find(|v| v.is_finite()).map_or(0.0, |&v| f64::from(v));
    let mut all: Vec<(&String, &Vec<f32>)> = one.deviation.bodies.iter().collect();
    all.order_by(|a, b| last(b.1).total_cmp(&last(a.1)));
    all.truncate(DRAWN);
    let track = |(name, values): (&'a String, &'a Vec<f32>)| {
        let steps = comparison.tracked.iter().map(|&step| f64::from(step));
        let points = steps.zip(values.iter().map(|&v| f64::from(v))).collect();
        Track { name, points, last: last(values) }
    };
    all.into_iter().map(track).collect()
}

fn every_body(comparison: &Comparison, k: usize, one: &ContenderResult, scale: Scale) -> Markup {
    let tracks = tracks(comparison, one);
    let has_moved = tracks.first().is_some_and(|track| track.points.iter().any(|p| p.1 > 0.0));
    let mut layers = Vec::new();
    for (rank, track) in tracks.iter().enumerate().rev() {
        let class = if rank < NAMED { format!("{} named", color(k)) } else { "other".to_owned() };
        layers.push(Layer { class, name: track.name.to_owned(), shape: Shape::Hair(track.points.clone()) });
        if rank < NAMED {
            let name = (rank + 1).to_string();
            layers.push(Layer { class: String::new(), name, shape: Shape::End(track.last) });
        }
    }
    let plot = Plot {
        name: format!("Deviation of every body of {}", one.name),
        height: HEIGHT,
        x: Axis::steps(comparison.steps),
        y: Axis::new("deviation", scale, Form::Length),
        layers,
    };
    let legend = html! {
        ol.legend {
            @for track in tracks.iter().take(NAMED) { li { (track.name) ", " (length(track.last)) } }
        }
    };
    let all = one.deviation.bodies.len();
    let note = (all > DRAWN).then(|| {
        format!(
            "The plot shows the {DRAWN} of {} bodies with the largest deviation at the end.",
            grouped(all as u64)
        )
    });
    let title = html! { (line_key(&class(k))) (one.name) };
    html! {
        @if has_moved { (figure(title, plot.svg(), legend, note.as_deref())) }
    }
}
