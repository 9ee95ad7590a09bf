//! Memory layout of the wide boxtree.

use glam::Vec3;

use super::bounds::{Bounds, Exact, Offsets};
use crate::mesh::PackedCone;

/// Tree of arity `W` over the triangles of one mesh. `B` is the encoding of the children's boxes.
#[derive(Clone, Debug)]
pub struct WideTree<const W: usize, B = Offsets<W>> {
    /// Origin of all other coordinates, body space, m. It is zero, unless the center of the surface's
    /// box is at least a box diagonal away from the body's origin; then it is that center.
    pub(super) center: Vec3,
    pub(super) root: Bounds,
    pub(super) nodes: Vec<WideNode<W, B>>,
    /// Triangles in the order of the leaves.
    pub(super) triangles: Vec<u32>,
    pub(super) depth: u32,
    /// Normal cones of the children of each node; empty if they were not computed.
    pub(super) cones: Vec<[PackedCone; W]>,
    /// Length of the mesh's shortest edge, m, if there are cones.
    pub(super) finest: f64,
}

/// Bounds of the children, and the indices of their nodes and triangles.
///
/// ```text
/// WideNode<8>: one cache line, 64 bytes
/// +-- 0 -----------------------------------+-- 48 ------+-- 52 ----------+-- 56 -------+-- 57 -------+
/// | offsets: 6 bounds x 8 children, u8     | first_node | first_triangle | inner_count | child_count |
/// +----------------------------------------+------------+----------------+-------------+-------------+
///   lane:  0 .. inner_count       inner children: nodes first_node, first_node + 1, ...
///          inner_count .. child_count    leaves: triangles first_triangle, first_triangle + 1, ...
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct WideNode<const W: usize, B> {
    pub(super) sides: B,
    /// Index of the first inner child's node. The nodes of the `inner_count` inner children are
    /// adjacent.
    pub(super) first_node: u32,
    /// Index of the first leaf's triangle in the tree's list of triangles.
    pub(super) first_triangle: u32,
    pub(super) inner_count: u8,
    pub(super) child_count: u8,
}

const _: () = assert!(size_of::<WideNode<8, Offsets<8>>>() == 64);
const _: () = assert!(size_of::<WideNode<4, Offsets<4>>>() == 48);
const _: () = assert!(size_of::<WideNode<8, Exact<8>>>() == 208);

/// Reference to a child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Virtual parent of the root.
    Root,
    Node(u32),
    /// Index into the tree's list of triangles.
    Leaf(u32),
}

impl<const W: usize, B> WideNode<W, B> {
    /// Returns a reference to the child in a lane.
    pub(super) fn child(&self, lane: usize) -> Child {
        let inner_count = usize::from(self.inner_count);
        if lane < inner_count {
            Child::Node(self.first_node + lane as u32)
        } else {
            Child::Leaf(self.first_triangle + (lane - inner_count) as u32)
        }
    }
}

impl<const W: usize, B> WideTree<W, B> {
    /// Returns the triangles below a child that is a leaf or has only leaves as children; `None` for
    /// other children.
    #[inline(always)]
    pub(super) fn block(&self, child: Child) -> Option<&[u32]> {
        let (first, count) = match child {
            Child::Leaf(leaf) => (leaf, 1),
            Child::Node(index) => {
                let node = &self.nodes[index as usize];
                (node.inner_count == 0).then_some((node.first_triangle, node.child_count.into()))?
            }
            Child::Root => return None,
        };
        self.triangles.get(first as usize..first as usize + count)
    }

    /// Returns a reference to the root. The tree of a single triangle has no node, so its root is a
    /// leaf.
    pub(super) fn top(&self) -> Child {
        if self.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) }
    }
}
