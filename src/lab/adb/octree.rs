//! `adb-octree`: ADB-trees over every hierarchy that can have numbers of cells. \[adb\] Fig. 12, and the
//! future work of §5

use super::contest::{Report, adb, tumble};
use super::model::AdbModel;
use super::{Asked, K_MIN, P_MIN};
use crate::estimate::{AdbKind, AdbTree};
use crate::lab::experiment::{Experiment, Family, Takes};
use crate::lab::{ExperimentError, Findings, Options, Shape, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-octree",
    about: "ADB-trees over the octree, boxes, boxtree and 24-DOPs",
    item: Some("[adb] Fig. 12, §5"),
    family: Family::Meshes,
    takes: Takes { meshes: true, targets: true, ..Takes::NOTHING },
    run,
};

/// The paper's is of 20,000 triangles.
const SHAPES: [Shape; 3] = [Shape::Torus, Shape::BumpySphere, Shape::Soup];

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let mut report =
        Report::new("ADB-trees by hierarchy", &["tree", "p_min", "k_min", "to adb-aabb"], [1.0, 2.0]);
    let kinds = options.adb_kinds(&AdbKind::ALL)?;
    let targets = options.targets(&[P_MIN], &[K_MIN])?;
    let steps = options.steps(10, 200);
    for mesh in options.meshes(&SHAPES, &[1000], &[20_000]) {
        let mesh = mesh?;
        watch(&format!("{}: {} kinds", mesh.name(), kinds.len()));
        let rule = options.adb_rule()?;
        let trees: Vec<AdbTree> = kinds.iter().map(|&kind| Asked::Fitted.tree(kind, rule, &mesh)).collect();
        let asked: Vec<_> = trees.iter().flat_map(|tree| targets.iter().map(move |t| (tree, *t))).collect();
        let name = |tree: &AdbTree, target: &crate::estimate::Target| {
            let name = tree.kind().name();
            if targets.len() > 1 {
                format!("{name}, {} {}", target.p_min(), target.k_min())
            } else {
                name.to_owned()
            }
        };
        let mut contenders: Vec<_> = asked
            .iter()
            .map(|(tree, target)| adb(name(tree, target), tree, *target, AdbModel::Fitted))
            .collect();
        let runs = tumble(&mesh, &mut contenders, steps);
        let first = runs.first().map_or(f64::NAN, |run| run.whole().time);
        report.add(&mesh, runs, 0, |k, run| {
            let (tree, target) = &asked[k];
            vec![
                tree.kind().name().into(),
                target.p_min().into(),
                u64::from(target.k_min()).into(),
                (run.whole().time / first).into(),
            ]
        });
    }
    report
        .notes
        .push("to adb-aabb: time in times that of the first row; the paper: octree above 3".to_owned());
    Ok(report.findings())
}
