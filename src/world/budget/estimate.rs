//! How probable it is that two surfaces intersect of which nothing was found yet, and where.

use std::sync::Arc;

use crate::mesh::Mesh;
use crate::narrow::Region;
use crate::pose::Pose;
use crate::tree::{self, AdbKind, AdbScratch, AdbTree, Limits, SplitRule, Target};

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

    /// The probability that the pair intersects, after `node_tests` at most; writes where into `regions`.
    /// Returns how many it took too.
    pub fn estimate(
        &self,
        meshes: [u32; 2],
        b_to_a: &Pose,
        margin: f64,
        node_tests: u64,
        scratch: &mut AdbScratch,
        regions: &mut Vec<Region>,
    ) -> (f64, u64) {
        regions.clear();
        let trees = meshes.map(|m| &self.trees[m as usize]);
        let limits = Limits { node_tests: node_tests as u32, likely_pairs: 8 };
        let answer = tree::estimate(trees, b_to_a, margin, &Target::default(), &limits, scratch);
        regions.extend(scratch.likely().iter().map(|pair| Region {
            center: pair.center.as_dvec3(),
            normal: pair.normal.as_dvec3(),
            nodes: (pair.nodes[0], pair.nodes[1]),
        }));
        (if answer.is_proof { 0.0 } else { answer.probability.max(0.5) }, u64::from(answer.node_tests))
    }
}
