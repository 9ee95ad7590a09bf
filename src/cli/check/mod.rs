//! `tumble check`: finds parts that clash, touch or are too near, at the start or at a step of a run.
//!
//! - `deliver.rs`: files of the findings for other readers.
//! - `shard.rs`: a share of a check, and the merge of all shares.

mod deliver;
mod shard;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;

use super::models::{ModelArguments, openable};
use super::signals::Interruption;
use super::{Failure, Outcome, kinds, output, threads, waiting};
use crate::check::{Demands, Examination, Length, RuleFile, Rules, Watch};
use crate::files;
use crate::parallel;
use crate::pose::Pose;
use crate::record::{RunReader, begins_like_a_recording};
use crate::report::findings::{Change, CheckDocument, FindingFigures, GROWTH, Review, Setup, sheet, text};
use crate::scene::Scene;
use crate::sweep::Shard;

/// Largest size of a rules file that is read, bytes.
const RULES_BYTES: u64 = 1 << 20;
/// Largest size of a baseline that is read, bytes.
const BASELINE_BYTES: u64 = 1 << 31;

/// Find parts that clash, touch, lie inside others or are nearer than allowed. Nothing is stepped,
/// unless --step asks for it.
///
/// The depth of a clash is measured at the points of either surface that are inside the other solid. It
/// is the largest distance of such a point from the other solid's surface.
#[derive(Args)]
pub(super) struct CheckArguments {
    #[arg(help = format!("A recording, a {}", openable()))]
    model: String,
    #[command(flatten)]
    models: ModelArguments,
    /// Check at this step of a recording, or of a scene, which is stepped until then; 0 is the start.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = kinds::whole::<u32>)]
    step: Option<u32>,
    /// Report parts that are nearer than this without touching, such as 1mm or 20um.
    #[arg(long, value_name = "LENGTH", default_value = "0", allow_hyphen_values = true)]
    clearance: Length,
    /// Parts only touch if they are no deeper in each other, or no farther apart, than this. Default: a
    /// millionth of the smaller part, plus the rounding of both parts' coordinates.
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    tolerance: Option<Length>,
    /// File of rules for pairs by name, instead of the rules of the scene file: TOML with [[check]]
    /// entries.
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Print how far one part of a clash would have to move to come free. Takes much longer.
    #[arg(long)]
    way_out: bool,
    /// List every finding, also contacts, instead of groups of findings.
    #[arg(long)]
    all: bool,
    /// Compare with the JSON of an earlier check. Each finding is new, worse, existing or resolved.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Exit with 1 if there is a finding of this kind. Contacts do not count where no clearance is
    /// demanded, nor do pairs that the scene keeps apart, nor findings that MODEL.review.toml accepts.
    #[arg(long, value_name = "WHICH", default_value = "clash")]
    fail_on: FailOn,
    /// Do not exit with 2 because geometry of the files is missing here.
    #[arg(long)]
    allow_missing: bool,
    /// Count, with --fail-on, also the pairs that a joint, a rule or a filter of the scene keeps apart.
    #[arg(long)]
    with_excluded: bool,
    /// An accepted finding counts again if its overlap, or its lack of distance, has grown by more than
    /// this share since it was accepted.
    #[arg(long, value_name = "SHARE", default_value_t = GROWTH, value_parser = share, allow_negative_numbers = true)]
    worse_by: f64,
    /// Examine only this share of the pairs, such as 2/8, and append the answers to a file in the folder
    /// of --out. The same command goes on where an earlier one was ended.
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with_all = ["merge", "csv", "all", "baseline"])]
    shard: Option<Shard>,
    /// Folder for the answers of a shard.
    #[arg(long, value_name = "DIR", requires = "shard")]
    out: Option<PathBuf>,
    /// Take the answers of all shards from this folder instead of examining pairs. The model and the
    /// options must be those of the shards.
    #[arg(long, value_name = "DIR")]
    merge: Option<PathBuf>,
    /// Write a page of the findings, with a picture of each group, as one HTML file.
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    page: Option<PathBuf>,
    /// Write the groups of findings as topics of the BIM Collaboration Format 2.1 (.bcfzip), with
    /// viewpoints and pictures. Coordinates are z up, or along the file's axes if --up was given.
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    bcf: Option<PathBuf>,
    /// Replace the files of --page and --bcf if they exist; input files are never replaced.
    #[arg(long)]
    force: bool,
    /// Worker threads, at most one per core; 0 takes one per core. The findings do not depend on this
    /// number.
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true, value_parser = threads::count(0))]
    threads: u32,
    /// Print one JSON document.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a table as CSV with one line per finding.
    #[arg(long)]
    csv: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Every finding except contacts of parts that may touch.
    Any,
    /// Every such finding that is new or worse compared with the baseline.
    New,
    /// Parts inside each other, but not parts that are too near, nor parts that should touch.
    Clash,
    /// No finding.
    None,
}

