//! The restricted boxtree: a box differs from its parent's in one side only, so a node stores one plane and
//! no box. \[boxtree\] §3.1, §3.2.5
//!
//! A node is 8 bytes: the plane and a link. The two children of a node are adjacent, so that both of their
//! planes are read together when the parent is visited. A *shrink* node has one child: it moves a side in
//! without dividing the triangles. Planes are absolute coordinates in body space, `f32`, exact bounds of the
//! vertices behind them. Memory: 8 bytes a node, 2n − 1 nodes for n triangles plus the shrink nodes.

mod compact;
mod emit;
mod face_axes;
mod lookup;
mod overlap;
mod sat;

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use glam::Vec3;

use super::adb::Nodes;
use super::build::triangle_bounds;
use super::kind::{BoxtreeTest, Overlap};
use super::segment::LeafVisitor;
use super::{Hierarchy, RefitScratch};
use crate::mesh::{MAX_TRIANGLE_COUNT, Mesh};
use crate::volume::{Aabb, Meets, Transit, Volume};
pub use compact::CompactBoxtree;
pub(super) use compact::{CompactPair, CompactStack, encode};
pub(super) use emit::emit;
pub(super) use overlap::{Scratch, visit};

/// A restricted boxtree over the triangles of one mesh, in its body space.
#[derive(Clone, Debug)]
pub struct Boxtree {
    pub(super) root: Aabb,
    pub(super) nodes: Vec<BoxNode>,
    /// Levels below the root.
    pub(super) depth: u32,
    /// Offsets of the nodes for the test that looks them up, see `lookup`; empty for the others.
    steps: Vec<u16>,
}

/// One node: how its box differs from its parent's, and what is below.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxNode {
    /// Coordinate of the one side that moved, body space, m.
    pub plane: f32,
    /// Axis (2 bits), which side moved (1), what is below (2), index of the first child or the triangle (27).
    link: u32,
}

const _: () = assert!(size_of::<BoxNode>() == 8);

const AXIS_SHIFT: u32 = 30;
const SIDE_BIT: u32 = 1 << 29;
const LEAF_BIT: u32 = 1 << 28;
const SHRINK_BIT: u32 = 1 << 27;
const INDEX_MASK: u32 = SHRINK_BIT - 1;

// Two nodes a triangle and as many shrink nodes at most.
const _: () = assert!(4 * MAX_TRIANGLE_COUNT <= 1 << 27);

/// What a node leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    Triangle(u32),
    /// Index of the only child.
    Shrink(u32),
    /// Index of the first of two adjacent children.
    Pair(u32),
}

impl BoxNode {
    /// `upper_side`: the box's maximum on `axis` moved to `plane` (a lower child); else its minimum did.
    pub fn new(axis: usize, upper_side: bool, plane: f32, below: Below) -> Self {
        let side = if upper_side { SIDE_BIT } else { 0 };
        let (kind, index) = match below {
            Below::Triangle(triangle) => (LEAF_BIT, triangle),
            Below::Shrink(child) => (SHRINK_BIT, child),
            Below::Pair(first) => (0, first),
        };
        Self { plane, link: (axis as u32) << AXIS_SHIFT | side | kind | index }
    }

    pub fn set_below(&mut self, below: Below) {
        *self = Self::new(self.axis(), self.upper_side(), self.plane, below);
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

    /// This node's box from its parent's.
    pub fn restrict(self, parent: Aabb) -> Aabb {
        let mut own = parent;
        if self.upper_side() {
            own.max[self.axis()] = self.plane;
        } else {
            own.min[self.axis()] = self.plane;
        }
        own
    }
}

impl Boxtree {
    fn extent(&self) -> (Aabb, u32) {
        (self.root, self.depth)
    }

    /// Calls `visit` with what is below every node, its level and its box, parents first; goes below if told so.
    fn walk(&self, mut visit: impl FnMut(Below, u32, &Aabb) -> bool) {
        let mut stack = vec![(0u32, self.root, 0u32)];
        while let Some((index, parent, level)) = stack.pop() {
            let node = self.nodes[index as usize];
            let own = node.restrict(parent);
            if !visit(node.below(), level, &own) {
                continue;
            }
            match node.below() {
                Below::Triangle(_) => {}
                Below::Shrink(child) => stack.push((child, own, level + 1)),
                Below::Pair(first) => stack.extend([(first, own, level + 1), (first + 1, own, level + 1)]),
            }
        }
    }

    /// With what its test needs of it.
    pub(super) fn under(mut self, test: BoxtreeTest) -> Self {
        if test.overlap == Overlap::Lookup {
            self.steps = lookup::offset_steps(&self);
        }
        self
    }
}

impl Hierarchy for Boxtree {
    fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn byte_count(&self) -> usize {
        size_of::<Self>()
            + self.nodes.capacity() * size_of::<BoxNode>()
            + self.steps.capacity() * size_of::<u16>()
    }

    fn for_each_box(&self, level: u32, show: &mut dyn FnMut(Aabb)) {
        self.walk(|below, own_level, own| {
            let shown = own_level == level || matches!(below, Below::Triangle(_));
            if shown {
                show(*own);
            }
            !shown
        });
    }

