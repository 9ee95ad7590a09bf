//! Joints: locks stay locked, limits are kept, and drives reach their targets.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DQuat, DVec3};
use tumble::body::AxisRange::{self, Free, Limited, Locked};
use tumble::body::{Activity, Drive, DriveKind, JointAxis, PoseDrive, SoftLimit, Spring, WORLD};
use tumble::pose::Pose;

use super::lab::{Lab, Shape, joint};

const G: f64 = 9.81;
const POINT: Pose = Pose::IDENTITY;
/// A bar along x, held at one end: the hardest load for a joint.
const BAR: Shape = Shape::Box { half: DVec3::new(0.25, 0.03, 0.05) };
const END: DVec3 = DVec3::new(-0.25, 0.0, 0.0);

/// Returns a bar of 2 kg, held at its end by a joint to the world with frames rotated by `frame`.
fn bar(frame: DQuat, linear: [AxisRange; 3], angular: [AxisRange; 3]) -> (Lab, usize) {
    let mut lab = Lab::new(1.0 / 60.0, 4);
    let body = lab.add(BAR, 2.0, Pose::from_position(-END));
    let ends = [Pose::new(frame, DVec3::ZERO), Pose::new(frame, END)];
    lab.joints.push(joint([WORLD, body as u32], ends, linear, angular));
    (lab, body)
}

fn held_end(lab: &mut Lab, body: usize) -> DVec3 {
    lab.state(body).pose.transform_point(END)
}

fn velocity_drive(kind: DriveKind, speed: f64, damping: f64) -> Drive {
    let (position_target, stiffness, max_force) = (0.0, 0.0, f64::INFINITY);
    Drive { kind, position_target, target_speed: 0.0, velocity_target: speed, stiffness, damping, max_force }
}

/// Compares the period with T = 2π·√(l/g) / M(1, cos θ/2), where M is the arithmetic–geometric mean; l
/// includes the inertia about the pivot.
#[test]
fn a_pendulum_keeps_its_period_at_any_swing() {
    for degrees in [5.0_f64, 30.0, 60.0] {
        // A hinge about z and a ball joint.
        for angular in [[Locked, Locked, Free], [Free; 3]] {
            let mut lab = Lab::new(1.0 / 60.0, 4);
            let start = degrees.to_radians();
            let rotation = DQuat::from_rotation_z(start);
            let radius = 0.05;
            let bob = lab.add(Shape::Sphere { radius }, 1.0, Pose::new(rotation, rotation * -DVec3::Y));
            let ends = [POINT, Pose::from_position(DVec3::Y)];
            lab.joints.push(joint([WORLD, bob as u32], ends, [Locked; 3], angular));
            let mut crossings = Vec::new();
            let mut before = start;
            for step in 1..=1200 {
                lab.step();
                let at = lab.state(bob).pose.position;
                let angle = libm::atan2(at.x, -at.y);
                if before > 0.0 && angle <= 0.0 {
                    crossings.push((f64::from(step) - angle / (angle - before)) * lab.dt);
                }
                before = angle;
            }
            let swings = crossings.len() - 1;
            let period = (crossings[swings] - crossings[0]) / swings as f64;
            let (mut mean, mut other) = (1.0_f64, (0.5 * start).cos());
            for _ in 0..8 {
                (mean, other) = (0.5 * (mean + other), (mean * other).sqrt());
            }
            let length = 1.0 + 0.4 * radius * radius;
            let expected = TAU * (length / G).sqrt() / mean;
            assert!((period / expected - 1.0).abs() < 2e-3, "{degrees}°: {period} instead of {expected}");
        }
    }
}

#[test]
fn a_fixed_bar_carries_its_weight() {
    let (mut lab, body) =
        bar(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.0, -0.4), [Locked; 3], [Locked; 3]);
    lab.run(5.0);
    assert!(held_end(&mut lab, body).length() < 1e-3);
    let state = lab.state(body);
    assert!(state.pose.rotation.angle_between(DQuat::IDENTITY) < 1e-2, "{}", state.pose.rotation);
    assert!(state.linear_velocity.length() < 1e-6 && state.angular_velocity.length() < 1e-6);
}

