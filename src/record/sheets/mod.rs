//! A recording as tables, for those who analyse runs: a file of CSV for each subject, a row for each body,
//! step or the like. Rows are written as they are made, so that a long recording takes no more memory than a
//! short one.
//!
//! - `bodies.rs`: where each body is after each step, and how fast it went there.
//! - `contacts.rs`: every contact of each step.
//! - `joints.rs`: where each joint is after each step, and its load.
//! - `pairs.rs`: the pairs of bodies that touch in each step.
//! - `pattern.rs`: bodies by patterns of their names.
//! - `sheet.rs`: what a table has in common with the others.
//! - `steps.rs`: what each step cost, counted and left.
//! - `write.rs`: goes through a recording once and writes all tables.

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
