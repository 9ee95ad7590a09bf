//! Bounding volume hierarchies over the triangles of one mesh, one kind per file, and the traversal of
//! a pair of hierarchies. The queries on a pair are in `query/`.
//!
//! Contract of every kind: a traversal reports each triangle pair that comes within a margin exactly
//! once, in arbitrary order. The test is conservative under rounding, so it may also report pairs that
//! are farther apart. \[boxtree\]
//!
//! A kind uses code that all kinds share, but no code of another kind. Only `kinds.rs` refers to all
//! kinds.
//!
//! - `any.rs`: operations on a single hierarchy of any kind.
//! - `boxtree/`: the restricted boxtree and its overlap tests.
//! - `brute_force.rs`: no hierarchy: tests the box of every triangle against every other.
//! - `build/`: the builder: divides triangles by a rule into a binary topology.
//! - `descend.rs`: the generic traversal of a pair of hierarchies.
//! - `kind.rs`: the trait that every kind implements.
//! - `kinds.rs`: the table of all kinds.
//! - `limit.rs`: limits that end a traversal early.
//! - `nodes.rs`: the traits that all hierarchies share.
//! - `octree.rs`: the octree: cubic cells, each half as wide as its parent.
//! - `search.rs`: the parameters of a search in a pair, and the counters of a traversal.
//! - `volume_tree.rs`: a binary hierarchy of any bounding volume.
//! - `wide/`: boxtrees with eight or four children per node, and their own traversal.

mod any;
mod boxtree;
mod brute_force;
pub mod build;
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
