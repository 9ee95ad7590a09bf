//! Rods on hinges without friction and drives: double pendulums from several starts, and a chain.

use glam::DVec3;

use super::double_pendulum::{Rods, Swing, along};
use super::stage::{Kind, bar, join, part};
use super::truth::{G, Trial, Truth};
use crate::body::{JointAxis, WORLD};
use crate::pose::turn;
use crate::scene::Scene;

/// Angles of the two rods from hanging, from which the double pendulums start, degrees.
const STARTS: [[f64; 2]; 4] = [[30.0, 20.0], [120.0, 90.0], [140.0, 160.0], [170.0, -150.0]];
/// Number of rods of the chain.
const LINKS: u32 = 6;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let mut all: Vec<Truth> =
        STARTS.into_iter().flat_map(|s| [energy(s), out_of_plane(s), path(s)]).collect();
    all.push(chain_energy());
    all
}

/// Adds a rod of 1 kg and 1 m at an angle (degrees) from hanging, on a hinge about z at its upper end.
/// Returns its index and its lower end.
fn rod(scene: &mut Scene, before: u32, from: DVec3, degrees: f64) -> (u32, DVec3) {
    let way = along(degrees.to_radians());
    let rod = part(scene, &bar(1.0, 0.05, 0.05), 1.0, from + 0.5 * way);
    scene.bodies[rod as usize].pose.rotation = turn(DVec3::Z, degrees - 90.0);
    join(scene, [before, rod], from, Kind::Hinge(DVec3::Z, JointAxis::default()));
    (rod, from + way)
}

fn double_pendulum([first, second]: [f64; 2]) -> Scene {
    let mut scene = Scene::new("double pendulum");
    let (upper, elbow) = rod(&mut scene, WORLD, DVec3::ZERO, first);
    rod(&mut scene, upper, elbow, second);
    scene
}

/// Returns the change of energy of a double pendulum after a minute, in percent of what it can store.
fn energy(start: [f64; 2]) -> Truth {
    let name = format!("energy of a double pendulum from {}°/{}°, 60 s", start[0], start[1]);
    Truth::zero((1.0, "%"), name, double_pendulum(start), |trial| energy_change(trial, 60.0, 4.0 * G)).long()
}

/// Returns the change of energy in a duration, in percent of `whole` (J).
fn energy_change(trial: &mut Trial, seconds: f64, whole: f64) -> Option<f64> {
    let start = trial.energy();
    trial.seconds(seconds)?;
    Some(100.0 * (trial.energy() - start) / whole)
}

/// Returns the greatest distance of a double pendulum from its plane.
fn out_of_plane(start: [f64; 2]) -> Truth {
    let name = format!("way of a double pendulum from {}°/{}° out of its plane, 60 s", start[0], start[1]);
    Truth::zero((0.01, "mm"), name, double_pendulum(start), |trial| {
        trial.greatest(60.0, |trial| 1e3 * trial.center(0).z.abs().max(trial.center(1).z.abs()))
    })
    .long()
}

/// Returns the greatest distance of the rods from their integrated paths.
fn path(start: [f64; 2]) -> Truth {
    let scene = double_pendulum(start);
    let rods = Rods { mass: 1.0, length: 1.0, inertia: scene.bodies[0].inertia.z_axis.z };
    let name = format!("double pendulum from {}°/{}° beside its integration, 2 s", start[0], start[1]);
    Truth::zero((1.0, "mm"), name, scene, move |trial| {
        let mut swing = Swing { angles: start.map(f64::to_radians), rates: [0.0; 2] };
        let mut off = 0.0_f64;
        for _ in 0..trial.steps_in(2.0) {
            let before = trial.time();
            trial.step()?;
            swing = rods.after(swing, trial.time() - before);
            for (body, center) in (0..).zip(rods.centers(swing)) {
                off = off.max(trial.center(body).distance(center));
            }
        }
        Some(1e3 * off)
    })
}

/// Returns the change of energy of a level row of rods that is let go, in percent of what it can release.
fn chain_energy() -> Truth {
    let mut scene = Scene::new("rods");
    let (mut before, mut end) = (WORLD, DVec3::ZERO);
    for _ in 0..LINKS {
        (before, end) = rod(&mut scene, before, end, 90.0);
    }
    let released = 0.5 * f64::from(LINKS * LINKS) * G;
    Truth::zero((5.0, "%"), "energy of six rods in a row, let go, 5 s", scene, move |trial| {
        energy_change(trial, 5.0, released)
    })
}
