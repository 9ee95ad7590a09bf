//! HYBRID: a streamed segment tree over the axes, replaced by a scan for few boxes. \[boxes\] §3.1
//!
//! Two intervals overlap exactly if one of them contains the low end of the other. The tree finds the
//! intervals that contain each low end, with one level per axis. It is traversed but never stored: two
//! copies of the boxes are partitioned in place. Segments are halved at the exact median instead of a
//! sampled one, so the depth is bounded, and identical boxes need no special case. Takes O(n log³ n +
//! k) time for n boxes and k pairs, and 64 bytes per box.

use glam::DVec3;

use super::method::{Method, Pair, Upkeep};
use super::ordered::ordered;
use crate::arrays::MapEach;
use crate::volume::Aabb;

/// Number of intervals or low ends below which they are scanned. Of 10, 100, 512, 1024, 2048 and 4096,
/// 1024 is the fastest or nearly so on a hundred thousand boxes. 2048 is a tenth faster on a million
/// boxes, and 100 a seventh faster on crowded boxes.
const CUTOFF: usize = 1024;

/// Level of the root. There is one level per axis; level 0 is that of the scan.
const TOP_LEVEL: usize = 2;

/// HYBRID method. It finds the pairs from scratch in each frame, and keeps only memory between frames.
#[derive(Debug)]
pub(super) struct Hybrid {
    cutoff: usize,
    /// Boxes that are not empty, in arbitrary order, used as intervals.
    intervals: Vec<Entry>,
    /// Boxes of the same set in another order, used as low ends.
    points: Vec<Entry>,
}

impl Default for Hybrid {
    fn default() -> Self {
        Self::with_cutoff(CUTOFF)
    }
}

impl Hybrid {
    /// Builds a tree that scans sets of fewer than `cutoff` boxes. The cutoff affects only the time,
    /// not the pairs.
    pub fn with_cutoff(cutoff: usize) -> Self {
        // A single low end cannot be split.
        Self { cutoff: cutoff.max(2), intervals: Vec::new(), points: Vec::new() }
    }
}

impl Method for Hybrid {
    fn update(&mut self, boxes: &[Aabb], _: bool) -> Upkeep {
        self.intervals.clear();
        self.intervals.reserve(boxes.len());
        let alive = boxes.iter().zip(0..u32::MAX).filter(|(b, _)| !b.is_empty());
        let axes = axes_of_levels(boxes);
        self.intervals.extend(alive.map(|(bounds, id)| Entry::new(bounds, id, axes)));
        self.points.clone_from(&self.intervals);
        Upkeep::Made
    }

    fn find(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        let mut search = RangeSearch { cutoff: self.cutoff, pairs, test_count: 0 };
        search.stab(&mut self.intervals, &mut self.points, Segment::WHOLE, TOP_LEVEL);
        search.test_count
    }

    fn byte_count(&self) -> usize {
        (self.intervals.capacity() + self.points.capacity()) * size_of::<Entry>()
    }
}

/// Closed box with one interval per level. Its integers have the same order as its coordinates.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Entry {
    low: [i32; 3],
    high: [i32; 3],
    id: u32,
}

impl Entry {
    fn new(bounds: &Aabb, id: u32, axes: [usize; 3]) -> Self {
        Self {
            low: axes.map_each(|k| ordered(bounds.min[k])),
            high: axes.map_each(|k| ordered(bounds.max[k])),
            id,
        }
    }

    /// Returns the sort key of the low end on `level`. Ties are broken by `id`, so no two boxes have
    /// the same key.
    fn low_key(&self, level: usize) -> i64 {
        i64::from(self.low[level]) << 32 | i64::from(self.id)
    }

    /// Returns the sort key of the high end. It comes after all low ends with the same coordinate,
    /// because intervals are closed.
    fn high_key(&self, level: usize) -> i64 {
        i64::from(self.high[level]) << 32 | i64::from(u32::MAX)
    }

