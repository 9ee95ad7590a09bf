//! The one builder of every hierarchy: top-down partition of the triangles into a binary tree of tight boxes.
//! \[boxtree\] §4
//!
//! Input: a mesh and a [`SplitRule`], which says how a set of triangles is divided in two. Output: a
//! [`Topology`], from which each kind of tree takes its volumes. Nodes stand in depth-first order, so a
//! subtree over k triangles fills exactly 2k − 1 places known in advance; large subtrees are built in
//! parallel into their places, and the result does not depend on the number of threads. The depth is bounded:
//! where a rule peels off single triangles for too long, halves take over. O(n log n) for rules that divide
//! evenly.

mod binned;
mod division;
mod grow;
mod guided;
mod item;
mod least_volume;
mod merge;
mod principal;
mod rule;
mod stats;
mod sweep;
mod topology;

pub(crate) use grow::build;
pub(crate) use guided::{Merged, TopReport};
pub(crate) use item::{Item, bounds, items};
pub use rule::SplitRule;
pub(crate) use stats::Measure;
pub(crate) use topology::{Branch, Topology};
