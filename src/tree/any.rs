//! A hierarchy of any kind: built, described, and asked for candidates together with another of its kind.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::boxtree::{self, Boxtree, CompactBoxtree, CompactPair};
use super::brute_force;
use super::build::{self, SplitRule, Topology};
use super::descend::descend;
use super::kind::{BoxtreeTest, TreeKind};
use super::limit::Stop;
use super::nodes::{Hierarchy, RefitScratch, SegmentStack};
use super::octree::{Octree, OctreePair, OctreeStack};
use super::search::{Counts, Search};
use super::volume_tree::{VolumePair, VolumeStack, VolumeTree};
use super::wide::{self, WideTree};
use crate::mesh::Mesh;
use crate::volume::{Aabb, Dop, Obb, Sphere};
use glam::DVec3;

/// The hierarchy over one mesh, in its body space.
///
/// ```
/// use tumble::generate;
/// use tumble::mesh::Mesh;
/// use tumble::tree::{SplitRule, Tree, TreeKind};
///
/// let (positions, triangles) = generate::torus(0.2, 0.05, 24, 12);
/// let mesh = Mesh::new("ring", &positions, &triangles)?;
/// let tree = Tree::build(TreeKind::Obb, SplitRule::default(), &mesh);
/// assert_eq!(tree.node_count(), 2 * mesh.triangles().len() - 1);
/// assert_eq!(tree.validate(&mesh), Ok(()));
/// # Ok::<(), tumble::mesh::MeshError>(())
/// ```
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

/// Two surfaces, each with the hierarchy over it.
pub type Surfaces<'a> = [(&'a Tree, &'a Mesh); 2];

/// The stacks of a traversal, kept so that they grow once.
#[derive(Default)]
pub struct DescentScratch {
    boxtree: boxtree::BoxtreeScratch,
    boxtree_compact: boxtree::CompactStack,
    aabb: VolumeStack<Aabb>,
    obb: VolumeStack<Obb>,
    sphere: VolumeStack<Sphere>,
    dop24: VolumeStack<Dop<24>>,
    octree: OctreeStack,
    pub(crate) boxtree8: wide::Stack<8>,
    pub(crate) boxtree4: wide::Stack<4>,
    pub(crate) candidates: Vec<[u32; 2]>,
    /// Ends [`find_candidates`](crate::query::find_candidates) early once it is set: pairs are missing then.
    pub stop: Arc<AtomicBool>,
    /// The triangle of b where brute force goes on.
    next_triangle: u32,
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
    /// As the rule divides the mesh; the kinds that follow no topology divide it their own way.
    pub(crate) fn plain(kind: TreeKind, rule: SplitRule, mesh: &Mesh) -> Self {
        match kind {
            TreeKind::Octree => Self::Octree(Octree::new(mesh)),
            TreeKind::BruteForce => Self::BruteForce,
            _ => Self::over(kind, &build::build(mesh, rule), mesh),
        }
    }

    /// The hierarchy of a kind that follows a topology; the others do not.
    pub(crate) fn over(kind: TreeKind, topology: &Topology, mesh: &Mesh) -> Self {
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

    /// Fits all volumes to a surface of the same triangles with its vertices moved: exact again, but the
    /// worse the more neighbours have parted. Linear for kinds whose volumes can be joined; the others
    /// (oriented boxes, spheres) are fitted to all triangles below each node. Boxtrees that keep whole sides,
    /// or eight or four children, allocate nothing but what `scratch` grows to.
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

    /// Calls `show` with every triangle that a segment (body space, m) may cross, until it breaks.
    pub(crate) fn visit_segment(
        &self,
        mesh: &Mesh,
        segment: [DVec3; 2],
        stack: &mut SegmentStack,
        show: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.hierarchy() {
            Some(hierarchy) => hierarchy.visit_segment(segment, stack, show),
            None => (0..mesh.triangles().len() as u32).try_for_each(show),
        }
    }
}

/// Shows `found` every candidate pair (triangle of a, triangle of b) until it breaks. Trees of different
/// kinds fall back on brute force.
pub(crate) fn visit(
    [(tree_a, mesh_a), (tree_b, mesh_b)]: Surfaces,
    search: &Search,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
    found: &mut impl FnMut(&[[u32; 2]]) -> ControlFlow<()>,
) -> ControlFlow<Stop> {
    let single = &mut |a: u32, b: u32| found(&[[a, b]]);
    let extent = search.extent();
    match (tree_a, tree_b) {
        (Tree::Boxtree(test, a), Tree::Boxtree(other, b)) if test == other => {
            boxtree::visit(*test, [a, b], search, &mut scratch.boxtree, counts, single)
        }
        (Tree::BoxtreeCompact(a), Tree::BoxtreeCompact(b)) => {
            descend(&CompactPair::new(a, b, search), extent, &mut scratch.boxtree_compact, counts, single)
        }
        (Tree::Boxtree8(a), Tree::Boxtree8(b)) => {
            wide::Traverse::traverse([a, b], search, &mut scratch.boxtree8, counts, found)
        }
        (Tree::Boxtree4(a), Tree::Boxtree4(b)) => {
            wide::Traverse::traverse([a, b], search, &mut scratch.boxtree4, counts, found)
        }
        (Tree::Aabb(a), Tree::Aabb(b)) => {
            descend(&VolumePair::new(a, b, search), extent, &mut scratch.aabb, counts, single)
        }
        (Tree::Obb(a), Tree::Obb(b)) => {
            descend(&VolumePair::new(a, b, search), extent, &mut scratch.obb, counts, single)
        }
        (Tree::Sphere(a), Tree::Sphere(b)) => {
            descend(&VolumePair::new(a, b, search), extent, &mut scratch.sphere, counts, single)
        }
        (Tree::Dop24(a), Tree::Dop24(b)) => {
            descend(&VolumePair::new(a, b, search), extent, &mut scratch.dop24, counts, single)
        }
        (Tree::Octree(a), Tree::Octree(b)) => {
            descend(&OctreePair::new(a, b, search), extent, &mut scratch.octree, counts, single)
        }
        _ => brute_force::visit([mesh_a, mesh_b], search, &mut scratch.next_triangle, counts, single),
    }
}
