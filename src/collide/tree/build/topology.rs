//! Binary tree over triangles, from which each kind of hierarchy derives its volumes.

use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::volume::Aabb;

/// Binary tree over the triangles of a mesh, stored depth first.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// Nodes: 2n − 1 for n ≥ 1 triangles. The default has none; it is passed to kinds that ignore the
    /// topology.
    pub nodes: Vec<Branch>,
    /// Triangles in the order of their leaves.
    pub order: Vec<u32>,
}

impl Topology {
    /// Refits all boxes to the triangles of a mesh.
    pub fn fit(&mut self, mesh: &Mesh) {
        // Children come after their parents, and leaves are in their order.
        let mut leaf = self.order.len();
        for index in (0..self.nodes.len()).rev() {
            let node = self.nodes[index];
            self.nodes[index].bounds = if node.is_leaf() {
                leaf -= 1;
                mesh.triangle_bounds(self.order[leaf])
            } else {
                let [a, b] = node.children(index).map_each(|child| self.nodes[child].bounds);
                a.union(&b)
            };
        }
    }
}

/// A node of a [`Topology`].
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// Tight box of the triangles below, body space, m.
    pub bounds: Aabb,
    /// Number of triangles below; one at a leaf.
    pub count: u32,
    /// Number of triangles below the first child; zero at a leaf.
    pub first_count: u32,
    /// Axis along which the rule divided the triangles.
    pub axis: u8,
    /// Whether each of the two children moves its upper side along the axis; otherwise it moves its
    /// lower side.
    pub upper_sides: [bool; 2],
    /// Whether each child of a boxtree may move a different side instead.
    pub any_side: bool,
}

impl Branch {
    pub fn leaf(bounds: Aabb) -> Self {
        Self { bounds, count: 1, first_count: 0, axis: 0, upper_sides: [true, false], any_side: false }
    }

    pub fn is_leaf(&self) -> bool {
        self.count == 1
    }

    /// Returns the indices of the two children of the node at `index`.
    pub fn children(&self, index: usize) -> [usize; 2] {
        [index + 1, index + 2 * self.first_count as usize]
    }
}
