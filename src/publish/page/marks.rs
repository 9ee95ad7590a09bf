//! Labels, places and names of findings.

use maud::{Markup, PreEscaped, html};

use crate::report::findings::{Change, FindingFigures};

/// Returns the classes of a finding's state.
pub(super) fn classes(finding: &FindingFigures) -> Vec<&'static str> {
    let change = finding.change.map(|change| match change {
        Change::New => "new",
        Change::Worse => "worse",
        Change::Existing => "existing",
        Change::Resolved => "resolved",
    });
    change.into_iter().chain(finding.is_accepted().then_some("accepted")).collect()
}

/// Returns the class attribute of a finding's row or figure.
pub(super) fn class_of(finding: &FindingFigures) -> String {
    format!("k-{} {}", finding.kind.name(), classes(finding).join(" "))
}

/// Returns the kind of a finding as a label, with its state.
pub(super) fn badge(finding: &FindingFigures) -> Markup {
    let change = finding.change.filter(|change| *change != Change::Existing);
    html! {
        span.badge.{ "k-" (finding.kind.name()) } { (finding.kind.name()) }
        @if change.is_some() { " " span.state { (classes(finding)[0]) } }
        @if finding.is_accepted() { " " span.state { "accepted" } }
        @if finding.review.as_ref().is_some_and(|review| review.outgrown) {
            " " span.state { "worse than accepted" }
        }
    }
}

/// Returns the place of a finding, mm.
pub(super) fn place(finding: &FindingFigures) -> String {
    let [x, y, z] = finding.points[0].map(|x| format!("{:.2}", 1e3 * x).replace('-', "−"));
    format!("{x}, {y}, {z}")
}

/// Returns a path that a line can break after each slash.
pub(super) fn path(path: &str) -> Markup {
    html! {
        @for (index, name) in path.split('/').enumerate() {
            @if index > 0 { "/" (PreEscaped("<wbr>")) }
            (name)
        }
    }
}
