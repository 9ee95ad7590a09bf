//! Broad phase of a run, with the code that all kinds share.

use super::kind::BroadPhaseKind;
use super::method::{LEAST_PARALLEL, Method, Pair, Upkeep};
use super::sort::PairSort;
use crate::parallel;
use crate::volume::Aabb;

/// Returns whether no box is empty.
fn all_are_there(boxes: &[Aabb], thread_count: usize) -> bool {
    // No early exit, because nearly always no box is empty.
    let there = |part: &[Aabb]| {
        part.iter().fold(true, |all, b| {
            let sides = (b.min.x <= b.max.x) & (b.min.y <= b.max.y) & (b.min.z <= b.max.z);
            all & sides
        })
    };
    if thread_count <= 1 || boxes.len() < LEAST_PARALLEL {
        return there(boxes);
    }
    let parts: Vec<&[Aabb]> = boxes.chunks(boxes.len().div_ceil(thread_count)).collect();
    parallel::map(&parts, |part| there(part)).into_iter().all(|there| there)
}

/// Broad phase of a run.
///
/// ```
/// use glam::Vec3;
/// use tumble_collide::broad::{BroadPhase, BroadPhaseKind, Pair};
/// use tumble_collide::volume::Aabb;
///
/// let boxes = [0.0, 0.5, 2.0].map(|x| Aabb::new(Vec3::X * x, Vec3::X * x + Vec3::ONE));
/// let mut phase = BroadPhase::new(BroadPhaseKind::default(), 1);
/// let mut pairs = Vec::new();
/// phase.update(&boxes);
/// phase.pairs(&mut pairs);
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// ```
#[derive(Debug)]
pub struct BroadPhase {
    method: Box<dyn Method>,
    thread_count: usize,
    box_count: usize,
    invalid: Vec<u32>,
    sort: PairSort,
}

impl BroadPhase {
    /// Builds a broad phase without boxes. If `thread_count` is more than one and there are
    /// [`LEAST_PARALLEL`] boxes or more, it must be used inside a pool of `thread_count` threads.
    pub fn new(kind: BroadPhaseKind, thread_count: usize) -> Self {
        let method = kind.method(thread_count);
        Self::with(method, thread_count)
    }

    /// Builds a broad phase with a custom method.
    pub fn with(method: Box<dyn Method>, thread_count: usize) -> Self {
        Self { method, thread_count, box_count: 0, invalid: Vec::new(), sort: PairSort::default() }
    }

    /// Updates the structure with the frame's boxes. The index of a box is its identity from frame to
    /// frame. [`Aabb::EMPTY`] represents an absent box.
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

    /// Returns the indices of the frame's boxes that have a NaN or `min` > `max`, except
    /// [`Aabb::EMPTY`]. These boxes overlap nothing.
    pub fn invalid(&self) -> &[u32] {
        &self.invalid
    }

    /// Replaces `pairs` by all overlapping pairs, each once, sorted. Returns the number of box pairs
    /// tested.
    pub fn pairs(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        let test_count = self.find(pairs);
        self.sort(pairs);
        test_count
    }

    /// Replaces `pairs` by all overlapping pairs, in the order of their discovery. Returns the number
    /// of box pairs tested.
    pub fn find(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        pairs.clear();
        self.method.find(pairs)
    }

    /// Sorts pairs of this frame's boxes.
    pub fn sort(&mut self, pairs: &mut [Pair]) {
        self.sort.sort(pairs, self.box_count);
    }

    /// Returns the memory for finding pairs, in bytes, without the boxes, the pairs and the buffers for
    /// sorting. The pairs found by threads other than the calling thread are stored twice, and the
    /// copies count here.
    pub fn byte_count(&self) -> usize {
        self.method.byte_count() + self.invalid.capacity() * size_of::<u32>()
    }
}
