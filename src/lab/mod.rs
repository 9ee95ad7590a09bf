//! The experiments of the papers, each one command: rows for a table, CSV and JSON, and a chart.
//!
//! Everything is measured in one process, contenders in turn over the same blocks of work, on one core. What
//! was found stands beside every time; own contenders that find different things are a fault.

mod adb;
mod boxes;
mod build;
mod cab;
mod chart;
pub mod compare;
mod distance;
mod experiment;
mod fingerprint;
mod heaps;
mod lines;
mod list;
mod measure;
mod node_size;
mod overlap_tests;
mod pair;
mod parts;
#[cfg(feature = "reference")]
mod reference;
mod replicas;
mod shapes;
mod table;
mod trees;
mod turns;
mod workload;

pub use adb::{AdbModel, Combination, Paper, Regions, VolumeEstimator, tails};
pub use chart::{Chart, ChartError, Plot, Series};
pub use experiment::{Experiment, ExperimentError, Family, Findings, Options, Query};
use experiment::{Watch, distinct};
use lines::lines_by_size;
pub use list::EXPERIMENTS;
pub use replicas::Replica;
pub use shapes::{Shape, ShapeError};
pub use table::{Cell, Table};
