//! `tumble run`: steps a scene and reports the cost of every stage of a step.

use std::path::PathBuf;

use clap::Args;

use super::budget::BudgetArguments;
use super::models::{ModelArguments, scene_or_model};
use super::signals::Interruption;
use super::{Failure, Outcome, kinds, output, threads, waiting};
use crate::articulation::{LinkTreeKind, SkinKind};
use crate::broad::BroadPhaseKind;
use crate::compare::peak_bytes;
use crate::digits::seconds;
use crate::files::{self, Existing};
use crate::plan::TreePlan;
use crate::record::{EndReason, Kept, RunWriter};
use crate::report::findings::{Finding, RunFindings};
use crate::report::{
    self, Costs, Deepest, ExpectationFigures, Expectations, RecordingFigures, SlowSteps, StepCost, Summary,
    table,
};
use crate::scene::{DEFAULT_SCENE, Scene, load_scene};
use crate::tree::SplitRule;
use crate::world::{DeepestAtRest, PairCosts, StartOverlaps, World};

/// Step a scene and report the cost of the stages update, test, query and solve.
#[derive(Args)]
pub(super) struct RunArguments {
    #[arg(default_value = DEFAULT_SCENE, help = scene_or_model())]
    scene: String,
    #[command(flatten)]
    models: ModelArguments,
    /// Number of steps; default: the scene's own.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = kinds::whole::<u32>)]
    steps: Option<u32>,
    /// Time per step, s.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    dt: Option<f64>,
    /// Solver sub-steps per step. More sub-steps hold higher stacks and larger mass ratios.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = kinds::whole::<u32>)]
    substeps: Option<u32>,
    /// Keep all bodies awake.
    #[arg(long)]
    no_sleep: bool,
    /// Seed of everything random in the scene.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = kinds::whole::<u64>)]
    seed: Option<u64>,
    /// Worker threads, at most one per core; 0 takes one per core. Stages with little work use only
    /// one. The motion does not depend on this number.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads::count(0))]
    threads: Option<u32>,
    #[arg(long, value_parser = kinds::tree(kinds::Listed::ForUse), help = format!("Hierarchy over each surface. {}", kinds::guided(kinds::Listed::ForUse)))]
    tree: Option<TreePlan>,
    /// Rule by which the builder of the hierarchy divides triangles.
    #[arg(long, value_parser = kinds::split())]
    split: Option<SplitRule>,
    /// Broad phase between bodies.
    #[arg(long, value_parser = kinds::broad(kinds::Listed::ForUse))]
    broad: Option<BroadPhaseKind>,
    /// Hierarchy over the links of figures and over bodies that joints connect.
    #[arg(long, value_parser = kinds::links())]
    links: Option<LinkTreeKind>,
    /// Surface of skinned figures: the surface of rigid links, or the skin exactly as drawn.
    #[arg(long, value_parser = kinds::skins())]
    skins: Option<SkinKind>,
    #[command(flatten)]
    budget: BudgetArguments,
    /// Record the run to a file that `tumble play` reads.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Contacts and joints that the recording keeps: the pairs that touch, with forces, and the loads
    /// of joints; all of this and every contact; or nothing. Default: `pairs`.
    #[arg(long, value_name = "KEPT", requires = "record", value_parser = kinds::kept())]
    record_contacts: Option<Kept>,
    /// Replace FILE if it exists; input files are never replaced.
    #[arg(long)]
    force: bool,
    /// Print all lines of every list, not only the first ten.
    #[arg(long)]
    all: bool,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
    /// End when standard input is closed, so that the run does not outlive the program that started it.
    #[arg(long)]
    attended: bool,
}

impl RunArguments {
    fn lines(&self) -> usize {
        if self.all { usize::MAX } else { table::LINES }
    }
}

/// Time step, s, beyond which contacts are found too seldom to be trusted. It is three times the
/// default.
const LONG_STEP: f64 = 0.05;

