//! What a hierarchy of bounding volumes over the triangles of one mesh is: one kind a file, and the one
//! traversal of a pair of them. What is asked of a pair is in `query/`.
//!
//! Contract of every kind: all triangle pairs that come within a margin of each other are reported
//! (conservative under rounding), each once, in any order; pairs farther apart may be. \[boxtree\]
//!
//! A kind knows what all kinds have in common and no other kind; only the table of kinds knows all of them.
//!
//! - `any.rs`: what a hierarchy of any kind can be asked by itself.
//! - `boxtree/`: the restricted boxtree and its overlap tests.
//! - `brute_force.rs`: no hierarchy: every triangle's box against every other's.
//! - `build/`: the one builder: triangles divided by a rule into a topology.
//! - `descend.rs`: the one traversal of a pair of hierarchies.
//! - `kind.rs`: what a kind must give.
//! - `kinds.rs`: the table of all kinds.
//! - `limit.rs`: when a traversal ends although there is more.
//! - `nodes.rs`: what all hierarchies have in common.
//! - `octree.rs`: the octree, cubic cells of half the parent's size.
//! - `search.rs`: what is looked for in a pair, and what a traversal did to find it.
//! - `volume_tree.rs`: a binary hierarchy of any volume.
//! - `wide/`: boxtrees with eight or four children a node, under a traversal of their own.

mod any;
mod boxtree;
mod brute_force;
pub(crate) mod build;
mod descend;
mod kind;
mod kinds;
mod limit;
mod nodes;
mod octree;
mod search;
mod volume_tree;
pub(crate) mod wide;

pub(crate) use boxtree::emit;
pub use boxtree::{Boxtree, BoxtreeForm, CompactBoxtree, Hoisting, Overlap, Shrink};
pub use build::SplitRule;
pub use descend::{Children, Descent, Found, descend};
pub(crate) use kinds::visit;
pub use kinds::{DescentScratch, Surfaces, Tree, TreeKind};
pub use limit::{Allowance, Limit, Start, Stop};
pub use nodes::{Nodes, PointStack, RefitScratch, SegmentStack};
pub use octree::Octree;
pub use search::{Counts, Extent, Facing, Goal, Near, Order, Search};
pub use volume_tree::VolumeTree;
pub use wide::WideTree;
