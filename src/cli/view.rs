//! `tumble view`: a window on a scene, a model or a recording.

use std::time::Duration;

use clap::Args;

use super::budget::BudgetArguments;
use super::models::{ModelArguments, openable};
use super::{Failure, Outcome, output};
use crate::scene::DEFAULT_SCENE;
use crate::viewer::{self, OnChange, Status, WindowOptions};

/// Open a window on a scene, a model or a recording. `tumble` alone opens the demo.
#[derive(Args, Default)]
pub(super) struct ViewArguments {
    #[arg(help = format!("A recording, a {}; default: the demo", openable()))]
    scene: Option<String>,
    #[command(flatten)]
    models: ModelArguments,
    #[command(flatten)]
    budget: BudgetArguments,
    /// Close the window after this many seconds and print the cost of drawing and stepping.
    #[arg(long, value_name = "SECONDS")]
    close_after: Option<f64>,
    /// Print a line of JSON for every change of the view: loaded, selected, paused, or moved.
    #[arg(long)]
    events: bool,
    /// Print one JSON document about drawing and stepping when the window closes.
    #[arg(long)]
    json: bool,
}

/// Opens the window.
pub(super) fn view(arguments: &ViewArguments) -> Result<Outcome, Failure> {
    let close_after = match arguments.close_after {
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| format!("--close-after {seconds}: must be a number of seconds"))?,
        ),
        None => None,
    };
    let budget = arguments.budget.budget();
    if budget.is_some() && arguments.scene.as_deref().is_some_and(viewer::is_recording) {
        return Err("a recording is shown with the budget of its run: omit the budget".to_owned().into());
    }
    let report = viewer::open(WindowOptions {
        scene: arguments.models.shown(arguments.scene.as_deref().unwrap_or(DEFAULT_SCENE)),
        budget,
        close_after,
        on_change: arguments.events.then(|| Box::new(print_change) as OnChange),
        on_notes: Some(Box::new(output::report_notes)),
    })?;
    if arguments.json {
        output::print_json(&report)?;
    } else if close_after.is_some() {
        let [width, height] = report.status.size;
        output::print(&format!(
            "{}, {width} × {height}: {} pictures, every {:.1} ms (p99 {:.1}, longest {:.1}); {} steps of {:.2} ms (p99 {:.2})",
            report.adapter,
            report.frame_count,
            report.frame_ms.mean,
            report.frame_ms.p99,
            report.frame_ms.max,
            report.step_count,
            report.step_ms.mean,
            report.step_ms.p99,
        ))?;
    }
    Ok(Outcome::Done)
}

/// Prints a change. If the reader of stdout has closed it, printing ends but the window stays open.
fn print_change(status: &Status) {
    let _ = output::print_json_line(status);
}
