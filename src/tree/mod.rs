//! What a hierarchy of bounding volumes over the triangles of one mesh is: one kind a file, and the one
//! traversal of a pair of them. What is asked of a pair is in `query/`.
//!
//! Contract of every kind: all triangle pairs that come within a margin of each other are reported
//! (conservative under rounding), each once, in any order; pairs farther apart may be. \[boxtree\]
//!
//! nodes.rs is what all kinds have in common, search.rs what is looked for, limit.rs when a traversal ends,
//! descend.rs the traversal, kind.rs what a kind must give; build/ divides the triangles. A kind knows these
//! and no other kind; kinds.rs is the table of all.

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
pub use boxtree::{Boxtree, BoxtreeTest, CompactBoxtree, Hoisting, Overlap};
pub use build::SplitRule;
pub use descend::{Children, Descent, Found, descend};
pub(crate) use kinds::visit;
pub use kinds::{DescentScratch, Surfaces, Tree, TreeKind};
pub use limit::{Allowance, Limit, Start, Stop};
pub use nodes::{Nodes, RefitScratch, SegmentStack};
pub use octree::Octree;
pub use search::{Counts, Goal, Search};
pub use volume_tree::VolumeTree;
pub use wide::WideTree;
