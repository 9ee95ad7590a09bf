//! Estimates of the probability that two surfaces intersect, and of the regions in which they do, for
//! surfaces that were not searched.

use std::sync::Arc;

use glam::DVec3;

use crate::arrays::MapEach;
use crate::contact::Region;
use crate::estimate;
use crate::estimate::{AdbKind, AdbScratch, AdbTree, Limits, Target};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::tree::SplitRule;
use crate::volume::Aabb;

/// Least probability of surfaces that are not proven to be apart.
const LEAST_PROBABILITY: f64 = 1e-6;

/// Input of an estimate of the probability that two surfaces intersect.
pub(super) struct Question {
    pub meshes: [u32; 2],
    pub b_to_a: Pose,
    /// Distance within which surfaces count as near, m.
    pub margin: f64,
    /// True if regions are boxes along the axes of b instead of a. The axes of the larger body fit both
    /// bodies best.
    pub by_b: bool,
    /// Center of the smaller body, in the space of the larger body, m.
    pub center: DVec3,
    /// Velocity of the smaller body relative to the larger one, at the origin of the larger body, in
    /// its space, m/s.
    pub velocity: DVec3,
    /// Angular velocity of the smaller body relative to the larger one, in the larger body's space,
    /// rad/s.
    pub spin: DVec3,
    /// Speed below which a body counts as not moving, m/s.
    pub slow: f64,
    /// Largest number of node tests.
    pub node_tests: u32,
}

impl Question {
    /// Returns the direction in which two overlapping boxes must be kept apart, a unit vector from the
    /// larger to the smaller body. `overlap`: extent of the overlap along each axis of the larger body,
    /// m. `at`: position of the overlap. The direction lies on the axis along which the boxes met last.
    /// It points to the side from which the smaller body came, or to the side of its center if it
    /// hardly moves.
    fn way_out(&self, at: DVec3, overlap: DVec3) -> DVec3 {
        let velocity = self.velocity + self.spin.cross(at);
        let since = overlap.max(DVec3::ZERO) / (velocity.abs() + self.slow);
        let axis = since.min_position();
        let is_moving = velocity[axis].abs() > self.slow;
        let behind = if is_moving { -velocity[axis] } else { self.center[axis] - at[axis] };
        let mut way = DVec3::ZERO;
        way[axis] = if behind < 0.0 { -1.0 } else { 1.0 };
        way
    }

    /// Transforms a region from the larger body's space into that of a. The normal of the result points
    /// from a to b.
    fn seen_from_a(&self, region: Region) -> Region {
        if self.by_b { region.seen_from(&self.b_to_a) } else { region }
    }
}

/// Estimator of probabilities that uses ADB-trees of the surfaces.
pub(super) struct PairEstimator {
    trees: Vec<AdbTree>,
}

impl PairEstimator {
    pub fn new(meshes: &[Arc<Mesh>]) -> Self {
        Self {
            trees: meshes.iter().map(|m| AdbTree::build(AdbKind::Aabb, SplitRule::default(), m)).collect(),
        }
    }

    /// Returns whether the estimator has a tree of a mesh. It has none of exact skins, whose shape
    /// changes; they follow the meshes of the scene.
    pub fn knows(&self, mesh: u32) -> bool {
        (mesh as usize) < self.trees.len()
    }

    /// Writes four regions: the corners of the middle plane of the overlap of two surfaces' boxes, so
    /// that bodies rest on this plane without tipping. Writes none if the boxes are farther apart than
    /// the margin.
    pub fn box_regions(bounds: [Aabb; 2], question: &Question, regions: &mut Vec<Region>) {
        regions.clear();
        let [a, b] = bounds;
        let b_to_a = &question.b_to_a;
        let (own, other) =
            if question.by_b { (b, a.transformed(&b_to_a.inverse())) } else { (a, b.transformed(b_to_a)) };
        let other = other.inflated(question.margin);
        let low = own.min.max(other.min).as_dvec3();
        let high = own.max.min(other.max).as_dvec3();
        let meets = (high - low).min_element() >= 0.0;
        if !meets {
            return;
        }
        let apart = (own.max - other.min).min(other.max - own.min).as_dvec3();
        let middle = 0.5 * (low + high);
        let normal = question.way_out(middle, apart);
        let axis = normal.abs().max_position();
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for corner in 0..4 {
            let mut center = middle;
            center[u] = if corner & 1 == 0 { low[u] } else { high[u] };
            center[v] = if corner & 2 == 0 { low[v] } else { high[v] };
            regions.push(question.seen_from_a(Region { center, normal, nodes: (u32::MAX, corner) }));
        }
    }

    /// Returns the probability that two surfaces intersect, and the number of node tests spent. The
    /// probability is 0 only if the surfaces are proven not to come within the margin. Writes the
    /// likely regions into `regions`.
    pub fn estimate(
        &self,
        question: &Question,
        scratch: &mut AdbScratch,
        regions: &mut Vec<Region>,
    ) -> (f64, u64) {
        let &Question { meshes, b_to_a, margin, by_b, node_tests, .. } = question;
        regions.clear();
        let [a, b] = meshes.map_each(|m| &self.trees[m as usize]);
        let limits = Limits { node_tests, likely_pairs: 8 };
        let (trees, pose) = if by_b { ([b, a], b_to_a.inverse()) } else { ([a, b], b_to_a) };
        let answer = estimate::estimate(trees, &pose, margin, &Target::default(), &limits, scratch);
        regions.extend(scratch.likely().iter().map(|pair| {
            let center = pair.center.as_dvec3();
            let normal = question.way_out(center, pair.overlap.as_dvec3());
            question.seen_from_a(Region { center, normal, nodes: (pair.nodes[0], pair.nodes[1]) })
        }));
        let probability = if answer.is_proof { 0.0 } else { answer.probability.max(LEAST_PROBABILITY) };
        (probability, u64::from(answer.node_tests))
    }
}
