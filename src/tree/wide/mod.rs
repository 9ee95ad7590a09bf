//! The restricted boxtree with wide nodes: W children a node, no box stored, every side of a child an offset
//! from the same side of its parent's box, in 255ths of the parent's extent. \[boxtree\] §3.1, §6.1
//!
//! Several levels of a binary tree fall together into one node, so a child differs from its parent in all six
//! sides instead of one; the box is still known only on the way down. A node of eight is one cache line.
//! Offsets are rounded so that decoded boxes contain what they bound: the encoder runs the decoder's own
//! arithmetic. Coordinates are relative to the root box's centre. Inner children come before leaves; both
//! are contiguous. Memory: 64 bytes for eight children, 4 bytes a triangle.

mod encode;
mod kernel;
mod nearest;
mod traverse;

use std::ops::ControlFlow;

use glam::Vec3;

use super::segment::LeafVisitor;
use super::{Hierarchy, RefitScratch};
use crate::mesh::Mesh;
use crate::volume::{Aabb, Meets, Volume};
pub(super) use encode::encode;
pub(super) use nearest::Approach;
pub(super) use traverse::{Stack, Traverse};

/// A boxtree of arity `W` over the triangles of one mesh.
#[derive(Clone, Debug)]
pub struct WideTree<const W: usize> {
    /// Body space, m: what all other coordinates are relative to. Zero unless the surface is far from it.
    center: Vec3,
    root: Sides,
    nodes: Vec<WideNode<W>>,
    /// Triangles in the order of the leaves.
    triangles: Vec<u32>,
    depth: u32,
}

/// Offsets of the children's sides, and what is below.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(super) struct WideNode<const W: usize> {
    /// Lower sides above the parent's, upper sides below the parent's, an axis a row.
    low: [[u8; W]; 3],
    high: [[u8; W]; 3],
    /// The nodes of the first `inner_count` children begin here,
    first_node: u32,
    /// the triangles of the others here in the tree's list.
    first_triangle: u32,
    inner_count: u8,
    child_count: u8,
}

const _: () = assert!(size_of::<WideNode<8>>() == 64);
const _: () = assert!(size_of::<WideNode<4>>() == 48);

/// A box relative to the tree's centre, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sides {
    low: [f32; 3],
    high: [f32; 3],
}

/// What a child is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    /// Nobody's child, or whose only child is the whole tree.
    Root,
    Node(u32),
    /// Index into the tree's list of triangles.
    Leaf(u32),
}

impl<const W: usize> WideNode<W> {
    fn child(&self, lane: usize) -> Child {
        let inner_count = usize::from(self.inner_count);
        if lane < inner_count {
            Child::Node(self.first_node + lane as u32)
        } else {
            Child::Leaf(self.first_triangle + (lane - inner_count) as u32)
        }
    }

    /// The box of one child; the kernel does the same to all at once.
    fn decode(&self, lane: usize, parent: &Sides) -> Sides {
        let mut own = *parent;
        for k in 0..3 {
            let unit = unit(parent.low[k], parent.high[k]);
            own.low[k] = raise(parent.low[k], self.low[k][lane], unit);
            own.high[k] = lower(parent.high[k], self.high[k][lane], unit);
        }
        own
    }
}

/// What one step of an offset is worth.
#[inline(always)]
fn unit(low: f32, high: f32) -> f32 {
    (high - low) * (1.0 / 255.0)
}

#[inline(always)]
fn raise(low: f32, offset: u8, unit: f32) -> f32 {
    low + f32::from(offset) * unit
}

#[inline(always)]
fn lower(high: f32, offset: u8, unit: f32) -> f32 {
    high - f32::from(offset) * unit
}

impl From<Sides> for Aabb {
    fn from(sides: Sides) -> Self {
        Self::new(sides.low.into(), sides.high.into())
    }
}

impl From<Aabb> for Sides {
    fn from(bounds: Aabb) -> Self {
        Self { low: bounds.min.into(), high: bounds.max.into() }
    }
}

impl Sides {
    /// Around a box in body space, rounded outward.
    fn around(bounds: &Aabb, center: Vec3) -> Self {
        if center == Vec3::ZERO {
            return (*bounds).into();
        }
        let center = center.as_dvec3();
        Aabb::from_f64(bounds.min.as_dvec3() - center, bounds.max.as_dvec3() - center).into()
    }