    fn contains_low_end(&self, point: &Self, level: usize) -> bool {
        let begin = self.low_key(level);
        let length = self.high_key(level).wrapping_sub(begin).cast_unsigned();
        // The box itself has the offset −1, which wraps around to the largest value.
        let offset = point.low_key(level).wrapping_sub(begin).wrapping_sub(1).cast_unsigned();
        offset < length
    }

    fn overlaps(&self, other: &Self, level: usize) -> bool {
        // A single comparison makes a single branch; two branches would each be hard to predict.
        self.low[level].max(other.low[level]) <= self.high[level].min(other.high[level])
    }
}

/// Range of low-end keys ([`Entry::low_key`]), from `begin` inclusive to `end` exclusive.
#[derive(Clone, Copy)]
struct Segment {
    begin: i64,
    end: i64,
}

impl Segment {
    const WHOLE: Self = Self { begin: i64::MIN, end: i64::MAX };

    fn is_covered_by(&self, interval: &Entry, level: usize) -> bool {
        (interval.low_key(level) < self.begin) & (self.end <= interval.high_key(level))
    }
}

struct RangeSearch<'a> {
    cutoff: usize,
    pairs: &'a mut Vec<Pair>,
    test_count: u64,
}

impl RangeSearch<'_> {
    /// Reports each pair of an interval and a low end that it contains on `level`, if the two overlap
    /// on the levels below. All `points` must lie in `segment`. Each recursion halves `points`, so its
    /// depth is at most log₂ n per level.
    fn stab(&mut self, intervals: &mut [Entry], points: &mut [Entry], segment: Segment, level: usize) {
        if intervals.len() < self.cutoff || points.len() < self.cutoff {
            match level {
                1 => self.scan(intervals, points, |i, p| i.contains_low_end(p, 1)),
                _ => self.scan(intervals, points, |i, p| i.overlaps(p, 1) & i.contains_low_end(p, 2)),
            }
            return;
        }
        let (covering, ending) = partition(intervals, |i| segment.is_covered_by(i, level));
        self.meet(covering, points, level - 1);
        let half = points.len() / 2;
        points.select_nth_unstable_by_key(half, |p| p.low_key(level));
        let (left, right) = points.split_at_mut(half);
        let median = right[0].low_key(level);
        let (reaching, _) = partition(ending, |i| i.low_key(level) < median);
        self.stab(reaching, left, Segment { end: median, ..segment }, level);
        let (reaching, _) = partition(ending, |i| median <= i.high_key(level));
        self.stab(reaching, right, Segment { begin: median, ..segment }, level);
    }

    /// Reports the pairs of a box in `first` and a box in `second` that overlap on `level` and on the
    /// levels below. The two sets must be disjoint.
    fn meet(&mut self, first: &mut [Entry], second: &mut [Entry], level: usize) {
        if level == 0 {
            self.scan(first, second, |_, _| true);
        } else if first.len() < self.cutoff || second.len() < self.cutoff {
            self.scan(first, second, |a, b| a.overlaps(b, 1));
        } else {
            self.stab(first, second, Segment::WHOLE, level);
            self.stab(second, first, Segment::WHOLE, level);
        }
    }

    /// Reports the pairs that overlap on level 0 and pass `test`. Sorts both sets by low end. The box
    /// that begins first is compared with the boxes of the other set that begin before it ends.
    fn scan(&mut self, intervals: &mut [Entry], points: &mut [Entry], test: impl Fn(&Entry, &Entry) -> bool) {
        if intervals.is_empty() || points.is_empty() {
            return;
        }
        by_low_end(intervals);
        by_low_end(points);
        let (mut intervals, mut points) = (&*intervals, &*points);
        while let ([interval, later_intervals @ ..], [point, later_points @ ..]) = (intervals, points) {
            if interval.low[0] <= point.low[0] {
                self.compare(interval, points, |point| test(interval, point));
                intervals = later_intervals;
            } else {
                self.compare(point, intervals, |interval| test(interval, point));
                points = later_points;
            }
        }
    }

    /// Reports the pairs of `first` and each box in `others` that begins on level 0 before `first` ends
    /// and passes `test`. `others` must be sorted, and none may begin before `first`.
    fn compare(&mut self, first: &Entry, others: &[Entry], test: impl Fn(&Entry) -> bool) {
        for other in others.iter().take_while(|o| o.low[0] <= first.high[0]) {
            self.test_count += 1;
            if test(other) {
                self.pairs.push(Pair::new(first.id, other.id));
            }
        }
    }
}

