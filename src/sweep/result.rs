//! The result of one run: the report of `tumble run`, and how the run ended.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::SweepError;
use super::manifest::Manifest;
use crate::files::{self, Existing};

/// Largest size of a result that is read, bytes.
const LIMIT: u64 = 1 << 30;

/// Result of one run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Hash of the description of the sweep ([`Manifest::identity`]).
    pub sweep: String,
    /// Number of the run, from 0.
    pub run: u64,
    /// Value of each varied key, as text.
    pub values: BTreeMap<String, String>,
    pub end: End,
    /// Exit code of the run; `None` if a signal killed it.
    pub exit_code: Option<i32>,
    /// Duration of the run with loading and reporting, s.
    pub seconds: f64,
    /// Largest memory of the run, bytes; `None` if the system does not report it.
    pub peak_memory_bytes: Option<u64>,
    /// State hash after the last step; `None` without a report.
    pub state_hash: Option<String>,
    /// Command that repeats the run.
    pub command: String,
    /// Notes, warnings and errors that the run printed.
    pub messages: String,
    /// Report of the run, as `tumble run --json` prints it; `None` if there is none.
    pub report: Option<Value>,
}

/// End of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// All expectations held; also if there is none.
    Held,
    /// An expectation was broken.
    Broken,
    /// The run could not start: a value that the scene does not take, or a missing file.
    Refused,
    /// The run ended without a report, such as for lack of memory.
    Died,
}

impl End {
    pub const ALL: [Self; 4] = [Self::Held, Self::Broken, Self::Refused, Self::Died];

    pub fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Broken => "broken",
            Self::Refused => "refused",
            Self::Died => "died",
        }
    }

    /// Describes the runs with this end, as the rest of a sentence.
    pub fn description(self) -> &'static str {
        match self {
            Self::Held => "broke no expectation",
            Self::Broken => "broke an expectation",
            Self::Refused => "could not start",
            Self::Died => "ended without a report",
        }
    }

    /// Returns whether the run has a report, so that it need not be repeated.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Held | Self::Broken)
    }
}

impl RunResult {
    /// Writes the result. The file is there only when it is complete.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), SweepError> {
        let text = serde_json::to_vec(self)
            .map_err(|error| SweepError::Invalid { path: path.to_owned(), reason: error.to_string() })?;
        files::write(path, &text, Existing::Replace)
            .map_err(|source| SweepError::Write { path: path.to_owned(), source })
    }

    /// Reads a result.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is no result.
    pub fn read(path: &Path) -> Result<Self, SweepError> {
        let bytes =
            files::read(path, LIMIT).map_err(|source| SweepError::Read { path: path.to_owned(), source })?;
        serde_json::from_slice(&bytes).map_err(|error| SweepError::Invalid {
            path: path.to_owned(),
            reason: format!("is not the result of a run: {error}"),
        })
    }

    /// Returns the last error among the messages of the run.
    pub fn last_error(&self) -> Option<&str> {
        self.messages.lines().filter_map(|line| line.strip_prefix("error: ")).next_back()
    }

    /// Returns an error if the result belongs to another sweep or another file than `name`. `identity`
    /// is that of the description.
    pub fn check(&self, name: &str, manifest: &Manifest, identity: &str) -> Result<(), String> {
        if self.sweep != identity {
            return Err("is the result of another sweep, or of other files of the scene".to_owned());
        }
        let plan = &manifest.plan;
        let is_in_place = name == format!("{:06}.json", self.run);
        if self.run >= plan.run_count() || !is_in_place {
            return Err(format!("is the result of run {}", self.run));
        }
        let mut own = plan.keys().zip(plan.values(self.run));
        match own.find(|(key, value)| self.values.get(*key).map(String::as_str) != Some(value)) {
            Some((key, value)) => Err(format!("is the result of a run in which {key} is not {value}")),
            None => Ok(()),
        }
    }
}

/// Numbers of runs by their ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    held: u64,
    broken: u64,
    refused: u64,
    died: u64,
}

impl Tally {
    /// Counts a run.
    pub fn add(&mut self, end: End) {
        *self.place(end) += 1;
    }

    /// Returns the number of runs with an end.
    pub fn of(mut self, end: End) -> u64 {
        *self.place(end)
    }

    /// Returns the number of runs.
    pub fn count(self) -> u64 {
        End::ALL.iter().map(|end| self.of(*end)).sum()
    }

    /// Returns the number of runs that broke an expectation or have no report.
    pub fn failing(self) -> u64 {
        self.count() - self.held
    }

    fn place(&mut self, end: End) -> &mut u64 {
        match end {
            End::Held => &mut self.held,
            End::Broken => &mut self.broken,
            End::Refused => &mut self.refused,
            End::Died => &mut self.died,
        }
    }
}
