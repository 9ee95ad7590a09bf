//! SIMD overlap test of all child pairs of two wide nodes, by SAT lite. \[boxtree\] §3.2.4
//!
//! A [`ChildPacket`] holds the boxes of a node's children in both frames, one SIMD vector per
//! coordinate. Data that depends on only one node is computed once for all its pairs (§3.2.5). The code
//! is generic over the instruction set, which is chosen once per traversal. Every instruction set
//! computes the same bits, because none fuses or reorders operations.

use fearless_simd::prelude::*;
use glam::{DMat3, DVec3};

use super::bounds::Bounds;
use super::lanes::{Lanes, splat, zero};
use crate::arrays::MapEach;
use crate::volume::{Operations, round_up};

/// Child packet: boxes of a node's children in both frames.
pub(super) struct ChildPacket<S: Lanes<W>, const W: usize> {
    /// Boxes in their own frame.
    pub(super) own_low: [S::Vector; 3],
    pub(super) own_high: [S::Vector; 3],
    /// Bounds of the boxes in the other frame, enlarged by the margin.
    pub(super) other_low: [S::Vector; 3],
    pub(super) other_high: [S::Vector; 3],
    count: usize,
}

/// Lower and upper bounds of the boxes of a node's children.
pub(super) type Sides<S, const W: usize> = ([<S as Lanes<W>>::Vector; 3], [<S as Lanes<W>>::Vector; 3]);

/// Returns the bounds of a single box, which is the only child.
#[inline(always)]
pub(super) fn alone<S: Lanes<W>, const W: usize>(simd: S, own: &Bounds) -> Sides<S, W> {
    let (mut low, mut high) = ([zero(simd); 3], [zero(simd); 3]);
    for k in 0..3 {
        (low[k], high[k]) = (splat(simd, own.low[k]), splat(simd, own.high[k]));
    }
    (low, high)
}

/// Overlap masks of the child pairs of two nodes. The children of the smaller packet are the rows;
/// those of the larger packet are the lanes.
pub(super) struct OverlapMasks<S: Lanes<W>, const W: usize> {
    row_count: usize,
    /// Whether the rows are b's children and the lanes a's.
    pub is_swapped: bool,
    /// Mask of the lanes that overlap each row.
    masks: [u32; W],
    /// Depth of the overlap of each row and lane, m.
    depths: [S::Vector; W],
}

impl<S: Lanes<W>, const W: usize> OverlapMasks<S, W> {
    #[inline(always)]
    pub fn none(simd: S) -> Self {
        Self { row_count: 0, is_swapped: false, masks: [0; W], depths: [zero(simd); W] }
    }

    /// Begins a test of nodes with `row_count` rows: no pair overlaps.
    #[inline(always)]
    pub fn begin(&mut self, row_count: usize, is_swapped: bool) {
        (self.row_count, self.is_swapped, self.masks) = (row_count, is_swapped, [0; W]);
    }

    #[inline(always)]
    pub fn set(&mut self, row: usize, mask: u64, depths: S::Vector) {
        (self.masks[row], self.depths[row]) = (mask as u32, depths);
    }

    /// Returns the number of child pairs that overlap.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.masks[..self.row_count].iter().map(|mask| mask.count_ones() as usize).sum()
    }

    /// Removes the pairs that `other` does not contain. `other` must be a result for the same children.
    #[inline(always)]
    pub fn keep(&mut self, other: &Self) {
        for (mask, others) in self.masks.iter_mut().zip(&other.masks) {
            *mask &= others;
        }
    }

    /// Returns each row with the mask of its lanes.
    #[inline(always)]
    pub fn rows(&self) -> impl Iterator<Item = (usize, u32)> {
        self.masks[..self.row_count].iter().copied().enumerate()
    }

    #[inline(always)]
    pub fn depth(&self, row: usize, lane: usize) -> f32 {
        self.depths[row][lane]
    }
}

/// Operations per child: its bounds from their offsets, its center and half extents, and its bounds in
/// the other frame.
pub(super) const STEP: Operations = Operations::new(6 + 6 + 18, 6 + 6 + 12 + 6 + 6, 0);
/// Operations per pair: six axes with two ends each, the least depth, and the squared gap.
pub(super) const PAIR: Operations = Operations::new(6, 12 + 6 + 6, 12 + 6 + 2);

