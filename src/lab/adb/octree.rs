//! `adb-octree`: query time and errors of ADB-trees over every hierarchy that supports cell counts, by
//! the paper's model and the fitted model. Times are relative to the first row of each model. \[adb\]
//! Fig. 12, and the future work of §5

use super::contest::{Report, adb, tumble};
use super::{Asked, K_MIN, P_MIN, distinguishing_suffix};
use crate::estimate::AdbKind;
use crate::experiment::{Experiment, Family, Takes};
use crate::{ExperimentError, Findings, Options, Shape, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-octree",
    about: "ADB-trees over the octree, boxes, boxtree and 24-DOPs",
    item: Some("[adb] Fig. 12, §5"),
    family: Family::Meshes,
    takes: Takes { meshes: true, targets: true, ..Takes::NOTHING },
    run,
};

/// Measured shapes. The paper's mesh has 20,000 triangles.
const SHAPES: [Shape; 3] = [Shape::Torus, Shape::BumpySphere, Shape::Soup];

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let mut report = Report::new(
        "ADB-trees by hierarchy",
        &["tree", "model", "p_min", "k_min", "to the first"],
        [1.0, 2.0],
    );
    let kinds = options.adb_kinds(&AdbKind::ALL)?;
    let targets = options.targets(&[P_MIN], &[K_MIN])?;
    let steps = options.steps(10, 200);
    for mesh in options.meshes(&SHAPES, &[1000], &[20_000]) {
        let mesh = mesh?;
        watch(&format!("{}: {} kinds", mesh.name(), kinds.len()));
        let rule = options.adb_rule()?;
        let models = Asked::ALL.iter().flat_map(|&model| kinds.iter().map(move |&kind| (kind, model)));
        let trees: Vec<_> = models.map(|(kind, model)| (model, model.tree(kind, rule, &mesh))).collect();
        let asked: Vec<_> =
            trees.iter().flat_map(|(model, tree)| targets.iter().map(move |t| (*model, tree, *t))).collect();
        let mut contenders: Vec<_> = asked
            .iter()
            .map(|(model, tree, target)| {
                let name = format!(
                    "{}, {}{}",
                    tree.kind().name(),
                    model.name(),
                    distinguishing_suffix(target, &targets)
                );
                adb(name, tree, *target, model.model())
            })
            .collect();
        let runs = tumble(&mesh, &mut contenders, steps);
        // Time of the first row of each model.
        let per_model = kinds.len() * targets.len();
        let firsts: Vec<f64> = runs.iter().step_by(per_model.max(1)).map(|run| run.whole().time).collect();
        report.add(&mesh, runs, 0, |k, run| {
            let (model, tree, target) = &asked[k];
            vec![
                tree.kind().name().into(),
                model.name().into(),
                target.p_min().into(),
                u64::from(target.k_min()).into(),
                (run.whole().time / firsts[k / per_model.max(1)]).into(),
            ]
        });
    }
    report.notes.push(
        "to the first: time as a multiple of that of the first row of the same model; the paper: octree above 3"
            .to_owned(),
    );
    Ok(report.findings())
}
