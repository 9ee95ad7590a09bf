//! Axis-aligned bounding box, in `f32`, rounded outward.

use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};

use crate::arrays::MapEach;
use crate::pose::Pose;

/// Closed axis-aligned box, m; `min <= max` on every axis unless it is [`Aabb::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aabb {
    pub min: Vec3,
    pub max: Vec3,
}

impl Aabb {
    /// Box that contains nothing, overlaps nothing, and leaves the other operand of [`Aabb::union`]
    /// unchanged.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    #[inline]
    pub fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max }
    }

    #[inline]
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// Returns the smallest `f32` box around a box given in `f64`.
    #[inline]
    pub fn from_f64(min: DVec3, max: DVec3) -> Self {
        Self {
            min: Vec3::from_array(min.to_array().map_each(round_down)),
            max: Vec3::from_array(max.to_array().map_each(round_up)),
        }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns whether the closed boxes overlap; boxes that touch do.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    #[inline]
    pub fn contains_point(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Returns the squared distance to a point, m²; 0 if the point is inside.
    #[inline]
    pub fn square_to(&self, point: DVec3) -> f64 {
        let beyond = (self.min.as_dvec3() - point).max(point - self.max.as_dvec3());
        beyond.max(DVec3::ZERO).length_squared()
    }

    #[inline]
    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// Returns the full side lengths, zero for an empty box.
    #[inline]
    pub fn size(&self) -> Vec3 {
        (self.max - self.min).max(Vec3::ZERO)
    }

    #[inline]
    pub fn diagonal(&self) -> f32 {
        self.size().length()
    }

    /// Returns the box enlarged by `margin` (m) on every side, rounded outward.
    #[inline]
    pub fn inflated(&self, margin: f64) -> Self {
        let margin = DVec3::splat(margin);
        Self::from_f64(self.min.as_dvec3() - margin, self.max.as_dvec3() + margin)
    }

    /// Returns the box translated by a vector (m), rounded outward.
    #[inline]
    pub fn moved(&self, by: Vec3) -> Self {
        let by = by.as_dvec3();
        Self::from_f64(self.min.as_dvec3() + by, self.max.as_dvec3() + by)
    }

    /// Returns a lower bound of the distance to another box, m. `other_to_self` transforms that box
    /// into this box's space. The bound is the largest gap along the face normals of both boxes, or
    /// zero if none of them separates the boxes.
    #[inline]
    pub fn gap(&self, other: &Self, other_to_self: &Pose) -> f64 {
        let [(center, half), (other_center, other_half)] = [self, other].map_each(|b| {
            let (min, max) = (b.min.as_dvec3(), b.max.as_dvec3());
            (0.5 * (min + max), 0.5 * (max - min))
        });
        let rotation = other_to_self.rotation_matrix();
        let size = DMat3::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs());
        let apart = other_to_self.transform_point(other_center) - center;
        let along_own = apart.abs() - half - size * other_half;
        let along_others = (rotation.transpose() * apart).abs() - other_half - size.transpose() * half;
        along_own.max(along_others).max_element().max(0.0)
    }

    /// Returns axis-aligned bounds of this box after transformation by `pose`. Because of the rotation,
    /// they are looser than bounds of the transformed content.
    pub fn transformed(&self, pose: &Pose) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let (min, max) = (self.min.as_dvec3(), self.max.as_dvec3());
        let center = pose.transform_point(0.5 * (min + max));
        let half = 0.5 * (max - min);
        let m = pose.rotation_matrix();
        let reach = m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z;
        // The matrix and the products are rounded; 1e-14 of the largest magnitude is more than enough
        // for both.
        let guard = DVec3::splat(1e-14 * (center.abs().max_element() + reach.max_element()));
        Self::from_f64(center - reach - guard, center + reach + guard)
    }
}

/// Returns the largest `f32` that is not above `x`.
#[inline]
pub fn round_down(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) > x { y.next_down() } else { y }
}

/// Returns the smallest `f32` that is not below `x`.
#[inline]
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

    #[test]
    fn a_gap_is_the_distance_face_to_face_and_never_more() {
        let a = Aabb::new(Vec3::splat(-1.0), Vec3::ONE);
        let at = |x: f64| Pose::from_position(DVec3::new(x, 0.5, 0.0));
        assert_eq!([3.0, 2.0, 1.0].map(|x| a.gap(&a, &at(x))), [1.0, 0.0, 0.0]);
        let mut random = crate::random::Random::new(5, 0);
        let b = Aabb::new(Vec3::new(0.0, -0.2, 1.0), Vec3::new(3.0, 0.2, 2.0));
        let mut apart = 0;
        for _ in 0..2000 {
            let direction = DVec3::new(random.signed(), random.signed(), random.signed());
            let pose = Pose::new(random.rotation(), 5.0 * direction);
            let gap = a.gap(&b, &pose);
            assert!((gap - b.gap(&a, &pose.inverse())).abs() < 1e-12, "either way");
            let share = DVec3::new(random.uniform(), random.uniform(), random.uniform());
            let inside = pose.transform_point(b.min.as_dvec3() + share * b.size().as_dvec3());
            let distance = inside.distance(inside.clamp(a.min.as_dvec3(), a.max.as_dvec3()));
            assert!(gap <= distance + 1e-12, "{gap} {distance}");
            apart += u32::from(gap > 0.0);
        }
        assert!((500..1900).contains(&apart), "{apart}");
    }
}
