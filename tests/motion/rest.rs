//! Bodies that come to rest on each other without sinking in. Heights and depths are measured at mesh
//! vertices, not taken from contacts.

use crate::common::{add_body, add_floor, add_mesh, scene};
use glam::{DQuat, DVec3, Vec3};
use tumble::body::Motion;
use tumble::generate::{self, Gear, Nut};
use tumble::scene::Scene;
use tumble::world::World;

fn run(scene: &Scene, seconds: f64) -> World {
    let mut world = World::new(scene).unwrap();
    for _ in 0..(seconds / scene.config.dt).round() as u32 {
        world.step();
    }
    world
}

/// Returns the height of the body's lowest vertex, m.
fn lowest(world: &World, body: usize) -> f64 {
    let mesh = &world.meshes()[world.bodies().infos[body].mesh.unwrap() as usize];
    let pose = &world.bodies().states[body].pose;
    mesh.vertices().iter().map(|v| pose.transform_point(v.as_dvec3()).y).fold(f64::INFINITY, f64::min)
}

/// Returns the speed of the fastest point of any dynamic body, m/s.
fn fastest(world: &World) -> f64 {
    let bodies = world.bodies();
    let speed = |i: usize| {
        bodies.states[i].linear_velocity.length()
            + bodies.states[i].angular_velocity.length() * bodies.infos[i].radius
    };
    (0..bodies.states.len()).filter(|&i| bodies.states[i].is_dynamic()).map(speed).fold(0.0, f64::max)
}

#[test]
fn a_box_falls_and_lies_still_whatever_its_tessellation() {
    for spacing in [1.0, 0.05] {
        let mut scene = scene("box");
        add_floor(&mut scene, 4.0);
        let cube = add_mesh(&mut scene, "box", &generate::cuboid(Vec3::splat(0.2), spacing));
        let body = add_body(&mut scene, cube, Motion::Dynamic, DVec3::new(0.0, 0.3, 0.0));
        let world = run(&scene, 3.0);
        let state = world.bodies().states[body];
        assert!(lowest(&world, body).abs() < 1e-3, "{spacing}: lowest {}", lowest(&world, body));
        assert!(state.pose.position.x.abs() < 1e-3 && state.pose.position.z.abs() < 1e-3, "{spacing}");
        assert_eq!(world.sleeping_count(), 1, "{spacing}: speed {}", fastest(&world));
    }
}

#[test]
fn a_torus_rests_on_a_torus() {
    let mut scene = scene("tori");
    add_floor(&mut scene, 6.0);
    let torus = add_mesh(&mut scene, "torus", &generate::torus(0.3, 0.1, 48, 24));
    let below = add_body(&mut scene, torus, Motion::Dynamic, DVec3::new(0.0, 0.15, 0.0));
    let above = add_body(&mut scene, torus, Motion::Dynamic, DVec3::new(0.05, 0.45, 0.02));
    // Both are generated in the xy plane. Rotated to lie flat, the upper one slightly tilted.
    scene.bodies[below].pose.rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    scene.bodies[above].pose.rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2 + 0.2);
    let world = run(&scene, 8.0);
    assert!(lowest(&world, below) > -3e-3, "{}", lowest(&world, below));
    assert!(lowest(&world, above) > -3e-3, "{}", lowest(&world, above));
    assert!(fastest(&world) < 1e-2, "{}", fastest(&world));
}

#[test]
fn a_heap_of_small_parts_falls_asleep() {
    let mut scene = scene("heap");
    add_floor(&mut scene, 2.0);
    let gear = add_mesh(&mut scene, "gear", &Gear::SMALL.triangles());
    let nut = add_mesh(&mut scene, "nut", &Nut::M20.triangles());
    for i in 0..6 {
        let mesh = if i % 2 == 0 { gear } else { nut };
        let place = DVec3::new(0.01 * f64::from(i % 3), 0.1 + 0.08 * f64::from(i), 0.0);
        let body = add_body(&mut scene, mesh, Motion::Dynamic, place);
        scene.bodies[body].pose.rotation =
            DQuat::from_euler(glam::EulerRot::XYZ, 0.7 * f64::from(i), 0.3, 0.1);
    }
    let world = run(&scene, 6.0);
    for body in 1..7 {
        assert!(lowest(&world, body) > -1e-3, "{body}: {}", lowest(&world, body));
    }
    assert_eq!(world.sleeping_count(), 6, "speed {}", fastest(&world));
}

#[test]
fn a_box_rides_a_plate_that_tilts() {
    let mut scene = scene("tilt");
    scene.config.sleep = false;
    let plate = add_mesh(&mut scene, "plate", &generate::cuboid(Vec3::new(2.0, 0.2, 2.0), 2.0));
    let plate = add_body(&mut scene, plate, Motion::Kinematic, DVec3::new(0.0, -0.1, 0.0));
    let cube = add_mesh(&mut scene, "box", &generate::cuboid(Vec3::splat(0.2), 1.0));
    let body = add_body(&mut scene, cube, Motion::Dynamic, DVec3::new(0.0, 0.1, 0.0));
    // The plate tilts by 20° in two seconds, which stays below the friction angle of 26.6°.
    let rate = 20.0_f64.to_radians() / 2.0;
    let mut world = World::new(&scene).unwrap();
    let steps = (2.0 / scene.config.dt).round() as u32;
    for _ in 0..steps {
        world.bodies_mut().states[plate].angular_velocity = DVec3::Z * rate;
        world.step();
    }
    let states = &world.bodies().states;
    let tilt = states[plate].pose.rotation * DVec3::Y;
    assert!((libm::acos(tilt.y) - 2.0 * rate).abs() < 1e-6, "the plate tilted");
    let off = world
        .pairs()
        .iter()
        .flat_map(|p| &p.contacts)
        .map(|c| c.normal.distance(tilt * c.normal.dot(tilt).signum()))
        .fold(0.0, f64::max);
    // The contacts are those found at the start of the last step.
    assert!(off < 1.01 * rate * scene.config.dt, "a normal is off the plate's by {off}");
    let place = states[body].pose.relative_to(&states[plate].pose).position;
    assert!(place.distance(DVec3::new(0.0, 0.2, 0.0)) < 5e-3, "the box slid or sank: {place}");
}
