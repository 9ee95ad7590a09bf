//! `adb-parts`: effect of each part of the paper's model. One part at a time is replaced, the others
//! stay as in the paper. \[adb\] §3.4–3.6

use super::contest::{Report, adb, tumble};
use super::model::{AdbModel, Combination, Paper, Regions, VolumeEstimator};
use super::{K_MIN, P_MIN};
use crate::estimate::{AdbKind, AdbTree, CellRule, Target};
use crate::experiment::{Experiment, Family, Takes};
use crate::{ExperimentError, Findings, Options, Plot, Shape, Watch, distinct};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-parts",
    about: "the parts of [adb]'s model: volumes, regions, combinations",
    item: Some("§3.4–3.6"),
    family: Family::Meshes,
    takes: Takes { meshes: true, targets: true, ..Takes::NOTHING },
    run,
};

const SHAPES: [Shape; 3] = [Shape::Torus, Shape::BumpySphere, Shape::Soup];

/// Model of one row: the paper's with one part replaced.
#[derive(Clone, Copy, Debug)]
struct Variant {
    part: &'static str,
    value: &'static str,
    cells: CellRule,
    model: AdbModel,
}

/// Returns the fitted model, the paper's model, and the paper's with one part at a time replaced.
fn variants() -> Vec<Variant> {
    let own = Paper::default();
    let paper = |part, value, cells, paper| Variant { part, value, cells, model: AdbModel::Paper(paper) };
    let mut all = vec![
        Variant { part: "fitted", value: "", cells: CellRule::default(), model: AdbModel::Fitted },
        paper("paper", "", CellRule::PAPER, own),
        paper(
            "combination",
            "expectation",
            CellRule::PAPER,
            Paper { combination: Combination::Expectation, ..own },
        ),
        paper("distinct", "yes", CellRule::PAPER, Paper { distinct: true, ..own }),
    ];
    let regions = CellRule { regions: true, ..CellRule::PAPER };
    for (value, regions_by) in [("halves", Regions::Grid), ("pyramids", Regions::Pyramids)] {
        all.push(paper("regions", value, regions, Paper { regions: regions_by, ..own }));
    }
    all.push(paper("thinnest side", "0.25", CellRule { thinnest: 0.25, ..CellRule::PAPER }, own));
    // The exact volume is left out: it takes 10 µs per pair.
    let others = |e: &VolumeEstimator| ![own.estimator, VolumeEstimator::Exact].contains(e);
    for estimator in VolumeEstimator::ALL.into_iter().filter(others) {
        all.push(paper("volume", estimator.name(), CellRule::PAPER, Paper { estimator, ..own }));
    }
    all
}

impl Variant {
    fn name(&self) -> String {
        if self.value.is_empty() { self.part.to_owned() } else { format!("{} {}", self.part, self.value) }
    }
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let own = ["tree", "part", "value", "p_min", "k_min"];
    let mut report = Report::new("Parts of the paper's model", &own, [1.0, 2.0]);
    let kinds = options.adb_kinds(&[AdbKind::Aabb])?;
    let targets = options.targets(&[P_MIN], &[K_MIN])?;
    let (steps, rule) = (options.steps(10, 100), options.adb_rule()?);
    let variants = variants();
    let rules: Vec<CellRule> = distinct(&variants.iter().map(|v| v.cells).collect::<Vec<_>>());
    for mesh in options.meshes(&SHAPES, &[1000], &[20_000]) {
        let mesh = mesh?;
        watch(&format!("{}: {} variants", mesh.name(), variants.len()));
        let trees: Vec<(CellRule, AdbTree)> = kinds
            .iter()
            .flat_map(|&kind| rules.iter().map(move |cells| (kind, cells)))
            .map(|(kind, cells)| (*cells, AdbTree::with_cells(kind, rule, &mesh, cells)))
            .collect();
        let mut asked = Vec::new();
        for variant in &variants {
            for (_, tree) in trees.iter().filter(|(cells, _)| *cells == variant.cells) {
                asked.extend(targets.iter().map(|target| (variant, tree, *target)));
            }
        }
        let named = |(variant, tree, target): &(&Variant, &AdbTree, Target)| {
            let mut name = variant.name();
            if kinds.len() > 1 {
                name = format!("{}, {name}", tree.kind().name());
            }
            if targets.len() > 1 {
                name += &format!(", {} {}", target.p_min(), target.k_min());
            }
            name
        };
        let mut contenders: Vec<_> =
            asked.iter().map(|one| adb(named(one), one.1, one.2, one.0.model)).collect();
        let runs = tumble(&mesh, &mut contenders, steps);
        report.add(&mesh, runs, 0, |k, _| {
            let (variant, tree, target) = &asked[k];
            vec![
                tree.kind().name().into(),
                variant.part.into(),
                variant.value.into(),
                target.p_min().into(),
                u64::from(target.k_min()).into(),
            ]
        });
    }
    let bars = report
        .means()
        .into_iter()
        .map(|(name, mean)| (format!("{name}: {:.1} µs", mean.time), vec![mean.false_share, mean.missed]))
        .collect();
    let plot = Plot::Bars {
        label: "wrong answers (%)".to_owned(),
        parts: ["false", "missed"].map(str::to_owned).to_vec(),
        bars,
    };
    let mut findings = report.findings();
    findings.chart.plot = plot;
    Ok(findings)
}
