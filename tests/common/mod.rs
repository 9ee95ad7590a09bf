//! Scenes put together by hand, for tests that need known shapes at known places.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};
use tumble::body::Motion;
use tumble::config::Config;
use tumble::mesh::Mesh;
use tumble::mesh::generate::{self, Triangles};
use tumble::pose::Pose;
use tumble::scene::looks::Paint;
use tumble::scene::{BodyDef, Scene};

/// An empty scene under gravity.
pub fn scene(name: &str) -> Scene {
    Scene {
        name: name.to_owned(),
        description: String::new(),
        meshes: Vec::new(),
        bodies: Vec::new(),
        paints: vec![Paint::Plain([128; 3])],
        drawn: Vec::new(),
        skeletons: Vec::new(),
        joints: Vec::new(),
        pair_rules: Vec::new(),
        filters: Default::default(),
        gravity: DVec3::new(0.0, -9.81, 0.0),
        steps: 0,
        config: Config { threads: 1, ..Config::default() },
        camera: None,
        notes: Vec::new(),
        files: Vec::new(),
    }
}

/// Adds a surface; returns its index.
pub fn add_mesh(scene: &mut Scene, name: &str, (positions, triangles): &Triangles) -> u32 {
    let mesh = Mesh::new(name, positions, triangles).unwrap();
    scene.meshes.push(Arc::new(mesh));
    scene.meshes.len() as u32 - 1
}

/// Adds a body of 1000 kg/m³ with its mesh origin at `position`; returns its index.
pub fn add_body(scene: &mut Scene, mesh: u32, motion: Motion, position: DVec3) -> usize {
    let volume = scene.meshes[mesh as usize].surface().volume;
    let density = 1000.0;
    scene.bodies.push(BodyDef {
        name: format!("{}.{}", scene.meshes[mesh as usize].name(), scene.bodies.len()),
        mesh: Some(mesh),
        parts: Vec::new(),
        motion,
        pose: Pose::new(DQuat::IDENTITY, position),
        linear_velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        mass: density * volume.volume,
        center: volume.center,
        inertia: volume.inertia * density,
        gravity_factor: 1.0,
        friction: 0.5,
        restitution: 0.0,
        paint: 0,
        trigger: false,
        is_ground: false,
    });
    scene.bodies.len() - 1
}

/// Adds a static slab 1 m thick whose top face is at y = 0.
pub fn add_floor(scene: &mut Scene, side: f32) -> usize {
    let floor = add_mesh(scene, "floor", &generate::cuboid(Vec3::new(side, 1.0, side), f64::from(side)));
    add_body(scene, floor, Motion::Static, DVec3::new(0.0, -0.5, 0.0))
}
