//! Tables about the effect of a budget.

use comfy_table::Table;

use super::layout::{decimals, table};
use crate::digits::grouped;
use crate::report::{Extent, Summary};

/// Creates the table of how much of the budget was used, and the table of the pairs that it left
/// unsearched; `None` for each that is empty.
pub(super) fn budget(summary: &Summary, most: usize) -> [Option<Table>; 2] {
    let Some(b) = &summary.budget else { return [None, None] };
    let limit = match b.us {
        Some(us) => format!("budget {} µs, {} node tests", grouped(us), grouped(b.tests)),
        None => format!("budget {} node tests", grouped(b.tests)),
    };
    let mut limits = table(&[&limit, "mean", "max"]);
    let d = &b.detection_ms;
    limits.add_row(["test and query, ms".to_owned(), decimals(d.mean, 3), decimals(d.max, 3)]);
    let rows = [
        ("node tests used", b.used),
        ("pairs searched", b.searched),
        ("searches ended early", b.interrupted),
        ("pairs held", b.held),
        ("contacts of regions", b.cell_contacts),
    ];
    for (name, Extent { mean, max }) in rows {
        limits.add_row([name.to_owned(), decimals(mean, 1), grouped(max)]);
    }
    let percentiles = format!("{} / {} / {}", decimals(d.p50, 3), decimals(d.p95, 3), decimals(d.p99, 3));
    limits.add_row(["test and query, ms: p50 / p95 / p99".to_owned(), percentiles]);
    if let Some(missed) = b.missed_deadlines {
        limits.add_row(["steps over budget, in time".to_owned(), grouped(missed as u64)]);
    }
    limits.add_row(["steps over budget, in node tests".to_owned(), grouped(b.overrun as u64)]);
    let g = &b.guesses;
    limits.add_row([format!("guesses tested exactly, 1 in {}", g.sample), grouped(g.sampled)]);
    limits.add_row(["guessed to collide, but apart".to_owned(), grouped(g.false_collisions)]);
    limits.add_row(["guessed to be apart, but collide".to_owned(), grouped(g.missed_collisions)]);
    if g.reliability.iter().any(|bin| bin.count > 0) {
        limits.add_row(["calibration error".to_owned(), decimals(g.expected_calibration_error, 3)]);
    }
    for (bin, range) in g.reliability.iter().zip(0..).filter(|(bin, _)| bin.count > 0) {
        let said = bin.predicted / bin.count as f64;
        let is = bin.collided as f64 / bin.count as f64;
        let name = format!("guess {:.1} to {:.1}", f64::from(range) * 0.1, f64::from(range + 1) * 0.1);
        let (said, is) = (decimals(100.0 * said, 1), decimals(100.0 * is, 1));
        limits.add_row([name, format!("{said} % guessed, {is} % did"), grouped(bin.count)]);
    }
    let mut starved = table(&["left unsearched at the end of a step", "steps", "share", "longest"]);
    for pair in b.starved.iter().take(most) {
        let row = [
            format!("{} – {}", pair.a, pair.b),
            grouped(u64::from(pair.steps)),
            format!("{:.0} %", pair.share * 100.0),
            grouped(u64::from(pair.longest_wait)),
        ];
        starved.add_row(row);
    }
    if b.starved.len() > most {
        let rest = &b.starved[most..];
        let longest = rest.iter().map(|p| p.longest_wait).max().unwrap_or(0);
        let name = format!("{} pairs more, at most", rest.len());
        let steps = grouped(u64::from(rest[0].steps));
        starved.add_row([name, steps, String::new(), grouped(u64::from(longest))]);
    }
    [Some(limits), (!b.starved.is_empty()).then_some(starved)]
}
