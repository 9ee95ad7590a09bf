//! Dry friction: blocks on slopes around the friction angle, stopping distances, and a turntable.

use glam::{DVec3, Vec3};

use super::stage::{bar, cube, part, set_friction, slab};
use super::truth::{G, Trial, Truth};
use crate::body::Motion;
use crate::pose::turn;
use crate::scene::Scene;

const FRICTION: f64 = 0.5;
/// Distance that a block may move while it settles on a surface, mm: 1 % of its thickness.
const SETTLING: f64 = 1.0;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let mut all: Vec<Truth> = [26.065, 26.465, 26.665, 27.065, 40.0].into_iter().map(on_slope).collect();
    all.extend([26.665, 27.065, 40.0].map(gain_on_slope));
    all.extend([24.0, 26.065].map(about_to_tip));
    all.extend([0.0, 30.0].map(stop));
    all.push(stop_time());
    all.push(stray());
    all.push(on_turntable());
    all
}

/// Returns a block at rest on a slope; its lower face has sides of `side`, m.
fn block(degrees: f64, side: f32, height: f32, friction: f64) -> Scene {
    let mut scene = Scene::new("slope");
    let tilt = turn(DVec3::Z, -degrees);
    let at = tilt * DVec3::new(-5.0, 0.5 * f64::from(height), 0.0);
    let block = part(&mut scene, &bar(side, height, side), 10.0, at);
    scene.bodies[block as usize].pose.rotation = tilt;
    slab(&mut scene, Vec3::new(14.0, 1.0, 4.0), tilt);
    set_friction(&mut scene, friction);
    scene
}

/// Returns the acceleration of a block on a slope above the friction angle, m/s².
fn acceleration(degrees: f64) -> f64 {
    let (sine, cosine) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
    G * (sine - FRICTION * cosine).max(0.0)
}

/// Returns the distance of a body from its start after 2 s, mm.
fn way(trial: &mut Trial) -> Option<f64> {
    let start = trial.center(0);
    trial.seconds(2.0)?;
    Some(1e3 * trial.center(0).distance(start))
}

/// Returns the path of a block in 2 s from rest.
fn on_slope(degrees: f64) -> Truth {
    let path = 1e3 * 0.5 * acceleration(degrees) * 4.0;
    let name = format!("block on a slope of {degrees}°, 2 s");
    let truth = Truth::within(0.01, name, (path, "mm"), block(degrees, 0.4, 0.1, FRICTION), way);
    let tolerance = truth.tolerance + SETTLING;
    truth.with_tolerance(tolerance)
}

/// Returns the speed that a sliding block gains from the first to the third second, when it has settled.
fn gain_on_slope(degrees: f64) -> Truth {
    let name = format!("block on a slope of {degrees}°: gain of speed in 2 s");
    let gain = 1e3 * acceleration(degrees) * 2.0;
    Truth::within(0.01, name, (gain, "mm/s"), block(degrees, 0.4, 0.1, FRICTION), |trial| {
        trial.seconds(1.0)?;
        let before = trial.body(0).linear_velocity.length();
        trial.seconds(2.0)?;
        Some(1e3 * (trial.body(0).linear_velocity.length() - before))
    })
}

/// Returns the path of a block twice as high as wide, on a slope below 26.565°, on which it would tip.
fn about_to_tip(degrees: f64) -> Truth {
    let name = format!("tall block on a slope of {degrees}°, too flat to tip, 2 s");
    Truth::zero((SETTLING, "mm"), name, block(degrees, 0.1, 0.2, 1.0), way)
}

/// Speed of blocks that slide to a stop, m/s.
const SPEED: f64 = 5.0;

/// Returns a block that slides in the direction `degrees` from its x axis.
fn sliding(degrees: f64) -> Scene {
    let mut scene = Scene::new("stop");
    let block = part(&mut scene, &bar(0.4, 0.1, 0.4), 10.0, DVec3::Y * 0.05);
    scene.bodies[block as usize].linear_velocity = turn(DVec3::Y, degrees) * DVec3::X * SPEED;
    slab(&mut scene, Vec3::new(14.0, 1.0, 14.0), turn(DVec3::Y, 0.0));
    set_friction(&mut scene, FRICTION);
    scene
}

/// Returns the stopping distance v²/(2·µ·g).
fn stop(degrees: f64) -> Truth {
    let name = format!("stopping distance from 5 m/s, heading {degrees}°");
    let path = 0.5 * SPEED * SPEED / (FRICTION * G);
    Truth::within(0.01, name, (path, "m"), sliding(degrees), |trial| {
        trial.seconds(2.0)?;
        Some(trial.center(0).with_y(0.0).length())
    })
}

fn stop_time() -> Truth {
    let time = SPEED / (FRICTION * G);
    Truth::within(0.01, "time to stop from 5 m/s", (time, "s"), sliding(0.0), |trial| {
        // The block counts as stopped at 1 % of its speed; that part of the time is added.
        let rest = 0.01 * SPEED;
        let time = trial.falls_through_zero(3.0, |trial| trial.body(0).linear_velocity.x - rest)?;
        Some(time / 0.99)
    })
}

/// Returns the distance by which a block that heads 30° aside leaves its line, with a tolerance of 1 %
/// of its path.
fn stray() -> Truth {
    let tolerance = (1e3 * 0.01 * 0.5 * SPEED * SPEED / (FRICTION * G), "mm");
    Truth::zero(tolerance, "deviation of that heading 30°", sliding(30.0), |trial| {
        trial.seconds(2.0)?;
        let line = turn(DVec3::Y, 30.0) * DVec3::X;
        Some(1e3 * trial.center(0).with_y(0.0).reject_from(line).length())
    })
}

/// Returns the distance by which a cube leaves its place on a turntable at 95 % of the speed at which
/// it would slide, √(µ·g/r).
fn on_turntable() -> Truth {
    let (radius, mut scene) = (0.5, Scene::new("turntable"));
    let rate = 0.95 * (FRICTION * G / radius).sqrt();
    let cube = part(&mut scene, &cube(0.1), 1.0, DVec3::new(radius, 0.05, 0.0));
    let table = slab(&mut scene, Vec3::new(3.0, 0.2, 3.0), turn(DVec3::Y, 0.0));
    scene.bodies[table as usize].motion = Motion::Kinematic;
    for body in &mut scene.bodies {
        body.angular_velocity = DVec3::Y * rate;
    }
    scene.bodies[cube as usize].linear_velocity = DVec3::NEG_Z * rate * radius;
    set_friction(&mut scene, FRICTION);
    Truth::zero((SETTLING, "mm"), "cube on a turntable, just too slow to slide, 3 s", scene, move |trial| {
        trial.seconds(3.0)?;
        Some(1e3 * (trial.center(0).with_y(0.0).length() - radius))
    })
}
