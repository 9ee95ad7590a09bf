//! `adb-cutoff`: compares the probabilistic query of an ADB-tree with the exact query, cut off after
//! the same time, by their errors and the calibration of their probabilities.

use super::anytime::{KIND, Law, LimitedQuery, MEASURED};
use super::contest::{Truth, distances, truths};
use super::{K_MIN, P_MIN, distinguishing_suffix};
use crate::chart::Panel;
use crate::estimate::{AdbKind, AdbTree};
use crate::experiment::{Experiment, Family, Takes};
use crate::measure::{Contender, Measured, measure};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::table::{Cell, Table};
use crate::tree::{Counts, Tree};
use crate::turns::{self, Times};
use crate::workload::turn;
use crate::{Chart, ExperimentError, Findings, Options, Plot, Series, ShapeError, Watch, distinct};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-cutoff",
    about: "interrupted ADB-trees, and exact traversals cut off after the same time: errors",
    item: None,
    family: Family::Meshes,
    takes: Takes { meshes: true, targets: true, ..Takes::NOTHING },
    run,
};

/// Node tests after which queries of ADB-trees are interrupted.
const INTERRUPTED: [u32; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];
/// Node tests after which exact traversals are cut off. They test up to 64 pairs of nodes at once.
const CUT_OFF: [u64; 7] = [8, 128, 256, 512, 1024, 2048, 4096];
/// Distance of the centers below which contacts count as deep, m.
const DEEP: f64 = 1.05;
const BIN_COUNT: usize = 10;
/// Error rate that counts as small, %.
const FEW: f64 = 2.0;
const CUT_OFF_NAME: &str = "boxtree8, cut off";

/// Group of poses that are evaluated together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PoseGroup {
    /// Distances of the centers up to 1 m.
    Deep,
    All,
    /// Poses at which the boxes around the surfaces intersect, but the surfaces do not.
    Near,
}

impl PoseGroup {
    const ALL: [Self; 3] = [Self::Deep, Self::All, Self::Near];

    fn name(self) -> &'static str {
        match self {
            Self::Deep => "deep",
            Self::All => "all",
            Self::Near => "near misses",
        }
    }
}

/// Results of one query over one group of poses.
#[derive(Clone, Debug, Default)]
struct Done {
    /// Mean time, µs, and the times of all queries together.
    time: f64,
    times: Times,
    /// Wrong answers in %, where a probability of at least one half counts as a collision.
    error: f64,
    /// Poses with an intersection, %.
    colliding: f64,
    /// Expected calibration error over ten bins of probabilities, %.
    calibration: f64,
}

const COLUMNS: [&str; 14] = [
    "mesh",
    "triangles",
    "poses",
    "colliding (%)",
    "method",
    "node tests",
    "time (µs)",
    "95 % (µs)",
    "to exact",
    "error (%)",
    "calibration (%)",
    "cut off: error (%)",
    "cut off: calibration (%)",
    "repeats (µs)",
];

const NOTES: [&str; 4] = [
    "deep: up to 1 m; near misses: poses at which the boxes around the surfaces intersect, but the surfaces do \
     not; node tests: limit after which a query ends, between two nodes; to exact: speed as a multiple of the \
     exact query's; cut off: the best cut-off exact traversal that takes no longer, or the fastest one",
    "nearly all deep poses collide, and no near misses do: there the calibration error is the distance of the \
     answers from certainty, and a method that always answers yes, or always no, is never wrong",
    "the law of cut-off traversals was fitted to generated surfaces of other shapes; the weights of ADB-trees \
     were also fitted to shapes like these, at other sizes",
    turns::NOTE,
];

