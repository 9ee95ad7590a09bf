//! How the quantised boxtree stands in memory, and the way down.

use crate::tree::boxtree::node::{Below, BoxNode};
use crate::tree::build::{Branch, MovedSide, Topology};
use crate::volume::Aabb;

/// A quantised restricted boxtree over the triangles of one mesh.
#[derive(Clone, Debug)]
pub struct CompactBoxtree {
    pub(super) root: Aabb,
    /// At the place of the first triangle of a subtree that is small enough, its nodes depth first.
    pub(super) nodes: Vec<CompactNode>,
    /// The nodes of larger subtrees, depth first.
    pub(super) crown: Vec<CrownNode>,
    /// Triangles in the order of the leaves.
    pub(super) triangles: Vec<u32>,
    pub(super) depth: u32,
}

/// What moves at one node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cuts {
    /// The sides (see [`side`]) that the two children move, 3 bits each.
    pub(super) sides: u8,
    /// How far, in 255ths.
    pub(super) offsets: [u8; 2],
    /// The side that the node itself moves before (3 bits), and how far in 31sts (5).
    pub(super) shrink: u8,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CompactNode {
    pub(super) cuts: Cuts,
    /// Triangles below the first child.
    pub(super) first_count: u8,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CrownNode {
    pub(super) cuts: Cuts,
    pub(super) first_count: u32,
    /// NodePlace in the crown of the second child, if it is large.
    pub(super) second: u32,
}

const _: () = assert!(size_of::<CompactNode>() == 5);
const _: () = assert!(size_of::<CrownNode>() == 12);

/// Subtrees over more triangles are in the crown.
pub(super) const SMALL_COUNT: u32 = 256;

pub(super) const OFFSET_STEPS: f32 = 255.0;
pub(super) const SHRINK_STEPS: f32 = 31.0;

/// A subtree: where it is and what it spans.
#[derive(Clone, Copy, Debug)]
pub struct NodePlace {
    /// In the crown, or in the nodes if it spans few.
    pub(super) node: u32,
    /// The first of its triangles in the order of leaves.
    pub(super) first: u32,
    /// How many triangles it has.
    pub(super) count: u32,
}

/// A node with its box cut by `offset` of `steps` at one side: three bits, the axis twice and whether it is
/// the upper.
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

    /// `None` at a leaf.
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
        // A small subtree below a large one begins at the place of its first triangle.
        let place = |own_first: u32, own_count: u32, next: u32| {
            let begins = count > SMALL_COUNT && own_count <= SMALL_COUNT;
            NodePlace { node: if begins { own_first } else { next }, first: own_first, count: own_count }
        };
        let children =
            [place(first, first_count, next[0]), place(first + first_count, count - first_count, next[1])];
        Some((cuts, children))
    }

    /// What it was encoded from, without the boxes.
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
