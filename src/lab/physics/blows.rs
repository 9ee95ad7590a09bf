//! Blows of balls: cuts, oblique bounces, moving obstacles and rows of balls.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DVec3, Vec3};

use super::stage::{part, set_friction, set_restitution, slab, weightless};
use super::truth::{G, Truth};
use crate::body::Motion;
use crate::generate::sphere;
use crate::pose::turn;
use crate::scene::Scene;

const RADIUS: f64 = 0.05;
/// Tolerance of values, as a share.
const OF_VALUE: f64 = 0.02;
/// Tolerance of angles, degrees.
const OF_ANGLE: f64 = 1.0;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let mut all: Vec<Truth> =
        [(30.0, 0.1), (60.0, 0.1), (45.0, 0.05), (60.0, 0.0)].into_iter().map(cut).collect();
    all.extend([0.1, 0.9].map(oblique));
    all.extend([(2.0, 0.5), (20.0, 5.0)].map(bat));
    all.push(platform());
    all.extend([row(&[0.2; 6]), row(&[4.0, 2.0, 1.0, 0.5])]);
    all
}

/// Adds a ball of a mass (kg) in its own orientation, so that balls do not meet at vertices or poles.
/// Returns its index.
fn ball(scene: &mut Scene, mass: f64, at: DVec3) -> u32 {
    let ball = part(scene, &sphere(RADIUS as f32, 64), mass, at);
    let axis = DVec3::new(1.0, 2.0, 3.0).normalize();
    scene.bodies[ball as usize].pose.rotation = turn(axis, 40.0 + 25.0 * f64::from(ball));
    ball
}

/// Returns the angle by which a struck ball leaves the line of centers, without gravity, e = 1: friction
/// acts on it by its share of the push, but by no more than stops the slip.
fn cut((degrees, friction): (f64, f64)) -> Truth {
    let mut scene = weightless();
    let (sine, cosine) = (libm::sin(f64::to_radians(degrees)), libm::cos(f64::to_radians(degrees)));
    ball(&mut scene, 1.0, DVec3::ZERO);
    let way = 0.1;
    let at = DVec3::new(-2.0 * RADIUS * cosine - way, -2.0 * RADIUS * sine, 0.0);
    let cue = ball(&mut scene, 1.0, at);
    scene.bodies[cue as usize].linear_velocity = DVec3::X;
    set_friction(&mut scene, friction);
    set_restitution(&mut scene, 1.0);
    let stopped = sine / (7.0 * cosine);
    let throw = libm::atan(stopped.min(friction)).to_degrees();
    let name = format!("cut of {degrees}°, friction {friction}: throw");
    let truth = Truth::within(0.0, name, (throw, "°"), scene, move |trial| {
        trial.seconds(0.5)?;
        let velocity = trial.body(0).linear_velocity;
        Some(degrees - libm::atan2(velocity.y, velocity.x).to_degrees())
    });
    truth.with_tolerance(OF_ANGLE)
}

/// Returns the speed that a ball loses along a floor, at 3 m/s under 45°, e = .8, without gravity.
fn oblique(friction: f64) -> Truth {
    let mut scene = weightless();
    let speed = 3.0 * FRAC_1_SQRT_2;
    let ball = ball(&mut scene, 1.0, DVec3::new(-0.5, 0.5 + RADIUS, 0.0));
    scene.bodies[ball as usize].linear_velocity = DVec3::new(speed, -speed, 0.0);
    slab(&mut scene, Vec3::new(10.0, 1.0, 10.0), turn(DVec3::Y, 0.0));
    set_friction(&mut scene, friction);
    set_restitution(&mut scene, 0.8);
    let lost = (friction * 1.8 * speed).min(speed * 2.0 / 7.0);
    let name = format!("bounce under 45°, friction {friction}: speed lost along the floor");
    Truth::within(OF_VALUE, name, (lost, "m/s"), scene, move |trial| {
        trial.seconds(0.6)?;
        Some(speed - trial.body(0).linear_velocity.x)
    })
}

/// Returns the speed of a ball after it met a kinematic wall that comes toward it, e = 1.
fn bat((speed, wall): (f64, f64)) -> Truth {
    let mut scene = weightless();
    let ball = ball(&mut scene, 1.0, DVec3::X * -0.3);
    scene.bodies[ball as usize].linear_velocity = DVec3::X * speed;
    let bat = slab(&mut scene, Vec3::new(1.0, 0.1, 1.0), turn(DVec3::Z, 90.0));
    scene.bodies[bat as usize].motion = Motion::Kinematic;
    scene.bodies[bat as usize].pose.position += DVec3::X * 0.3;
    scene.bodies[bat as usize].linear_velocity = DVec3::NEG_X * wall;
    set_friction(&mut scene, 0.0);
    set_restitution(&mut scene, 1.0);
    let name = format!("ball of {speed} m/s meets a wall of {wall} m/s");
    Truth::within(OF_VALUE, name, (speed + 2.0 * wall, "m/s"), scene, move |trial| {
        trial.seconds(1.2 / speed)?;
        Some(-trial.body(0).linear_velocity.x)
    })
}

/// Returns the highest place of a ball that fell on a platform which rises at 1 m/s, e = .7.
fn platform() -> Truth {
    let (rise, drop, restitution) = (1.0, 0.5, 0.7);
    let mut scene = Scene::new("platform");
    ball(&mut scene, 1.0, DVec3::Y * (RADIUS + drop));
    let platform = slab(&mut scene, Vec3::new(1.0, 0.2, 1.0), turn(DVec3::Y, 0.0));
    scene.bodies[platform as usize].motion = Motion::Kinematic;
    scene.bodies[platform as usize].linear_velocity = DVec3::Y * rise;
    set_restitution(&mut scene, restitution);
    let met_at = ((rise * rise + 2.0 * G * drop).sqrt() - rise) / G;
    let leaves = rise + restitution * (rise + G * met_at);
    let top = rise * met_at + leaves * leaves / (2.0 * G);
    let name = "ball on a platform that rises at 1 m/s, e = .7: height";
    Truth::within(OF_VALUE, name, (top, "m"), scene, |trial| {
        trial.falls_through_zero(1.0, |trial| -trial.body(0).linear_velocity.y)?;
        let mut top = 0.0_f64;
        for _ in 0..trial.steps_in(0.4) {
            trial.step()?;
            top = top.max(trial.center(0).y - RADIUS);
        }
        Some(top)
    })
}

/// Returns the speed of the last ball of a row in which the first comes at 1 m/s, e = 1. `masses` in kg.
/// The balls are 50 mm apart.
fn row(masses: &[f64]) -> Truth {
    let mut scene = weightless();
    let pitch = 3.0 * RADIUS;
    for (at, &mass) in masses.iter().enumerate() {
        ball(&mut scene, mass, DVec3::X * (pitch * at as f64));
    }
    scene.bodies[0].linear_velocity = DVec3::X;
    set_friction(&mut scene, 0.0);
    set_restitution(&mut scene, 1.0);
    let gains = masses.windows(2).map(|two| 2.0 * two[0] / (two[0] + two[1]));
    let last = masses.len() as u32 - 1;
    let name = format!("row of {} balls, the last", masses.len());
    Truth::within(OF_VALUE, name, (gains.product(), "m/s"), scene, move |trial| {
        trial.seconds(0.5)?;
        Some(trial.body(last).linear_velocity.x)
    })
}
