//! Poses of all links in all frames of a motion, so that all contenders process the same motion.

use std::sync::Arc;

use super::MotionError;
use crate::body::Motion;
use crate::fingerprint;
use crate::generate::Triangles;
use crate::mesh::{Mesh, MeshError};
use crate::pose::Pose;
use crate::scene::{BodyDef, Scene};
use crate::world::World;

/// Density of flesh, kg/m³.
const DENSITY: f64 = 1000.0;

/// Time from one frame to the next, s.
pub const FRAME: f64 = 1.0 / 60.0;

/// Adds a mesh and returns its index.
pub fn add_mesh(scene: &mut Scene, name: &str, triangles: &Triangles) -> Result<u32, MeshError> {
    Ok(scene.add_mesh(Mesh::new(name, &triangles.0, &triangles.1)?))
}

/// Adds a body, with or without a mesh, and returns its index.
pub fn add_body(scene: &mut Scene, mesh: Option<u32>, motion: Motion, pose: Pose) -> u32 {
    let body = match mesh {
        Some(mesh) => BodyDef::dynamic(scene, mesh, DENSITY),
        None => BodyDef::empty(format!("anchor.{}", scene.bodies.len())),
    };
    let mass = if motion == Motion::Dynamic { body.mass } else { f64::INFINITY };
    scene.add_body(BodyDef { motion, pose, mass, friction: 0.3, restitution: 0.2, ..body })
}

/// Bodies and their poses over all frames.
pub struct Links {
    /// Mesh per body; `None` for a body without a surface.
    pub meshes: Vec<Option<Arc<Mesh>>>,
    /// World poses of all bodies, frame after frame.
    pub poses: Vec<Pose>,
}

impl Links {
    /// Steps the world of a scene, and records the poses of `bodies` after each step.
    ///
    /// # Errors
    /// Fails if no world can be created from the scene.
    pub fn recorded(scene: &Scene, bodies: &[u32], frame_count: usize) -> Result<Self, MotionError> {
        let mut world = World::new(scene)?;
        let mut poses = Vec::with_capacity(bodies.len() * frame_count);
        for _ in 0..frame_count {
            world.step();
            let states = &world.bodies().states;
            poses.extend(bodies.iter().map(|&b| states[b as usize].pose));
        }
        Ok(Self { meshes: bodies.iter().map(|&b| mesh_of(scene, b as usize)).collect(), poses })
    }

    /// Returns a hash of the bits of all poses.
    pub fn hash(&self) -> u64 {
        let numbers = self.poses.iter().flat_map(|pose| {
            let (q, p) = (pose.rotation.to_array(), pose.position.to_array());
            q.into_iter().chain(p).map(f64::to_bits)
        });
        numbers.fold(0, fingerprint::after)
    }
}

/// Returns the surface of a body of a scene, if it has one.
pub fn mesh_of(scene: &Scene, body: usize) -> Option<Arc<Mesh>> {
    scene.bodies[body].mesh.map(|m| scene.meshes[m as usize].clone())
}
