//! How far and how fast bodies move against each other, and what is left of overlap that was accepted.

use glam::DVec3;

use super::settings::BodyPair;
use crate::body::{BodyInfo, BodyState};
use crate::pose::Pose;

/// Upper bound of how far any place where the two can touch moved between two poses of b in a, m. Such a
/// place lies in the bounding sphere of either body, so the smaller one's does; its centre may be far from
/// the origin of its space.
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

/// The chord of the angle by which b turned in a between two poses of it: for small angles the angle, rad.
pub(super) fn turned(before: &Pose, now: &Pose) -> f64 {
    2.0 * (now.rotation * before.rotation.conjugate()).xyz().length()
}

/// A body's place and motion: world, m, m/s and rad/s. Only places within `radius` (m) of its centre
/// of mass are its own.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    pub center: DVec3,
    pub linear: DVec3,
    pub angular: DVec3,
    pub radius: f64,
}

impl Course {
    pub fn of((state, info): (&BodyState, &BodyInfo)) -> Self {
        Self {
            center: state.world_center(),
            linear: state.linear_velocity,
            angular: state.angular_velocity,
            radius: info.radius,
        }
    }

    /// Upper bound of the speed of any place on the body, m/s.
    pub fn speed(&self) -> f64 {
        self.linear.length() + self.angular.length() * self.radius
    }
}

/// Upper bound of how fast (m/s) any place where the two can touch moves against the other body while they go
/// on with their velocities for `dt` seconds: as in `greatest_motion`, a place on the smaller of the two.
pub fn greatest_speed([a, b]: [Course; 2], dt: f64) -> f64 {
    let (small, large) = if a.radius < b.radius { (a, b) } else { (b, a) };
    // Seen from the larger body: the smaller one's centre, and all else of it about that.
    let carried = large.angular.cross(small.center - large.center);
    let apart = small.linear - large.linear;
    let of_center = (apart - carried).length();
    let about_it = (a.angular - b.angular).length() * small.radius;
    // In a space that turns, what goes straight on turns aside (Coriolis and centrifugal acceleration).
    let aside = dt * large.angular.length() * (of_center + 0.5 * carried.length());
    let of_both = apart.length() + a.angular.length() * a.radius + b.angular.length() * b.radius;
    (of_center + about_it + aside).min(of_both)
}

/// A separation (m) once accepted overlap is taken off.
pub(super) fn accept(separation: f64, accepted: f64) -> f64 {
    if separation < 0.0 { (separation + accepted).min(0.0) } else { separation }
}