/// Turns a wheel many times about each axis of the frame in turn. The locked axes bear the weight of
/// the bar.
#[test]
fn a_driven_wheel_turns_on_and_on_about_its_axle() {
    for main in 0..3 {
        let mut angular = [Locked; 3];
        angular[main] = Free;
        let (mut lab, body) = bar(DQuat::IDENTITY, [Locked; 3], angular);
        let axle = DVec3::AXES[main];
        lab.joints[0].angular[main].drive = Some(velocity_drive(DriveKind::Acceleration, 5.0, 200.0));
        for step in 0..1200 {
            lab.step();
            let state = lab.state(body);
            let tilt = (state.pose.rotation * axle).cross(axle).length();
            assert!(tilt < 0.02, "{main}: tilted by {tilt} at step {step}");
            let speed = state.angular_velocity.dot(axle);
            // The weight's torque against the damping of the drive: m·g·l / (c·I) = 0.58 rad/s.
            assert!(step < 60 || (speed - 5.0).abs() < 0.6, "{main}: {speed} rad/s at step {step}");
            assert!(held_end(&mut lab, body).length() < 0.01, "{main}: step {step}");
        }
    }
}

/// Drops the bar onto its lower limit, where it stays.
#[test]
fn a_limited_hinge_stops_at_its_limit() {
    for (frame, sign) in [(DQuat::IDENTITY, 1.0), (DQuat::from_rotation_x(TAU / 2.0), -1.0)] {
        // About z; downward is the negative sense of the world's z, and the frame may be upside down.
        let range =
            if sign > 0.0 { Limited { min: -0.5, max: 1.0 } } else { Limited { min: -1.0, max: 0.5 } };
        let (mut lab, body) = bar(frame, [Locked; 3], [Locked, Locked, range]);
        lab.run(4.0);
        let along = lab.state(body).pose.rotation * DVec3::X;
        let angle = libm::atan2(along.y, along.x);
        assert!((angle + 0.5).abs() < 0.01, "{angle} rad");
        assert!(lab.state(body).angular_velocity.length() < 1e-6);
    }
}

/// Holds a weight with damped springs: at rest, k·x = m·g.
#[test]
fn a_soft_limit_and_a_drive_hold_a_weight_as_springs_do() {
    let stiffness = 500.0;
    let sag = 2.0 * G / stiffness;
    let (mut lab, body) =
        bar(DQuat::IDENTITY, [Locked, Limited { min: -0.05, max: 0.1 }, Locked], [Locked; 3]);
    lab.joints[0].linear[1].soft = Some(SoftLimit { stiffness, damping: 40.0 });
    lab.run(5.0);
    let y = held_end(&mut lab, body).y;
    assert!((y + 0.05 + sag).abs() < 1e-3, "{y}");

    let (mut lab, body) = bar(DQuat::IDENTITY, [Locked, Free, Locked], [Locked; 3]);
    let drive = Drive { position_target: 0.2, stiffness, ..velocity_drive(DriveKind::Force, 0.0, 40.0) };
    lab.joints[0].linear[1].drive = Some(drive);
    lab.run(5.0);
    let y = held_end(&mut lab, body).y;
    assert!((y - 0.2 + sag).abs() < 1e-3, "{y}");
}

/// Drives a slider without friction with at most the force F: v = F·t/m. An acceleration drive ignores
/// the mass.
#[test]
fn a_slider_moves_along_its_axis_with_the_force_of_its_drive() {
    let frame = DQuat::from_rotation_y(0.6);
    let axis = frame * DVec3::X;
    let (mut lab, body) = bar(frame, [Free, Locked, Locked], [Locked; 3]);
    lab.joints[0].linear[0].drive =
        Some(Drive { max_force: 3.0, ..velocity_drive(DriveKind::Force, 100.0, 1e3) });
    lab.run(1.0);
    let velocity = lab.state(body).linear_velocity;
    assert!((velocity.dot(axis) / 1.5 - 1.0).abs() < 0.01, "{velocity}");
    assert!(held_end(&mut lab, body).reject_from(axis).length() < 2e-3);

    for mass in [0.02, 200.0] {
        let mut lab = Lab::new(1.0 / 60.0, 4);
        lab.gravity = DVec3::ZERO;
        let body = lab.add(BAR, mass, Pose::IDENTITY);
        lab.joints.push(joint([WORLD, body as u32], [POINT; 2], [Free, Locked, Locked], [Locked; 3]));
        lab.joints[0].linear[0].drive = Some(velocity_drive(DriveKind::Acceleration, 1.0, 2.0));
        lab.run(1.0);
        // v̇ = c·(v* − v); implicit sub-steps of h lag by the share c·h/2.
        let expected = 1.0 - (-2.0_f64).exp();
        let speed = lab.state(body).linear_velocity.x;
        assert!((speed - expected).abs() < 0.01, "{mass} kg: {speed} instead of {expected}");
    }
}

