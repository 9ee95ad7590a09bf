//! Comparison of one scene under several contenders: hierarchies, broad phases, budgets, recordings,
//! and rapier3d, each as an [`Engine`]. One run is observed, for poses, differences and lost bodies.
//! Further runs are only timed. The result is data ([`Comparison`]).
//!
//! - `baseline.rs`: regressions since an earlier comparison.
//! - `caught.rs`: calls of a library that may panic.
//! - `contender.rs`: contenders by name.
//! - `diff.rs`: difference of two recordings of one scene.
//! - `displacement.rs`: distance of two poses of a body.
//! - `engine.rs`: interface of a comparison to an engine, and tumble's own engine.
//! - `error.rs`: errors that prevent or end a comparison.
//! - `floor.rs`: the height below which a body has fallen out.
//! - `gaps.rs`: gaps and twists of joints, by one measure for all engines.
//! - `maker.rs`: creation of a contender's engine for every run.
//! - `observe.rs`: the observed run, all contenders together.
//! - `observed.rs`: one contender while it is observed.
//! - `overlap.rs`: depth of overlaps, by one measure for all engines.
//! - `page/`: a comparison as one HTML document.
//! - `passages.rs`: passages through surfaces, by one measure for all engines.
//! - `race.rs`: the timed runs, in drawn turns.
//! - `rapier.rs`: a scene in rapier3d.
//! - `rapier_joints.rs`: joints in rapier3d.
//! - `rapier_pairs.rs`: pairs that rapier3d must keep apart, and pairs that it treats differently.
//! - `rapier_shapes.rs`: shapes of bodies in rapier3d.
//! - `recorded.rs`: a recording of a run as an engine.
//! - `resources.rs`: data of the system about itself and this process.
//! - `result.rs`: result of a comparison, in plain data.
//! - `summary.rs`: a comparison as sentences.
//! - `surfaces.rs`: the surfaces that measures query, and the pairs that no measure tests.
//! - `tables.rs`: a comparison as tables.
//! - `tests/`: tests of every number, and what they compare with.

mod baseline;
#[cfg(feature = "reference")]
mod caught;
mod contender;
mod diff;
mod displacement;
mod engine;
mod error;
mod floor;
mod gaps;
mod maker;
mod observe;
mod observed;
mod overlap;
mod page;
mod passages;
mod race;
#[cfg(feature = "reference")]
mod rapier;
#[cfg(feature = "reference")]
mod rapier_joints;
#[cfg(feature = "reference")]
mod rapier_pairs;
#[cfg(feature = "reference")]
mod rapier_shapes;
mod recorded;
mod resources;
mod result;
mod summary;
mod surfaces;
mod tables;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use baseline::{Regression, Subject, Verdict, judge};
pub use contender::{Contender, EngineKind, RapierShapes};
pub use diff::{Difference, Displaced, RunFigures, diff};
pub use engine::{COUNT_NAMES, Engine};
pub use error::CompareError;
pub use maker::Maker;
use observe::Observer;
use observed::{Observed, Seen};
pub use page::page;
use race::{Laps, Racer, Start, race, spread};
pub use resources::{machine, peak_bytes};
pub use result::{
    Comparison, ContenderResult, Deepest, DeviationSeries, Ended, Estimate, JointPeak, Loss, Lost, Machine,
    Moment, Parting, Passed, Picture, Rest, Spread, StageSeries,
};
pub use summary::{joints, opening};
pub use tables::{steps as step_table, table};

use crate::files::Existing;
use crate::record::RunWriter;
use crate::scene::Scene;
use crate::turns::median;

/// Options of a comparison besides the contenders.
#[derive(Clone, Debug, Default)]
pub struct CompareOptions {
    pub steps: u32,
    /// Number of timed runs of each contender over all steps. An interval takes at least six.
    pub repeats: u32,
    /// Seed for the random order of turns.
    pub seed: u64,
    /// Number of steps between measurements of overlap. Overlap is measured after the last step too, and
    /// before and after the step that an engine itself reports as its deepest. 0 gives twelve
    /// measurements.
    pub overlap_every: u32,
    /// Folder without recordings, in which the observed runs of all contenders are recorded.
    pub recordings: Option<PathBuf>,
    /// Flag that ends the comparison. Once it is set, steps end early, and the result covers the steps
    /// made so far.
    pub stop: Arc<AtomicBool>,
}

