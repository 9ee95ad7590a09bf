//! The one builder of every hierarchy: top-down partition of the triangles into a binary tree of tight boxes.
//! \[boxtree\] §4
//!
//! Input: a mesh and a [`SplitRule`], which says how a set of triangles is divided in two. Output: a
//! [`Topology`], from which each kind of tree takes its volumes. Nodes stand in depth-first order, so a
//! subtree over k triangles fills exactly 2k − 1 places known in advance; large subtrees are built in
//! parallel into their places, and the result does not depend on the number of threads. The depth is bounded:
//! where a rule peels off single triangles for too long, halves take over. O(n log n) for rules that divide
//! evenly.
//!
//! - `binned.rs`: the fast rule: the border of bins of centres that has the least cost.
//! - `counted_volume.rs`: the rule of the boxtree's author: least sum of volumes times triangles.
//! - `division.rs`: how a set of triangles is divided in two.
//! - `grow.rs`: from all triangles of a mesh down to single ones.
//! - `guided.rs`: a topology whose top follows the shape's components.
//! - `item.rs`: what the builder moves around: the box of one triangle and its index.
//! - `least_volume.rs`: the paper's text: of nine divisions the one of least volume.
//! - `merge.rs`: from the component tree to a binary one.
//! - `moved_side.rs`: a side of a box that moves in, and which side leaves most empty.
//! - `principal.rs`: the rule of OBB trees: across the longest principal axis.
//! - `rule.rs`: the rules by which sets of triangles are divided.
//! - `stats.rs`: how large a volume some triangles need, for choosing what to put together.
//! - `sweep.rs`: pieces divided in two across an axis, at the border of least cost.
//! - `topology.rs`: a binary tree over triangles, from which each kind takes its volumes.

mod binned;
mod counted_volume;
mod division;
mod grow;
mod guided;
mod item;
mod least_volume;
mod merge;
mod moved_side;
mod principal;
mod rule;
mod stats;
mod sweep;
mod topology;

pub(crate) use grow::build;
pub(crate) use guided::{Merged, TopReport};
pub(crate) use item::{Item, bounds, items};
pub(crate) use moved_side::{MovedSide, SHRINK_SHARE};
pub use rule::SplitRule;
pub(crate) use stats::Measure;
pub(crate) use topology::{Branch, Topology};
