//! All findings as a table.

use maud::{Markup, html};

use super::marks::{badge, class_of, path, place};
use crate::digits::grouped;
use crate::report::findings::FindingFigures;

/// Largest number of rows. A browser opens a page with more of them only slowly.
const MOST_ROWS: usize = 20_000;

/// Returns a section with a table of findings.
pub(super) fn section(title: &str, findings: &[FindingFigures]) -> Markup {
    html! {
        section {
            h2 { (title) ": " (grouped(findings.len() as u64)) }
            @if findings.len() > MOST_ROWS {
                p.note { "The worst " (grouped(MOST_ROWS as u64)) " are listed; CSV and JSON have all." }
            }
            div.scroll tabindex="0" {
                table.left {
                    thead {
                        tr { th { "kind" } th { "depth or distance" } th { "parts" } th { "position, mm" } th { "proof" } th { "id" } }
                    }
                    tbody { @for finding in findings.iter().take(MOST_ROWS) { (row(finding)) } }
                }
            }
        }
    }
}

fn row(finding: &FindingFigures) -> Markup {
    let word = finding.review.as_ref().map_or("", |review| &review.word);
    html! {
        tr class=(class_of(finding)) {
            th scope="row" { (badge(finding)) @if !word.is_empty() { small { "“" (word) "”" } } }
            td { (finding.measure()) }
            td.pair { (path(&finding.a)) br; (path(&finding.b)) }
            td { (place(finding)) }
            td { (finding.proof.title()) @if let Some(reason) = finding.excluded { small { "kept apart: " (reason.name()) } } }
            td.id { code { (finding.id) } }
        }
    }
}
