//! `tumble compare`: runs one scene with several methods and times them in turns. Prints a table, and
//! writes a page, data and recordings to a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::comparison_files::{Document, Folder, PAGE};
use super::models::{ModelArguments, scene_or_model};
use super::signals::Interruption;
use super::{Failure, Outcome, kinds, output, pictures, waiting};
use crate::compare::{
    CompareOptions, Comparison, Contender, DEFAULT_REPEATS, Phase, Subject, Verdict, compare, joints, judge,
    opening, table,
};
use crate::digits::grouped;
use crate::files::{self, Existing};
use crate::scene::{DEFAULT_SCENE, Scene};

/// Run one scene with several methods, and compare their speed, their lost bodies, and where their motions
/// diverge. The methods are hierarchies, broad phases, budgets, recordings, and rapier3d as a reference.
#[derive(Args)]
pub(super) struct CompareArguments {
    #[arg(default_value = DEFAULT_SCENE, help = scene_or_model())]
    scene: String,
    #[command(flatten)]
    models: ModelArguments,
    /// Contenders to compare. All others are compared with the first. Each is `scene` (unchanged), a
    /// hierarchy (`boxtree8`, `obb+parts`), a broad phase (`hybrid`), `links=KIND`, `split=RULE`,
    /// `threads=N`, `budget-us=N`, `budget-tests=N`, `no-sleep`, or several of these joined by a colon
    /// (`aabb:threads=2`). It can also be a recording of the same scene (`RUN.tumble`), or `rapier`
    /// (its triangle meshes), `rapier-edges` (with internal edges corrected) or `rapier-convex` (boxes,
    /// balls, convex parts), each also with `:no-sleep`.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', required_unless_present = "from")]
    with: Vec<String>,
    /// Number of steps; default: the scene's own.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    steps: Option<u32>,
    /// Number of timed runs of each contender over all steps; an interval needs at least 6.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_REPEATS, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,
    /// Seed for the order of the turns.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = kinds::whole::<u64>)]
    seed: u64,
    /// Measure the overlap every N steps; default: about twelve times per run.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    overlap_every: Option<u32>,
    /// Folder to write to.
    #[arg(long, value_name = "DIR", default_value = "comparison")]
    out: PathBuf,
    /// Make the table and the files again from the comparison.json of an earlier comparison. Nothing is
    /// moved.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["with", "scene"])]
    from: Option<PathBuf>,
    /// Compare with the comparison.json of an earlier comparison. Exit code 1 if a contender searches
    /// more than there. Also 1 if, on the same machine, it is slower than --max-regress allows, beyond
    /// noise.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Largest allowed slowdown of a step compared with the baseline, percent.
    #[arg(long, value_name = "P", default_value = "5%", requires = "baseline", value_parser = percent)]
    max_regress: f64,
    /// Write to DIR even if it has files, and replace files of the same names.
    #[arg(long)]
    force: bool,
    /// Print the comparison as one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

/// Parses a percentage: `5%` or `5` gives 0.05.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    match number {
        Ok(percent) if percent.is_finite() && percent >= 0.0 => Ok(0.01 * percent),
        _ => Err("must be a percentage of at least 0, like 5%".to_owned()),
    }
}

/// Compares the contenders, or reads an earlier comparison. Reports the result.
pub(super) fn compare_scene(arguments: &CompareArguments) -> Result<Outcome, Failure> {
    pictures::restart_without_window_system();
    let existing = Existing::forced(arguments.force);
    // The baseline is read first, so that an error comes before anything is moved or written.
    let baseline = arguments.baseline.as_deref().map(Document::read).transpose()?;
    let baseline = baseline.as_ref().map(|document| &document.comparison);
    if let Some(path) = &arguments.from {
        let document = Document::read(path)?;
        let inputs: Vec<PathBuf> = arguments.baseline.iter().chain([path]).cloned().collect();
        let folder = Folder::prepare(&arguments.out, &inputs, &[], existing)?;
        let pictures = path.parent().unwrap_or(Path::new(""));
        return report(arguments, &document, (folder, pictures, Vec::new()), baseline);
    }
    let names = arguments.with.iter().map(String::as_str);
    let contenders = match baseline {
        Some(_) => Contender::list_for_baseline(names)?,
        None => Contender::list(names)?,
    };
    let mut scene = waiting::load(arguments.models.scene(&arguments.scene), None)?;
    scene.steps = arguments.steps.unwrap_or(scene.steps);
    if scene.steps == 0 {
        return Err("no step is taken: the number of steps is 0".into());
    }
    if let Some(baseline) = baseline {
        Subject::of_scene(&scene).check(baseline).map_err(unfit)?;
    }
    output::report_notes(&scene.notes);
    for recording in contenders.iter().filter_map(Contender::recording) {
        files::open_regular(recording).map_err(|e| format!("{}: {e}", recording.display()))?;
        scene.files.push(recording.to_owned());
    }
    scene.files.extend(arguments.baseline.clone());
    let folder = Folder::prepare(&arguments.out, &scene.files, &contenders, existing)?;
    let interruption = Interruption::watch()?;
    let options = CompareOptions {
        steps: scene.steps,
        repeats: arguments.repeats,
        seed: arguments.seed,
        overlap_every: arguments.overlap_every.unwrap_or(0),
        recordings: Some(folder.staged().to_owned()),
        stop: Arc::clone(interruption.flag()),
    };
    let mut comparison = take(&scene, &contenders, &options, &interruption)?;
    let recorded = comparison.contenders.iter();
    let recorded =
        recorded.filter_map(|one| Some(format!("{}: {}", one.name, one.recording_fault.as_ref()?)));
    let mut faults: Vec<String> = recorded.collect();
    faults.extend(pictures::draw(&mut comparison, folder.staged()));
    let pictures = folder.staged().to_owned();
    let outcome = report(arguments, &Document::new(comparison)?, (folder, &pictures, faults), baseline)?;
    Ok(interruption.exit_code().map_or(outcome, Outcome::Interrupted))
}

