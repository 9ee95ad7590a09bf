//! The summary of a run as text: at most 100 columns, units in the headers, numbers right-aligned with
//! their decimal points in line. Times to the microsecond, counts with one decimal in the mean.

use comfy_table::{Cell, CellAlignment, Table, presets};

use super::summary::Penetration;
use super::{
    Distribution, ExpectationFigures, Extent, GuidanceFigures, JointFigures, StallFigures, Summary,
    TouchFigures, VisitFigures, WatchedFigures,
};
use crate::digits::grouped;

/// The lines of a list that people are shown unless they ask for all.
pub const LINES: usize = 10;

/// Returns the text, which ends with a line break. Of each list it has at most `most` lines.
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
        dearest(s),
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

/// How many worked; of none it is only known that they were to be one a core.
pub fn threads(count: u32) -> String {
    match count {
        0 => "a thread a core".to_owned(),
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

/// Makes the table of the pairs that touched; `None` if none did.
fn touches(summary: &Summary, most: usize) -> Option<Table> {
    let touches = summary.touches.as_ref().filter(|touches| !touches.is_empty())?;
    let mut table = table(&TouchFigures::HEADER);
    table.add_rows(TouchFigures::rows(touches, most));
    if summary.touches_left_out > 0 {
        let count = grouped(summary.touches_left_out);
        table.add_row([format!("{count} times a pair began to touch that there was no room to keep")]);
    }
    Some(table)
}

/// `None` where nothing of it happened.
fn watched(summary: &Summary, most: usize) -> Option<Table> {
    let rows = summary.watched.as_ref()?.rows(most);
    let mut table = table(&WatchedFigures::HEADER);
    table.add_rows(&rows);
    (!rows.is_empty()).then_some(table)
}

/// Makes the table of the joints; `None` if there is none.
fn joints(summary: &Summary, most: usize) -> Option<Table> {
    let joints = summary.joints.as_ref().filter(|joints| !joints.is_empty())?;
    let mut table = table(&JointFigures::HEADER);
    table.add_rows(JointFigures::rows(joints, most));
    Some(table)
}

/// Makes the table of the drives that stalled; `None` if there was none.
fn stalls(summary: &Summary, most: usize) -> Option<Table> {
    let stalls = summary.stalled_drives.as_ref().filter(|stalls| !stalls.is_empty())?;
    let mut table = table(&StallFigures::HEADER);
    table.add_rows(StallFigures::rows(stalls, most));
    Some(table)
}

/// Makes the table of the bodies in triggers; `None` if there was none.
fn visits(summary: &Summary, most: usize) -> Option<Table> {
    let visits = summary.trigger_visits.as_ref().filter(|visits| !visits.is_empty())?;
    let mut table = table(&VisitFigures::HEADER);
    table.add_rows(VisitFigures::rows(visits, most));
    Some(table)
}

/// Makes the table of the expectations; `None` if there are none. All of them are shown.
fn expectations(summary: &Summary) -> Option<Table> {
    let expectations = summary.expectations.as_ref().filter(|all| !all.is_empty())?;
    let mut table = table(&ExpectationFigures::HEADER);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    table.add_rows(ExpectationFigures::rows(expectations));
    Some(table)
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
    let mut table = table(&["a step", "mean", "max"]);
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

/// Which pairs cost most; `None` where that was not kept.
fn dearest(summary: &Summary) -> Option<Table> {
    let pairs = summary.dearest_pairs.as_ref().filter(|pairs| !pairs.is_empty())?;
    let mut table = table(&[
        "dearest pairs",
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

/// What a budget did, and which pairs it starved.
fn budget(summary: &Summary, most: usize) -> [Option<Table>; 2] {
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
    limits.add_row([format!("guesses asked exactly, 1 in {}", g.sample), grouped(g.sampled)]);
    limits.add_row(["said to collide, apart".to_owned(), grouped(g.false_collisions)]);
    limits.add_row(["said to be apart, collide".to_owned(), grouped(g.missed_collisions)]);
    if g.reliability.iter().any(|bin| bin.count > 0) {
        limits.add_row(["calibration error".to_owned(), decimals(g.expected_calibration_error, 3)]);
    }
    for (bin, range) in g.reliability.iter().zip(0..).filter(|(bin, _)| bin.count > 0) {
        let said = bin.predicted / bin.count as f64;
        let is = bin.collided as f64 / bin.count as f64;
        let name = format!("said {:.1} to {:.1}", f64::from(range) * 0.1, f64::from(range + 1) * 0.1);
        let (said, is) = (decimals(100.0 * said, 1), decimals(100.0 * is, 1));
        limits.add_row([name, format!("{said} % said, {is} % did"), grouped(bin.count)]);
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

/// How far exact skins are from rigid links; `None` where there are no such skins.
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
        ("asleep at the end", grouped(u64::from(s.sleeping))),
        ("quarantined", grouped(u64::from(s.quarantined))),
        ("notes on the scene", grouped(s.notes as u64)),
        ("state hash", s.state_hash.clone()),
    ];
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
    if s.rigid_skins > 0 {
        rows.push(("links kept rigid", grouped(u64::from(s.rigid_skins))));
    }
    for (name, value) in rows {
        table.add_row([Cell::new(name), Cell::new(value).set_alignment(CellAlignment::Left)]);
    }
    table
}

/// Without lines; the first column is left-aligned.
fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if !header.is_empty() {
        let align = |(column, &text): (usize, &&str)| {
            let side = if column == 0 { CellAlignment::Left } else { CellAlignment::Right };
            Cell::new(text).set_alignment(side)
        };
        table.set_header(header.iter().enumerate().map(align));
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// With the bodies and the step.
fn deepest(Penetration { max, a, b, step }: &Penetration) -> String {
    let depth = decimals(*max, 3);
    match (a, b, step) {
        (Some(a), Some(b), Some(step)) => {
            format!("{depth}: {a} – {b}, step {}", grouped(u64::from(*step)))
        }
        _ => depth,
    }
}

/// To the millijoule, or as a power of ten where that says nothing.
fn energy(joule: f64) -> String {
    if joule == 0.0 || !joule.is_finite() || (1e-3..1e7).contains(&joule.abs()) {
        decimals(joule, 3)
    } else {
        format!("{joule:.3e}")
    }
}

/// With the integer part in groups of three, and without a sign where nothing is left of the value.
fn decimals(value: f64, count: usize) -> String {
    if !value.is_finite() {
        return "not finite".to_owned();
    }
    let text = format!("{value:.count$}");
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    match integer.parse() {
        Ok(integer) => {
            let is_zero = digits.bytes().all(|b| matches!(b, b'0' | b'.'));
            let sign = if text.starts_with('-') && !is_zero { "-" } else { "" };
            format!("{sign}{}.{fraction}", grouped(integer))
        }
        // Beyond u64.
        Err(_) => text,
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
