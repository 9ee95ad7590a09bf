//! `adb-node-size`: memory of ADB-trees and of the same hierarchies without cell counts, and the time
//! that counting cells takes. \[adb\] Table 1

use std::time::Instant;

use super::plain;
use crate::arrays::MapEach;
use crate::estimate::{AdbKind, AdbTree, CellRule};
use crate::experiment::{Experiment, Family, Takes};
use crate::mesh::Mesh;
use crate::table::{Cell, Table};
use crate::tree::{SplitRule, Tree};
use crate::turns::{self, FEW_REPEATS, Times, turns};
use crate::{Chart, ExperimentError, Findings, Options, Plot, Shape, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-node-size",
    about: "bytes per node of ADB-trees, and the cost of counting cells",
    item: Some("[adb] Table 1"),
    family: Family::Meshes,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run,
};

/// Returns the paper's bytes per node, known for boxes only: two corners, a pointer, a cell count and a
/// volume.
fn paper_values(kind: AdbKind) -> Cell {
    match kind {
        AdbKind::Aabb => 36_u64.into(),
        _ => Cell::Nothing,
    }
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let mut table = Table::new(&[
        "mesh",
        "triangles",
        "tree",
        "nodes",
        "bytes a node",
        "without cells",
        "with regions",
        "bytes a triangle",
        "paper: bytes",
        "build (ms)",
        "95 % (ms)",
        "without cells (ms)",
        "repeats (ms)",
    ]);
    let kinds = options.adb_kinds(&AdbKind::ALL)?;
    let rule = options.adb_rule()?;
    let (mut bars, mut shown) = (Vec::new(), String::new());
    for mesh in options.meshes(&[Shape::Torus], &[10_000], &[10_000, 100_000]) {
        let mesh = mesh?;
        watch(&format!("{}: {} kinds", mesh.name(), kinds.len()));
        shown = mesh.name().to_owned();
        bars.clear();
        for &kind in &kinds {
            let without = Tree::build(plain(kind), rule, &mesh);
            let tree = AdbTree::build(kind, rule, &mesh);
            let [time, without_time] = timed_builds(kind, rule, &mesh);
            let [interval, repeats] = time.cells(1e3);
            let regions = CellRule { regions: true, ..CellRule::default() };
            let regions = AdbTree::with_cells(kind, rule, &mesh, &regions);
            let a_node = |bytes: usize| bytes as f64 / tree.node_count().max(1) as f64;
            let bytes = [without.byte_count(), tree.byte_count(), regions.byte_count()].map_each(a_node);
            bars.push((kind.name().to_owned(), vec![bytes[0], bytes[1] - bytes[0], bytes[2] - bytes[1]]));
            table.rows.push(vec![
                mesh.name().into(),
                mesh.triangles().len().into(),
                kind.name().into(),
                tree.node_count().into(),
                bytes[1].into(),
                bytes[0].into(),
                bytes[2].into(),
                (tree.byte_count() as f64 / mesh.triangles().len() as f64).into(),
                paper_values(kind),
                (1e3 * time.median()).into(),
                interval,
                (1e3 * without_time.median()).into(),
                repeats,
            ]);
        }
    }
    let chart = Chart {
        title: "Memory of ADB-trees".to_owned(),
        plot: Plot::Bars {
            label: format!("bytes per node; {shown}"),
            parts: ["hierarchy", "cells", "regions"].map(str::to_owned).to_vec(),
            bars,
        },
    };
    let notes = ["built on all threads of the pool", turns::NOTE].map(str::to_owned).to_vec();
    Ok(Findings { table, chart, disagreements: Vec::new(), notes })
}

/// Times the builds with and without cell counts, in turns.
fn timed_builds(kind: AdbKind, rule: SplitRule, mesh: &Mesh) -> [Times; 2] {
    let mut times = [Times::default(), Times::default()];
    for turn in turns(FEW_REPEATS, 1, times.len()) {
        let start = Instant::now();
        match turn.contender {
            0 => drop(AdbTree::build(kind, rule, mesh)),
            _ => drop(Tree::build(plain(kind), rule, mesh)),
        }
        times[turn.contender].add(0, start.elapsed());
    }
    times
}
