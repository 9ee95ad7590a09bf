//! Small tables: expectations, the values of each key, times and shards.

use maud::{Markup, html};

use super::super::merge::Merged;
use super::super::row::Row;
use super::super::summary::Group;
use super::super::table::verdict;
use crate::digits::grouped;
use crate::page::number::{NOTHING, digits, mebibytes};

/// Returns the table of the expectations: how many runs broke each, and how to repeat the first.
pub(super) fn expectations(merged: &Merged) -> Markup {
    let texts = merged.expectations();
    if texts.is_empty() {
        return html! {};
    }
    html! {
        h2 { "Expectations" }
        div.scroll tabindex="0" {
            table.left {
                thead { tr {
                    th { "expectation" } th { "held" } th { "broken" } th { "not decided" }
                    th { "the first run that broke it" }
                } }
                tbody {
                    @for (place, text) in texts.iter().enumerate() {
                        @let count = |held| merged.rows.iter().filter(|row| verdict(row, place) == held).count() as u64;
                        @let broken = merged.rows.iter().find(|row| verdict(row, place) == Some(false));
                        tr {
                            th { (text) }
                            td { (grouped(count(Some(true)))) }
                            td { (grouped(count(Some(false)))) }
                            td { (grouped(count(None))) }
                            td.words { @match broken { Some(row) => (repeat(row, place)), None => (NOTHING) } }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the reason why a run broke an expectation, and the command that repeats it.
fn repeat(row: &Row, expectation: usize) -> Markup {
    let because = row.verdicts.get(expectation).map_or("", |verdict| &verdict.because);
    html! { "run " (row.run) ": " (because) small { code { (row.command) } } }
}

/// Returns a table for each key: how the runs of each of its values ended.
pub(super) fn keys(merged: &Merged) -> Markup {
    let summaries = merged.key_summaries();
    html! {
        @if !summaries.is_empty() {
            h2 { "Keys" }
            div.keys {
                @for summary in &summaries {
                    figure {
                        figcaption { (summary.key) }
                        table {
                            thead { tr {
                                th { "value" } th { "runs" } th { "failing" } th { "" } th { "deepest overlap, mm, mean" }
                            } }
                            tbody { @for group in &summary.groups { (row_of(group)) } }
                        }
                    }
                }
            }
        }
    }
}

fn row_of(group: &Group) -> Markup {
    html! {
        tr {
            th { (group.label) }
            td { (grouped(group.runs)) }
            td { (grouped(group.failing)) }
            td.share { span style={ "width:" (format!("{:.0}", 100.0 * group.share())) "%" } {} }
            td { (group.overlap_mm.map_or_else(|| NOTHING.to_owned(), digits)) }
        }
    }
}

/// Returns the times of the runs, and the time that the sweep would take in shards.
pub(super) fn times(merged: &Merged) -> Markup {
    let mut seconds: Vec<f64> = merged.rows.iter().map(|row| row.seconds).collect();
    if seconds.is_empty() {
        return html! {};
    }
    seconds.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| digits(seconds[((seconds.len() - 1) as f64 * share).round() as usize]);
    let total: f64 = seconds.iter().sum();
    let memory = merged.rows.iter().filter_map(|row| row.peak_memory_bytes).max();
    html! {
        h2 { "Time" }
        p {
            "A run takes " (at(0.5)) " s (median), " (at(0.95)) " s at the 95th percentile and " (at(1.0))
            " s at most, with loading and reporting; all runs together take " (digits(total)) " s."
            @if let Some(memory) = memory { " The largest memory of a run is " (mebibytes(memory)) " MiB." }
        }
        p.note {
            "The table shows the time that these runs would take in shards on as many machines, each with one run at a \
             time. The sweep ends with its slowest shard, which takes longer than the mean."
        }
        div.scroll tabindex="0" {
            table.spread {
                thead { tr { th { "shards" } th { "slowest shard, s" } th { "mean, s" } th { "longer than the mean" } } }
                tbody {
                    @for spread in merged.spreads() {
                        tr {
                            th { (spread.shards) }
                            td { (digits(spread.longest)) }
                            td { (digits(spread.even)) }
                            td { (format!("{:.1} %", 100.0 * spread.loss())) }
                        }
                    }
                }
            }
        }
    }
}
