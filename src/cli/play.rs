//! `tumble play`: reads a recording back, and on request simulates it again to compare every step.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::{Failure, Outcome, output};
use crate::record::{Rest, RunReader, Validation, validate};
use crate::report::{self, StepCost, Summary, table};
use crate::world::World;

/// Read a recording; with --validate, simulate it again and compare every step's state.
#[derive(Args)]
pub(super) struct PlayArguments {
    /// A recording written by `tumble run --record`.
    run: PathBuf,
    /// Simulate again from the recorded scene and name the first step that differs (exit code 1).
    #[arg(long)]
    validate: bool,
    /// Worker threads for the new simulation; 0 takes one per core. The motion does not depend on it.
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u32).range(0..=256))]
    threads: u32,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PlayReport<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    /// The version of tumble that recorded.
    recorded_by: &'a str,
    /// Whether the recording was closed properly.
    complete: bool,
    /// What is wrong with its end, if anything.
    problem: Option<&'a str>,
    validation: Option<&'a Validation>,
}

pub(super) fn play(arguments: &PlayArguments) -> Result<Outcome, Failure> {
    let mut reader = RunReader::open(&arguments.run)?;
    let summary = summarise(&mut reader)?;
    let validation = if arguments.validate { Some(simulate_again(&mut reader, arguments)?) } else { None };
    if arguments.json {
        output::print_json(&PlayReport {
            summary: &summary,
            recorded_by: reader.tumble_version(),
            complete: reader.is_complete(),
            problem: reader.problem(),
            validation: validation.as_ref(),
        })?;
    } else {
        output::print(&table::text(&summary))?;
        if let Some(validation) = &validation {
            output::print(&verdict(validation))?;
        }
    }
    if let Some(problem) = reader.problem() {
        output::warn(&format!("{}: {problem}", arguments.run.display()));
    }
    let differs = validation.is_some_and(|v| v.first_difference.is_some());
    Ok(if differs { Outcome::Found } else { Outcome::Done })
}

/// The figures of the recorded steps.
fn summarise(reader: &mut RunReader) -> Result<Summary, Failure> {
    let mut costs = Vec::new();
    let mut outcome = report::Outcome::default();
    for step in 1..=reader.step_count() {
        let record = reader.record(step)?;
        costs.push(StepCost { timings: record.timings, counts: record.counts });
        if step == 1 {
            outcome.first_energy = record.measures.energy;
        }
        outcome.last_energy = record.measures.energy;
        outcome.max_penetration = outcome.max_penetration.max(record.measures.penetration);
        outcome.state_hash = record.state_hash;
    }
    let last = reader.seek(reader.step_count())?;
    let count = |rest: Rest| last.rests.iter().filter(|&&r| r == rest).count() as u32;
    outcome.sleeping_count = count(Rest::Asleep);
    outcome.quarantined_count = count(Rest::Quarantined);
    let scene = reader.scene();
    Ok(Summary::new(scene, scene.config.threads, &costs, &outcome))
}

fn simulate_again(reader: &mut RunReader, arguments: &PlayArguments) -> Result<Validation, Failure> {
    let mut scene = reader.scene().clone();
    scene.config.threads = arguments.threads;
    let mut world = World::new(&scene)?;
    let bar = output::progress(reader.step_count().into(), "steps");
    let validation = validate(reader, |_| {
        world.step();
        bar.inc(1);
        world.state_hash()
    })?;
    bar.finish_and_clear();
    Ok(validation)
}

fn verdict(validation: &Validation) -> String {
    match validation.first_difference {
        None => format!("simulated again: all {} steps are the same, bit for bit", validation.equal_count),
        Some(d) => format!(
            "simulated again: step {} is the first that differs (recorded {:016x}, now {:016x}); {} before it are the same",
            d.step, d.recorded, d.found, validation.equal_count
        ),
    }
}
