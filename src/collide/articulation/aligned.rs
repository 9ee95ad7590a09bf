//! Axis-aligned boxes of links. They are fitted to individually rotated points, as AABB* and AABB+ of
//! \[cab\] §4, or to the links' rotated boxes.

use fearless_simd::f32x8;
use fearless_simd::prelude::*;
use glam::Vec3A;

use super::descend::NodeVolume;
use super::frame::{
    FARTHEST, Frame, Frames, LANES, Lanes3, PLACE_GUARD, Way, abs3, abs9, combine, grown3, load3, store3,
    sum, sum3, vector,
};
use crate::arrays::from_each;
use crate::volume::Aabb;

/// Closed box relative to the origin of its articulation, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AlignedBox {
    pub min: Vec3A,
    pub max: Vec3A,
}

/// Boxes of eight links in body space, m, before placement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BodyBoxes {
    center: Lanes3,
    half: Lanes3,
}

impl AlignedBox {
    /// Box that overlaps nothing and that leaves the other operand of [`AlignedBox::union`] unchanged.
    pub const ABSENT: Self = Self { min: Vec3A::INFINITY, max: Vec3A::NEG_INFINITY };

    pub fn is_absent(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Fits a box to points of a link, given in body space, m, and enlarges it by the link's reach and
    /// a rounding guard. `size` is that of the link's bounds, m. Absent if the link is.
    pub fn around(points: &[Vec3A], size: f32, frame: &Frame) -> Self {
        if frame.position.is_nan() {
            return Self::ABSENT;
        }
        let turned = points.iter().map(|&v| frame.rotation * v);
        let sum_of = turned.fold(Self::ABSENT, |b, v| Self { min: b.min.min(v), max: b.max.max(v) });
        let (min, max) = (sum_of.min + frame.position, sum_of.max + frame.position);
        let far = sum(min.abs().max(max.abs()));
        let growth = frame.reach + frame.guard * (size + frame.reach) + PLACE_GUARD * far;
        Self { min: min - growth, max: max + growth }
    }
}

impl BodyBoxes {
    pub fn set(&mut self, lane: usize, bounds: &Aabb) {
        let center = bounds.center();
        let half = (bounds.max - center).max(center - bounds.min);
        for k in 0..3 {
            self.center[k][lane] = center[k];
            self.half[k][lane] = half[k].min(FARTHEST);
        }
    }

    /// Fits axis-aligned boxes to the rotated boxes of eight links: half extents |R| h about the
    /// rotated center, enlarged by reach and rounding guard. Returns centers and half extents.
    #[inline(always)]
    pub fn around_corners<S: Simd>(&self, simd: S, frames: &Frames<S>) -> [[f32x8<S>; 3]; 2] {
        let (body_center, half) = (load3(simd, &self.center), load3(simd, &self.half));
        let center = frames.place(body_center);
        let turned = combine(&abs9(&frames.rotation), half);
        let growth = frames.growth(sum3(half) + sum3(abs3(body_center)), center);
        [center, grown3(turned, growth)]
    }

    /// Returns the sum of half extents and center coordinates of each link's box, m; it scales the
    /// rounding guards.
    pub fn sizes(&self) -> [f32; LANES] {
        from_each(|lane| sum(vector(&self.half, lane)) + sum(vector(&self.center, lane).abs()))
    }
}

/// Packet of eight boxes.
pub(super) struct AlignedBoxes {
    min: Lanes3,
    max: Lanes3,
}

impl AlignedBoxes {
    /// Builds the boxes from centers and half extents. A box with a NaN center is absent.
    #[inline(always)]
    pub fn about<S: Simd>(simd: S, center: [f32x8<S>; 3], half: [f32x8<S>; 3]) -> Self {
        let (mut min, mut max) = (center, center);
        let (low, high) = (f32x8::splat(simd, f32::NEG_INFINITY), f32x8::splat(simd, f32::INFINITY));
        for k in 0..3 {
            let is_there = center[k].simd_eq(center[k]);
            min[k] = is_there.select(center[k] - half[k], high);
            max[k] = is_there.select(center[k] + half[k], low);
        }
        Self { min: store3(min), max: store3(max) }
    }

    #[inline(always)]
    pub fn get(&self, lane: usize) -> AlignedBox {
        AlignedBox { min: vector(&self.min, lane), max: vector(&self.max, lane) }
    }
}

impl NodeVolume for AlignedBox {
    /// Compares differences of bounds, so that swapping the operands changes no rounding. Rounding is
    /// monotonic: if two boxes overlap, all boxes that contain them overlap too.
    fn overlaps(&self, other: &Self, way: &Way, _are_leaves: bool) -> bool {
        let below = self.min - other.max;
        let above = self.max - other.min;
        let growth = Vec3A::splat(way.growth);
        (below.cmple(way.shift + growth) & above.cmpge(way.shift - growth)).all()
    }

    fn size(&self) -> f32 {
        (self.max - self.min).max_element()
    }
}