/// Moves the entries that pass `test` to the front, and splits the slice after them.
fn partition(entries: &mut [Entry], test: impl Fn(&Entry) -> bool) -> (&mut [Entry], &mut [Entry]) {
    let mut split = 0;
    for at in 0..entries.len() {
        let passes = test(&entries[at]);
        entries.swap(split, at);
        split += usize::from(passes);
    }
    entries.split_at_mut(split)
}

/// Returns the axis of each level. An axis on which boxes are long relative to their spread separates
/// few of them. The worst axis by this measure becomes the middle level, which has the least influence
/// on the work; the best axis becomes that of the scan. O(n).
fn axes_of_levels(boxes: &[Aabb]) -> [usize; 3] {
    let bounded = |b: &&Aabb| !b.is_empty() && b.min.is_finite() && b.max.is_finite();
    let (mut edges, mut sum, mut squares, mut count) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, 0.0);
    for bounds in boxes.iter().filter(bounded) {
        let low = bounds.min.as_dvec3();
        edges += bounds.max.as_dvec3() - low;
        sum += low;
        squares += low * low;
        count += 1.0;
    }
    // Multiplied by the squared number of boxes, like the squared sum of edges.
    let variance = count * squares - sum * sum;
    let crowding =
        |k: usize| if variance[k] > 0.0 { edges[k] * edges[k] / variance[k] } else { f64::INFINITY };
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| crowding(a).total_cmp(&crowding(b)));
    let [best, second, worst] = axes;
    [best, worst, second]
}

/// Sorts by low end on level 0. Not generic, so it is compiled once although its caller is
/// monomorphized per test.
fn by_low_end(entries: &mut [Entry]) {
    entries.sort_unstable_by_key(|e| e.low[0]);
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::broad::brute_force::BruteForce;
    use crate::random::Random;

    fn pairs(mut method: impl Method, boxes: &[Aabb]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        method.update(boxes, false);
        method.find(&mut pairs);
        pairs.sort_unstable();
        pairs
    }

    /// Builds boxes whose coordinates are a few integers, so that nearly all ends coincide. Some boxes
    /// are unbounded, empty or a point.
    fn crowded(seed: u64) -> Vec<Aabb> {
        let mut random = Random::new(7, seed);
        let count = (150.0 * random.uniform()) as usize;
        let steps = 1.0 + 8.0 * random.uniform();
        let mut integer = || (steps * random.signed()) as f32;
        let mut one = || {
            let (corner, size) = (Vec3::new(integer(), integer(), integer()), integer().abs());
            match integer() as i32 {
                3 => Aabb::new(Vec3::NEG_INFINITY, corner),
                4 => Aabb::EMPTY,
                5 => Aabb::new(Vec3::NEG_INFINITY, Vec3::INFINITY),
                _ => Aabb::new(corner, corner + Vec3::new(size, integer().abs(), size)),
            }
        };
        (0..count).map(|_| one()).collect()
    }

    #[test]
    fn trees_cut_off_anywhere_find_the_pairs_of_brute_force() {
        let mut found = 0;
        for seed in 0..300 {
            let boxes = crowded(seed);
            let expected = pairs(BruteForce::default(), &boxes);
            for cutoff in [0, 2, 3, 7, 20] {
                assert!(
                    pairs(Hybrid::with_cutoff(cutoff), &boxes) == expected,
                    "seed {seed}, cutoff {cutoff}"
                );
            }
            found += expected.len();
        }
        assert!(found > 100_000, "{found}");
    }

    #[test]
    fn thousands_of_equal_boxes_are_all_pairs() {
        let boxes = vec![Aabb::new(Vec3::ZERO, Vec3::ONE); 3000];
        let mut pairs = pairs(Hybrid::default(), &boxes);
        pairs.dedup();
        assert_eq!(pairs.len(), 3000 * 2999 / 2);
    }
}
