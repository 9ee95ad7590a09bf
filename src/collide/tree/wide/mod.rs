//! Restricted boxtree with wide nodes: W children per node, and no stored boxes. Each bound of a child
//! is an offset from the same bound of its parent, in 255ths of the parent's extent. \[boxtree\] §3.1,
//! §6.1
//!
//! Each node collapses several binary levels, so all six bounds of a child may differ from its
//! parent's. Boxes are decoded top-down. The encoder runs the decoder's arithmetic, so that decoded
//! boxes contain their content. Inner children come before leaves. Memory: 64 bytes (one cache line)
//! per node of eight children, 4 bytes per triangle, and 32 more per node with cones. For comparison,
//! [`Exact`] nodes store uncompressed boxes (208 bytes per node).
//!
//! - `bounds.rs`: the bounds of a node's children, as offsets or as coordinates.
//! - `cones.rs`: normal cones of children: pairs that may face each other, and enlarged boxes.
//! - `encode.rs`: the conversion of a binary topology into wide nodes, and their refit.
//! - `hierarchy.rs`: the wide boxtree as a hierarchy.
//! - `kernel.rs`: the SIMD overlap test of all child pairs of two nodes.
//! - `lanes.rs`: a SIMD vector with one lane per child of a node.
//! - `layout.rs`: the memory layout of the wide boxtree.
//! - `nearest.rs`: the search for the nearest triangles of two wide trees.
//! - `point.rs`: the search for triangles near a point.
//! - `segment.rs`: the search for triangles that a segment may intersect.
//! - `traverse.rs`: the traversal of a pair, deepest overlap first.

mod bounds;
mod cones;
mod encode;
mod hierarchy;
mod kernel;
mod lanes;
mod layout;
mod nearest;
mod point;
mod segment;
mod traverse;

pub use bounds::Exact;
pub use layout::WideTree;
pub(crate) use nearest::Approach;
