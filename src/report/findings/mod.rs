//! Findings of a check, as JSON and CSV for programs and as text for readers, optionally compared with
//! an earlier check.
//!
//! - `baseline.rs`: findings compared with those of an earlier check: new, existing, resolved.
//! - `document.rs`: the document of `tumble check --json`.
//! - `groups.rs`: groups of findings with one cause.
//! - `sheet.rs`: findings as CSV.
//! - `text.rs`: findings as text.

mod baseline;
mod document;
mod groups;
#[cfg(feature = "program")]
pub mod sheet;
#[cfg(feature = "program")]
pub mod text;

pub use baseline::BaselineError;
pub use document::{Change, CheckDocument, FindingFigures, Setup, Was};
pub use groups::{FindingGroup, group};
