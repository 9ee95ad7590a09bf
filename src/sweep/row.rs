//! A row of the table of a sweep: the values of a run, its end, and the main figures of its report.

use serde_json::Value;

use super::result::{End, RunResult};

/// Figures of a report that are the same whenever and wherever the run is made, with the names of their
/// columns.
pub const FIGURES: [(&str, Figure); 14] = [
    ("steps_taken", Figure::Number("/steps")),
    ("deepest_overlap_mm", Figure::Number("/penetration_mm/max")),
    ("deepest_at_rest_mm", Figure::Number("/depth_mm/max")),
    ("greatest_force_n", Figure::Greatest("/touches", "force_n")),
    ("greatest_joint_force_n", Figure::Greatest("/joints", "force_n")),
    ("touching_pairs", Figure::Count("/touches")),
    ("last_energy_j", Figure::Number("/energy_j/last")),
    ("sleeping", Figure::Number("/sleeping")),
    ("fallen", Figure::Count("/falls")),
    ("quarantined", Figure::Number("/quarantined")),
    ("passages", Figure::Count("/passages")),
    ("node_tests_per_step", Figure::Number("/counts/node_tests/mean")),
    ("candidates_per_step", Figure::Number("/counts/candidates/mean")),
    ("contacts_per_step", Figure::Number("/counts/contacts/mean")),
];
/// Place of the deepest overlap among the figures.
pub const DEEPEST_OVERLAP: usize = 1;

/// Times of a report, ms per step, with the names of their columns.
pub const TIMES: [(&str, Figure); 6] = [
    ("update_ms", Figure::Number("/timings_ms/update/mean")),
    ("test_ms", Figure::Number("/timings_ms/test/mean")),
    ("query_ms", Figure::Number("/timings_ms/query/mean")),
    ("solve_ms", Figure::Number("/timings_ms/solve/mean")),
    ("step_ms", Figure::Number("/timings_ms/total/mean")),
    ("slowest_step_ms", Figure::Number("/timings_ms/total/max")),
];

/// Number in a report.
#[derive(Clone, Copy, Debug)]
pub enum Figure {
    /// Number at a JSON pointer.
    Number(&'static str),
    /// Length of the list at a JSON pointer.
    Count(&'static str),
    /// Largest value of a key in the entries of the list at a JSON pointer.
    Greatest(&'static str, &'static str),
}

/// Row of the table of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub run: u64,
    /// Values of the varied keys, in the order of the plan.
    pub values: Vec<String>,
    pub end: End,
    /// Verdict on each expectation; `None` if the run could not tell.
    pub verdicts: Vec<Verdict>,
    /// Reasons of all broken expectations, or the error of a run without a report.
    pub reason: String,
    /// Values of [`FIGURES`].
    pub figures: Vec<Option<f64>>,
    /// Values of [`TIMES`].
    pub times: Vec<Option<f64>>,
    pub state_hash: Option<String>,
    pub seconds: f64,
    pub peak_memory_bytes: Option<u64>,
    pub command: String,
}

/// Verdict on an expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub expects: String,
    pub held: Option<bool>,
    /// Pair, part or joint that decided it.
    pub because: String,
}

impl Figure {
    fn of(self, report: &Value) -> Option<f64> {
        match self {
            Self::Number(place) => report.pointer(place)?.as_f64(),
            Self::Count(place) => Some(report.pointer(place)?.as_array()?.len() as f64),
            Self::Greatest(place, key) => {
                let list = report.pointer(place)?.as_array()?;
                list.iter().filter_map(|one| one.get(key)?.as_f64()).reduce(f64::max)
            }
        }
    }
}

impl Row {
    /// Takes the row of a result. `keys` are the varied keys, in the order of the plan.
    pub fn of<'a>(result: RunResult, keys: impl Iterator<Item = &'a str>) -> Self {
        let failure = failure(&result);
        let report = result.report.unwrap_or_default();
        let expectations = report.get("expectations").and_then(Value::as_array);
        let expectations = expectations.map(Vec::as_slice).unwrap_or_default();
        let text =
            |one: &Value, key: &str| one.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let held = |one: &Value| one.get("held").and_then(Value::as_bool);
        let broken = expectations.iter().filter(|one| held(one) == Some(false));
        let reason = match result.end.is_whole() {
            true => broken.map(|one| text(one, "because")).collect::<Vec<_>>().join("; "),
            false => failure,
        };
        let verdict = |one: &Value| Verdict {
            expects: text(one, "expects"),
            held: held(one),
            because: text(one, "because"),
        };
        Self {
            run: result.run,
            values: keys.map(|key| result.values.get(key).cloned().unwrap_or_default()).collect(),
            end: result.end,
            verdicts: expectations.iter().map(verdict).collect(),
            reason,
            figures: FIGURES.iter().map(|(_, figure)| figure.of(&report)).collect(),
            times: TIMES.iter().map(|(_, figure)| figure.of(&report)).collect(),
            state_hash: result.state_hash,
            seconds: result.seconds,
            peak_memory_bytes: result.peak_memory_bytes,
            command: result.command,
        }
    }

    /// Returns whether the run broke an expectation or has no report.
    pub fn is_failing(&self) -> bool {
        self.end != End::Held
    }
}

/// Describes why a run has no report.
fn failure(result: &RunResult) -> String {
    match (result.last_error(), result.exit_code) {
        (Some(error), _) => error.to_owned(),
        (None, Some(code)) => format!("ended with exit code {code}"),
        (None, None) => "was killed by a signal".to_owned(),
    }
}
