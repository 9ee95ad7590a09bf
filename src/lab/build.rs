//! `boxtree-build`: how long the builder takes by every rule, on one core. \[boxtree\] Fig. 6

use std::time::Instant;

use super::table::Table;
use super::{Chart, Findings, Options, Plot, Shape, ShapeError, Watch, lines_by_size, pair};
use crate::lab::experiment::{Experiment, Family, Takes};
use crate::mesh::Mesh;
use crate::plan::TreePlan;
use crate::tree::{BoxtreeTest, Hoisting, Overlap, SplitRule, Tree, TreeKind};

pub const EXPERIMENT: Experiment = Experiment {
    name: "boxtree-build",
    about: "time to build a hierarchy by every rule",
    item: Some("[boxtree] Fig. 6"),
    family: Family::Meshes,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run: |options, watch| Ok(run(options, watch)?),
};

const QUICK: [u32; 3] = [1000, 5000, 20_000];
const FULL: [u32; 7] = [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const KIND: TreeKind =
    TreeKind::Boxtree(BoxtreeTest { overlap: Overlap::SatLite, hoisting: Hoisting::Parent });
/// The fastest of so many builds counts.
const REPEATS: usize = 3;

fn run(options: &Options, watch: Watch) -> Result<Findings, ShapeError> {
    let mut table = Table::new(&[
        "mesh",
        "triangles",
        "tree",
        "rule",
        "build (ms)",
        "million/s",
        "ns per n log n",
        "depth",
        "bytes a triangle",
    ]);
    let mut points = Vec::new();
    for mesh in options.meshes(&Shape::ALL, &QUICK, &FULL) {
        let mesh = mesh?;
        for plan in options.kinds(&[KIND]) {
            for rule in options.rules(&SplitRule::ALL) {
                if plan.kind == TreeKind::BruteForce
                    || !pair::follows_rule(plan.kind) && rule != SplitRule::default()
                {
                    // Nothing is built, or nothing different.
                    continue;
                }
                watch(&format!("{}: {} by {}", mesh.name(), plan.name(), rule.name()));
                let Some((tree, seconds)) = timed_build(plan, rule, &mesh) else {
                    let note = "no thread of its own could be started: nothing was measured".to_owned();
                    return Ok(Findings {
                        table,
                        chart: chart(&points, options.same_size()),
                        disagreements: Vec::new(),
                        notes: vec![note],
                    });
                };
                let count = mesh.triangles().len();
                let n = count as f64;
                let name = if options.kinds.len() > 1 {
                    format!("{}, {}", plan.name(), rule.name())
                } else {
                    rule.name().to_owned()
                };
                points.push((name, count, 1e3 * seconds));
                table.rows.push(vec![
                    mesh.name().into(),
                    count.into(),
                    plan.name().as_str().into(),
                    rule.name().into(),
                    (1e3 * seconds).into(),
                    (1e-6 * n / seconds).into(),
                    (1e9 * seconds / (n * n.log2().max(1.0))).into(),
                    u64::from(tree.depth()).into(),
                    (tree.byte_count() as f64 / n).into(),
                ]);
            }
        }
    }
    Ok(Findings {
        table,
        chart: chart(&points, options.same_size()),
        disagreements: Vec::new(),
        notes: Vec::new(),
    })
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

/// On one core, whatever the machine has.
fn timed_build(plan: TreePlan, rule: SplitRule, mesh: &Mesh) -> Option<(Tree, f64)> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    let build = || {
        let start = Instant::now();
        let tree = Tree::build(plan, rule, mesh);
        (tree, start.elapsed().as_secs_f64())
    };
    (0..REPEATS).map(|_| pool.install(build)).min_by(|a, b| a.1.total_cmp(&b.1))
}
