//! `node-size`: measured bytes per node and floating-point operations per pair of nodes, and the
//! paper's values. \[boxtree\] Table 1

use super::measure::measure;
use super::table::{Cell, Table};
use super::workload::{DISTANCES, turn};
use super::{Chart, Findings, Options, Plot, Query, Shape, ShapeError, Watch, pair};
use crate::experiment::{Experiment, Family, Takes};
use crate::tree::{SplitRule, TreeKind};

pub const EXPERIMENT: Experiment = Experiment {
    name: "node-size",
    about: "bytes per node, and counted operations per pair of nodes",
    item: Some("[boxtree] Table 1"),
    family: Family::Meshes,
    takes: Takes { meshes: true, query: Some(Query::DEEPEST_FIRST), ..Takes::NOTHING },
    run: |options, watch| Ok(run(options, watch)?),
};

/// Returns the paper's bytes per node, and its largest number of operations per pair of nodes.
fn paper_values(kind: TreeKind) -> Option<(u64, u64)> {
    match kind {
        TreeKind::BOXTREE_ALIGN_BARE => Some((9, 12)),
        TreeKind::BOXTREE_BARE => Some((9, 24)),
        TreeKind::BOXTREE_SAT_BARE => Some((9, 82)),
        TreeKind::Sphere => Some((16, 29)),
        TreeKind::Aabb => Some((28, 90)),
        TreeKind::OBB => Some((64, 243)),
        TreeKind::Dop24 => Some((100, 168)),
        _ => None,
    }
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ShapeError> {
    let mut table = Table::new(&[
        "mesh",
        "triangles",
        "tree",
        "nodes",
        "bytes a node",
        "bytes a triangle",
        "bytes over 2n-1",
        "flops a node pair",
        "paper: bytes",
        "paper: most flops",
    ]);
    let (mut bars, mut shown) = (Vec::new(), String::new());
    let mut disagreements = Vec::new();
    let steps = options.steps(10, 50);
    let poses: Vec<_> = DISTANCES.iter().flat_map(|&distance| turn(distance, steps)).collect();
    let kinds: Vec<TreeKind> = TreeKind::ALL.into_iter().filter(|&k| k != TreeKind::BruteForce).collect();
    let kinds = options.kinds(&kinds);
    for mesh in options.meshes(&[Shape::Torus], &[10_000], &[10_000, 100_000, 1_000_000]) {
        let mesh = mesh?;
        watch(&format!("{}: {} kinds", mesh.name(), kinds.len()));
        let rules = options.rules(&[SplitRule::default()]);
        let trees = pair::trees(&kinds, &rules, &mesh);
        let mut contenders: Vec<_> =
            trees.iter().map(|built| pair::cold(built, &mesh, options.query())).collect();
        let results = measure(&mut contenders, &poses);
        let named: Vec<_> = contenders.iter().map(|c| c.name.clone()).zip(results).collect();
        drop(contenders);
        disagreements.extend(pair::disagreements(&mesh, &named));
        let n = mesh.triangles().len();
        // The chart only shows the last mesh.
        shown = mesh.name().to_owned();
        bars.clear();
        for ((name, measured), pair::Built { plan, tree, .. }) in named.iter().zip(&trees) {
            let (bytes, nodes) = (tree.byte_count() as f64, tree.node_count());
            let average = bytes / (2 * n - 1) as f64;
            bars.push((name.clone(), vec![average]));
            let (paper_bytes, paper_flops) =
                paper_values(plan.kind).map_or((Cell::Nothing, Cell::Nothing), |(b, f)| (b.into(), f.into()));
            table.rows.push(vec![
                mesh.name().into(),
                n.into(),
                name.as_str().into(),
                nodes.into(),
                (bytes / nodes.max(1) as f64).into(),
                (bytes / n as f64).into(),
                average.into(),
                measured.operations.into(),
                paper_bytes,
                paper_flops,
            ]);
        }
    }
    let chart = Chart {
        title: "Memory of a hierarchy over n triangles, divided by 2n − 1".to_owned(),
        plot: Plot::Bars { label: format!("bytes; {shown}"), parts: Vec::new(), bars },
    };
    Ok(Findings { table, chart, disagreements, notes: Vec::new() })
}
