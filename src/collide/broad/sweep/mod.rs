//! Sweep plane: a plane moves along one axis and reaches the ends of the boxes in order. A box that the
//! plane enters is compared with the rectangles in which the plane cuts other boxes at that moment.
//! \[boxes\] §3.3
//!
//! The rectangles are in a [`Section`], of which there are four kinds (SWEEP1 to SWEEP4). The order of
//! the ends can be kept between frames and repaired by insertion sort (§3.4). Takes O(n log n) for
//! sorting or O(n + inversions) for a repair, then n queries, insertions and removals. O(n) memory.
//!
//! - `buckets.rs`: the content of a bucket of a hashed section: a list or a priority search tree.
//! - `hashed.rs`: the plane divided into cells, which are hashed to buckets (SWEEP1, SWEEP2, SWEEP4).
//! - `one_tree.rs`: all rectangles in the plane in one tree (SWEEP3).
//! - `priority_tree.rs`: priority search trees: dynamic sets of intervals with overlap queries.
//! - `priority_tree/`: the tests of these trees.
//! - `section.rs`: the trait of a section: a dynamic set of rectangles with overlap queries.

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

/// Largest average number of moves per box in a repair of the order. Beyond it, sorting from scratch
/// costs about as much.
const MOVES_PER_BOX: usize = 8;

/// Ratio by which the variance on another axis must be larger for a kept order to be discarded. A kept
/// order on the second-best axis is better than an axis that changes from frame to frame.
const CLEARLY_WIDER: f64 = 2.0;

/// Method to sort the boxes' ends each frame. \[boxes\] §3.4
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SweepOrder {
    /// Repairs the last frame's order by insertion sort: nearly linear while boxes move little.
    Kept,
    /// Sorts from scratch.
    Anew,
}

/// Sweep over boxes, at most 2^31 of them.
#[derive(Debug)]
pub(super) struct Sweep<S: Section> {
    order: SweepOrder,
    /// Axis along which the plane moves.
    axis: usize,
    /// Ends of the boxes that are not empty, sorted; two per box.
    ends: Vec<End>,
    /// Rectangle of each box in the plane, by box index; [`Rectangle::EMPTY`] for an empty box.
    rectangles: Vec<Rectangle>,
    section: S,
}

impl<S: Section> Sweep<S> {
    pub(super) fn new(order: SweepOrder) -> Self {
        Self { order, axis: 0, ends: Vec::new(), rectangles: Vec::new(), section: S::default() }
    }

    /// Updates and re-sorts the last frame's ends. Returns false if the ends must be discarded because
    /// the set of boxes changed, another axis is clearly wider, or there are too many inversions.
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
    /// Sorts the ends. The sweep itself runs in `find`.
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

/// End of a box on the sweep axis. From the highest bit: the coordinate as an integer with the same
/// order; a bit that is set for the high end, so that low ends come first at equal coordinates and
/// touching boxes overlap; the box's id, 31 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End(u64);

impl End {
    const HIGH: u64 = 1 << 31;

    fn low(at: f32, id: u32) -> Self {
        // The unsigned order needs the sign bit inverted.
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

/// Sorts in time linear in the number of inversions, which is small if boxes move little between
/// frames. After `budget` moves it gives up and returns false; the ends are then all present, but
/// unsorted.
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

/// Returns the variance of the bounded boxes' centers, multiplied by the number of these boxes, m².
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
        // Ten ends in reverse order have 45 inversions.
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
