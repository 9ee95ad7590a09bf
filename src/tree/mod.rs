//! Hierarchies of bounding volumes over the triangles of one mesh, one kind a file, and the one traversal
//! of a pair of them.
//!
//! Contract of every kind: all triangle pairs that come within a margin of each other are reported
//! (conservative under rounding), each once, in any order; pairs farther apart may be. \[boxtree\]

mod adb;
mod boxtree;
mod brute_force;
mod build;
mod coherent;
mod descend;
mod guidance;
mod judge;
mod kind;
mod limit;
mod nearest;
mod octree;
mod query;
mod segment;
mod volume_tree;
mod wide;

pub use adb::{
    AdbKind, AdbScratch, AdbTree, BoxPair, CellRule, Combination, EVIDENCE_COUNT, Estimate, Estimator,
    Evidence, FEATURE_COUNT, LikelyPair, Limits, MAX_BINS, MAX_FILLED, Model, Outcome, Paper, Regions,
    Target, TargetError, Tested, Weights, estimate, observe, tails,
};
pub use boxtree::{Boxtree, CompactBoxtree};
pub use build::SplitRule;
pub use coherent::{Coherence, intersect_coherently};
pub use descend::{Children, Descent, Found, descend};
pub use guidance::{Guidance, Guided, Kept, Sample, TreePlan, UnknownPlan};
pub use kind::{BoxtreeTest, Hoisting, Overlap, TreeKind};
pub use limit::{Allowance, Limit, Start, Stop};
pub use nearest::approach;
pub use octree::Octree;
pub use query::{
    Surfaces, Verdict, are_apart, find_candidates, find_candidates_within, find_intersections, intersect,
    intersect_within,
};
pub use segment::{Crossing, SegmentStack, crosses, first_crossing};
pub use volume_tree::VolumeTree;
pub use wide::WideTree;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::mesh::Mesh;
use crate::volume::{Aabb, Dop, Obb, Operations, Sphere};
use build::Topology;
use octree::OctreeStack;
use segment::LeafVisitor;
use volume_tree::VolumeStack;

/// The hierarchy over one mesh, in its body space.
#[derive(Clone, Debug)]
pub enum Tree {
    Boxtree(BoxtreeTest, Boxtree),
    BoxtreeCompact(CompactBoxtree),
    Boxtree8(WideTree<8>),
    Boxtree4(WideTree<4>),
    Aabb(VolumeTree<Aabb>),
    Obb(VolumeTree<Obb>),
    Sphere(VolumeTree<Sphere>),
    Dop24(VolumeTree<Dop<24>>),
    Octree(Octree),
    BruteForce,
}

/// What every kind with nodes can be asked.
trait Hierarchy {
    /// Memory held beside the mesh, counted from the vectors.
    fn byte_count(&self) -> usize;

    fn node_count(&self) -> usize;

    /// Levels below the root.
    fn depth(&self) -> u32;

    /// Calls `show` with the box around every node `level` levels below the root and every leaf above, body
    /// space.
    fn for_each_box(&self, level: u32, show: &mut dyn FnMut(Aabb));

    /// Calls `show` with the volume of every node, m³, the root's first.
    fn for_each_volume(&self, show: &mut dyn FnMut(f64));

    /// Checks every invariant against the mesh it was built over.
    fn validate(&self, mesh: &Mesh) -> Result<(), String>;

    /// Fits all volumes to the surface with its vertices moved; the triangles stay where they are in the tree.
    fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch);

    /// Shows the visitor every triangle whose volume the visitor's segment meets, until it breaks.
    fn visit_segment(&self, visitor: &mut LeafVisitor) -> std::ops::ControlFlow<()>;
}

/// What a traversal did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of volumes tested for overlap.
    pub node_test_count: u64,
    /// Nodes for which what depends on them alone was computed.
    pub node_step_count: u64,
    /// Floating-point operations on volumes, each test counted to its end.
    pub operations: Operations,
    /// Pairs of triangles tested exactly.
    pub triangle_test_count: u64,
}

impl Counts {
    pub fn add(&mut self, other: &Self) {
        self.node_test_count += other.node_test_count;
        self.node_step_count += other.node_step_count;
        self.operations.add(other.operations, 1);
        self.triangle_test_count += other.triangle_test_count;
    }
}

/// The stacks of a traversal, kept so that they grow once.
#[derive(Default)]
pub struct DescentScratch {
    boxtree: boxtree::Scratch,
    boxtree_compact: boxtree::CompactStack,
    aabb: VolumeStack<Aabb>,
    obb: VolumeStack<Obb>,
    sphere: VolumeStack<Sphere>,
    dop24: VolumeStack<Dop<24>>,
    octree: OctreeStack,
    boxtree8: wide::Stack<8>,
    boxtree4: wide::Stack<4>,
    candidates: Vec<[u32; 2]>,
    /// Ends [`find_candidates`] early once it is set: pairs are missing then.
    pub stop: Arc<AtomicBool>,
    /// Of b, where brute force goes on.
    next_triangle: u32,
}

