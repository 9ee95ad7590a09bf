//! Hierarchy with the occupancy counts of its nodes. \[adb\] §3.3
//!
//! The count of a node covers all triangles below it. The number of cells and the logarithm of the
//! volume add six bytes per node, and counts by region 16 more. Counting takes time linear in the
//! number of triangles for each level of the tree.

use std::ops::Range;

use glam::Vec3;

use super::cells::{CellCounter, CellCounts, CellRule};
use super::features;
use super::nodes::CellNodes;
use crate::mesh::Mesh;
use crate::order::Order;
use crate::parallel;
use crate::volume::Aabb;

/// Hierarchy of kind `T` with occupancy counts.
#[derive(Clone, Debug)]
pub struct Counted<T> {
    pub tree: T,
    /// Number of possible collision cells per node.
    pub totals: Vec<u16>,
    /// Natural logarithm of the volume (m³) of the divided box, per node.
    pub log_volumes: Vec<f32>,
    /// Counts by region, per node; empty unless [`CellRule::regions`] is set.
    pub regions: Vec<CellCounts>,
    pub cells: CellRule,
    /// Least side of a divided box, m.
    pub least_side: f32,
    /// Natural logarithm of the share of possible collision cells, indexed by their number. See
    /// [`features::log_filled`].
    pub log_filled: Vec<f32>,
    /// Half the diagonal of the surface's bounding box, m.
    pub radius: f64,
}

impl<T: CellNodes> Counted<T> {
    pub fn new(tree: T, mesh: &Mesh, cells: &CellRule) -> Self {
        let diagonal = mesh.bounds().diagonal();
        let mut counted = Self {
            tree,
            totals: Vec::new(),
            log_volumes: Vec::new(),
            regions: Vec::new(),
            cells: *cells,
            least_side: cells.least_side(diagonal),
            log_filled: (0..=cells.cell_count())
                .map(|count| features::log_filled(count, cells.cell_count()))
                .collect(),
            radius: 0.5 * f64::from(diagonal),
        };
        counted.count(mesh);
        counted
    }

    /// Counts the possible collision cells of all nodes, in parallel.
    fn count(&mut self, mesh: &Mesh) {
        let Walk { order, nodes } = Walk::new(&self.tree);
        let center = self.tree.center();
        let corners: Vec<[Vec3; 3]> = order.iter().map(|&t| mesh.corners_about(t, center)).collect();
        let count = |counter: &mut CellCounter, (node, below): &(T::Node, Range<u32>)| {
            let own = corners[below.start as usize..below.end as usize].iter().copied();
            counter.count(&self.tree.local_bounds(node), own, &self.cells, self.least_side)
        };
        let parts: Vec<_> = nodes.chunks(parallel::piece(nodes.len(), 1)).collect();
        let counts = parallel::map(&parts, |nodes| {
            let mut counter = CellCounter::default();
            nodes.iter().map(|node| count(&mut counter, node)).collect::<Vec<CellCounts>>()
        });
        let counts = counts.concat();
        self.totals = counts.iter().map(|c| c.total).collect();
        let log_volume = |(node, _): &(T::Node, Range<u32>)| {
            let volume = 8.0 * self.half(&self.tree.local_bounds(node)).element_product();
            libm::logf(volume.max(f32::MIN_POSITIVE))
        };
        self.log_volumes = nodes.iter().map(log_volume).collect();
        self.regions = if self.cells.regions { counts } else { Vec::new() };
    }

    /// Returns the half extents of the box that is divided into cells, m, for the box `bounds` of a
    /// node.
    pub fn half(&self, bounds: &Aabb) -> Vec3 {
        self.cells.thickened(0.5 * bounds.size(), self.least_side)
    }

    pub fn count_bytes(&self) -> usize {
        self.totals.capacity() * size_of::<u16>()
            + self.log_volumes.capacity() * size_of::<f32>()
            + self.log_filled.capacity() * size_of::<f32>()
            + self.regions.capacity() * size_of::<CellCounts>()
    }
}

/// Traversal of a hierarchy from its root to its leaves.
pub(super) struct Walk<N> {
    /// Triangles in the order of the leaves.
    pub order: Vec<u32>,
    /// Every node in the order of indices, with the range of `order` that lists the triangles below it.
    pub nodes: Vec<(N, Range<u32>)>,
}

impl<N: Copy> Walk<N> {
    pub fn new<T: CellNodes<Node = N>>(tree: &T) -> Self {
        let mut walk = Self { order: Vec::new(), nodes: Vec::new() };
        walk.visit(tree, tree.root());
        walk.nodes.order_by_key(|(node, _)| T::index(node));
        walk
    }

    /// Visits a node and its descendants, and records them. The recursion is as deep as the tree.
    fn visit<T: CellNodes<Node = N>>(&mut self, tree: &T, node: N) {
        let first = self.order.len() as u32;
        let children = tree.children(&node);
        if children.is_empty() {
            self.order.extend(tree.triangles(&node));
        }
        for child in children {
            self.visit(tree, child);
        }
        self.nodes.push((node, first..self.order.len() as u32));
    }
}
