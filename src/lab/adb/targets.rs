//! `adb-pmin` and `adb-kmin`: time and errors by both models, against the targets p_min and k_min.
//! \[adb\] Fig. 17

use super::contest::{Report, adb, tumble};
use super::{Asked, K_MIN, P_MIN, distinguishing_suffix};
use crate::arrays::MapEach;
use crate::estimate::AdbKind;
use crate::experiment::{Experiment, Family, Takes};
use crate::{ExperimentError, Findings, Options, Shape, Watch};

pub const K_MINS: Experiment = Experiment {
    name: "adb-kmin",
    about: "ADB-trees with increasing numbers of required node pairs, k_min",
    item: Some("[adb] Fig. 17"),
    family: Family::Meshes,
    takes: Takes { meshes: true, targets: true, ..Takes::NOTHING },
    run: |options, watch| run(Varied::KMin, options, watch),
};

pub const P_MINS: Experiment = Experiment {
    name: "adb-pmin",
    about: "ADB-trees with increasing required certainty, p_min",
    item: Some("[adb] Fig. 17"),
    family: Family::Meshes,
    takes: Takes { meshes: true, targets: true, ..Takes::NOTHING },
    run: |options, watch| run(Varied::PMin, options, watch),
};

/// Target that varies from row to row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Varied {
    PMin,
    KMin,
}

const SHAPES: [Shape; 3] = [Shape::Torus, Shape::BumpySphere, Shape::Soup];

fn run(varied: Varied, options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let (title, targets) = match varied {
        Varied::PMin => ("p_min", options.targets(&[0.5, 0.9, 0.95, P_MIN], &[K_MIN])?),
        Varied::KMin => ("k_min", options.targets(&[P_MIN], &[1, 5, K_MIN])?),
    };
    let mut report = Report::new(title, &["tree", "model", "p_min", "k_min"], [1.2, 2.0]);
    let kinds = options.adb_kinds(&[AdbKind::Aabb])?;
    let (steps, rule) = (options.steps(10, 200), options.adb_rule()?);
    for mesh in options.meshes(&SHAPES, &[1000], &[20_000]) {
        let mesh = mesh?;
        watch(&format!("{}: {} targets", mesh.name(), targets.len()));
        let models = kinds.iter().flat_map(|&kind| Asked::ALL.map_each(|model| (kind, model)));
        let trees: Vec<_> = models.map(|(kind, model)| (model, model.tree(kind, rule, &mesh))).collect();
        let asked: Vec<_> =
            trees.iter().flat_map(|(model, tree)| targets.iter().map(move |t| (*model, tree, *t))).collect();
        let mut contenders: Vec<_> = asked
            .iter()
            .map(|(model, tree, target)| {
                let kind = if kinds.len() > 1 { tree.kind().name() } else { model.name() };
                let name = format!("{kind}{}", distinguishing_suffix(target, &targets));
                adb(name, tree, *target, model.model())
            })
            .collect();
        let runs = tumble(&mesh, &mut contenders, steps);
        report.add(&mesh, runs, 0, |k, _| {
            let (model, tree, target) = &asked[k];
            vec![
                tree.kind().name().into(),
                model.name().into(),
                target.p_min().into(),
                u64::from(target.k_min()).into(),
            ]
        });
    }
    Ok(report.findings())
}
