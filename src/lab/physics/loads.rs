//! Light parts that carry heavy ones: hanging loads, brackets, chains, stacks and a tower. A part may
//! move by 1 % of its length under a load, because the closed forms are those of rigid bodies.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};

use super::stage::{Kind, bar, cube, driven, fixed, join, motor, part, slab};
use super::truth::{G, Truth};
use crate::body::{Drive, WORLD};
use crate::pose::{Pose, turn};
use crate::scene::Scene;

/// Length of a link, m.
const LINK: f64 = 0.3;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    let mut all: Vec<Truth> = [1.0, 100.0, 1000.0].into_iter().map(hanging).collect();
    all.extend([10.0, 100.0, 1000.0].map(cantilever));
    all.push(chain_sag());
    all.push(chain_period().long());
    all.extend([10.0, 100.0, 1000.0].map(heavy_on_light));
    all.extend(tower());
    all.push(shelf());
    all.extend([1.0, 10.0].map(finger));
    all
}

/// Returns links of 1 kg in a row from the origin, with a cube of `mass` (kg) joined by its center at
/// the end; the cube is the last body. Fixed joints keep the row straight, ball joints let it hang.
fn row(count: u32, direction: DVec3, mass: f64, is_rigid: bool) -> Scene {
    let mut scene = Scene::new("row");
    let link = if direction.x == 0.0 { bar(0.04, 0.28, 0.04) } else { bar(0.28, 0.04, 0.04) };
    let kind = || if is_rigid { Kind::Fixed } else { Kind::Ball };
    let mut before = WORLD;
    for k in 0..count {
        let start = direction * LINK * f64::from(k);
        let body = part(&mut scene, &link, 1.0, start + direction * 0.5 * LINK);
        join(&mut scene, [before, body], start, kind());
        before = body;
    }
    let end = direction * LINK * f64::from(count);
    let load = part(&mut scene, &cube(0.2), mass, end);
    join(&mut scene, [before, load], end, kind());
    scene
}

fn hanging(mass: f64) -> Truth {
    let name = format!("{mass} kg hang on a bar of 1 kg: sag");
    Truth::zero((10.0 * LINK, "mm"), name, row(1, DVec3::NEG_Y, mass, false), |trial| {
        trial.greatest_way(1, 3.0)
    })
}

fn cantilever(mass: f64) -> Truth {
    let name = format!("{mass} kg on a bracket of 1 kg: sag");
    Truth::zero((10.0 * LINK, "mm"), name, row(1, DVec3::X, mass, true), |trial| trial.greatest_way(1, 3.0))
}

fn chain_sag() -> Truth {
    let scene = row(10, DVec3::NEG_Y, 1000.0, false);
    Truth::zero((100.0 * LINK, "mm"), "1000 kg hang on ten links of 1 kg: sag", scene, |trial| {
        trial.greatest_way(10, 3.0)
    })
}

/// Returns the period of a ton on ten light links, 2π·√(l/g)·(1 + θ²/16). The links have 1 % of the
/// mass, which shortens the period by less than that.
fn chain_period() -> Truth {
    let (mut scene, length, speed) = (row(10, DVec3::NEG_Y, 1000.0, false), 10.0 * LINK, 0.5);
    scene.bodies[10].linear_velocity = DVec3::X * speed;
    let angle = speed / (G * length).sqrt();
    let expected = TAU * (length / G).sqrt() * (1.0 + angle * angle / 16.0);
    Truth::within(0.01, "period of 1000 kg on ten links of 1 kg", (expected, "s"), scene, |trial| {
        trial.period(3, 5.0, |trial| trial.center(10).x)
    })
}

/// Returns the ground of the stacks.
fn ground(scene: &mut Scene) {
    slab(scene, Vec3::new(6.0, 1.0, 6.0), turn(DVec3::Y, 0.0));
}

/// Returns the greatest way of a cube of a meter that lies on a lighter one.
fn heavy_on_light(ratio: f64) -> Truth {
    let mut scene = Scene::new("stack");
    part(&mut scene, &cube(1.0), 100.0, DVec3::Y * 0.5);
    part(&mut scene, &cube(1.0), 100.0 * ratio, DVec3::Y * 1.5);
    ground(&mut scene);
    let name = format!("cube on one {ratio} times lighter: way");
    Truth::zero((10.0, "mm"), name, scene, |trial| trial.greatest_way(1, 5.0))
}

/// Returns a tower of ten cubes of half a meter.
fn tower() -> [Truth; 2] {
    let scene = || {
        let mut scene = Scene::new("tower");
        for k in 0..10 {
            part(&mut scene, &cube(0.5), 100.0, DVec3::Y * (0.25 + 0.5 * f64::from(k)));
        }
        ground(&mut scene);
        scene
    };
    [
        Truth::within(0.01, "tower of ten cubes: height of the top one", (4.75, "m"), scene(), |trial| {
            trial.seconds(5.0)?;
            Some(trial.center(9).y)
        }),
        Truth::zero((5.0, "mm"), "tower of ten cubes: top aside", scene(), |trial| {
            trial.seconds(5.0)?;
            Some(1e3 * trial.center(9).with_y(0.0).length())
        }),
    ]
}

/// Returns the greatest way of a shelf of 1 kg under a ton, on a bracket of 1 kg.
fn shelf() -> Truth {
    let mut scene = Scene::new("shelf");
    let board = bar(0.3, 0.04, 0.3);
    let bracket = part(&mut scene, &board, 1.0, DVec3::X * 0.15);
    let shelf = part(&mut scene, &board, 1.0, DVec3::X * 0.47);
    part(&mut scene, &cube(0.2), 1000.0, DVec3::new(0.47, 0.1201, 0.0));
    join(&mut scene, [WORLD, bracket], DVec3::ZERO, Kind::Fixed);
    join(&mut scene, [bracket, shelf], DVec3::X * 0.31, Kind::Fixed);
    Truth::zero((3.0, "mm"), "1000 kg lie on a shelf of 1 kg: way of the shelf", scene, move |trial| {
        trial.greatest_way(shelf, 3.0)
    })
}

/// Returns the depth to which a finger of 50 g sinks into a table that its hinge presses it on, with a
/// torque in N·m.
fn finger(torque: f64) -> Truth {
    let (mut scene, thickness) = (Scene::new("finger"), 0.02);
    let finger = part(&mut scene, &bar(LINK as f32, thickness, thickness), 0.05, DVec3::X * 0.5 * LINK);
    let drive = Drive { max_force: torque, ..motor(-1.0, 1e4) };
    join(&mut scene, [WORLD, finger], DVec3::ZERO, Kind::Hinge(DVec3::Z, driven(drive)));
    let top = -0.5 * f64::from(thickness) - 1e-3;
    fixed(&mut scene, &bar(0.4, 0.2, 0.4), Pose::from_position(DVec3::new(LINK, top - 0.1, 0.0)));
    let name = format!("finger of 50 g presses a table with {torque} N·m: depth");
    Truth::zero((10.0 * LINK, "mm"), name, scene, move |trial| {
        trial.seconds(2.0)?;
        let corner = DVec3::new(0.5 * LINK, -0.5 * f64::from(thickness), 0.0);
        Some(1e3 * (top - trial.body(finger).pose.transform_point(corner).y).max(0.0))
    })
}
