//! `step-heaps --against PROGRAM`: another build of the program steps the same scenes, in turns with this
//! one. Both run as a user runs them, on one thread, and record their steps. Each step counts with the least
//! of its times, so that a disturbance of the machine leaves no trace unless it hits every run of a step.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::super::chart::{Chart, Plot};
use super::super::experiment::{ExperimentError, Findings, Options, Watch};
use super::super::table::{Cell, Table};
use super::super::turns::turns;
use crate::arrays::MapEach;
use crate::record::RunReader;
use crate::scene::{SceneName, builtin_scenes};

const COLUMNS: [&str; 12] = [
    "scene",
    "program",
    "mean (ms)",
    "update (ms)",
    "test (ms)",
    "query (ms)",
    "solve (ms)",
    "p99 (ms)",
    "worst (ms)",
    "mean, ratio",
    "p99, ratio",
    "worst, ratio",
];

/// Number of runs of each program.
const RUNS: usize = 4;

/// Times of the four stages of a step, s.
type Stages = [f64; 4];

/// Least times of a program's steps.
#[derive(Default)]
struct Steps(Vec<Stages>);

impl Steps {
    /// Keeps the lesser times of each step.
    fn keep_least(&mut self, run: Vec<Stages>) {
        if self.0.is_empty() {
            self.0 = run;
            return;
        }
        for (least, step) in self.0.iter_mut().zip(run) {
            if step.iter().sum::<f64>() < least.iter().sum() {
                *least = step;
            }
        }
    }

    /// Returns the mean time of each stage, ms.
    fn means(&self) -> Stages {
        let count = self.0.len().max(1) as f64;
        [0, 1, 2, 3].map_each(|k| 1e3 * self.0.iter().map(|step| step[k]).sum::<f64>() / count)
    }

    /// Returns the mean time of a step, the 99th percentile and the greatest time, ms.
    fn spread(&self) -> [f64; 3] {
        let mut totals: Vec<f64> = self.0.iter().map(|step| 1e3 * step.iter().sum::<f64>()).collect();
        totals.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| totals.get(((totals.len() as f64 * share).ceil() as usize).max(1) - 1);
        [self.means().iter().sum(), at(0.99).copied().unwrap_or(0.0), at(1.0).copied().unwrap_or(0.0)]
    }
}

/// Runs the scenes of `options`, or the built-in ones, with `program` and with this program.
///
/// # Errors
/// Fails if one of the programs cannot run a scene or its recording cannot be read.
pub fn run(program: &Path, options: &Options, watch: Watch) -> Result<Findings, ExperimentError> {
    let own = std::env::current_exe()?;
    let programs = [program, &own];
    let builtin = || builtin_scenes().iter().map(|scene| SceneName::from(scene.name)).collect();
    let scenes: Vec<SceneName> = if options.meshes.is_empty() { builtin() } else { options.meshes.clone() };
    let runs = if options.quick { 1 } else { RUNS };
    let (mut table, mut bars, mut ratios) = (Table::new(&COLUMNS), Vec::new(), Vec::new());
    for scene in &scenes {
        let mut steps = [Steps::default(), Steps::default()];
        for turn in turns(runs, 1, programs.len()) {
            watch(&format!("{}: {}", scene.name, programs[turn.contender].display()));
            let run = record(programs[turn.contender], scene, options.steps(5, 200))?;
            steps[turn.contender].keep_least(run);
        }
        let spreads = steps.each_ref().map(Steps::spread);
        for (k, program) in programs.iter().enumerate() {
            let means = steps[k].means();
            let mut row: Vec<Cell> =
                vec![scene.name.as_str().into(), program.display().to_string().as_str().into()];
            row.push(spreads[k][0].into());
            row.extend(means.map(Cell::from));
            row.extend([spreads[k][1].into(), spreads[k][2].into()]);
            row.extend([0, 1, 2].map(|j| match k {
                0 => Cell::Nothing,
                _ => (spreads[1][j] / spreads[0][j]).into(),
            }));
            table.rows.push(row);
            bars.push((format!("{}, {}", scene.name, program.display()), means.to_vec()));
        }
        ratios.push(spreads[1][0] / spreads[0][0]);
    }
    let mean =
        libm::exp(ratios.iter().map(|ratio| libm::log(*ratio)).sum::<f64>() / ratios.len().max(1) as f64);
    let notes = vec![
        format!("runs of each program, in turns: {runs}; each step counts with the least of its times"),
        format!("geometric mean of the ratios of the means: {mean:.3}"),
    ];
    let parts = ["update", "test", "query", "solve"].map(str::to_owned).to_vec();
    let plot = Plot::Bars { label: "ms per step, mean".to_owned(), parts, bars };
    let chart = Chart { title: "Steps of two builds".to_owned(), plot };
    Ok(Findings { table, chart, disagreements: Vec::new(), notes })
}

/// Runs a scene with a program. Returns the times of all steps, s.
fn record(program: &Path, scene: &SceneName, steps: u32) -> Result<Vec<Stages>, ExperimentError> {
    let fail = |reason: String| ExperimentError::Against(program.to_owned(), scene.name.clone(), reason);
    let plain = SceneName {
        name: scene.name.clone(),
        model_paths: scene.model_paths.clone(),
        ..SceneName::default()
    };
    if plain.settings != scene.settings || plain.read_as != scene.read_as || plain.open_as != scene.open_as {
        return Err(fail(
            "options for models and settings of scenes cannot be handed on; write a scene file".to_owned(),
        ));
    }
    let file = Temporary::new();
    let mut command = Command::new(program);
    command.arg("run").arg(&scene.name).args(["--threads", "1", "--steps", &steps.to_string()]);
    for folder in &scene.model_paths {
        command.arg("--model-path").arg(folder);
    }
    command.arg("--record").arg(&file.0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let output = command.output().map_err(|error| fail(error.to_string()))?;
    // A run that finds faults ends with another status than 0, too.
    let mut reader = RunReader::open(&file.0).map_err(|error| {
        let text = String::from_utf8_lossy(&output.stderr);
        fail(text.lines().last().map_or_else(|| error.to_string(), str::to_owned))
    })?;
    let mut all = Vec::new();
    for step in 1..=reader.step_count() {
        let timings = reader.record(step).map_err(|error| fail(error.to_string()))?.timings;
        let crate::timing::Timings { update, test, query, solve } = timings;
        all.push([update, test, query, solve].map_each(|took| took.as_secs_f64()));
    }
    match all.len() as u32 == steps {
        true => Ok(all),
        false => Err(fail(format!("it took {} of {steps} steps", all.len()))),
    }
}

/// Path of a recording, which is removed at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("tumble-against-{}.tumble", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
