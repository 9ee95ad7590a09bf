//! The restricted boxtree with wide nodes: W children a node, no box stored, every side of a child an offset
//! from the same side of its parent's box, in 255ths of the parent's extent. \[boxtree\] §3.1, §6.1
//!
//! Several levels of a binary tree fall together into one node, so a child differs from its parent in all six
//! sides instead of one; the box is still known only on the way down. A node of eight is one cache line.
//! Offsets are rounded so that decoded boxes contain what they bound: the encoder runs the decoder's own
//! arithmetic. Coordinates are relative to the root box's centre. Inner children come before leaves. Memory:
//! 64 bytes for eight children, 4 bytes a triangle; 32 more for eight children where directions are noted. A
//! tree whose nodes keep boxes as they are (208 bytes) stands beside it, to be compared with.
//!
//! - `cones.rs`: which children of two nodes may face each other, and how far they are grown along that.
//! - `encode.rs`: from a binary topology to wide nodes, and their refit.
//! - `hierarchy.rs`: the wide boxtree as a hierarchy.
//! - `kernel.rs`: the children of two nodes against each other, in vectors.
//! - `lanes.rs`: as many numbers as a node has children, in one vector.
//! - `layout.rs`: how the wide boxtree stands in memory.
//! - `nearest.rs`: the descent of two wide trees towards their nearest triangles.
//! - `point.rs`: the triangles that are near a point.
//! - `segment.rs`: the triangles that a segment may meet.
//! - `sides.rs`: the sides of a node's children, as offsets or as they are.
//! - `traverse.rs`: the traversal of a pair, deepest overlap first.

mod cones;
mod encode;
mod hierarchy;
mod kernel;
mod lanes;
mod layout;
mod nearest;
mod point;
mod segment;
mod sides;
mod traverse;

pub use layout::WideTree;
pub(crate) use nearest::Approach;
pub use sides::Exact;
