//! A step allocates nothing after warm-up: counted by the allocator itself, on one thread.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use glam::{DVec3, Vec3};
use tumble::articulation::SkinKind;
use tumble::body::Motion;
use tumble::generate;
use tumble::scene::load_scene;
use tumble::world::World;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Allocations of this thread so far.
fn count() -> u64 {
    COUNT.with(Cell::get)
}

struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: the caller's promises about `layout` are those that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: `pointer` came from `System` with this layout.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_step_allocates_nothing_after_warm_up() {
    let mut scene = common::scene("steady");
    scene.config.sleep = false;
    common::add_floor(&mut scene, 3.0);
    let torus = common::add_mesh(&mut scene, "torus", &generate::torus(0.3, 0.1, 32, 16));
    let cube = common::add_mesh(&mut scene, "box", &generate::cuboid(Vec3::splat(0.2), 0.1));
    for (i, mesh) in [torus, cube, torus, cube].into_iter().enumerate() {
        let height = 0.5 + 0.5 * i as f64;
        let body = common::add_body(&mut scene, mesh, Motion::Dynamic, DVec3::new(0.02, height, 0.01));
        // Spinning, so that the contacts keep changing.
        scene.bodies[body].angular_velocity = DVec3::new(0.0, 1.0, 0.0);
    }
    let mut world = World::new(&scene).unwrap();
    for _ in 0..900 {
        world.step();
    }
    let before = count();
    let mut contact_count = 0;
    for _ in 0..120 {
        world.step();
        contact_count += world.counts().contacts;
    }
    assert!(contact_count > 120, "nothing touches");
    assert_eq!(count() - before, 0, "allocations in 120 steps");
}

/// Figures, joints and hierarchies over links, rigid skins and exact ones.
#[test]
fn articulated_bodies_allocate_nothing_after_warm_up() {
    // With the steps after which for a while nothing touches in a way that is new.
    for (name, skins, warm_up) in [
        ("chain", SkinKind::Rigid, 340),
        ("pick-and-place", SkinKind::Rigid, 300),
        ("walk-through", SkinKind::Rigid, 150),
        ("walk-through", SkinKind::Exact, 150),
    ] {
        let mut scene = load_scene(name, None).unwrap();
        (scene.config.threads, scene.config.skins) = (1, skins);
        // Nothing to walk into: what is new allocates.
        let first = scene.bodies.iter().position(|b| b.motion == Motion::Dynamic).unwrap();
        if name == "walk-through" {
            scene.bodies[first..].iter_mut().for_each(|b| b.pose.position.y += 100.0);
        }
        let mut world = World::new(&scene).unwrap();
        for _ in 0..warm_up {
            world.step();
        }
        let before = count();
        for _ in 0..40 {
            world.step();
        }
        assert_eq!(count() - before, 0, "{name}, {} skins", skins.name());
    }
}
