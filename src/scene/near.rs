//! Links of a figure that are near each other to begin with.

use super::builder::Builder;
use crate::contact::PairRule;
use crate::pose::Pose;
use crate::query;
use crate::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};

/// Links this near at rest do not collide, share of the figure's size.
const NEAR: f64 = 0.005;
/// Links, the last bodies of the scene from `first` on, that are near each other at rest, or as they start,
/// do not collide. `size` (m) is the figure's. Returns how many pairs those are.
pub(super) fn ignore_near(builder: &mut Builder, first: u32, poses: [&[Pose]; 2], size: f64) -> usize {
    let near = NEAR * size;
    let before = builder.scene.pair_rules.len();
    let bodies = &builder.scene.bodies[first as usize..];
    let meshes: Vec<_> =
        bodies.iter().map(|b| b.mesh.map(|m| builder.scene.meshes[m as usize].clone())).collect();
    let build = |mesh| Tree::build(TreeKind::default(), SplitRule::default(), mesh);
    let trees: Vec<_> = meshes.iter().map(|m| m.as_ref().map(|m| build(m))).collect();
    let mut scratch = DescentScratch::default();
    let mut counts = Counts::default();
    for a in 0..meshes.len() {
        for b in a + 1..meshes.len() {
            let (Some(mesh_a), Some(mesh_b)) = (&meshes[a], &meshes[b]) else { continue };
            let (Some(tree_a), Some(tree_b)) = (&trees[a], &trees[b]) else { continue };
            let touch = poses.iter().any(|poses| {
                let box_a = mesh_a.bounds().transformed(&poses[a]).inflated(near);
                let box_b = mesh_b.bounds().transformed(&poses[b]);
                if !box_a.overlaps(&box_b) {
                    return false;
                }
                // One inside the other touches nothing.
                if box_a.union(&box_b) == box_a || box_a.union(&box_b) == box_b {
                    return true;
                }
                let surfaces = [(tree_a, &**mesh_a), (tree_b, &**mesh_b)];
                let b_to_a = poses[b].relative_to(&poses[a]);
                !query::are_apart(u64::MAX, surfaces, &b_to_a, near, &mut scratch, &mut counts)
            });
            if touch {
                let rule = (first + a as u32, first + b as u32, PairRule::Ignore);
                builder.scene.pair_rules.push(rule);
            }
        }
    }
    builder.scene.pair_rules.len() - before
}
