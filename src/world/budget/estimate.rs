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

    /// Where two surfaces' boxes overlap, nothing else looked at: `None` if they are farther apart than
    /// `margin` (m).
    pub fn box_region(bounds: [Aabb; 2], b_to_a: &Pose, margin: f64, by_b: bool) -> Option<Region> {
        let [a, b] = bounds;
        let (own, other) =
            if by_b { (b, a.transformed(&b_to_a.inverse())) } else { (a, b.transformed(b_to_a)) };
        let other = other.inflated(margin);
        let low = own.min.max(other.min).as_dvec3();
        let high = own.max.min(other.max).as_dvec3();
        let overlap = high - low;
        if !(overlap.min_element() >= 0.0) {
            return None;
        }
        let axis = overlap.min_position();
        let mut normal = DVec3::ZERO;
        normal[axis] = if other.center()[axis] < own.center()[axis] { -1.0 } else { 1.0 };
        let center = 0.5 * (low + high);
        Some(match by_b {
            false => Region { center, normal, nodes: (0, 0) },
            true => Region {
                center: b_to_a.transform_point(center),
                normal: -b_to_a.transform_vector(normal),
                nodes: (0, 0),
            },
        })
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
            let [first, second] = pair.nodes;
            match by_b {
                false => Region { center, normal, nodes: (first, second) },
                true => Region {
                    center: b_to_a.transform_point(center),
                    normal: -b_to_a.transform_vector(normal),
                    nodes: (second, first),
                },
            }
        }));
        (if answer.is_proof { 0.0 } else { answer.probability.max(0.5) }, u64::from(answer.node_tests))
    }
}
