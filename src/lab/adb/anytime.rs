//! Queries that end after a given number of node tests and answer with a probability of intersection:
//! that of an ADB-tree, and the exact traversal of the wide boxtree, cut off. For the latter, a
//! logistic regression on the work done without finding an intersection gives the probability.

use glam::DVec3;

use super::regression::{self, Observation};
use super::training::{self, Case};
use crate::Shape;
use crate::arrays::MapEach;
use crate::estimate::{AdbScratch, AdbTree, Limits, Target, estimate};
use crate::mesh::{Mesh, MeshError};
use crate::pose::Pose;
use crate::query::{Verdict, intersect_within, surfaces_intersect};
use crate::random::Random;
use crate::tree::{Counts, DescentScratch, SplitRule, Surfaces, Tree, TreeKind};

/// Logistic model of the probability that two surfaces intersect, given that a cut-off traversal found
/// no intersection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    weights: [f64; FEATURE_COUNT],
}

const FEATURE_COUNT: usize = 7;

/// Returns the features of a cut-off traversal: 1, ln of the node tests, ln of the triangle tests,
/// their product, ln of the number of triangles, ln of the node pairs still open, and its product with
/// ln of the node tests. All logarithms are of 1 + the count.
fn features(counts: &Counts, open_pairs: u64, surfaces: Surfaces) -> [f64; FEATURE_COUNT] {
    let ln = |count: u64| libm::log(1.0 + count as f64);
    let (nodes, triangles) = (ln(counts.node_test_count), ln(counts.triangle_test_count));
    let all: usize = surfaces.iter().map(|(_, mesh)| mesh.triangles().len()).sum();
    let open = ln(open_pairs);
    [1.0, nodes, triangles, nodes * triangles, ln(all as u64), open, nodes * open]
}

/// Shapes that are measured if the user names no files.
pub const MEASURED: [Shape; 3] = [Shape::Torus, Shape::BumpySphere, Shape::Soup];

/// Numbers of node tests after which the queries of the training data are cut off.
const LEARNT: [u64; 9] = [8, 16, 32, 64, 128, 256, 512, 1024, 2048];

impl Law {
    /// Fits the model to the training surfaces of ADB-trees, without those that are a measured shape at
    /// another size.
    ///
    /// # Errors
    /// Returns the error of an invalid generated mesh, which does not occur.
    pub fn learnt(quick: bool) -> Result<Self, MeshError> {
        let (pose_count, stride) = if quick { (40, 5) } else { (200, 1) };
        let is_apart = |case: &Case| {
            let names = case.meshes.each_ref().map_each(Mesh::name);
            !names.iter().any(|name| MEASURED.iter().any(|shape| name.starts_with(shape.name())))
        };
        let cases: Vec<Case> = training::cases()?.into_iter().filter(is_apart).step_by(stride).collect();
        Ok(Self::fitted(&cases, pose_count))
    }

    /// Fits the model to queries at `pose_count` poses of each case.
    fn fitted(cases: &[Case], pose_count: u32) -> Self {
        // The samples of one case have a total weight of 1.
        let mut samples = Vec::new();
        let mut scratch = DescentScratch::default();
        for (k, case) in cases.iter().enumerate() {
            let first = samples.len();
            let trees = case.meshes.each_ref().map(|mesh| Tree::build(KIND, SplitRule::default(), mesh));
            let surfaces = [(&trees[0], &case.meshes[0]), (&trees[1], &case.meshes[1])];
            let mut random = Random::new(11, k as u64);
            for _ in 0..pose_count {
                let distance = 0.4 + 1.7 * random.uniform();
                let pose = Pose::new(random.rotation(), distance * DVec3::X);
                let intersects = surfaces_intersect(surfaces, &pose, &mut scratch, &mut Counts::default());
                for node_tests in LEARNT {
                    let mut counts = Counts::default();
                    let verdict = intersect_within(node_tests, surfaces, &pose, &mut scratch, &mut counts);
                    let Verdict::Open { pairs } = verdict else { break };
                    let features = features(&counts, pairs, surfaces);
                    samples.push(Observation { features, happened: intersects, weight: 0.0 });
                }
            }
            let weight = 1.0 / (samples.len() - first).max(1) as f64;
            samples[first..].iter_mut().for_each(|s| s.weight = weight);
        }
        Self { weights: regression::Law::Logistic.fit(&samples, &[]) }
    }

    fn probability(&self, counts: &Counts, open_pairs: u64, surfaces: Surfaces) -> f64 {
        let features = features(counts, open_pairs, surfaces);
        let score: f64 = self.weights.iter().zip(features).map(|(w, x)| w * x).sum();
        1.0 / (1.0 + libm::exp(-score))
    }
}

/// Hierarchy whose traversal is cut off.
pub const KIND: TreeKind = TreeKind::Boxtree8;

/// Query that ends after a given number of node tests.
pub enum LimitedQuery<'a> {
    Adb(&'a AdbTree, Target, u32, Box<AdbScratch>),
    CutOff(&'a Tree, &'a Mesh, &'a Law, u64, Box<DescentScratch>),
}

impl LimitedQuery<'_> {
    /// Returns the probability that the surface and its copy at `pose` intersect.
    pub fn ask(&mut self, pose: &Pose, counts: &mut Counts) -> f64 {
        match self {
            Self::Adb(tree, target, node_tests, scratch) => {
                let limits = Limits { node_tests: *node_tests, ..Limits::default() };
                let found = estimate([*tree, *tree], pose, 0.0, target, &limits, scratch);
                counts.node_test_count += u64::from(found.node_tests);
                found.probability
            }
            Self::CutOff(tree, mesh, law, node_tests, scratch) => {
                let surfaces = [(*tree, *mesh), (*tree, *mesh)];
                let mut own = Counts::default();
                let answer = intersect_within(*node_tests, surfaces, pose, scratch, &mut own);
                counts.add(&own);
                match answer {
                    Verdict::Proven(intersects) => f64::from(u8::from(intersects)),
                    Verdict::Open { pairs } => law.probability(&own, pairs, surfaces),
                }
            }
        }
    }
}
