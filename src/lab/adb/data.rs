//! Answers of queries with the true answers: the data to which the model's weights are fitted, and on
//! which they are tested.

use glam::DVec3;

use super::model::AdbModel;
use super::regression::Observation;
use super::training::Case;
use crate::arrays::MapEach;
use crate::estimate::{
    AdbKind, AdbScratch, AdbTree, CellRule, EVIDENCE_COUNT, Estimate, FEATURE_COUNT, Limits, Target, Tested,
};
use crate::mesh::Mesh;
use crate::order::Order;
use crate::pose::Pose;
use crate::query::{find_intersections, surfaces_intersect};
use crate::random::Random;
use crate::tree::{Counts, DescentScratch, SplitRule, Surfaces, Tree, TreeKind};

/// Two surfaces at many poses, with the exact answers.
pub struct Trial {
    pub name: String,
    case: Case,
    exact: [Tree; 2],
    poses: Vec<Pose>,
    /// Whether the surfaces intersect, per pose.
    meets: Vec<bool>,
}

/// Answer of one query, with the true answer.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub estimate: Estimate,
    pub meets: bool,
}

/// Largest number of node tests that a query makes while pairs of nodes are collected.
const PAIR_TESTS: u32 = 2000;
/// Expected number of pairs of nodes kept from the first tests of a query, and from each further
/// doubling of its tests.
const KEPT: f64 = 24.0;
/// Largest number of poses drawn to find one at which the boxes overlap.
const TRIES: u32 = 8;

impl Trial {
    /// Creates a trial of two surfaces at `count` random poses.
    pub fn new(case: Case, count: u32) -> Self {
        let exact = case.meshes.each_ref().map(|m| Tree::build(TreeKind::Boxtree8, SplitRule::default(), m));
        let poses = poses(&case.meshes, count);
        let mut trial = Self { name: case.name.clone(), case, exact, poses, meets: Vec::new() };
        let (mut scratch, mut counts) = Default::default();
        let truth = |pose: &Pose| surfaces_intersect(trial.surfaces(), pose, &mut scratch, &mut counts);
        trial.meets = trial.poses.iter().map(truth).collect();
        trial
    }

    fn surfaces(&self) -> Surfaces<'_> {
        [0, 1].map_each(|k| (&self.exact[k], &self.case.meshes[k]))
    }

    /// Returns whether the two trials share a surface.
    pub fn is_related(&self, other: &Self) -> bool {
        let names = |trial: &Self| trial.case.meshes.each_ref().map(|m| m.name().to_owned());
        let own = names(self);
        names(other).iter().any(|name| own.contains(name))
    }

    pub fn trees(&self, kind: AdbKind, cells: &CellRule) -> [AdbTree; 2] {
        self.case.meshes.each_ref().map(|mesh| AdbTree::with_cells(kind, SplitRule::default(), mesh, cells))
    }

    /// Returns pairs of nodes that queries at the first `count` poses visit, each with whether the
    /// surfaces intersect inside the pair. Pairs visited early are kept more often, because most
    /// queries end with such pairs. The total weight of all pairs is 1.
    pub fn pairs(&self, trees: &[AdbTree; 2], count: usize) -> Vec<Observation<FEATURE_COUNT>> {
        let places = trees.each_ref().map(Places::new);
        let mut random = Random::new(11, 0);
        let (mut exact, mut counts, mut scratch) = <(DescentScratch, Counts, AdbScratch)>::default();
        let (mut crossings, mut met) = (Vec::new(), Vec::<Tested>::new());
        let mut seen = Vec::new();
        for pose in self.poses.iter().take(count) {
            crossings.clear();
            find_intersections(self.surfaces(), pose, &mut exact, &mut crossings, &mut counts);
            let mut crossed: Vec<[u32; 2]> =
                crossings.iter().map(|pair| [0, 1].map_each(|k| places[k].of[pair[k] as usize])).collect();
            crossed.order();
            met.clear();
            let mut order = 0;
            let limits = Limits { node_tests: PAIR_TESTS, likely_pairs: 0 };
            AdbModel::Fitted.observe(
                trees.each_ref(),
                pose,
                &endless(),
                &limits,
                &mut scratch,
                &mut |tested: &Tested| {
                    order += 1;
                    if random.uniform() * f64::from(order) < KEPT {
                        met.push(*tested);
                    }
                },
            );
            seen.extend(met.iter().map(|tested| {
                let [a, b] = [0, 1].map_each(|k| &places[k].below[tested.nodes[k] as usize]);
                let from = crossed.partition_point(|pair| pair[0] < a.start);
                let mut inside = crossed[from..].iter().take_while(|pair| pair[0] < a.end);
                let happened = inside.any(|pair| b.contains(&pair[1]));
                Observation { features: tested.features.map_each(f64::from), happened, weight: 1.0 }
            }));
        }
        let weight = 1.0 / seen.len().max(1) as f64;
        seen.iter_mut().for_each(|o| o.weight = weight);
        seen
    }

    /// Returns the answers of queries that are interrupted after `node_tests` tests. Queries that end
    /// with their first test are omitted.
    pub fn answers(
        &self,
        trees: &[AdbTree; 2],
        model: AdbModel,
        target: &Target,
        node_tests: u32,
    ) -> Vec<Answer> {
        let mut scratch = AdbScratch::default();
        let limits = Limits { node_tests, likely_pairs: 0 };
        let ask = |(pose, &meets): (&Pose, &bool)| {
            let estimate = model.estimate(trees.each_ref(), pose, target, &limits, &mut scratch);
            Answer { estimate, meets }
        };
        let answers = self.poses.iter().zip(&self.meets).map(ask);
        answers.filter(|a| !(a.estimate.is_proof && a.estimate.node_tests == 1)).collect()
    }

    /// Returns the evidence of queries that are interrupted after 8, 16, 32, … tests, without evidence
    /// that is a proof. The total weight of all observations is 1.
    pub fn evidence(&self, trees: &[AdbTree; 2], model: AdbModel) -> Vec<Observation<EVIDENCE_COUNT>> {
        let target = endless();
        let mut seen = Vec::new();
        for node_tests in (3..13).map(|power| 1 << power) {
            // A query that ended before half of this limit gave its answer under a smaller limit
            // already.
            let fresh = |a: &&Answer| a.estimate.node_tests * 2 > node_tests && !a.estimate.is_proof;
            let answers = self.answers(trees, model, &target, node_tests);
            seen.extend(answers.iter().filter(fresh).map(|a| {
                let features = a.estimate.evidence.features();
                Observation { features, happened: a.meets, weight: 1.0 }
            }));
        }
        let weight = 1.0 / seen.len().max(1) as f64;
        seen.iter_mut().for_each(|o| o.weight = weight);
        seen
    }
}

