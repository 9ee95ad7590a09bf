//! Motions of bodies in a pass, which the search for first touches follows.

use glam::DVec3;

use crate::body::BodyState;
use crate::pose::Pose;
use crate::query::Motion;
use crate::solver::{rotation_vector, turned};

/// Returns the motion of a body in a pass of `dt` seconds that began at the pose `before` and ended at
/// the body's present pose. The rotation includes the whole turns that the spin indicates. `radius`: that
/// of the body, m.
pub(super) fn flown(before: &Pose, state: &BodyState, radius: f64, dt: f64) -> Motion {
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
    Motion { from: *before, center: state.center, radius, shift, turn }
}

/// Returns the motion during a whole pass that leads through the body's present pose at `share` of the
/// pass. `shift` (m) and `turn` (rad): displacement of the center and rotation vector of a whole pass.
pub(super) fn bent(state: &BodyState, radius: f64, share: f64, shift: DVec3, turn: DVec3) -> Motion {
    let rotation = turned(state.pose.rotation, turn, -share);
    let center = state.world_center() - share * shift;
    let from = Pose::new(rotation, center - rotation * state.center);
    Motion { from, center: state.center, radius, shift, turn }
}

/// Returns the motion of a body that stops at its present pose at `share` of a pass. `carrier`: the
/// motion of a body relative to which it is then at rest; `None` for the world.
pub(super) fn stopped(state: &BodyState, radius: f64, share: f64, carrier: Option<&Motion>) -> Motion {
    let Some(carrier) = carrier else { return bent(state, radius, share, DVec3::ZERO, DVec3::ZERO) };
    let [from, to] = [carrier.at(share), carrier.at(1.0)];
    let center = state.world_center();
    let arrival = to.transform_point(from.inverse_transform_point(center));
    let left = 1.0 - share;
    let shift = if left > 0.0 { (arrival - center) / left } else { DVec3::ZERO };
    bent(state, radius, share, shift, carrier.turn)
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

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat};

    use super::*;
    use crate::body::{Activity, Motion as Kind};

    /// Returns a body whose center of mass is beside the origin of its space.
    fn body(pose: Pose, spin: DVec3) -> BodyState {
        BodyState {
            pose,
            linear_velocity: DVec3::ZERO,
            angular_velocity: spin,
            inverse_mass: 1.0,
            center: DVec3::new(0.1, -0.2, 0.3),
            inertia: DMat3::IDENTITY,
            inverse_inertia: DMat3::IDENTITY,
            gravity_factor: 1.0,
            motion: Kind::Dynamic,
            activity: Activity::Awake { slow_for: 0.0 },
        }
    }

    fn is_near(one: &Pose, other: &Pose) -> bool {
        one.position.distance(other.position) < 1e-12 && one.rotation.angle_between(other.rotation) < 1e-7
    }

    #[test]
    fn a_motion_ends_at_the_present_pose_and_has_the_whole_turns_of_the_spin() {
        let before = Pose::new(DQuat::from_rotation_x(0.4), DVec3::new(1.0, 2.0, 3.0));
        for angle in [0.3, 3.0, 7.0, -20.0, 100.0] {
            let turn = angle * DVec3::new(2.0, -1.0, 2.0) / 3.0;
            let now = Pose::new(turned(before.rotation, turn, 1.0), DVec3::new(-1.0, 0.5, 3.0));
            let motion = flown(&before, &body(now, turn / 0.01), 0.5, 0.01);
            assert!((motion.turn - turn).length() < 1e-9, "{angle}: {:?}", motion.turn);
            assert!(is_near(&motion.at(0.0), &before) && is_near(&motion.at(1.0), &now), "{angle}");
        }
    }

    #[test]
    fn a_bent_motion_leads_through_the_pose_at_its_share() {
        let now = Pose::new(DQuat::from_rotation_y(1.0), DVec3::new(1.0, 2.0, 3.0));
        let motion = bent(&body(now, DVec3::ZERO), 0.5, 0.3, DVec3::X, DVec3::Z);
        assert!(is_near(&motion.at(0.3), &now));
        let [start, end] = [0.0, 1.0].map(|share| motion.at(share).transform_point(motion.center));
        assert!((end - start - DVec3::X).length() < 1e-12);
    }

    #[test]
    fn a_body_that_stops_stays_where_it_is_or_rides_on_its_carrier() {
        let now = Pose::new(DQuat::from_rotation_y(1.0), DVec3::new(1.0, 2.0, 3.0));
        let state = body(now, DVec3::X);
        assert!(is_near(&stopped(&state, 0.5, 0.4, None).at(1.0), &now));
        let carrier = bent(&body(Pose::IDENTITY, DVec3::ZERO), 0.5, 0.4, DVec3::Y, 0.5 * DVec3::Z);
        let rider = stopped(&state, 0.5, 0.4, Some(&carrier));
        let [at_touch, at_end] = [0.4, 1.0].map(|share| rider.at(share).relative_to(&carrier.at(share)));
        assert!(is_near(&at_touch, &at_end), "{at_touch:?} and {at_end:?}");
    }

    #[test]
    fn a_body_keeps_its_mechanical_energy_as_it_falls_and_rises() {
        let gravity = DVec3::new(0.0, -10.0, 0.0);
        let energy = |v: DVec3, height: f64| 0.5 * v.length_squared() + 10.0 * height;
        let velocity = DVec3::new(3.0, -4.0, 1.0);
        for shift in [DVec3::new(1.0, -2.0, 0.0), DVec3::new(1.0, 0.7, 2.0), DVec3::X] {
            let after = fallen(velocity, gravity, shift);
            assert!((energy(after, shift.y) - energy(velocity, 0.0)).abs() < 1e-9, "{shift}: {after}");
            assert!((fallen(after, gravity, -shift) - velocity).length() < 1e-9, "{shift}: {after}");
        }
        assert_eq!(fallen(velocity, gravity, DVec3::Y), DVec3::new(3.0, 0.0, 1.0));
        assert_eq!(fallen(velocity, DVec3::ZERO, DVec3::Y), velocity);
    }
}
