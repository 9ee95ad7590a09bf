//! The command line: one file a verb, arguments → command. Results go to stdout, everything else to stderr;
//! nothing needs a display. Exit 0: done. 1: a check found something. 2: the input or the machine is at
//! fault. 130, 143, 129: ended by SIGINT (Ctrl-C), SIGTERM, SIGHUP, whether or not with a report first.
//!
//! - `bench.rs`: `tumble bench`, which repeats experiments.
//! - `budget.rs`: the options of a budget, shared by `tumble run` and `tumble view`.
//! - `check.rs`: `tumble check`, which parts clash, touch or come too near.
//! - `compare.rs`: `tumble compare`, one scene moved in several ways.
//! - `comparison_files.rs`: the files that it writes.
//! - `convert.rs`: `tumble convert`, what was opened as a file of another format.
//! - `diff.rs`: `tumble diff`, whether two recordings are the same.
//! - `export/`: `tumble export`, a recording as tables, and pictures.
//! - `inspect.rs`: `tumble inspect`, what was loaded and what is wrong with it.
//! - `inspect_joints.rs`: the joints that it lists.
//! - `kinds.rs`: the names of kinds as option values.
//! - `models.rs`: the options that say where models lie and what one without a scene file is opened as.
//! - `output.rs`: what is printed besides results: errors with their causes, notes, progress.
//! - `pictures.rs`: pictures without a window, among them those of a comparison.
//! - `play.rs`: `tumble play`, which reads a recording and may check it step by step.
//! - `run.rs`: `tumble run`, which steps a scene.
//! - `scenes.rs`: `tumble scenes`, the built-in scenes and copies of them.
//! - `signals.rs`: signals that would kill the process where an error or a report would do.
//! - `suite.rs`: `tumble bench --suite`, the report of the papers.
//! - `threads.rs`: numbers of worker threads as option values.
//! - `view.rs`: `tumble view`, the window.

mod bench;
mod budget;
mod check;
mod compare;
mod comparison_files;
mod convert;
mod diff;
mod export;
mod inspect;
mod inspect_joints;
mod kinds;
mod models;
mod output;
mod pictures;
mod play;
mod run;
mod scenes;
mod signals;
mod suite;
mod threads;
#[cfg(feature = "viewer")]
mod view;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Simulates rigid and articulated bodies whose surfaces are triangle meshes, exactly as they were modelled.
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
    Convert(convert::ConvertArguments),
    Compare(compare::CompareArguments),
    Diff(diff::DiffArguments),
    Bench(bench::BenchArguments),
}

/// How a verb ended when nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    /// A check found something: a clash, a divergence.
    Found,
    /// Ended early by a signal; holds the exit code that shells give it.
    Interrupted(u8),
}

type Failure = Box<dyn std::error::Error>;

/// Entry point of the binary.
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
        Some(Command::Convert(arguments)) => convert::convert(&arguments),
        Some(Command::Compare(arguments)) => compare::compare_scene(&arguments),
        Some(Command::Diff(arguments)) => diff::diff_runs(&arguments),
        Some(Command::Bench(arguments)) => bench::bench(&arguments),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Ok(Outcome::Interrupted(code)) => ExitCode::from(code),
        Err(failure) if output::is_closed_pipe(failure.as_ref()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::report(failure.as_ref());
            ExitCode::from(2)
        }
    }
}

/// `tumble` alone is a window on the demo.
#[cfg(feature = "viewer")]
fn default_verb() -> Result<Outcome, Failure> {
    view::view(&view::ViewArguments::default())
}

/// Without a window there is no default: clap shows the help instead.
#[cfg(not(feature = "viewer"))]
fn default_verb() -> Result<Outcome, Failure> {
    Err("name a verb; `tumble --help` lists them".into())
}
