//! How probable it is that two surfaces intersect of which nothing was found yet, and where.

use std::sync::Arc;

use glam::DVec3;

use crate::mesh::Mesh;
use crate::narrow::Region;
use crate::pose::Pose;
use crate::tree::{self, AdbKind, AdbScratch, AdbTree, Limits, SplitRule, Target};
use crate::volume::Aabb;

/// Answers by the surfaces' average-case hierarchies.
pub(super) struct Estimator {
    trees: Vec<AdbTree>,
}

impl Estimator {
    pub fn new(meshes: &[Arc<Mesh>]) -> Self {
        Self {
            trees: meshes.iter().map(|m| AdbTree::build(AdbKind::Aabb, SplitRule::default(), m)).collect(),
        }
    }

    /// The overlap of two surfaces' boxes, nothing else looked at, as the corners of its middle plane: the
    /// bodies rest on it without tipping. Nothing if the boxes are farther apart than `margin` (m).
    pub fn box_regions(bounds: [Aabb; 2], b_to_a: &Pose, margin: f64, by_b: bool, regions: &mut Vec<Region>) {
        regions.clear();
        let [a, b] = bounds;
        let (own, other) =
            if by_b { (b, a.transformed(&b_to_a.inverse())) } else { (a, b.transformed(b_to_a)) };
        let other = other.inflated(margin);
        let low = own.min.max(other.min).as_dvec3();
        let high = own.max.min(other.max).as_dvec3();
        let meets = (high - low).min_element() >= 0.0;
        if !meets {
            return;
        }
        // How far they would have to move apart.
        let apart = (own.max - other.min).min(other.max - own.min);
        let axis = apart.min_position();
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut normal = DVec3::ZERO;
        normal[axis] = if other.center()[axis] < own.center()[axis] { -1.0 } else { 1.0 };
        let middle = 0.5 * (low + high);
        for corner in 0..4 {
            let mut center = middle;
            center[u] = if corner & 1 == 0 { low[u] } else { high[u] };
            center[v] = if corner & 2 == 0 { low[v] } else { high[v] };
            let region = Region { center, normal, nodes: (0, corner) };
            regions.push(if by_b { region.seen_from(b_to_a) } else { region });
        }
    }

    /// The probability that the pair comes within `margin` (m), after `node_tests` at most, with how many it
    /// took; 0 if it does not for sure. Writes where into `regions`, by boxes along the axes of the body that
    /// `by_b` says: those of the larger fit both best.
    pub fn estimate(
        &self,
        meshes: [u32; 2],
        b_to_a: &Pose,
        margin: f64,
        by_b: bool,
        node_tests: u64,
        scratch: &mut AdbScratch,
        regions: &mut Vec<Region>,
    ) -> (f64, u64) {
        regions.clear();
        let [a, b] = meshes.map(|m| &self.trees[m as usize]);
        let limits = Limits { node_tests: node_tests as u32, likely_pairs: 8 };
        let (trees, pose) = if by_b { ([b, a], b_to_a.inverse()) } else { ([a, b], *b_to_a) };
        let answer = tree::estimate(trees, &pose, margin, &Target::default(), &limits, scratch);
        regions.extend(scratch.likely().iter().map(|pair| {
            let (center, normal) = (pair.center.as_dvec3(), pair.normal.as_dvec3());
            let region = Region { center, normal, nodes: (pair.nodes[0], pair.nodes[1]) };
            if by_b { region.seen_from(b_to_a) } else { region }
        }));
        (if answer.is_proof { 0.0 } else { answer.probability.max(0.5) }, u64::from(answer.node_tests))
    }
}
