//! The surfaces of a scene, ready to be asked by the measures of a comparison, and the pairs of bodies that
//! no measure judges.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::arrays::MapEach;
use crate::body::{Motion, WORLD};
use crate::contact::PairRule;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::scene::{BodyFilters, FigureKind, Scene};
use crate::tree::{SplitRule, Tree, TreeKind};
use crate::volume::Aabb;

/// The surfaces of a scene with a hierarchy each. Exact skins are asked as the rigid surfaces of their links.
pub struct Surfaces {
    pub meshes: Vec<Arc<Mesh>>,
    /// One a mesh.
    pub trees: Vec<Tree>,
    /// The mesh of each body; `None` without a surface, and of volumes that only report.
    mesh_of: Vec<Option<u32>>,
    /// Pairs that may overlap: the scene keeps them apart, it says that they overlap, or a joint holds them.
    /// a < b.
    excused: BTreeSet<(u32, u32)>,
    filters: BodyFilters,
    /// Bodies that no contact can move.
    is_still: Vec<bool>,
    /// The kinematic figure a body is of.
    figure: Vec<Option<u32>>,
}

impl Surfaces {
    pub fn new(scene: &Scene) -> Self {
        let tree = |mesh: &Arc<Mesh>| Tree::build(TreeKind::default(), SplitRule::default(), mesh);
        let mut excused: BTreeSet<(u32, u32)> = BTreeSet::new();
        let held = scene.joints.iter().filter(|j| j.a != WORLD && j.b != WORLD && !j.collide);
        excused.extend(held.map(|j| (j.a.min(j.b), j.a.max(j.b))));
        for &(a, b, rule) in &scene.pair_rules {
            if rule == PairRule::Collide {
                excused.remove(&(a, b));
            } else {
                excused.insert((a, b));
            }
        }
        let mut figure = vec![None; scene.bodies.len()];
        for (index, def) in (0..).zip(&scene.skeletons).filter(|(_, s)| s.kind == FigureKind::Kinematic) {
            figure[def.first_body as usize..(def.first_body + def.link_count) as usize].fill(Some(index));
        }
        Self {
            meshes: scene.meshes.clone(),
            trees: scene.meshes.iter().map(tree).collect(),
            mesh_of: scene.bodies.iter().map(|b| b.mesh.filter(|_| !b.trigger)).collect(),
            excused,
            filters: scene.filters.clone(),
            is_still: scene.bodies.iter().map(|b| b.motion != Motion::Dynamic).collect(),
            figure,
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

    /// Returns whether two bodies, a < b, may be in each other: the scene says so or keeps them, or parts of
    /// them, apart, a joint holds them, they are of one figure, or no contact can move either.
    pub fn are_excused(&self, a: u32, b: u32) -> bool {
        let [i, j] = [a, b].map_each(|body| body as usize);
        let are_related = self.figure[i].is_some() && self.figure[i] == self.figure[j];
        let are_still = self.is_still[i] && self.is_still[j];
        let are_apart = || self.filters.keep_apart(a, b) || self.filters.differ(a, b);
        are_still || are_related || self.excused.contains(&(a, b)) || are_apart()
    }
}
