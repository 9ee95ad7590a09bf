//! What a kind of broad phase is.

use crate::volume::Aabb;

/// Indices of two boxes that overlap, `a < b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
}

impl Pair {
    /// A pair of two boxes in any order.
    pub fn new(i: u32, j: u32) -> Self {
        Self { a: i.min(j), b: i.max(j) }
    }
}

/// What a frame's boxes did to the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upkeep {
    /// It was made from nothing.
    Made,
    /// The last frame's was brought up to date.
    Kept,
}

/// A way to find the pairs. It keeps its own structure between frames.
///
/// An empty box ([`Aabb::is_empty`]: also one with a NaN, or turned inside out) overlaps nothing and must not
/// disturb the others. Coordinates may be infinite.
pub trait Method: Send + Sync + std::fmt::Debug {
    /// Takes the frame's boxes; the index of a box is its identity from frame to frame. `complete` if none is
    /// empty.
    fn update(&mut self, boxes: &[Aabb], complete: bool) -> Upkeep;

    /// Adds all overlapping pairs to `pairs`, each once, in an order that depends on the boxes of all frames
    /// so far and the number of threads alone. Returns how many box pairs were tested.
    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64;

    /// Memory held, without the boxes handed over and the pairs handed out.
    fn byte_count(&self) -> usize;
}

/// Fewer boxes are left to one thread: waking another takes longer.
pub const LEAST_PARALLEL: usize = 4096;