/// Transformation from one tree's frame to the other's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transform {
    /// Rows of the rotation.
    pub(super) matrix: [[f32; 3]; 3],
    translation: [f32; 3],
    /// Margin plus rounding, m.
    growth: f32,
}

/// Boxes of a node's children in their own frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxes<const W: usize> {
    low: [[f32; W]; 3],
    high: [[f32; W]; 3],
}

impl<const W: usize> Boxes<W> {
    #[inline(always)]
    pub fn sides(&self, lane: usize) -> Bounds {
        let mut sides = Bounds { low: [0.0; 3], high: [0.0; 3] };
        for k in 0..3 {
            sides.low[k] = self.low[k][lane];
            sides.high[k] = self.high[k][lane];
        }
        sides
    }
}

impl Transform {
    pub fn new(matrix: &DMat3, translation: DVec3, growth: f64) -> Self {
        let rows = matrix.transpose();
        Self {
            matrix: [rows.x_axis, rows.y_axis, rows.z_axis].map_each(|r| r.as_vec3().into()),
            translation: translation.as_vec3().into(),
            growth: round_up(growth),
        }
    }

    /// Returns the distance by which the transformation enlarges boxes, m.
    pub fn growth(&self) -> f32 {
        self.growth
    }

    /// Returns the transformation with its enlargement reduced by `margin` (m).
    pub fn ungrown(self, margin: f64) -> Self {
        Self { growth: round_up(f64::from(self.growth) - margin), ..self }
    }
}

impl<S: Lanes<W>, const W: usize> ChildPacket<S, W> {
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the children's boxes in their own frame.
    #[inline(always)]
    pub fn boxes(&self) -> Boxes<W> {
        let mut boxes = Boxes { low: [[0.0; W]; 3], high: [[0.0; W]; 3] };
        for k in 0..3 {
            boxes.low[k] = *self.own_low[k];
            boxes.high[k] = *self.own_high[k];
        }
        boxes
    }

    /// Builds the packet of boxes given in their own frame, by computing their bounds in the other
    /// frame.
    #[inline(always)]
    pub fn carried(simd: S, (own_low, own_high): Sides<S, W>, count: usize, transform: &Transform) -> Self {
        let mut center = [zero(simd); 3];
        let mut half = [zero(simd); 3];
        for k in 0..3 {
            center[k] = (own_low[k] + own_high[k]) * 0.5;
            half[k] = (own_high[k] - own_low[k]) * 0.5;
        }
        let mut other_low = [zero(simd); 3];
        let mut other_high = [zero(simd); 3];
        for k in 0..3 {
            let [x, y, z] = transform.matrix[k];
            let middle = (center[0] * x + center[1] * y + center[2] * z) + transform.translation[k];
            let reach = (half[0] * x.abs() + half[1] * y.abs() + half[2] * z.abs()) + transform.growth;
            other_low[k] = middle - reach;
            other_high[k] = middle + reach;
        }
        Self { own_low, own_high, other_low, other_high, count }
    }

    /// Tests all child pairs of the two packets. The depth of a pair is the distance by which its enlarged
    /// boxes must move apart along the best of the six axes. A pair passes if the boxes as they are come
    /// within `growth` (m) of each other in both frames, which is the enlargement of both packets. Enlarged
    /// boxes alone would let pairs pass that are far apart at a corner, and a wide margin would let nearly
    /// all pairs pass. NaN counts as near. Writes the result to `masks`, because returning it would copy it.
    #[inline(always)]
    pub fn meet(&self, simd: S, other: &Self, growth: f32, masks: &mut OverlapMasks<S, W>) {
        // The loop runs over the smaller packet; the SIMD lanes hold the larger one.
        let is_swapped = self.count > other.count;
        let (rows, lanes) = if is_swapped { (other, self) } else { (self, other) };
        let valid = (1u64 << lanes.count) - 1;
        masks.begin(rows.count, is_swapped);
        let farthest = splat(simd, growth * growth * (1.0 + 4.0 * f32::EPSILON));
        for row in 0..rows.count {
            let (own, other) = ([&rows.own_low, &rows.own_high], [&lanes.other_low, &lanes.other_high]);
            let (depth, square) = depth_and_gap(simd, own, other, (row, growth));
            if square.simd_gt(farthest).to_bitmask() & valid == valid {
                continue;
            }
            let (own, other) = ([&rows.other_low, &rows.other_high], [&lanes.own_low, &lanes.own_high]);
            let (second_depth, second_square) = depth_and_gap(simd, own, other, (row, growth));
            let is_far = square.simd_gt(farthest) | second_square.simd_gt(farthest);
            masks.set(row, !is_far.to_bitmask() & valid, depth.min(second_depth));
        }
    }

