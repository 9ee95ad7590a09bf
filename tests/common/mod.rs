//! Scenes built in code, for tests that need known shapes at known positions.

use glam::{DVec3, Vec3};
use tumble::body::Motion;
use tumble::config::Config;
use tumble::generate::{self, Triangles};
use tumble::mesh::Mesh;
use tumble::scene::{BodyDef, Scene};

/// Returns an empty scene under gravity.
pub fn scene(name: &str) -> Scene {
    Scene { config: Config { threads: 1, ..Config::default() }, ..Scene::new(name) }
}

/// Adds a surface; returns its index.
pub fn add_mesh(scene: &mut Scene, name: &str, (positions, triangles): &Triangles) -> u32 {
    scene.add_mesh(Mesh::new(name, positions, triangles).unwrap())
}

/// Adds a body of 1000 kg/m³ with its mesh origin at `position`; returns its index.
pub fn add_body(scene: &mut Scene, mesh: u32, motion: Motion, position: DVec3) -> usize {
    let body = BodyDef { motion, ..BodyDef::dynamic(scene, mesh, 1000.0).at(position) };
    scene.add_body(body) as usize
}

/// Adds a static slab 1 m thick whose top face is at y = 0.
pub fn add_floor(scene: &mut Scene, side: f32) -> usize {
    let floor = add_mesh(scene, "floor", &generate::cuboid(Vec3::new(side, 1.0, side), f64::from(side)));
    add_body(scene, floor, Motion::Static, DVec3::new(0.0, -0.5, 0.0))
}
