//! Cells for a counting sort of boxes. There is one grid over the centers of each class of boxes with
//! similar size and shape, so that a large box, or a box that is long in another direction, does not
//! make a group loose.
//!
//! A grid halves the longest side of its space repeatedly. Each bit of a cell's index, from the highest
//! down, specifies the side of one cut. So cells with neighboring indices are mostly neighbors in
//! space.

use glam::{Vec3, Vec3A};

use crate::parallel;
use crate::volume::Aabb;

/// Largest average number of boxes per cell: those of a node of groups. A cell is halved further in the
/// L1 cache.
const BOXES_PER_CELL: usize = 64;
/// Range of sizes within a class: the longest edges differ by a factor of less than 2 to this power,
/// and an edge is short if it is less than the longest one by this factor. A smaller range would
/// separate neighbors: where two classes share a space, twice as many pairs of groups overlap.
const OCTAVES: usize = 3;
/// Number of shapes: one bit per axis, set if the edge is not short.
const SHAPES: usize = 8;
/// Number of kinds of boxes. A kind is the exponent of the longest edge (the highest exponent is that
/// of infinity) and the shape.
const KINDS: usize = 256 * SHAPES;
/// Largest number of cuts of a grid, for 2²⁴ cells.
const MOST_CUTS: usize = 24;

/// Grids of a frame, one per class.
#[derive(Debug)]
pub(super) struct Grids {
    /// Class of each kind of box; `NONE` for a kind that was never present.
    class_of: [u16; KINDS],
    /// Grid of each class.
    grids: Vec<Grid>,
    /// Bits of the cell's index, for each grid, axis and slice across the axis.
    bits: Vec<u32>,
    spans: Vec<Span>,
}

#[derive(Clone, Copy, Debug)]
struct Grid {
    first_cell: u32,
    origin: Vec3,
    /// Slices per meter.
    scale: Vec3,
    /// Per axis, the index in `bits` of the first slice, and the number of slices.
    slices: [(u32, u32); 3],
}

/// Number of boxes of a class, and the bounds of their centers.
#[derive(Clone, Copy, Debug)]
struct Span {
    centers: Aabb,
    count: usize,
}

impl Span {
    const EMPTY: Self = Self { centers: Aabb::EMPTY, count: 0 };

    fn add(&mut self, bounds: &Aabb) {
        self.count += 1;
        let center = bounds.center();
        if center.is_finite() {
            self.centers = self.centers.union(&Aabb::new(center, center));
        }
    }
}

/// Summary of a set of boxes.
struct Survey {
    /// Whether each kind is present.
    present: [bool; KINDS],
    all: Span,
}

impl Default for Survey {
    fn default() -> Self {
        Self { present: [false; KINDS], all: Span::EMPTY }
    }
}

impl Survey {
    fn of(boxes: &[Aabb], indices: &[u32]) -> Self {
        let mut survey = Self::default();
        let (mut low, mut high) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        for bounds in indices.iter().map(|&index| &boxes[index as usize]) {
            survey.present[kind(bounds)] = true;
            let center = center(bounds);
            (low, high) = (center.min(low), center.max(high));
        }
        survey.all = Span { centers: Aabb { min: low.into(), max: high.into() }, count: indices.len() };
        if !(low.is_finite() && high.is_finite()) {
            // Rare: some boxes are unbounded.
            survey.all = Span::EMPTY;
            indices.iter().for_each(|&index| survey.all.add(&boxes[index as usize]));
        }
        survey
    }

    fn union(mut self, other: &Self) -> Self {
        for (own, other) in self.present.iter_mut().zip(other.present) {
            *own |= other;
        }
        self.all.centers = self.all.centers.union(&other.all.centers);
        self.all.count += other.all.count;
        self
    }
}

/// Class of a kind that was never present.
const NONE: u16 = u16::MAX;

impl Default for Grids {
    fn default() -> Self {
        Self { class_of: [NONE; KINDS], grids: Vec::new(), bits: Vec::new(), spans: Vec::new() }
    }
}

impl Grids {
    /// Builds the grids for the boxes with these indices, none of which may be empty. Returns the
    /// number of cells.
    pub fn lay(&mut self, boxes: &[Aabb], indices: &[u32], thread_count: usize) -> usize {
        let look = |indices: &[u32]| Survey::of(boxes, indices);
        let common = common_space(boxes, indices);
        let survey = match thread_count {
            1 => look(indices),
            _ => {
                let parts: Vec<&[u32]> =
                    indices.chunks(indices.len().div_ceil(thread_count).max(1)).collect();
                let surveys = parallel::map(&parts, |part| look(part));
                surveys.iter().fold(Survey::default(), |a, b| a.union(b))
            }
        };
        self.classify(&survey.present);
        match &mut self.spans[..] {
            [only] => *only = survey.all,
            spans => {
                for bounds in indices.iter().map(|&index| &boxes[index as usize]) {
                    spans[usize::from(self.class_of[kind(bounds)])].add(bounds);
                }
            }
        }
        self.grids.clear();
        self.bits.clear();
        let mut cell_count = 0;
        for class in 0..self.spans.len() {
            let Span { centers, count } = self.spans[class];
            let shared = Aabb { min: centers.min.max(common.min), max: centers.max.min(common.max) };
            let space = if shared.is_empty() { centers } else { shared };
            cell_count += self.add(&space, count, cell_count);
        }
        cell_count as usize
    }

