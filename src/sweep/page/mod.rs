//! The page of a sweep: one HTML file without scripts that loads nothing.
//!
//! - `heat.rs`: two keys as the sides of a grid, its cells colored by result.
//! - `parallel.rs`: all keys as parallel axes, with a line per run.
//! - `runs.rs`: a row per run.
//! - `style.css`: the style of charts and tables that only this page has.
//! - `tables.rs`: expectations, keys, times and shards.

mod heat;
mod parallel;
mod runs;
mod tables;

use maud::{Markup, html};

use super::merge::Merged;
use super::summary::{Grouping, SEED, opening};
use crate::digits::grouped;
use crate::page::document;
use crate::page::number::digits;
use crate::page::scale::range;

const STYLE: &str = include_str!("style.css");

impl Merged {
    /// Returns the page.
    pub fn page(&self) -> String {
        let scene = &self.manifest.scene;
        let body = html! {
            (head(self))
            (tables::expectations(self))
            (tables::keys(self))
            (chart(self))
            (tables::times(self))
            (runs::table(self))
        };
        document(&format!("Sweep of {scene}"), STYLE, &body)
    }
}

/// Returns the title, the main result in words, and the description of the sweep.
fn head(merged: &Merged) -> Markup {
    let manifest = &merged.manifest;
    let keys: Vec<String> = manifest.plan.columns().map(|(key, values)| described(key, &values)).collect();
    html! {
        header {
            h1 { "Sweep of " (manifest.scene) }
            p.opening { (opening(merged).join(" ")) }
            p.muted {
                (grouped(manifest.plan.run_count())) " runs over " (keys.join("; ")) ". "
                @if !manifest.options.is_empty() { "Options of all runs: " (manifest.options.join(" ")) ". " }
                "Made with tumble " (manifest.tumble) "; table.csv, table.json and timings.csv beside this \
                 page have all figures."
            }
            @if !merged.faults.is_empty() {
                ul.notes { @for fault in &merged.faults { li { (fault) } } }
            }
        }
    }
}

/// Describes the values of a key in a few words.
fn described(key: &str, values: &[&str]) -> String {
    const LISTED: usize = 6;
    let grouping = Grouping::of(values.iter().copied());
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
    match numbers {
        _ if grouping.labels.len() <= LISTED => format!("{key} ({})", grouping.labels.join(", ")),
        Some(numbers) => {
            let (low, high) = range(numbers.into_iter()).unwrap_or_default();
            format!(
                "{key} ({} values from {} to {})",
                grouped(values.len() as u64),
                digits(low),
                digits(high)
            )
        }
        None => format!("{key} ({} values)", grouped(values.len() as u64)),
    }
}

/// Returns a heat map if two keys have several values, not counting seeds, else parallel axes.
fn chart(merged: &Merged) -> Markup {
    let keys: Vec<&str> = merged.manifest.plan.keys().collect();
    let is_varied = |place: &usize| merged.grouping(*place).labels.len() > 1;
    let varied: Vec<usize> = (0..keys.len()).filter(is_varied).collect();
    let sides: Vec<usize> = varied.iter().copied().filter(|place| keys[*place] != SEED).collect();
    match sides[..] {
        [down, across] => heat::map(merged, [down, across]),
        _ if varied.is_empty() => html! {},
        _ => parallel::axes(merged, &varied),
    }
}
