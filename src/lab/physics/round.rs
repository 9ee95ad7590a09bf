//! Round parts on and in each other: a ring on a nail, balls on a dome, a cone, a brake and a spinning disc.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};

use super::stage::{
    Kind, bar, driven, fixed, join, motor, part, set_friction, set_restitution, slab, tube, weightless,
};
use super::truth::{G, Trial, Truth};
use crate::body::{Drive, JointAxis, WORLD};
use crate::generate::{Triangles, cylinder, sphere};
use crate::pose::{Pose, turn};
use crate::scene::Scene;

/// Tolerance of values, as a share.
const OF_VALUE: f64 = 0.02;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let mut all = vec![ring_on_nail(1.0).long(), ring_on_nail(0.0).long()];
    all.extend([ring_energy().long(), dome(false), dome(true)]);
    all.extend(cone());
    all.extend([brake(5.0), brake(50.0), disc()]);
    all
}

/// Angle from which the ring swings, degrees.
const SWING: f64 = 15.0;

/// Returns a ring with a bore of 90 mm radius that hangs on a nail of 10 mm radius.
fn on_nail(friction: f64) -> Scene {
    let mut scene = Scene::new("ring");
    let nail = cylinder(0.01, 0.1, 0.001);
    let at = turn(DVec3::Z, SWING) * DVec3::NEG_Y * 0.08;
    part(&mut scene, &tube([0.09, 0.1], 0.01, 128), 1.0, at);
    fixed(&mut scene, &nail, Pose::IDENTITY);
    set_friction(&mut scene, friction);
    scene
}

/// Returns the greatest angle of a ring on a nail between 4 and 6 s.
fn ring_on_nail(friction: f64) -> Truth {
    let name = format!("ring on a nail, friction {friction}: swing after 5 s");
    let truth = Truth::within(0.0, name, (SWING, "°"), on_nail(friction), |trial| {
        trial.seconds(4.0)?;
        trial.greatest(2.0, |trial| {
            let at = trial.center(0);
            libm::atan2(at.x, -at.y).abs().to_degrees()
        })
    });
    truth.with_tolerance(1.0)
}

/// Returns the greatest change of the energy of a ring on a nail in 20 s, as a share of that of its swing.
fn ring_energy() -> Truth {
    let swing = G * 0.08 * (1.0 - libm::cos(SWING.to_radians()));
    Truth::zero((1.0, "%"), "ring on a nail: change of energy in 20 s", on_nail(1.0), move |trial| {
        let start = trial.energy();
        trial.greatest(20.0, |trial| 100.0 * (trial.energy() - start).abs() / swing)
    })
}

/// Returns the speed sideways with which a ball leaves a dome of 0.5 m radius, from rest 8° beside the top.
fn dome(rolls: bool) -> Truth {
    let (dome, ball, from) = (0.5, 0.05, 8.0_f64);
    let reach: f64 = dome + ball;
    let mut scene = Scene::new("dome");
    let at = turn(DVec3::Z, -from) * DVec3::Y * reach;
    part(&mut scene, &sphere(ball as f32, 64), 1.0, at);
    fixed(&mut scene, &sphere(dome as f32, 256), Pose::IDENTITY);
    set_friction(&mut scene, if rolls { 5.0 } else { 0.0 });
    let leaves = libm::cos(from.to_radians()) / if rolls { 1.7 } else { 1.5 };
    let expected = (G * reach).sqrt() * leaves.powf(1.5);
    let name = format!("ball {} off a dome: speed sideways", if rolls { "rolls" } else { "slides" });
    Truth::within(OF_VALUE, name, (expected, "m/s"), scene, |trial| {
        trial.falls_through_zero(3.0, |trial| trial.center(0).y)?;
        Some(trial.body(0).linear_velocity.x)
    })
}

