//! Broad phases: from the world boxes of a frame to the pairs that overlap. They know boxes and numbers,
//! never bodies. \[boxes\]
//!
//! Boxes are closed: those that touch overlap. Each pair is reported once. Every kind finds the same pairs on
//! any boxes: equal ones, flat ones, points, one as large as the world, unbounded ones.

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