/// Default number of timed runs.
pub const DEFAULT_REPEATS: u32 = 6;
/// Default number of measurements of overlap over all steps.
const SAMPLES: u32 = 12;

/// Phase of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    SettingUp,
    Observing,
    Timing,
}

/// Callback that receives the phase and its progress (0–1). If it returns `false`, the comparison ends
/// with the steps made so far.
pub type Watch<'a> = &'a mut dyn FnMut(Phase, f64) -> bool;

/// Returns the file names of a contender's recording, and of its pictures after its slowest step and
/// its last step.
pub fn file_names(place: usize, name: &str) -> [String; 3] {
    let stem = file_stem(place, name);
    [format!("{stem}.{}", contender::RECORDING), format!("{stem}-slowest.png"), format!("{stem}-last.png")]
}

/// Returns a file name from a contender's number in the list and its name (for a recording, the name of
/// its file). It only has characters that every file system accepts.
fn file_stem(place: usize, name: &str) -> String {
    let path = Path::new(name);
    let is_recording = path.extension().is_some_and(|end| end == contender::RECORDING);
    let stem = path.file_stem().filter(|_| is_recording).map_or(name.into(), OsStr::to_string_lossy);
    let clean: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() || "-+=".contains(c) { c } else { '_' }).collect();
    let from = clean.len().saturating_sub(60);
    format!("{}-{}", place + 1, &clean[from..])
}

/// Simulates the scene with all contenders: once observed, then `repeats` times timed.
///
/// # Errors
/// Fails if a contender cannot be set up, or its recording cannot be created.
pub fn compare(
    scene: &Scene,
    contenders: &[Contender],
    options: &CompareOptions,
    watch: Watch,
) -> Result<Comparison, CompareError> {
    let (mut makers, mut all) = (Vec::new(), Vec::new());
    for (place, contender) in contenders.iter().enumerate() {
        if !watch(Phase::SettingUp, place as f64 / contenders.len() as f64) {
            break;
        }
        let (maker, observed) = set_up(place, contender, scene, options)?;
        makers.push(maker);
        all.push(observed);
    }
    let (sampled, tracked) = observe(scene, options, &mut all, watch);
    let steps = all.iter().map(|one| one.run.len() as u32).max().unwrap_or(0);
    let all: Vec<Seen> = all.into_iter().map(|one| one.finish(scene, options.steps)).collect();
    let mut notes = Vec::new();
    let left = contenders[makers.len()..].iter().map(|left| format!("{} was not set up", left.name));
    notes.extend(left);
    if steps < options.steps {
        notes.push(format!("{steps} of {} steps were taken", options.steps));
    }
    let laps = time(&makers, &all, options, steps, watch)?;
    let mut results: Vec<ContenderResult> = Vec::new();
    for ((Seen { mut result, .. }, laps), maker) in all.into_iter().zip(&laps).zip(&makers) {
        fill(&mut result, laps, maker.took);
        notes.extend(result.recording_fault.iter().map(|fault| format!("{}: {fault}", result.name)));
        notes.extend(remarks(&result, laps));
        results.push(result);
    }
    for (result, own) in results.iter_mut().zip(&laps).skip(1) {
        result.ratio = own.ratio(&laps[0]);
    }
    let triangles = |mesh: u32| scene.meshes[mesh as usize].triangles().len() as u64;
    Ok(Comparison {
        tumble_version: env!("CARGO_PKG_VERSION").to_owned(),
        scene: scene.name.clone(),
        description: scene.description.clone(),
        steps,
        dt: scene.config.dt,
        bodies: scene.bodies.len() as u32,
        triangles: scene.bodies.iter().filter_map(|b| b.mesh).map(triangles).sum(),
        repeats: results.iter().map(|c| c.runs.len() as u32).max().unwrap_or(0),
        seed: options.seed,
        machine: resources::machine(),
        sampled,
        tracked,
        contenders: results,
        pictures: Vec::new(),
        notes,
        import_notes: scene.notes.clone(),
    })
}

