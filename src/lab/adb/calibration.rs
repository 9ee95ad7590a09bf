//! `adb-calibration`: fits the weights of the probability model to generated surfaces, and measures the
//! calibration of the model, and of the paper's own model, on surfaces that took no part in the fit.
//! \[adb\] §4.3 gives error rates only
//!
//! The query weights that test a generated case are fitted to the cases that share no surface with it.
//! Files never enter a fit: they test the weights that the program uses.

use super::data::Trial;
use super::model::{AdbModel, Paper};
use super::regression::{Law, Observation};
use super::reliability::Reliability;
use super::training::{self, Case};
use crate::arrays::MapEach;
use crate::estimate::{AdbKind, AdbTree, CellRule, EVIDENCE_COUNT, Target, Weights};
use crate::experiment::{Experiment, Family, Takes};
use crate::parallel;
use crate::shapes::{self, ShapeError};
use crate::table::Table;
use crate::{Chart, Findings, Options, Plot, Series, Watch};

pub const EXPERIMENT: Experiment = Experiment {
    name: "adb-calibration",
    about: "weights of time-critical queries, and the reliability of their probabilities",
    item: None,
    family: Family::Meshes,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run: |options, watch| Ok(run(options, watch)?),
};

/// Node tests after which queries are interrupted. Almost no query reaches the last limit.
const LIMITS: [u32; 4] = [32, 128, 512, 4096];
/// Limit of node tests whose results the chart shows.
const SHOWN: u32 = 128;
/// Features with weights of at least 0, because the probability of an intersection cannot fall as they
/// grow: the shared volume and the cells.
const RISING: [usize; 3] = [1, 4, 5];
/// Parts of the evidence with weights of at least 0: the rates.
const RISING_EVIDENCE: [usize; 2] = [1, 2];
/// Number of poses per case at which pairs of nodes are collected.
const PAIR_POSES: usize = 60;

