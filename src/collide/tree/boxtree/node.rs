//! A node of a boxtree: one plane and a link, in 8 bytes. \[boxtree\] §3.1

use crate::mesh::MAX_TRIANGLE_COUNT;
use crate::tree::build::MovedSide;
use crate::volume::Aabb;

/// A node: the side by which its box differs from its parent's, and its children or its triangle.
#[derive(Clone, Copy, Debug)]
pub struct BoxNode {
    /// Coordinate of the moved side, body space, m.
    pub plane: f32,
    /// Axis (2 bits), upper side (1), kind of `Below` (2), and the index of the first child or of the
    /// triangle (27).
    link: u32,
}

const _: () = assert!(size_of::<BoxNode>() == 8);

const AXIS_SHIFT: u32 = 30;
const SIDE_BIT: u32 = 1 << 29;
const LEAF_BIT: u32 = 1 << 28;
const SHRINK_BIT: u32 = 1 << 27;
const INDEX_MASK: u32 = SHRINK_BIT - 1;

// Two nodes per triangle, and at most as many shrink nodes.
const _: () = assert!(4 * MAX_TRIANGLE_COUNT <= 1 << 27);

/// Children or triangle of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    Triangle(u32),
    /// Index of the only child.
    Shrink(u32),
    /// Index of the first of two adjacent children.
    Pair(u32),
}

impl BoxNode {
    /// Builds the node whose box has the given side moved.
    pub fn new(MovedSide { axis, is_upper, plane }: MovedSide, below: Below) -> Self {
        let side = if is_upper { SIDE_BIT } else { 0 };
        let (kind, index) = match below {
            Below::Triangle(triangle) => (LEAF_BIT, triangle),
            Below::Shrink(child) => (SHRINK_BIT, child),
            Below::Pair(first) => (0, first),
        };
        Self { plane, link: (axis as u32) << AXIS_SHIFT | side | kind | index }
    }

    pub fn set_below(&mut self, below: Below) {
        *self = Self::new(self.side(), below);
    }

    pub fn axis(self) -> usize {
        (self.link >> AXIS_SHIFT) as usize
    }

    pub fn upper_side(self) -> bool {
        self.link & SIDE_BIT != 0
    }

    pub fn below(self) -> Below {
        let index = self.link & INDEX_MASK;
        if self.link & LEAF_BIT != 0 {
            Below::Triangle(index)
        } else if self.link & SHRINK_BIT != 0 {
            Below::Shrink(index)
        } else {
            Below::Pair(index)
        }
    }

    /// Returns this node's box, given its parent's box.
    pub fn restrict(self, parent: Aabb) -> Aabb {
        self.side().restrict(parent)
    }

    fn side(self) -> MovedSide {
        MovedSide { axis: self.axis(), is_upper: self.upper_side(), plane: self.plane }
    }
}
