//! A binary tree over triangles, from which each kind of hierarchy takes its volumes.

use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::volume::Aabb;

/// A binary tree over the triangles of a mesh, depth first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topology {
    /// 2n − 1 nodes for n triangles; a mesh has at least one. None in the one for kinds that take no notice.
    pub nodes: Vec<Branch>,
    /// The triangles in the order of their leaves.
    pub order: Vec<u32>,
}

impl Topology {
    /// Fits all boxes to the triangles of a mesh.
    pub fn fit(&mut self, mesh: &Mesh) {
        // Children stand behind their parents, leaves in their order.
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
pub(crate) struct Branch {
    /// Tight around the triangles below, body space, m.
    pub bounds: Aabb,
    /// Triangles below; one at a leaf.
    pub count: u32,
    /// How many of them are below the first child; zero at a leaf.
    pub first_count: u32,
    /// Axis along which the rule divided.
    pub axis: u8,
    /// For the two children, whether their upper side moved along the axis; else their lower side did.
    pub upper_sides: [bool; 2],
    /// Whether each child may move another side than these.
    pub any_side: bool,
}

impl Branch {
    pub fn leaf(bounds: Aabb) -> Self {
        Self { bounds, count: 1, first_count: 0, axis: 0, upper_sides: [true, false], any_side: false }
    }

    pub fn is_leaf(&self) -> bool {
        self.count == 1
    }

    /// Places of the two children of the node at `index`.
    pub fn children(&self, index: usize) -> [usize; 2] {
        [index + 1, index + 2 * self.first_count as usize]
    }
}
