//! The quantised layout of the restricted boxtree: 5 bytes an inner node, nothing for a leaf but its
//! triangle, 4.5 bytes a node averaged over all 2n − 1 (the few large subtrees take 12). \[boxtree\] §3.1,
//! §6.1
//!
//! A node moves one side in (a shrink that has no node of its own), and then one side for each of its
//! children. Planes are 255ths of the box they cut, rounded outward: the encoder runs the decoder's
//! arithmetic. Nodes stand in depth-first order, a subtree over k triangles in k − 1 places beginning at the
//! place of its first triangle, so that one number, how many triangles the first child has, finds both
//! children and their triangles. It is a byte; larger subtrees (the crown) keep it in a list of their own.
//!
//! - `encode.rs`: from a binary topology to quantised nodes.
//! - `hierarchy.rs`: the quantised boxtree as a hierarchy.
//! - `layout.rs`: how it stands in memory, and the way down.
//! - `pair.rs`: the descent of two of them, under SAT lite.

mod encode;
mod hierarchy;
mod layout;
mod pair;

pub use layout::CompactBoxtree;
