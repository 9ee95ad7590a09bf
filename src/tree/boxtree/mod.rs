//! The restricted boxtree: a box differs from its parent's in one side only, so a node stores one plane and
//! no box. \[boxtree\] §3.1, §3.2.5
//!
//! A node is 8 bytes: the plane and a link. The two children of a node are adjacent, so that both of their
//! planes are read together when the parent is visited. A *shrink* node has one child: it moves a side in
//! without dividing the triangles. Planes are absolute coordinates in body space, `f32`, exact bounds of the
//! vertices behind them. Memory: 8 bytes a node, 2n − 1 nodes for n triangles plus the shrink nodes.
//!
//! - `compact/`: the quantised layout.
//! - `emit.rs`: from a topology to a boxtree: which side each node moves, and by how much.
//! - `face_axes.rs`: the overlap tests by face axes: axis alignment and SAT lite.
//! - `form.rs`: the boxtrees that are measured, by their nodes and tests.
//! - `lookup.rs`: axis alignment with its products looked up.
//! - `node.rs`: a node, one plane and a link.
//! - `overlap.rs`: what an overlap test must give.
//! - `restricted.rs`: the boxtree itself: its nodes, its boxes on the way down, its refit.
//! - `sat.rs`: the full separating axis test, incremental.
//! - `steps.rs`: how far each node's side is from its parent's, as a number of steps.
//! - `visit.rs`: how a traversal of two boxtrees uses an overlap test.

mod compact;
mod emit;
mod face_axes;
mod form;
mod lookup;
mod node;
mod overlap;
mod restricted;
mod sat;
mod steps;
mod visit;

pub use compact::CompactBoxtree;
pub(crate) use emit::emit;
pub use form::{BoxtreeForm, Hoisting, Overlap, Shrink};
pub use restricted::Boxtree;
