//! Bounds of the relative motion of bodies.

use glam::DVec3;

use super::settings::BodyPair;
use crate::body::{BodyInfo, BodyState};
use crate::pose::Pose;

/// Returns an upper bound of the motion, between two poses of b in a's space, of any point at which the
/// two bodies can touch, m. Such a point lies in both bounding spheres, so the smaller sphere gives the
/// bound. The center of that sphere may be far from the origin of its body's space.
#[inline]
pub(super) fn greatest_motion(before: &Pose, now: &Pose, [(a, info_a), (b, info_b)]: BodyPair) -> f64 {
    let center = |b_to_a: &Pose| {
        if info_a.radius < info_b.radius {
            b_to_a.inverse_transform_point(a.center)
        } else {
            b_to_a.transform_point(b.center)
        }
    };
    center(before).distance(center(now)) + turned(before, now) * info_a.radius.min(info_b.radius)
}

/// Returns the chord of the relative rotation of a and b between two poses of b in a's space, on a
/// circle of radius 1. For small angles this is the angle in rad.
#[inline]
pub(super) fn turned(before: &Pose, now: &Pose) -> f64 {
    2.0 * (now.rotation * before.rotation.conjugate()).xyz().length()
}

/// Ball around a body, and its motion: world, m, m/s and rad/s. All points of the body are within `radius`
/// (m) of `center`, its center of mass.
#[derive(Clone, Copy, Debug)]
pub struct MovingBall {
    pub center: DVec3,
    pub linear: DVec3,
    pub angular: DVec3,
    pub radius: f64,
}

impl MovingBall {
    #[inline]
    pub fn of((state, info): (&BodyState, &BodyInfo)) -> Self {
        Self {
            center: state.world_center(),
            linear: state.linear_velocity,
            angular: state.angular_velocity,
            radius: info.radius,
        }
    }

    /// Returns an upper bound of the speed of any point of the body, m/s.
    #[inline]
    pub fn speed(&self) -> f64 {
        self.linear.length() + self.angular.length() * self.radius
    }
}

/// Returns an upper bound of the relative speed (m/s) at any point where the two bodies can touch,
/// while they keep their velocities for `dt` seconds. As in `greatest_motion`, such a point lies in the
/// smaller body's bounding sphere.
#[inline]
pub fn greatest_speed([a, b]: [MovingBall; 2], dt: f64) -> f64 {
    let (small, large) = if a.radius < b.radius { (a, b) } else { (b, a) };
    // In the frame of the larger body: the motion of the smaller body's center, and the smaller body's
    // rotation about this center.
    let carried = large.angular.cross(small.center - large.center);
    let apart = small.linear - large.linear;
    let of_center = (apart - carried).length();
    let about_it = (a.angular - b.angular).length() * small.radius;
    // In a rotating frame a straight motion curves (Coriolis and centrifugal acceleration).
    let aside = dt * large.angular.length() * (of_center + 0.5 * carried.length());
    let of_both = apart.length() + a.angular.length() * a.radius + b.angular.length() * b.radius;
    (of_center + about_it + aside).min(of_both)
}
