//! The parts of a scene at their places, with a hierarchy over each surface, and the pairs whose boxes come
//! near each other.

use std::sync::Arc;

use crate::broad::{BroadPhase, BroadPhaseKind, Pair};
use crate::mesh::Mesh;
use crate::order::Order;
use crate::parallel::Threads;
use crate::pose::Pose;
use crate::query::Placed;
use crate::scene::{BodyDef, Scene};
use crate::tree::{SplitRule, Tree, TreeKind};
use crate::volume::Aabb;

/// The parts of a scene: the bodies with a surface, without those that only report (triggers) and without the
/// ground that was put under it. A part is named by the index of its body.
pub struct PlacedParts<'a> {
    scene: &'a Scene,
    /// One a mesh; `None` where no part has it.
    trees: Vec<Option<Tree>>,
    /// One a body.
    poses: Vec<Pose>,
    /// Around the surface of each body in the world; empty if it is no part.
    boxes: Vec<Aabb>,
    /// Parts that have no place, because their pose is none.
    lost: Vec<u32>,
}

impl<'a> PlacedParts<'a> {
    /// Places the parts of a scene, at one pose a body.
    pub(crate) fn new(scene: &'a Scene, poses: Vec<Pose>, threads: &Threads) -> Self {
        let is_part = |body: &BodyDef| body.mesh.is_some() && !body.trigger && !body.is_ground;
        let mut lost = Vec::new();
        let mut boxes = Vec::with_capacity(scene.bodies.len());
        for (index, (body, pose)) in scene.bodies.iter().zip(&poses).enumerate() {
            let mesh = body.mesh.filter(|_| is_part(body));
            if mesh.is_some() && !pose.is_rigid() {
                lost.push(index as u32);
            }
            let around = |mesh: u32| scene.meshes[mesh as usize].bounds().transformed(pose);
            boxes.push(mesh.filter(|_| pose.is_rigid()).map_or(Aabb::EMPTY, around));
        }
        let mut is_used = vec![false; scene.meshes.len()];
        for body in scene.bodies.iter().filter(|body| is_part(body)) {
            is_used[body.mesh.unwrap_or(0) as usize] = true;
        }
        let used: Vec<(&Arc<Mesh>, bool)> = scene.meshes.iter().zip(is_used).collect();
        let trees = threads.all().map(&used, |_, (mesh, is_used)| {
            is_used.then(|| Tree::build(TreeKind::default(), SplitRule::default(), mesh))
        });
        Self { scene, trees, poses, boxes, lost }
    }

    pub fn scene(&self) -> &'a Scene {
        self.scene
    }

    /// The parts that have a place, ascending.
    pub fn parts(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.boxes).filter(|(_, around)| !around.is_empty()).map(|(part, _)| part)
    }

    /// The parts that have none: their pose is not finite or not rigid.
    pub fn lost(&self) -> &[u32] {
        &self.lost
    }

    /// A part as queries take it; `None` if it is no part.
    pub fn placed(&self, part: u32) -> Option<Placed<'_>> {
        let mesh = self.scene.bodies[part as usize].mesh? as usize;
        let tree = self.trees[mesh].as_ref()?;
        Some(Placed::new(tree, &self.scene.meshes[mesh], self.poses[part as usize]))
    }

    pub fn pose(&self, part: u32) -> &Pose {
        &self.poses[part as usize]
    }

    /// Around a part, world, m; empty if it has no place.
    pub fn bounds(&self, part: u32) -> &Aabb {
        &self.boxes[part as usize]
    }

    /// Returns the pairs of parts (a < b, ascending) whose boxes come within `reach` (m) of each other.
    pub fn near(&self, reach: f64) -> Vec<[u32; 2]> {
        let grown = |around: &Aabb| if around.is_empty() { *around } else { around.inflated(0.5 * reach) };
        let boxes: Vec<Aabb> = self.boxes.iter().map(grown).collect();
        let mut broad = BroadPhase::new(BroadPhaseKind::default(), 1);
        broad.update(&boxes);
        let mut pairs = Vec::new();
        broad.pairs(&mut pairs);
        pairs.order();
        pairs.into_iter().map(|Pair { a, b }| [a, b]).collect()
    }
}
