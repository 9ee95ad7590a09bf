//! The command line. There is one file per verb, which goes from the arguments to the command. Results
//! go to stdout and everything else goes to stderr. Only `view` needs a display.
//!
//! Exit codes: 0 if all is done, 1 if a check found something, and 2 if the input or the machine is at
//! fault, or the result of a check is not certain. 130, 143 and 129 mean that SIGINT (Ctrl-C), SIGTERM or
//! SIGHUP ended the program, with or without a report.
//!
//! - `bench/`: `tumble bench`, which repeats experiments.
//! - `budget.rs`: the options of a budget, shared by `tumble run` and `tumble view`.
//! - `check/`: `tumble check`, which finds parts that clash, touch or are too near.
//! - `compare.rs`: `tumble compare`, which runs one scene with several methods.
//! - `comparison_files.rs`: the files that `tumble compare` writes.
//! - `convert.rs`: `tumble convert`, which writes a model or scene in another format.
//! - `demo.rs`: `tumble` without a verb, the demo.
//! - `diff.rs`: `tumble diff`, which compares two recordings.
//! - `export/`: `tumble export`, which writes tables and pictures.
//! - `inspect/`: `tumble inspect`, which lists the contents of a scene and its flaws.
//! - `kinds.rs`: the names of kinds as option values.
//! - `models.rs`: the options for finding models and for opening a model without a scene file.
//! - `output.rs`: output besides results: errors with their causes, notes, and progress.
//! - `pictures.rs`: pictures without a window, among them those of a comparison.
//! - `play.rs`: `tumble play`, which reads a recording and can compare it with a new simulation.
//! - `run.rs`: `tumble run`, which steps a scene.
//! - `scenes.rs`: `tumble scenes`, which lists the built-in scenes and copies them.
//! - `schema.rs`: `tumble schema`, which prints the JSON Schema of scene files.
//! - `signals.rs`: signals that would kill the process without an error or a report.
//! - `sweep/`: `tumble sweep`, which runs a scene many times with other values of its keys.
//! - `threads.rs`: numbers of worker threads as option values.
//! - `view.rs`: `tumble view`, the window.
//! - `waiting.rs`: slow work before the first result, with a line on the terminal.
//! - `without.rs`: verbs that this program was built without.

#[cfg(feature = "bench")]
mod bench;
mod budget;
mod check;
mod compare;
mod comparison_files;
mod convert;
#[cfg(feature = "viewer")]
mod demo;
mod diff;
mod export;
mod inspect;
mod kinds;
mod models;
mod output;
mod pictures;
mod play;
mod run;
mod scenes;
mod schema;
mod signals;
mod sweep;
mod threads;
#[cfg(feature = "viewer")]
mod view;
mod waiting;
#[cfg(not(feature = "bench"))]
mod without;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Simulate rigid and articulated bodies whose surfaces are triangle meshes, exactly as they were
/// modelled.
#[derive(Parser)]
#[command(version, arg_required_else_help = cfg!(not(feature = "viewer")), max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    #[cfg(feature = "viewer")]
    View(view::ViewArguments),
    Run(run::RunArguments),
    Play(play::PlayArguments),
    Inspect(inspect::InspectArguments),
    Check(check::CheckArguments),
    Export(export::ExportArguments),
    Scenes(scenes::ScenesArguments),
    Schema(schema::SchemaArguments),
    Convert(convert::ConvertArguments),
    Sweep(sweep::SweepArguments),
    Compare(compare::CompareArguments),
    Diff(diff::DiffArguments),
    #[cfg(feature = "bench")]
    Bench(bench::BenchArguments),
    #[cfg(not(feature = "bench"))]
    #[command(hide = true)]
    Bench(without::AnyArguments),
}

/// Result of a verb without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    /// A check found something, such as a clash or a divergence.
    Found,
    /// The verb did its work and printed the result, but the result is not certain, for example because
    /// part of the input is missing.
    Uncertain,
    /// A signal ended the verb early. The value is the exit code that shells use for this signal.
    Interrupted(u8),
}

type Failure = Box<dyn std::error::Error>;

/// Runs the program.
pub fn main() -> ExitCode {
    signals::survive_file_size_limit();
    let result = match Arguments::parse().command {
        None => default_verb(),
        #[cfg(feature = "viewer")]
        Some(Command::View(arguments)) => view::view(&arguments),
        Some(Command::Run(arguments)) => run::run(&arguments),
        Some(Command::Play(arguments)) => play::play(&arguments),
        Some(Command::Inspect(arguments)) => inspect::inspect(&arguments),
        Some(Command::Check(arguments)) => check::check(&arguments),
        Some(Command::Export(arguments)) => export::export(&arguments),
        Some(Command::Scenes(arguments)) => scenes::scenes(&arguments),
        Some(Command::Schema(_)) => schema::schema(),
        Some(Command::Convert(arguments)) => convert::convert(&arguments),
        Some(Command::Sweep(arguments)) => sweep::sweep(&arguments),
        Some(Command::Compare(arguments)) => compare::compare_scene(&arguments),
        Some(Command::Diff(arguments)) => diff::diff_runs(&arguments),
        #[cfg(feature = "bench")]
        Some(Command::Bench(arguments)) => bench::bench(&arguments),
        #[cfg(not(feature = "bench"))]
        Some(Command::Bench(_)) => without::bench(),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Ok(Outcome::Uncertain) => ExitCode::from(2),
        Ok(Outcome::Interrupted(code)) => ExitCode::from(code),
        Err(failure) if output::is_closed_pipe(failure.as_ref()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::report(failure.as_ref());
            ExitCode::from(2)
        }
    }
}

/// Runs `tumble` without a verb, which shows the demo.
#[cfg(feature = "viewer")]
fn default_verb() -> Result<Outcome, Failure> {
    demo::demo()
}

/// Returns an error, as there is no default verb without a window. Before this is called, clap shows
/// the help.
#[cfg(not(feature = "viewer"))]
fn default_verb() -> Result<Outcome, Failure> {
    Err("name a verb; `tumble --help` lists them".into())
}
