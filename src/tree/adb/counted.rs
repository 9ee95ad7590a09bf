//! A hierarchy with the numbers of possible collision cells of its nodes. \[adb\] §3.3
//!
//! A node's triangles are those below it. Two bytes a node, kept beside the hierarchy's own, and 14 more
//! if regions are told apart. Linear in the triangles for each level of the tree.

use std::ops::Range;

use glam::Vec3;
use rayon::prelude::*;

use super::cells::{CellCounter, CellCounts, CellRule};
use super::nodes::Nodes;
use crate::mesh::Mesh;
use crate::tree::volume_tree::triangle_corners;

/// A hierarchy of the kind `T`, counted.
#[derive(Clone, Debug)]
pub struct Counted<T> {
    pub(super) tree: T,
    /// By node.
    pub(super) totals: Vec<u16>,
    /// By node; empty if the rule does not ask for regions.
    pub(super) regions: Vec<CellCounts>,
    pub(super) cells: CellRule,
    /// No side of a box is taken for shorter, m.
    pub(super) least_side: f32,
    /// Half the diagonal of the surface's box, m.
    pub(super) radius: f64,
}

impl<T: Nodes> Counted<T> {
    pub(super) fn new(tree: T, mesh: &Mesh, cells: &CellRule) -> Self {
        let diagonal = mesh.bounds().diagonal();
        let mut counted = Self {
            tree,
            totals: Vec::new(),
            regions: Vec::new(),
            cells: *cells,
            least_side: cells.least_side(diagonal),
            radius: 0.5 * f64::from(diagonal),
        };
        counted.count(mesh);
        counted
    }

    fn count(&mut self, mesh: &Mesh) {
        let (order, nodes) = walk(&self.tree);
        let center = self.tree.center();
        let corners: Vec<[Vec3; 3]> = order.iter().map(|&t| triangle_corners(mesh, t, center)).collect();
        let count = |counter: &mut CellCounter, (node, below): &(T::Node, Range<u32>)| {
            let own = corners[below.start as usize..below.end as usize].iter().copied();
            counter.count(&self.tree.bounds(node), own, &self.cells, self.least_side)
        };
        let counts: Vec<CellCounts> = nodes.par_iter().map_init(CellCounter::default, count).collect();
        self.totals = counts.iter().map(|c| c.total).collect();
        self.regions = if self.cells.regions { counts } else { Vec::new() };
    }

    pub(super) fn count_bytes(&self) -> usize {
        self.totals.capacity() * size_of::<u16>() + self.regions.capacity() * size_of::<CellCounts>()
    }
}

/// The triangles in the order of the leaves, and every node by its index with the part of them below it.
/// Recursion is as deep as the tree.
pub(super) fn walk<T: Nodes>(tree: &T) -> (Vec<u32>, Vec<(T::Node, Range<u32>)>) {
    fn visit<T: Nodes>(
        tree: &T,
        node: T::Node,
        order: &mut Vec<u32>,
        nodes: &mut Vec<(T::Node, Range<u32>)>,
    ) {
        let first = order.len() as u32;
        let children = tree.children(&node);
        if children.is_empty() {
            tree.leaf_triangles(&node, order);
        }
        for child in children {
            visit(tree, child, order, nodes);
        }
        nodes.push((node, first..order.len() as u32));
    }
    let (mut order, mut nodes) = (Vec::new(), Vec::new());
    visit(tree, tree.root(), &mut order, &mut nodes);
    nodes.sort_unstable_by_key(|(node, _)| T::index(node));
    (order, nodes)
}