/// The boxes of a refit, kept so that they grow once.
#[derive(Clone, Debug, Default)]
pub struct RefitScratch {
    tight: Vec<Aabb>,
    own: Vec<Aabb>,
}

/// What is behind a reference, shared or not, to any kind.
macro_rules! hierarchy {
    ($tree:ident) => {
        match $tree {
            Self::Boxtree(_, tree) => Some(tree),
            Self::BoxtreeCompact(tree) => Some(tree),
            Self::Boxtree8(tree) => Some(tree),
            Self::Boxtree4(tree) => Some(tree),
            Self::Aabb(tree) => Some(tree),
            Self::Obb(tree) => Some(tree),
            Self::Sphere(tree) => Some(tree),
            Self::Dop24(tree) => Some(tree),
            Self::Octree(tree) => Some(tree),
            Self::BruteForce => None,
        }
    };
}

impl Tree {
    fn plain(kind: TreeKind, rule: SplitRule, mesh: &Mesh) -> Self {
        match kind {
            TreeKind::Octree => Self::Octree(Octree::new(mesh)),
            TreeKind::BruteForce => Self::BruteForce,
            _ => Self::over(kind, &build::build(mesh, rule), mesh),
        }
    }

    /// Of a kind that follows a topology; the others do not.
    fn over(kind: TreeKind, topology: &Topology, mesh: &Mesh) -> Self {
        match kind {
            TreeKind::Boxtree(test) => Self::Boxtree(test, boxtree::emit(topology).under(test)),
            TreeKind::BoxtreeCompact => Self::BoxtreeCompact(boxtree::encode(topology)),
            TreeKind::Boxtree8 => Self::Boxtree8(wide::encode(topology)),
            TreeKind::Boxtree4 => Self::Boxtree4(wide::encode(topology)),
            TreeKind::Aabb => Self::Aabb(VolumeTree::new(topology, mesh)),
            TreeKind::Obb => Self::Obb(VolumeTree::new(topology, mesh)),
            TreeKind::Sphere => Self::Sphere(VolumeTree::new(topology, mesh)),
            TreeKind::Dop24 => Self::Dop24(VolumeTree::new(topology, mesh)),
            TreeKind::Octree => Self::Octree(Octree::new(mesh)),
            TreeKind::BruteForce => Self::BruteForce,
        }
    }

    /// `None` for the kind without nodes.
    fn hierarchy(&self) -> Option<&dyn Hierarchy> {
        hierarchy!(self)
    }

    fn hierarchy_mut(&mut self) -> Option<&mut dyn Hierarchy> {
        hierarchy!(self)
    }

    /// Fits all volumes to a surface of the same triangles with its vertices moved: exact again, but the worse
    /// the more neighbours have parted. Linear for kinds whose volumes can be joined; the others (oriented
    /// boxes, spheres) are fitted to all triangles below each node. Boxtrees that keep
    /// whole sides, or eight or four children, allocate nothing but what `scratch` grows to.
    pub fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch) {
        if let Some(hierarchy) = self.hierarchy_mut() {
            hierarchy.refit(mesh, scratch);
        }
    }

    /// Memory the hierarchy holds beside the mesh.
    pub fn byte_count(&self) -> usize {
        self.hierarchy().map_or(0, Hierarchy::byte_count)
    }

    pub fn node_count(&self) -> usize {
        self.hierarchy().map_or(0, Hierarchy::node_count)
    }

    /// Levels below the root; zero for a kind without nodes.
    pub fn depth(&self) -> u32 {
        self.hierarchy().map_or(0, Hierarchy::depth)
    }

    /// Calls `show` with the box around every node `level` levels below the root and every leaf above, body
    /// space. A kind without nodes has none.
    pub fn for_each_box(&self, level: u32, mut show: impl FnMut(Aabb)) {
        if let Some(hierarchy) = self.hierarchy() {
            hierarchy.for_each_box(level, &mut show);
        }
    }

    /// The volumes of all nodes together, m³; zero for a kind without nodes.
    pub fn volume_sum(&self) -> f64 {
        let mut sum = 0.0;
        if let Some(hierarchy) = self.hierarchy() {
            hierarchy.for_each_volume(&mut |volume| sum += volume);
        }
        sum
    }

    /// What the root is around, m³; zero for a kind without nodes.
    pub fn root_volume(&self) -> f64 {
        let mut root = None;
        if let Some(hierarchy) = self.hierarchy() {
            hierarchy.for_each_volume(&mut |volume| {
                root.get_or_insert(volume);
            });
        }
        root.unwrap_or(0.0)
    }

    /// Checks every invariant of the hierarchy against its mesh.
    pub fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        self.hierarchy().map_or(Ok(()), |hierarchy| hierarchy.validate(mesh))
    }
}
