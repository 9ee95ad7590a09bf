//! Sweep plane: a plane moves along one axis and meets the boxes' ends in order; a box that enters is
//! compared with the rectangles in which the plane cuts the boxes it is inside of. \[boxes\] §3.3
//!
//! The rectangles live in a [`Section`], of which there are four kinds (SWEEP1 to SWEEP4). The order of the
//! ends can be kept between frames and repaired by insertion sort (§3.4). O(n log n) for a sort,
//! O(n + inversions) for a repair, then n queries, insertions and removals; O(n) memory.
//!
//! - `buckets.rs`: what a bucket of a hashed section holds: a linked list or a priority search tree.
//! - `hashed.rs`: the plane cut into cells along one axis or two, hashed to buckets (SWEEP1, SWEEP2, SWEEP4).
//! - `one_tree.rs`: all rectangles under the plane in one tree (SWEEP3).
//! - `priority_tree.rs`: priority search trees: a changing set of intervals, asked for overlaps.
//! - `priority_tree/`: the tests of these trees.
//! - `section.rs`: what a section must give: a dynamic set of rectangles, asked for overlaps.

mod buckets;
mod hashed;
mod one_tree;
mod priority_tree;
mod section;

use glam::DVec3;

use super::method::{Method, Pair, Upkeep};
use super::ordered::ordered;
use crate::volume::Aabb;
use buckets::{Lists, Trees};
use hashed::Hashed;
pub(super) use one_tree::OneTree;
use section::Rectangle;
use section::Section;

/// SWEEP1: cells of the plane hashed to linked lists.
pub(super) type HashedLists = Hashed<Lists, 2>;
/// SWEEP2: cells of the plane hashed to trees in x.
pub(super) type HashedTrees = Hashed<Trees<0>, 2>;
/// SWEEP4: strips along y hashed to trees in y.
pub(super) type StripTrees = Hashed<Trees<1>, 1>;

/// Moves a box, on average, that repairing the order may take; sorting anew costs about as much.
const MOVES_PER_BOX: usize = 8;

/// How much larger the variance on another axis has to be before a kept order is given up for it. A kept
/// order on the second-best axis is better than axes that flip from frame to frame.
const CLEARLY_WIDER: f64 = 2.0;

/// How the boxes' ends get into order each frame. \[boxes\] §3.4
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SweepOrder {
    /// The last frame's order, repaired by insertion sort: near linear while boxes move little.
    Kept,
    /// Sorted anew, with nothing kept from the last frame.
    Anew,
}

/// The sweep over boxes, at most 2^31 of them.
#[derive(Debug)]
pub(super) struct Sweep<S: Section> {
    order: SweepOrder,
    /// The axis along which the plane moves.
    axis: usize,
    /// Sorted; two of each box that is not empty.
    ends: Vec<End>,
    /// Indexed as the boxes are: what the plane cuts out of each, [`Rectangle::EMPTY`] for an empty one.
    rectangles: Vec<Rectangle>,
    section: S,
}

impl<S: Section> Sweep<S> {
    pub(super) fn new(order: SweepOrder) -> Self {
        Self { order, axis: 0, ends: Vec::new(), rectangles: Vec::new(), section: S::default() }
    }

    /// Brings the last frame's ends up to date and into order. False where that is no use, and the ends are
    /// to be discarded: another set of boxes, a clearly wider axis, or too many inversions.
    fn repair(&mut self, boxes: &[Aabb], variance: DVec3) -> bool {
        let alive = boxes.iter().filter(|b| !b.is_empty()).count();
        let same_count = boxes.len() == self.rectangles.len() && 2 * alive == self.ends.len();
        if !same_count || variance.max_element() > CLEARLY_WIDER * variance[self.axis] {
            return false;
        }
        for end in &mut self.ends {
            let bounds = &boxes[end.index()];
            if bounds.is_empty() {
                return false;
            }
            *end = if end.is_high() {
                End::high(bounds.max[self.axis], end.id())
            } else {
                End::low(bounds.min[self.axis], end.id())
            };
        }
        insertion_sort(&mut self.ends, MOVES_PER_BOX * alive)
    }

    fn sort_anew(&mut self, boxes: &[Aabb], variance: DVec3) {
        self.axis = variance.max_position();
        self.ends.clear();
        for (bounds, id) in boxes.iter().zip(0..).filter(|(bounds, _)| !bounds.is_empty()) {
            self.ends.push(End::low(bounds.min[self.axis], id));
            self.ends.push(End::high(bounds.max[self.axis], id));
        }
        self.ends.sort_unstable();
    }
}

impl<S: Section> Method for Sweep<S> {
    /// Only sorts; the sweep itself is in `find`.
    fn update(&mut self, boxes: &[Aabb], _: bool) -> Upkeep {
        let variance = center_variance(boxes);
        let kept = self.order == SweepOrder::Kept && self.repair(boxes, variance);
        if !kept {
            self.sort_anew(boxes, variance);
        }
        self.rectangles.clear();
        self.rectangles.extend(boxes.iter().map(|bounds| Rectangle::across(bounds, self.axis)));
        if kept { Upkeep::Kept } else { Upkeep::Made }
    }

    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        self.section.reset(&self.rectangles);
        let mut test_count = 0;
        for end in &self.ends {
            let id = end.id();
            if end.is_high() {
                self.section.leave(id, &self.rectangles);
            } else {
                let mut report = |other| pairs.push(Pair::new(id, other));
                test_count += self.section.enter(id, &self.rectangles, &mut report);
            }
        }
        test_count
    }

    fn byte_count(&self) -> usize {
        self.ends.capacity() * size_of::<End>()
            + self.rectangles.capacity() * size_of::<Rectangle>()
            + self.section.byte_count()
    }
}

