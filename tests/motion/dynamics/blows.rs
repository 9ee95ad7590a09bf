//! Blows: cuts of balls, rebounds with friction, and obstacles that move.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DVec3, Vec3};
use tumble::generate;

use super::{G, Setup};

const RADIUS: f64 = 0.05;

/// Meets balls without gravity in cuts of many angles, so that they touch at any moment of a pass. Friction
/// throws the struck ball by its share of the push, but by no more than stops the slip. The balls turn about
/// each other on their way to the touch, and until the rebound at the end of a pass; the contact used to have
/// the normal of the start of the pass, and threw a ball without friction by 9.7°.
#[test]
fn cut_balls_leave_along_the_line_of_their_centers_or_are_thrown_by_friction() {
    let ball = generate::sphere(RADIUS as f32, 64);
    for k in 0..32 {
        let (degrees, friction) = (20.0 + 1.29 * f64::from(k), [0.0, 0.05, 0.1, 0.3][k as usize % 4]);
        let (sine, cosine) = f64::to_radians(degrees).sin_cos();
        let keys = format!("mass = 1.0\nfriction = {friction:?}\nrestitution = 1.0");
        let at = DVec3::new(-2.0 * RADIUS * cosine - 0.1, -2.0 * RADIUS * sine, 0.0);
        let mut run = Setup::new("gravity = [0.0, 0.0, 0.0]")
            .place("struck", &ball, DVec3::ZERO, [10.0, 30.0, 50.0], &keys)
            .place("cue", &ball, at, [70.0, 20.0, 40.0], &format!("{keys}\nvelocity = [1.0, 0.0, 0.0]"))
            .open();
        run.seconds(0.5);
        let velocity = run.state("struck").linear_velocity;
        let throw = degrees - velocity.y.atan2(velocity.x).to_degrees();
        let expected = (sine / (7.0 * cosine)).min(friction).atan().to_degrees();
        assert!((throw - expected).abs() < 0.7, "{degrees}°, {friction}: {throw}°, not {expected}°");
        let spin = run.state("struck").angular_velocity.length();
        // 3 % of the speed over the radius: the balls turn about each other within a sub-step.
        assert!(friction > 0.0 || spin < 0.6, "{spin} rad/s");
    }
}

/// Bounces a ball at 3 m/s under 45°, e = 0.8. The rebound used to have no friction, so that the ball lost
/// 0.03 to 0.21 m/s along the floor by the moment of the touch, instead of µ·(1 + e)·v.
#[test]
fn a_rebound_has_friction() {
    let ball = generate::sphere(RADIUS as f32, 64);
    let floor = generate::cuboid(Vec3::new(4.0, 1.0, 4.0), 4.0);
    let speed = 3.0 * FRAC_1_SQRT_2;
    for (friction, expected) in [(0.1, 0.1 * 1.8 * speed), (0.9, speed * 2.0 / 7.0)] {
        for height in [0.05, 0.06, 0.0775, 0.09] {
            let keys = format!("friction = {friction:?}\nrestitution = 0.8");
            let velocity = format!("mass = 1.0\nvelocity = [{speed:?}, {:?}, 0.0]", -speed);
            let mut run = Setup::new("gravity = [0.0, 0.0, 0.0]")
                .place(
                    "ball",
                    &ball,
                    DVec3::Y * (RADIUS + height),
                    [10.0, 30.0, 50.0],
                    &format!("{keys}\n{velocity}"),
                )
                .place("floor", &floor, DVec3::NEG_Y * 0.5, [0.0; 3], &format!("motion = \"static\"\n{keys}"))
                .open();
            run.seconds(0.3);
            let state = run.state("ball");
            let lost = speed - state.linear_velocity.x;
            assert!((lost / expected - 1.0).abs() < 0.02, "{friction}, {height} m: {lost} of {expected} m/s");
            assert!(
                (state.linear_velocity.y / (0.8 * speed) - 1.0).abs() < 0.01,
                "{}",
                state.linear_velocity
            );
        }
    }
}

