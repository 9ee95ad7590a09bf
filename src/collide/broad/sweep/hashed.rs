//! Sections that divide the plane into cells along one axis (strips, SWEEP4) or two axes (SWEEP1 and
//! SWEEP2), and hash the cells to buckets. \[boxes\] §3.2, §3.3
//!
//! The width of a cell is the mean edge, so that a rectangle of about that size is in O(1) cells. There
//! are about as many buckets as rectangles. A rectangle that covers very many cells is kept out of the
//! buckets, and compared with all others one by one.

use super::buckets::Buckets;
use super::section::{Rectangle, Section};

use crate::arrays::from_each;

/// Largest number of cells of a rectangle in the buckets. Because a cell has the mean edge, rectangles
/// of up to 64² cells are on average in at most about 64 buckets each, however their sizes vary.
const MOST_CELLS: u64 = 4096;

/// Id that stands for no rectangle; valid ids are smaller.
const NO_BOX: u32 = u32::MAX;

/// Section whose cells divide the plane along its first `AXES` axes.
#[derive(Debug, Default)]
pub(in crate::broad) struct Hashed<B: Buckets, const AXES: usize> {
    cells: Cells<AXES>,
    buckets: B,
    /// Rectangles in the buckets.
    hashed: IdSet,
    /// Rectangles that cover too many cells for the buckets.
    oversize: IdSet,
    /// Last rectangle that each rectangle was reported to. It prevents duplicates, because two
    /// rectangles may share several buckets.
    reported_to: Vec<u32>,
    /// Scratch: buckets of a single rectangle.
    keys: Vec<usize>,
}

impl<B: Buckets, const AXES: usize> Section for Hashed<B, AXES> {
    fn reset(&mut self, rectangles: &[Rectangle]) {
        self.cells = Cells::fitting(rectangles);
        self.buckets.reset(self.cells.bucket_count());
        self.hashed.reset(rectangles.len());
        self.oversize.reset(rectangles.len());
        self.reported_to.clear();
        self.reported_to.resize(rectangles.len(), NO_BOX);
    }

    fn enter(&mut self, id: u32, rectangles: &[Rectangle], report: &mut impl FnMut(u32)) -> u64 {
        let rectangle = &rectangles[id as usize];
        let mut test_count = 0;
        let mut meet = |other: u32| {
            test_count += 1;
            let last = &mut self.reported_to[other as usize];
            if rectangles[other as usize].overlaps(rectangle) && *last != id {
                *last = id;
                report(other);
            }
        };
        self.oversize.ids.iter().copied().for_each(&mut meet);
        if self.cells.keys(rectangle, &mut self.keys) {
            for &key in &self.keys {
                self.buckets.query(key, rectangle, &mut meet);
                self.buckets.insert(key, rectangle, id);
            }
            self.hashed.insert(id);
        } else {
            self.hashed.ids.iter().copied().for_each(&mut meet);
            self.oversize.insert(id);
        }
        test_count
    }

    fn leave(&mut self, id: u32, rectangles: &[Rectangle]) {
        let rectangle = &rectangles[id as usize];
        if self.cells.keys(rectangle, &mut self.keys) {
            for &key in &self.keys {
                self.buckets.remove(key, rectangle, id);
            }
            self.hashed.remove(id);
        } else {
            self.oversize.remove(id);
        }
    }

    fn byte_count(&self) -> usize {
        self.buckets.byte_count()
            + self.hashed.byte_count()
            + self.oversize.byte_count()
            + self.reported_to.capacity() * size_of::<u32>()
            + self.keys.capacity() * size_of::<usize>()
    }
}

/// Division of the plane into cells, and the hash function.
#[derive(Debug)]
struct Cells<const AXES: usize> {
    /// Cell size on each axis, m; greater than 0.
    edges: [f64; AXES],
    /// Number of buckets minus one. The number of buckets is a power of two.
    mask: u64,
}

impl<const AXES: usize> Cells<AXES> {
    fn fitting(rectangles: &[Rectangle]) -> Self {
        Self {
            edges: from_each(|axis| mean_edge(rectangles, axis)),
            mask: rectangles.len().next_power_of_two() as u64 - 1,
        }
    }

    fn bucket_count(&self) -> usize {
        self.mask as usize + 1
    }

    /// Sets `keys` to the buckets of the cells that the rectangle covers, each once. Returns false if
    /// there are too many cells.
    fn keys(&self, rectangle: &Rectangle, keys: &mut Vec<usize>) -> bool {
        keys.clear();
        let mut ranges = [(0, 0); 2];
        for (range, (side, edge)) in ranges.iter_mut().zip(rectangle.sides.iter().zip(self.edges)) {
            *range = (cell(side.low, edge), cell(side.high, edge));
        }
        let [columns, rows] = ranges;
        let length = |(first, last): (i64, i64)| last.abs_diff(first).saturating_add(1);
        if length(columns).saturating_mul(length(rows)) > MOST_CELLS {
            return false;
        }
        for row in rows.0..=rows.1 {
            keys.extend((columns.0..=columns.1).map(|column| self.key(column, row)));
        }
        // Two cells of one rectangle may hash to the same bucket.
        keys.sort_unstable();
        keys.dedup();
        true
    }

