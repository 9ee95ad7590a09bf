//! Sort and sweep: boxes ordered by where they begin on one axis; each is compared with those that begin
//! before it ends. \[boxes\] §3.3
//!
//! The order is kept between frames and repaired by insertion (§3.4), which is near linear while boxes move
//! little. The axis is the one on which the centres vary most; a change of axis sorts anew. O(n + k) tests
//! for k overlaps on the axis.

use super::{BroadPhase, Pair};
use crate::volume::Aabb;

/// Moves a box, on average, that repairing the order may take; sorting anew costs about as much.
const MOVES_PER_BOX: usize = 32;

#[derive(Debug, Default)]
pub struct SortAndSweep {
    axis: usize,
    /// Sorted by the box's minimum on `axis`, then by index; empty boxes are left out.
    order: Vec<Entry>,
    box_count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    bounds: Aabb,
    index: u32,
}

impl Entry {
    fn begins_before(&self, other: &Self, axis: usize) -> bool {
        let (own, others) = (self.bounds.min[axis], other.bounds.min[axis]);
        own < others || (own == others && self.index < other.index)
    }
}

impl BroadPhase for SortAndSweep {
    fn update(&mut self, boxes: &[Aabb]) {
        let axis = widest_axis(boxes);
        let alive = boxes.iter().filter(|b| !b.is_empty()).count();
        let same_set = boxes.len() == self.box_count
            && alive == self.order.len()
            && self.order.iter().all(|e| !boxes[e.index as usize].is_empty());
        if same_set && axis == self.axis {
            for entry in &mut self.order {
                entry.bounds = boxes[entry.index as usize];
            }
            if !insertion_sort(&mut self.order, axis) {
                sort(&mut self.order, axis);
            }
            return;
        }
        (self.axis, self.box_count) = (axis, boxes.len());
        self.order.clear();
        let entries = boxes.iter().enumerate().filter(|(_, b)| !b.is_empty());
        self.order.extend(entries.map(|(index, &bounds)| Entry { bounds, index: index as u32 }));
        sort(&mut self.order, axis);
    }

    fn pairs(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        pairs.clear();
        let mut test_count = 0;
        for (at, first) in self.order.iter().enumerate() {
            let end = first.bounds.max[self.axis];
            for second in self.order[at + 1..].iter().take_while(|e| e.bounds.min[self.axis] <= end) {
                test_count += 1;
                if first.bounds.overlaps(&second.bounds) {
                    let (a, b) = (first.index.min(second.index), first.index.max(second.index));
                    pairs.push(Pair { a, b });
                }
            }
        }
        pairs.sort_unstable();
        test_count
    }
}

fn sort(order: &mut [Entry], axis: usize) {
    order.sort_unstable_by(|x, y| {
        x.bounds.min[axis].total_cmp(&y.bounds.min[axis]).then(x.index.cmp(&y.index))
    });
}

/// Linear in the number of inversions, which is small when boxes move little between frames. Gives up,
/// unsorted but complete, once it has moved more than sorting anew would: after a reset, say.
fn insertion_sort(order: &mut [Entry], axis: usize) -> bool {
    let mut budget = MOVES_PER_BOX * order.len();
    for i in 1..order.len() {
        let entry = order[i];
        let mut j = i;
        while j > 0 && entry.begins_before(&order[j - 1], axis) {
            order[j] = order[j - 1];
            j -= 1;
        }
        order[j] = entry;
        if i - j > budget {
            return false;
        }
        budget -= i - j;
    }
    true
}

/// The axis of the largest variance of the boxes' centres. Every box counts, so that a few outliers do not
/// make it flip from frame to frame.
fn widest_axis(boxes: &[Aabb]) -> usize {
    let centers = || boxes.iter().filter(|b| !b.is_empty()).map(|b| b.center().as_dvec3());
    let count = centers().count().max(1) as f64;
    let mean = centers().sum::<glam::DVec3>() / count;
    let variance = centers().map(|c| (c - mean) * (c - mean)).sum::<glam::DVec3>();
    variance.max_position()
}
