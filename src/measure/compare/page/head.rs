//! Top of the page: the compared contenders, the main result, the table, and the pictures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::shared::class;
use crate::compare::result::{Comparison, ContenderResult, Estimate, JointPeak, Moment, Picture};
use crate::compare::summary;
use crate::digits::grouped;
use crate::page::number::{NOTHING, digits, interval, length, mebibytes};
use crate::page::plot::line_key;

/// Returns the title, the main result in words, and the description of the scene.
pub fn opening(comparison: &Comparison) -> Markup {
    html! {
        header {
            h1 { (comparison.scene) }
            p.opening { (summary::opening(comparison)) }
            @if !comparison.description.is_empty() { p { (comparison.description) } }
            p.muted { (scene(comparison)) }
            @if !comparison.notes.is_empty() {
                ul.notes { @for note in &comparison.notes { li { (note) } } }
            }
        }
    }
}

fn scene(comparison: &Comparison) -> String {
    let Comparison { bodies, triangles, steps, dt, repeats, seed, machine, tumble_version, .. } = comparison;
    let machine = match machine.cores {
        0 => String::new(),
        cores => format!(" Measured on {}, {}, {cores} cores.", machine.processor, machine.system),
    };
    format!(
        "{} bodies with {} triangles; {} steps of {} ms, {} s in all; {repeats} timed runs of each contender, \
         seed {seed}; tumble {tumble_version}.{machine}",
        grouped((*bodies).into()),
        grouped(*triangles),
        grouped((*steps).into()),
        digits(1e3 * dt),
        digits(f64::from(*steps) * dt),
    )
}

/// Returns a table with one row per contender, and below it the features of the scene that contenders
/// do not support.
pub fn table(comparison: &Comparison) -> Markup {
    let has_joints = comparison.has_joint_peaks();
    let headings = [
        "mean, ms",
        "times the first",
        "p50, ms",
        "p95, ms",
        "p99, ms",
        "worst, ms",
        "set-up, ms",
        "memory, MiB",
        "deepest overlap, mm",
        "lost",
        "passed",
        "largest joint gap, mm",
        "largest joint twist, °",
        "at rest after step",
        "shiver, mm/s",
        "parted at step",
        "state at the end",
    ];
    html! {
        section {
            h2 { "Summary" }
            div.scroll tabindex="0" role="region" aria-label="Summary table" {
                table {
                    thead { tr {
                        th scope="col" { "contender" }
                        @for heading in headings.iter().filter(|name| has_joints || !name.contains("joint")) {
                            th scope="col" { (heading) }
                        }
                    } }
                    tbody {
                        @for (k, one) in comparison.contenders.iter().enumerate() { (row(k, one, has_joints)) }
                    }
                }
            }
            p.note {
                "Times are per step. The 95 % interval of an estimate is below it. Lost: bodies that fell out of \
                 the scene or were set aside because their state was not finite. Deepest overlap: "
                (comparison.sampling()) ". Passed: pairs in which one body \
                 passed through the surface of the other. "
                @if has_joints {
                    "Gap and twist of a joint: distance and angle by which its frames lie off its locked axes and \
                     beyond its limits; soft axes do not count. "
                }
                "At rest: no body is faster than 20 mm/s after that \
                 step. Shiver: mean speed over the last tenth of the steps. Parted: a body deviates from that of \
                 the first contender by more than a hundredth of its size."
            }
            (reservations(comparison))
        }
    }
}

fn row(k: usize, one: &ContenderResult, has_joints: bool) -> Markup {
    let spread = &one.spread;
    html! {
        tr {
            th scope="row" { (line_key(&class(k))) (one.name) small { (one.about) } }
            (estimate(Some(&one.mean)))
            @if k == 0 { td { "1" } } @else { (estimate(one.ratio.as_ref())) }
            @for time in [spread.p50, spread.p95, spread.p99] { td { (digits(time)) } }
            td {
                (digits(spread.worst))
                @if spread.worst_step > 0 { small { "step " (grouped(spread.worst_step.into())) } }
            }
            td { (digits(one.set_up_ms)) }
            td { (one.grown_bytes.map_or(NOTHING.to_owned(), mebibytes)) }
            (deepest(one))
            td { (grouped(one.lost.len() as u64)) }
            td { (one.passages.as_ref().map_or(NOTHING.to_owned(), |all| grouped(all.len() as u64))) }
            @if has_joints {
                (joint(one.joint_gap.as_ref(), 1e3))
                (joint(one.joint_twist.as_ref(), 1.0_f64.to_degrees()))
            }
            td { (one.rest.since.map_or("never".to_owned(), |step| grouped(step.into()))) }
            td { (one.rest.shiver.map_or(NOTHING.to_owned(), |speed| digits(1e3 * speed))) }
            (parted(k, one))
            td { code { (one.state_hash) } }
        }
    }
}