    /// In body space, rounded outward.
    fn placed(&self, center: Vec3) -> Aabb {
        let center = center.as_dvec3();
        let [low, high] = [self.low, self.high].map(|s| Vec3::from(s).as_dvec3() + center);
        Aabb::from_f64(low, high)
    }
}

impl<const W: usize> WideTree<W> {
    /// A single triangle has no node.
    fn top(&self) -> Child {
        if self.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) }
    }

    /// Calls `visit` with every node and leaf, the level of its parent's children and its box, parents first;
    /// goes below a node if told so.
    fn walk(&self, mut visit: impl FnMut(Child, u32, &Sides) -> bool) {
        let mut stack = vec![(self.top(), 0, self.root)];
        while let Some((child, level, own)) = stack.pop() {
            if !visit(child, level, &own) {
                continue;
            }
            if let Child::Node(index) = child {
                let node = &self.nodes[index as usize];
                let lanes = 0..usize::from(node.child_count);
                stack.extend(lanes.map(|lane| (node.child(lane), level + 1, node.decode(lane, &own))));
            }
        }
    }
}

impl<const W: usize> Hierarchy for WideTree<W> {
    fn byte_count(&self) -> usize {
        size_of::<Self>()
            + self.nodes.capacity() * size_of::<WideNode<W>>()
            + self.triangles.capacity() * size_of::<u32>()
    }

    /// Inner nodes and leaves.
    fn node_count(&self) -> usize {
        self.nodes.len() + self.triangles.len()
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn for_each_box(&self, level: u32, show: &mut dyn FnMut(Aabb)) {
        self.walk(|child, own_level, own| {
            let shown = own_level == level || matches!(child, Child::Leaf(_));
            if shown {
                show(own.placed(self.center));
            }
            !shown
        });
    }

    fn for_each_volume(&self, show: &mut dyn FnMut(f64)) {
        self.walk(|_, _, own| {
            show(Aabb::from(*own).volume());
            true
        });
    }

    fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        let mut seen = vec![false; mesh.triangles().len()];
        let mut fault = None;
        let mut node_count = 0;
        self.walk(|child, _, own| {
            let Child::Leaf(leaf) = child else {
                node_count += 1;
                return fault.is_none();
            };
            let triangle = self.triangles[leaf as usize];
            if std::mem::replace(&mut seen[triangle as usize], true) {
                fault = Some(format!("triangle {triangle} is in two leaves"));
            }
            let inside = mesh.triangles()[triangle as usize].iter().all(|&v| {
                let at = mesh.vertices()[v as usize].as_dvec3() - self.center.as_dvec3();
                (0..3).all(|k| f64::from(own.low[k]) <= at[k] && at[k] <= f64::from(own.high[k]))
            });
            if !inside {
                fault = Some(format!("triangle {triangle} sticks out of its leaf {own:?}"));
            }
            false
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        if node_count != self.nodes.len() {
            return Err(format!("{node_count} of {} nodes can be reached", self.nodes.len()));
        }
        match seen.iter().position(|s| !s) {
            Some(triangle) => Err(format!("triangle {triangle} is in no leaf")),
            None => Ok(()),
        }
    }

    fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch) {
        encode::refit(self, mesh, scratch);
    }

    fn visit_segment(&self, visitor: &mut LeafVisitor) -> ControlFlow<()> {
        // The stack's boxes are relative to the centre here; its numbers name nodes, or leaves past them.
        let node_count = self.nodes.len() as u32;
        let number = |child: Child| match child {
            Child::Node(index) => index,
            Child::Leaf(leaf) => node_count + leaf,
            Child::Root => 0,
        };
        visitor.stack.clear();
        visitor.stack.push((number(self.top()), self.root.into()));
        while let Some((index, own)) = visitor.stack.pop() {
            let own = Sides::from(own);
            if !own.placed(self.center).meets(visitor.segment) {
                continue;
            }
            match self.nodes.get(index as usize) {
                Some(node) => {
                    let lanes = 0..usize::from(node.child_count);
                    let children =
                        lanes.map(|lane| (number(node.child(lane)), node.decode(lane, &own).into()));
                    visitor.stack.extend(children);
                }
                None => (visitor.leaf)(self.triangles[(index - node_count) as usize])?,
            }
        }
        ControlFlow::Continue(())
    }
}
