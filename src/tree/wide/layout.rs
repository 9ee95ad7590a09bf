//! How the wide boxtree stands in memory.

use glam::Vec3;

use super::sides::{Exact, Offsets, Sides};
use crate::mesh::PackedCone;

/// A tree of arity `W` over the triangles of one mesh; `B`: how the boxes of children are kept.
#[derive(Clone, Debug)]
pub struct WideTree<const W: usize, B = Offsets<W>> {
    /// Body space, m: what all other coordinates are relative to. Zero unless the surface is far from it.
    pub(super) center: Vec3,
    pub(super) root: Sides,
    pub(super) nodes: Vec<WideNode<W, B>>,
    /// Triangles in the order of the leaves.
    pub(super) triangles: Vec<u32>,
    pub(super) depth: u32,
    /// Directions in which the children of each node may carry contacts; empty if they were not asked for.
    pub(super) cones: Vec<[PackedCone; W]>,
    /// Length of the shortest edge where cones are noted, m.
    pub(super) finest: f64,
}

/// The sides of the children, and what is below.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct WideNode<const W: usize, B> {
    pub(super) sides: B,
    /// The nodes of the first `inner_count` children begin here,
    pub(super) first_node: u32,
    /// the triangles of the others here in the tree's list.
    pub(super) first_triangle: u32,
    pub(super) inner_count: u8,
    pub(super) child_count: u8,
}

const _: () = assert!(size_of::<WideNode<8, Offsets<8>>>() == 64);
const _: () = assert!(size_of::<WideNode<4, Offsets<4>>>() == 48);
const _: () = assert!(size_of::<WideNode<8, Exact<8>>>() == 208);

/// What a child is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Nobody's child, or whose only child is the whole tree.
    Root,
    Node(u32),
    /// Index into the tree's list of triangles.
    Leaf(u32),
}

impl<const W: usize, B> WideNode<W, B> {
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
    /// The triangles below a child that is a leaf or has only leaves below.
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

    /// A single triangle has no node.
    pub(super) fn top(&self) -> Child {
        if self.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) }
    }
}
