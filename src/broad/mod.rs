//! Broad phases: from the world boxes of a frame to the pairs that overlap. They know boxes and numbers,
//! never bodies. \[boxes\]
//!
//! Boxes are closed: those that touch overlap. Each pair is reported once. Every kind finds the same pairs on
//! any boxes: equal ones, flat ones, points, one as large as the world, unbounded ones.
//!
//! - `brute_force.rs`: every box against every other, what all other kinds are compared with.
//! - `hash2.rs`: HASH2, lists of boxes in hashed voxels, each scanned along one axis.
//! - `hybrid.rs`: HYBRID, a streamed segment tree that ends in scans.
//! - `kind.rs`: which broad phase a run uses; the only file that names all of them.
//! - `method.rs`: what a kind of broad phase must give.
//! - `ordered.rs`: coordinates as integers of the same order.
//! - `phase.rs`: the broad phase of a run, with what all kinds have in common.
//! - `sort.rs`: pairs in their order, by two counting sorts.
//! - `sweep/`: the sweep plane and its four sections, SWEEP1 to SWEEP4.
//! - `wide/`: a tree of boxes, eight a node, kept between frames.

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