/// Checks a scene or a recording and prints the findings.
pub(super) fn check(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    if arguments.fail_on == FailOn::New && arguments.baseline.is_none() {
        return Err("--fail-on new needs --baseline FILE, the JSON of an earlier check".into());
    }
    let old = arguments.baseline.as_deref().map(read_baseline).transpose()?;
    let (scene, poses) = placed(arguments)?;
    let scene = Arc::new(scene);
    deliver::check_targets(arguments, &scene)?;
    output::report_notes(&scene.notes);
    let rules = rules(arguments, &scene)?;
    let count = match arguments.threads {
        0 => parallel::core_count() as u32,
        count => threads::within_cores(count),
    };
    let parts = waiting::place(&scene, poses, count as usize)?;
    if parts.parts().next().is_none() {
        let place = &arguments.model;
        return Err(format!("{place}: has no part with a surface, so there is nothing to check").into());
    }
    let demands = Demands {
        clearance: arguments.clearance.0,
        tolerance: arguments.tolerance.map(|Length(meters)| meters),
        way_out: arguments.way_out,
    };
    let interruption = Interruption::watch()?;
    let examination = Examination::new(&parts, (&rules, demands), interruption.flag())
        .map_err(|error| format!("{}: {error}", arguments.model))?;
    let check = (&examination, &parts, demands);
    if let Some(shard) = arguments.shard.zip(arguments.out.as_deref()) {
        return shard::examine(arguments, shard, check, &interruption);
    }
    let checked = match &arguments.merge {
        Some(folder) => examination.gather(shard::merge(folder, check)?.into_iter()),
        None => {
            let bar = Bar(output::progress(examination.pairs().len() as u64, "pairs"));
            let checked = examination.examine_all(&bar);
            bar.0.finish_and_clear();
            checked
        }
    };
    let setup = Setup { model: arguments.model.clone(), step: arguments.step };
    let mut document = CheckDocument::new(&checked, &parts, demands, setup);
    let paths: BTreeSet<&str> = scene.bodies.iter().flat_map(|b| [b.path.as_str(), &b.name]).collect();
    if let Some((path, old)) = old {
        document.compare(old, &paths).map_err(|e| Failure::from(format!("{}: {e}", path.display())))?;
    }
    document.judge(&Review::beside(Path::new(&arguments.model)), arguments.worse_by, &paths);
    print(arguments, &document, &scene)?;
    deliver::deliver(arguments, &document, (&scene, &parts))?;
    if let Some(code) = interruption.exit_code().filter(|_| !document.complete) {
        return Ok(Outcome::Interrupted(code));
    }
    Ok(if fails(arguments, &document) {
        Outcome::Found
    } else if is_uncertain(arguments, &document) {
        Outcome::Uncertain
    } else {
        Outcome::Done
    })
}

/// Returns whether a finding may be missing.
fn is_uncertain(arguments: &CheckArguments, document: &CheckDocument) -> bool {
    let is_missing = !document.missing.is_empty() && !arguments.allow_missing;
    is_missing || document.coarse_tolerance.is_some() || document.open_count > 0
}

