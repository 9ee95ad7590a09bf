//! Threads: a stage uses other threads only if it has enough work.

use glam::{DQuat, DVec3};
use tumble::body::Motion;
use tumble::generate;
use tumble::scene::{Scene, load_scene};
use tumble::world::World;

use crate::common;

/// Returns the state hash after `steps` steps on `threads` threads, and the number of stages in which
/// several threads took part.
fn run(scene: &Scene, threads: u32, steps: u32) -> (u64, u64) {
    let mut scene = scene.clone();
    scene.config.threads = threads;
    let mut world = World::new(&scene).unwrap();
    let mut shared = 0;
    for _ in 0..steps {
        world.step();
        shared += world.shared_stages();
    }
    (world.state_hash(), shared)
}

/// Returns a heap of fine tori that fall onto each other. A *test* or *query* stage of a pass takes
/// milliseconds.
fn heap() -> Scene {
    let mut scene = common::scene("tori");
    common::add_floor(&mut scene, 10.0);
    let torus = common::add_mesh(&mut scene, "torus", &generate::torus(0.3, 0.1, 128, 40));
    for i in 0..12 {
        let height = 0.3 + 0.25 * f64::from(i);
        let body = common::add_body(&mut scene, torus, Motion::Dynamic, DVec3::new(0.02, height, 0.01));
        scene.bodies[body].pose.rotation = DQuat::from_rotation_x(0.4 * f64::from(i));
    }
    scene
}

#[test]
fn a_small_scene_calls_no_threads_and_a_large_one_does() {
    let chain = load_scene("chain", None).unwrap();
    let (alone, shared) = run(&chain, 1, 60);
    assert_eq!(shared, 0);
    assert_eq!(run(&chain, 2, 60), (alone, 0), "a step takes a third of a millisecond");

    let heap = heap();
    let (alone, shared) = run(&heap, 1, 20);
    assert_eq!(shared, 0, "there are no others");
    for threads in [2, 3, 8] {
        let (together, shared) = run(&heap, threads, 20);
        assert_eq!(together, alone, "{threads} threads");
        assert!(shared > 20, "{shared} stages of 20 steps on {threads} threads");
    }
}
