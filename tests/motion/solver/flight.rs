//! Bodies that touch nothing.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use tumble::pose::Pose;

use super::lab::{Lab, Shape, spin};

/// Compares with v = g·t and y = g·t²/2, for different sub-steps.
#[test]
fn a_falling_body_follows_its_parabola() {
    for substeps in [1, 4, 8] {
        let mut lab = Lab::new(1.0 / 60.0, substeps);
        let ball =
            lab.add(Shape::Sphere { radius: 0.1 }, 2.0, Pose::from_position(DVec3::new(1.0, 50.0, -2.0)));
        lab.state(ball).linear_velocity = DVec3::new(3.0, 1.0, 0.0);
        lab.run(2.0);
        let t = 2.0;
        let fallen = 0.5 * 9.81 * t * t;
        let expected = DVec3::new(1.0 + 3.0 * t, 50.0 + t - fallen, -2.0);
        let state = lab.state(ball);
        assert!(state.pose.position.distance(expected) < 1e-9 * expected.length(), "{}", state.pose.position);
        assert!(state.linear_velocity.distance(DVec3::new(3.0, 1.0 - 9.81 * t, 0.0)) < 1e-9 * 20.0);
    }
}

/// Spins a box of half-extents 0.1, 0.2, 0.3 m about its middle axis. In a Runge–Kutta reference with
/// steps of 0.1 ms it turns over at 1.65032, 4.95095, 8.25158 and 11.55221 s.
#[test]
fn a_box_spun_about_its_middle_axis_turns_over_on_time() {
    let mut lab = Lab::new(1.0 / 240.0, 4);
    lab.gravity = DVec3::ZERO;
    let body = lab.add(Shape::Box { half: DVec3::new(0.1, 0.2, 0.3) }, 24.0, Pose::IDENTITY);
    lab.state(body).angular_velocity = DVec3::new(0.01, 10.0, 0.0);
    let (energy, momentum) = (lab.energy(), lab.angular_momentum());
    let mut turns = Vec::new();
    let mut before = 10.0;
    for step in 1..=(12 * 240) {
        lab.step();
        let state = lab.state(body);
        let own = state.pose.inverse_transform_vector(state.angular_velocity).y;
        if own * before < 0.0 {
            turns.push((f64::from(step) - own / (own - before)) * lab.dt);
        }
        before = own;
        assert!((lab.energy() / energy - 1.0).abs() < 1e-3);
        assert!(lab.angular_momentum().distance(momentum) < 1e-9 * momentum.length());
    }
    assert_eq!(turns.len(), 4, "{turns:?}");
    assert!((turns[0] / 1.65032 - 1.0).abs() < 0.01, "{turns:?}");
    for pair in turns.windows(2) {
        assert!(((pair[1] - pair[0]) / 3.30063 - 1.0).abs() < 0.02, "{turns:?}");
    }
}

#[test]
fn a_box_spun_about_its_longest_or_shortest_axis_never_turns_over() {
    for axis in [0, 2] {
        let mut lab = Lab::new(1.0 / 60.0, 4);
        lab.gravity = DVec3::ZERO;
        let body = lab.add(Shape::Box { half: DVec3::new(0.1, 0.2, 0.3) }, 24.0, Pose::IDENTITY);
        lab.state(body).angular_velocity = 10.0 * DVec3::AXES[axis] + DVec3::splat(0.01);
        for _ in 0..3600 {
            lab.step();
            let state = lab.state(body);
            let own = state.pose.inverse_transform_vector(state.angular_velocity);
            assert!(own[axis] > 9.9, "{axis}: {own}");
        }
    }
}

/// Compares the precession of a fast top on a ball joint about the vertical with m·g·r / (I·ω).
#[test]
fn a_spinning_top_precesses_at_its_rate() {
    let mut lab = Lab::new(1.0 / 60.0, 8);
    let (mass, arm, rate) = (1.0, 0.2, 100.0);
    // A disc of 0.1 m: its axis is x, which starts level.
    let half = DVec3::new(0.02, 0.1, 0.1);
    let top = lab.add(Shape::Box { half }, mass, Pose::from_position(DVec3::X * arm));
    let inertia = lab.state(top).inertia.x_axis.x;
    let expected = mass * 9.81 * arm / (inertia * rate);
    // The top starts with the velocity of the precession, so that it does not nutate.
    lab.state(top).angular_velocity = DVec3::new(rate, expected, 0.0);
    lab.state(top).linear_velocity = DVec3::new(0.0, 0.0, -expected * arm);
    lab.hold(top, DVec3::ZERO);
    let (mut turned, mut before) = (0.0, 0.0);
    let seconds = 4.0;
    for _ in 0..(seconds / lab.dt) as u32 {
        lab.step();
        let at = lab.state(top).pose.position;
        let angle = libm::atan2(-at.z, at.x);
        turned += (angle - before + 1.5 * TAU).rem_euclid(TAU) - 0.5 * TAU;
        before = angle;
    }
    assert!((turned / seconds / expected - 1.0).abs() < 0.03, "{} instead of {expected}", turned / seconds);
    assert!(spin(lab.state(top)).length() > 0.97 * inertia * rate);
}

#[test]
fn a_turned_body_is_at_its_angle() {
    let mut lab = Lab::new(1.0 / 60.0, 4);
    lab.gravity = DVec3::ZERO;
    let ball = lab.add(Shape::Sphere { radius: 0.1 }, 1.0, Pose::IDENTITY);
    lab.state(ball).angular_velocity = DVec3::Z * TAU;
    lab.run(10.25);
    let expected = DQuat::from_rotation_z(0.25 * TAU);
    assert!(lab.state(ball).pose.rotation.angle_between(expected) < 1e-6);
}
