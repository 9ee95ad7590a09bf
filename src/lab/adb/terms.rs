//! `adb-terms`: histogram of x, the number of shared collision cells at which the bound on the
//! collision probability is largest, over the pairs of nodes that queries with the paper's model visit.
//! \[adb\] Fig. 8
//!
//! The paper says that x is "usually" at most 10, and does not try larger x. The table shows how much
//! larger the bound would be.

use std::cell::RefCell;

use super::contest::distances;
use super::model::{MAX_FILLED, Paper, SharedCells, largest_term};
use super::{Asked, K_MIN, P_MIN};
use crate::estimate::{
    AdbKind, AdbScratch, AdbTree, CellNodes, Evidence, Fate, Job, Limits, Meeting, Model, Outcome, Target,
    estimate_by,
};
use crate::experiment::{Experiment, Family, Takes};
use crate::table::{Cell, Table};
use crate::workload::turn;
use crate::{Chart, ExperimentError, Findings, Options, Plot, Shape, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-terms",
    about: "number of shared collision cells at which the bound on the probability is the largest",
    item: Some("[adb] Fig. 8"),
    family: Family::Meshes,
    takes: Takes { meshes: true, targets: true, ..Takes::NOTHING },
    run,
};

const SHAPES: [Shape; 3] = [Shape::Torus, Shape::BumpySphere, Shape::Pipe];

/// Index of the histogram's last entry, which counts all x above ten.
const LAST: usize = MAX_FILLED as usize + 1;

const NOTE: &str = "pairs: nodes that queries visited and that share possible collision cells, for the tumbling \
                    pair at 18 distances from 0.4 to 2.1 m; x: the number of cells at which Pr[c ≥ x] (1 − (1 − \
                    LB)^x) is the largest over all x; the paper: usually at most 10; lost: by how much the bound \
                    at 10 is below the largest, mean and maximum over the pairs with the largest beyond 10, in \
                    points";

/// The paper's model, extended to record the x of the largest term for each pair of nodes.
struct RecordingModel<'a> {
    paper: Paper,
    terms: &'a RefCell<Terms>,
}

/// Histogram of the x of the largest terms.
#[derive(Default)]
struct Terms {
    /// Number of pairs per x. The last entry counts pairs with x above ten.
    counts: [u64; LAST + 1],
    /// Increase of the bound if x were not limited: sum and maximum over the pairs of the last entry.
    lost: f64,
    most_lost: f64,
}

impl Model for RecordingModel<'_> {
    const ASKS_ALWAYS: bool = Paper::ASKS_ALWAYS;

    fn score<T: CellNodes>(&self, meeting: &Meeting<T>) -> f32 {
        let score = self.paper.score(meeting);
        if let Some(SharedCells { all, filled: [v, w], bound }) = self.paper.shared_cells(meeting) {
            let (x, largest) = largest_term(all, v, w, bound);
            let mut terms = self.terms.borrow_mut();
            terms.counts[(x as usize).min(LAST)] += 1;
            if x as usize >= LAST {
                let lost = (largest - f64::from(score)).max(0.0);
                terms.lost += lost;
                terms.most_lost = terms.most_lost.max(lost);
            }
        }
        score
    }

    fn counts(&self, score: f32, target: &Target) -> bool {
        self.paper.counts(score, target)
    }

    fn fate(&self, score: f32, counts: bool) -> Fate {
        self.paper.fate(score, counts)
    }

    fn rate(&self, score: f32) -> f64 {
        self.paper.rate(score)
    }

    fn probability(&self, score: f32) -> f32 {
        self.paper.probability(score)
    }

    fn whole(&self, evidence: &Evidence) -> f64 {
        self.paper.whole(evidence)
    }

    fn decides(&self, target: &Target, found: u32, evidence: impl FnOnce() -> Evidence) -> Option<Outcome> {
        self.paper.decides(target, found, evidence)
    }

    fn ends(&self, evidence: &Evidence) -> Outcome {
        self.paper.ends(evidence)
    }
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let mut table = Table::new(&[
        "mesh",
        "triangles",
        "tree",
        "x",
        "pairs",
        "share (%)",
        "up to x (%)",
        "lost (%)",
        "most lost (%)",
    ]);
    let mut bars = Vec::new();
    let kinds = options.adb_kinds(&[AdbKind::Aabb])?;
    let targets = options.targets(&[P_MIN], &[K_MIN])?;
    let (steps, rule) = (options.steps(10, 60), options.adb_rule()?);
    for mesh in options.meshes(&SHAPES, &[5000], &[5000, 20_000]) {
        let mesh = mesh?;
        watch(&format!("{}: {} kinds", mesh.name(), kinds.len()));
        for &kind in &kinds {
            let tree = Asked::OfPaper.tree(kind, rule, &mesh);
            let terms = terms(&tree, &targets, steps);
            let counts = terms.counts;
            let sum = counts[1..].iter().sum::<u64>().max(1) as f64;
            let mut below = 0.0;
            for (x, &count) in counts.iter().enumerate().skip(1) {
                let share = 100.0 * count as f64 / sum;
                below += share;
                let is_last = x == LAST;
                let shown = if is_last { "more".to_owned() } else { x.to_string() };
                let lost = [terms.lost / count.max(1) as f64, terms.most_lost]
                    .map(|lost| if is_last { Cell::from(100.0 * lost) } else { Cell::Nothing });
                let [mean_lost, most_lost] = lost;
                table.rows.push(vec![
                    mesh.name().into(),
                    mesh.triangles().len().into(),
                    kind.name().into(),
                    shown.as_str().into(),
                    count.into(),
                    share.into(),
                    below.into(),
                    mean_lost,
                    most_lost,
                ]);
                bars.push((format!("{}, {}: {shown}", mesh.name(), kind.name()), vec![share]));
            }
        }
    }
    let plot = Plot::Bars {
        label: "% of the pairs of nodes".to_owned(),
        parts: vec!["number of cells with the largest bound".to_owned()],
        bars,
    };
    let chart = Chart { title: "Shared collision cells at which the bound is the largest".to_owned(), plot };
    Ok(Findings { table, chart, disagreements: Vec::new(), notes: vec![NOTE.to_owned()] })
}

/// Collects the largest terms of all pairs of nodes that queries visit.
fn terms(tree: &AdbTree, targets: &[Target], steps: u32) -> Terms {
    let terms = RefCell::new(Terms::default());
    let model = RecordingModel { paper: Paper::default(), terms: &terms };
    let (mut scratch, limits) = (AdbScratch::default(), Limits::default());
    for b_to_a in distances().flat_map(|distance| turn(distance, steps)) {
        for target in targets {
            let job = Job { b_to_a: &b_to_a, margin: 0.0, target, limits: &limits };
            estimate_by(&model, [tree, tree], &job, &mut scratch, &mut |_| {});
        }
    }
    terms.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::SplitRule;

    #[test]
    fn the_bound_is_mostly_largest_at_up_to_ten_cells_and_a_tenth_larger_behind() {
        let mesh = Shape::Torus.mesh(1000).unwrap();
        let tree = Asked::OfPaper.tree(AdbKind::Aabb, SplitRule::default(), &mesh);
        let Terms { counts, lost, most_lost } = terms(&tree, &[Target::new(P_MIN, K_MIN).unwrap()], 10);
        let all: u64 = counts[1..].iter().sum();
        assert!(all > 5000 && 4 * counts[LAST] < all && counts[1] > counts[2], "{counts:?}");
        assert!(lost < 0.15 * counts[LAST] as f64 && most_lost < 0.5, "{lost} {most_lost}");
    }
}