#[test]
fn a_cone_keeps_a_limb_within_its_angle() {
    let (mut lab, body) = bar(DQuat::IDENTITY, [Locked; 3], [Free; 3]);
    lab.joints[0].cone = Some(0.7);
    lab.joints[0].friction = 0.5;
    lab.state(body).angular_velocity = DVec3::new(0.0, 6.0, 2.0);
    let mut widest: f64 = 0.0;
    for _ in 0..600 {
        lab.step();
        widest = widest.max((lab.state(body).pose.rotation * DVec3::X).angle_between(DVec3::X));
    }
    let last = (lab.state(body).pose.rotation * DVec3::X).angle_between(DVec3::X);
    assert!(widest < 0.75, "{widest} rad");
    assert!((last - 0.7).abs() < 0.02, "hangs at {last} rad");
    assert!(lab.state(body).angular_velocity.length() < 1e-3);
}

/// Compares the speed of a wheel with ω − T·t/I, until it stops.
#[test]
fn joint_friction_stops_a_wheel_when_its_torque_has_used_up_the_spin() {
    let (mut lab, body) = bar(DQuat::IDENTITY, [Locked; 3], [Locked, Locked, Free]);
    lab.gravity = DVec3::ZERO;
    let inertia = lab.state(body).inertia.z_axis.z + 2.0 * END.length_squared();
    lab.joints[0].friction = inertia * 4.0;
    lab.state(body).angular_velocity = DVec3::Z * 8.0;
    lab.state(body).linear_velocity = DVec3::Y * 8.0 * 0.25;
    lab.run(1.0);
    let speed = lab.state(body).angular_velocity.z;
    assert!((speed - 4.0).abs() < 0.1, "{speed}");
    lab.run(1.2);
    assert!(lab.state(body).angular_velocity.length() < 1e-6);
}

/// Returns the largest gap of any joint, m.
fn widest_gap(lab: &Lab) -> f64 {
    let states = &lab.bodies.states;
    lab.joints.iter().filter_map(|joint| joint.gap(&joint.seen(joint.poses(states)))).fold(0.0, f64::max)
}

/// Hangs ten links of 0.1 kg and 0.1 m with a load at the end. An iteration over single joints passes
/// the load up the chain by one joint per iteration, so gaps grow with the load. They must stay small
/// compared with a link.
#[test]
fn a_hanging_chain_holds_a_hundred_times_its_links_weight() {
    for (ratio, bound) in [(1.0, 0.002), (10.0, 0.01), (100.0, 0.03)] {
        let mut lab = Lab::new(1.0 / 60.0, 8);
        let link = DVec3::new(0.02, 0.05, 0.02);
        let mut above = (WORLD, POINT);
        for index in 0..10 {
            let loaded = index == 9;
            let (half, mass) = if loaded { (DVec3::splat(0.05), 0.1 * ratio) } else { (link, 0.1) };
            let place = Pose::from_position(DVec3::NEG_Y * (0.05 + 0.1 * f64::from(index)));
            let body = lab.add(Shape::Box { half }, mass, place) as u32;
            let top = Pose::from_position(DVec3::Y * 0.05);
            lab.joints.push(joint([above.0, body], [above.1, top], [Locked; 3], [Free; 3]));
            above = (body, Pose::from_position(DVec3::NEG_Y * 0.05));
        }
        // The chain starts swinging, because no real chain hangs perfectly still.
        lab.state(9).linear_velocity = DVec3::X * 0.5;
        let mut widest: f64 = 0.0;
        for _ in 0..600 {
            lab.step();
            widest = widest.max(widest_gap(&lab));
        }
        assert!(widest < bound, "{ratio}: {widest} m");
    }
}

