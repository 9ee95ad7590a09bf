//! Bodies on planes and on each other.

use glam::{DQuat, DVec3};
use tumble::pose::Pose;

use super::lab::{Lab, Shape};

const G: f64 = 9.81;

/// Returns a slope through the origin that falls toward `heading` (rad, about the vertical).
fn slope(degrees: f64, heading: f64) -> Pose {
    let tilt = DQuat::from_rotation_z(-degrees.to_radians());
    Pose::new(DQuat::from_rotation_y(heading) * tilt, DVec3::ZERO)
}

/// Returns a flat box on a slope, rotated about the slope's normal by `turn` relative to the slope's
/// axes.
fn box_on_slope(degrees: f64, heading: f64, turn: f64) -> (Lab, usize) {
    let mut lab = Lab::new(1.0 / 60.0, 4);
    let slope = slope(degrees, heading);
    let plane = lab.add(Shape::Plane, 0.0, slope);
    let half = DVec3::new(0.2, 0.05, 0.2);
    let rotation = slope.rotation * DQuat::from_rotation_y(turn);
    let body =
        lab.add(Shape::Box { half }, 1.0, Pose::new(rotation, slope.transform_point(DVec3::Y * half.y)));
    lab.collide(plane, body);
    (lab, body)
}

/// Tests both sides of the friction angle: with µ = 0.5 a box holds up to atan 0.5 = 26.565°.
#[test]
fn a_box_holds_on_a_slope_up_to_the_friction_angle() {
    for heading in [0.0, 1.0] {
        let (mut lab, body) = box_on_slope(26.565 - 0.3, heading, 0.4);
        lab.run(1.0);
        let before = lab.state(body).pose.position;
        lab.run(9.0);
        let drift = lab.state(body).pose.position.distance(before);
        assert!(drift < 1e-3, "{heading}: drifts {drift} m in 9 s");
        let (mut lab, body) = box_on_slope(26.565 + 0.3, heading, 0.4);
        lab.run(2.0);
        assert!(lab.state(body).linear_velocity.length() > 0.05, "{heading}: does not slide");
    }
}

/// Compares the downhill speed with v = g·(sin θ − µ·cos θ)·t, for any heading of the slope and of the
/// box. The push-out of the initial overlap leaves some mm/s.
#[test]
fn a_box_slides_down_a_slope_as_fast_as_coulomb_lets_it() {
    for degrees in [30.0_f64, 32.0, 40.0] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let expected = 2.0 * G * (sine - 0.5 * cosine);
        for (heading, turn) in [(0.0, 0.0), (0.5, 0.0), (1.1, 0.3), (2.0, 0.785), (4.0, 1.2)] {
            let (mut lab, body) = box_on_slope(degrees, heading, turn);
            lab.run(2.0);
            let velocity = lab.state(body).linear_velocity;
            let downhill = slope(degrees, heading).transform_vector(DVec3::X);
            assert!((velocity.dot(downhill) / expected - 1.0).abs() < 0.01, "{degrees}°: {velocity}");
            let aside = velocity.reject_from(downhill).length();
            assert!(aside < 0.01 * expected, "{degrees}° towards {heading}, box at {turn}: {aside} aside");
        }
    }
}

/// Compares the distance with v² / (2·µ·g), plus at most the path of one sub-step.
#[test]
fn a_sliding_box_stops_where_friction_has_eaten_its_energy() {
    let mut lab = Lab::new(1.0 / 240.0, 4);
    let plane = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
    let half = DVec3::new(0.2, 0.05, 0.2);
    let body = lab.add(Shape::Box { half }, 3.0, Pose::from_position(DVec3::Y * half.y));
    lab.collide(plane, body);
    // The box comes to rest before it is given its speed.
    lab.run(0.5);
    let start = lab.state(body).pose.position;
    lab.state(body).linear_velocity = 5.0 * DVec3::new(0.6, 0.0, 0.8);
    lab.run(2.0);
    let way = lab.state(body).pose.position.distance(start);
    assert!((way / (25.0 / G) - 1.0).abs() < 0.005, "{way} instead of {}", 25.0 / G);
}

/// Returns a ball of 1 kg and 0.1 m radius at rest on a slope; `rolling` and `spinning` are the arms of
/// its resistance, m.
fn ball_on_slope(degrees: f64, dt: f64, [rolling, spinning]: [f64; 2]) -> (Lab, usize) {
    let mut lab = Lab::new(dt, 4);
    let slope = slope(degrees, 0.7);
    let plane = lab.add(Shape::Plane, 0.0, slope);
    let place = Pose::from_position(slope.transform_point(DVec3::Y * RADIUS));
    let ball = lab.add(Shape::Sphere { radius: RADIUS }, 1.0, place);
    (lab.bodies.infos[ball].rolling, lab.bodies.infos[ball].spinning) = (rolling, spinning);
    lab.collide(plane, ball);
    (lab, ball)
}