fn print(arguments: &CheckArguments, document: &CheckDocument, scene: &Scene) -> Result<(), Failure> {
    if arguments.json {
        output::print_json(document)?;
    } else if arguments.csv {
        output::print(&sheet::csv(document)?)?;
    } else {
        output::print(&text::text(document, scene, arguments.all))?;
    }
    for note in &document.notes {
        output::warn(note);
    }
    Ok(())
}

/// Loads the scene and the pose of each of its bodies.
fn placed(arguments: &CheckArguments) -> Result<(Scene, Vec<Pose>), Failure> {
    let path = Path::new(&arguments.model);
    if begins_like_a_recording(path) {
        let wrong = |reason| format!("{}: {reason}", arguments.model);
        arguments.models.shown(&arguments.model).check_recording().map_err(wrong)?;
        let mut reader = RunReader::open(path)?;
        let step = arguments.step.unwrap_or(0);
        let poses = reader.seek(step)?.poses.clone();
        if let Some(problem) = reader.problem() {
            output::warn(&format!("{}: {problem}", path.display()));
        }
        return Ok((reader.scene().clone(), poses));
    }
    let scene = waiting::load(arguments.models.shown(&arguments.model), None)?;
    let poses = match arguments.step {
        None | Some(0) => scene.bodies.iter().map(|body| body.pose).collect(),
        Some(step) => stepped(&scene, step)?,
    };
    Ok((scene, poses))
}

/// Steps a scene and returns the poses of its bodies.
fn stepped(scene: &Scene, step: u32) -> Result<Vec<Pose>, Failure> {
    let mut world = waiting::build(scene)?;
    let bar = output::progress(step.into(), "steps");
    let interruption = Interruption::watch()?;
    world.stop_on(interruption.flag());
    for _ in 0..step {
        world.step();
        bar.inc(1);
        if interruption.flag().load(Ordering::Relaxed) {
            return Err("interrupted before the checked step".into());
        }
    }
    bar.finish_and_clear();
    Ok(world.bodies().states.iter().map(|state| state.pose).collect())
}

fn rules(arguments: &CheckArguments, scene: &Scene) -> Result<Rules, Failure> {
    let Some(path) = &arguments.rules else { return Ok(Rules::new(&scene.checks, scene)?) };
    let at = |reason: String| Failure::from(format!("{}: {reason}", path.display()));
    let text = files::read_text(path, RULES_BYTES).map_err(|e| at(e.to_string()))?;
    let file: RuleFile = toml::from_str(&text).map_err(|e| at(e.to_string()))?;
    Rules::new(&file.checks, scene).map_err(at)
}

fn read_baseline(path: &Path) -> Result<(&Path, CheckDocument), Failure> {
    let at = |reason: String| Failure::from(format!("{}: {reason}", path.display()));
    let text = files::read_text(path, BASELINE_BYTES).map_err(|e| at(e.to_string()))?;
    Ok((path, CheckDocument::read(&text).map_err(|e| at(e.to_string()))?))
}

/// Parses a share, 0 or more.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| share.is_finite() && *share >= 0.0);
    share.ok_or_else(|| "must be a share such as 0.1, which is a tenth".to_owned())
}

/// Returns whether the findings call for exit code 1.
fn fails(arguments: &CheckArguments, document: &CheckDocument) -> bool {
    let counts = |finding: &FindingFigures| match arguments.fail_on {
        _ if finding.is_accepted() => false,
        FailOn::Any => finding.is_fault(),
        FailOn::New => finding.is_fault() && matches!(finding.change, Some(Change::New | Change::Worse)),
        FailOn::Clash => finding.is_clash(),
        FailOn::None => false,
    };
    let excluded = document.excluded.iter().filter(|_| arguments.with_excluded);
    document.findings.iter().chain(excluded).any(counts)
}

/// Progress bar on stderr.
struct Bar(ProgressBar);

impl Watch for Bar {
    fn done(&self, count: u64, _: u64) {
        self.0.set_position(count);
    }
}
