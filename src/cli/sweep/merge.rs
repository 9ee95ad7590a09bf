//! `tumble sweep merge`: the tables and the page of a sweep, from the results of all its shards.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::super::{Failure, Outcome, output};
use crate::digits::grouped;
use crate::files::{self, Existing};
use crate::sweep::{End, Merged, Tally, opening};

/// Make tables and a page of the results of a sweep: table.csv, table.json, timings.csv and page.html.
/// They do not depend on the number of shards or their order.
///
/// Exit code 1 if a run is missing, broke an expectation or has no report.
#[derive(Args)]
pub(super) struct MergeArguments {
    /// Folders of the sweep; several if its machines did not share one.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Folder to write to; default: the first DIR.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files of these names in a folder that is not one of the sweep's own.
    #[arg(long)]
    force: bool,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Work of a merge, as JSON.
#[derive(Serialize)]
struct Report<'a> {
    scene: &'a str,
    /// Runs of the sweep.
    runs: u64,
    /// Runs that have a result, by their ends.
    ends: Tally,
    /// Runs without a result.
    missing: &'a [u64],
    /// Files that are no results, and runs of which two results differ.
    faults: &'a [String],
    files: Vec<PathBuf>,
}

/// Number of missing runs and of faults that are listed. table.json has all.
const LISTED: usize = 20;

/// Reads all results and writes the tables and the page.
pub(super) fn merge(arguments: &MergeArguments) -> Result<Outcome, Failure> {
    let merged = Merged::read(&arguments.folders)?;
    let out = arguments.out.as_ref().unwrap_or(&arguments.folders[0]);
    let all = [
        ("table.csv", merged.table_csv()?),
        ("table.json", merged.table_json()?),
        ("timings.csv", merged.timings_csv()?),
        ("page.html", merged.page().into_bytes()),
    ];
    // In its own folders the tables are made from the results, so an earlier one has nothing to lose.
    let is_own = arguments.folders.contains(out);
    let existing = Existing::forced(is_own || arguments.force);
    for (name, _) in &all {
        files::check_target(&out.join(name), &[], existing)?;
    }
    std::fs::create_dir_all(out).map_err(|error| format!("{}: cannot be created: {error}", out.display()))?;
    let files: Vec<PathBuf> = all.iter().map(|(name, _)| out.join(name)).collect();
    let set: Vec<(&Path, Vec<u8>)> =
        files.iter().map(|path| &**path).zip(all.map(|(_, bytes)| bytes)).collect();
    files::write_set(&set, existing)?;
    let report = Report {
        scene: &merged.manifest.scene,
        runs: merged.manifest.plan.run_count(),
        ends: merged.ends(),
        missing: &merged.missing,
        faults: &merged.faults,
        files,
    };
    if arguments.json {
        output::print_json(&report)?;
    } else {
        output::print(&text(&merged, &report))?;
    }
    for fault in report.faults.iter().take(LISTED) {
        output::warn(fault);
    }
    if report.faults.len() > LISTED {
        output::warn(&format!(
            "{} more files or runs have faults; table.json lists them",
            report.faults.len() - LISTED
        ));
    }
    let is_clean = report.missing.is_empty() && report.faults.is_empty() && report.ends.failing() == 0;
    Ok(if is_clean { Outcome::Done } else { Outcome::Found })
}

/// Formats the report as text.
fn text(merged: &Merged, report: &Report) -> String {
    let mut text = format!("{}\n", opening(merged).join(" "));
    for end in End::ALL {
        let count = report.ends.of(end);
        if count > 0 {
            text += &format!("{:>9} {}\n", grouped(count), end.description());
        }
    }
    if !report.missing.is_empty() {
        let listed: Vec<String> = report.missing.iter().take(LISTED).map(u64::to_string).collect();
        let more = if report.missing.len() > LISTED { ", …" } else { "" };
        text += &format!(
            "{:>9} without a result: {}{more}\n",
            grouped(report.missing.len() as u64),
            listed.join(", ")
        );
    }
    let files: Vec<String> = report.files.iter().map(|file| file.display().to_string()).collect();
    text + &format!("files: {}\n", files.join(", "))
}