    fn for_each_volume(&self, show: &mut dyn FnMut(f64)) {
        self.walk(|_, _, own| {
            show(own.volume());
            true
        });
    }

    /// Every triangle in exactly one leaf, inside the box of its leaf (hence of every ancestor, as boxes only
    /// shrink), every box with `min <= max` and inside its parent's.
    fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        let mut seen = vec![false; mesh.triangles().len()];
        let mut stack = vec![(0u32, self.root)];
        let mut visited = 0;
        while let Some((index, parent)) = stack.pop() {
            visited += 1;
            let node = self.nodes[index as usize];
            let own = node.restrict(parent);
            if own.is_empty() || !parent.contains(&own) {
                return Err(format!("node {index}: {own:?} is not inside its parent {parent:?}"));
            }
            match node.below() {
                Below::Triangle(triangle) => {
                    if std::mem::replace(&mut seen[triangle as usize], true) {
                        return Err(format!("triangle {triangle} is in two leaves"));
                    }
                    let corners = mesh.triangles()[triangle as usize].map(|v| mesh.vertices()[v as usize]);
                    if !corners.iter().all(|&c: &Vec3| own.contains_point(c)) {
                        return Err(format!("triangle {triangle} sticks out of its leaf {own:?}"));
                    }
                }
                Below::Shrink(child) => stack.push((child, own)),
                Below::Pair(first) => stack.extend([(first, own), (first + 1, own)]),
            }
        }
        if visited != self.nodes.len() {
            return Err(format!("{} of {} nodes can be reached", visited, self.nodes.len()));
        }
        match seen.iter().position(|s| !s) {
            Some(triangle) => Err(format!("triangle {triangle} is in no leaf")),
            None => Ok(()),
        }
    }

    fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch) {
        // Children stand behind their parents.
        let tight = &mut scratch.tight;
        tight.clear();
        tight.resize(self.nodes.len(), Aabb::EMPTY);
        for index in (0..self.nodes.len()).rev() {
            tight[index] = match self.nodes[index].below() {
                Below::Triangle(triangle) => triangle_bounds(mesh, triangle),
                Below::Shrink(child) => tight[child as usize],
                Below::Pair(first) => tight[first as usize].union(&tight[first as usize + 1]),
            };
        }
        self.root = tight[0];
        for (node, tight) in self.nodes.iter_mut().zip(tight) {
            let axis = node.axis();
            node.plane = if node.upper_side() { tight.max[axis] } else { tight.min[axis] };
        }
        if !self.steps.is_empty() {
            self.steps = lookup::offset_steps(self);
        }
    }

    fn visit_segment(&self, visitor: &mut LeafVisitor) -> ControlFlow<()> {
        let mut stack = std::mem::take(visitor.stack);
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push((0, self.root));
        }
        let mut answer = ControlFlow::Continue(());
        while let Some((index, parent)) = stack.pop() {
            let node = self.nodes[index as usize];
            let own = node.restrict(parent);
            if !own.meets(visitor.segment) {
                continue;
            }
            match node.below() {
                Below::Triangle(triangle) => {
                    answer = (visitor.leaf)(triangle);
                    if answer.is_break() {
                        break;
                    }
                }
                Below::Shrink(child) => stack.push((child, own)),
                Below::Pair(first) => stack.extend([(first, own), (first + 1, own)]),
            }
        }
        *visitor.stack = stack;
        answer
    }
}

impl Nodes for Boxtree {
    /// With its box, body space.
    type Node = (u32, Aabb);
    type Tight = ();

    fn center(&self) -> Vec3 {
        self.root.center()
    }

    fn root(&self) -> (u32, Aabb) {
        (0, self.root)
    }

    fn index(&(index, _): &(u32, Aabb)) -> usize {
        index as usize
    }

    fn bounds(&self, (_, Aabb { min, max }): &(u32, Aabb)) -> Aabb {
        let center = self.root.center().as_dvec3();
        Aabb::from_f64(min.as_dvec3() - center, max.as_dvec3() - center)
    }

    fn is_leaf(&self, &(index, _): &(u32, Aabb)) -> bool {
        matches!(self.nodes[index as usize].below(), Below::Triangle(_))
    }

    fn children(&self, &(index, own): &(u32, Aabb)) -> ArrayVec<(u32, Aabb), 8> {
        let below = |child: u32| (child, self.nodes[child as usize].restrict(own));
        match self.nodes[index as usize].below() {
            Below::Triangle(_) => ArrayVec::new(),
            Below::Shrink(child) => std::iter::once(below(child)).collect(),
            Below::Pair(first) => [below(first), below(first + 1)].into_iter().collect(),
        }
    }

    fn leaf_triangles(&self, &(index, _): &(u32, Aabb), out: &mut Vec<u32>) {
        if let Below::Triangle(triangle) = self.nodes[index as usize].below() {
            out.push(triangle);
        }
    }

    fn tight(&self, _: &(u32, Aabb)) {}

    fn frames(&self, _: &Transit) {}
}
