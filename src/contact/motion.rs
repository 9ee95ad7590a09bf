//! How far bodies moved against each other, and what is left of overlap that was accepted.

use super::settings::BodyPair;
use crate::pose::Pose;

/// Upper bound of how far any place where the two can touch moved between two poses of b in a, m. Such a
/// place lies in the bounding sphere of either body, so the smaller one's does; its centre may be far from
/// the origin of its space.
pub(super) fn greatest_motion(before: &Pose, now: &Pose, [(a, info_a), (b, info_b)]: BodyPair) -> f64 {
    let turned = 2.0 * (now.rotation * before.rotation.conjugate()).xyz().length();
    let center = |b_to_a: &Pose| {
        if info_a.radius < info_b.radius {
            b_to_a.inverse_transform_point(a.center)
        } else {
            b_to_a.transform_point(b.center)
        }
    };
    center(before).distance(center(now)) + turned * info_a.radius.min(info_b.radius)
}

/// A separation (m) once accepted overlap is taken off.
pub(super) fn accept(separation: f64, accepted: f64) -> f64 {
    if separation < 0.0 { (separation + accepted).min(0.0) } else { separation }
}
