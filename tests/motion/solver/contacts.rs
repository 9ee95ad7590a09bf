//! Bodies on planes and on each other.

use glam::{DQuat, DVec3};
use tumble::body::BodyState;
use tumble::pose::Pose;
use tumble::solver::SolverSettings;

use super::lab::{Lab, Shape};

const G: f64 = 9.81;

/// A slope through the origin, falling towards `heading` (rad, about the vertical).
fn slope(degrees: f64, heading: f64) -> Pose {
    let tilt = DQuat::from_rotation_z(-degrees.to_radians());
    Pose::new(DQuat::from_rotation_y(heading) * tilt, DVec3::ZERO)
}

/// A flat box with its sides along the axes of a slope turned about the slope's normal by `turn`.
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

/// µ = 0.5 holds up to atan 0.5 = 26.565°.
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

/// v = g·(sin θ − µ·cos θ)·t downhill, whatever the heading of the slope and of the box on it. The push on
/// what sank in at first leaves some mm/s.
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

/// v² / (2·µ·g), plus at most the way of one sub-step.
#[test]
fn a_sliding_box_stops_where_friction_has_eaten_its_energy() {
    let mut lab = Lab::new(1.0 / 240.0, 4);
    let plane = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
    let half = DVec3::new(0.2, 0.05, 0.2);
    let body = lab.add(Shape::Box { half }, 3.0, Pose::from_position(DVec3::Y * half.y));
    lab.collide(plane, body);
    // At rest before it is sent off.
    lab.run(0.5);
    let start = lab.state(body).pose.position;
    lab.state(body).linear_velocity = 5.0 * DVec3::new(0.6, 0.0, 0.8);
    lab.run(2.0);
    let way = lab.state(body).pose.position.distance(start);
    assert!((way / (25.0 / G) - 1.0).abs() < 0.005, "{way} instead of {}", 25.0 / G);
}

/// How fast a ball that rolls down 15° is after a second, and what the theory of rolling without slip gives.
/// A torque of `share` of its size times the normal force resists: a = 5/7·g·(sin θ − 2·share·cos θ); it
/// slips only if µ < 2/7·tan θ.
fn rolled(settings: SolverSettings, dt: f64) -> (BodyState, f64, f64) {
    let mut lab = Lab::with_settings(dt, 4, settings);
    let slope = slope(15.0, 0.7);
    let plane = lab.add(Shape::Plane, 0.0, slope);
    let radius = 0.1;
    let ball =
        lab.add(Shape::Sphere { radius }, 1.0, Pose::from_position(slope.transform_point(DVec3::Y * radius)));
    lab.collide(plane, ball);
    lab.run(1.0);
    let (sine, cosine) = 15.0_f64.to_radians().sin_cos();
    (*lab.state(ball), radius, 5.0 / 7.0 * G * (sine - 2.0 * settings.rolling_share * cosine))
}

#[test]
fn a_ball_without_rolling_resistance_rolls_down_a_slope_without_slipping() {
    let settings = SolverSettings { rolling_share: 0.0, ..Default::default() };
    let (state, radius, expected) = rolled(settings, 1e-3);
    assert!((state.linear_velocity.length() / expected - 1.0).abs() < 1e-3, "{}", state.linear_velocity);
    // The overlap that is left alone shortens the radius it rolls on by 0.2 % of the ball's thickness.
    assert!((state.angular_velocity.length() * radius / expected - 1.0).abs() < 5e-3);
}

#[test]
fn rolling_resistance_is_a_torque_of_a_hundredth_of_the_size_times_the_load() {
    for dt in [1.0 / 60.0, 1e-3] {
        let (state, _, expected) = rolled(SolverSettings::default(), dt);
        let found = state.linear_velocity.length();
        assert!((found / expected - 1.0).abs() < 0.02, "{found} m/s instead of {expected} at {dt}");
    }
}

/// The height of the first bounce from 1 m is e². What is lost is one sub-step of gravity at impact:
/// g·dt / (e·√(2·g)), 2 % at 60 Hz in speed.
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
        // The two points of an impact differ by what the bodies travel in a sub-step.
        assert!(lab.energy() < energy * (1.0 + 1e-9), "{mass}: {} from {energy}", lab.energy());
        if restitution == 1.0 && aside == 0.0 {
            assert!(lab.energy() > 0.5 * energy, "{mass}: {} from {energy}", lab.energy());
        }
    }
}

/// The impulse of a contact is that of its last sub-step: weight · h, shared by the corners.
#[test]
fn a_box_at_rest_is_carried_by_its_weight() {
    let mut lab = Lab::new(1.0 / 60.0, 4);
    let plane = lab.add(Shape::Plane, 0.0, Pose::IDENTITY);
    let body = lab.add(Shape::Box { half: DVec3::splat(0.05) }, 2.0, Pose::from_position(DVec3::Y * 0.05));
    lab.collide(plane, body);
    lab.run(3.0);
    let carried: f64 = lab.pairs[0].contacts.iter().map(|c| c.normal_impulse).sum();
    let weight = 2.0 * G * lab.dt / 4.0;
    assert!((carried / weight - 1.0).abs() < 0.005, "{carried} instead of {weight}");
}

/// What a light box under a heavy one is pressed in grows with the ratio; more sub-steps make up for it.
#[test]
fn a_light_box_carries_a_heavy_one() {
    for (ratio, substeps, depth) in [(10.0, 4, 5e-3), (100.0, 8, 10e-3)] {
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
