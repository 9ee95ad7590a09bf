//! The runs of a sweep, from the arguments. Keys and values are checked before anything is run.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{ArgAction, Args, Command, FromArgMatches};

use super::super::run::{self, RunArguments};
use super::super::{Failure, output, waiting};
use super::{SweepArguments, one_run};
use crate::files;
use crate::import::alike::most_alike;
use crate::parallel;
use crate::scene::SceneError;
use crate::sweep::{Axis, Block, Manifest, Plan, Values};

/// Options of `tumble run` that do not change a run, or that a sweep sets.
const OWN_OPTIONS: [&str; 8] =
    ["record", "record-contacts", "force", "all", "json", "attended", "set", "help"];
/// Largest number of values of a key that are not numbers and are tried before the first run.
const TRIED: usize = 64;
/// Largest size of a list of values, bytes.
const LIST_BYTES: u64 = 1 << 28;

/// Runs of a sweep, and how to start each.
pub(super) struct Sweep {
    pub manifest: Manifest,
    /// Hash of the manifest.
    pub identity: String,
    /// Scene as in the command.
    pub scene: String,
    /// Files that the scene is read from.
    inputs: Vec<PathBuf>,
    /// Lengths and times of change of these files, from before they were hashed.
    stamps: Vec<Option<Stamp>>,
    /// Number of runs at a time.
    pub jobs: usize,
    options: Options,
    /// Words that all commands have after the scene.
    common: Vec<String>,
}

impl Sweep {
    /// Plans the sweep that the arguments ask for.
    ///
    /// # Errors
    /// Returns an error if a key is not there, a value does not fit, or the scene cannot be loaded.
    pub fn plan(arguments: &SweepArguments) -> Result<Self, Failure> {
        let scene = arguments.scene.clone().ok_or("name a scene")?;
        let options = Options::of_run();
        let common = arguments.models.words();
        let trial = Trial { scene: &scene, common: &common, options: &options };
        let plan = Plan::new(blocks(arguments, &trial)?)?;
        check_aliases(&plan)?;
        let inputs = waiting::try_values(&scene, || trial.check_all(&plan))?;
        let stamps = stamps(&inputs);
        let manifest = Manifest::new(&scene, names_of(&common), &inputs, plan)?;
        let identity = manifest.identity();
        let cores = parallel::core_count();
        let jobs = arguments.jobs.map_or(cores, |jobs| jobs as usize);
        Ok(Self { manifest, identity, scene, inputs, stamps, jobs, options, common })
    }

    /// Returns the file of the scene that changed since the sweep began, if any.
    pub fn changed_input(&self) -> Option<&Path> {
        let now = stamps(&self.inputs);
        let place = (0..now.len()).find(|&k| now[k] != self.stamps[k])?;
        Some(&self.inputs[place])
    }

    /// Returns the value of each key in a run.
    pub fn values(&self, run: u64) -> BTreeMap<String, String> {
        let plan = &self.manifest.plan;
        let values = plan.keys().zip(plan.values(run));
        values.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    /// Returns the words of the command that repeats a run.
    pub fn words(&self, run: u64) -> Vec<String> {
        let plan = &self.manifest.plan;
        let values = plan.keys().zip(plan.values(run));
        let mut words = vec!["tumble".to_owned(), "run".to_owned(), self.scene.clone()];
        words.extend(self.common.iter().cloned());
        words.extend(values.flat_map(|(key, value)| one_run::words(key, value, self.options.get(key))));
        words
    }

    /// Returns the words that a sweep adds to a command for its speed alone.
    pub fn extra_words(&self) -> Vec<String> {
        let is_varied = self.manifest.plan.keys().any(|key| key == "threads" || key == "config.threads");
        if self.jobs > 1 && !is_varied { vec!["--threads=1".to_owned()] } else { Vec::new() }
    }
}

/// Length of a file and the time of its last change.
type Stamp = (u64, SystemTime);

fn stamps(paths: &[PathBuf]) -> Vec<Option<Stamp>> {
    let stamp = |path: &PathBuf| {
        let about = fs::metadata(path).ok()?;
        Some((about.len(), about.modified().ok()?))
    };
    paths.iter().map(stamp).collect()
}

/// Options of `tumble run` that a sweep can vary, by name, and whether each takes a value.
struct Options(BTreeMap<String, bool>);

impl Options {
    fn of_run() -> Self {
        let command = RunArguments::augment_args(Command::new("run"));
        let option = |own: &clap::Arg| {
            let name = own.get_long().filter(|name| !OWN_OPTIONS.contains(name))?;
            Some((name.to_owned(), !matches!(own.get_action(), ArgAction::SetTrue)))
        };
        Self(command.get_arguments().filter_map(option).collect())
    }