const RADIUS: f64 = 0.1;

/// Rolls a ball down a slope. It would slip only if µ < 2/7·tan θ. The accepted overlap shortens the
/// rolling radius by 0.2 % of the ball's thickness.
#[test]
fn a_ball_rolls_down_a_slope_without_slipping() {
    let (mut lab, ball) = ball_on_slope(15.0, 1e-3, [0.0; 2]);
    lab.run(1.0);
    let (state, expected) = (*lab.state(ball), 5.0 / 7.0 * G * 15.0_f64.to_radians().sin());
    assert!((state.linear_velocity.length() / expected - 1.0).abs() < 1e-3, "{}", state.linear_velocity);
    assert!((state.angular_velocity.length() * RADIUS / expected - 1.0).abs() < 5e-3);
}

/// Compares the speed with a = 5/7·g·(sin θ − e/r·cos θ): the torque is the arm e times the normal
/// force.
#[test]
fn a_ball_that_resists_rolling_rolls_slower_by_the_torque_of_its_arm() {
    for dt in [1.0 / 60.0, 1e-3] {
        for arm in [0.0005, 0.002, 0.02] {
            let (mut lab, ball) = ball_on_slope(15.0, dt, [arm, 0.0]);
            lab.run(1.0);
            let (sine, cosine) = 15.0_f64.to_radians().sin_cos();
            let expected = 5.0 / 7.0 * G * (sine - arm / RADIUS * cosine);
            let found = lab.state(ball).linear_velocity.length();
            assert!((found / expected - 1.0).abs() < 0.01, "{arm} at {dt}: {found}, not {expected} m/s");
        }
    }
}

/// Tests both sides of e/r = tan θ, from which on the ball holds. The ball may move by a thousandth of
/// a millimeter into the plane.
#[test]
fn a_ball_stays_on_a_slope_that_its_resistance_to_rolling_holds_it_on() {
    let degrees = 5.0_f64;
    let least = RADIUS * degrees.to_radians().tan();
    let moved = |arms: [f64; 2]| {
        let (mut lab, ball) = ball_on_slope(degrees, 1.0 / 60.0, arms);
        lab.run(1.0);
        let before = lab.state(ball).pose.position;
        lab.run(9.0);
        lab.state(ball).pose.position.distance(before)
    };
    assert!(moved([1.05 * least, 0.0]) < 1e-6, "{}", moved([1.05 * least, 0.0]));
    assert!(moved([0.95 * least, 0.0]) > 0.5, "it rolls");
    assert!(moved([0.0, 10.0 * least]) > 5.0, "resistance to spinning does not hold it");
}

/// Spins a ball about the vertical: it slows by e·m·g/I and stops.
#[test]
fn a_ball_that_spins_on_the_spot_slows_by_the_torque_of_its_arm() {
    let inertia = 0.4 * RADIUS * RADIUS;
    let spun = |arms: [f64; 2], seconds: f64| {
        let (mut lab, ball) = ball_on_slope(0.0, 1.0 / 60.0, arms);
        lab.run(0.5);
        lab.state(ball).angular_velocity = DVec3::Y * 10.0;
        lab.run(seconds);
        lab.state(ball).angular_velocity
    };
    for arm in [0.0003, 0.001] {
        let expected = 10.0 - arm * G / inertia;
        let found = spun([0.0, arm], 1.0);
        assert!(found.distance(DVec3::Y * expected) < 0.01, "{arm}: {found}, not {expected} rad/s");
        let stopped = spun([0.0, arm], 1.1 * 10.0 * inertia / (arm * G));
        assert!(stopped.length() < 1e-9, "{arm}: {stopped}");
    }
    assert!(spun([0.01, 0.0], 10.0).distance(DVec3::Y * 10.0) < 1e-9, "resistance to rolling lets it spin");
}

/// Tests that the pair's arm is the larger of the two bodies' arms.
#[test]
fn the_larger_arm_of_two_bodies_is_that_of_the_pair() {
    for arms in [[0.001, 0.003], [0.003, 0.001]] {
        let (mut lab, ball) = ball_on_slope(0.0, 1.0 / 60.0, [0.0; 2]);
        for (body, arm) in [0, ball].into_iter().zip(arms) {
            (lab.bodies.infos[body].rolling, lab.bodies.infos[body].spinning) = (arm, 2.0 * arm);
        }
        lab.collide(0, ball);
        let pair = &lab.pairs[1];
        assert_eq!((pair.rolling, pair.spinning), (0.003, 0.006));
    }
}

