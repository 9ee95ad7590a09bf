//! Meshes whose triangles are far smaller than the distance that their bodies travel in a pass that
//! would suffice for coarse meshes.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};
use tumble::body::Motion;
use tumble::generate;
use tumble::scene::Scene;
use tumble::world::World;

use crate::common::{add_body, add_floor, add_mesh, scene};

/// Returns rings of 38,400 triangles that lie flat, 96 mm across and 16 mm thick, at `places` over a
/// floor.
fn rings(places: &[[f64; 3]]) -> Scene {
    let mut scene = scene("rings");
    add_floor(&mut scene, 2.0);
    let ring = add_mesh(&mut scene, "ring", &generate::torus(0.04, 0.008, 240, 80));
    for &place in places {
        let body = add_body(&mut scene, ring, Motion::Dynamic, place.into());
        scene.bodies[body].pose.rotation = DQuat::from_rotation_x(FRAC_PI_2);
    }
    scene
}

const SPIN: DVec3 = DVec3::new(80.0, 0.0, 60.0);

/// Spins two fine rings. When they were searched only as often as their thickness requires, they
/// overlapped by 3.2 mm.
#[test]
fn fine_rings_that_spin_hardly_overlap() {
    let mut scene = rings(&[[0.0, 0.0085, 0.0], [0.05, 0.06, 0.0]]);
    scene.bodies[2].angular_velocity = SPIN;
    let mut world = World::new(&scene).unwrap();
    let (mut deepest, mut most_passes) = (0.0f64, 0);
    for _ in 0..30 {
        world.step();
        deepest = deepest.max(world.measures().penetration);
        most_passes = most_passes.max(world.counts().passes);
    }
    assert!(deepest < 2e-3, "{deepest} m");
    assert!(most_passes > 16, "{most_passes} passes");
}

/// Spins one ring beside two rings that were modeled with overlap. That overlap cannot be distinguished
/// from the overlap of the contacts, so it is searched in every pass. When contacts were recycled, it
/// was lost and the rings were pushed apart.
#[test]
fn fine_rings_that_are_modelled_into_each_other_stay_so_while_another_spins() {
    let mut scene = rings(&[[0.0, 0.0081, 0.0], [0.0, 0.0211, 0.0], [0.3, 0.06, 0.0]]);
    scene.bodies[2].angular_velocity = DVec3::new(0.0, 20.0, 0.0);
    scene.bodies[3].angular_velocity = SPIN;
    let mut world = World::new(&scene).unwrap();
    let (mut rises, mut most_passes) = (0.0f64, 0);
    for _ in 0..12 {
        world.step();
        most_passes = most_passes.max(world.counts().passes);
        for body in [1, 2] {
            rises = rises.max(world.bodies().states[body].linear_velocity.y);
        }
    }
    assert!(rises < 0.01, "{rises} m/s");
    assert!(most_passes > 16, "{most_passes} passes");
}
