//! Time-critical detection: hierarchies whose nodes know how full they are, asked not whether two surfaces
//! intersect but how likely it is. \[adb\]
//!
//! An [`AdbTree`] is one of four hierarchies and, a node, six bytes more: how many of the 8³ cells of its box
//! are *possible collision cells*, and the box's volume. A query opens the most likely pair of nodes first,
//! touches no triangle and can end after any number of tests; its answer is a probability, and the pairs of
//! nodes behind it. What two nodes' numbers mean is a [`Model`]; a run's is [`Weights`], the paper's
//! quantities weighed by what was found to be so on other meshes.
//!
//! - `cells.rs`: how many cells of a node's box hold much of its surface.
//! - `counted.rs`: a hierarchy with the numbers of cells of its nodes.
//! - `evidence.rs`: what a query knows of a whole pair of surfaces, and how sure its answer is.
//! - `features.rs`: what tells how likely surfaces cross in a pair of nodes.
//! - `kind.rs`: the hierarchies that can have numbers of cells.
//! - `model.rs`: what a model must give: how likely surfaces meet by the numbers of two nodes.
//! - `nodes.rs`: what the query needs of a hierarchy beside its nodes.
//! - `pair.rs`: two counted hierarchies in one frame, and a pair of their nodes.
//! - `query.rs`: the query itself, the likeliest pair of nodes first.
//! - `share.rs`: how much of the smaller of two boxes they share.
//! - `slabs.rs`: one triangle divided among the cells of a grid.
//! - `target.rs`: how sure a query is to be, and for how long it may look.
//! - `tree.rs`: a hierarchy of any of four kinds with numbers of cells, and its queries.
//! - `weights.rs`: the model of a run: the paper's quantities, weighed.

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
