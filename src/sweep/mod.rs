//! Many runs of one scene with other values of its keys. A sweep is a folder: a description, one result
//! per run, and the tables and the page that are made of them. [`Plan`] numbers the runs, a [`Shard`]
//! takes some of them, and [`Merged`] puts the results of all shards together. `cli/sweep/` makes the
//! runs.
//!
//! - `axis.rs`: a key and its values.
//! - `error.rs`: errors, with the file at fault.
//! - `folder.rs`: the folder of a sweep.
//! - `manifest.rs`: the description of a sweep.
//! - `merge.rs`: the results of all shards.
//! - `page/`: the page.
//! - `plan.rs`: the runs.
//! - `result.rs`: the result of one run.
//! - `row.rs`: a row of the table.
//! - `shard.rs`: equal shares of the runs.
//! - `spread.rs`: the time that the sweep would take on several machines.
//! - `summary.rs`: the results in words and small tables.
//! - `table.rs`: the tables.

mod axis;
mod error;
mod folder;
mod manifest;
mod merge;
mod page;
mod plan;
mod result;
mod row;
mod shard;
mod spread;
mod summary;
mod table;

pub use axis::{Axis, Range, Values};
pub use error::SweepError;
pub use folder::Folder;
pub use manifest::Manifest;
pub use merge::Merged;
pub use plan::{Block, Plan, RUN_LIMIT};
pub use result::{End, RunResult, Tally};
pub use row::{FIGURES, Figure, Row, TIMES, Verdict};
pub use shard::Shard;
pub use spread::Spread;
pub use summary::{Group, Grouping, KeySummary, opening};
