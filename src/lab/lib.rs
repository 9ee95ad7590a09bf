//! Experiments of the papers. Each is one command, and gives rows for a table (as text, CSV and JSON)
//! and a chart.
//!
//! All contenders of an experiment are measured in one process and on one core, and take turns over the
//! same blocks of work. Results are recorded with the times: it is an error if contenders of this
//! program find different results.
//!
//! - `adb/`: experiments on ADB-trees.
//! - `assembly/`: `check-assembly`, checks of large assemblies.
//! - `boxes/`: experiments on broad phases.
//! - `build.rs`: `boxtree-build`, time to build a boxtree by every split rule.
//! - `cab/`: experiments on link hierarchies.
//! - `chart.rs`: charts as SVG.
//! - `distance.rs`: `boxtree-distance`, time of a query against the distance of two copies.
//! - `experiment.rs`: an experiment, its options and its findings.
//! - `fingerprint.rs`: fingerprints of sets of pairs, to compare contenders.
//! - `heaps/`: `step-heaps`, whole steps of heaps beside rapier3d.
//! - `lines.rs`: chart lines from measurements at every size.
//! - `list.rs`: all experiments in the order of listing.
//! - `measure.rs`: contenders on the same queries at many poses, in turns.
//! - `node_size.rs`: `node-size`, bytes per node and operations per pair of nodes.
//! - `overlap_tests.rs`: `boxtree-tests`, the boxtree under every overlap test.
//! - `pair.rs`: two copies of one mesh under every contender.
//! - `parts/`: experiments on hierarchies guided by parts.
//! - `physics/`: `physics`, values known in closed form, beside rapier3d.
//! - `reference.rs`: parry3d on the same work, for comparison.
//! - `shapes.rs`: the measured meshes, generated at any size or read from files.
//! - `space.rs`: `boxtree-space`, empty share of the boxes after each division.
//! - `suite/`: the report of the papers.
//! - `trees.rs`: `boxtree-vs-trees`, every hierarchy at every size.
//! - `workload.rs`: the workload of \[boxtree\], two copies of a mesh at a range of distances.

#![forbid(unsafe_code)]

mod adb;
mod assembly;
mod boxes;
mod build;
mod cab;
mod chart;
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
mod physics;
#[cfg(feature = "reference")]
mod reference;
mod shapes;
mod space;
pub mod suite;
mod trees;
mod workload;

pub use adb::{AdbModel, Combination, Paper, Regions, VolumeEstimator, tails};
pub use chart::{Chart, ChartError, Plot, Series};
pub use experiment::{Experiment, ExperimentError, Family, Findings, Options, Query};
use experiment::{Watch, distinct};
use lines::lines_by_size;
pub use list::EXPERIMENTS;
pub use shapes::{Shape, ShapeError};
pub use tumble_measure::table::{Cell, Table};

use tumble_collide::{arrays, articulation, broad, estimate, generate, mesh, order, parallel, plan, pose};
use tumble_collide::{query, random, timing, tree, volume};
use tumble_dynamics::body;
use tumble_measure::{compare, page, table, turns};
use tumble_model::{config, scene};
use tumble_sim::{check, record, report, world};
