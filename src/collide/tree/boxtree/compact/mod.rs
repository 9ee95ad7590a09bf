//! Quantized layout of the restricted boxtree: 5 bytes per inner node, and only the triangle index for
//! a leaf. This is 4.5 bytes per node, averaged over all 2n − 1 nodes. The few large subtrees take 12
//! bytes per node. \[boxtree\] §3.1, §6.1
//!
//! A node moves one side of its own box in (a shrink without a separate node), then one side for each
//! child. Planes are in 255ths of the box that they cut (31sts for the shrink), rounded outward,
//! because the encoder runs the decoder. Nodes are stored depth first: a subtree over k triangles takes
//! k − 1 elements from the index of its first triangle, so a node stores only the triangle count of its
//! first child, a byte. Larger subtrees (the crown) have their own list.
//!
//! - `encode.rs`: the conversion of a binary topology into quantized nodes.
//! - `hierarchy.rs`: the quantized boxtree as a hierarchy.
//! - `layout.rs`: the memory layout, and its decoding.
//! - `pair.rs`: the descent of two quantized boxtrees with SAT lite.

mod encode;
mod hierarchy;
mod layout;
mod pair;

pub use layout::CompactBoxtree;
