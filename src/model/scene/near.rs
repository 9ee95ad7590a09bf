//! Links of a figure that are near each other at the start.

use std::sync::Arc;

use super::builder::Builder;
use crate::contact::PairRule;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query;
use crate::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};
use crate::volume::Aabb;

/// Criterion for links that are too near to collide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// Largest distance at which two links count as near, m.
    pub distance: f64,
    /// Whether two links also count as near if the box of one lies inside the box of the other.
    pub enclosed: bool,
}

impl Near {
    /// Returns the criterion for a figure of `size` m. Flesh of neighboring links overlaps at rest, and
    /// the surface of a link fully inside another does not come near it.
    pub fn of_figure(size: f64) -> Self {
        Self { distance: 0.005 * size, enclosed: true }
    }

    /// Returns the criterion for a robot of `size` m. Only links that overlap or touch count.
    pub fn of_robot(size: f64) -> Self {
        Self { distance: 1e-4 * size, enclosed: false }
    }
}

/// Returns the longest side, m, of the box around the scene's bodies with indices from `first` on.
pub(super) fn size_of(builder: &Builder, first: u32) -> f64 {
    let meshes = &builder.scene.meshes;
    let boxes = builder.scene.bodies[first as usize..]
        .iter()
        .filter_map(|b| Some(meshes[b.mesh? as usize].bounds().transformed(&b.pose)));
    f64::from(boxes.fold(Aabb::EMPTY, |all, one| all.union(&one)).size().max_element())
}

/// Adds an ignore rule for each pair of links that are near each other in one of the two lists of
/// `poses`. The links are the scene's bodies from `first` on. Returns the number of pairs.
pub(super) fn ignore_near(builder: &mut Builder, first: u32, poses: [&[Pose]; 2], near: Near) -> usize {
    let Near { distance, enclosed } = near;
    let before = builder.scene.pair_rules.len();
    let bodies = &builder.scene.bodies[first as usize..];
    let meshes: Vec<_> =
        bodies.iter().map(|b| b.mesh.map(|m| builder.scene.meshes[m as usize].clone())).collect();
    let build = |mesh| Tree::build(TreeKind::default(), SplitRule::default(), mesh);
    let trees: Vec<_> = meshes.iter().map(|m| m.as_ref().map(|m| build(m))).collect();
    let boxes = poses.map(|poses| {
        let of = |(mesh, pose): (&Option<Arc<Mesh>>, _)| {
            mesh.as_ref().map_or(Aabb::EMPTY, |mesh| mesh.bounds().transformed(pose))
        };
        meshes.iter().zip(poses).map(of).collect::<Vec<_>>()
    });
    let mut scratch = DescentScratch::default();
    let mut counts = Counts::default();
    for a in 0..meshes.len() {
        for b in a + 1..meshes.len() {
            let (Some(mesh_a), Some(mesh_b)) = (&meshes[a], &meshes[b]) else { continue };
            let (Some(tree_a), Some(tree_b)) = (&trees[a], &trees[b]) else { continue };
            let touch = poses.iter().zip(&boxes).any(|(poses, boxes)| {
                let (box_a, box_b) = (boxes[a].inflated(distance), boxes[b]);
                if !box_a.overlaps(&box_b) {
                    return false;
                }
                // The surface of a link inside the other may be far from the other surface.
                if enclosed && (box_a.union(&box_b) == box_a || box_a.union(&box_b) == box_b) {
                    return true;
                }
                let surfaces = [(tree_a, &**mesh_a), (tree_b, &**mesh_b)];
                let b_to_a = poses[b].relative_to(&poses[a]);
                !query::are_apart(u64::MAX, surfaces, &b_to_a, distance, &mut scratch, &mut counts)
            });
            if touch {
                let rule = (first + a as u32, first + b as u32, PairRule::Ignore);
                builder.scene.pair_rules.push(rule);
            }
        }
    }
    builder.scene.pair_rules.len() - before
}
