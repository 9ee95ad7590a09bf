//! `step-heaps`: time of whole steps of falling heaps, on one thread and on two, compared with rapier3d
//! by the code of `tumble compare`. Sleeping is off, so that every step does full work.
//!
//! - `against.rs`: the steps of another build of the program, in turns with this one.
//! - `scenes.rs`: the heaps: boxes, tori, ragdolls, gears, and the built-in scenes.

mod against;
mod scenes;

use super::chart::{Chart, Plot};
use super::compare::{CompareOptions, Comparison, Contender, ContenderResult, Phase, compare};
use super::experiment::{Experiment, ExperimentError, Family, Findings, Options, Takes, Watch};
use super::shapes::ShapeError;
use super::table::{Cell, Table};
use super::turns::FEW_REPEATS;
use crate::scene::{Scene, load_scene};

pub const EXPERIMENT: Experiment = Experiment {
    name: "step-heaps",
    about: "whole steps of falling heaps, with all stages and counts, compared with rapier3d",
    item: None,
    family: Family::Steps,
    takes: Takes { meshes: true, against: true, ..Takes::NOTHING },
    run,
};

const COLUMNS: [&str; 21] = [
    "heap",
    "bodies",
    "triangles",
    "contender",
    "mean (ms)",
    "95 % (ms)",
    "times the first",
    "worst (ms)",
    "update (ms)",
    "test (ms)",
    "query (ms)",
    "solve (ms)",
    "passes",
    "node tests",
    "candidates",
    "false (%)",
    "contacts",
    "overlap (mm)",
    "lost",
    "shiver (mm/s)",
    "repeats (ms)",
];

const NOTE: &str = "times and counts are means per step; 95 %: interval of the mean, with every repeat in the \
                    CSV; overlap: the deepest of any two surfaces at one of twelve moments; shiver: mean speed \
                    over the last tenth of the steps; rapier: triangle meshes, rapier-convex: boxes, balls and \
                    convex parts, both on one thread";

/// Returns the names of the contenders: this program on one thread and on two, and rapier if it is
/// compiled in.
fn contenders() -> Vec<&'static str> {
    let mut names = vec!["no-sleep:threads=1", "no-sleep:threads=2"];
    if cfg!(feature = "reference") {
        names.extend(["rapier:no-sleep", "rapier-convex:no-sleep"]);
    }
    names
}

fn run(options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    if let Some(program) = &options.against {
        return against::run(program, options, watch);
    }
    let names = contenders();
    let contenders = Contender::list(names.iter().copied())?;
    let scenes: Vec<Scene> = if options.meshes.is_empty() {
        scenes::all(options.quick).map_err(ShapeError::Scene)?
    } else {
        let load = |name: &crate::scene::SceneName| load_scene(name.clone(), None);
        options.meshes.iter().map(load).collect::<Result<_, _>>().map_err(ShapeError::Scene)?
    };
    let (mut table, mut bars) = (Table::new(&COLUMNS), Vec::new());
    let (mut disagreements, mut notes) = (Vec::new(), vec![NOTE.to_owned()]);
    for scene in &scenes {
        let wanted = CompareOptions {
            steps: options.steps(5, 40),
            repeats: if options.quick { 1 } else { FEW_REPEATS as u32 },
            ..CompareOptions::default()
        };
        let comparison = compare(scene, &contenders, &wanted, &mut |phase, share| {
            let what = match phase {
                Phase::SettingUp => "setting up",
                Phase::Observing => "looking at it",
                Phase::Timing => "timing",
            };
            watch(&format!("{}: {what}, {:.0} %", scene.name, 100.0 * share));
            true
        })?;
        for one in &comparison.contenders {
            table.rows.push(row(&comparison, one));
            bars.push((format!("{}, {}", comparison.scene, one.name), one.times.means().to_vec()));
        }
        disagreements.extend(disagreement(&comparison));
        notes.extend(comparison.notes.iter().map(|note| format!("{}: {note}", comparison.scene)));
        for one in &comparison.contenders {
            // A note that applies to several scenes is listed once.
            for note in one.unmapped.iter().map(|what| format!("{} differs in: {what}", one.name)) {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
    }
    let parts = ["update", "test", "query", "solve"].map(str::to_owned).to_vec();
    let plot = Plot::Bars { label: "ms per step, mean".to_owned(), parts, bars };
    let chart = Chart { title: "Steps of falling heaps".to_owned(), plot };
    Ok(Findings { table, chart, disagreements, notes })
}

fn row(comparison: &Comparison, one: &ContenderResult) -> Vec<Cell> {
    let mean = |name: &str| {
        let all = one.counts.get(name)?;
        Some(all.iter().sum::<u64>() as f64 / all.len().max(1) as f64)
    };
    let cell = |value: Option<f64>| value.map_or(Cell::Nothing, Cell::Number);
    let false_share =
        mean("false alarms").zip(mean("candidates").filter(|&n| n > 0.0)).map(|(f, all)| 100.0 * f / all);
    let mut row: Vec<Cell> = vec![
        comparison.scene.as_str().into(),
        u64::from(comparison.bodies).into(),
        comparison.triangles.into(),
        one.name.as_str().into(),
        one.mean.value.into(),
        one.mean.interval.map_or(Cell::Nothing, Cell::Interval),
        cell(one.ratio.map(|ratio| ratio.value)),
        one.spread.worst.into(),
    ];
    row.extend(one.times.means().map(Cell::from));
    row.extend(["passes", "node tests", "candidates"].map(|name| cell(mean(name))));
    row.extend([cell(false_share), cell(mean("contacts"))]);
    row.extend([
        (1e3 * one.deepest_overlap()).into(),
        one.lost.len().into(),
        cell(one.rest.shiver.map(|speed| 1e3 * speed)),
    ]);
    row.push(Cell::Repeats(one.runs.clone()));
    row
}

/// Returns a message if the final states on one thread and on two threads differ.
fn disagreement(comparison: &Comparison) -> Option<String> {
    let [one, two, ..] = &comparison.contenders[..] else { return None };
    (one.state_hash != two.state_hash)
        .then(|| format!("{}: {} and {} end in different states", comparison.scene, one.name, two.name))
}