    /// Returns whether an option takes a value; `None` if there is no such option.
    fn get(&self, key: &str) -> Option<bool> {
        self.0.get(key).copied()
    }
}

/// Returns the blocks of values that the arguments list.
fn blocks(arguments: &SweepArguments, trial: &Trial) -> Result<Vec<Block>, Failure> {
    let mut axes = arguments.vary.clone();
    let mut blocks: Vec<Block> =
        arguments.list.iter().map(|path| read_list(path)).collect::<Result<_, Failure>>()?;
    match arguments.samples {
        Some(count) => {
            for axis in &mut axes {
                trial.find_form(axis);
            }
            blocks.push(Block::latin_hypercube(&axes, count as usize, arguments.sampling_seed));
        }
        None => {
            for axis in axes {
                blocks.push(Block::of(axis)?);
            }
        }
    }
    if let Some(count) = arguments.seeds {
        let rows = (1..=count).map(|seed| vec![seed.to_string()]).collect();
        blocks.push(Block { keys: vec!["seed".to_owned()], rows });
    }
    if blocks.is_empty() {
        return Err("nothing is varied: give --vary KEY=VALUES, --list FILE or --seeds N".into());
    }
    Ok(blocks)
}

/// Reads a table of values.
fn read_list(path: &Path) -> Result<Block, Failure> {
    let at = |reason: String| format!("{}: {reason}", path.display());
    let text = files::read_text(path, LIST_BYTES).map_err(|error| at(error.to_string()))?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| at(error.to_string()))?;
    let keys: Vec<String> = head.iter().map(str::to_owned).collect();
    if keys.iter().any(String::is_empty) {
        return Err(at("line 1: each column needs a key".to_owned()).into());
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| at(error.to_string()))?;
        let row: Vec<String> = record.iter().map(str::to_owned).collect();
        if let Some(empty) = row.iter().position(String::is_empty) {
            let line = record.position().map_or(0, csv::Position::line);
            return Err(at(format!("line {line}: {} has no value", keys[empty])).into());
        }
        rows.push(row);
    }
    Ok(Block { keys, rows })
}

/// Returns an error if an option and a key of the scene file set the same.
fn check_aliases(plan: &Plan) -> Result<(), String> {
    let option = |key: &str| key.strip_prefix("config.").map(|rest| rest.replace("budget.", "budget-"));
    let twice = plan.keys().find_map(|key| {
        let option = option(key)?;
        plan.keys().find(|other| *other == option).map(|other| (other, key))
    });
    match twice {
        Some((option, key)) => Err(format!("{option} and {key} are the same key, which is varied twice")),
        None => Ok(()),
    }
}

/// Returns the words of options, each with its value, without the folders in them, which differ between
/// machines.
fn names_of(words: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for two in words.chunks(2) {
        match two {
            [option, _] if ["--model-path", "--package-path"].contains(&option.as_str()) => {}
            [option, path] if option == "--joints" => {
                let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
                names.extend([option.clone(), name]);
            }
            other => names.extend(other.iter().cloned()),
        }
    }
    names
}

/// Attempts to load the scene with some values of its keys, without stepping it.
struct Trial<'a> {
    scene: &'a str,
    common: &'a [String],
    options: &'a Options,
}