/// Steps a scene, records it if requested, and prints the costs.
pub(super) fn run(arguments: &RunArguments) -> Result<Outcome, Failure> {
    let mut scene = waiting::load(arguments.models.scene(&arguments.scene), arguments.seed)?;
    apply(arguments, &mut scene)?;
    warn_of_steps(&scene);
    let existing = Existing::forced(arguments.force);
    if let Some(path) = &arguments.record {
        // This is tested before hierarchies are built, because that may take a while.
        files::check_target(path, &scene.files, existing)?;
    }
    output::report_notes(&scene.notes);
    let mut world = waiting::build(&scene)?;
    let overlaps = waiting::overlaps(&world);
    if let Some(note) = report::overlap_note(&scene, &overlaps) {
        output::report_notes(std::slice::from_ref(&note));
        scene.notes.push(note);
    }
    scene.config.budget = world.budget();
    scene.config.threads = world.thread_count();
    let interruption = Interruption::watch()?;
    if arguments.attended {
        interruption.end_with_stdin();
    }
    world.stop_on(interruption.flag());
    let mut expectations = Expectations::new(&scene)?;
    let recorder =
        arguments.record.as_ref().map(|path| RunWriter::create(path, &scene, existing)).transpose()?;

    let first_energy = world.energy();
    let kept = arguments.record_contacts.unwrap_or_default();
    let mut watched = Watched { kept, ..Watched::default() };
    let steps = take_steps(&mut world, &scene, &mut watched, &mut expectations, recorder);
    let Steps { costs, deepest, recorded } = steps;
    world.judge_end();
    let is_whole = costs.step_count() >= scene.steps as usize;
    let expectations = expectations.end(&world, is_whole);
    let is_broken = expectations.iter().any(|one| one.held == Some(false));
    let outcome = outcome(&world, &scene, Ending { first_energy, deepest, expectations, overlaps }, &watched);
    let summary = Summary::new(&scene, world.thread_count(), &costs, &outcome);
    if arguments.json {
        output::print_json(&summary)?;
    } else {
        output::print(&table::text(&summary, arguments.lines()))?;
    }
    for body in world.quarantined() {
        output::warn(&format!(
            "body \"{}\" was set aside after step {}: its state was not finite",
            body.name, body.step
        ));
    }
    // After the last step, a signal interrupts nothing.
    let exit_code = interruption.exit_code().filter(|_| !is_whole);
    if exit_code.is_some() {
        output::warn(&format!("interrupted after {} of {} steps", costs.step_count(), scene.steps));
    }
    let is_recorded = recorded?;
    if let Some(path) = arguments.record.as_ref().filter(|_| !is_recorded) {
        output::warn(&format!("{}: is unchanged: no step was recorded", path.display()));
    }
    let done = if is_broken { Outcome::Found } else { Outcome::Done };
    Ok(exit_code.map_or(done, Outcome::Interrupted))
}

/// Loads the scene of a run and applies its options, to find errors before a run. Returns the files
/// that the scene is read from.
pub(super) fn try_load(arguments: &RunArguments) -> Result<Vec<PathBuf>, Failure> {
    let mut scene = load_scene(arguments.models.scene(&arguments.scene), arguments.seed)?;
    apply(arguments, &mut scene)?;
    Expectations::new(&scene)?;
    Ok(scene.files)
}

/// The results of a run that its world does not hold.
struct Ending {
    first_energy: f64,
    deepest: Deepest,
    expectations: Vec<ExpectationFigures>,
    overlaps: StartOverlaps,
}

/// Returns the outcome of a run.
fn outcome(world: &World, scene: &Scene, ending: Ending, watched: &Watched) -> report::Outcome {
    let Ending { first_energy, deepest, expectations, overlaps } = ending;
    let DeepestAtRest { depth, pair, step, open_count } = world.deepest_at_rest();
    report::Outcome {
        first_energy,
        last_energy: world.energy(),
        deepest,
        quarantined_count: world.quarantined().len() as u32,
        sleeping_count: world.sleeping_count(),
        skins: world.skin_reports().collect(),
        starved: world.starved_pairs(),
        check: world.check().cloned(),
        rigid_skin_count: world.rigid_skin_count(),
        guidance: world
            .guided()
            .map(|(mesh, guided)| report::GuidanceFigures::of(scene.meshes[mesh as usize].name(), guided))
            .collect(),
        deepest_at_rest: Some(report::Deepest { depth, pair, step }),
        open_depths: Some(open_count),
        exchanged_diagonals: Some(world.exchanged_diagonals()),
        watched: Some(report::WatchedFigures::of(world.incidents())),
        findings: Some(findings(world, scene)),
        touches: Some(world.touches().to_vec()),
        touches_left_out: world.touches_left_out(),
        joints: Some(world.joint_uses().to_vec()),
        visits: Some(world.visits().to_vec()),
        expectations: Some(expectations),
        overlaps_at_start: Some(overlaps),
        costliest: Some(watched.pairs.costliest()),
        slowest: watched.slow.slowest(),
        shared_stages: Some(watched.shared_stages),
        recording: watched.recording,
        peak_memory_bytes: peak_bytes(),
        state_hash: world.state_hash(),
    }
}

