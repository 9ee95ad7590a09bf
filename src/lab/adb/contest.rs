//! The tumbling pair of \[boxtree\] §5 under queries that may err. Contenders take turns over the same
//! poses for their times, then answer each pose once more to count their errors. \[adb\] §4.1, §4.3.1

use super::model::AdbModel;
use crate::chart::Panel;
use crate::estimate::{AdbScratch, AdbTree, Limits, Target};
use crate::measure::{Contender, Measured, measure};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::surfaces_intersect;
use crate::table::{Cell, Table};
use crate::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};
use crate::turns::{self, Times};
use crate::workload::turn;
use crate::{Chart, Findings, Plot, Series, distinct};

/// Smallest and largest distance of the centers of the two copies, m. The paper averages over this
/// range.
const ALL: [f64; 2] = [0.4, 2.1];
/// Number of steps between them.
const STEP_COUNT: u32 = 17;

pub fn distances() -> impl DoubleEndedIterator<Item = f64> {
    (0..=STEP_COUNT).map(|k| ALL[0] + (ALL[1] - ALL[0]) * f64::from(k) / f64::from(STEP_COUNT))
}

pub fn adb(name: String, tree: &AdbTree, target: Target, model: AdbModel) -> Contender<'_> {
    let mut scratch = AdbScratch::default();
    let ask = move |pose: &_, counts: &mut Counts, _: &mut _| {
        let found = model.estimate([tree, tree], pose, &target, &Limits::default(), &mut scratch);
        counts.node_test_count += u64::from(found.node_tests);
        found.is_collision()
    };
    Contender { name, counts: true, ask: Box::new(ask) }
}

/// Exact answers at one pose.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    pub intersects: bool,
    /// Whether the boxes around both surfaces intersect. Other poses are not counted. §4.3.1
    pub boxes_intersect: bool,
}

/// Returns the exact answers at the poses, by the wide boxtree.
pub fn truths(mesh: &Mesh, poses: &[Pose]) -> Vec<Truth> {
    let tree = Tree::build(TreeKind::Boxtree8, SplitRule::default(), mesh);
    let surfaces = [(&tree, mesh), (&tree, mesh)];
    let mut scratch = DescentScratch::default();
    let truth = |pose: &Pose| {
        let mut counts = Counts::default();
        let intersects = surfaces_intersect(surfaces, pose, &mut scratch, &mut counts);
        // If the root volumes are disjoint, the query ends after one node test. Two single triangles
        // are tested at once.
        let boxes_intersect = counts.node_test_count > 1 || counts.triangle_test_count > 0;
        Truth { intersects, boxes_intersect }
    };
    poses.iter().map(truth).collect()
}

/// Answers of one contender at one distance.
#[derive(Clone, Debug)]
pub struct At {
    pub distance: f64,
    pub measured: Measured,
    /// Poses at which the boxes intersect; among them, poses at which the surfaces intersect, poses
    /// with a false collision, and poses with a missed collision.
    pub counted: u64,
    pub colliding: u64,
    pub false_count: u64,
    pub missed_count: u64,
}

impl At {
    fn error(&self) -> f64 {
        percent(self.false_count + self.missed_count, self.counted)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole > 0 { 100.0 * part as f64 / whole as f64 } else { 0.0 }
}

/// Answers of one contender on one mesh, at every distance.
pub struct ContestRun {
    pub name: String,
    at: Vec<At>,
}

/// Means over distances, and errors in percent of the counted poses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Mean time of a query, µs.
    pub time: f64,
    pub node_tests: f64,
    pub colliding: f64,
    pub false_share: f64,
    pub missed: f64,
}

impl Summary {
    pub fn error(&self) -> f64 {
        self.false_share + self.missed
    }
}

