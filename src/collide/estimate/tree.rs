//! Hierarchy of any of four kinds with occupancy counts, and the queries on two such hierarchies.

use std::ops::Range;

use super::cells::CellRule;
use super::counted::{Counted, Walk};
use super::kind::AdbKind;
use super::model::Model;
use super::query::{AdbScratch, Estimate, Job, Tested, query};
use super::target::{Limits, Target};
use super::weights::Weights;
use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::tree::build::build;
use crate::tree::{Boxtree, Nodes, Octree, Shrink, SplitRule, VolumeTree, emit};
use crate::volume::{Aabb, Dop};

/// Hierarchy with the occupancy counts of its nodes.
///
/// ```
/// use glam::DVec3;
/// use tumble_collide::estimate::{AdbKind, AdbScratch, AdbTree, Limits, Target, estimate};
/// use tumble_collide::generate;
/// use tumble_collide::mesh::Mesh;
/// use tumble_collide::pose::Pose;
/// use tumble_collide::tree::SplitRule;
///
/// let (positions, triangles) = generate::torus(0.2, 0.05, 48, 24);
/// let mesh = Mesh::new("ring", &positions, &triangles)?;
/// let tree = AdbTree::build(AdbKind::Aabb, SplitRule::default(), &mesh);
/// let within = Limits { node_tests: 200, ..Limits::default() };
/// let b_to_a = Pose::from_position(DVec3::X * 0.4);
/// let mut scratch = AdbScratch::default();
/// let answer = estimate([&tree; 2], &b_to_a, 0.0, &Target::default(), &within, &mut scratch);
/// assert!(answer.is_collision() && answer.probability > 0.9);
/// # Ok::<(), tumble_collide::mesh::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AdbTree(Kinds);

#[derive(Clone, Debug)]
enum Kinds {
    Aabb(Counted<VolumeTree<Aabb>>),
    Octree(Counted<Octree>),
    Boxtree(Counted<Boxtree>),
    Dop24(Counted<VolumeTree<Dop<24>>>),
}

/// Evaluates an expression with `$counted` bound to the counted hierarchy of the tree, for every kind.
macro_rules! counted {
    ($tree:expr, $counted:ident => $result:expr) => {
        match &$tree.0 {
            Kinds::Aabb($counted) => $result,
            Kinds::Octree($counted) => $result,
            Kinds::Boxtree($counted) => $result,
            Kinds::Dop24($counted) => $result,
        }
    };
}

impl AdbTree {
    /// Builds the hierarchy on all threads of the current pool. The result does not depend on the
    /// number of threads. The octree ignores `rule`.
    pub fn build(kind: AdbKind, rule: SplitRule, mesh: &Mesh) -> Self {
        Self::with_cells(kind, rule, mesh, &CellRule::default())
    }

    /// Builds the hierarchy with a custom rule for cells. The weights of [`Weights`] are fitted to the
    /// default rule.
    pub fn with_cells(kind: AdbKind, rule: SplitRule, mesh: &Mesh, cells: &CellRule) -> Self {
        let topology = || build(mesh, rule, true);
        Self(match kind {
            AdbKind::Aabb => Kinds::Aabb(Counted::new(VolumeTree::over(&topology(), mesh, ()), mesh, cells)),
            AdbKind::Octree => Kinds::Octree(Counted::new(Octree::of(mesh), mesh, cells)),
            AdbKind::Boxtree => Kinds::Boxtree(Counted::new(emit(&topology(), Shrink::Tested), mesh, cells)),
            AdbKind::Dop24 => {
                Kinds::Dop24(Counted::new(VolumeTree::over(&topology(), mesh, ()), mesh, cells))
            }
        })
    }

    pub fn kind(&self) -> AdbKind {
        match &self.0 {
            Kinds::Aabb(_) => AdbKind::Aabb,
            Kinds::Octree(_) => AdbKind::Octree,
            Kinds::Boxtree(_) => AdbKind::Boxtree,
            Kinds::Dop24(_) => AdbKind::Dop24,
        }
    }

    /// Returns the memory in bytes, without the mesh.
    pub fn byte_count(&self) -> usize {
        counted!(self, c => c.tree.byte_count() + c.count_bytes())
    }

    pub fn node_count(&self) -> usize {
        counted!(self, c => c.tree.node_count())
    }

    /// Returns the number of levels below the root.
    pub fn depth(&self) -> u32 {
        counted!(self, c => c.tree.depth())
    }

    /// Returns the number of possible collision cells of each node, by default out of 512.
    pub fn cell_counts(&self) -> &[u16] {
        counted!(self, c => &c.totals)
    }

    /// Returns the triangles in the order of the leaves, and for every node the range of the triangles
    /// below it.
    pub fn leaf_order(&self) -> (Vec<u32>, Vec<Range<u32>>) {
        counted!(self, c => {
            let Walk { order, nodes } = Walk::new(&c.tree);
            (order, nodes.into_iter().map(|(_, below)| below).collect())
        })
    }
}

/// Estimates the probability that two surfaces come within `margin` (m) of each other. Ends when
/// `target` or a limit is reached. For trees of different kinds the result is unknown: interrupted,
/// with probability 0.5.
pub fn estimate(
    trees: [&AdbTree; 2],
    b_to_a: &Pose,
    margin: f64,
    target: &Target,
    limits: &Limits,
    scratch: &mut AdbScratch,
) -> Estimate {
    let job = Job { b_to_a, margin, target, limits };
    estimate_by(&Weights::of(trees[0].kind()), trees, &job, scratch, &mut |_| {})
}

/// Estimates the probability with a custom model. `watch` is called with every tested pair of nodes
/// that is not apart.
pub fn estimate_by(
    model: &impl Model,
    trees: [&AdbTree; 2],
    job: &Job,
    scratch: &mut AdbScratch,
    watch: &mut impl FnMut(&Tested),
) -> Estimate {
    let AdbScratch { heap, likely, aabb, octree, boxtree, dop24 } = scratch;
    match trees.map_each(|tree| &tree.0) {
        [Kinds::Aabb(a), Kinds::Aabb(b)] => query(model, [a, b], job, heap, aabb, likely, watch),
        [Kinds::Octree(a), Kinds::Octree(b)] => query(model, [a, b], job, heap, octree, likely, watch),
        [Kinds::Boxtree(a), Kinds::Boxtree(b)] => query(model, [a, b], job, heap, boxtree, likely, watch),
        [Kinds::Dop24(a), Kinds::Dop24(b)] => query(model, [a, b], job, heap, dop24, likely, watch),
        _ => Estimate::UNKNOWN,
    }
}
