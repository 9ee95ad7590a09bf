//! Restricted boxtree: a node's box differs from its parent's in one side only, so a node stores one
//! plane and no box. \[boxtree\] §3.1, §3.2.5
//!
//! A node takes 8 bytes: the plane and a link. The two children of a node are adjacent, so that both
//! planes are read together when the parent is visited. A *shrink* node has one child: it moves a side
//! in without dividing the triangles. Planes are absolute coordinates in body space, `f32`, and bound
//! the vertices exactly. Memory: 8 bytes for each of the 2n − 1 nodes over n triangles, and for each
//! shrink node.
//!
//! - `compact/`: the quantized layout.
//! - `emit.rs`: conversion of a topology into a boxtree: the side that each node moves, and its plane.
//! - `face_axes.rs`: the overlap tests by face axes: axis alignment and SAT lite.
//! - `form.rs`: the boxtree variants that are measured, by their nodes and tests.
//! - `lookup.rs`: axis alignment with products from lookup tables.
//! - `node.rs`: a node: one plane and a link.
//! - `overlap.rs`: the trait of an overlap test.
//! - `restricted.rs`: the boxtree itself: its nodes, its boxes during a descent, its refit.
//! - `sat.rs`: the full separating axis test, incremental.
//! - `steps.rs`: the offset of each node's side from its parent's, as a number of steps.
//! - `visit.rs`: the traversal of two boxtrees with an overlap test.

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
