//! Bodies dropped on a slab: the height of the first bounce, and energy over many.

use glam::{DVec3, Vec3};

use super::stage::{cube, part, set_restitution, slab};
use super::truth::{Trial, Truth};
use crate::generate::{Triangles, sphere};
use crate::pose::turn;
use crate::scene::Scene;

/// Height of the drop, m.
const DROP: f64 = 0.5;
/// Distance from the center to the slab at the touch, m.
const RADIUS: f64 = 0.1;
/// Tolerance of the height of a bounce, as a share of drop height and restitution. The speed at the
/// impact, 3.1 m/s, is known to a sub-step of gravity, 0.04 m/s, above or below: 1.3 % of the speed,
/// 2.6 % of the height. The height is seen at whole steps.
const OF_BOUNCE: f64 = 0.03;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let (ball, cube) = (sphere(RADIUS as f32, 32), cube(2.0 * RADIUS as f32));
    let mut all: Vec<Truth> =
        [0.3, 0.5, 0.7, 0.9, 1.0].into_iter().map(|e| bounce("ball", &ball, e)).collect();
    all.extend([0.5, 0.9].into_iter().map(|e| bounce("cube on its face", &cube, e)));
    all.push(kept_energy(&ball));
    all.push(no_bounce(&cube));
    all
}

fn dropped(shape: &Triangles, restitution: f64) -> Scene {
    let mut scene = Scene::new("bounce");
    part(&mut scene, shape, 1.0, DVec3::Y * (RADIUS + DROP));
    slab(&mut scene, Vec3::new(4.0, 1.0, 4.0), turn(DVec3::Y, 0.0));
    set_restitution(&mut scene, restitution);
    scene
}

fn height(trial: &Trial) -> f64 {
    trial.center(0).y - RADIUS
}

fn bounce(name: &str, shape: &Triangles, restitution: f64) -> Truth {
    let expected = restitution * restitution * DROP;
    let name = format!("bounce of a {name}, e = {restitution}");
    let truth = Truth::within(0.0, name, (expected, "m"), dropped(shape, restitution), |trial| {
        // It falls for 0.32 s, and rises for as long at most.
        trial.falls_through_zero(1.0, |trial| -trial.body(0).linear_velocity.y)?;
        let mut top = height(trial);
        for _ in 0..trial.steps_in(0.5) {
            trial.step()?;
            top = top.max(height(trial));
        }
        Some(top)
    });
    truth.with_tolerance(OF_BOUNCE * restitution * DROP)
}

fn kept_energy(ball: &Triangles) -> Truth {
    let scene = dropped(ball, 1.0);
    let name = "energy of a ball after 10 s of bounces, e = 1";
    let truth = Truth::within(OF_BOUNCE, name, (100.0, "%"), scene, |trial| {
        let above = |trial: &Trial| trial.energy() - RADIUS * super::truth::G;
        let start = above(trial);
        trial.seconds(10.0)?;
        Some(100.0 * above(trial) / start)
    });
    truth.long()
}

/// Returns the height of a cube at rest after a fall. Its tolerance is 1 % of its side.
fn no_bounce(cube: &Triangles) -> Truth {
    let tolerance = (1e3 * 0.01 * 2.0 * RADIUS, "mm");
    Truth::zero(tolerance, "cube at rest after a fall: height above the slab", dropped(cube, 0.0), |trial| {
        trial.seconds(3.0)?;
        Some(1e3 * height(trial))
    })
}
