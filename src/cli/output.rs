//! Output besides results: errors with their causes, notes on the loaded scene, and progress.

use std::error::Error;
use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::import::Note;
use crate::import::text::legible;

/// Writes one document to stdout.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in text.trim_end().lines() {
        writeln!(out, "{}", legible(line))?;
    }
    out.flush()
}

/// Writes one JSON document to stdout.
pub(super) fn print_json(document: &impl Serialize) -> Result<(), super::Failure> {
    // The text is printed unchanged. JSON escapes the texts in it already, and a reader must get them
    // back.
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string_pretty(document)?)?;
    out.flush()?;
    Ok(())
}

/// Writes one JSON document to stdout, on a line of its own.
#[cfg(feature = "viewer")]
pub(super) fn print_json_line(document: &impl Serialize) -> Result<(), super::Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(document)?)?;
    out.flush()?;
    Ok(())
}

/// Describes an error and its causes in one line.
pub(super) fn with_causes(failure: &dyn Error) -> String {
    causes(failure).join(" because ")
}

/// Returns the texts of an error and its causes.
fn causes(failure: &dyn Error) -> Vec<String> {
    let mut texts = vec![failure.to_string()];
    let mut cause = failure.source();
    while let Some(inner) = cause {
        texts.push(inner.to_string());
        cause = inner.source();
    }
    texts
}

/// Prints an error and its causes on stderr.
pub(super) fn report(failure: &dyn Error) {
    let lines: Vec<String> = causes(failure).iter().map(|text| legible(text).to_string()).collect();
    let text = format!("error: {}", lines.join("\n  because "));
    // If stderr is closed, the error cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints a warning on stderr.
pub(super) fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "warning: {}", legible(text));
}

/// Prints the notes of a scene on stderr. Notes with the same text become one line.
pub(super) fn report_notes(notes: &[Note]) {
    let mut lines: Vec<(&Note, usize)> = Vec::new();
    for note in notes {
        match lines.iter_mut().find(|l| l.0.text == note.text) {
            Some(line) => line.1 += 1,
            None => lines.push((note, 1)),
        }
    }
    let mut err = io::stderr().lock();
    for (Note { kind, place, text }, count) in lines {
        let word = if kind.is_warning() { "warning" } else { "note" };
        let more = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        let _ = writeln!(err, "{word}: {}{more}: {}", legible(place), legible(text));
    }
}

/// Returns whether the reader of stdout closed it, as `| head` does. This is not an error.
pub(super) fn is_closed_pipe(failure: &(dyn Error + 'static)) -> bool {
    failure.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Creates a progress bar on stderr for work of `length` items. It is hidden if stderr is not a
/// terminal.
pub(super) fn progress(length: u64, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10));
    let template = format!("{{bar:40}} {{pos}}/{{len}} {unit}  {{elapsed}}, {{eta}} left");
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Creates a spinner with a message on stderr. It is hidden if stderr is not a terminal.
pub(super) fn spinner() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    match ProgressStyle::with_template("{spinner} {elapsed}  {msg}") {
        Ok(style) => spinner.with_style(style),
        Err(_) => spinner,
    }
}
