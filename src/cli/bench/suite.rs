//! `tumble bench --suite paper`: measures all items of the papers, and writes one file per measurement.
//! Writes the report as a page, as Markdown and as tables.
//!
//! A measurement that has a file is not repeated. So if a run ended early, the next run resumes where
//! it stopped.

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};
use std::{env, fs, process};

use clap::builder::PossibleValuesParser;
use clap::{Args, Command, FromArgMatches, ValueEnum};

use super::BenchArguments;
use crate::cli::{Failure, Outcome, output};
use crate::compare::machine;
use crate::files::{self, Existing};
use crate::lab::suite::{
    MEASUREMENTS, Measured, Measurement, PEERS, Provenance, Report, ResultTable, Scope, markdown, page,
    tables,
};

/// A suite of measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Suite {
    /// The figures, tables and measured claims of the five papers.
    Paper,
}

/// Returns the parser of item names.
pub(super) fn item() -> PossibleValuesParser {
    PossibleValuesParser::new(Report::anchors())
}

/// Largest size of a measurement's file, bytes.
const MEASURED_LIMIT: u64 = 1 << 26;
/// Name of the folder of measurements, within the folder of the report.
const MEASURED: &str = "measured";

/// Measures all items that have no file yet, and writes the report.
pub(super) fn suite(arguments: &BenchArguments) -> Result<Outcome, Failure> {
    let (folder, scope) = (&arguments.out, if arguments.quick { Scope::Quick } else { Scope::Full });
    let existing = Existing::forced(arguments.force);
    let [html, text, results, picture] =
        ["paper.html", "paper.md", "results.md", "paper.svg"].map(|name| folder.join(name));
    let kept = folder.join(MEASURED);
    // If the folder has measurements, its report may be replaced, because the report is made from them.
    let over = if kept.is_dir() { Existing::Replace } else { existing };
    for path in [&html, &text, &results, &picture] {
        files::check_target(path, &[], over)?;
    }
    fs::create_dir_all(&kept).map_err(|e| format!("{}: cannot be created: {e}", kept.display()))?;
    let mut all = Vec::new();
    let needed = Report::needed(&arguments.item);
    let wanted: Vec<&Measurement> = MEASUREMENTS.iter().filter(|own| needed.contains(&own.name)).collect();
    for (k, measurement) in wanted.iter().enumerate() {
        let label = format!("{} of {}, {}", k + 1, wanted.len(), measurement.name);
        all.push(measured(measurement, scope, &kept, existing, &label)?);
    }
    let peers = kept.join(format!("{PEERS}.json"));
    if peers.exists() {
        all.push(read(&peers, None)?);
    }
    let report = Report::new(scope, &all, &arguments.item).map_err(|errors| {
        errors.iter().for_each(|error| output::warn(&error.to_string()));
        format!(
            "the report is not written, because {} of its items have no verdict; if the machine was busy, measure \
             them again with --force --item NAME,...",
            errors.len()
        )
    })?;
    let mut written = vec![(&html, page(&report)), (&text, markdown(&report))];
    written.extend(report.picture().map(|drawing| (&picture, drawing)));
    // If only some items are selected, some tables are missing, so the tables are not written.
    if arguments.item.is_empty() {
        let fragment = |table: &ResultTable| format!("## {}\n\n{}\n", table.name, table.markdown);
        written.push((&results, tables(&all)?.iter().map(fragment).collect()));
    }
    for (path, text) in &written {
        let fail = |e| format!("{}: cannot be written: {e}", path.display());
        files::write(path, text.as_bytes(), over).map_err(fail)?;
    }
    if arguments.json {
        output::print_json(&report.summary())?;
    } else {
        let files: Vec<String> = written.iter().map(|(path, _)| path.display().to_string()).collect();
        output::print(&format!("{}\n\nfiles: {}\n", report.lines().join("\n"), files.join(", ")))?;
    }
    Ok(Outcome::Done)
}