/// Creates a contender's engine and its recording, before its first step.
fn set_up(
    place: usize,
    contender: &Contender,
    scene: &Scene,
    options: &CompareOptions,
) -> Result<(Maker, Observed), CompareError> {
    let (before, start) = (resources::resident_bytes(), Instant::now());
    let maker = Maker::new(contender, scene);
    let engine = maker.engine(&options.stop)?;
    let grown_bytes = resources::resident_bytes().zip(before).map(|(now, before)| now.saturating_sub(before));
    let mut result = ContenderResult {
        name: maker.name.clone(),
        about: maker.about(),
        is_by_clock: maker.is_by_clock(),
        grown_bytes,
        set_up_ms: 1e3 * start.elapsed().as_secs_f64(),
        ..ContenderResult::default()
    };
    let mut recorder = None;
    if let Some(folder) = &options.recordings {
        let [file, ..] = file_names(place, &maker.name);
        let own = Scene { steps: options.steps, ..maker.scene.clone() };
        recorder = Some(RunWriter::create(&folder.join(&file), &own, Existing::Keep)?);
        result.recording = Some(file);
    }
    let observed = Observed::new(engine, result, recorder)?;
    Ok((maker, observed))
}

/// Makes the observed run. Returns the steps after which overlap was measured, and the steps after
/// which the deviations of all bodies were kept.
fn observe(
    scene: &Scene,
    options: &CompareOptions,
    all: &mut [Observed],
    watch: Watch,
) -> (Vec<u32>, Vec<u32>) {
    let mut observer = Observer::new(scene, options.steps);
    let every = match options.overlap_every {
        0 => options.steps.div_ceil(SAMPLES).max(1),
        every => every,
    };
    let (mut sampled, mut tracked) = (vec![0], Vec::new());
    observer.sample(0, all);
    for step in 1..=options.steps {
        if !watch(Phase::Observing, f64::from(step - 1) / f64::from(options.steps)) {
            break;
        }
        if !observer.step(step, all) {
            break;
        }
        if observer.is_tracked(step) {
            tracked.push(step);
        }
        if step % every == 0 || step == options.steps {
            observer.sample(step, all);
            sampled.push(step);
        }
    }
    observer.sample_reported(all);
    (sampled, tracked)
}

/// Makes the timed runs. The times of the observed run are used for a recording, for a contender that
/// is far slower than the others, and if no timed run was finished.
fn time(
    makers: &[Maker],
    all: &[Seen],
    options: &CompareOptions,
    steps: u32,
    watch: Watch,
) -> Result<Vec<Laps>, CompareError> {
    let mut laps: Vec<Laps> = all.iter().map(|one| Laps::of(&one.run)).collect();
    let took: Vec<f64> = laps.iter().map(Laps::took).collect();
    let middle = median(&mut took.clone());
    for (k, laps) in laps.iter_mut().enumerate() {
        laps.once = if makers[k].is_recorded() {
            Some("it is a recording".to_owned())
        } else if race::is_too_slow(took[k], middle) {
            Some(format!("it takes over {} times as long as the middle one", race::TOO_SLOW))
        } else {
            None
        };
    }
    let timed: Vec<usize> = (0..makers.len()).filter(|&k| laps[k].once.is_none()).collect();
    let racer = |&k: &usize| {
        let start: Start = Box::new(move || makers[k].engine(&options.stop));
        Racer { start, steps: all[k].run.len() as u32, laps: Laps::default() }
    };
    let mut racers: Vec<Racer> = timed.iter().map(racer).collect();
    race(&mut racers, steps, options.repeats, options.seed, &mut |share| watch(Phase::Timing, share))?;
    for (k, racer) in timed.into_iter().zip(racers) {
        if racer.laps.hashes.is_empty() {
            laps[k].once = Some("no other run was finished".to_owned());
        } else {
            laps[k] = racer.laps;
        }
    }
    Ok(laps)
}

/// Writes the times of a contender into its result.
fn fill(result: &mut ContenderResult, laps: &Laps, prepared: Duration) {
    if let Some(set_up_ms) = laps.set_up_ms() {
        result.set_up_ms = set_up_ms + 1e3 * prepared.as_secs_f64();
    }
    result.times = laps.series();
    result.mean = laps.mean();
    result.runs = laps.runs();
    result.spread = spread(&result.times.totals());
}

/// Returns a note about the timing of a contender, if a reader needs one.
fn remarks(result: &ContenderResult, laps: &Laps) -> Option<String> {
    let name = &result.name;
    if let Some(why) = &laps.once {
        return Some(format!("{name} was timed once, while it was observed: {why}"));
    }
    let is_same = laps.hashes.iter().all(|hash| format!("{hash:016x}") == result.state_hash);
    (!is_same).then(|| format!("{name} does not end in the same state every time"))
}
