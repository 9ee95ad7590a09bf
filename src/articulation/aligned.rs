//! Axis-aligned boxes of links: AABB* and AABB+ of \[cab\] §4.

use glam::Vec3A;

use super::descend::NodeVolume;
use super::frame::{Frame, PLACE_GUARD, Way, sum};
use crate::volume::Aabb;

/// A closed box, relative to its articulation's origin, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AlignedBox {
    pub min: Vec3A,
    pub max: Vec3A,
}

/// A link's box in body space, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyBox {
    center: Vec3A,
    half: Vec3A,
}

impl AlignedBox {
    /// Overlaps nothing, and is the identity of [`AlignedBox::union`].
    pub const ABSENT: Self = Self { min: Vec3A::INFINITY, max: Vec3A::NEG_INFINITY };

    pub fn is_absent(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    pub fn around(center: Vec3A, half: Vec3A) -> Self {
        Self { min: center - half, max: center + half }
    }

    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Around the corners of a link's box: |R| h about the centre. AABB*.
    pub fn around_corners(body: &BodyBox, frame: &Frame, reach: f32) -> Self {
        let m = &frame.rotation;
        let [x, y, z] = body.half.to_array();
        let center = m * body.center + frame.position;
        let half = m.x_axis.abs() * x + m.y_axis.abs() * y + m.z_axis.abs() * z;
        Self::around(center, half + growth(body, center, frame, reach))
    }

    /// Around a link's vertices. AABB+.
    pub fn around_vertices(vertices: &[Vec3A], body: &BodyBox, frame: &Frame, reach: f32) -> Self {
        let m = &frame.rotation;
        let turned = vertices.iter().map(|&v| m * v);
        let sum = turned.fold(Self::ABSENT, |b, v| Self { min: b.min.min(v), max: b.max.max(v) });
        let (min, max) = (sum.min + frame.position, sum.max + frame.position);
        let growth = growth(body, 0.5 * (min + max), frame, reach);
        Self { min: min - growth, max: max + growth }
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }
}

fn growth(body: &BodyBox, center: Vec3A, frame: &Frame, reach: f32) -> Vec3A {
    let size = sum(body.half) + sum(body.center.abs());
    Vec3A::splat(reach + frame.guard * size + PLACE_GUARD * sum(center.abs()))
}

impl BodyBox {
    pub fn new(bounds: &Aabb) -> Self {
        let center = bounds.center();
        let half = (bounds.max - center).max(center - bounds.min);
        Self { center: center.into(), half: half.into() }
    }

    pub fn corners(&self) -> [Vec3A; 8] {
        std::array::from_fn(|k| {
            let side = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            self.center + self.half * Vec3A::new(side(0), side(1), side(2))
        })
    }
}

impl NodeVolume for AlignedBox {
    /// Differences are compared so that swapping the two changes no rounding, and the box around a box never
    /// misses what that overlaps.
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