    /// Returns the bucket of a cell, by the hash function of Teschner et al. Its factors are odd, which
    /// makes the hash injective along one axis.
    fn key(&self, column: i64, row: i64) -> usize {
        let hash = column.wrapping_mul(73_856_093) ^ row.wrapping_mul(19_349_663);
        (hash as u64 & self.mask) as usize
    }
}

impl<const AXES: usize> Default for Cells<AXES> {
    fn default() -> Self {
        Self::fitting(&[])
    }
}

/// Returns the cell of a coordinate; the first or last cell if the coordinate is too far out. Monotonic
/// in `x`, so intervals with a common point have a common cell.
fn cell(x: f32, edge: f64) -> i64 {
    (f64::from(x) / edge).floor() as i64
}

/// Returns the mean of the finite edges, or 1 if the mean is not a valid cell size.
fn mean_edge(rectangles: &[Rectangle], axis: usize) -> f64 {
    let (mut sum, mut count) = (0.0, 0u32);
    for side in rectangles.iter().map(|r| r.sides[axis]) {
        let edge = f64::from(side.high) - f64::from(side.low);
        if edge.is_finite() {
            sum += edge;
            count += 1;
        }
    }
    if sum > 0.0 { sum / f64::from(count) } else { 1.0 }
}

/// Ids from `0..count`, stored without gaps. Each operation takes O(1).
#[derive(Debug, Default)]
struct IdSet {
    ids: Vec<u32>,
    /// Index in `ids` of each id that is present.
    places: Vec<u32>,
}

impl IdSet {
    fn reset(&mut self, count: usize) {
        self.ids.clear();
        self.places.resize(count, 0);
    }

    /// Adds an id that is not in the set.
    fn insert(&mut self, id: u32) {
        self.places[id as usize] = self.ids.len() as u32;
        self.ids.push(id);
    }

    /// Removes an id that is in the set.
    fn remove(&mut self, id: u32) {
        let place = self.places[id as usize];
        self.ids.swap_remove(place as usize);
        if let Some(&moved) = self.ids.get(place as usize) {
            self.places[moved as usize] = place;
        }
    }

    fn byte_count(&self) -> usize {
        (self.ids.capacity() + self.places.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::section::Interval;
    use super::*;

    fn rectangle(x: [f32; 2], y: [f32; 2]) -> Rectangle {
        Rectangle { sides: [x, y].map(|[low, high]| Interval { low, high }) }
    }

    #[test]
    fn cells_do_not_merge_at_zero_and_end_at_infinity() {
        assert_eq!([-1.5, -0.5, -0.0, 0.0, 0.5].map(|x| cell(x, 1.0)), [-2, -1, 0, 0, 0]);
        assert_eq!(cell(f32::INFINITY, 1.0), i64::MAX);
        assert_eq!(cell(f32::NEG_INFINITY, 1.0), i64::MIN);
        assert_eq!(cell(f32::MAX, 1e-40), i64::MAX);
    }

    #[test]
    fn the_cell_size_ignores_infinite_and_empty_sides() {
        let long = rectangle([f32::NEG_INFINITY, 0.0], [f32::MIN, f32::MAX]);
        let unit = rectangle([0.0, 3.0], [0.0, 0.0]);
        assert_eq!(mean_edge(&[long, unit, Rectangle::EMPTY], 0), 3.0);
        assert_eq!(mean_edge(&[long], 1), 2.0 * f64::from(f32::MAX));
        assert_eq!(mean_edge(&[unit], 1), 1.0);
        assert_eq!(mean_edge(&[], 0), 1.0);
    }

    #[test]
    fn each_bucket_is_named_once_and_too_many_cells_are_refused() {
        let cells = Cells::<2> { edges: [1.0; 2], mask: 7 };
        let mut keys = Vec::new();
        assert!(cells.keys(&rectangle([0.0, 63.0], [0.0, 63.0]), &mut keys));
        assert_eq!(keys, (0..8).collect::<Vec<_>>());
        assert!(!cells.keys(&rectangle([0.0, 63.0], [0.0, 64.0]), &mut keys));
        assert!(!cells.keys(&rectangle([f32::NEG_INFINITY, f32::INFINITY], [0.0, 0.0]), &mut keys));
        let strips = Cells::<1> { edges: [1.0], mask: 1023 };
        assert!(strips.keys(&rectangle([-5.0, 5.0], [f32::NEG_INFINITY, f32::INFINITY]), &mut keys));
        assert_eq!(keys.len(), 11);
    }
}
