//! Cells for a counting sort of boxes: a grid over the centres of each class of about equal size and shape,
//! so that a large box, or one that is long the other way, does not make a group of others loose.
//!
//! A grid halves the longest side of the space its boxes take again and again; the cell's number says, from
//! the highest bit down, on which side of each cut it lies. So neighbours in number are mostly neighbours in
//! space.

use glam::{Vec3, Vec3A};

use crate::parallel;
use crate::volume::Aabb;

/// Boxes a cell at most, on average: a node of groups, which is halved further in the first-level cache.
const BOXES_PER_CELL: usize = 64;
/// Longest edges within a class differ by less than 2 to this power, and an edge is short if it is less than
/// the longest by as much. Smaller classes would part what belongs together: twice as many pairs of groups
/// meet where two classes share a space.
const OCTAVES: usize = 3;
/// Kinds of boxes: exponents of the longest edge, the highest being that of infinity, and a bit an axis for
/// the edges that are not short.
const SHAPES: usize = 8;
const KINDS: usize = 256 * SHAPES;
/// Cuts of a grid at most, 2²⁴ cells.
const MOST_CUTS: usize = 24;

/// The grids of a frame.
#[derive(Debug)]
pub(super) struct Grids {
    /// The class of each kind of box, and a grid a class.
    class_of: [u16; KINDS],
    grids: Vec<Grid>,
    /// For every grid, axis and slice across it, the bits of the cell's number.
    bits: Vec<u32>,
    spans: Vec<Span>,
}

#[derive(Clone, Copy, Debug)]
struct Grid {
    first_cell: u32,
    origin: Vec3,
    /// Slices a meter.
    scale: Vec3,
    /// By axis: where its slices' bits begin, and how many there are.
    slices: [(u32, u32); 3],
}

/// The boxes of a class: where their centres are, and how many.
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

/// What there is among boxes.
struct Survey {
    /// By kind.
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
            // Rare: some have no bounds.
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

/// The class of a kind that was never there.
const NONE: u16 = u16::MAX;

impl Default for Grids {
    fn default() -> Self {
        Self { class_of: [NONE; KINDS], grids: Vec::new(), bits: Vec::new(), spans: Vec::new() }
    }
}

impl Grids {
    /// Lays grids over the boxes with these indices, none of them empty. Returns how many cells there are.
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

    /// Finds classes for the kinds there are: of each shape, from the largest down.
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

    /// The cell of one of the boxes that the grids were laid over.
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

    /// Over a space with so many boxes in it, or beyond its sides: those go to the cells there.
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

/// Boxes that a grid's space is judged by, and of each end of an axis those that do not count.
const SAMPLES: usize = 256;
const OUTLIERS: usize = 5;

/// Around the centres of all boxes but a few far ones, which would leave one cell to all others. A grid over
/// less than all boxes is right too, only less even.
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
        // What evenly spread boxes have beyond, and twice as much again.
        let beyond = (high - low) * (3.0 * OUTLIERS as f32 / (SAMPLES - 2 * OUTLIERS) as f32);
        if beyond.is_finite() {
            (space.min[k], space.max[k]) = (low - beyond, high + beyond);
        }
    }
    space
}

/// By the exponent of the longest edge, and which edges are not much shorter.
#[inline]
fn kind(bounds: &Aabb) -> usize {
    let size = Vec3A::from(bounds.max) - Vec3A::from(bounds.min);
    let longest = size.max_element();
    let long = size.cmpge(Vec3A::splat(longest / (1 << OCTAVES) as f32)).bitmask();
    // Without the sign, which an edge of no length may have: infinity less infinity.
    let exponent = (longest.to_bits() >> 23) as usize & 255;
    exponent * SHAPES + long as usize
}

#[inline]
fn center(bounds: &Aabb) -> Vec3A {
    0.5 * Vec3A::from(bounds.min) + 0.5 * Vec3A::from(bounds.max)
}
