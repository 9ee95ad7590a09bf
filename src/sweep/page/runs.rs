//! A row per run: its values, its end and its main figures.

use maud::{Markup, html};

use super::super::merge::Merged;
use super::super::row::{FIGURES, Row};
use crate::digits::grouped;
use crate::page::number::{NOTHING, digits, mebibytes};

/// Largest number of rows. More would make the page large; the tables beside it have all.
const ROWS: usize = 2000;
/// Figures with a column, and the heads of the columns.
const SHOWN: [(&str, &str); 4] = [
    ("deepest_overlap_mm", "deepest overlap, mm"),
    ("deepest_at_rest_mm", "deepest at rest, mm"),
    ("greatest_force_n", "greatest force, N"),
    ("touching_pairs", "touching pairs"),
];

/// Returns the table of the runs, failing ones first.
pub(super) fn table(merged: &Merged) -> Markup {
    let keys: Vec<&str> = merged.manifest.plan.keys().collect();
    let (failing, held): (Vec<&Row>, Vec<&Row>) = merged.rows.iter().partition(|row| row.is_failing());
    let rows: Vec<&Row> = failing.into_iter().chain(held).take(ROWS).collect();
    let places = SHOWN.map(|(name, _)| FIGURES.iter().position(|(own, _)| *own == name));
    html! {
        h2 { "Runs" }
        p.note {
            "Failing runs are first. Point at a run to see the command that repeats it."
            @if rows.len() < merged.rows.len() {
                " The first " (grouped(rows.len() as u64)) " of " (grouped(merged.rows.len() as u64)) " runs; table.csv has all."
            }
        }
        div.scroll tabindex="0" {
            table {
                thead { tr {
                    th { "run" }
                    @for key in &keys { th { (key) } }
                    th { "end" }
                    @for (_, head) in SHOWN { th { (head) } }
                    th { "time, s" }
                    th { "memory, MiB" }
                    th { "state hash" }
                } }
                tbody {
                    @for row in rows {
                        tr.failing[row.is_failing()] title=(row.command) {
                            th { (row.run) }
                            @for value in &row.values { td { (short(value)) } }
                            td.words { (row.end.name()) @if !row.reason.is_empty() { small { (row.reason) } } }
                            @for place in places {
                                td { (place.and_then(|at| row.figures[at]).map_or_else(|| NOTHING.to_owned(), number)) }
                            }
                            td { (digits(row.seconds)) }
                            td { (row.peak_memory_bytes.map_or_else(|| NOTHING.to_owned(), mebibytes)) }
                            td { (row.state_hash.as_deref().unwrap_or(NOTHING)) }
                        }
                    }
                }
            }
        }
    }
}

/// Formats a figure: a count in full, another number with three digits.
fn number(figure: f64) -> String {
    if figure.fract() == 0.0 && (0.0..1e15).contains(&figure) {
        grouped(figure as u64)
    } else {
        digits(figure)
    }
}

/// Shortens a value that is a number with many digits, as samples are.
fn short(value: &str) -> String {
    const LENGTH: usize = 8;
    match value.parse::<f64>() {
        Ok(number) if value.len() > LENGTH => digits(number),
        _ => value.to_owned(),
    }
}