fn estimate(estimate: Option<&Estimate>) -> Markup {
    html! {
        td {
            @if let Some(estimate) = estimate {
                (digits(estimate.value))
                small { (estimate.interval.map_or("no interval".to_owned(), interval)) }
            } @else { (NOTHING) }
        }
    }
}

fn deepest(one: &ContenderResult) -> Markup {
    html! {
        td.words {
            @if let Some(deepest) = &one.deepest {
                (digits(1e3 * deepest.depth))
                small {
                    (deepest.bodies[0]) " in " (deepest.bodies[1])
                    ", step " (grouped(deepest.step.into()))
                }
            } @else { "0" }
        }
    }
}

/// Returns the cell of a joint's gap or twist, multiplied by `factor`.
fn joint(peak: Option<&JointPeak>, factor: f64) -> Markup {
    html! {
        td.words {
            @if let Some(peak) = peak {
                (digits(factor * peak.value))
                small { (peak.joint) ", step " (grouped(peak.step.into())) }
            } @else { (NOTHING) }
        }
    }
}

fn parted(k: usize, one: &ContenderResult) -> Markup {
    html! {
        td.words {
            @match &one.parting {
                Some(parting) => {
                    (grouped(parting.step.into()))
                    small {
                        (parting.body)
                        @if let Some(other) = &parting.touching { ", touching " (other) }
                        ", by " (length(parting.distance))
                    }
                }
                None if k == 0 => (NOTHING),
                None => "never",
            }
        }
    }
}

/// Returns a list of contenders that ended early, and of the features of the scene that contenders do
/// not support.
fn reservations(comparison: &Comparison) -> Markup {
    let has_some = |one: &&ContenderResult| one.ended.is_some() || !one.unmapped.is_empty();
    let all: Vec<&ContenderResult> = comparison.contenders.iter().filter(has_some).collect();
    html! {
        @if !all.is_empty() {
            h3 { "Incomplete runs, and features of the scene that contenders lack" }
            ul {
                @for one in all {
                    @if let Some(ended) = &one.ended {
                        li {
                            b { (one.name) }
                            " ended after step " (grouped(ended.step.into())) ": " (ended.reason)
                        }
                    }
                    @for what in &one.unmapped { li { b { (one.name) } ": " (what) } }
                }
            }
        }
    }
}

/// Returns the pictures of each contender's bodies after its slowest and its last step.
pub fn pictures(comparison: &Comparison, read: &dyn Fn(&str) -> Option<Vec<u8>>) -> Markup {
    let named = |moment: Moment| match moment {
        Moment::Worst => "slowest step",
        Moment::Last => "last step",
    };
    html! {
        @if !comparison.pictures.is_empty() {
            section {
                h2 { "Pictures" }
                @for moment in [Moment::Worst, Moment::Last] {
                    @let all = of_moment(comparison, moment);
                    @if !all.is_empty() {
                        h3 { "After the " (named(moment)) }
                        div.pictures { @for picture in all { (shown(picture, named(moment), read)) } }
                    }
                }
            }
        }
    }
}

fn of_moment(comparison: &Comparison, moment: Moment) -> Vec<&Picture> {
    comparison.pictures.iter().filter(|picture| picture.moment == moment).collect()
}

fn shown(picture: &Picture, moment: &str, read: &dyn Fn(&str) -> Option<Vec<u8>>) -> Markup {
    let Picture { contender, step, file, .. } = picture;
    html! {
        figure {
            @if let Some(png) = read(file) {
                img alt={ "The bodies of " (contender) " after step " (step) ", its " (moment) }
                    src={ "data:image/png;base64," (STANDARD.encode(png)) };
            } @else {
                p.muted { "The picture " (file) " is not there." }
            }
            figcaption { (contender) ", step " (grouped((*step).into())) }
        }
    }
}