    /// Assigns classes to the kinds that are present: per shape, from the largest size to the smallest.
    fn classify(&mut self, present: &[bool; KINDS]) {
        let mut class_count = 0;
        for shape in 0..SHAPES {
            let mut largest = None;
            for kind in (shape..KINDS).step_by(SHAPES).rev().filter(|&kind| present[kind]) {
                if largest.is_none_or(|largest| largest - kind >= OCTAVES * SHAPES) {
                    largest = Some(kind);
                    class_count += 1;
                }
                self.class_of[kind] = class_count - 1;
            }
        }
        self.spans.clear();
        self.spans.resize(usize::from(class_count), Span::EMPTY);
    }

    /// Returns the cell of a box. The grids must have been built for it.
    #[inline]
    pub fn cell(&self, bounds: &Aabb) -> u32 {
        let grid = match &self.grids[..] {
            [only] => only,
            grids => &grids[usize::from(self.class_of[kind(bounds)])],
        };
        let at = (center(bounds) - Vec3A::from(grid.origin)) * Vec3A::from(grid.scale);
        let bits = |k: usize| {
            let (first, count) = grid.slices[k];
            self.bits[(first + (at[k] as u32).min(count - 1)) as usize]
        };
        grid.first_cell + (bits(0) | bits(1) | bits(2))
    }

    /// Adds a grid over a space with `count` boxes. Boxes outside the space go to its outermost cells.
    /// Returns the number of cells.
    fn add(&mut self, space: &Aabb, count: usize, first_cell: u32) -> u32 {
        let size = space.size();
        let cuts = (count / BOXES_PER_CELL).checked_ilog2().map_or(0, |log| log as usize + 1);
        let cuts = if size.is_finite() { cuts.min(MOST_CUTS) } else { 0 };
        let (mut left, mut axes, mut axis_cuts) = (size, [0; MOST_CUTS], [0; 3]);
        for axis in &mut axes[..cuts] {
            *axis = left.max_position();
            left[*axis] *= 0.5;
            axis_cuts[*axis] += 1;
        }
        let mut slices = [(0, 0); 3];
        for (k, slices) in slices.iter_mut().enumerate() {
            let first = self.bits.len() as u32;
            // The last cut is the lowest bit.
            let places = || axes[..cuts].iter().rev().enumerate().filter(|(_, axis)| **axis == k);
            let bits = |slice: u32| {
                places().enumerate().fold(0, |bits, (from, (to, _))| bits | (slice >> from & 1) << to)
            };
            self.bits.extend((0..1 << axis_cuts[k]).map(bits));
            *slices = (first, 1 << axis_cuts[k]);
        }
        let per_meter =
            |k: usize| Some(slices[k].1 as f32 / size[k]).filter(|s| s.is_finite()).unwrap_or(0.0);
        let scale = Vec3::new(per_meter(0), per_meter(1), per_meter(2));
        self.grids.push(Grid { first_cell, origin: space.min, scale, slices });
        1 << cuts
    }

    pub fn byte_count(&self) -> usize {
        self.grids.capacity() * size_of::<Grid>()
            + self.bits.capacity() * size_of::<u32>()
            + self.spans.capacity() * size_of::<Span>()
    }
}

/// Number of boxes that are sampled to determine the space of a grid.
const SAMPLES: usize = 256;
/// Number of samples that are ignored at each end of an axis.
const OUTLIERS: usize = 5;

/// Returns the space around the centers of all boxes, except a few far ones. With far boxes, one cell
/// would contain nearly all boxes. A grid over less than all boxes is also valid, only less even.
fn common_space(boxes: &[Aabb], indices: &[u32]) -> Aabb {
    let everything = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
    if indices.len() < SAMPLES {
        return everything;
    }
    let mut samples = [[0.0; SAMPLES]; 3];
    for number in 0..SAMPLES {
        let center = boxes[indices[number * indices.len() / SAMPLES] as usize].center();
        for k in 0..3 {
            samples[k][number] = center[k];
        }
    }
    let mut space = everything;
    for (k, samples) in samples.iter_mut().enumerate() {
        samples.sort_unstable_by(f32::total_cmp);
        let (low, high) = (samples[OUTLIERS], samples[SAMPLES - 1 - OUTLIERS]);
        // Three times the estimated extent of evenly spread boxes beyond the samples.
        let beyond = (high - low) * (3.0 * OUTLIERS as f32 / (SAMPLES - 2 * OUTLIERS) as f32);
        if beyond.is_finite() {
            (space.min[k], space.max[k]) = (low - beyond, high + beyond);
        }
    }
    space
}

/// Returns the kind of a box: the exponent of its longest edge, and the set of edges that are not
/// short.
#[inline]
fn kind(bounds: &Aabb) -> usize {
    let size = Vec3A::from(bounds.max) - Vec3A::from(bounds.min);
    let longest = size.max_element();
    let long = size.cmpge(Vec3A::splat(longest / (1 << OCTAVES) as f32)).bitmask();
    // Masks out the sign, which the NaN of infinity minus infinity may have.
    let exponent = (longest.to_bits() >> 23) as usize & 255;
    exponent * SHAPES + long as usize
}

#[inline]
fn center(bounds: &Aabb) -> Vec3A {
    0.5 * Vec3A::from(bounds.min) + 0.5 * Vec3A::from(bounds.max)
}
