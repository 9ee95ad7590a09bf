//! How the wide boxtree stands in memory.

use glam::Vec3;

use crate::arrays::MapEach;
use crate::mesh::PackedCone;
use crate::volume::Aabb;

/// A boxtree of arity `W` over the triangles of one mesh.
#[derive(Clone, Debug)]
pub struct WideTree<const W: usize> {
    /// Body space, m: what all other coordinates are relative to. Zero unless the surface is far from it.
    pub(super) center: Vec3,
    pub(super) root: Sides,
    pub(super) nodes: Vec<WideNode<W>>,
    /// Triangles in the order of the leaves.
    pub(super) triangles: Vec<u32>,
    pub(super) depth: u32,
    /// Directions in which the children of each node may carry contacts; empty if they were not asked for.
    pub(super) cones: Vec<[PackedCone; W]>,
    /// Length of the shortest edge where cones are noted, m.
    pub(super) finest: f64,
}

/// Offsets of the children's sides, and what is below.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct WideNode<const W: usize> {
    /// Lower sides above the parent's, upper sides below the parent's, an axis a row.
    pub(super) low: [[u8; W]; 3],
    pub(super) high: [[u8; W]; 3],
    /// The nodes of the first `inner_count` children begin here,
    pub(super) first_node: u32,
    /// the triangles of the others here in the tree's list.
    pub(super) first_triangle: u32,
    pub(super) inner_count: u8,
    pub(super) child_count: u8,
}

const _: () = assert!(size_of::<WideNode<8>>() == 64);
const _: () = assert!(size_of::<WideNode<4>>() == 48);

/// A box relative to the tree's centre, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sides {
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
}

/// What a child is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Nobody's child, or whose only child is the whole tree.
    Root,
    Node(u32),
    /// Index into the tree's list of triangles.
    Leaf(u32),
}

impl<const W: usize> WideNode<W> {
    pub(super) fn child(&self, lane: usize) -> Child {
        let inner_count = usize::from(self.inner_count);
        if lane < inner_count {
            Child::Node(self.first_node + lane as u32)
        } else {
            Child::Leaf(self.first_triangle + (lane - inner_count) as u32)
        }
    }

    /// The box of one child; the kernel does the same to all at once.
    pub(super) fn decode(&self, lane: usize, parent: &Sides) -> Sides {
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
pub(super) fn unit(low: f32, high: f32) -> f32 {
    (high - low) * (1.0 / 255.0)
}

#[inline(always)]
pub(super) fn raise(low: f32, offset: u8, unit: f32) -> f32 {
    low + f32::from(offset) * unit
}

#[inline(always)]
pub(super) fn lower(high: f32, offset: u8, unit: f32) -> f32 {
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
    /// The length of the longest side, m.
    #[inline(always)]
    pub(super) fn longest(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map_each(|k| self.high[k] - self.low[k]);
        x.max(y).max(z)
    }

    /// Around a box in body space, rounded outward.
    pub(super) fn around(bounds: &Aabb, center: Vec3) -> Self {
        if center == Vec3::ZERO {
            return (*bounds).into();
        }
        let center = center.as_dvec3();
        Aabb::from_f64(bounds.min.as_dvec3() - center, bounds.max.as_dvec3() - center).into()
    }

    /// In body space, rounded outward.
    pub(super) fn placed(&self, center: Vec3) -> Aabb {
        let center = center.as_dvec3();
        let [low, high] = [self.low, self.high].map_each(|s| Vec3::from(s).as_dvec3() + center);
        Aabb::from_f64(low, high)
    }
}

impl<const W: usize> WideTree<W> {
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