/// Reliability of the predictions on one mesh, or on several.
struct Row {
    kind: AdbKind,
    mesh: String,
    node_tests: u32,
    /// Reliabilities per mesh: of the fitted model, and of the paper's model.
    parts: Vec<[Reliability; 2]>,
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ShapeError> {
    let mut notes = vec![
        "probabilities with the default p_min and k_min; queries that end with their first test are left out"
            .to_owned(),
    ];
    let (whole, parts) = if options.meshes.is_empty() {
        let (rows, weights) = generated(options.quick, watch)?;
        notes.extend(weights);
        (rows, Vec::new())
    } else {
        let rows = files(options, watch)?;
        (together(&rows, &format!("{} files", options.meshes.len())), rows)
    };
    let chart = chart(&whole);
    let rows: Vec<Row> = whole.into_iter().chain(parts).collect();
    Ok(Findings { table: table(&rows), chart, disagreements: Vec::new(), notes })
}

/// Tests the program's own weights on the user's files.
fn files(options: &Options, watch: Watch) -> Result<Vec<Row>, ShapeError> {
    let pose_count = options.steps(200, 1000);
    let mut rows: Vec<Row> = Vec::new();
    for name in &options.meshes {
        let mesh = shapes::from_file(name, &options.meshes)?;
        watch(&format!("{}: {pose_count} poses", mesh.name()));
        let trial = Trial::new(training::alone(&mesh), pose_count);
        rows.extend(
            parallel::map(&AdbKind::ALL, |&kind| judge(kind, &trial, AdbModel::Fitted)).into_iter().flatten(),
        );
    }
    Ok(rows)
}

/// Tests weights on generated cases. Also returns the weights fitted to all cases, as text.
fn generated(quick: bool, watch: Watch) -> Result<(Vec<Row>, Vec<String>), ShapeError> {
    let (pose_count, stride) = if quick { (60, 5) } else { (240, 1) };
    let cases = training::cases().map_err(|source| ShapeError::Generate { source })?;
    let cases: Vec<Case> = cases.into_iter().step_by(stride).collect();
    watch(&format!("{} cases, {pose_count} poses each", cases.len()));
    let trials: Vec<Trial> = parallel::map(&cases, |case| Trial::new(case.clone(), pose_count));
    let (mut rows, mut notes) = (Vec::new(), Vec::new());
    for kind in AdbKind::ALL {
        watch(&format!("{}: {} cases", kind.name(), trials.len()));
        let (weights, left_out) = fit(kind, &trials);
        notes.push(format!("AdbKind::{kind:?} => {}", literal(&weights)));
        rows.extend(left_out);
    }
    Ok((rows, notes))
}

/// Fits the weights of a kind of tree to all cases. Also returns their reliability, measured per case
/// with query weights from which related cases were left out.
fn fit(kind: AdbKind, trials: &[Trial]) -> (Weights, Vec<Row>) {
    let trees: Vec<[AdbTree; 2]> = parallel::map(trials, |t| t.trees(kind, &CellRule::default()));
    let asked: Vec<(&Trial, &[AdbTree; 2])> = trials.iter().zip(&trees).collect();
    let pairs = parallel::map(&asked, |(trial, trees)| trial.pairs(trees, PAIR_POSES)).concat();
    let pair = Law::Rate.fit(&pairs, &RISING).map_each(|w| w as f32);
    drop(pairs);
    let blank = Weights { pair, query: [0.0; EVIDENCE_COUNT] };
    let evidence: Vec<Vec<Observation<EVIDENCE_COUNT>>> =
        parallel::map(&asked, |(trial, trees)| trial.evidence(trees, AdbModel::Weighed(blank)));
    let without = |left_out: Option<&Trial>| {
        let apart = |trial: &Trial| left_out.is_none_or(|left_out| !trial.is_related(left_out));
        let kept = trials.iter().zip(&evidence).filter(|(trial, _)| apart(trial));
        let all: Vec<_> = kept.flat_map(|(_, seen)| seen.iter().copied()).collect();
        Weights { pair, query: Law::Logistic.fit(&all, &RISING_EVIDENCE) }
    };
    let judged = parallel::map(trials, |trial| judge(kind, trial, AdbModel::Weighed(without(Some(trial)))));
    let judged: Vec<Row> = judged.into_iter().flatten().collect();
    (without(None), together(&judged, &format!("{} generated, left out", trials.len())))
}

/// Measures the reliability of queries that are interrupted at each of the limits.
fn judge(kind: AdbKind, trial: &Trial, model: AdbModel) -> Vec<Row> {
    let asked = [(model, CellRule::default()), (AdbModel::Paper(Paper::default()), CellRule::PAPER)];
    let asked = asked.map(|(model, cells)| (model, trial.trees(kind, &cells)));
    let row = |node_tests| {
        let part = asked.each_ref().map(|(model, trees)| {
            Reliability::of(&trial.answers(trees, *model, &Target::default(), node_tests))
        });
        Row { kind, mesh: trial.name.clone(), node_tests, parts: vec![part] }
    };
    LIMITS.map(row).into()
}

/// Merges rows with the same kind and limit into one row called `mesh`.
fn together(rows: &[Row], mesh: &str) -> Vec<Row> {
    let mut sums: Vec<Row> = Vec::new();
    for row in rows {
        let of_same = |sum: &&mut Row| sum.kind == row.kind && sum.node_tests == row.node_tests;
        match sums.iter_mut().find(of_same) {
            Some(sum) => sum.parts.extend(row.parts.iter().cloned()),
            None => sums.push(Row { mesh: mesh.to_owned(), parts: row.parts.clone(), ..*row }),
        }
    }
    sums
}

/// Formats weights as Rust source for the program.
fn literal(weights: &Weights) -> String {
    let list = |numbers: &mut dyn Iterator<Item = f64>| {
        numbers.map(|number| format!("{number:.3}")).collect::<Vec<_>>().join(", ")
    };
    let pair = list(&mut weights.pair.iter().map(|&w| f64::from(w)));
    format!("Self {{ pair: [{pair}], query: [{}] }}", list(&mut weights.query.iter().copied()))
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&[
        "tree",
        "mesh",
        "node tests",
        "queries",
        "colliding (%)",
        "error (%)",
        "false (%)",
        "missed (%)",
        "calibration error",
        "by chance",
        "worst mesh",
        "paper: error (%)",
        "paper: false (%)",
        "paper: missed (%)",
        "paper: calibration error",
    ]);
    for Row { kind, mesh, node_tests, parts } in rows {
        let mean = |model: usize, of: fn(&Reliability) -> f64| {
            parts.iter().map(|part| of(&part[model])).sum::<f64>() / parts.len().max(1) as f64
        };
        let rates = |model: usize| {
            let (alarms, missed) =
                (mean(model, Reliability::false_share), mean(model, Reliability::missed_share));
            [alarms + missed, alarms, missed].map(|share| (100.0 * share).into())
        };
        let worst = parts.iter().map(|part| part[0].calibration_error()).fold(0.0, f64::max);
        let count: u64 = parts.iter().map(|part| part[0].count).sum();
        let mut row =
            vec![kind.name().into(), mesh.as_str().into(), u64::from(*node_tests).into(), count.into()];
        row.push((100.0 * mean(0, Reliability::colliding_share)).into());
        row.extend(rates(0));
        row.push(mean(0, Reliability::calibration_error).into());
        row.extend([mean(0, Reliability::chance_error).into(), worst.into()]);
        row.extend(rates(1));
        row.push(mean(1, Reliability::calibration_error).into());
        table.rows.push(row);
    }
    table
}

/// Draws a reliability diagram for the last surfaces in the table, which took no part in the fit.
fn chart(rows: &[Row]) -> Chart {
    let last = rows.last().map_or("", |row| &row.mesh);
    let shown: Vec<&Row> = rows.iter().filter(|row| row.mesh == last && row.node_tests == SHOWN).collect();
    let line = |row: &Row, model: usize, name: String| {
        let mut all = Reliability::default();
        row.parts.iter().for_each(|part| all.merge(&part[model]));
        Series { name, points: all.points() }
    };
    let mut series: Vec<Series> = shown.iter().map(|row| line(row, 0, row.kind.name().to_owned())).collect();
    series.extend(shown.iter().map(|row| line(row, 1, format!("{}, paper", row.kind.name()))));
    Chart {
        title: format!("Reliability of the probability after {SHOWN} node tests; {last}"),
        plot: Plot::Reliability {
            x_label: "predicted probability".to_owned(),
            y_label: "share of queries that collide".to_owned(),
            series,
        },
    }
}
