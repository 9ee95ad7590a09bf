//! Builder of every hierarchy: a top-down partition of the triangles into a binary tree of tight boxes.
//! \[boxtree\] §4
//!
//! Input: a mesh and a [`SplitRule`], which divides a set of triangles in two. Output: a [`Topology`],
//! from which each kind of tree derives its volumes. Nodes are stored depth first, so a subtree over k
//! triangles takes exactly 2k − 1 consecutive elements. Large subtrees are built in parallel into
//! disjoint slices; the result does not depend on the number of threads. The depth is bounded: below a
//! depth limit, sets are halved. O(n log n) for rules that divide evenly.
//!
//! - `binned.rs`: the fast rule: the border between bins of centers with the least surface cost.
//! - `counted_volume.rs`: the rule in the boxtree author's code: least sum of volume times triangles.
//! - `division.rs`: the division of a set of triangles in two.
//! - `grow.rs`: the recursion from all triangles of a mesh down to single triangles.
//! - `guided.rs`: a topology whose top levels follow the shape's components.
//! - `item.rs`: the element that the builder reorders: the box and the index of one triangle.
//! - `least_volume.rs`: the rule in the paper's text: the division of least volume among nine.
//! - `merge.rs`: the conversion of a component tree into a binary tree.
//! - `moved_side.rs`: one side of a box that moves in, and the choice of the emptiest side.
//! - `principal.rs`: the rule of OBB trees: across the longest principal axis.
//! - `rule.rs`: the list of split rules.
//! - `stats.rs`: estimates of the volume that a set of triangles needs, for choosing sets to merge.
//! - `sweep.rs`: the division of pieces across an axis, at the border of least cost.
//! - `topology.rs`: a binary tree over triangles, from which each kind derives its volumes.

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

pub use grow::build;
pub(crate) use guided::{Merged, TopReport};
pub(crate) use item::{Item, bounds, items};
pub use moved_side::MovedSide;
pub(crate) use moved_side::SHRINK_SHARE;
pub use rule::SplitRule;
pub(crate) use stats::Measure;
pub use topology::{Branch, Topology};
