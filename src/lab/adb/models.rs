//! `adb-models`: time and errors of ADB-trees by both models, and of hierarchies that test triangles,
//! on meshes of several sizes. \[adb\] Figs. 14 and 16, where one model has three sizes; here it is a
//! pipe elbow

use super::contest::{ContestRun, Report, adb, tumble};
use super::{Asked, K_MIN, P_MIN, distinguishing_suffix};
use crate::arrays::MapEach;
use crate::estimate::AdbKind;
use crate::experiment::{Experiment, Family, Takes};
use crate::plan::TreePlan;
use crate::table::Cell;
use crate::tree::TreeKind;
use crate::{ExperimentError, Findings, Options, Query, Shape, Watch, pair, trees};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-models",
    about: "ADB-trees and exact hierarchies on meshes of every size: time and errors",
    item: Some("[adb] Figs. 14, 16"),
    family: Family::Meshes,
    takes: Takes { meshes: true, targets: true, ..Takes::NOTHING },
    run,
};

const SHAPES: [Shape; 4] = [Shape::Torus, Shape::BumpySphere, Shape::Pipe, Shape::Soup];

/// Exact hierarchies: the one that the paper compares with, the fastest one here, and others. On CAD
/// models the paper's is by far the slowest.
const EXACT: [TreeKind; 5] =
    [TreeKind::Dop24, TreeKind::Boxtree8, TreeKind::Dop24Both, TreeKind::Aabb, TreeKind::OBB];

const PAPER: &str = "the paper, k_min 10: 1.89, 1.54 and 2.10 % wrong over 0.4 to 2.1 m, 3.19, 1.71 and 3.15 % \
                     over 1 to 2 m, 3 times as fast as its DOP tree; k_min 5: 0.2 points more, more than 6 times \
                     as fast";

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let own = ["method", "p_min", "k_min", "to dop24", "to boxtree8", "inner: to boxtree8"];
    let inner = [1.0, 2.0];
    let mut report = Report::new("ADB-trees and exact hierarchies", &own, inner);
    let kinds = options.adb_kinds(&[AdbKind::Aabb])?;
    let targets = options.targets(&[P_MIN], &[K_MIN, 5])?;
    let (steps, rule) = (options.steps(10, 200), options.adb_rule()?);
    for mesh in options.meshes(&SHAPES, &[5000], &[5000, 20_000, 80_000]) {
        let mesh = mesh?;
        watch(&format!("{}: {} triangles", mesh.name(), mesh.triangles().len()));
        let exact = pair::trees(&EXACT.map_each(TreePlan::from), &[rule], &mesh);
        let models = kinds.iter().flat_map(|&kind| Asked::ALL.map_each(|model| (kind, model)));
        let adb_trees: Vec<_> = models.map(|(kind, model)| (model, model.tree(kind, rule, &mesh))).collect();
        let mut contenders: Vec<_> =
            exact.iter().map(|built| pair::cold(built, &mesh, Query::AS_BUILT)).collect();
        // Target of each row; `None` for exact hierarchies.
        let mut asked = vec![None; contenders.len()];
        for (model, tree) in &adb_trees {
            for target in &targets {
                let varied = distinguishing_suffix(target, &targets);
                let name = format!("{}, {}{varied}", tree.kind().name(), model.name());
                contenders.push(adb(name, tree, *target, model.model()));
                asked.push(Some(*target));
            }
        }
        contenders.extend(trees::peers(&mesh, &mut report.notes));
        asked.resize(contenders.len(), None);
        let runs = tumble(&mesh, &mut contenders, steps);
        let [dop24, boxtree8] = [0, 1].map_each(|k| runs[k].whole().time);
        let inner_boxtree8 = runs[1].over(inner).time;
        report.add(&mesh, runs, EXACT.len(), |k, run: &ContestRun| {
            let (p_min, k_min) = match asked[k] {
                Some(target) => (target.p_min().into(), u64::from(target.k_min()).into()),
                None => (Cell::Nothing, Cell::Nothing),
            };
            vec![
                run.name.as_str().into(),
                p_min,
                k_min,
                (dop24 / run.whole().time).into(),
                (boxtree8 / run.whole().time).into(),
                (inner_boxtree8 / run.over(inner).time).into(),
            ]
        });
    }
    report.notes.push("to dop24, to boxtree8: speed as a multiple of theirs".to_owned());
    report.notes.push(PAPER.to_owned());
    Ok(report.findings())
}