/// Describes the reason why a comparison cannot be tested against its baseline.
fn unfit(reason: String) -> String {
    format!("the baseline does not fit: {reason}")
}

/// Runs the comparison with a progress bar.
fn take(
    scene: &Scene,
    contenders: &[Contender],
    options: &CompareOptions,
    interruption: &Interruption,
) -> Result<Comparison, Failure> {
    let runs = f64::from(options.repeats) + 1.0;
    let bar = output::progress((f64::from(options.steps) * runs) as u64, "steps of each");
    let comparison = compare(scene, contenders, options, &mut |phase, share| {
        let runs_done = match phase {
            Phase::SettingUp => 0.0,
            Phase::Observing => share,
            Phase::Timing => 1.0 + share * f64::from(options.repeats),
        };
        bar.set_position((runs_done * f64::from(options.steps)) as u64);
        interruption.exit_code().is_none()
    });
    bar.finish_and_clear();
    Ok(comparison?)
}

/// A comparison, with the verdict from a baseline.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'a Verdict>,
}

/// Prints a comparison, tests it against the baseline and writes its files. The results are printed
/// even if the files cannot be written.
fn report(
    arguments: &CompareArguments,
    document: &Document,
    (folder, pictures, mut faults): (Folder, &Path, Vec<String>),
    baseline: Option<&Comparison>,
) -> Result<Outcome, Failure> {
    faults.extend(folder.write(document, pictures).err().map(|error| error.to_string()));
    let placed = folder.place(&faults);
    let comparison = &document.comparison;
    let verdict = baseline.map(|baseline| judge(comparison, baseline, arguments.max_regress)).transpose();
    if arguments.json {
        let baseline = verdict.as_ref().ok().and_then(Option::as_ref);
        output::print_json(&Printed { comparison, baseline })?;
    } else {
        output::print(&text(comparison, &arguments.out))?;
    }
    placed?;
    let Some(Verdict { regressions, not_judged }) = verdict.map_err(unfit)? else {
        return Ok(Outcome::Done);
    };
    for note in &not_judged {
        output::warn(note);
    }
    for regression in &regressions {
        output::warn(&format!("worse than the baseline: {}", regression.text()));
    }
    if regressions.is_empty() && !arguments.json {
        output::print("no contender is worse than the baseline")?;
    }
    Ok(if regressions.is_empty() { Outcome::Done } else { Outcome::Found })
}

/// Formats a comparison as text.
fn text(comparison: &Comparison, folder: &Path) -> String {
    let Comparison { scene, steps, bodies, triangles, repeats, seed, .. } = comparison;
    let bodies = grouped(u64::from(*bodies));
    let triangles = grouped(*triangles);
    let mut text = format!(
        "{scene}: {steps} steps of {bodies} bodies with {triangles} triangles, timed {repeats} times in turns (seed {seed})\n\n{}\n\n{}",
        opening(comparison),
        table(comparison).text()
    );
    text += &format!("\noverlap: {}", comparison.sampling());
    for one in &comparison.contenders {
        text += &format!("\n{}: {}", one.name, one.about);
        if let Some(joints) = joints(one) {
            text += &format!("\n  joints: {joints}");
        }
        if let Some(ended) = &one.ended {
            text += &format!("\n  ended after step {}: {}", ended.step, ended.reason);
        }
        for what in &one.unmapped {
            text += &format!("\n  differs in: {what}");
        }
    }
    for note in &comparison.notes {
        text += &format!("\nnote: {note}");
    }
    text += &format!("\npage: {}\n", folder.join(PAGE).display());
    text
}
