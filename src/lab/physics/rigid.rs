//! Parts that fixed joints hold at rest under their own weight.

use glam::DVec3;

use super::stage::{Kind, bar, cube, fixed, join, part};
use super::truth::Truth;
use crate::body::WORLD;
use crate::pose::Pose;
use crate::scene::Scene;

/// Returns the truths of this file.
pub fn all() -> Vec<Truth> {
    vec![screw(), cubes(), rod()]
}

/// Returns the greatest way of the body `last`, which stays at rest.
fn sag(name: &str, scene: Scene, last: u32) -> Truth {
    Truth::zero((0.01, "mm"), name, scene, move |trial| trial.greatest_way(last, 5.0))
}

fn screw() -> Truth {
    let mut scene = Scene::new("screw");
    let screw = part(&mut scene, &bar(0.02, 0.005, 0.005), 0.002, DVec3::X * 0.036);
    let plate = fixed(&mut scene, &bar(0.02, 0.1, 0.1), Pose::from_position(DVec3::X * -0.01));
    join(&mut scene, [plate, screw], DVec3::ZERO, Kind::Fixed);
    sag("screw of 2 g fixed 36 mm from its center: sag", scene, screw)
}

fn cubes() -> Truth {
    let (mut scene, side) = (Scene::new("cubes"), 0.1);
    let mut before = WORLD;
    for k in 0..8 {
        let start = DVec3::X * side * f64::from(k);
        let body = part(&mut scene, &cube(side as f32), 1.0, start + DVec3::X * 0.5 * side);
        join(&mut scene, [before, body], start, Kind::Fixed);
        before = body;
    }
    sag("eight cubes fixed in a row: sag", scene, before)
}

fn rod() -> Truth {
    let mut scene = Scene::new("rod");
    let rod = part(&mut scene, &bar(1.0, 0.05, 0.05), 1.0, DVec3::X * 0.5);
    join(&mut scene, [WORLD, rod], DVec3::ZERO, Kind::Fixed);
    sag("rod of 1 kg fixed at its end: sag", scene, rod)
}
