//! How far and how fast bodies move against each other, and what is left of overlap that was accepted.

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

/// Upper bound of how fast (m/s) any place where the two can touch moves against the other body while they go
/// on with their velocities for `dt` seconds: as in [`greatest_motion`], a place on the smaller of the two.
pub(super) fn greatest_speed([(a, info_a), (b, info_b)]: BodyPair, dt: f64) -> f64 {
    let (small, radius, large) =
        if info_a.radius < info_b.radius { (a, info_a.radius, b) } else { (b, info_b.radius, a) };
    // Seen from the larger body: the smaller one's centre, and all else of it about that.
    let carried = large.angular_velocity.cross(small.world_center() - large.world_center());
    let apart = small.linear_velocity - large.linear_velocity;
    let of_center = (apart - carried).length();
    let about_it = (a.angular_velocity - b.angular_velocity).length() * radius;
    // In a space that turns, what goes straight on turns aside (Coriolis and centrifugal acceleration).
    let aside = dt * large.angular_velocity.length() * (of_center + 0.5 * carried.length());
    let turn = |state: &BodyState, info: &BodyInfo| state.angular_velocity.length() * info.radius;
    let of_both = apart.length() + turn(a, info_a) + turn(b, info_b);
    (of_center + about_it + aside).min(of_both)
}

/// A separation (m) once accepted overlap is taken off.
pub(super) fn accept(separation: f64, accepted: f64) -> f64 {
    if separation < 0.0 { (separation + accepted).min(0.0) } else { separation }
}
