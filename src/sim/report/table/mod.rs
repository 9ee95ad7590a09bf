//! Summary of a run as text: at most 100 columns, units in the headers, numbers aligned at their
//! decimal points. Times are shown to the microsecond, mean counts with one decimal.

//!
//! - `budget.rs`: tables of the effect of a budget.
//! - `happened.rs`: tables of the events of a run.
//! - `layout.rs`: common columns of the tables.

mod budget;
mod happened;
mod layout;

use comfy_table::{Cell, CellAlignment, Table};

use super::summary::Penetration;
use super::{Distribution, Extent, FitFigures, GuidanceFigures, Summary};
use crate::digits::grouped;
use budget::budget;
use happened::{expectations, joints, stalls, touches, visits, watched};
use layout::{decimals, table};

/// Largest number of lines per list, unless the user requests all.
pub const LINES: usize = 10;

/// Returns the text of a summary, ending with a line break. Each list has at most `most` lines.
pub fn text(summary: &Summary, most: usize) -> String {
    let s = summary;
    let mut text = format!(
        "{}: {} steps of {} ms, {} s simulated, {} steps a second\n{} bodies, {} links, {} triangles; \
         {}, {}, {}, {} skins; {}\n",
        s.scene,
        grouped(s.steps as u64),
        decimals(s.dt * 1e3, 3),
        decimals(s.simulated_s, 2),
        decimals(s.steps_per_second, 1),
        grouped(s.bodies as u64),
        grouped(u64::from(s.links)),
        grouped(s.triangles),
        s.kinds.tree,
        s.kinds.broad,
        s.kinds.links,
        s.kinds.skins,
        threads(s.threads),
    );
    let [limits, starved] = budget(s, most);
    let blocks = [
        Some(timings(s)),
        Some(counts(s)),
        costliest(s),
        limits,
        starved,
        guidance(s, most),
        skins(s, most),
        Some(outcome(s)),
        touches(s, most),
        watched(s, most),
        joints(s, most),
        stalls(s, most),
        visits(s, most),
        expectations(s),
    ];
    for mut block in blocks.into_iter().flatten() {
        text.push('\n');
        if let Some(names) = block.column_mut(0) {
            names.set_padding((0, 1));
        }
        for line in block.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Formats the number of threads. 0 is the setting "one per core", shown if the actual number is
/// unknown.
pub fn threads(count: u32) -> String {
    match count {
        0 => "one thread per core".to_owned(),
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    }
}

fn guidance(summary: &Summary, most: usize) -> Option<Table> {
    let all: Vec<&GuidanceFigures> = summary.guidance.iter().collect();
    let mut table = table(&GuidanceFigures::HEADER);
    table.add_rows(GuidanceFigures::rows(&all, most));
    (!all.is_empty()).then_some(table)
}

fn timings(summary: &Summary) -> Table {
    let t = &summary.timings_ms;
    let mut table = table(&["wall time, ms", "mean", "share", "p50", "p95", "p99", "max"]);
    let stages =
        [("update", t.update), ("test", t.test), ("query", t.query), ("solve", t.solve), ("total", t.total)];
    for (name, Distribution { mean, p50, p95, p99, max }) in stages {
        let share = if t.total.mean > 0.0 { mean / t.total.mean * 100.0 } else { 0.0 };
        let mut row = vec![name.to_owned(), decimals(mean, 3), format!("{share:.1} %")];
        row.extend([p50, p95, p99, max].map(|value| decimals(value, 3)));
        table.add_row(row);
    }
    table
}

fn counts(summary: &Summary) -> Table {
    let c = &summary.counts;
    let mut table = table(&["per step", "mean", "max"]);
    let rows = [
        ("awake bodies", c.awake_bodies),
        ("collision passes", c.passes),
        ("passes cut short", c.cut_passes),
        ("body pairs", c.pairs),
        ("searched pairs", c.searched),
        ("carried pairs", c.carried),
        ("invalid boxes", c.invalid_boxes),
        ("volume tests", c.node_tests),
        ("candidates", c.candidates),
        ("false alarms", c.false_alarms),
        ("intersections", c.intersections),
        ("contacts", c.contacts),
        ("further rows", c.further_rows),
        ("unfinished loads", c.unfinished_loads),
        ("swept mechanisms", c.swept_mechanisms),
        ("impacts of fast bodies", c.impacts),
        ("stops of fast bodies", c.stops),
        ("orphaned contacts", c.orphans),
        ("capped pairs", c.capped),
        ("crowded pairs", c.crowded),
        ("interpenetrating pairs", c.interpenetrating),
        ("self-collisions", c.self_collisions),
    ];
    for (name, Extent { mean, max }) in rows {
        table.add_row([name.to_owned(), decimals(mean, 1), grouped(max)]);
    }
    table
}

/// Creates the table of the costliest pairs; `None` if they are not known.
fn costliest(summary: &Summary) -> Option<Table> {
    let pairs = summary.costliest_pairs.as_ref().filter(|pairs| !pairs.is_empty())?;
    let mut table = table(&[
        "costliest pairs",
        "of the work",
        "candidates",
        "false alarms",
        "steps",
        "searches",
        "within, mm",
        "edges, mm",
    ]);
    for pair in pairs {
        table.add_row([
            format!("{} – {}", pair.a, pair.b),
            format!("{:.1} %", 100.0 * pair.share),
            grouped(pair.candidates),
            grouped(pair.false_alarms),
            grouped(u64::from(pair.steps)),
            grouped(pair.searches),
            decimals(pair.margin_mm, 2),
            decimals(pair.edge_mm, 2),
        ]);
    }
    Some(table)
}

/// Creates the table of the distances of exact skins from their rigid links; `None` if there are no
/// such skins.
fn skins(summary: &Summary, most: usize) -> Option<Table> {
    let skins = &summary.skins;
    let mut table = table(&["skin against rigid link, mm", "mean", "worst"]);
    for skin in skins.iter().take(most) {
        table.add_row([skin.link.clone(), decimals(skin.mean_mm, 2), decimals(skin.worst_mm, 2)]);
    }
    if skins.len() > most {
        let rest = &skins[most..];
        let mean = rest.iter().map(|s| s.mean_mm).sum::<f64>() / rest.len() as f64;
        let name = format!("{} links more", rest.len());
        table.add_row([name, decimals(mean, 2), decimals(rest[0].worst_mm, 2)]);
    }
    (!skins.is_empty()).then_some(table)
}

fn outcome(summary: &Summary) -> Table {
    let s = summary;
    let mut table = table(&[]);
    let mut rows = vec![
        ("energy, J", format!("{} at first, {} at last", energy(s.energy_j.first), energy(s.energy_j.last))),
        ("deepest contact, mm", deepest(&s.penetration_mm)),
        ("deepest at rest, mm", s.depth_mm.as_ref().map_or_else(|| "–".to_owned(), deepest)),
        ("asleep at the end", grouped(u64::from(s.sleeping))),
        ("quarantined", grouped(u64::from(s.quarantined))),
        ("notes on the scene", grouped(s.notes as u64)),
        ("state hash", s.state_hash.clone()),
    ];
    if let Some(exchanged) = s.exchanged_diagonals.filter(|exchanged| *exchanged > 0) {
        rows.push(("exchanged diagonals", grouped(exchanged)));
    }
    if let Some(open) = s.open_depths.filter(|open| *open > 0) {
        rows.push(("pairs that may be cut", grouped(open)));
    }
    if let Some(slowest) = &s.slow_steps.slowest {
        let text = format!(
            "{}, the slowest step {} with {} s",
            grouped(s.slow_steps.count as u64),
            grouped(slowest.step as u64),
            decimals(slowest.ms * 1e-3, 3)
        );
        rows.push(("steps over 0.5 s", text));
    }
    if let Some(overlaps) = s.overlaps_at_start.as_ref().filter(|overlaps| !overlaps.is_empty()) {
        rows.push(("pairs overlapping at the start", grouped(overlaps.len() as u64)));
    }
    if let Some(fits) = FitFigures::text(&s.fits) {
        rows.push(("fits", fits));
    }
    if let Some(recording) = &s.recording {
        let bytes = [recording.bytes, recording.bytes_per_step.round() as u64].map(grouped);
        rows.push(("recording, bytes", format!("{}, {} per step", bytes[0], bytes[1])));
    }
    if s.rigid_skins > 0 {
        rows.push(("links kept rigid", grouped(u64::from(s.rigid_skins))));
    }
    for (name, value) in rows {
        table.add_row([Cell::new(name), Cell::new(value).set_alignment(CellAlignment::Left)]);
    }
    table
}

/// Formats an overlap's depth with its bodies and its step.
fn deepest(Penetration { max, a, b, step }: &Penetration) -> String {
    let depth = decimals(*max, 3);
    match (a, b, step) {
        (Some(a), Some(b), Some(step)) => {
            format!("{depth}: {a} – {b}, step {}", grouped(u64::from(*step)))
        }
        _ => depth,
    }
}

/// Formats an energy with millijoule precision, or in scientific notation if that would show no digits
/// or too many.
fn energy(joule: f64) -> String {
    if joule == 0.0 || !joule.is_finite() || (1e-3..1e7).contains(&joule.abs()) {
        decimals(joule, 3)
    } else {
        format!("{joule:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_keep_their_decimals() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0, -1234.5, 999.9996].map(|v| decimals(v, 3)), ["0.000", "-1,234.500", "1,000.000"]);
        assert_eq!([f64::NAN, f64::NEG_INFINITY].map(|v| decimals(v, 1)), ["not finite"; 2]);
        assert_eq!([f64::NAN, f64::INFINITY].map(energy), ["not finite"; 2]);
        assert_eq!([-0.0, -0.0004, -0.0006].map(|v| decimals(v, 3)), ["0.000", "0.000", "-0.001"]);
        assert_eq!(decimals(1e30, 1), format!("{:.1}", 1e30));
        assert_eq!([0.0, 12.3456, 2.5e-7, -4e9].map(energy), ["0.000", "12.346", "2.500e-7", "-4.000e9"]);
    }
}