/// Returns the period and the amplitude of a cone that rolls on a slope of 10°, from 15° beside its lowest
/// place.
fn cone() -> [Truth; 2] {
    let (from, slope) = (15.0_f64, 10.0_f64);
    let (height, half) = (0.2, 20.0_f64.to_radians());
    let scene = || {
        let mut scene = Scene::new("cone");
        let tilt = turn(DVec3::Z, -slope);
        // The axis of the cone rises by half its angle above the slope.
        let lies = tilt * turn(DVec3::Y, from) * turn(DVec3::Z, half.to_degrees());
        part(&mut scene, &cone_along_x(height, half, 128), 1.0, DVec3::Y * 1e-5);
        scene.bodies[0].pose.rotation = lies;
        slab(&mut scene, Vec3::new(4.0, 1.0, 4.0), tilt);
        set_friction(&mut scene, 1.5);
        scene
    };
    let angle = move |trial: &Trial| {
        let along = turn(DVec3::Z, slope) * trial.body(0).pose.rotation * DVec3::X;
        libm::atan2(-along.z, along.x)
    };
    let cosine = libm::cos(half);
    let stiffness = 5.0 * G * libm::sin(slope.to_radians()) * cosine;
    let rate = (stiffness / (height * (1.0 + 5.0 * cosine * cosine))).sqrt();
    let far = 1.0 + from.to_radians().powi(2) / 16.0;
    let period = 2.0 * PI / rate * far;
    let amplitude =
        Truth::within(0.0, "cone on a slope: swing after 4 s", (from, "°"), scene(), move |trial| {
            trial.seconds(4.0 - period)?;
            trial.greatest(period, |trial| angle(trial).abs().to_degrees())
        });
    [
        Truth::within(OF_VALUE, "cone on a slope: period", (period, "s"), scene(), move |trial| {
            trial.period(2, 4.0, angle)
        }),
        amplitude.with_tolerance(1.0),
    ]
}

/// Returns a cone along x with its tip at the origin.
fn cone_along_x(height: f64, half_angle: f64, sides: usize) -> Triangles {
    let radius = height * libm::tan(half_angle);
    let (tip, middle) = (0, 1);
    let mut points = vec![Vec3::ZERO, Vec3::X * height as f32];
    points.extend((0..sides).map(|k| {
        let angle = 2.0 * PI * k as f64 / sides as f64;
        DVec3::new(height, radius * libm::cos(angle), radius * libm::sin(angle)).as_vec3()
    }));
    let at = |k: usize| 2 + (k % sides) as u32;
    let sides = (0..sides).flat_map(|k| [[tip, at(k + 1), at(k)], [middle, at(k), at(k + 1)]]);
    (points, sides.collect())
}

/// Returns the deceleration of a drum of 10 kg that a shoe brakes with 20 N, friction .4.
fn brake(spin: f64) -> Truth {
    let (radius, mass, force, friction) = (0.1, 10.0, 20.0, 0.4);
    let mut scene = weightless();
    let drum = part(&mut scene, &cylinder(radius, 0.1, 0.005), mass, DVec3::ZERO);
    scene.bodies[drum as usize].angular_velocity = DVec3::Z * spin;
    let at = DVec3::X * (radius + 0.02);
    let shoe = part(&mut scene, &bar(0.04, 0.04, 0.08), 0.5, at + DVec3::X * 1e-4);
    join(&mut scene, [WORLD, drum], DVec3::ZERO, Kind::Hinge(DVec3::Z, JointAxis::default()));
    let press = Drive { max_force: force, ..motor(-1e4, 1e4) };
    join(&mut scene, [WORLD, shoe], at, Kind::Slider(DVec3::X, driven(press)));
    set_friction(&mut scene, friction);
    let expected = friction * force * radius / (0.5 * mass * radius * radius);
    let name = format!("brake at {spin} rad/s: deceleration");
    Truth::within(OF_VALUE, name, (expected, "rad/s²"), scene, move |trial| {
        trial.seconds(0.05)?;
        let (start, time) = (trial.body(drum).angular_velocity.z, 0.2);
        trial.seconds(time)?;
        Some((start - trial.body(drum).angular_velocity.z) / time)
    })
}

/// Returns the angle by which a disc turns on its face until it rests: friction under even pressure.
fn disc() -> Truth {
    let (radius, spin, friction) = (0.1, 20.0, 0.5);
    let mut scene = Scene::new("disc");
    let disc = part(&mut scene, &cylinder(radius, 0.02, 0.01), 1.0, DVec3::Y * 0.01);
    scene.bodies[disc as usize].pose.rotation = turn(DVec3::X, 90.0);
    scene.bodies[disc as usize].angular_velocity = DVec3::Y * spin;
    slab(&mut scene, Vec3::new(2.0, 1.0, 2.0), turn(DVec3::Y, 0.0));
    set_friction(&mut scene, friction);
    set_restitution(&mut scene, 0.0);
    let angle = 3.0 * spin * spin * radius / (8.0 * friction * G);
    Truth::within(0.1, "disc spins on its face to rest: angle", (angle, "rad"), scene, move |trial| {
        trial.turned(disc, DVec3::Y, 0.0, 3.0)
    })
}
