//! Motion of a body during an interval: a constant velocity of its center and a constant angular
//! velocity.

use glam::{DMat3, DQuat, DVec3};

use crate::pose::Pose;

/// Motion of a body during an interval. Its center moves on a straight line while the body rotates
/// about it at a constant angular velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Pose at the start of the interval.
    pub from: Pose,
    /// Center of the rotation, body space, m.
    pub center: DVec3,
    /// Radius of a ball about the center that contains the surface, m.
    pub radius: f64,
    /// Displacement of the center during the interval, world space, m.
    pub shift: DVec3,
    /// Rotation vector of the whole interval, world space, rad. It may exceed a full turn.
    pub turn: DVec3,
}

impl Motion {
    /// Returns the pose at a share of the interval, 0..=1.
    pub fn at(&self, share: f64) -> Pose {
        let rotation = self.turned(share) * self.from.rotation;
        Pose::new(rotation, self.center_at(share) - rotation * self.center)
    }

    /// Returns the velocity of the body at a point (world space, m) at a share of the interval, in m per
    /// interval.
    pub fn velocity_at(&self, share: f64, point: DVec3) -> DVec3 {
        self.shift + self.turn.cross(point - self.center_at(share))
    }

    /// Returns an upper bound of the speed of the body's points, in m per interval.
    pub fn speed(&self) -> f64 {
        self.shift.length() + self.turn.length() * self.radius
    }

    /// Returns the body's rotation at a share of the interval, as a matrix.
    pub(super) fn rotation_at(&self, share: f64) -> DMat3 {
        DMat3::from_quat(self.turned(share) * self.from.rotation)
    }

    /// Returns the position of the center at a share of the interval, world space, m.
    pub(super) fn center_at(&self, share: f64) -> DVec3 {
        self.from.transform_point(self.center) + share * self.shift
    }

    pub(super) fn is_finite(&self) -> bool {
        let is_finite = self.from.is_finite() && self.center.is_finite();
        is_finite && self.radius.is_finite() && self.shift.is_finite() && self.turn.is_finite()
    }

    /// Returns the rotation since the start of the interval, with the same bits on every platform.
    fn turned(&self, share: f64) -> DQuat {
        let angle = self.turn.length();
        if angle == 0.0 {
            return DQuat::IDENTITY;
        }
        let half = 0.5 * share * angle;
        DQuat::from_vec4((self.turn * (libm::sin(half) / angle)).extend(libm::cos(half)))
    }
}
