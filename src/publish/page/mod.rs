//! A page of the findings of a check as one HTML file, for screens, paper and phones. It needs no
//! script: filters are check boxes that a style sheet reads.
//!
//! - `groups.rs`: the groups with their pictures.
//! - `marks.rs`: labels, places and names of findings.
//! - `style.css`: the style of this page.
//! - `table.rs`: all findings as a table.

mod groups;
mod marks;
mod table;

use maud::{Markup, html};

use self::marks::classes;
use super::album::Album;
use crate::check::{Kind, written};
use crate::digits::grouped;
use crate::page::document;

const STYLE: &str = include_str!("style.css");

/// Returns the page. `title` names the model, and `command` makes the page again.
pub fn page(album: &Album, title: &str, command: &str) -> String {
    let own = album.document;
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| own.count(*kind) > 0).collect();
    let body = html! {
        header {
            h1 { "Check of " (title) }
            p.opening { (opening(album, &kinds)) }
            p.muted { (extent(album)) }
            @if !own.complete { p.alarm { "The check is not complete: some pairs were not examined." } }
            @for doubt in own.doubts() { p.alarm { "Not certain: " (doubt) } }
            @if !own.notes.is_empty() { ul.notes { @for note in &own.notes { li { (note) } } } }
        }
        @if !own.findings.is_empty() {
            (filters(album, &kinds))
            (groups::section(album))
            (table::section("Findings", &own.findings))
        }
        @if !own.excluded.is_empty() {
            details {
                summary { "Pairs that the scene keeps apart: " (grouped(own.excluded.len() as u64)) }
                (table::section("Excluded pairs", &own.excluded))
            }
        }
        footer.note {
            p { "Made with tumble " (env!("CARGO_PKG_VERSION")) ": " code { (command) } }
            p { "Positions are in millimeters in the space of the model, with y up." }
        }
    };
    document(&format!("Check of {title}"), &format!("{STYLE}{}", rules(&kinds)), &body)
}

/// Returns the result in a sentence.
fn opening(album: &Album, kinds: &[Kind]) -> String {
    let own = album.document;
    let counted = |kind: &Kind| format!("{} × {}", grouped(own.count(*kind) as u64), kind.title());
    let kinds: Vec<String> = kinds.iter().map(counted).collect();
    let accepted = own.findings.iter().filter(|finding| finding.is_accepted()).count();
    let accepted = match accepted {
        0 => String::new(),
        count => format!("; {} of them accepted", grouped(count as u64)),
    };
    if kinds.is_empty() { "Nothing was found.".to_owned() } else { kinds.join(", ") + &accepted + "." }
}

/// Returns the extent of the check.
fn extent(album: &Album) -> String {
    let own = album.document;
    let [parts, triangles, asked, ignored] =
        [own.part_count, own.triangle_count, own.asked_count, own.ignored_count]
            .map(|count| grouped(count as u64));
    let step = own.step.map_or(String::new(), |step| format!(" at step {step}"));
    let ignored =
        if own.ignored_count == 0 { String::new() } else { format!(", {ignored} ignored by rules") };
    let distance = if own.clearance_m > 0.0 {
        format!("demanded distance {}; ", written(own.clearance_m))
    } else {
        String::new()
    };
    format!(
        "{parts} parts, {triangles} triangles{step}; {distance}pairs with near boxes examined: \
         {asked}{ignored}"
    )
}

/// Returns a check box per kind, and for accepted, existing and resolved findings.
fn filters(album: &Album, kinds: &[Kind]) -> Markup {
    let findings = &album.document.findings;
    let has = |class: &str| findings.iter().any(|finding| classes(finding).contains(&class));
    let states = STATES.into_iter().filter(|(class, _)| has(class));
    html! {
        fieldset.filters {
            legend { "Show" }
            @for kind in kinds {
                label.{ "k-" (kind.name()) } { input type="checkbox" checked id={ "show-" (kind.name()) }; (kind.name()) }
            }
            @for (class, name) in states {
                label { input type="checkbox" checked id={ "show-" (class) }; (name) }
            }
        }
    }
}

/// States of findings with a filter: class and name.
const STATES: [(&str, &str); 5] = [
    ("accepted", "accepted"),
    ("new", "new"),
    ("worse", "worse"),
    ("existing", "as before"),
    ("resolved", "resolved"),
];

/// Returns the style rules of the filters.
fn rules(kinds: &[Kind]) -> String {
    let rule = |id: &str, class: &str| {
        format!("body:has(#show-{id}:not(:checked)) :is(tr,figure).{class}{{display:none}}\n")
    };
    let kinds = kinds.iter().map(|kind| rule(kind.name(), &format!("k-{}", kind.name())));
    kinds.chain(STATES.into_iter().map(|(class, _)| rule(class, class))).collect()
}