/// Returns the faults of a run as findings.
fn findings(world: &World, scene: &Scene) -> Vec<Finding> {
    let mut found = RunFindings::new(scene);
    for quarantine in world.quarantined() {
        found.add_set_aside([quarantine.body], quarantine.step);
    }
    found.add_incidents(world.incidents());
    found.add_limits(world.incidents());
    found.lists().into_iter().flat_map(|list| list.findings).collect()
}

/// Replaces the scene's settings with those of the command line.
fn apply(arguments: &RunArguments, scene: &mut Scene) -> Result<(), Failure> {
    let config = &mut scene.config;
    config.dt = arguments.dt.unwrap_or(config.dt);
    config.substeps = arguments.substeps.unwrap_or(config.substeps);
    config.sleep &= !arguments.no_sleep;
    config.seed = arguments.seed.unwrap_or(config.seed);
    config.threads = arguments.threads.unwrap_or(config.threads);
    config.tree = arguments.tree.unwrap_or(config.tree);
    config.split = arguments.split.unwrap_or(config.split);
    config.broad = arguments.broad.unwrap_or(config.broad);
    config.links = arguments.links.unwrap_or(config.links);
    config.skins = arguments.skins.unwrap_or(config.skins);
    if let Some(budget) = arguments.budget.budget() {
        config.limit(budget);
    }
    scene.steps = arguments.steps.unwrap_or(scene.steps);
    config.check()?;
    config.threads = threads::within_cores(config.threads);
    Ok(())
}

/// Warns of steps that are too long or none.
fn warn_of_steps(scene: &Scene) {
    let config = &scene.config;
    if config.dt > LONG_STEP {
        output::warn(&format!(
            "steps of {} are longer than {}: motion within a step is tested only a few times, so thin parts can \
             pass through each other",
            seconds(config.dt),
            seconds(LONG_STEP)
        ));
    }
    if scene.steps == 0 {
        output::warn("no step is taken: the number of steps is 0");
    }
}

/// Results of the completed steps.
struct Steps {
    costs: Costs,
    deepest: Deepest,
    /// Whether there is a recording, or the error of writing it.
    recorded: Result<bool, Failure>,
}

/// The data that is kept of a run, besides the costs of its steps.
#[derive(Default)]
struct Watched {
    pairs: PairCosts,
    slow: SlowSteps,
    shared_stages: u64,
    /// The contacts that the recording keeps.
    kept: Kept,
    /// Size of the recording.
    recording: Option<RecordingFigures>,
}

/// Steps the scene until it ends or the world is stopped. If the recording fails, the run goes on, and
/// the error is returned with the results.
fn take_steps(
    world: &mut World,
    scene: &Scene,
    watched: &mut Watched,
    expectations: &mut Expectations,
    mut recorder: Option<RunWriter>,
) -> Steps {
    let bar = output::progress(scene.steps.into(), "steps");
    let mut costs = Costs::new(scene.config.budget);
    let mut deepest = Deepest::default();
    let mut recorded = Ok(recorder.is_some());
    let mut reason = EndReason::Finished;
    for step in 1..=scene.steps {
        let Some(timings) = world.try_step() else {
            reason = EndReason::Interrupted;
            break;
        };
        let (counts, measures) = (world.counts(), world.measures());
        costs.add(&StepCost { timings, counts });
        deepest.see(step, &measures);
        expectations.see(world);
        watched.pairs.add(world);
        watched.shared_stages += world.shared_stages();
        if let Some(slow) = watched.slow.add(world, &timings) {
            let text = slow.text(scene);
            let text = match watched.slow.advice(&slow, world) {
                Some(advice) => format!("{text}; {advice}"),
                None => text,
            };
            bar.suspend(|| output::warn(&text));
        }
        if let Some(writer) = &mut recorder
            && let Err(error) = writer.append_world(world, &timings, watched.kept)
        {
            recorder = None;
            recorded = Err(error.into());
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(writer) = recorder {
        watched.recording = Some(RecordingFigures::of(writer.byte_counts(), writer.step_count()));
        recorded = writer.finish(reason).map_err(Failure::from);
    }
    Steps { costs, deepest, recorded }
}
