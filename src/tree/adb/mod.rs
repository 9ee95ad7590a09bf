//! Time-critical detection: hierarchies whose nodes know how full they are, asked not whether two surfaces
//! intersect but how likely it is. \[adb\]
//!
//! An [`AdbTree`] is one of four hierarchies and, a node, six bytes more: how many of the 8³ cells of its box
//! are *possible collision cells*, and the box's volume. A query opens the most likely pair of nodes first, touches no triangle and
//! can end after any number of tests; its answer is a probability, and the pairs of nodes behind it. What two
//! nodes' numbers mean is a [`Model`]: the paper's own, or the same quantities weighed by what was found to
//! be so on other meshes.

mod cells;
mod counted;
mod filled_bins;
mod fitted;
mod intersection;
mod nodes;
mod pair;
mod paper;
mod query;
mod slabs;
mod target;

use std::ops::Range;

use super::boxtree::{self, Boxtree};
use super::{Hierarchy, Octree, SplitRule, VolumeTree, build};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::volume::{Aabb, Dop};
pub use cells::CellRule;
use counted::{Counted, Walk};
pub use filled_bins::{MAX_BINS, MAX_FILLED, tails};
pub use fitted::{EVIDENCE_COUNT, Evidence, FEATURE_COUNT, Weights};
pub use intersection::{BoxPair, Estimator};
pub(super) use nodes::{Nodes, Tight};
pub use paper::{Combination, Paper, Regions};
pub use query::{AdbScratch, Estimate, LikelyPair, Outcome, Tested};
use query::{Job, query};
pub use target::{Limits, Model, Target, TargetError};

/// Which hierarchy the numbers of cells are added to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AdbKind {
    /// Tight axis-aligned boxes.
    #[default]
    Aabb,
    Octree,
    /// The restricted boxtree. \[adb\] §5 names it as future work, and DOPs.
    Boxtree,
    Dop24,
}

impl AdbKind {
    pub const ALL: [Self; 4] = [Self::Aabb, Self::Octree, Self::Boxtree, Self::Dop24];

    pub fn name(self) -> &'static str {
        match self {
            Self::Aabb => "adb-aabb",
            Self::Octree => "adb-octree",
            Self::Boxtree => "adb-boxtree",
            Self::Dop24 => "adb-dop24",
        }
    }
}

/// A hierarchy with the numbers of possible collision cells of its nodes.
#[derive(Clone, Debug)]
pub struct AdbTree(Kinds);

#[derive(Clone, Debug)]
enum Kinds {
    Aabb(Counted<VolumeTree<Aabb>>),
    Octree(Counted<Octree>),
    Boxtree(Counted<Boxtree>),
    Dop24(Counted<VolumeTree<Dop<24>>>),
}

/// What is behind any kind.
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
    /// Counts on all threads of the current pool; the result does not depend on them. The octree knows no
    /// rule to divide by.
    pub fn build(kind: AdbKind, rule: SplitRule, mesh: &Mesh) -> Self {
        Self::with_cells(kind, rule, mesh, &CellRule::default())
    }

    /// With another rule for cells than the one that [`Model::Fitted`] was fitted to.
    pub fn with_cells(kind: AdbKind, rule: SplitRule, mesh: &Mesh, cells: &CellRule) -> Self {
        let topology = || build::build(mesh, rule);
        Self(match kind {
            AdbKind::Aabb => Kinds::Aabb(Counted::new(VolumeTree::new(&topology(), mesh), mesh, cells)),
            AdbKind::Octree => Kinds::Octree(Counted::new(Octree::new(mesh), mesh, cells)),
            AdbKind::Boxtree => Kinds::Boxtree(Counted::new(boxtree::emit(&topology()), mesh, cells)),
            AdbKind::Dop24 => Kinds::Dop24(Counted::new(VolumeTree::new(&topology(), mesh), mesh, cells)),
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

    /// Memory held beside the mesh.
    pub fn byte_count(&self) -> usize {
        counted!(self, c => c.tree.byte_count() + c.count_bytes())
    }

    pub fn node_count(&self) -> usize {
        counted!(self, c => c.tree.node_count())
    }

    /// Levels below the root.
    pub fn depth(&self) -> u32 {
        counted!(self, c => Hierarchy::depth(&c.tree))
    }

    /// Numbers of possible collision cells, one a node, each of 512.
    pub fn cell_counts(&self) -> &[u16] {
        counted!(self, c => &c.totals)
    }

    /// The triangles in the order of the leaves, and for every node the part of them that is below it.
    pub fn leaf_order(&self) -> (Vec<u32>, Vec<Range<u32>>) {
        counted!(self, c => {
            let Walk { order, nodes } = Walk::new(&c.tree);
            (order, nodes.into_iter().map(|(_, below)| below).collect())
        })
    }
}

/// How likely it is that two surfaces come within `margin` (m) of each other, to the quality that `target`
/// asks for, within `limits`. Trees of different kinds cannot be asked: they may intersect or not.
pub fn estimate(
    trees: [&AdbTree; 2],
    b_to_a: &Pose,
    margin: f64,
    target: &Target,
    limits: &Limits,
    scratch: &mut AdbScratch,
) -> Estimate {
    observe(trees, b_to_a, margin, target, limits, scratch, &mut |_| {})
}

/// The same, and shows `watch` every pair of nodes that is not apart.
pub fn observe(
    trees: [&AdbTree; 2],
    b_to_a: &Pose,
    margin: f64,
    target: &Target,
    limits: &Limits,
    scratch: &mut AdbScratch,
    watch: &mut impl FnMut(&Tested),
) -> Estimate {
    let job = Job { b_to_a, margin, target, limits, kind: trees[0].kind() };
    let AdbScratch { heap, likely, aabb, octree, boxtree, dop24 } = scratch;
    match trees.map(|tree| &tree.0) {
        [Kinds::Aabb(a), Kinds::Aabb(b)] => query([a, b], &job, heap, aabb, likely, watch),
        [Kinds::Octree(a), Kinds::Octree(b)] => query([a, b], &job, heap, octree, likely, watch),
        [Kinds::Boxtree(a), Kinds::Boxtree(b)] => query([a, b], &job, heap, boxtree, likely, watch),
        [Kinds::Dop24(a), Kinds::Dop24(b)] => query([a, b], &job, heap, dop24, likely, watch),
        _ => Estimate::UNKNOWN,
    }
}
