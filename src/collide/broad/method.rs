//! Trait of a kind of broad phase.

use crate::volume::Aabb;

/// Indices of two boxes that overlap, `a < b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
}

impl Pair {
    /// Builds a pair of two boxes given in any order.
    pub fn new(i: u32, j: u32) -> Self {
        Self { a: i.min(j), b: i.max(j) }
    }
}

/// Effect of a frame's boxes on the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upkeep {
    /// The structure was rebuilt.
    Made,
    /// The last frame's structure was updated.
    Kept,
}

/// Method that finds the pairs. It may keep its own structure between frames.
///
/// An empty box ([`Aabb::is_empty`], which includes a box with a NaN or with `min` > `max`) overlaps
/// nothing and must not affect other boxes. Coordinates may be infinite.
pub trait Method: Send + Sync + std::fmt::Debug {
    /// Updates the structure with the frame's boxes. The index of a box is its identity from frame to
    /// frame. `complete` must be true exactly if no box is empty.
    fn update(&mut self, boxes: &[Aabb], complete: bool) -> Upkeep;

    /// Appends all overlapping pairs to `pairs`, each once. Their order depends only on the boxes of
    /// all frames so far and on the number of threads. Returns the number of box pairs tested.
    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64;

    /// Returns the memory in bytes, without the input boxes and the output pairs.
    fn byte_count(&self) -> usize;
}

/// Least number of boxes for which several threads are used. For fewer boxes, waking another thread
/// takes longer than it saves.
pub const LEAST_PARALLEL: usize = 4096;
