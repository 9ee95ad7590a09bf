//! The axis-aligned bounding box, in `f32` rounded outward.

use glam::{DVec3, Mat3A, Vec3, Vec3A};
use serde::{Deserialize, Serialize};

use super::{Operations, Transit, Volume};
use crate::pose::Pose;

/// A closed axis-aligned box, `min <= max` in every axis unless it is [`Aabb::EMPTY`]. Meters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aabb {
    pub min: Vec3,
    pub max: Vec3,
}

impl Aabb {
    /// Contains nothing, overlaps nothing, and is the identity of [`Aabb::union`].
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    pub fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max }
    }

    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// The smallest `f32` box around a box given in `f64`.
    pub fn from_f64(min: DVec3, max: DVec3) -> Self {
        Self {
            min: Vec3::from_array(min.to_array().map(round_down)),
            max: Vec3::from_array(max.to_array().map(round_up)),
        }
    }

    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Closed overlap: boxes that touch overlap.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    pub fn contains_point(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// Full side lengths, zero for an empty box.
    pub fn size(&self) -> Vec3 {
        (self.max - self.min).max(Vec3::ZERO)
    }

    pub fn diagonal(&self) -> f32 {
        self.size().length()
    }

    /// Grown by `margin` meters on every side, rounded outward.
    pub fn inflated(&self, margin: f64) -> Self {
        let margin = DVec3::splat(margin);
        Self::from_f64(self.min.as_dvec3() - margin, self.max.as_dvec3() + margin)
    }

    /// Carried along by a vector, m, rounded outward.
    pub fn moved(&self, by: Vec3) -> Self {
        let by = by.as_dvec3();
        Self::from_f64(self.min.as_dvec3() + by, self.max.as_dvec3() + by)
    }

    /// The axis-aligned box, in the outer space, of this box carried by `pose`. Conservative; looser than
    /// the box of the points inside by the rotation.
    pub fn transformed(&self, pose: &Pose) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let (min, max) = (self.min.as_dvec3(), self.max.as_dvec3());
        let center = pose.transform_point(0.5 * (min + max));
        let half = 0.5 * (max - min);
        let m = pose.rotation_matrix();
        let reach = m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z;
        // The matrix and the products round; 1e-14 of the largest magnitude covers them with room.
        let guard = DVec3::splat(1e-14 * (center.abs().max_element() + reach.max_element()));
        Self::from_f64(center - reach - guard, center + reach + guard)
    }
}

/// A box as a query sees it.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// In the frame of a.
    pub center: Vec3A,
    /// In its own frame.
    pub half: Vec3A,
    /// Half the sides of the box around it in the other frame, grown.
    pub reach: Vec3A,
}

/// The rotation from b to a and its absolute values, both ways.
pub struct AabbFrames {
    pub rotation: Mat3A,
    /// From a to b.
    pub inverse: Mat3A,
    pub absolute: Mat3A,
    pub absolute_inverse: Mat3A,
    translation: Vec3A,
    growth: Vec3A,
}

impl Volume for Aabb {
    type Shared = ();
    type Frames = AabbFrames;
    type A = Carried;
    type B = Carried;
    /// Centre and half sides, and the latter turned.
    const CARRY_A: Operations = Operations::new(6 + 9, 6 + 9, 0);
    /// The centre too.
    const CARRY_B: Operations = Operations::new(6 + 18, 6 + 18, 0);
    /// The way between the centres in both frames against six sums.
    const OVERLAP: Operations = Operations::new(9, 3 + 6 + 6, 6);

    fn shared() {}

    fn fit(triangles: &[[Vec3; 3]], (): &()) -> Self {
        Self::from_points(triangles.iter().flatten().copied())
    }

    fn contains(&self, point: Vec3, (): &()) -> bool {
        self.contains_point(point)
    }

    fn bounds(&self) -> Aabb {
        *self
    }

    fn volume(&self) -> f64 {
        (self.max.as_dvec3() - self.min.as_dvec3()).max(DVec3::ZERO).element_product()
    }

    fn frames(transit: &Transit, (): &()) -> AabbFrames {
        let rotation = Mat3A::from(transit.rotation.as_mat3());
        let absolute = Mat3A::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs());
        AabbFrames {
            rotation,
            inverse: rotation.transpose(),
            absolute,
            absolute_inverse: absolute.transpose(),
            translation: transit.translation.as_vec3a(),
            growth: Vec3A::splat(round_up(transit.growth)),
        }
    }

    fn carry_a(&self, frames: &AabbFrames) -> Carried {
        let (min, max) = (Vec3A::from(self.min), Vec3A::from(self.max));
        let half = 0.5 * (max - min);
        Carried { center: 0.5 * (min + max), half, reach: frames.absolute_inverse * half + frames.growth }
    }

    fn carry_b(&self, frames: &AabbFrames) -> Carried {
        let (min, max) = (Vec3A::from(self.min), Vec3A::from(self.max));
        let half = 0.5 * (max - min);
        let center = frames.rotation * (0.5 * (min + max)) + frames.translation;
        Carried { center, half, reach: frames.absolute * half + frames.growth }
    }

    /// SAT lite: the six face axes. \[boxtree\] §3.2.4
    fn overlap(a: &Carried, b: &Carried, frames: &AabbFrames) -> bool {
        let apart = b.center - a.center;
        let apart_in_b = frames.inverse * apart;
        !(apart.abs().cmpgt(a.half + b.reach) | apart_in_b.abs().cmpgt(b.half + a.reach)).any()
    }
}

/// The largest `f32` that is not above `x`.
pub fn round_down(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) > x { y.next_down() } else { y }
}

/// The smallest `f32` that is not below `x`.
pub fn round_up(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) < x { y.next_up() } else { y }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    #[test]
    fn rounding_is_outward() {
        for x in [0.1, -0.1, 1.0 / 3.0, 1e-50, -1e-50, 1e300, 16_777_217.0] {
            assert!(f64::from(round_down(x)) <= x && x <= f64::from(round_up(x)), "{x}");
        }
        assert_eq!(round_down(0.5), 0.5);
        assert_eq!(round_up(0.5), 0.5);
    }

    #[test]
    fn touching_boxes_overlap_and_empty_ones_do_not() {
        let a = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let b = Aabb::new(Vec3::X, Vec3::new(2.0, 1.0, 1.0));
        assert!(a.overlaps(&b));
        assert!(!a.overlaps(&Aabb::EMPTY));
        assert_eq!(a.union(&Aabb::EMPTY), a);
    }

    #[test]
    fn a_transformed_box_contains_its_corners() {
        let a = Aabb::new(Vec3::new(-1.0, 0.0, 2.0), Vec3::new(3.0, 0.5, 2.5));
        let pose =
            Pose::new(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -2.0, 1.1), DVec3::new(1e5, -3.0, 7.0));
        let moved = a.transformed(&pose);
        for corner in 0..8 {
            let pick = |bit: u32, k: usize| if corner >> bit & 1 == 0 { a.min[k] } else { a.max[k] };
            let p = pose.transform_point(DVec3::new(pick(0, 0).into(), pick(1, 1).into(), pick(2, 2).into()));
            assert!(moved.min.as_dvec3().cmple(p).all() && p.cmple(moved.max.as_dvec3()).all());
        }
    }
}