/// Results of one query on one mesh.
#[derive(Clone, Debug)]
struct Entry {
    mesh: String,
    part: PoseGroup,
    method: String,
    /// Node tests after which the query ends; 0 for the exact query.
    node_tests: u64,
    poses: usize,
    done: Done,
    /// Mean time of the exact query, µs.
    exact: f64,
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    watch("fitting the law of cut-off traversals");
    let law = Law::learnt(options.quick).map_err(|source| ShapeError::Generate { source })?;
    let kinds = options.adb_kinds(&[AdbKind::Aabb])?;
    let targets = options.targets(&[P_MIN], &[K_MIN])?;
    let (steps, rule) = (options.steps(10, 100), options.adb_rule()?);
    let mut table = Table::new(&COLUMNS);
    let mut entries: Vec<Entry> = Vec::new();
    for mesh in options.meshes(&MEASURED, &[1000], &[50_000, 200_000]) {
        let mesh = mesh?;
        watch(&format!("{}: {} triangles", mesh.name(), mesh.triangles().len()));
        let exact = Tree::build(KIND, rule, &mesh);
        let trees: Vec<AdbTree> = kinds.iter().map(|&kind| AdbTree::build(kind, rule, &mesh)).collect();
        for part in PoseGroup::ALL {
            let poses = part.poses(&mesh, steps);
            if poses.is_empty() {
                continue;
            }
            let mut methods = Vec::new();
            for (tree, target) in trees.iter().flat_map(|tree| targets.iter().map(move |t| (tree, t))) {
                let name = format!("{}{}", tree.kind().name(), distinguishing_suffix(target, &targets));
                let query = |n| LimitedQuery::Adb(tree, *target, n, Box::default());
                methods.extend(INTERRUPTED.map(|n| (name.clone(), u64::from(n), query(n))));
            }
            let cut_off = |n| LimitedQuery::CutOff(&exact, &mesh, &law, n, Box::default());
            methods.extend(CUT_OFF.map(|n| (CUT_OFF_NAME.to_owned(), n, cut_off(n))));
            methods.push((KIND.name().to_owned(), 0, cut_off(u64::MAX)));
            let done = contest(&mut methods, &poses);
            let exact = done.last().map_or(f64::NAN, |d| d.time);
            let of_cut_off = &done[done.len() - CUT_OFF.len() - 1..];
            for ((method, node_tests, query), done) in methods.into_iter().zip(&done) {
                let is_adb = matches!(query, LimitedQuery::Adb(..));
                let equal = is_adb.then(|| at_time(of_cut_off, done.time)).flatten();
                let mesh_name = mesh.name().to_owned();
                let (poses, done) = (poses.len(), done.clone());
                let entry = Entry { mesh: mesh_name, part, method, node_tests, poses, done, exact };
                table.rows.push(entry.row(&mesh, equal));
                entries.push(entry);
            }
        }
    }
    let mut notes = NOTES.map(str::to_owned).to_vec();
    notes.extend(PoseGroup::ALL.iter().filter_map(|&part| few_errors(&entries, part)));
    Ok(Findings { table, chart: chart(&entries), disagreements: Vec::new(), notes })
}

impl Entry {
    /// Returns the speed relative to the exact query: above 1 is faster.
    fn speed(&self) -> f64 {
        self.exact / self.done.time
    }

    /// Returns the table row. `equal` is the cut-off query with the smallest error in the same time.
    fn row(&self, mesh: &Mesh, equal: Option<&Done>) -> Vec<Cell> {
        let cell = |value: Option<f64>| value.map_or(Cell::Nothing, Cell::from);
        let [interval, repeats] = self.done.times.cells(1e6 / self.poses.max(1) as f64);
        vec![
            self.mesh.as_str().into(),
            mesh.triangles().len().into(),
            self.part.name().into(),
            self.done.colliding.into(),
            self.method.as_str().into(),
            if self.node_tests > 0 { self.node_tests.into() } else { Cell::Nothing },
            self.done.time.into(),
            interval,
            self.speed().into(),
            self.done.error.into(),
            self.done.calibration.into(),
            cell(equal.map(|e| e.error)),
            cell(equal.map(|e| e.calibration)),
            repeats,
        ]
    }
}

/// Describes, per mesh and for the mean over meshes, the first limit at which each method's error is at
/// most `FEW`. Returns `None` if the group has no entries.
fn few_errors(entries: &[Entry], part: PoseGroup) -> Option<String> {
    let own: Vec<&Entry> = entries.iter().filter(|e| e.part == part && e.node_tests > 0).collect();
    let meshes = distinct(&own.iter().map(|e| &e.mesh[..]).collect::<Vec<_>>());
    let methods = distinct(&own.iter().map(|e| &e.method[..]).collect::<Vec<_>>());
    let of = |name: &str, mesh: Option<&str>| {
        let each = methods.iter().map(|method| {
            let of_method = |e: &&&Entry| e.method == *method && mesh.is_none_or(|mesh| e.mesh == mesh);
            let own: Vec<&Entry> = own.iter().filter(of_method).copied().collect();
            match first_with_few_errors(&own) {
                Some((node_tests, speed)) => format!("{method} {node_tests} ({speed:.2})"),
                None => format!("{method} never"),
            }
        });
        format!("{name}: {}", each.collect::<Vec<_>>().join(", "))
    };
    let mut all: Vec<String> = meshes.iter().map(|mesh| of(mesh, Some(mesh))).collect();
    if meshes.len() > 1 {
        all.push(of("mean", None));
    }
    let text = format!(
        "{}, the first limits (to exact) at which at most {FEW} % of the answers are wrong: {}",
        part.name(),
        all.join("; ")
    );
    (!meshes.is_empty()).then_some(text)
}

/// Returns the first limit at which the mean error of a method over the given entries is at most `FEW`,
/// and the geometric mean of its speed there.
fn first_with_few_errors(own: &[&Entry]) -> Option<(u64, f64)> {
    distinct(&own.iter().map(|e| e.node_tests).collect::<Vec<_>>()).into_iter().find_map(|node_tests| {
        let at: Vec<_> = own.iter().filter(|e| e.node_tests == node_tests).collect();
        let mean = |value: &dyn Fn(&Entry) -> f64| at.iter().map(|e| value(e)).sum::<f64>() / at.len() as f64;
        (mean(&|e| e.done.error) <= FEW).then(|| (node_tests, libm::exp(mean(&|e| libm::log(e.speed())))))
    })
}