impl ContestRun {
    /// Returns the summary over the distances from `low` to `high`, m.
    pub fn over(&self, [low, high]: [f64; 2]) -> Summary {
        let inside = |at: &&At| at.distance > low - 1e-6 && at.distance < high + 1e-6;
        let own: Vec<&At> = self.at.iter().filter(inside).collect();
        let mean =
            |pick: fn(&At) -> f64| own.iter().map(|at| pick(at)).sum::<f64>() / own.len().max(1) as f64;
        let sum = |pick: fn(&At) -> u64| own.iter().map(|at| pick(at)).sum::<u64>();
        let counted = sum(|at| at.counted);
        Summary {
            time: mean(|at| at.measured.time.mean),
            node_tests: mean(|at| at.measured.node_tests.mean),
            colliding: percent(sum(|at| at.colliding), counted),
            false_share: percent(sum(|at| at.false_count), counted),
            missed: percent(sum(|at| at.missed_count), counted),
        }
    }

    pub fn whole(&self) -> Summary {
        self.over(ALL)
    }

    /// Returns the 95 % interval and the repeats of the mean time over all distances, µs.
    fn time_cells(&self) -> [Cell; 2] {
        let mut times = Times::default();
        self.at.iter().for_each(|at| times.append(&at.measured.times));
        let poses: u64 = self.at.iter().map(|at| at.measured.poses).sum();
        times.cells(1e6 / poses.max(1) as f64)
    }
}

/// Runs every contender at every distance, at `steps` poses each.
pub fn tumble(mesh: &Mesh, contenders: &mut [Contender], steps: u32) -> Vec<ContestRun> {
    let poses: Vec<Pose> = distances().flat_map(|distance| turn(distance, steps)).collect();
    let truths = truths(mesh, &poses);
    let mut runs: Vec<ContestRun> =
        contenders.iter().map(|c| ContestRun { name: c.name.clone(), at: Vec::new() }).collect();
    let count = steps.max(1) as usize;
    for ((distance, poses), truths) in distances().zip(poses.chunks(count)).zip(truths.chunks(count)) {
        let measured = measure(contenders, poses);
        for ((run, contender), measured) in runs.iter_mut().zip(contenders.iter_mut()).zip(measured) {
            run.at.push(judged(distance, measured, contender, poses, truths));
        }
    }
    runs
}

fn judged(distance: f64, measured: Measured, own: &mut Contender, poses: &[Pose], truths: &[Truth]) -> At {
    let mut at = At { distance, measured, counted: 0, colliding: 0, false_count: 0, missed_count: 0 };
    for (pose, truth) in poses.iter().zip(truths).filter(|(_, truth)| truth.boxes_intersect) {
        let answer = (own.ask)(pose, &mut Counts::default(), &mut Vec::new());
        at.counted += 1;
        at.colliding += u64::from(truth.intersects);
        at.false_count += u64::from(answer && !truth.intersects);
        at.missed_count += u64::from(!answer && truth.intersects);
    }
    at
}

/// Report that collects the runs of each mesh.
pub struct Report {
    title: &'static str,
    /// Inner range of distances, m. Its means are shown beside those over all distances.
    inner: [f64; 2],
    table: Table,
    runs: Vec<Vec<ContestRun>>,
    pub notes: Vec<String>,
    disagreements: Vec<String>,
}

const COLUMNS: [&str; 7] =
    ["time (µs)", "95 % (µs)", "node tests", "colliding (%)", "error (%)", "false (%)", "missed (%)"];
const INNER: [&str; 5] =
    ["inner: time (µs)", "inner: error (%)", "inner: false (%)", "inner: missed (%)", "repeats (µs)"];

