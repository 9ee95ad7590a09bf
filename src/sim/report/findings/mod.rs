//! Findings of a check, as JSON and CSV for programs and as text for readers, optionally compared with
//! an earlier check; and the findings of a run in the same form.
//!
//! - `baseline.rs`: findings compared with those of an earlier check: new, existing, resolved.
//! - `document.rs`: the document of `tumble check --json`.
//! - `finding.rs`: the common form of findings of checks, runs and files.
//! - `groups.rs`: groups of findings with one cause.
//! - `of_check.rs`: the findings of a check in the common form.
//! - `of_run.rs`: the findings of a run.
//! - `remarks.rs`: notes of a check, and the reasons for which a finding may be missing.
//! - `review.rs`: verdicts on findings, in a file beside the model.
//! - `seal.rs`: lines of JSON with a hash.
//! - `shards.rs`: files of the shares of a divided check.
//! - `sheet.rs`: findings as CSV.
//! - `text.rs`: findings as text.
//! - `worse.rs`: a finding compared with an earlier one of the same parts.

mod baseline;
mod document;
mod finding;
mod groups;
mod of_check;
mod of_run;
mod remarks;
mod review;
mod seal;
mod shards;
#[cfg(feature = "tables")]
pub mod sheet;
#[cfg(feature = "tables")]
pub mod text;
mod worse;

pub use baseline::BaselineError;
pub use document::{Change, CheckDocument, FindingFigures, Setup, Was};
pub use finding::{Finding, FindingList, Grade, of_files};
pub use groups::{FindingGroup, group};
pub use of_check::of_check;
pub use of_run::{Incident, RunFindings};
pub use remarks::CoarseTolerance;
pub use review::{GROWTH, Review, Reviewed, Verdict};
pub use shards::{Answers, CheckIdentity, ShardError, ShardFile, read_shards};
