//! Recordings as CSV tables for the analysis of runs: one file per subject, and one row per body, step
//! or other item. Each row is written at once, so that memory does not grow with the length of the
//! recording.
//!
//! - `bodies.rs`: pose and mean velocity of each body after each step.
//! - `contacts.rs`: every contact of each step.
//! - `joints.rs`: coordinate of each joint after each step, and its load.
//! - `pairs.rs`: the touching pairs of bodies in each step.
//! - `pattern.rs`: bodies by patterns of their names.
//! - `sheet.rs`: common parts of all tables.
//! - `steps.rs`: costs, counts and measures of each step.
//! - `write.rs`: reads a recording once and writes all tables.

mod bodies;
mod contacts;
mod joints;
mod pairs;
mod pattern;
mod sheet;
mod steps;
mod write;

pub use pattern::bodies_named;
pub use write::{Part, SheetError, Written, write};
