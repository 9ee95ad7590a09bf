//! `tumble play`: reads a recording. On request, simulates it again and compares every step.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::{Failure, Outcome, output, threads, waiting};
use crate::record::{End, EndReason, Kept, Rest, RunReader, Validation, validate};
use crate::report::{self, Costs, StageTimings, StepCost, Summary, table};
use crate::world::{Events, JointUses, Touches, energy_at_start};

/// Read a recording. With --validate, simulate it again and compare the state of every step. Exit code
/// 1 if steps are missing or differ.
#[derive(Args)]
pub(super) struct PlayArguments {
    /// A recording written by `tumble run --record`.
    run: PathBuf,
    /// Simulate again from the recorded scene, and report the first step that differs.
    #[arg(long)]
    validate: bool,
    /// Worker threads for the new simulation, at most one per core; 0 takes one per core. The motion
    /// does not depend on this number.
    #[arg(long, value_name = "N", default_value = "0", value_parser = threads::count(0))]
    threads: u32,
    /// Print all lines of every list, not only the first ten.
    #[arg(long)]
    all: bool,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PlayReport<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    /// Version of tumble that wrote the recording. The timings are those of the recorded run.
    recorded_by: &'a str,
    /// Number of steps that the run was meant to take.
    planned_steps: u32,
    /// Number of steps that the run took. Unknown if the recording was not ended.
    recorded_steps: Option<u32>,
    ended: Option<EndReason>,
    /// Whether the whole recording can be read.
    complete: bool,
    /// The missing data and the reason, if any.
    problem: Option<&'a str>,
    validation: Option<&'a Replay>,
}

/// Results of the new simulation.
#[derive(Serialize)]
struct Replay {
    #[serde(flatten)]
    validation: Validation,
    threads: u32,
    steps_per_second: f64,
    /// Wall time per step, ms.
    timings_ms: StageTimings,
}

/// Reads a recording, simulates it again if requested, and prints the result.
pub(super) fn play(arguments: &PlayArguments) -> Result<Outcome, Failure> {
    let mut reader = RunReader::open(&arguments.run)?;
    let summary = summarise(&mut reader)?;
    let replay = if arguments.validate { Some(simulate_again(&mut reader, arguments)?) } else { None };
    if arguments.json {
        output::print_json(&PlayReport {
            summary: &summary,
            recorded_by: reader.tumble_version(),
            planned_steps: reader.scene().steps,
            recorded_steps: reader.end().map(|end| end.step_count),
            ended: reader.end().map(|end| end.reason),
            complete: reader.is_complete(),
            problem: reader.problem(),
            validation: replay.as_ref(),
        })?;
    } else {
        output::print(&format!(
            "recorded by tumble {}\n{}",
            reader.tumble_version(),
            table::text(&summary, if arguments.all { usize::MAX } else { table::LINES })
        ))?;
        if let Some(replay) = &replay {
            output::print(&verdict(replay, reader.is_complete()))?;
        }
    }
    match (reader.problem(), reader.end()) {
        (Some(problem), _) => output::warn(&format!("{}: {problem}", arguments.run.display())),
        (None, Some(End { step_count, reason: EndReason::Interrupted })) => output::warn(&format!(
            "{}: the run was interrupted after {step_count} of {} steps; the recording has all of them",
            arguments.run.display(),
            reader.scene().steps
        )),
        (None, _) => {}
    }
    let differs = replay.is_some_and(|r| r.validation.first_difference.is_some());
    Ok(if differs || !reader.is_complete() { Outcome::Found } else { Outcome::Done })
}

/// Returns the figures of the recorded steps.
fn summarise(reader: &mut RunReader) -> Result<Summary, Failure> {
    let mut costs = Costs::new(reader.scene().config.budget);
    let first_energy = energy_at_start(reader.scene());
    let mut outcome = report::Outcome { first_energy, last_energy: first_energy, ..Default::default() };
    let dt = reader.scene().config.dt;
    let mut touches = Touches::new(reader.scene().bodies.len());
    let mut joints = JointUses::new(reader.scene().joints.len(), reader.axes(), reader.coordinates());
    let keeps_contacts = reader.kept()? != Kept::None;
    // The events of a recording are not needed here.
    let mut events = Events::default();
    for step in 1..=reader.step_count() {
        let record = reader.record(step)?;
        costs.add(&StepCost { timings: record.timings, counts: record.counts });
        outcome.last_energy = record.measures.energy;
        outcome.deepest.see(step, &record.measures);
        outcome.state_hash = record.state_hash;
        reader.seek(step)?;
        events.begin();
        if let Some(touching) = reader.touching()? {
            touches.see((step, dt), &touching, &mut events);
        }
        if let Some((of_joints, of_axes)) = reader.joints()? {
            joints.see(step, &of_joints, &of_axes, &mut events);
        }
    }
    if keeps_contacts {
        outcome.touches = Some(touches.list().to_vec());
        outcome.touches_left_out = touches.left_out();
        outcome.joints = Some(joints.list().to_vec());
    }
    let last = reader.seek(reader.step_count())?;
    let count = |rest: Rest| last.rests.iter().filter(|&&r| r == rest).count() as u32;
    outcome.sleeping_count = count(Rest::Asleep);
    outcome.quarantined_count = count(Rest::Quarantined);
    let scene = reader.scene();
    Ok(Summary::new(scene, scene.config.threads, &costs, &outcome))
}

/// Simulates a recording again and compares every step.
fn simulate_again(reader: &mut RunReader, arguments: &PlayArguments) -> Result<Replay, Failure> {
    let mut scene = reader.scene().clone();
    scene.config.threads = threads::within_cores(arguments.threads);
    let mut world = waiting::build(&scene)?;
    let bar = output::progress(reader.step_count().into(), "steps");
    let mut costs = Costs::default();
    let validation = validate(reader, |_| {
        let timings = world.step();
        costs.add(&StepCost { timings, counts: world.counts() });
        bar.inc(1);
        world.state_hash()
    })?;
    bar.finish_and_clear();
    Ok(Replay {
        validation,
        threads: world.thread_count(),
        steps_per_second: costs.steps_per_second(),
        timings_ms: costs.timings(),
    })
}

/// Describes the result of a new simulation in words.
fn verdict(replay: &Replay, is_complete: bool) -> String {
    let Validation { equal_count, first_difference } = replay.validation;
    let found = match first_difference {
        None if is_complete => format!("all {equal_count} steps are the same, bit for bit"),
        None => {
            format!("the {equal_count} readable steps are the same, bit for bit; the others are missing")
        }
        Some(d) => format!(
            "step {} is the first that differs (recorded {:016x}, now {:016x}); {equal_count} before it are the same",
            d.step, d.recorded, d.found
        ),
    };
    let threads = table::threads(replay.threads);
    format!("simulated again on {threads}, {:.1} steps per second: {found}", replay.steps_per_second)
}
