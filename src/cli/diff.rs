//! `tumble diff`: compares two recordings and finds where they first differ.

use std::path::PathBuf;

use clap::Args;

use super::{Failure, Outcome, output};
use crate::compare::{Difference, diff};

/// Compare two recordings of one scene step by step. Exit code 1 if they differ in a pose, in a
/// velocity or in the number of steps.
#[derive(Args)]
pub(super) struct DiffArguments {
    /// A recording written by `tumble run --record` or `tumble compare`.
    a: PathBuf,
    /// Another recording of the same scene.
    b: PathBuf,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Compares two recordings and prints the difference.
pub(super) fn diff_runs(arguments: &DiffArguments) -> Result<Outcome, Failure> {
    let difference = diff([&arguments.a, &arguments.b])?;
    if arguments.json {
        output::print_json(&difference)?;
    } else {
        output::print(&text(&difference))?;
    }
    for run in &difference.runs {
        if let Some(problem) = &run.problem {
            output::warn(&format!("{}: {problem}", run.path));
        }
    }
    Ok(if difference.same { Outcome::Done } else { Outcome::Found })
}

/// Formats a difference as text.
fn text(difference: &Difference) -> String {
    let Difference { runs, steps, first_state, first, first_count, last_count, farthest, ratio, .. } =
        difference;
    let mut text = match first {
        None if let Some(step) = first_state => format!(
            "all poses of the {steps} common steps are the same; step {step} is the first with different velocities"
        ),
        None => format!("the {steps} common steps are the same, bit for bit"),
        Some(first) => format!(
            "step {} is the first that differs, in {}: \"{}\" is {:.3e} m away; after step {steps} the runs \
             differ in {}, the farthest being",
            first.step,
            bodies(*first_count),
            first.body,
            first.distance,
            bodies(*last_count)
        ),
    };
    for displaced in farthest.iter().take(5) {
        text += &format!("\n  {:.3e} m  {}", displaced.distance, displaced.body);
    }
    if runs[0].steps != runs[1].steps {
        text += &format!("\n{} steps in the first, {} in the second", runs[0].steps, runs[1].steps);
    }
    for run in runs {
        let [update, test, query, solve] = run.stages_ms;
        text += &format!(
            "\n{}: {:.3} ms per step (update {update:.3}, test {test:.3}, query {query:.3}, solve {solve:.3}), \
             tumble {}",
            run.path, run.mean_ms, run.tumble_version
        );
    }
    if let Some(ratio) = ratio {
        let interval = ratio
            .interval
            .map_or(String::new(), |[low, high]| format!(" ({low:.3}–{high:.3} over blocks of steps)"));
        text += &format!(
            "\nthe second took {:.3} times as long as the first{interval}; each was run once",
            ratio.value
        );
    }
    text
}

fn bodies(count: u32) -> String {
    if count == 1 { "1 body".to_owned() } else { format!("{count} bodies") }
}
