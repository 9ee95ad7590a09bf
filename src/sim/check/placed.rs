//! Parts of a scene at their poses, with a hierarchy over each surface, and the pairs whose boxes are
//! near each other.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::shells::{Shell, shells};
use crate::arrays::MapEach;
use crate::broad::{BroadPhase, BroadPhaseKind, Pair};
use crate::digits::grouped;
use crate::mesh::Mesh;
use crate::parallel::Threads;
use crate::pose::Pose;
use crate::query::Placed;
use crate::scene::{BodyDef, Scene};
use crate::tree::{SplitRule, Tree, TreeKind};
use crate::volume::Aabb;

/// Parts of a scene: the bodies with a surface, except triggers, which only report, and the ground
/// added under the scene. A part has the index of its body.
pub struct PlacedParts<'a> {
    scene: &'a Scene,
    /// Hierarchy per mesh; `None` if no part uses the mesh.
    trees: Vec<Option<Tree>>,
    /// Components of each mesh, computed once they are needed.
    shells: Vec<OnceLock<Vec<Shell>>>,
    /// Pose per body.
    poses: Vec<Pose>,
    /// Box around the surface of each body in the world, m; empty if the body is not a part or its pose
    /// is not valid.
    boxes: Vec<Aabb>,
    /// Parts without a valid pose.
    lost: Vec<u32>,
    threads: Threads,
}

impl<'a> PlacedParts<'a> {
    /// Places the parts of a scene at `poses` (per body, body space to world), and builds a hierarchy
    /// over each surface, on `thread_count` threads.
    ///
    /// # Errors
    /// Returns an error if the system has no more threads.
    pub fn new(scene: &'a Scene, poses: Vec<Pose>, thread_count: usize) -> io::Result<Self> {
        let threads = Threads::new(thread_count).map_err(io::Error::other)?;
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
        let shells = scene.meshes.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { scene, trees, shells, poses, boxes, lost, threads })
    }

    pub(super) fn threads(&self) -> &Threads {
        &self.threads
    }

    pub fn scene(&self) -> &'a Scene {
        self.scene
    }

    /// Returns the parts with a valid pose, ascending.
    pub fn parts(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.boxes).filter(|(_, around)| !around.is_empty()).map(|(part, _)| part)
    }

    /// Returns the parts without a valid pose: it is not finite or not rigid.
    pub fn lost(&self) -> &[u32] {
        &self.lost
    }

    /// Returns the surface of a part for queries; `None` if the body has no mesh, or if no part uses
    /// its mesh.
    pub fn placed(&self, part: u32) -> Option<Placed<'_>> {
        let mesh = self.scene.bodies[part as usize].mesh? as usize;
        let tree = self.trees[mesh].as_ref()?;
        Some(Placed::new(tree, &self.scene.meshes[mesh], self.poses[part as usize]))
    }

    /// Returns the components of a part's surface; none if the body is not a part.
    pub(super) fn shells(&self, part: u32) -> &[Shell] {
        let Some(mesh) = self.scene.bodies[part as usize].mesh else { return &[] };
        let Some(tree) = &self.trees[mesh as usize] else { return &[] };
        self.shells[mesh as usize].get_or_init(|| shells(tree, &self.scene.meshes[mesh as usize]))
    }

    pub fn pose(&self, part: u32) -> &Pose {
        &self.poses[part as usize]
    }

    /// Returns the box around a part in the world, m; empty if its pose is not valid or the body is not
    /// a part.
    pub fn bounds(&self, part: u32) -> &Aabb {
        &self.boxes[part as usize]
    }

    /// Returns the pairs of parts (a < b, ascending) whose boxes come within `reach` (m) of each other
    /// on every axis.
    ///
    /// # Errors
    /// Returns an error if more pairs than a check supports overlap once the boxes are enlarged by half
    /// of `reach`.
    pub fn near(&self, reach: f64) -> Result<Vec<[u32; 2]>, TooManyPairs> {
        let grown = |around: &Aabb| if around.is_empty() { *around } else { around.inflated(0.5 * reach) };
        let boxes: Vec<Aabb> = self.boxes.iter().map(grown).collect();
        if !are_few(&boxes, &self.threads) {
            return Err(TooManyPairs);
        }
        let mut broad = BroadPhase::new(BroadPhaseKind::default(), 1);
        broad.update(&boxes);
        let mut pairs = Vec::new();
        broad.pairs(&mut pairs);
        Ok(pairs.into_iter().map(|Pair { a, b }| [a, b]).collect())
    }
}

/// Error: more parts are near each other than can be examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "more than {} pairs of parts are near each other: parts may be misplaced, or the clearance is too large",
    grouped(MOST_PAIRS)
)]
pub struct TooManyPairs;

/// Largest number of near pairs. It limits the memory of a check beside its surfaces: about 60 bytes per
/// near pair, and about 700 per finding with its figures in a document, 3 GB if every pair has one.
const MOST_PAIRS: u64 = 1 << 22;

