//! Time-critical detection: hierarchies whose nodes know how full they are, asked not whether two surfaces
//! intersect but how likely it is. \[adb\]
//!
//! An [`AdbTree`] is one of four hierarchies and, a node, six bytes more: how many of the 8³ cells of its box
//! are *possible collision cells*, and the box's volume. A query opens the most likely pair of nodes first,
//! touches no triangle and can end after any number of tests; its answer is a probability, and the pairs of
//! nodes behind it. What two nodes' numbers mean is a [`Model`]; a run's is [`Weights`], the paper's
//! quantities weighed by what was found to be so on other meshes.

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

pub use cells::{CellCounts, CellRule, SECTOR_CELLS};
pub use evidence::{EVIDENCE_COUNT, Evidence};
pub use features::{FEATURE_COUNT, Seen};
pub use kind::AdbKind;
pub use model::{Fate, Meeting, Model, Outcome};
pub use nodes::{CellNodes, Tight};
pub use pair::{CountedA, CountedB, LikelyPair, NodePairs};
pub use query::{AdbScratch, Estimate, Job, Tested};
pub use share::{corner_share, sphere_share};
pub use slabs::CELLS;
pub use target::{Limits, Target, TargetError};
pub use tree::{AdbTree, estimate, estimate_by};
pub use weights::Weights;