#[test]
fn rows_of_every_axis_leave_a_still_body_still() {
    let axis = JointAxis { range: Limited { min: -FRAC_PI_2, max: FRAC_PI_2 }, ..JointAxis::default() };
    let (mut lab, body) = bar(DQuat::IDENTITY, [Locked; 3], [Free; 3]);
    lab.gravity = DVec3::ZERO;
    lab.joints[0].angular = [axis; 3];
    lab.joints[0].cone = Some(1.0);
    lab.run(1.0);
    assert_eq!(lab.state(body).angular_velocity, DVec3::ZERO);
    assert_eq!(lab.state(body).pose.rotation, DQuat::IDENTITY);
}

/// Returns a drive toward coinciding joint frames, along and about all axes.
fn pose_drive(kind: DriveKind, stiffness: f64, damping: f64) -> PoseDrive {
    let spring = Spring { stiffness, damping, max_force: f64::INFINITY };
    PoseDrive {
        kind,
        target: Pose::IDENTITY,
        linear_velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        linear: spring,
        angular: spring,
    }
}

/// Compares the deviation with x = x₀·(1 + ω·t)·e^(−ω·t), in any direction, for position and rotation.
/// At rest the body sags by g/ω².
#[test]
fn a_critically_damped_pose_drive_closes_in_as_theory_has_it() {
    let omega = 10.0;
    for kind in [DriveKind::Force, DriveKind::Acceleration] {
        let mut lab = Lab::new(1.0 / 60.0, 4);
        lab.gravity = DVec3::ZERO;
        let tilt = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.5);
        // A body of 1 kg and 1 kg·m², so that both kinds of drives act alike.
        let ball = Shape::Sphere { radius: (1.0_f64 / 0.4).sqrt() };
        let body = lab.add(ball, 1.0, Pose::new(tilt, DVec3::new(0.3, 0.4, 0.0)));
        let drive = pose_drive(kind, omega * omega, 2.0 * omega);
        lab.joints.push(joint([WORLD, body as u32], [POINT; 2], [Free; 3], [Free; 3]));
        lab.joints[0].pose_drive = Some(drive);
        for step in 1..=60 {
            lab.step();
            let t = f64::from(step) * lab.dt;
            let left = (1.0 + omega * t) * libm::exp(-omega * t);
            let pose = lab.state(body).pose;
            // Implicit sub-steps of h lag by the share ω·h.
            assert!((pose.position.length() - 0.5 * left).abs() < 0.5 * 0.03, "{kind:?}, {t} s");
            let angle = pose.rotation.angle_between(DQuat::IDENTITY);
            assert!((angle - 0.5 * left).abs() < 0.5 * 0.03, "{kind:?}, {t} s: {angle} rad");
        }
        lab.gravity = DVec3::NEG_Y * G;
        lab.run(3.0);
        let sag = lab.state(body).pose.position.y;
        assert!((sag + G / (omega * omega)).abs() < 1e-4, "{kind:?}: {sag} m");
    }
}

#[test]
fn a_pose_drive_pulls_no_harder_than_it_may() {
    let (mut lab, body) = bar(DQuat::IDENTITY, [Free; 3], [Locked; 3]);
    let mut drive = pose_drive(DriveKind::Force, 1e4, 1e2);
    drive.linear.max_force = 2.0 * (G - 1.0);
    lab.joints[0].pose_drive = Some(drive);
    lab.run(1.0);
    let speed = lab.state(body).linear_velocity.y;
    // The spring needs 12 ms to reach its largest force. Its equation, integrated in steps of 0.1 µs, gives
    // 1.0706 m/s.
    assert!((speed + 1.0706).abs() < 0.005, "falls at 1 m/s², so at {speed} m/s after a second");
}

#[test]
fn a_body_whose_drive_has_a_moving_target_does_not_fall_asleep() {
    for (velocity, sleeps) in [(0.0, true), (1e-3, false)] {
        let (mut lab, body) = bar(DQuat::IDENTITY, [Free; 3], [Free; 3]);
        let mut drive = pose_drive(DriveKind::Acceleration, 1e3, 60.0);
        drive.linear_velocity = DVec3::X * velocity;
        lab.joints[0].pose_drive = Some(drive);
        for _ in 0..240 {
            lab.step_and_sleep();
        }
        assert_eq!(lab.state(body).activity == Activity::Asleep, sleeps, "{velocity} m/s");
    }
}