/// Draws poses with random rotations. Some are far apart and some nested; in most the boxes overlap.
fn poses(meshes: &[Mesh; 2], count: u32) -> Vec<Pose> {
    let bounds = meshes.each_ref().map_each(Mesh::bounds);
    let half: f64 = bounds.iter().map(|b| 0.5 * f64::from(b.size().max_element())).sum();
    let radius: f64 = bounds.iter().map(|b| 0.5 * f64::from(b.diagonal())).sum();
    let mut random = Random::new(7, 0);
    let mut draw = |k: u32| {
        let share = random.uniform();
        let distance =
            if k.is_multiple_of(2) { (0.05 + 0.95 * share) * radius } else { (0.2 + 0.85 * share) * half };
        let direction = random.rotation() * DVec3::X;
        Pose::new(random.rotation(), distance * direction)
    };
    let overlap = |pose: &Pose| {
        let [a, b] = bounds;
        let center = pose.transform_point(b.center().as_dvec3()) - a.center().as_dvec3();
        let columns = pose.rotation_matrix();
        let half = 0.5 * b.size().as_dvec3();
        let reach =
            columns.x_axis.abs() * half.x + columns.y_axis.abs() * half.y + columns.z_axis.abs() * half.z;
        center.abs().cmple(0.5 * a.size().as_dvec3() + reach).all()
    };
    let one = |k| {
        let mut pose = draw(k);
        for _ in 1..TRIES {
            if overlap(&pose) {
                break;
            }
            pose = draw(k);
        }
        pose
    };
    (0..count).map(one).collect()
}

/// Returns a target that no answer reaches, so that queries run to their limit.
fn endless() -> Target {
    Target::new(1.0, u32::MAX).unwrap_or_default()
}

/// Positions of triangles in the order of a tree's leaves.
struct Places {
    of: Vec<u32>,
    below: Vec<std::ops::Range<u32>>,
}

impl Places {
    fn new(tree: &AdbTree) -> Self {
        let (order, below) = tree.leaf_order();
        let mut of = vec![0; order.len()];
        for (place, &triangle) in order.iter().enumerate() {
            of[triangle as usize] = place as u32;
        }
        Self { of, below }
    }
}
