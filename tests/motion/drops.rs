//! Dropped bodies land: no slow body passes through a floor unreported, and a body that ends where it
//! cannot be is reported.

use std::fs;
use std::path::Path;

use glam::{DVec3, Vec3};
use tumble::body::Motion;
use tumble::generate::{self, Gear, Nut, Triangles, Washer};
use tumble::random::Random;
use tumble::scene::{Scene, load_scene};
use tumble::world::World;

use crate::common;

/// Returns the height of the lowest point of a body's surface, m.
fn lowest(world: &World, body: usize) -> f64 {
    let bodies = world.bodies();
    let mesh = &world.meshes()[bodies.infos[body].mesh.unwrap() as usize];
    let pose = bodies.states[body].pose;
    mesh.vertices().iter().map(|v| pose.transform_point(v.as_dvec3()).y).fold(f64::INFINITY, f64::min)
}

/// Steps the scene. Returns the lowest height that the dynamic body reached, and its final one, m.
fn drop_one(scene: &Scene, steps: u32) -> [f64; 2] {
    let mut world = World::new(scene).unwrap();
    let body = scene.bodies.iter().position(|b| b.motion == Motion::Dynamic).unwrap();
    let mut deepest = f64::INFINITY;
    for _ in 0..steps {
        world.step();
        deepest = deepest.min(lowest(&world, body));
    }
    [deepest, lowest(&world, body)]
}