    /// Returns a mask of the children of `lanes` that overlap the child `row` of this packet.
    #[inline(always)]
    pub(super) fn overlap(&self, simd: S, lanes: &Self, row: usize) -> u64 {
        let mut depth = splat(simd, f32::INFINITY);
        for k in 0..3 {
            let (low, high) = (splat(simd, self.own_low[k][row]), splat(simd, self.own_high[k][row]));
            depth = depth.min((high - lanes.other_low[k]).min(lanes.other_high[k] - low));
            let (low, high) = (splat(simd, self.other_low[k][row]), splat(simd, self.other_high[k][row]));
            depth = depth.min((high - lanes.own_low[k]).min(lanes.own_high[k] - low));
        }
        !depth.simd_lt(splat(simd, 0.0)).to_bitmask()
    }

    /// Calls `found` with each pair of children (of this packet and of `other`) whose distance may be
    /// less than the square root of `bound` (m²). The first argument is a lower bound of the squared
    /// distance.
    #[inline(always)]
    pub fn approach(&self, simd: S, other: &Self, bound: f32, mut found: impl FnMut(f32, usize, usize)) {
        if self.count <= other.count {
            self.each_approaching(simd, other, bound, found);
        } else {
            other.each_approaching(simd, self, bound, |square, second, first| found(square, first, second));
        }
    }

    /// Implements `approach` with this packet's children as rows.
    #[inline(always)]
    fn each_approaching(&self, simd: S, lanes: &Self, bound: f32, mut found: impl FnMut(f32, usize, usize)) {
        let valid = (1u64 << lanes.count) - 1;
        for row in 0..self.count {
            let in_own =
                gap(simd, [&self.own_low, &self.own_high], [&lanes.other_low, &lanes.other_high], row);
            let in_other =
                gap(simd, [&self.other_low, &self.other_high], [&lanes.own_low, &lanes.own_high], row);
            let square = in_own.max(in_other);
            let mut near = !square.simd_gt(splat(simd, bound)).to_bitmask() & valid;
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                near &= near - 1;
                found(square[lane], row, lane);
            }
        }
    }
}

/// Returns the depths of box `row` of the first boxes in each of the second boxes, in one frame, along the
/// best of its axes (m), and their squared distances as they were before one of them was enlarged by
/// `growth` (m²).
#[inline(always)]
fn depth_and_gap<S: Lanes<W>, const W: usize>(
    simd: S,
    [low, high]: [&[S::Vector; 3]; 2],
    [lows, highs]: [&[S::Vector; 3]; 2],
    (row, growth): (usize, f32),
) -> (S::Vector, S::Vector) {
    let (mut depth, mut square) = (splat(simd, f32::INFINITY), zero(simd));
    for k in 0..3 {
        let (low, high) = (splat(simd, low[k][row]), splat(simd, high[k][row]));
        let along = (high - lows[k]).min(highs[k] - low);
        let gap = (splat(simd, growth) - along).max(zero(simd));
        square += gap * gap;
        depth = depth.min(along);
    }
    (depth, square)
}

/// Returns the squared distances between box `row` of the first boxes and each of the second boxes, in
/// one frame, m².
#[inline(always)]
fn gap<S: Lanes<W>, const W: usize>(
    simd: S,
    [low, high]: [&[S::Vector; 3]; 2],
    [lows, highs]: [&[S::Vector; 3]; 2],
    row: usize,
) -> S::Vector {
    let mut square = zero(simd);
    for k in 0..3 {
        let (low, high) = (splat(simd, low[k][row]), splat(simd, high[k][row]));
        let gap = (low - highs[k]).max(lows[k] - high).max(zero(simd));
        square += gap * gap;
    }
    square
}
