//! Broad phases: find the overlapping pairs of the world-space boxes of a frame. They process boxes and
//! indices, and do not refer to bodies. \[boxes\]
//!
//! Boxes are closed: boxes that touch overlap. Each pair is reported once. Every kind finds the same
//! pairs for any boxes: equal boxes, flat boxes, points, unbounded boxes, and a box around all others.
//!
//! - `brute_force.rs`: every box against every other: the reference for all other kinds.
//! - `hash2.rs`: HASH2: lists of boxes in hashed voxels, each scanned along one axis.
//! - `hybrid.rs`: HYBRID: a streamed segment tree that ends in scans.
//! - `kind.rs`: the kind of broad phase of a run; the only file that names all of them.
//! - `method.rs`: the trait of a kind of broad phase.
//! - `ordered.rs`: coordinates as integers with the same order.
//! - `phase.rs`: the broad phase of a run, with the code that all kinds share.
//! - `sort.rs`: the sorting of pairs by two counting sorts.
//! - `sweep/`: the sweep plane and its four sections, SWEEP1 to SWEEP4.
//! - `wide/`: a tree with eight boxes per node, kept between frames.

mod brute_force;
mod hash2;
mod hybrid;
mod kind;
mod method;
mod ordered;
mod phase;
mod sort;
mod sweep;
mod wide;

pub use kind::{BroadPhaseKind, SectionKind, UnknownKind};
pub use method::{LEAST_PARALLEL, Method, Pair, Upkeep};
pub use phase::BroadPhase;
pub use sweep::SweepOrder;