/// One end of a box on the sweep axis. Its bits from the highest: the coordinate, made to order as an
/// integer; whether it is the high end, so that of ends at one place the low ones come first and boxes that
/// touch meet; the box's id, 31 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End(u64);

impl End {
    const HIGH: u64 = 1 << 31;

    fn low(at: f32, id: u32) -> Self {
        // Unsigned integers of the same order have the other sign bit.
        let place = ordered(at).cast_unsigned() ^ 1 << 31;
        Self(u64::from(place) << 32 | u64::from(id))
    }

    fn high(at: f32, id: u32) -> Self {
        Self(Self::low(at, id).0 | Self::HIGH)
    }

    fn is_high(self) -> bool {
        self.0 & Self::HIGH != 0
    }

    fn id(self) -> u32 {
        (self.0 & (Self::HIGH - 1)) as u32
    }

    fn index(self) -> usize {
        self.id() as usize
    }
}

/// Linear in the number of inversions, which is small when boxes move little between frames. Gives up,
/// unsorted but complete, after `budget` moves.
fn insertion_sort(ends: &mut [End], mut budget: usize) -> bool {
    for i in 1..ends.len() {
        let end = ends[i];
        let mut j = i;
        while j > 0 && end < ends[j - 1] {
            if budget == 0 {
                ends[j] = end;
                return false;
            }
            budget -= 1;
            ends[j] = ends[j - 1];
            j -= 1;
        }
        ends[j] = end;
    }
    true
}

/// The variance of the centres of the boxes that are bounded, times their number. Square meters.
fn center_variance(boxes: &[Aabb]) -> DVec3 {
    let bounded = |b: &&Aabb| !b.is_empty() && b.min.is_finite() && b.max.is_finite();
    let centers = || boxes.iter().filter(bounded).map(|b| b.center().as_dvec3());
    let count = centers().count().max(1) as f64;
    let mean = centers().sum::<DVec3>() / count;
    centers().map(|c| (c - mean) * (c - mean)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_order_by_coordinate_then_low_before_high_then_id() {
        let coordinates =
            [f32::NEG_INFINITY, f32::MIN, -1.0, -1e-45, 0.0, 1e-45, 1.0, f32::MAX, f32::INFINITY];
        for pair in coordinates.windows(2) {
            assert!(End::high(pair[0], 9) < End::low(pair[1], 0));
        }
        assert_eq!(End::low(-0.0, 3), End::low(0.0, 3));
        assert!(End::low(1.0, 7) < End::high(1.0, 2));
        assert!(End::high(1.0, 2) < End::high(1.0, 7));
        let last = End::high(1.0, u32::MAX >> 1);
        assert!(last.is_high() && last.id() == u32::MAX >> 1);
    }

    #[test]
    fn insertion_sort_stops_at_its_budget_with_nothing_lost() {
        let reversed: Vec<End> = (0..10).rev().map(|i| End::low(i as f32, i)).collect();
        let mut sorted = reversed.clone();
        sorted.sort_unstable();
        // Ten ends in reverse are 45 inversions.
        for budget in 0..50 {
            let mut ends = reversed.clone();
            assert_eq!(insertion_sort(&mut ends, budget), budget >= 45);
            assert_eq!(ends == sorted, budget >= 45);
            ends.sort_unstable();
            assert_eq!(ends, sorted);
        }
    }

    #[test]
    fn an_order_is_repaired_unless_too_much_has_changed() {
        let point = |x: f32| Aabb::from_points([glam::vec3(x, 0.0, 0.0)]);
        let frame = |x: fn(u8) -> u8| -> Vec<Aabb> { (0..100).map(|i| point(f32::from(x(i)))).collect() };
        let first = frame(|i| i);
        let neighbors_swapped = frame(|i| i ^ 1);
        let reversed = frame(|i| 99 - i);
        let mut emptied = first.clone();
        emptied[50] = Aabb::EMPTY;
        let mut sweep = Sweep::<OneTree>::new(SweepOrder::Kept);
        for (boxes, kept) in [
            (&first, false),
            (&neighbors_swapped, true),
            (&first, true),
            (&reversed, false),
            (&emptied, false),
        ] {
            assert_eq!(sweep.repair(boxes, center_variance(boxes)), kept);
            sweep.update(boxes, false);
        }
    }

    #[test]
    fn the_axis_changes_only_for_a_clearly_wider_one() {
        let spread = |x: f32, y: f32| -> Vec<Aabb> {
            let corners = [(-x, -y), (-x, y), (x, -y), (x, y)];
            corners.map(|(x, y)| Aabb::from_points([glam::vec3(x, y, 0.0)])).to_vec()
        };
        let mut sweep = Sweep::<OneTree>::new(SweepOrder::Kept);
        for (boxes, axis) in [(spread(3.0, 2.0), 0), (spread(3.0, 4.0), 0), (spread(3.0, 5.0), 1)] {
            sweep.update(&boxes, false);
            assert_eq!(sweep.axis, axis);
        }
    }
}
