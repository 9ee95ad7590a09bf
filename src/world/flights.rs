//! Motions of bodies in a pass, which the search for first touches follows.

use glam::DVec3;

use crate::body::{BodyInfo, BodyState};
use crate::pose::Pose;
use crate::query::Motion;
use crate::solver::{rotation_vector, turned};

/// Returns the motion of a body in a pass of `dt` seconds that began at the pose `before` and ended at
/// the body's present pose. Its rotation includes the whole turns that its spin indicates.
pub(super) fn flown(before: &Pose, state: &BodyState, info: &BodyInfo, dt: f64) -> Motion {
    let shift = state.world_center() - before.transform_point(state.center);
    let shortest = rotation_vector(state.pose.rotation * before.rotation.conjugate());
    let angle = shortest.length();
    let turn = if angle > 0.0 {
        let axis = shortest / angle;
        let whole = std::f64::consts::TAU;
        let turns = ((state.angular_velocity.dot(axis) * dt - angle) / whole).round();
        (angle + turns * whole) * axis
    } else {
        DVec3::ZERO
    };
    Motion { from: *before, center: state.center, radius: info.radius, shift, turn }
}

/// Returns the motion during a whole pass that leads through the body's present pose at `share` of the
/// pass. `shift` (m) and `turn` (rad): displacement of the center and rotation vector of a whole pass.
pub(super) fn bent(state: &BodyState, info: &BodyInfo, share: f64, shift: DVec3, turn: DVec3) -> Motion {
    let rotation = turned(state.pose.rotation, turn, -share);
    let center = state.world_center() - share * shift;
    let from = Pose::new(rotation, center - rotation * state.center);
    Motion { from, center: state.center, radius: info.radius, shift, turn }
}

/// Returns the motion of a body that stops at its present pose at `share` of a pass. `carrier`: the
/// motion of a body relative to which it is then at rest; `None` for the world.
pub(super) fn stopped(state: &BodyState, info: &BodyInfo, share: f64, carrier: Option<&Motion>) -> Motion {
    let Some(carrier) = carrier else { return bent(state, info, share, DVec3::ZERO, DVec3::ZERO) };
    let [from, to] = [carrier.at(share), carrier.at(1.0)];
    let center = state.world_center();
    let arrival = to.transform_point(from.inverse_transform_point(center));
    let left = 1.0 - share;
    let shift = if left > 0.0 { (arrival - center) / left } else { DVec3::ZERO };
    bent(state, info, share, shift, carrier.turn)
}

/// Returns the velocity (m/s) of a body that moves by `shift` (m) under gravity (m/s²), so that its
/// mechanical energy stays the same: the part of the velocity along gravity changes with the height.
/// This part is zero if the body's energy does not suffice to rise as far.
pub(super) fn fallen(velocity: DVec3, gravity: DVec3, shift: DVec3) -> DVec3 {
    let Some(down) = gravity.try_normalize() else { return velocity };
    let along = down.dot(velocity);
    let square = along * along + 2.0 * gravity.dot(shift);
    velocity + (along.signum() * square.max(0.0).sqrt() - along) * down
}