/// Number of boxes that a thread sweeps at a time.
const PIECE: usize = 256;

/// Returns whether at most [`MOST_PAIRS`] pairs of boxes overlap. The sweep along the longest axis
/// stops at the limit, whereas a broad phase would first list every pair.
fn are_few(boxes: &[Aabb], threads: &Threads) -> bool {
    let mut sorted: Vec<&Aabb> = boxes.iter().filter(|around| !around.is_empty()).collect();
    let count = sorted.len() as u64;
    if count * count.saturating_sub(1) / 2 <= MOST_PAIRS {
        return true;
    }
    let all = sorted.iter().fold(Aabb::EMPTY, |all, around| all.union(around));
    let axis = all.size().max_position();
    sorted.sort_by(|x, y| x.min[axis].total_cmp(&y.min[axis]));
    let lows = |axis: usize| sorted.iter().map(|around| around.min[axis]).collect::<Vec<f32>>();
    let starts = lows(axis);
    // Bounds along the other two axes, as lists of their own: the loop over them takes several boxes at
    // a time.
    let others = [1, 2].map_each(|k| (axis + k) % 3);
    let [low_y, low_z] = [lows(others[0]), lows(others[1])];
    let highs = |axis: usize| sorted.iter().map(|around| around.max[axis]).collect::<Vec<f32>>();
    let [high_y, high_z] = [highs(others[0]), highs(others[1])];
    let overlaps = |at: usize| {
        let end = starts.partition_point(|start| *start <= sorted[at].max[axis]);
        let (low, high) = ([low_y[at], low_z[at]], [high_y[at], high_z[at]]);
        let lows = low_y[at + 1..end].iter().zip(&low_z[at + 1..end]);
        let highs = high_y[at + 1..end].iter().zip(&high_z[at + 1..end]);
        let both = lows.zip(highs).map(|((low_y, low_z), (high_y, high_z))| {
            let overlaps_y = (*low_y <= high[0]) & (low[0] <= *high_y);
            u32::from(overlaps_y & (*low_z <= high[1]) & (low[1] <= *high_z))
        });
        u64::from(both.sum::<u32>())
    };
    let pieces: Vec<usize> = (0..sorted.len()).step_by(PIECE).collect();
    let found = AtomicU64::new(0);
    threads.all().map(&pieces, |_, &first| {
        for at in first..sorted.len().min(first + PIECE) {
            if found.load(Ordering::Relaxed) > MOST_PAIRS {
                return;
            }
            found.fetch_add(overlaps(at), Ordering::Relaxed);
        }
    });
    found.into_inner() <= MOST_PAIRS
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::generate;
    use crate::scene::BodyDef;

    /// Builds a scene of `count` fixed cubes of 1 m, each moved by `step` (m) from the one before.
    fn row(count: u32, step: DVec3) -> Scene {
        let mut scene = Scene::new("row");
        let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let cube = scene.add_mesh(Mesh::new("cube", &positions, &triangles).unwrap());
        for index in 0..count {
            let body = BodyDef::fixed(&scene, cube).at(f64::from(index) * step);
            scene.add_body(body);
        }
        scene
    }

    fn near(scene: &Scene, reach: f64) -> Result<Vec<[u32; 2]>, TooManyPairs> {
        let poses = scene.bodies.iter().map(|body| body.pose).collect();
        PlacedParts::new(scene, poses, 1).unwrap().near(reach)
    }

    #[test]
    fn parts_are_near_within_the_reach_alone() {
        let scene = row(4, DVec3::X * 1.25);
        assert_eq!(near(&scene, 0.2), Ok(vec![]));
        assert_eq!(near(&scene, 0.26), Ok(vec![[0, 1], [1, 2], [2, 3]]));
    }

    #[test]
    fn parts_that_are_all_in_one_place_are_refused_before_their_pairs_are_listed() {
        let (heap, line) = (row(4000, DVec3::X * 1e-6), row(4000, DVec3::X));
        assert_eq!(near(&heap, 0.0), Err(TooManyPairs));
        assert_eq!(near(&line, 0.0).map(|pairs| pairs.len()), Ok(3999));
        let said = "more than 4,194,304 pairs of parts are near each other";
        assert!(TooManyPairs.to_string().starts_with(said), "{TooManyPairs}");
    }

    #[test]
    fn triggers_grounds_and_poses_that_are_none_are_no_parts() {
        let mut scene = row(4, DVec3::X * 0.5);
        scene.bodies[0].trigger = true;
        scene.bodies[1].is_ground = true;
        scene.bodies[2].pose.position.x = f64::NAN;
        let poses = scene.bodies.iter().map(|body| body.pose).collect();
        let parts = PlacedParts::new(&scene, poses, 1).unwrap();
        assert_eq!((parts.parts().collect::<Vec<_>>(), parts.lost()), (vec![3], &[2][..]));
    }
}