/// Reads a measurement from its file. If there is no file, measures and writes the file.
fn measured(
    measurement: &Measurement,
    scope: Scope,
    folder: &Path,
    existing: Existing,
    label: &str,
) -> Result<Measured, Failure> {
    let path = folder.join(format!("{}.json", measurement.name));
    if existing == Existing::Keep && path.exists() {
        return read(&path, Some(&measurement.command(scope)));
    }
    let arguments = parsed(measurement, scope)?;
    let spinner = output::spinner();
    spinner.set_message(label.to_owned());
    let start = Instant::now();
    let (experiment, options) = arguments.only()?;
    let findings = experiment.run(&options, &mut |text| spinner.set_message(format!("{label}: {text}")))?;
    spinner.finish_and_clear();
    if !findings.disagreements.is_empty() {
        return Err(format!("{}: {}", measurement.name, findings.disagreements.join("; ")).into());
    }
    let (columns, rows) = Measured::rows_of(&findings.table);
    let measured = Measured {
        name: measurement.name.to_owned(),
        command: measurement.command(scope),
        provenance: provenance(),
        seconds: start.elapsed().as_secs_f64(),
        columns,
        rows,
        notes: findings.notes,
    };
    let text = lines(&measured)?;
    let fail = |e| format!("{}: cannot be written: {e}", path.display());
    files::write(&path, text.as_bytes(), Existing::Replace).map_err(fail)?;
    Ok(measured)
}

/// Formats a measurement with one row per line. This keeps files small and makes their changes
/// readable.
fn lines(measured: &Measured) -> Result<String, Failure> {
    let rows: Vec<String> = measured.rows.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    let whole = serde_json::to_string(&Measured { rows: Vec::new(), ..measured.clone() })?;
    Ok(whole.replacen("\"rows\":[]", &format!("\"rows\":[\n{}\n]", rows.join(",\n")), 1) + "\n")
}

/// Reads a measurement. If `command` is given, returns an error if another command made the
/// measurement.
fn read(path: &Path, command: Option<&str>) -> Result<Measured, Failure> {
    let text = files::read_text(path, MEASURED_LIMIT).map_err(|e| format!("{}: {e}", path.display()))?;
    let measured: Measured =
        serde_json::from_str(&text).map_err(|e| format!("{}: is not a measurement: {e}", path.display()))?;
    if let Some(command) = command.filter(|command| *command != measured.command) {
        let text = format!(
            "{}: was measured by `{}`, not by `{command}`; --force measures again",
            path.display(),
            measured.command
        );
        return Err(text.into());
    }
    Ok(measured)
}

/// Parses the arguments of a measurement in the way of the command line.
fn parsed(measurement: &Measurement, scope: Scope) -> Result<BenchArguments, Failure> {
    let command = BenchArguments::augment_args(Command::new("bench").no_binary_name(true));
    let matches = command.try_get_matches_from(measurement.arguments(scope))?;
    Ok(BenchArguments::from_arg_matches(&matches)?)
}

/// Returns the machine, the date and the program version of the measurements.
fn provenance() -> Provenance {
    let machine = machine();
    Provenance {
        commit: commit().unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned()),
        compiler: format!("rustc {}", rustc_version_runtime::version()),
        processor: machine.processor,
        cores: machine.cores,
        system: machine.system,
        date: time::OffsetDateTime::from(SystemTime::now()).date().to_string(),
    }
}

/// Returns the git commit of the folder that contains the program, or `None` if there is none.
fn commit() -> Option<String> {
    let folder: PathBuf = env::current_exe().ok()?.parent()?.to_owned();
    let output = process::Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["describe", "--always", "--dirty", "--exclude=*"])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measurement_is_a_command_that_the_program_takes() {
        for measurement in &MEASUREMENTS {
            for scope in [Scope::Quick, Scope::Full] {
                let arguments = parsed(measurement, scope);
                let command = measurement.command(scope);
                arguments.and_then(|own| own.only().map(|_| ())).unwrap_or_else(|e| panic!("{command}: {e}"));
            }
        }
    }
}
