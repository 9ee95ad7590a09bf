//! Broad phases: from the world boxes of a frame to the pairs that overlap. They know boxes and numbers,
//! never bodies. \[boxes\]
//!
//! Boxes are closed: those that touch overlap. Each pair is reported once. Every kind finds the same pairs on
//! any boxes: equal ones, flat ones, points, one as large as the world, unbounded ones.

mod brute_force;
mod hash2;
mod hybrid;
mod kind;
mod ordered;
mod sort;
mod sweep;
mod wide;

pub use kind::{BroadPhaseKind, SectionKind, SweepOrder, UnknownKind};

use rayon::prelude::*;

use crate::volume::Aabb;
use brute_force::BruteForce;
use hash2::Hash2;
use hybrid::Hybrid;
use sort::PairSort;
use sweep::{HashedLists, HashedTrees, OneTree, StripTrees, Sweep};
use wide::WideTree;

/// Indices of two boxes that overlap, `a < b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
}

impl Pair {
    /// Of two boxes in any order.
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
trait Method: Send + Sync + std::fmt::Debug {
    /// Takes the frame's boxes; the index of a box is its identity from frame to frame. `complete` if none is
    /// empty.
    fn update(&mut self, boxes: &[Aabb], complete: bool) -> Upkeep;

    /// Adds all overlapping pairs to `pairs`, each once, in an order that depends on the boxes of all frames so
    /// far and the number of threads alone. Returns how many box pairs were tested.
    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64;

    /// Memory held, without the boxes handed over and the pairs handed out.
    fn byte_count(&self) -> usize;
}

/// Fewer boxes are left to one thread: waking another takes longer.
pub const LEAST_PARALLEL: usize = 4096;

/// Whether no box is empty.
fn all_are_there(boxes: &[Aabb], thread_count: usize) -> bool {
    // Without asking after each: nearly always all are.
    let there = |part: &[Aabb]| {
        part.iter().fold(true, |all, b| {
            let sides = (b.min.x <= b.max.x) & (b.min.y <= b.max.y) & (b.min.z <= b.max.z);
            all & sides
        })
    };
    if thread_count <= 1 || boxes.len() < LEAST_PARALLEL {
        return there(boxes);
    }
    boxes.par_chunks(boxes.len().div_ceil(thread_count)).map(there).reduce(|| true, |a, b| a & b)
}

/// The broad phase of a run.
#[derive(Debug)]
pub struct BroadPhase {
    method: Box<dyn Method>,
    thread_count: usize,
    box_count: usize,
    invalid: Vec<u32>,
    sort: PairSort,
}

impl BroadPhase {
    /// Without boxes yet. With more than one thread it is to be used inside a pool of as many, if there are
    /// [`LEAST_PARALLEL`] boxes or more.
    pub fn new(kind: BroadPhaseKind, thread_count: usize) -> Self {
        let method: Box<dyn Method> = match kind {
            BroadPhaseKind::WideTree => Box::new(WideTree::new(thread_count.max(1))),
            BroadPhaseKind::BruteForce => Box::new(BruteForce::default()),
            BroadPhaseKind::Sweep(section, order) => match section {
                SectionKind::HashedLists => Box::new(Sweep::<HashedLists>::new(order)),
                SectionKind::HashedTrees => Box::new(Sweep::<HashedTrees>::new(order)),
                SectionKind::OneTree => Box::new(Sweep::<OneTree>::new(order)),
                SectionKind::StripTrees => Box::new(Sweep::<StripTrees>::new(order)),
            },
            BroadPhaseKind::Hybrid => Box::new(Hybrid::default()),
            BroadPhaseKind::Hash2 => Box::new(Hash2::default()),
        };
        Self { method, thread_count, box_count: 0, invalid: Vec::new(), sort: PairSort::default() }
    }

    /// Takes the frame's boxes; the index of a box is its identity from frame to frame. [`Aabb::EMPTY`] stands
    /// for a box that is not there.
    pub fn update(&mut self, boxes: &[Aabb]) -> Upkeep {
        self.box_count = boxes.len();
        self.invalid.clear();
        let invalid = |b: &Aabb| b.is_empty() && *b != Aabb::EMPTY;
        let complete = all_are_there(boxes, self.thread_count);
        if !complete {
            let indices = boxes.iter().zip(0..).filter(|(b, _)| invalid(b)).map(|(_, index)| index);
            self.invalid.extend(indices);
        }
        self.method.update(boxes, complete)
    }

    /// Boxes of the frame that have a NaN or are turned inside out, by index. They overlap nothing.
    pub fn invalid(&self) -> &[u32] {
        &self.invalid
    }

    /// Replaces `pairs` by all overlapping pairs, each once, sorted. Returns how many box pairs were tested.
    pub fn pairs(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        let test_count = self.find(pairs);
        self.sort(pairs);
        test_count
    }

    /// The same in the order in which they are found.
    pub fn find(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        pairs.clear();
        self.method.find(pairs)
    }

    /// Sorts pairs of this frame's boxes.
    pub(crate) fn sort(&mut self, pairs: &mut [Pair]) {
        self.sort.sort(pairs, self.box_count);
    }

    /// Memory held to find pairs, in bytes: without the boxes, the pairs, and what sorting them takes. With
    /// more than one thread the pairs that others than the caller's find are held twice and count here.
    pub fn byte_count(&self) -> usize {
        self.method.byte_count() + self.invalid.capacity() * size_of::<u32>()
    }
}
