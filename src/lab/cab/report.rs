//! Rows of results with the paper's columns, followed by the paper's own rows, and the paper's claims.

use super::methods::{KINDS, Method};
use super::paper::PaperTable;
use super::replay::{Measured, Replay, disagreements};
use crate::arrays::MapEach;
use crate::articulation::LinkTreeKind;
use crate::table::{Cell, Table};
use crate::turns;
use crate::{Chart, Findings, Plot};

const COLUMNS: [&str; 16] = [
    "motion",
    "kind",
    "#coll",
    "#false",
    "hits",
    "volume tests",
    "points turned",
    "volumes (m³)",
    "t[query] (ms)",
    "t[upd] (ms)",
    "t[test] (ms)",
    "t[total] (ms)",
    "95 % (ms)",
    "a frame (µs)",
    "to CAB",
    "repeats (ms)",
];

const NOTE: &str = "sums over all frames; #coll: exact queries; #false: those that found no hit; to CAB: total as \
                    a multiple of CAB's; hierarchies pass no pair that a joint connects to the query, brute force \
                    does; volumes: of all nodes in all frames; AABB: unions above the leaves; flat: leaves only, \
                    tested eight at a time";

/// Report that collects the replays of all sets.
pub struct Report {
    title: &'static str,
    paper: Option<PaperTable>,
    table: Table,
    bars: Vec<(String, Vec<f64>)>,
    notes: Vec<String>,
    disagreements: Vec<String>,
}

impl Report {
    pub fn new(title: &'static str, paper: Option<PaperTable>) -> Self {
        Self {
            title,
            paper,
            table: Table::new(&COLUMNS),
            bars: Vec::new(),
            notes: vec![NOTE.to_owned(), turns::NOTE.to_owned()],
            disagreements: Vec::new(),
        }
    }

    /// Adds a set. The paper's rows belong to the first set, which the chart shows.
    pub fn add(&mut self, name: &str, replay: &Replay, measured: &[Measured]) {
        let is_first = self.table.rows.is_empty();
        let paper = self.paper.filter(|_| is_first);
        let frame_count = replay.frame_count();
        let total = |m: &Measured| milliseconds(m.stages.total());
        let of = |kind| measured.iter().find(|m| m.method == Method::of(kind));
        let cab = of(LinkTreeKind::Cab).map_or(f64::NAN, total);
        for m in measured {
            self.table.rows.push(row(name, m, frame_count, cab));
        }
        if let Some(paper) = paper {
            self.table.rows.extend(KINDS.into_iter().filter_map(|kind| paper_row(paper, kind)));
        }
        self.disagreements.extend(disagreements(name, measured));
        let joined: u64 = measured.iter().map(|m| m.joined_hit_count).sum();
        if joined > 0 {
            self.notes.push(format!("{name}: {joined} hits of links that a joint connects are not counted"));
        }
        self.notes.push(format!(
            "{name}: {frame_count} frames of {} links, motion {:016x}",
            replay.link_count(),
            replay.hash
        ));
        if let [Some(cab), Some(obb), Some(corners)] =
            [LinkTreeKind::Cab, LinkTreeKind::Obb, LinkTreeKind::AabbCorners].map_each(of)
        {
            let update = |m: &Measured| milliseconds(m.stages.update);
            let mut claims = format!(
                "{name}: OBB takes {:.2} times as long as CAB to update and {:.2} times as long in total; AABB* \
                 takes {:.2} times as long in total",
                update(obb) / update(cab),
                total(obb) / total(cab),
                total(corners) / total(cab),
            );
            if let Some(paper) = paper
                && let [Some(cab), Some(obb), Some(corners)] =
                    [LinkTreeKind::Cab, LinkTreeKind::Obb, LinkTreeKind::AabbCorners]
                        .map_each(|k| paper.row(k))
            {
                claims += &format!(
                    " (paper, Table {}: {:.2}, {:.2}, {:.2})",
                    paper as u32,
                    obb.update / cab.update,
                    obb.total / cab.total,
                    corners.total / cab.total
                );
            }
            self.notes.push(claims);
        }
        if is_first {
            let a_frame = |t| 1e3 * milliseconds(t) / frame_count as f64;
            self.bars = measured
                .iter()
                .map(|m| {
                    (
                        m.method.label(),
                        [m.stages.update, m.stages.test, m.stages.query].map_each(a_frame).to_vec(),
                    )
                })
                .collect();
        }
    }

    pub fn findings(self) -> Findings {
        let plot = Plot::Bars {
            label: "µs a frame".to_owned(),
            parts: ["update", "test", "query"].map(str::to_owned).to_vec(),
            bars: self.bars,
        };
        Findings {
            table: self.table,
            chart: Chart { title: self.title.to_owned(), plot },
            disagreements: self.disagreements,
            notes: self.notes,
        }
    }
}

fn row(name: &str, m: &Measured, frame_count: usize, cab: f64) -> Vec<Cell> {
    let total = milliseconds(m.stages.total());
    let [interval, repeats] = m.totals.cells(1e3);
    vec![
        name.into(),
        m.method.label().as_str().into(),
        m.query_count.into(),
        (m.query_count - m.hit_count - m.joined_hit_count).into(),
        m.hit_count.into(),
        m.volume_test_count.into(),
        m.turned_count.into(),
        if m.volume > 0.0 { m.volume.into() } else { Cell::Nothing },
        milliseconds(m.stages.query).into(),
        milliseconds(m.stages.update).into(),
        milliseconds(m.stages.test).into(),
        total.into(),
        interval,
        (1e3 * total / frame_count as f64).into(),
        (total / cab).into(),
        repeats,
    ]
}

/// Returns the paper's row for a kind, if the paper has one.
fn paper_row(table: PaperTable, kind: LinkTreeKind) -> Option<Vec<Cell>> {
    let (paper, cab) = (table.row(kind)?, table.row(LinkTreeKind::Cab)?);
    Some(vec![
        format!("paper, Table {}", table as u32).as_str().into(),
        kind.label().into(),
        paper.queries.into(),
        paper.false_alarms.into(),
        (paper.queries - paper.false_alarms).into(),
        Cell::Nothing,
        Cell::Nothing,
        Cell::Nothing,
        (1e3 * paper.query).into(),
        (1e3 * paper.update).into(),
        (1e3 * paper.test).into(),
        (1e3 * paper.total).into(),
        Cell::Nothing,
        (1e6 * paper.total / table.frame_count()).into(),
        (paper.total / cab.total).into(),
        Cell::Nothing,
    ])
}

fn milliseconds(duration: std::time::Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}