impl PoseGroup {
    /// Returns the poses of the group with their exact answers, without poses at which the boxes around
    /// the surfaces are disjoint.
    fn poses(self, mesh: &Mesh, steps: u32) -> Vec<(Pose, Truth)> {
        let last = if self == Self::Deep { DEEP } else { f64::INFINITY };
        let poses: Vec<Pose> = distances().filter(|&d| d < last).flat_map(|d| turn(d, steps)).collect();
        let truths = truths(mesh, &poses);
        let belongs = |t: &Truth| t.boxes_intersect && !(self == Self::Near && t.intersects);
        poses.into_iter().zip(truths).filter(|(_, truth)| belongs(truth)).collect()
    }
}

/// Runs queries, each with its name and node tests, in turns over the same poses.
fn contest(methods: &mut [(String, u64, LimitedQuery)], judged: &[(Pose, Truth)]) -> Vec<Done> {
    let poses: Vec<Pose> = judged.iter().map(|(pose, _)| *pose).collect();
    let mut contenders: Vec<Contender> = methods
        .iter_mut()
        .map(|(name, _, query)| {
            let ask = |pose: &_, counts: &mut _, _: &mut _| query.ask(pose, counts) >= 0.5;
            Contender { name: name.clone(), counts: true, ask: Box::new(ask) }
        })
        .collect();
    let measured = measure(&mut contenders, &poses);
    drop(contenders);
    let done = |((_, _, query), measured): (&mut (String, u64, LimitedQuery), Measured)| {
        let mut bins = [[0.0; 2]; BIN_COUNT];
        let mut wrong = 0.0;
        for (pose, truth) in judged {
            let p = query.ask(pose, &mut Counts::default());
            let intersects = f64::from(u8::from(truth.intersects));
            wrong += if (p >= 0.5) == truth.intersects { 0.0 } else { 1.0 };
            let [said, was] = &mut bins[((p * BIN_COUNT as f64) as usize).min(BIN_COUNT - 1)];
            *said += p;
            *was += intersects;
        }
        let percent = |count: f64| 100.0 * count / judged.len().max(1) as f64;
        let off: f64 = bins.iter().map(|[said, was]| (said - was).abs()).sum();
        let colliding = judged.iter().filter(|(_, truth)| truth.intersects).count() as f64;
        let Measured { time, times, .. } = measured;
        let (error, calibration) = (percent(wrong), percent(off));
        Done { time: time.mean, times, error, colliding: percent(colliding), calibration }
    };
    methods.iter_mut().zip(measured).map(done).collect()
}

/// Returns the query with the smallest error among those that take at most `time`; the fastest query if
/// none does. Equal errors are decided by calibration.
fn at_time(queries: &[Done], time: f64) -> Option<&Done> {
    let merit =
        |x: &&Done, y: &&Done| x.error.total_cmp(&y.error).then(x.calibration.total_cmp(&y.calibration));
    let in_time = queries.iter().filter(|d| d.time <= time).min_by(merit);
    in_time.or_else(|| queries.iter().min_by(|x, y| x.time.total_cmp(&y.time)))
}

/// Draws means over the meshes, per method, group and number of node tests; times as geometric means.
/// Near misses are left out, because their errors would dwarf all others.
fn chart(entries: &[Entry]) -> Chart {
    let is_shown = |e: &&Entry| e.node_tests > 0 && e.part != PoseGroup::Near;
    let shown: Vec<&Entry> = entries.iter().filter(is_shown).collect();
    let lines = distinct(&shown.iter().map(|e| (&e.method[..], e.part)).collect::<Vec<_>>());
    let line = |(method, part): (&str, PoseGroup), value: fn(&Done) -> f64| {
        let own: Vec<_> = shown.iter().filter(|e| e.method == method && e.part == part).collect();
        let limits = distinct(&own.iter().map(|e| e.node_tests).collect::<Vec<_>>());
        let mean = |limit: u64, value: &dyn Fn(&Done) -> f64| {
            let own: Vec<f64> =
                own.iter().filter(|e| e.node_tests == limit).map(|e| value(&e.done)).collect();
            own.iter().sum::<f64>() / own.len().max(1) as f64
        };
        let time = |limit: u64| libm::exp(mean(limit, &|d| libm::log(d.time.max(1e-3))));
        let points = limits.into_iter().map(|limit| (time(limit), mean(limit, &value))).collect();
        Series { name: format!("{method}, {}", part.name()), points }
    };
    let panel = |y_label: &str, value: fn(&Done) -> f64| Panel {
        y_label: y_label.to_owned(),
        y_log: false,
        series: lines.iter().map(|&one| line(one, value)).collect(),
    };
    Chart {
        title: "Queries that end after a number of node tests".to_owned(),
        plot: Plot::Panels {
            x_label: "mean time (µs)".to_owned(),
            x_log: true,
            panels: vec![
                panel("wrong answers (%)", |d| d.error),
                panel("calibration error (%)", |d| d.calibration),
            ],
        },
    }
}
