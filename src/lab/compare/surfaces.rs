//! The surfaces of a scene, ready to be asked by the measures of a comparison, and the pairs of bodies that
//! no measure judges.

use std::sync::Arc;

use crate::check::{Meeting, Pairing};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::Scene;
use crate::tree::{SplitRule, Tree, TreeKind};
use crate::volume::Aabb;

/// The surfaces of a scene with a hierarchy each. Exact skins are asked as the rigid surfaces of their links.
pub struct Surfaces {
    pub meshes: Vec<Arc<Mesh>>,
    /// One a mesh.
    pub trees: Vec<Tree>,
    /// The mesh of each body; `None` without a surface, and of volumes that only report.
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

    /// The index of a body's mesh; `None` without a surface, and of a volume that only reports.
    pub fn mesh_of(&self, body: usize) -> Option<usize> {
        self.mesh_of[body].map(|mesh| mesh as usize)
    }

    /// The box around a body's surface at a pose, world space. It is empty without a surface, and where the
    /// pose is none that a body can have.
    pub fn bounds(&self, body: usize, pose: &Pose) -> Aabb {
        match self.mesh_of(body) {
            Some(mesh) if pose.is_rigid() => self.meshes[mesh].bounds().transformed(pose),
            _ => Aabb::EMPTY,
        }
    }

    /// Returns whether two bodies may be in each other: they, or parts of them, are kept apart, they are only
    /// watched, they overlap as modelled, or no contact can move either.
    pub fn are_excused(&self, a: u32, b: u32) -> bool {
        self.pairing.meeting(a, b) != Meeting::Collide
            || self.pairing.is_immovable(a, b)
            || self.pairing.is_in_parts(a, b)
    }
}