impl Report {
    /// Creates a report. `own` are the experiment's columns, after the columns for the mesh and its
    /// triangles.
    pub fn new(title: &'static str, own: &[&'static str], inner: [f64; 2]) -> Self {
        let note = format!(
            "means over distances {} to {} m; inner: over {} to {} m; false: reported but absent collisions, \
             missed: unreported collisions, in % of the poses at which the boxes around both surfaces intersect",
            ALL[0], ALL[1], inner[0], inner[1]
        );
        Self {
            title,
            inner,
            table: Table::new(&[&["mesh", "triangles"], own, &COLUMNS, &INNER].concat()),
            runs: Vec::new(),
            notes: vec![note, turns::NOTE.to_owned()],
            disagreements: Vec::new(),
        }
    }

    /// Adds the runs on a mesh. The first `exact_count` runs are exact hierarchies of this program,
    /// whose answers must agree. `own` returns the cells of the experiment's columns.
    pub fn add(
        &mut self,
        mesh: &Mesh,
        runs: Vec<ContestRun>,
        exact_count: usize,
        own: impl Fn(usize, &ContestRun) -> Vec<Cell>,
    ) {
        for (k, run) in runs.iter().enumerate() {
            let (whole, inner) = (run.whole(), run.over(self.inner));
            let mut row = vec![mesh.name().into(), mesh.triangles().len().into()];
            row.extend(own(k, run));
            let [interval, repeats] = run.time_cells();
            row.extend([whole.time.into(), interval]);
            row.extend([whole.node_tests, whole.colliding, whole.error()].map(Cell::from));
            row.extend([whole.false_share, whole.missed].map(Cell::from));
            row.extend([inner.time, inner.error(), inner.false_share, inner.missed].map(Cell::from));
            row.push(repeats);
            self.table.rows.push(row);
            if k < exact_count && whole.error() > 0.0 {
                self.disagreements.push(format!(
                    "{}: {} and boxtree8 answer differently",
                    mesh.name(),
                    run.name
                ));
            }
        }
        self.runs.push(runs);
    }

    /// Returns the means over all distances and meshes, per name.
    pub fn means(&self) -> Vec<(String, Summary)> {
        let mean = |name: &str| {
            let own: Vec<Summary> =
                self.runs.iter().flatten().filter(|run| run.name == name).map(ContestRun::whole).collect();
            let mean =
                |pick: fn(&Summary) -> f64| own.iter().map(pick).sum::<f64>() / own.len().max(1) as f64;
            let summary = Summary {
                time: mean(|s| s.time),
                node_tests: mean(|s| s.node_tests),
                colliding: mean(|s| s.colliding),
                false_share: mean(|s| s.false_share),
                missed: mean(|s| s.missed),
            };
            (name.to_owned(), summary)
        };
        self.names().into_iter().map(mean).collect()
    }

    fn names(&self) -> Vec<&str> {
        distinct(&self.runs.iter().flatten().map(|run| &run.name[..]).collect::<Vec<_>>())
    }

    /// Returns the table, and charts of time and error against distance. Times are geometric means over
    /// the meshes, errors arithmetic means.
    pub fn findings(self) -> Findings {
        let names = self.names();
        let line = |name: &str, value: fn(&[&At]) -> f64| {
            let own: Vec<&ContestRun> = self.runs.iter().flatten().filter(|run| run.name == name).collect();
            let at = |k: usize| own.iter().filter_map(|run| run.at.get(k)).collect::<Vec<_>>();
            let points = distances().enumerate().map(|(k, distance)| (distance, value(&at(k)))).collect();
            Series { name: name.to_owned(), points }
        };
        let time = |all: &[&At]| {
            let logs = all.iter().map(|at| libm::log(at.measured.time.mean.max(1e-3)));
            libm::exp(logs.sum::<f64>() / all.len().max(1) as f64)
        };
        let error = |all: &[&At]| all.iter().map(|at| at.error()).sum::<f64>() / all.len().max(1) as f64;
        let panel = |y_label: &str, y_log: bool, value: fn(&[&At]) -> f64| Panel {
            y_label: y_label.to_owned(),
            y_log,
            series: names.iter().map(|name| line(name, value)).collect(),
        };
        let chart = Chart {
            title: format!("{}, mean of {} meshes", self.title, self.runs.len()),
            plot: Plot::Panels {
                x_label: "distance of the centers (m)".to_owned(),
                x_log: false,
                panels: vec![panel("mean time (µs)", true, time), panel("wrong answers (%)", false, error)],
            },
        };
        Findings { table: self.table, chart, disagreements: self.disagreements, notes: self.notes }
    }
}