/// Throws a ball against a kinematic wall that comes toward it, e = 1. A limit on the speeds of squeezed
/// parts used to cut the rebound: the ball never left faster than it had come.
#[test]
fn a_kinematic_bat_gives_a_ball_twice_its_speed() {
    let ball = generate::sphere(RADIUS as f32, 32);
    let wall = generate::cuboid(Vec3::new(0.1, 1.0, 1.0), 1.0);
    for (speed, of_wall) in [(2.0, 0.5), (20.0, 5.0), (0.0, 2.0)] {
        let keys = "friction = 0.0\nrestitution = 1.0";
        let of_ball = format!("{keys}\nmass = 1.0\nvelocity = [{speed:?}, 0.0, 0.0]");
        let mut run = Setup::new("gravity = [0.0, 0.0, 0.0]")
            .place("ball", &ball, DVec3::X * -0.2, [0.0; 3], &of_ball)
            .place(
                "wall",
                &wall,
                DVec3::X * 0.2,
                [0.0; 3],
                &format!("{keys}\nmotion = \"kinematic\"\nvelocity = [{:?}, 0.0, 0.0]", -of_wall),
            )
            .open();
        run.seconds(0.6 / (speed + of_wall));
        let expected = -(speed + 2.0 * of_wall);
        let found = run.state("ball").linear_velocity.x;
        assert!((found / expected - 1.0).abs() < 0.01, "{speed}, {of_wall} m/s: {found} of {expected} m/s");
    }
}

/// Drops a ball on a platform that rises at 1 m/s, e = 0.7. It used to reach 0.665 m instead of 0.789 m.
#[test]
fn a_rising_platform_throws_a_ball_up() {
    let (rise, drop, restitution) = (1.0, 0.5, 0.7);
    let platform = generate::cuboid(Vec3::new(1.0, 0.2, 1.0), 1.0);
    let keys = format!("restitution = {restitution:?}");
    let mut run = Setup::new("")
        .place(
            "ball",
            &generate::sphere(RADIUS as f32, 32),
            DVec3::Y * (RADIUS + drop),
            [0.0; 3],
            &format!("mass = 1.0\n{keys}"),
        )
        .place(
            "platform",
            &platform,
            DVec3::NEG_Y * 0.1,
            [0.0; 3],
            &format!("{keys}\nmotion = \"kinematic\"\nvelocity = [0.0, {rise:?}, 0.0]"),
        )
        .open();
    let met_at = ((rise * rise + 2.0 * G * drop).sqrt() - rise) / G;
    let leaves = rise + restitution * (rise + G * met_at);
    let expected = rise * met_at + leaves * leaves / (2.0 * G);
    let mut top = 0.0_f64;
    for step in 0..42 {
        run.world.step();
        let height = run.state("ball").pose.position.y - RADIUS;
        top = if step > 15 { top.max(height) } else { top };
    }
    assert!((top / expected - 1.0).abs() < 0.02, "{top} of {expected} m");
}

/// Sends a ball against a row of balls, e = 1: the last one leaves with the speed of the first.
#[test]
fn a_row_of_balls_hands_the_speed_on() {
    let ball = generate::sphere(RADIUS as f32, 64);
    let mut setup = Setup::new("gravity = [0.0, 0.0, 0.0]");
    for k in 0..6 {
        let speed = if k == 0 { 1.0 } else { 0.0 };
        let keys = format!("mass = 0.2\nfriction = 0.0\nrestitution = 1.0\nvelocity = [{speed:?}, 0.0, 0.0]");
        let turn = [12.0, 20.0, 32.0].map(|angle| angle * f64::from(k));
        setup = setup.place(&format!("ball{k}"), &ball, DVec3::X * (0.15 * f64::from(k)), turn, &keys);
    }
    let mut run = setup.open();
    run.seconds(0.5);
    let last = run.state("ball5").linear_velocity;
    assert!((last.x - 1.0).abs() < 0.02 && last.reject_from(DVec3::X).length() < 0.05, "{last}");
}
