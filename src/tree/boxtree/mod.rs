//! The restricted boxtree: a box differs from its parent's in one side only, so a node stores one plane and
//! no box. \[boxtree\] §3.1, §3.2.5
//!
//! A node is 8 bytes: the plane and a link. The two children of a node are adjacent, so that both of their
//! planes are read together when the parent is visited. A *shrink* node has one child: it moves a side in
//! without dividing the triangles. Planes are absolute coordinates in body space, `f32`, exact bounds of the
//! vertices behind them. Memory: 8 bytes a node, 2n − 1 nodes for n triangles plus the shrink nodes.

mod compact;
mod emit;
mod face_axes;
mod lookup;
mod node;
mod overlap;
mod restricted;
mod sat;
mod steps;
mod test;
mod visit;

pub use compact::CompactBoxtree;
pub(crate) use emit::emit;
pub use restricted::Boxtree;
pub use test::{BoxtreeTest, Hoisting, Overlap};
