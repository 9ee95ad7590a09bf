//! `physics`: motions whose values theory gives in closed form, in this program and in rapier3d, with
//! the shipped settings.
//!
//! - `blows.rs`: cuts, oblique bounces, moving obstacles and rows of balls.
//! - `bounces.rs`: bodies dropped on a slab.
//! - `carriages.rs`: carriages beside their sliders, with loads and pendulums.
//! - `damped.rs`: damping ratios of springs.
//! - `double_pendulum.rs`: the equations of motion of two hinged rods, and their integration.
//! - `flight.rs`: free flight, spin and collisions.
//! - `free_rods.rs`: double pendulums and a chain of rods without drives.
//! - `friction.rs`: blocks on slopes, stopping distances, a turntable.
//! - `gears.rs`: a pinion and a wheel under load.
//! - `joints.rs`: pendulums, limits, springs and motors.
//! - `linkage.rs`: a four-bar linkage.
//! - `loads.rs`: light parts that carry heavy ones.
//! - `rigid.rs`: parts that fixed joints hold at rest.
//! - `rolling.rs`: balls, cylinders and tubes that roll.
//! - `round.rs`: round parts on and in each other, a brake and a spinning disc.
//! - `stage.rs`: construction of the scenes.
//! - `truth.rs`: a truth, and the run in which it is measured.
//! - `verdict.rs`: the rule of the verdicts.

mod blows;
mod bounces;
mod carriages;
mod damped;
mod double_pendulum;
mod flight;
mod free_rods;
mod friction;
mod gears;
mod joints;
mod linkage;
mod loads;
mod rigid;
mod rolling;
mod round;
mod stage;
mod truth;
mod verdict;

use super::chart::{Chart, Plot, Series};
use super::compare::Contender;
use super::experiment::{Experiment, ExperimentError, Family, Findings, Options, Takes, Watch};
use super::table::{Cell, Table};
use truth::Truth;

pub const EXPERIMENT: Experiment = Experiment {
    name: "physics",
    about: "values that theory gives in closed form, measured in scenes, compared with rapier3d",
    item: None,
    family: Family::Steps,
    takes: Takes::NOTHING,
    run,
};

const COLUMNS: [&str; 9] = [
    "case",
    "unit",
    "closed form",
    "tolerance",
    "tumble",
    "rapier",
    "rapier-convex",
    "verdict",
    "beside rapier",
];
/// Number of rapiers in the table.
const RAPIERS: usize = 2;
/// Smallest error in the chart, in tolerances.
const LEAST_DRAWN: f64 = 1e-4;

const NOTE: &str = "every engine steps the same scene at 60 Hz with four sub-steps; rapier: triangle meshes, \
                    rapier-convex: boxes, balls and convex parts; a fast spin is read from poses, with the \
                    whole turns per step that are nearest to the closed form";

/// Returns the names of the contenders: this program, and both rapiers if they are compiled in.
fn contenders() -> Vec<&'static str> {
    let mut names = vec!["threads=1"];
    if cfg!(feature = "reference") {
        names.extend(["rapier", "rapier-convex"]);
    }
    names
}

/// Returns all truths in the order of the table.
fn truths() -> Vec<Truth> {
    [
        flight::all(),
        bounces::all(),
        blows::all(),
        friction::all(),
        rolling::all(),
        round::all(),
        gears::all(),
        joints::all(),
        free_rods::all(),
        carriages::all(),
        damped::all(),
        linkage::all(),
        loads::all(),
        rigid::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let names = contenders();
    let contenders = Contender::list_for_baseline(names.iter().copied())?;
    let mut table = Table::new(&COLUMNS);
    let mut series: Vec<Series> = names
        .iter()
        .map(|&name| Series {
            name: if name == "threads=1" { "tumble" } else { name }.to_owned(),
            points: Vec::new(),
        })
        .collect();
    for truth in truths().iter().filter(|truth| !(options.quick && truth.is_long)) {
        watch(&truth.name);
        let values =
            contenders.iter().map(|contender| truth.value(contender)).collect::<Result<Vec<_>, _>>()?;
        table.rows.push(row(truth, &values));
        for (line, &value) in series.iter_mut().zip(&values) {
            let share = verdict::error(truth, value) / truth.tolerance;
            if share.is_finite() {
                line.points.push((table.rows.len() as f64, share.max(LEAST_DRAWN)));
            }
        }
    }
    let notes = vec![format!("{}; {NOTE}", verdict::RULE), summary(&table)];
    let plot = Plot::Lines {
        x_label: "row".to_owned(),
        y_label: "error / tolerance".to_owned(),
        x_log: false,
        series,
    };
    let chart = Chart { title: "Errors of values known in closed form".to_owned(), plot };
    Ok(Findings { table, chart, disagreements: Vec::new(), notes })
}

/// Returns a row of the table; `values` are ours and those of the rapiers.
fn row(truth: &Truth, values: &[Option<f64>]) -> Vec<Cell> {
    let cell = |value: Option<f64>| value.map_or(Cell::Nothing, Cell::Number);
    let (ours, others) = values.split_first().map_or((None, &[][..]), |(ours, others)| (*ours, others));
    let mut row: Vec<Cell> = vec![
        truth.name.as_str().into(),
        truth.unit.into(),
        truth.closed_form.into(),
        truth.tolerance.into(),
        cell(ours),
    ];
    row.extend((0..RAPIERS).map(|k| cell(others.get(k).copied().flatten())));
    row.push(verdict::verdict(truth, ours).into());
    row.push(verdict::beside(truth, ours, others).map_or(Cell::Nothing, Cell::from));
    row
}

/// Returns a sentence with the number of rows by verdict.
fn summary(table: &Table) -> String {
    let count = |word: &str| table.rows.iter().filter(|row| row.contains(&word.into())).count();
    let [right, wrong, better, even, worse] = ["right", "wrong", "better", "as good", "worse"].map(count);
    format!("{right} right, {wrong} wrong; beside rapier {better} better, {even} as good, {worse} worse")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn at_least_forty_truths_have_names_of_their_own_and_tolerances() {
        let all = truths();
        let names: BTreeSet<&str> = all.iter().map(|truth| truth.name.as_str()).collect();
        assert!(all.len() >= 40 && names.len() == all.len(), "{} of {}", names.len(), all.len());
        assert!(all.iter().all(|truth| truth.tolerance > 0.0 && truth.closed_form.is_finite()));
    }

    /// Measures with gravity 1 % too strong. Every value that depends on gravity is wrong then.
    #[test]
    fn gravity_that_is_off_by_a_percent_is_told() {
        let contender = &Contender::list_for_baseline(["threads=1"]).unwrap()[0];
        let cases = [
            "free fall, 2 s",
            "range of a throw",
            "height of a throw",
            "speed after a fall of 2 m",
            "period of a pendulum from 5°",
            "period of a rod from 10°",
        ];
        let mut told = 0;
        for mut truth in truths().into_iter().filter(|truth| cases.contains(&truth.name.as_str())) {
            let found = truth.value(contender).unwrap();
            assert_eq!(verdict::verdict(&truth, found), "right", "{}: {found:?}", truth.name);
            truth.scene.gravity *= 1.01;
            let found = truth.value(contender).unwrap();
            assert_eq!(verdict::verdict(&truth, found), "wrong", "{}: {found:?}", truth.name);
            told += 1;
        }
        assert_eq!(told, cases.len());
    }
}
