//! `tumble sweep`: runs a scene many times with other values of its keys, and puts the results together.
//!
//! - `drive.rs`: the runs, each a process of its own.
//! - `merge.rs`: `tumble sweep merge`, the tables and the page.
//! - `one_run.rs`: the words of the command of one run, and its result.
//! - `plan.rs`: the runs that the arguments ask for, checked before the first.

mod drive;
mod merge;
mod one_run;
mod plan;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::models::{ModelArguments, scene_or_model};
use super::signals::Interruption;
use super::{Failure, Outcome, kinds, output};
use crate::digits::grouped;
use crate::sweep::{Axis, End, Folder, Shard, Tally};
use merge::MergeArguments;
use plan::Sweep;

/// Run a scene many times with other values of its keys. Every run has a result file in DIR/runs. A run
/// that has its result is not repeated, so a sweep that was killed goes on where it was.
///
/// `tumble sweep merge DIR` makes tables and a page of the results. Exit code 0 means that all runs of
/// the shard have a result, also if some of them broke an expectation.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct SweepArguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[arg(required = true, help = scene_or_model())]
    scene: Option<String>,
    #[command(flatten)]
    models: ModelArguments,
    /// Key and its values: a list (tree=obb,sphere), numbers from end to end
    /// (part.crate.friction=0.1..0.9:5), or a range for --samples (config.dt=0.001..0.01). A key is a
    /// path in the scene file, as for --set, or an option of `tumble run` without its dashes;
    /// repeatable. All combinations are run.
    #[arg(long, value_name = "KEY=VALUES", value_parser = Axis::parse, allow_hyphen_values = true)]
    vary: Vec<Axis>,
    /// Table of values, CSV: the first line has the keys, each other line is a run. Combined with every
    /// value of --vary.
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Take N samples of the values of all --vary, a Latin hypercube, instead of all combinations.
    #[arg(long, value_name = "N", requires = "vary", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    samples: Option<u64>,
    /// Seed of the samples.
    #[arg(long, value_name = "N", default_value = "1", requires = "samples", value_parser = kinds::whole::<u64>)]
    sampling_seed: u64,
    /// Repeat everything with the seeds 1 to N of the scene: other random placements of its copies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: Option<u64>,
    /// Do only share I of N equal shares of the runs, as on one of N machines.
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Number of runs at a time; default: one per core. Each has one thread, unless `threads` is varied
    /// or only one is run at a time. For timings that compare fairly, run one at a time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    jobs: Option<u32>,
    /// Runs to record, in DIR/recordings.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    record: Recorded,
    /// Folder to write to. Shards may have the same or different folders.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Verb {
    Merge(MergeArguments),
}

/// Runs that a sweep records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Recorded {
    /// Runs that break an expectation.
    Failing,
    All,
    None,
}

/// Work of a shard, as JSON.
#[derive(Serialize)]
struct Report<'a> {
    scene: &'a str,
    /// Runs of the whole sweep.
    runs: u64,
    shard: String,
    /// Runs of this shard.
    own_runs: u64,
    /// Runs of this shard that had their result before.
    earlier: u64,
    /// Runs of this shard that have a result, by their ends.
    ends: Tally,
    out: &'a PathBuf,
}

/// Runs a shard of a sweep, or merges the results of a sweep.
pub(super) fn sweep(arguments: &SweepArguments) -> Result<Outcome, Failure> {
    if let Some(Verb::Merge(merge)) = &arguments.verb {
        return merge::merge(merge);
    }
    let out = arguments.out.as_ref().ok_or("name a folder for the results: --out DIR")?;
    let sweep = Sweep::plan(arguments)?;
    let folder = Folder::open(out, &sweep.manifest, arguments.shard)?;
    let interruption = Interruption::watch()?;
    let own_runs = arguments.shard.runs(sweep.manifest.plan.run_count());
    let driven = drive::drive(&sweep, &folder, &own_runs, arguments.record, &interruption)?;
    let report = Report {
        scene: &sweep.manifest.scene,
        runs: sweep.manifest.plan.run_count(),
        shard: arguments.shard.to_string(),
        own_runs: own_runs.len() as u64,
        earlier: driven.earlier,
        ends: driven.ends,
        out,
    };
    if arguments.json {
        output::print_json(&report)?;
    } else {
        output::print(&text(&report))?;
    }
    let missing = report.own_runs - report.ends.count();
    if missing > 0 {
        output::warn(&format!("interrupted: {missing} runs are left; the same command does them"));
    }
    Ok(interruption.exit_code().filter(|_| missing > 0).map_or(Outcome::Done, Outcome::Interrupted))
}

/// Formats the report as text.
fn text(report: &Report) -> String {
    let Report { scene, runs, shard, own_runs, earlier, ends, out } = report;
    let whole = shard == &Shard::WHOLE.to_string();
    let share = if whole { String::new() } else { format!(", {} in shard {shard}", grouped(*own_runs)) };
    let mut text = format!("{scene}: {} runs{share}\n", grouped(*runs));
    if *earlier > 0 {
        text += &format!("{:>9} were done before\n", grouped(*earlier));
    }
    for end in End::ALL {
        if ends.of(end) > 0 || end == End::Held {
            text += &format!("{:>9} {}\n", grouped(ends.of(end)), end.description());
        }
    }
    text + &format!(
        "results: {}; `tumble sweep merge {}` makes the tables and a page\n",
        out.display(),
        out.display()
    )
}
