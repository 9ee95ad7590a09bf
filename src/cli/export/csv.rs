//! A recording as tables.

use std::path::Path;
use std::sync::atomic::Ordering;

use clap::Args;
use serde::Serialize;

use super::ExportArguments;
use crate::cli::signals::Interruption;
use crate::cli::{Failure, Outcome, output};
use crate::digits::grouped;
use crate::files::Existing;
use crate::import::is_model;
use crate::record::sheets::{self, Part, SheetError, Written};
use crate::record::{Kept, RunReader, begins_like_a_recording};
use crate::scene::builtin_scenes;

/// Options of tables.
#[derive(Args)]
pub(super) struct TableArguments {
    /// Bodies in the tables, with their pairs and joints. A pattern of names as in scene files
    /// (`gear*`), or of paths if it has a slash; repeatable. Default: all bodies.
    #[arg(long = "body", value_name = "GLOB")]
    bodies: Vec<String>,
}

impl TableArguments {
    /// Returns the name of the first given option.
    #[cfg(feature = "viewer")]
    pub fn first_given(&self) -> Option<&'static str> {
        let Self { bodies } = self;
        (!bodies.is_empty()).then_some("--body")
    }
}

#[derive(Serialize)]
struct Report<'a> {
    recording: &'a Path,
    /// The last step that is written.
    steps: u32,
    /// Whether the whole recording can be read.
    complete: bool,
    /// The missing data and the reason, if any.
    problem: Option<&'a str>,
    files: &'a [Written],
}

/// Writes the tables of a recording.
pub(super) fn write(arguments: &ExportArguments) -> Result<Outcome, Failure> {
    let run = &arguments.run;
    let path = Path::new(run);
    if !begins_like_a_recording(path) && is_scene(run) {
        let recording = super::stem(run).with_added_extension("tumble");
        let recording = recording.display();
        return Err(
            format!("{run}: is not a recording: `tumble run {run} --record {recording}` makes one").into()
        );
    }
    let at = |reason: String| Failure::from(format!("{run}: {reason}"));
    let mut reader = RunReader::open(path)?;
    arguments.models.shown(run).check_recording().map_err(at)?;
    let bodies = sheets::bodies_named(reader.scene(), &arguments.tables.bodies).map_err(at)?;
    let part = Part { bodies, every: arguments.every.unwrap_or(1) };
    let folder = arguments.out.clone().unwrap_or_else(|| super::stem(run));
    let interruption = Interruption::watch()?;
    let bar = output::progress(part.steps(reader.step_count()).count() as u64, "steps");
    let mut go_on = || {
        bar.inc(1);
        !interruption.flag().load(Ordering::Relaxed)
    };
    let target = (folder.as_path(), Existing::forced(arguments.force));
    let written = match (sheets::write(&mut reader, &part, target, &mut go_on), interruption.exit_code()) {
        (Err(stopped @ SheetError::Stopped(_)), Some(code)) => {
            output::warn(&stopped.to_string());
            return Ok(Outcome::Interrupted(code));
        }
        (written, _) => written?,
    };
    bar.finish_and_clear();
    print(arguments, &reader, &written)?;
    if reader.kept()? == Kept::None {
        output::warn(
            "the recording has no contacts and no joint loads, so there is no pairs.csv (tumble run \
             --record-contacts pairs records them)",
        );
    }
    if let Some(problem) = reader.problem() {
        output::warn(&format!("{run}: {problem}"));
        return Ok(Outcome::Found);
    }
    Ok(Outcome::Done)
}

fn print(arguments: &ExportArguments, reader: &RunReader, files: &[Written]) -> Result<(), Failure> {
    if arguments.json {
        return output::print_json(&Report {
            recording: Path::new(&arguments.run),
            steps: reader.step_count(),
            complete: reader.is_complete(),
            problem: reader.problem(),
            files,
        });
    }
    let line = |file: &Written| {
        let noun = if file.rows == 1 { "row" } else { "rows" };
        format!("{}: {} {noun}\n", file.path.display(), grouped(file.rows))
    };
    Ok(output::print(&files.iter().map(line).collect::<String>())?)
}

/// Returns whether this is the name of a scene or a model that can be run.
fn is_scene(name: &str) -> bool {
    let path = Path::new(name);
    let is_scene_file = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    builtin_scenes().iter().any(|scene| scene.name == name) || is_scene_file || is_model(path)
}
