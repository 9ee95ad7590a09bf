//! Balls, cylinders and tubes that roll down slopes and on the level.

use glam::{DVec3, Vec3};

use super::stage::{part, set_friction, slab, tube};
use super::truth::{G, Truth};
use crate::generate::{Triangles, sphere};
use crate::pose::turn;
use crate::scene::Scene;

const RADIUS: f64 = 0.1;
/// Inner radius of a tube, as a share of the outer radius.
const BORE: f64 = 0.9;
/// Tolerance, as a share.
const PERCENT: f64 = 0.01;
/// Sides of a cylinder; they lie up to 0.02 mm inside the round surface.
const SIDES: usize = 180;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let ball = sphere(RADIUS as f32, 64);
    let (cylinder, hoop) = (pipe(0.01), pipe(BORE));
    let mut all: Vec<Truth> =
        [1.0, 2.0, 5.0, 15.0, 30.0].into_iter().map(|slope| down("ball", &ball, 0.4, slope)).collect();
    // The inertia of a tube about its axis is half the sum of its squared radii.
    let [full, hollow] = [0.01, BORE].map(|bore| 0.5 * (1.0 + bore * bore));
    all.extend([2.0, 5.0, 30.0].into_iter().map(|slope| down("cylinder", &cylinder, full, slope)));
    all.extend([2.0, 5.0, 30.0].into_iter().map(|slope| down("tube", &hoop, hollow, slope)));
    all.push(from_sliding(&ball));
    all.push(level("ball", &ball));
    all.push(level("cylinder", &cylinder));
    all
}

/// Returns a tube along z; `bore` is its inner radius as a share of the outer.
fn pipe(bore: f64) -> Triangles {
    tube([bore * RADIUS, RADIUS], 0.1, SIDES)
}

/// Returns the path of a round body with inertia k·m·r² down a slope, ½·g·sin α/(1 + k)·t².
fn down(name: &str, shape: &Triangles, inertia: f64, degrees: f64) -> Truth {
    let mut scene = Scene::new("rolling");
    let tilt = turn(DVec3::Z, -degrees);
    let start = tilt * DVec3::new(-5.0, RADIUS, 0.0);
    part(&mut scene, shape, 1.0, start);
    slab(&mut scene, Vec3::new(14.0, 1.0, 4.0), tilt);
    set_friction(&mut scene, 1.0);
    let time = 1.5;
    let path = 0.5 * G * libm::sin(degrees.to_radians()) / (1.0 + inertia) * time * time;
    let name = format!("{name} rolls down {degrees}°, {time} s");
    Truth::within(PERCENT, name, (path, "m"), scene, move |trial| {
        trial.seconds(time)?;
        Some(trial.center(0).distance(start))
    })
}

/// Returns a round body on the level at 2 m/s along x.
fn on_level(shape: &Triangles, spin: f64) -> Scene {
    let mut scene = Scene::new("level");
    part(&mut scene, shape, 1.0, DVec3::new(-4.0, RADIUS, 0.0));
    scene.bodies[0].linear_velocity = DVec3::X * 2.0;
    scene.bodies[0].angular_velocity = DVec3::NEG_Z * spin;
    slab(&mut scene, Vec3::new(14.0, 1.0, 4.0), turn(DVec3::Y, 0.0));
    set_friction(&mut scene, 0.5);
    scene
}

/// Returns the speed of a ball that slid before it rolled: 5/7 of its first speed.
fn from_sliding(ball: &Triangles) -> Truth {
    let scene = on_level(ball, 0.0);
    Truth::within(PERCENT, "ball slides, then rolls", (2.0 * 5.0 / 7.0, "m/s"), scene, |trial| {
        trial.seconds(1.0)?;
        Some(trial.body(0).linear_velocity.x)
    })
}

/// Returns the speed of a body that rolls on the level for 2 s.
fn level(name: &str, shape: &Triangles) -> Truth {
    let scene = on_level(shape, 2.0 / RADIUS);
    Truth::within(PERCENT, format!("{name} rolls on the level, 2 s"), (2.0, "m/s"), scene, |trial| {
        trial.seconds(2.0)?;
        Some(trial.body(0).linear_velocity.x)
    })
}