/// Drops the shipped parts on the built-in ground, from a scene file.
#[test]
fn a_part_dropped_alone_ends_on_the_ground() {
    let folder = tempfile::tempdir().unwrap();
    let parts = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/parts.glb");
    fs::copy(parts, folder.path().join("parts.glb")).unwrap();
    let file = folder.path().join("drop.toml");
    let mut random = Random::new(1, 0);
    let mut lost = Vec::new();
    for part in ["nut", "washer", "gear_small", "gear_large", "bolt", "bracket", "pipe_elbow", "housing"] {
        for height in [0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0] {
            for turned in [false, true] {
                let turn = if turned { [180.0; 3].map(|most| most * random.signed()) } else { [0.0; 3] };
                let text = format!(
                    "[ground]\n[[model]]\nfile = \"parts.glb\"\nnodes = [\"{part}\"]\nrecenter = true\n\
                     position = [0.0, {height:?}, 0.0]\nrotation = {turn:?}\n"
                );
                fs::write(&file, text).unwrap();
                let scene = load_scene(file.to_str().unwrap(), None).unwrap();
                let [deepest, end] = drop_one(&scene, 120);
                if deepest < -0.004 || end < -0.001 {
                    lost.push((part, height, turned, deepest, end));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{} of 144 sank or fell: {lost:#?}", lost.len());
}

#[test]
fn a_ball_dropped_alone_ends_on_the_ground() {
    let mut lost = Vec::new();
    for (radius, height) in [(0.005, 0.3), (0.025, 1.0), (0.1, 10.0)] {
        for k in 0..20 {
            let mut scene = common::scene("ball");
            common::add_floor(&mut scene, 20.0);
            let ball = common::add_mesh(&mut scene, "ball", &generate::sphere(radius, 16));
            let height = height * (1.0 + 0.01 * f64::from(k)) + f64::from(radius);
            common::add_body(&mut scene, ball, Motion::Dynamic, DVec3::new(0.1, height, 0.2));
            let [deepest, end] = drop_one(&scene, 150);
            if deepest < -0.1 * f64::from(radius) || end < -1e-4 - 0.01 * f64::from(radius) {
                lost.push((radius, height, deepest, end));
            }
        }
    }
    assert!(lost.is_empty(), "{} of 60 sank or fell: {lost:#?}", lost.len());
}

fn washer(thickness: f64) -> Triangles {
    let (inner_radius, outer_radius, chamfer) = (0.0065, 0.012, 0.1 * thickness);
    Washer { inner_radius, outer_radius, thickness, chamfer, spacing: 0.004 }.triangles()
}

/// Drops thin parts on a thick floor. The accepted overlap depends on the floor, not on the parts' own
/// thickness.
#[test]
fn a_thin_part_dropped_alone_ends_on_the_ground() {
    let parts: [(&str, Triangles); 12] = [
        ("sheet", generate::cuboid(Vec3::new(0.1, 0.0005, 0.06), 0.05)),
        ("plate", generate::cuboid(Vec3::new(0.2, 0.003, 0.2), 0.1)),
        ("rod", generate::cylinder(0.002, 0.2, 0.05)),
        ("needle", generate::cylinder(0.0005, 0.06, 0.02)),
        ("strip", generate::cuboid(Vec3::new(0.3, 0.001, 0.01), 0.1)),
        ("thin washer", washer(0.0006)),
        ("washer", washer(0.0012)),
        ("thick washer", washer(0.004)),
        ("disc", generate::cylinder(0.05, 0.002, 0.02)),
        ("ring", generate::torus(0.03, 0.001, 24, 6)),
        ("gear", Gear { width: 0.002, ..Gear::SMALL }.triangles()),
        ("cube", generate::cuboid(Vec3::splat(0.05), 0.05)),
    ];
    let mut random = Random::new(7, 0);
    let mut lost = Vec::new();
    for (name, part) in &parts {
        for height in [0.1, 0.3, 0.8, 1.5, 3.0] {
            let mut scene = common::scene(name);
            common::add_floor(&mut scene, 4.0);
            let mesh = common::add_mesh(&mut scene, name, part);
            let body = common::add_body(&mut scene, mesh, Motion::Dynamic, DVec3::new(0.1, height, 0.2));
            scene.bodies[body].pose.rotation = random.rotation();
            let [deepest, end] = drop_one(&scene, 90);
            if deepest < -0.01 || end < -0.001 {
                lost.push((name, height, deepest, end));
            }
        }
    }
    assert!(lost.is_empty(), "{} of 60 sank or fell: {lost:#?}", lost.len());
}

/// Piles up washers. In one pass, the heap presses its lowest washers into the floor by more than a
/// quarter of their 1.2 mm.
#[test]
fn washers_under_a_heap_are_not_pressed_through_the_floor() {
    let mut scene = common::scene("washers");
    common::add_floor(&mut scene, 2.0);
    let washer = common::add_mesh(&mut scene, "washer", &washer(0.0012));
    let nut = common::add_mesh(&mut scene, "nut", &Nut::M20.triangles());
    let mut random = Random::new(5150, 0);
    for k in 0..44 {
        let [x, y, z] = [k % 3, k / 9, k / 3 % 3].map(f64::from);
        let (mesh, place) = if k < 36 {
            (washer, DVec3::new(0.03 * x, 0.05 + 0.03 * y, 0.03 * z))
        } else {
            (nut, DVec3::new(0.04 * x, 0.12 + 0.05 * y, 0.04 * z))
        };
        let body = common::add_body(&mut scene, mesh, Motion::Dynamic, place);
        scene.bodies[body].pose.rotation = random.rotation();
    }
    let mut world = World::new(&scene).unwrap();
    (0..60).for_each(|_| _ = world.step());
    let ends = (1..scene.bodies.len()).map(|body| (body, lowest(&world, body)));
    let lost: Vec<_> = ends.filter(|(_, end)| *end < -0.005).collect();
    assert!(lost.is_empty(), "{} of 44 were pressed through: {lost:?}", lost.len());
}

/// Drops balls of 24 cm on a plate of 57 mm, which they hit at 5 m/s. Such balls once passed through
/// the plate.
#[test]
fn bouncing_balls_stay_above_a_thin_plate() {
    for restitution in [0.0, 0.5, 1.0] {
        let mut scene = common::scene("plate");
        let plate = generate::cuboid(Vec3::new(4.0, 0.057, 4.0), 4.0);
        let plate = common::add_mesh(&mut scene, "plate", &plate);
        common::add_body(&mut scene, plate, Motion::Static, DVec3::new(0.0, -0.0285, 0.0));
        let ball = common::add_mesh(&mut scene, "ball", &generate::sphere(0.12, 24));
        let ball = common::add_body(&mut scene, ball, Motion::Dynamic, DVec3::new(0.0, 1.4, 0.0));
        scene.bodies[ball].restitution = restitution;
        let [deepest, end] = drop_one(&scene, 300);
        assert!(deepest > -0.01 && end > -0.001, "restitution {restitution}: {deepest} {end}");
    }
}

#[test]
fn bullets_do_not_pass_a_plate() {
    for speed in [10.0, 50.0, 200.0, 500.0] {
        let mut scene = common::scene("bullets");
        scene.gravity = DVec3::ZERO;
        let plate = generate::cuboid(Vec3::new(0.01, 1.0, 1.0), 1.0);
        let plate = common::add_mesh(&mut scene, "plate", &plate);
        common::add_body(&mut scene, plate, Motion::Static, DVec3::ZERO);
        let bullet = common::add_mesh(&mut scene, "bullet", &generate::sphere(0.004, 8));
        for k in 0..16 {
            let [y, z] = [k / 4, k % 4].map(|n| 0.2 * f64::from(n) - 0.31);
            let place = DVec3::new(-1.0 - 0.013 * f64::from(k), y, z);
            let body = common::add_body(&mut scene, bullet, Motion::Dynamic, place);
            scene.bodies[body].linear_velocity = DVec3::X * speed;
        }
        let mut world = World::new(&scene).unwrap();
        (0..30).for_each(|_| _ = world.step());
        let beyond = world.bodies().states[1..].iter().filter(|s| s.pose.position.x > 0.0);
        assert_eq!(beyond.count(), 0, "of 16 at {speed} m/s");
        assert!(world.incidents().passages.is_empty());
    }
}

/// Drops two balls, one above the other. The upper ball still falls when the lower one is stopped.
#[test]
fn a_ball_does_not_sink_into_one_that_falls_below_it() {
    let mut scene = common::scene("two balls");
    common::add_floor(&mut scene, 2.0);
    let ball = common::add_mesh(&mut scene, "ball", &generate::sphere(0.02, 16));
    for height in [0.5, 0.5406] {
        common::add_body(&mut scene, ball, Motion::Dynamic, DVec3::new(0.0, height, 0.0));
    }
    let mut world = World::new(&scene).unwrap();
    for _ in 0..60 {
        world.step();
        assert!(world.measures().penetration < 0.004, "{} m", world.measures().penetration);
    }
    assert!(world.incidents().passages.is_empty());
}

/// Drives a kinematic cube through the ground. The tunneling guard cannot hold a kinematic body back.
#[test]
fn a_body_that_gets_through_the_ground_is_named() {
    let mut scene = common::scene("through");
    common::add_floor(&mut scene, 2.0);
    let cube = common::add_mesh(&mut scene, "cube", &generate::cuboid(Vec3::splat(0.1), 0.1));
    let driven = common::add_body(&mut scene, cube, Motion::Kinematic, DVec3::new(0.0, 0.18, 0.0));
    common::add_body(&mut scene, cube, Motion::Dynamic, DVec3::new(0.5, 0.06, 0.0));
    scene.bodies[driven].linear_velocity = -6.0 * DVec3::Y;
    let mut world = World::new(&scene).unwrap();
    world.step();
    assert!(world.incidents().passages.is_empty() && world.incidents().falls.is_empty());
    (1..30).for_each(|_| _ = world.step());
    let passage = &world.incidents().passages[0];
    assert_eq!((&*passage.body_name, &*passage.through_name), ("cube.1", "floor.0"));
    assert_eq!((passage.first_step, passage.last_step, passage.step_count), (2, 2, 1));
}

#[test]
fn a_body_that_falls_out_of_the_world_is_named() {
    let mut scene = common::scene("fall");
    common::add_floor(&mut scene, 2.0);
    let cube = common::add_mesh(&mut scene, "cube", &generate::cuboid(Vec3::splat(0.1), 0.1));
    common::add_body(&mut scene, cube, Motion::Dynamic, DVec3::new(0.0, 0.2, 0.0));
    common::add_body(&mut scene, cube, Motion::Dynamic, DVec3::new(3.0, 0.2, 0.0));
    let mut world = World::new(&scene).unwrap();
    (0..240).for_each(|_| _ = world.step());
    let [fall] = &world.incidents().falls[..] else { panic!("{:?}", world.incidents()) };
    assert_eq!(fall.name, "cube.2");
    let height = world.bodies().states[2].pose.position.y;
    assert!(height < -4.0 && fall.step < 240, "{height} m, step {}", fall.step);
}

/// Runs the built-in scenes: chains swing below their support, articulated characters fall down steps
/// and stand, and no body is lost.
#[test]
fn built_in_scenes_lose_nothing() {
    for (name, steps) in [("chain", 200), ("walk-through", 160), ("ragdolls", 160), ("parts-tray", 60)] {
        let mut world = World::new(&load_scene(name, None).unwrap()).unwrap();
        (0..steps).for_each(|_| _ = world.step());
        let seen = world.incidents();
        assert!(seen.passages.is_empty() && seen.falls.is_empty(), "{name}: {seen:?}");
    }
}
