//! A pose: the rotation and position that transform body space to world space, in `f64`.
//!
//! Poses compose like matrices: `(a * b).transform_point(p) ==
//! a.transform_point(b.transform_point(p))`. The integrator must keep the rotation at unit length.

use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Rotation (unit quaternion) and position (m) of one space in another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    pub rotation: DQuat,
    pub position: DVec3,
}

impl Pose {
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, position: DVec3::ZERO };

    #[inline]
    pub fn new(rotation: DQuat, position: DVec3) -> Self {
        Self { rotation, position }
    }

    #[inline]
    pub fn from_position(position: DVec3) -> Self {
        Self { rotation: DQuat::IDENTITY, position }
    }

    #[inline]
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.position
    }

    #[inline]
    pub fn transform_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * vector
    }

    /// Transforms a point from world to body space.
    #[inline]
    pub fn inverse_transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation.conjugate() * (point - self.position)
    }

    /// Transforms a direction from world to body space.
    #[inline]
    pub fn inverse_transform_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation.conjugate() * vector
    }

    #[inline]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, position: rotation * -self.position }
    }

    /// Returns the pose of `self` relative to `other`: `other⁻¹ · self`.
    #[inline]
    pub fn relative_to(&self, other: &Self) -> Self {
        let back = other.rotation.conjugate();
        Self { rotation: back * self.rotation, position: back * (self.position - other.position) }
    }

    /// Returns the rotation as a matrix, for loops that transform many points.
    #[inline]
    pub fn rotation_matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// Returns whether the pose is valid for a body: finite, with a rotation of about unit length (1 %
    /// allows for integration errors), and a position whose square is finite in `f64`.
    #[inline]
    pub fn is_rigid(&self) -> bool {
        let is_near = self.position.abs().max_element() < 1e100;
        self.is_finite() && (self.rotation.length_squared() - 1.0).abs() < 0.01 && is_near
    }

    #[inline]
    pub fn is_finite(&self) -> bool {
        self.rotation.is_finite() && self.position.is_finite()
    }
}

impl std::ops::Mul for Pose {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        Self {
            rotation: self.rotation * inner.rotation,
            position: self.rotation * inner.position + self.position,
        }
    }
}

/// Returns the rotation by `degrees` about a unit axis, with the same bits on every platform.
#[inline]
pub fn turn(axis: DVec3, degrees: f64) -> DQuat {
    let half = 0.5 * degrees.to_radians();
    DQuat::from_vec4((axis * libm::sin(half)).extend(libm::cos(half)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composition_inverse_and_relative_agree() {
        let a = Pose::new(DQuat::from_rotation_x(0.7), DVec3::new(1.0, -2.0, 3.0));
        let b = Pose::new(DQuat::from_rotation_z(-1.9), DVec3::new(0.5, 0.25, -4.0));
        let p = DVec3::new(0.3, 0.2, 0.1);
        let composed = (a * b).transform_point(p);
        assert!(composed.distance(a.transform_point(b.transform_point(p))) < 1e-14);
        assert!((a.inverse() * a).transform_point(p).distance(p) < 1e-14);
        assert!(b.relative_to(&a).transform_point(p).distance((a.inverse() * b).transform_point(p)) < 1e-14);
        assert!(a.inverse_transform_point(a.transform_point(p)).distance(p) < 1e-14);
    }
}
