//! The command line: one file a verb, arguments → command. Results go to stdout, everything else to stderr;
//! nothing needs a display. Exit 0: done. 1: a check found something. 2: the input or the machine is at
//! fault.

mod inspect;
mod kinds;
mod output;
mod play;
mod run;
mod scenes;
mod signals;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Simulates rigid and articulated bodies whose surfaces are triangle meshes, exactly as they were modelled.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::RunArguments),
    Play(play::PlayArguments),
    Inspect(inspect::InspectArguments),
    Scenes(scenes::ScenesArguments),
}

/// How a verb ended when nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    /// A check found something: a clash, a divergence.
    Found,
}

type Failure = Box<dyn std::error::Error>;

/// Entry point of the binary.
pub fn main() -> ExitCode {
    signals::survive_file_size_limit();
    let result = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Play(arguments) => play::play(&arguments),
        Command::Inspect(arguments) => inspect::inspect(&arguments),
        Command::Scenes(arguments) => scenes::scenes(&arguments),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Err(failure) if output::is_closed_pipe(failure.as_ref()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::report(failure.as_ref());
            ExitCode::from(2)
        }
    }
}
