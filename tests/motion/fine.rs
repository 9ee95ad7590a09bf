//! Meshes far finer than what their bodies travel in a pass that is long enough for coarse ones.

use glam::DVec3;
use tumble::body::Motion;
use tumble::generate;
use tumble::world::World;

use crate::common::{add_body, add_floor, add_mesh, scene};

/// Two fine rings, one of which spins, come down on each other. Looked at only by what their thickness allows
/// they overlapped by 2.1 mm.
#[test]
fn fine_rings_that_spin_hardly_overlap() {
    let mut scene = scene("rings");
    add_floor(&mut scene, 2.0);
    let ring = add_mesh(&mut scene, "ring", &generate::torus(0.04, 0.008, 240, 80));
    add_body(&mut scene, ring, Motion::Dynamic, DVec3::new(0.0, 0.009, 0.0));
    let upper = add_body(&mut scene, ring, Motion::Dynamic, DVec3::new(0.02, 0.03, 0.0));
    scene.bodies[upper].angular_velocity = DVec3::new(80.0, 0.0, 60.0);
    let mut world = World::new(&scene).unwrap();
    let (mut deepest, mut most_passes) = (0.0f64, 0);
    for _ in 0..30 {
        world.step();
        deepest = deepest.max(world.measures().penetration);
        most_passes = most_passes.max(world.counts().passes);
    }
    assert!(deepest < 1.2e-3, "{deepest} m");
    assert!(most_passes > 16, "{most_passes} passes");
}