impl Trial<'_> {
    /// Loads the scene with the values of some keys. Returns the files that it is read from.
    fn load(&self, values: &[(&str, &str)]) -> Result<Vec<PathBuf>, Failure> {
        let mut words = vec![self.scene.to_owned()];
        words.extend(self.common.iter().cloned());
        for (key, value) in values {
            let option = self.options.get(key);
            if option == Some(false) && !["true", "false"].contains(value) {
                return Err(format!("{key} is true or false, not {value}").into());
            }
            words.extend(one_run::words(key, value, option));
        }
        let command = RunArguments::augment_args(Command::new("run").no_binary_name(true));
        let parsed =
            command.try_get_matches_from(&words).and_then(|found| RunArguments::from_arg_matches(&found));
        let arguments = parsed.map_err(|error| first_line(&error.to_string()))?;
        run::try_load(&arguments)
    }

    /// Decides whether a range has numbers or only whole numbers. Ends without a decimal point, such as
    /// 0..1, do not tell.
    fn find_form(&self, axis: &mut Axis) {
        let Values::Range(range) = &mut axis.values else { return };
        if range.is_whole {
            let between = format!("{:?}", range.from + 0.5 * (range.to - range.from).signum());
            range.is_whole = self.load(&[(&axis.key, &between)]).is_err();
        }
    }

    /// Checks all keys and their values. Returns the files that the scene is read from.
    fn check_all(&self, plan: &Plan) -> Result<Vec<PathBuf>, Failure> {
        let mut inputs = self.load(&[])?;
        let first: Vec<(&str, &str)> = plan.keys().zip(plan.values(0)).collect();
        for (place, (key, values)) in plan.columns().enumerate() {
            for value in tried(&values) {
                // Other keys have their first values, because some belong together.
                let mut values = first.clone();
                values[place].1 = value;
                let alone = self.load(&[(key, value)]);
                let loaded = alone.or_else(|alone| self.load(&values).map_err(|_| alone));
                let files = loaded.map_err(|error| self.explained(key, value, error.as_ref()))?;
                inputs.extend(files.into_iter().filter(|file| !inputs.contains(file)).collect::<Vec<_>>());
            }
        }
        match self.load(&first) {
            Err(error) if matches!(error.downcast_ref(), Some(SceneError::SamePlace { .. })) => Err(error),
            _ => Ok(inputs),
        }
    }

    /// Describes the reason why a key has no such value.
    fn explained(&self, key: &str, value: &str, error: &dyn Error) -> String {
        let place = format!("{}: {key}={value}: ", self.scene);
        let reason = output::with_causes(error);
        let reason = reason.strip_prefix(&place).unwrap_or(&reason);
        if key.contains('.') || self.options.get(key).is_some() || !reason.contains("unknown field") {
            return format!("{key}={value}: {reason}");
        }
        let names = self.options.0.keys().map(String::as_str);
        let hint = most_alike(key, names.clone().chain(["steps", "gravity"]));
        let hint = hint.map_or_else(
            || format!("; the options are {}", names.collect::<Vec<_>>().join(", ")),
            |name| format!("; did you mean {name}?"),
        );
        format!("{key}: is neither an option of `tumble run` nor a key at the top of the scene file{hint}")
    }
}

/// Returns the values of a key to try: the smallest and the largest whole number, the smallest and the
/// largest other number, and all that are no numbers, up to [`TRIED`].
fn tried<'a>(values: &[&'a str]) -> Vec<&'a str> {
    let number = |value: &&str| value.parse::<f64>().ok();
    let ends = |is_whole: bool| {
        let own = values.iter().filter(move |v| number(v).is_some() && v.parse::<i64>().is_ok() == is_whole);
        let compare =
            |a: &&&str, b: &&&str| number(a).unwrap_or_default().total_cmp(&number(b).unwrap_or_default());
        [own.clone().min_by(compare), own.max_by(compare)]
    };
    let mut tried: Vec<&str> = [ends(true), ends(false)].concat().into_iter().flatten().copied().collect();
    tried.dedup();
    tried.extend(values.iter().copied().filter(|value| number(value).is_none()).take(TRIED));
    tried
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
