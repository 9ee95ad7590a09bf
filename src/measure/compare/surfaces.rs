//! Surfaces of a scene, prepared for the measures of a comparison, and the pairs of bodies that no
//! measure tests.

use std::sync::Arc;

use crate::check::{Meeting, Pairing};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::Scene;
use crate::tree::{SplitRule, Tree, TreeKind};
use crate::volume::Aabb;

/// Surfaces of a scene, each with a hierarchy. For an exact skin, the rigid surfaces of its links are
/// used.
pub struct Surfaces {
    pub meshes: Vec<Arc<Mesh>>,
    /// Hierarchy per mesh.
    pub trees: Vec<Tree>,
    /// Mesh of each body; `None` without a surface, and for sensors.
    mesh_of: Vec<Option<u32>>,
    pairing: Pairing,
}

impl Surfaces {
    pub fn new(scene: &Scene) -> Self {
        let tree = |mesh: &Arc<Mesh>| Tree::build(TreeKind::default(), SplitRule::default(), mesh);
        Self {
            meshes: scene.meshes.clone(),
            trees: scene.meshes.iter().map(tree).collect(),
            mesh_of: scene.bodies.iter().map(|b| b.mesh.filter(|_| !b.trigger)).collect(),
            pairing: Pairing::new(scene),
        }
    }

    /// Returns the index of a body's mesh; `None` without a surface, and for a sensor.
    pub fn mesh_of(&self, body: usize) -> Option<usize> {
        self.mesh_of[body].map(|mesh| mesh as usize)
    }

    /// Returns the bounds of a body's surface at a pose, world space. They are empty without a surface,
    /// and for an invalid pose.
    pub fn bounds(&self, body: usize, pose: &Pose) -> Aabb {
        match self.mesh_of(body) {
            Some(mesh) if pose.is_rigid() => self.meshes[mesh].bounds().transformed(pose),
            _ => Aabb::EMPTY,
        }
    }

    /// Returns whether two bodies may overlap: the scene excludes them or parts of them from collision,
    /// they are only tested for intersection, they overlap as modeled, or contacts can move neither.
    pub fn are_excused(&self, a: u32, b: u32) -> bool {
        self.pairing.meeting(a, b) != Meeting::Collide
            || self.pairing.is_immovable(a, b)
            || self.pairing.is_in_parts(a, b)
    }
}
