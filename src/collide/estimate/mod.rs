//! Time-critical collision detection: a query returns the probability that two surfaces intersect
//! instead of yes or no. Its hierarchies store occupancy counts in their nodes. \[adb\]
//!
//! An [`AdbTree`] is one of four hierarchies plus six bytes per node: the number of *possible collision
//! cells* among the 8³ cells of its box, and the logarithm of the box's volume. A query repeatedly
//! opens the pair of nodes that most likely intersects. It tests no triangles and can end after any
//! number of tests. Its result is a probability and the most likely pairs of nodes. A [`Model`] derives
//! probabilities from the features of two nodes. A run uses [`Weights`]: the paper's quantities with
//! weights calibrated on other meshes.
//!
//! - `cells.rs`: occupancy counts: the cells of a node's box that contain a large part of its surface.
//! - `counted.rs`: a hierarchy with the occupancy counts of its nodes.
//! - `evidence.rs`: the data of a query on a whole pair of surfaces, and its probability.
//! - `features.rs`: the features of a pair of nodes that determine the probability of an intersection.
//! - `kind.rs`: the hierarchies that can have occupancy counts.
//! - `model.rs`: the trait of a model: probabilities from the numbers of two nodes.
//! - `nodes.rs`: the interface that the query needs of a hierarchy besides its nodes.
//! - `pair.rs`: two counted hierarchies in one frame, and a pair of their nodes.
//! - `query.rs`: the query itself, the likeliest pair of nodes first.
//! - `share.rs`: the share of the smaller of two boxes that is in both.
//! - `slabs.rs`: the division of a triangle among the cells of a grid.
//! - `target.rs`: the required certainty of a query, and its limits.
//! - `tree.rs`: a hierarchy of any of four kinds with occupancy counts, and its queries.
//! - `weights.rs`: the model of a run: the paper's quantities, weighted.

mod cells;
mod counted;
mod evidence;
mod features;
mod kind;
mod model;
mod nodes;
mod pair;
mod query;
mod share;
mod slabs;
mod target;
mod tree;
mod weights;

pub use cells::{CELLS, CellCounts, CellRule, SECTOR_CELLS};
pub use evidence::{EVIDENCE_COUNT, Evidence};
pub use features::{FEATURE_COUNT, Seen};
pub use kind::AdbKind;
pub use model::{Fate, Meeting, Model, Outcome};
pub use nodes::{CellNodes, Tight};
pub use pair::{CountedA, CountedB, LikelyPair, NodePairs};
pub use query::{AdbScratch, Estimate, Job, Tested};
pub use share::{corner_share, sphere_share};
pub use target::{Limits, Target, TargetError};
pub use tree::{AdbTree, estimate, estimate_by};
pub use weights::Weights;
