//! The experiments of the papers, each one command: rows for a table, CSV and JSON, and a chart.
//!
//! Everything is measured in one process, contenders in turn over the same blocks of work, on one core. What
//! was found stands beside every time; own contenders that find different things are a fault.
//!
//! - `adb/`: experiments on ADB-trees.
//! - `boxes/`: experiments on broad phases.
//! - `build.rs`: `boxtree-build`, how long the builder takes by every rule.
//! - `cab/`: experiments on link hierarchies.
//! - `chart.rs`: charts as SVG.
//! - `compare/`: one scene moved in several ways, for `tumble compare` and `tumble diff`.
//! - `distance.rs`: `boxtree-distance`, the time of a query against the distance of two copies.
//! - `experiment.rs`: what an experiment is, what can be asked of it, and what comes out.
//! - `fingerprint.rs`: numbers for sets of pairs, by which contenders are compared.
//! - `heaps/`: `step-heaps`, whole steps of heaps beside rapier3d.
//! - `lines.rs`: lines of a chart, from measurements at every size.
//! - `list.rs`: all experiments, in the order in which they are listed.
//! - `measure.rs`: several programs asked the same questions in turn, at many poses.
//! - `node_size.rs`: `node-size`, bytes a node and operations a pair of nodes.
//! - `overlap_tests.rs`: `boxtree-tests`, the boxtree under every overlap test.
//! - `page/`: common parts of the pages that are written.
//! - `pair.rs`: two copies of one mesh under every contender.
//! - `parts/`: experiments on hierarchies guided by parts.
//! - `reference.rs`: parry3d at the same work, to compare with.
//! - `shapes.rs`: what is measured: generated meshes of any size, and files.
//! - `space.rs`: `boxtree-space`, how much of the boxes is empty, beside what divisions cut off.
//! - `suite/`: the report of the papers.
//! - `table.rs`: the rows of an experiment, written as text, CSV and JSON.
//! - `trees.rs`: `boxtree-vs-trees`, every hierarchy at every size.
//! - `turns.rs`: contenders that take turns over the same blocks of work, and their times.
//! - `workload.rs`: the paper's workload, two copies of a mesh at a range of distances.

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
mod page;
mod pair;
mod parts;
#[cfg(feature = "reference")]
mod reference;
mod shapes;
mod space;
pub mod suite;
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
pub use shapes::{Shape, ShapeError};
pub use table::{Cell, Table};
