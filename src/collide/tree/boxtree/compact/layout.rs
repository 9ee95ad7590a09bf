//! Memory layout of the quantized boxtree, and its decoding.

use crate::tree::boxtree::node::{Below, BoxNode};
use crate::tree::build::{Branch, MovedSide, Topology};
use crate::volume::Aabb;

/// Quantized restricted boxtree over the triangles of one mesh.
#[derive(Clone, Debug)]
pub struct CompactBoxtree {
    pub(super) root: Aabb,
    /// Nodes of small subtrees, depth first. A subtree starts at the index of its first triangle.
    pub(super) nodes: Vec<CompactNode>,
    /// Nodes of larger subtrees, depth first.
    pub(super) crown: Vec<CrownNode>,
    /// Triangles in the order of the leaves.
    pub(super) triangles: Vec<u32>,
    pub(super) depth: u32,
}

/// Sides that move in at one node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cuts {
    /// Sides (see [`cut`]) that the two children move, 3 bits each.
    pub(super) sides: u8,
    /// Offsets of these two sides, in 255ths of the box.
    pub(super) offsets: [u8; 2],
    /// Side that the node's own box moves in before its children's boxes (3 bits), and its offset in
    /// 31sts of the box (5 bits).
    pub(super) shrink: u8,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CompactNode {
    pub(super) cuts: Cuts,
    /// Number of triangles below the first child.
    pub(super) first_count: u8,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CrownNode {
    pub(super) cuts: Cuts,
    pub(super) first_count: u32,
    /// Crown index of the second child, if this child is in the crown.
    pub(super) second: u32,
}

const _: () = assert!(size_of::<CompactNode>() == 5);
const _: () = assert!(size_of::<CrownNode>() == 12);

/// Largest number of triangles of a subtree that is stored outside the crown.
pub(super) const SMALL_COUNT: u32 = 256;

pub(super) const OFFSET_STEPS: f32 = 255.0;
pub(super) const SHRINK_STEPS: f32 = 31.0;

/// Position of a subtree in memory, and its range of triangles.
#[derive(Clone, Copy, Debug)]
pub struct NodePlace {
    /// Index in the crown, or in `nodes` if the subtree has at most `SMALL_COUNT` triangles.
    pub(super) node: u32,
    /// Index of its first triangle in the order of the leaves.
    pub(super) first: u32,
    /// Number of its triangles.
    pub(super) count: u32,
}

/// Returns a node whose box is `own` with one side moved in by `offset` of `steps` steps. `side` has
/// three bits: twice the axis, plus one for the upper side.
#[inline(always)]
pub(super) fn cut(own: &Aabb, side: u8, offset: u8, steps: f32) -> BoxNode {
    let (axis, upper_side) = (usize::from(side >> 1), side & 1 != 0);
    let step = (own.max[axis] - own.min[axis]) / steps;
    let by = f32::from(offset) * step;
    let plane = if upper_side { own.max[axis] - by } else { own.min[axis] + by };
    BoxNode::new(MovedSide { axis, is_upper: upper_side, plane }, Below::Triangle(0))
}

impl Cuts {
    #[inline(always)]
    pub(super) fn shrunk(self, own: &Aabb) -> BoxNode {
        cut(own, self.shrink & 7, self.shrink >> 3, SHRINK_STEPS)
    }

    #[inline(always)]
    pub(super) fn child(self, own: &Aabb, k: usize) -> BoxNode {
        cut(own, self.sides >> (3 * k) & 7, self.offsets[k], OFFSET_STEPS)
    }
}

impl CompactBoxtree {
    pub(super) fn top(&self) -> NodePlace {
        NodePlace { node: 0, first: 0, count: self.triangles.len() as u32 }
    }

    /// Returns the cuts and the children of a node; `None` at a leaf.
    #[inline(always)]
    pub(super) fn below(
        &self,
        NodePlace { node, first, count }: NodePlace,
    ) -> Option<(Cuts, [NodePlace; 2])> {
        if count == 1 {
            return None;
        }
        let (cuts, first_count, next) = if count > SMALL_COUNT {
            let CrownNode { cuts, first_count, second } = self.crown[node as usize];
            (cuts, first_count, [node + 1, second])
        } else {
            let CompactNode { cuts, first_count } = self.nodes[node as usize];
            let first_count = u32::from(first_count);
            (cuts, first_count, [node + 1, node + first_count])
        };
        // A small subtree below a crown node is stored from the index of its first triangle on.
        let place = |own_first: u32, own_count: u32, next: u32| {
            let begins = count > SMALL_COUNT && own_count <= SMALL_COUNT;
            NodePlace { node: if begins { own_first } else { next }, first: own_first, count: own_count }
        };
        let children =
            [place(first, first_count, next[0]), place(first + first_count, count - first_count, next[1])];
        Some((cuts, children))
    }

    /// Returns the topology that the tree was encoded from, without its boxes.
    pub(super) fn topology(&self) -> Topology {
        let leaf = Branch::leaf(Aabb::EMPTY);
        let mut nodes = vec![leaf; 2 * self.triangles.len() - 1];
        let mut stack = vec![(self.top(), 0)];
        while let Some((place, index)) = stack.pop() {
            if let Some((_, children)) = self.below(place) {
                nodes[index] =
                    Branch { count: place.count, first_count: children[0].count, any_side: true, ..leaf };
                stack.extend(children.into_iter().zip(nodes[index].children(index)));
            }
        }
        Topology { nodes, order: self.triangles.clone() }
    }
}
