//! Oriented boxes of links: leaves, a parent around two children, and the overlap test. \[cab\] §3.1,
//! §3.2

use fearless_simd::prelude::*;
use glam::{DVec3, Mat3A, Vec3A, Vec3Swizzles};

use super::descend::NodeVolume;
use super::eight::{LeafPacket, SLACK};
use super::frame::{
    FARTHEST, Frames, LANES, Lanes3, PLACE_GUARD, SIZE_GUARD, Way, abs3, abs9, combine, grown3, load3,
    store3, sum, sum3, vector,
};
use crate::arrays::{MapEach, from_each};
use crate::volume::Obb;

/// Closed box, relative to the origin of its articulation or in body space, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OrientedBox {
    /// Unit vectors, perpendicular up to rounding.
    pub axes: Mat3A,
    /// Center; NaN for an absent box.
    pub center: Vec3A,
    pub half: Vec3A,
    /// The longest half extent.
    pub size: f32,
}

/// Added to each |cos| in the overlap test: the cross product of nearly parallel edges consists of
/// rounding errors and must not separate boxes.
const PARALLEL_GUARD: f32 = 1e-6;

impl OrientedBox {
    pub fn is_absent(&self) -> bool {
        self.center.is_nan()
    }

    fn new(axes: Mat3A, center: Vec3A, half: Vec3A) -> Self {
        Self { axes, center, half, size: half.max_element() }
    }

    /// Returns the smallest box with the given axes around two boxes, from their projections onto the
    /// axes. It is enlarged by a rounding guard. \[cab\] eq. 4
    pub fn around(axes: Mat3A, a: &Self, b: &Self) -> Self {
        let across = axes.transpose();
        // Relative to the center of `a`, so that rounding errors scale with the sizes of the boxes and
        // not with their positions.
        let b_center = across * (b.center - a.center);
        let (a_reach, b_reach) = (a.projected(&across), b.projected(&across));
        let low = (-a_reach).min(b_center - b_reach);
        let high = a_reach.max(b_center + b_reach);
        let center = a.center + axes * (0.5 * (low + high));
        let half = 0.5 * (high - low);
        let growth = SIZE_GUARD * sum(half) + PLACE_GUARD * sum(center.abs());
        Self::new(axes, center, half + growth)
    }

    /// Returns the half extents of the box's projections onto the rows of `across`.
    fn projected(&self, across: &Mat3A) -> Vec3A {
        let [x, y, z] = self.half.to_array();
        (across * self.axes.x_axis).abs() * x
            + (across * self.axes.y_axis).abs() * y
            + (across * self.axes.z_axis).abs() * z
    }

    pub fn corners(&self) -> [DVec3; 8] {
        from_each(|k| {
            let side = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let along = self.half.as_dvec3() * DVec3::new(side(0), side(1), side(2));
            self.center.as_dvec3() + self.axes.as_dmat3() * along
        })
    }

    /// Returns whether the point is inside the box.
    pub fn contains(&self, point: DVec3) -> bool {
        let along = self.axes.as_dmat3().transpose() * (point - self.center.as_dvec3());
        along.abs().cmple(self.half.as_dvec3()).all()
    }
}

/// Eight boxes, relative to the origin of their articulation or in body space.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrientedBoxes {
    axes: [Lanes3; 3],
    center: Lanes3,
    half: Lanes3,
}

impl OrientedBoxes {
    pub const ABSENT: Self =
        Self { axes: [[[0.0; LANES]; 3]; 3], center: [[f32::NAN; LANES]; 3], half: [[0.0; LANES]; 3] };

    pub fn set(&mut self, lane: usize, fitted: &Obb) {
        for k in 0..3 {
            for axis in 0..3 {
                self.axes[axis][k][lane] = fitted.axes.col(axis)[k];
            }
            self.center[k][lane] = fitted.center[k];
            self.half[k][lane] = fitted.half[k].min(FARTHEST);
        }
    }

    #[inline(always)]
    pub fn get(&self, lane: usize) -> OrientedBox {
        let axes = self.axes.each_ref().map_each(|axis| vector(axis, lane));
        let axes = Mat3A::from_cols(axes[0], axes[1], axes[2]);
        OrientedBox::new(axes, vector(&self.center, lane), vector(&self.half, lane))
    }

    /// Places boxes from body space at the links' poses and enlarges them by the links' reach and a
    /// rounding guard. Also returns the axis-aligned boxes around them.
    #[inline(always)]
    pub fn placed<S: Simd>(&self, simd: S, frames: &Frames<S>) -> (Self, LeafPacket) {
        let (body_center, body_half) = (load3(simd, &self.center), load3(simd, &self.half));
        let center = frames.place(body_center);
        let growth = frames.growth(sum3(body_half) + sum3(abs3(body_center)), center);
        let half = grown3(body_half, growth);
        let [x, y, z] = &self.axes;
        let axes = [frames.turn(load3(simd, x)), frames.turn(load3(simd, y)), frames.turn(load3(simd, z))];
        let extent = combine(&abs9(&axes), half);
        let axes = [store3(axes[0]), store3(axes[1]), store3(axes[2])];
        let placed = Self { axes, center: store3(center), half: store3(half) };
        (placed, LeafPacket::new(center, extent))
    }
}

impl NodeVolume for OrientedBox {
    /// Tests the fifteen axes of the separating axis theorem, three at a time. \[boxtree\] Table 1
    fn overlaps(&self, other: &Self, way: &Way, are_leaves: bool) -> bool {
        let apart = (other.center - self.center) + way.shift;
        // Swapping two leaves must not change the rounding, so `apart` is brought into one of its two
        // directions.
        let is_reversed = are_leaves && precedes(apart, Vec3A::ZERO);
        let (a, b, apart) = if is_reversed { (other, self, -apart) } else { (self, other, apart) };
        let slack = if are_leaves { 0.0 } else { SLACK * (a.size + b.size) } + way.growth;
        let (ha, hb) = (a.half, b.half);
        let to_a = a.axes.transpose();
        let t = to_a * apart;
        let r = to_a * b.axes;
        let guard = Vec3A::splat(PARALLEL_GUARD);
        let columns = [r.x_axis.abs() + guard, r.y_axis.abs() + guard, r.z_axis.abs() + guard];
        let reach = ha + slack + (columns[0] * hb.x + columns[1] * hb.y + columns[2] * hb.z);
        if !t.abs().cmple(reach).all() {
            return false;
        }
        let back = Mat3A::from_cols(columns[0], columns[1], columns[2]).transpose();
        let reach = hb + slack + back * ha;
        if !(r.transpose() * t).abs().cmple(reach).all() {
            return false;
        }
        // Cross products of all three axes of `a` with one axis of `b`.
        let crossed = |edge: Vec3A, column: Vec3A, others: Vec3A| {
            let reach = slack + others + ha.yzx() * column.zxy() + ha.zxy() * column.yzx();
            edge.cross(t).abs().cmple(reach).all()
        };
        crossed(r.x_axis, columns[0], columns[2] * hb.y + columns[1] * hb.z)
            && crossed(r.y_axis, columns[1], columns[0] * hb.z + columns[2] * hb.x)
            && crossed(r.z_axis, columns[2], columns[1] * hb.x + columns[0] * hb.y)
    }

    fn size(&self) -> f32 {
        self.size
    }
}

/// Returns whether `a` precedes `b` in lexicographic order.
fn precedes(a: Vec3A, b: Vec3A) -> bool {
    a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)))
}
