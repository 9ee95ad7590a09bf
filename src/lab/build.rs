//! `boxtree-build`: time to build a boxtree by each split rule, on one core, against the number of
//! triangles. \[boxtree\] Fig. 6

use std::time::Instant;

use super::table::Table;
use super::turns::{self, REPEATS, Times, turns};
use super::{Chart, ExperimentError, Findings, Options, Plot, Shape, Watch, lines_by_size, pair};
use crate::experiment::{Experiment, Family, Takes};
use crate::mesh::Mesh;
use crate::plan::TreePlan;
use crate::tree::{SplitRule, Tree, TreeKind};

pub const EXPERIMENT: Experiment = Experiment {
    name: "boxtree-build",
    about: "time to build a hierarchy by every rule",
    item: Some("[boxtree] Fig. 6"),
    family: Family::Meshes,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run,
};

const SHAPES: [Shape; 4] = [Shape::Torus, Shape::Sphere, Shape::BumpySphere, Shape::Soup];
const QUICK: [u32; 3] = [1000, 5000, 20_000];
const FULL: [u32; 7] = [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const KIND: TreeKind = TreeKind::BOXTREE;

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let mut table = Table::new(&[
        "mesh",
        "triangles",
        "tree",
        "rule",
        "build (ms)",
        "95 % (ms)",
        "million/s",
        "ns per n log n",
        "depth",
        "bytes a triangle",
        "repeats (ms)",
    ]);
    let mut points = Vec::new();
    // The pool has one thread, so that the number of cores does not matter.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let plans: Vec<(TreePlan, SplitRule)> =
        pair::plans(&options.kinds(&[KIND]), &options.rules(&SplitRule::ALL))
            .into_iter()
            .filter(|(plan, _)| plan.kind != TreeKind::BruteForce)
            .collect();
    for mesh in options.meshes(&SHAPES, &QUICK, &FULL) {
        let mesh = mesh?;
        watch(&format!("{}: {} ways to build", mesh.name(), plans.len()));
        let built = pool.install(|| timed_builds(&plans, &mesh));
        for ((plan, rule), (tree, times)) in plans.iter().zip(built) {
            let (count, seconds) = (mesh.triangles().len(), times.median());
            let n = count as f64;
            let name = if options.kinds.len() > 1 {
                format!("{}, {}", plan.name(), rule.name())
            } else {
                rule.name().to_owned()
            };
            points.push((name, count, 1e3 * seconds));
            let [interval, repeats] = times.cells(1e3);
            table.rows.push(vec![
                mesh.name().into(),
                count.into(),
                plan.name().as_str().into(),
                rule.name().into(),
                (1e3 * seconds).into(),
                interval,
                (1e-6 * n / seconds).into(),
                (1e9 * seconds / (n * n.log2().max(1.0))).into(),
                u64::from(tree.depth()).into(),
                (tree.byte_count() as f64 / n).into(),
                repeats,
            ]);
        }
    }
    let chart = chart(&points, options.same_size());
    Ok(Findings { table, chart, disagreements: Vec::new(), notes: vec![turns::NOTE.to_owned()] })
}

fn chart(points: &[(String, usize, f64)], same_size: f64) -> Chart {
    Chart {
        title: "Building a hierarchy on one core".to_owned(),
        plot: Plot::Lines {
            x_label: "triangles".to_owned(),
            y_label: "time (ms)".to_owned(),
            x_log: true,
            series: lines_by_size(points, same_size),
        },
    }
}

/// Builds all plans in turns. Returns each tree with its build times.
fn timed_builds(plans: &[(TreePlan, SplitRule)], mesh: &Mesh) -> Vec<(Tree, Times)> {
    let mut built: Vec<Option<(Tree, Times)>> = plans.iter().map(|_| None).collect();
    for turn in turns(REPEATS, 1, plans.len()) {
        let (plan, rule) = plans[turn.contender];
        let start = Instant::now();
        let tree = Tree::build(plan, rule, mesh);
        let took = start.elapsed();
        let (_, times) = built[turn.contender].get_or_insert_with(|| (tree, Times::default()));
        times.add(0, took);
    }
    built.into_iter().flatten().collect()
}