/// Compares the height of the first bounce from 1 m with e². The loss is one sub-step of gravity at the
/// impact, g·dt / (e·√(2·g)): 2 % of the speed at 60 Hz.
#[test]
fn a_ball_bounces_as_high_as_its_restitution_says() {
    for (dt, bound) in [(1.0 / 60.0, 0.02), (1.0 / 240.0, 0.01)] {
        for restitution in [0.0, 0.3, 0.5, 0.8, 0.95, 1.0] {
            let mut lab = Lab::new(dt, 4);
            let plane = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
            let radius = 0.05;
            let ball = lab.add(Shape::Sphere { radius }, 1.0, Pose::from_position(DVec3::Y * (1.0 + radius)));
            lab.bodies.infos[ball].restitution = restitution;
            lab.collide(plane, ball);
            while lab.state(ball).linear_velocity.y > -4.0 {
                lab.step();
            }
            while lab.state(ball).linear_velocity.y < -0.5 {
                lab.step();
            }
            let mut top: f64 = 0.0;
            for _ in 0..(0.5 / dt) as u32 {
                lab.step();
                top = top.max(lab.state(ball).pose.position.y - radius);
            }
            let found = top.sqrt();
            assert!((found - restitution).abs() < bound, "{restitution} at {dt}: {found}");
        }
    }
}

#[test]
fn collisions_keep_momentum_and_give_no_energy() {
    for (mass, restitution, aside) in
        [(1.0, 1.0, 0.0), (1.0, 0.5, 0.05), (0.1, 1.0, 0.08), (10.0, 0.3, 0.03), (1000.0, 0.0, 0.06)]
    {
        let mut lab = Lab::new(1.0 / 240.0, 4);
        lab.gravity = DVec3::ZERO;
        let sphere = Shape::Sphere { radius: 0.1 };
        let first = lab.add(sphere, 1.0, Pose::from_position(DVec3::new(-0.5, aside, 0.02)));
        let second = lab.add(sphere, mass, Pose::from_position(DVec3::new(0.5, 0.0, 0.0)));
        for body in [first, second] {
            lab.bodies.infos[body].restitution = restitution;
        }
        lab.collide(first, second);
        lab.state(first).linear_velocity = DVec3::new(3.0, 0.0, 0.1);
        lab.state(first).angular_velocity = DVec3::new(0.0, 5.0, -3.0);
        lab.state(second).linear_velocity = DVec3::new(-1.0, 0.2, 0.0);
        let (momentum, angular, energy) = (lab.momentum(), lab.angular_momentum(), lab.energy());
        lab.run(1.0);
        assert!(lab.state(first).linear_velocity.x < 2.9, "{mass}: they never met");
        let scale = 3.0 + mass;
        assert!(lab.momentum().distance(momentum) < 1e-12 * scale, "{mass}: {}", lab.momentum() - momentum);
        assert!(lab.angular_momentum().distance(angular) < 1e-9 * scale, "{mass}");
        // The two contact points of an impact differ by the path of the bodies in a sub-step.
        assert!(lab.energy() < energy * (1.0 + 1e-9), "{mass}: {} from {energy}", lab.energy());
        if restitution == 1.0 && aside == 0.0 {
            assert!(lab.energy() > 0.5 * energy, "{mass}: {} from {energy}", lab.energy());
        }
    }
}

/// Compares the sum of the contact impulses in the last sub-step with weight · h.
#[test]
fn contact_impulses_of_a_resting_box_sum_to_its_weight() {
    let mut lab = Lab::new(1.0 / 60.0, 4);
    let plane = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
    let body = lab.add(Shape::Box { half: DVec3::splat(0.05) }, 2.0, Pose::from_position(DVec3::Y * 0.05));
    lab.collide(plane, body);
    lab.run(3.0);
    let carried: f64 = lab.pairs[0].contacts.iter().map(|c| c.normal_impulse).sum();
    let weight = 2.0 * G * lab.dt / 4.0;
    assert!((carried / weight - 1.0).abs() < 0.005, "{carried} instead of {weight}");
}

/// Stacks a heavy box on a light one. The light box sinks in deeper the larger the mass ratio is; more
/// sub-steps reduce this. At 100 to 1 with only eight sub-steps, both sway by some mm/s forever.
#[test]
fn a_light_box_carries_a_heavy_one() {
    for (ratio, substeps, depth) in [(10.0, 4, 5e-3), (100.0, 16, 10e-3)] {
        let mut lab = Lab::new(1.0 / 60.0, substeps);
        let plane = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
        let cube = Shape::Box { half: DVec3::splat(0.1) };
        let light = lab.add(cube, 1.0, Pose::from_position(DVec3::Y * 0.1));
        let heavy = lab.add(cube, ratio, Pose::from_position(DVec3::Y * 0.3));
        lab.collide(plane, light);
        lab.collide(light, heavy);
        lab.run(5.0);
        let heights = [light, heavy].map(|b| lab.bodies.states[b].pose.position.y);
        assert!(0.1 - heights[0] < depth && 0.2 - (heights[1] - heights[0]) < depth, "{ratio}: {heights:?}");
        assert!(lab.state(heavy).linear_velocity.length() < 1e-3, "{ratio}");
    }
}
