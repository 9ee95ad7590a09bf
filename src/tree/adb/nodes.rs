//! What the probabilistic query needs of a hierarchy: nodes with boxes, their children, and what else tells two
//! nodes apart. Each of the hierarchies that can be asked says it in its own file.

use arrayvec::ArrayVec;
use glam::Vec3;

use crate::tree::Hierarchy;
use crate::volume::{Aabb, Dop, Transit, Volume};

/// A hierarchy of nodes with boxes, which are relative to a centre.
pub(in crate::tree) trait Nodes: Hierarchy + Sync {
    /// A node, and what it takes to find its box.
    type Node: Copy + Send + Sync;
    /// What beside boxes tells two nodes apart: nothing, or a tighter volume.
    type Tight: Tight;

    /// Body space, m.
    fn center(&self) -> Vec3;
    fn root(&self) -> Self::Node;
    /// From 0 to the number of nodes.
    fn index(node: &Self::Node) -> usize;
    fn bounds(&self, node: &Self::Node) -> Aabb;
    fn is_leaf(&self, node: &Self::Node) -> bool;
    /// None at a leaf.
    fn children(&self, node: &Self::Node) -> ArrayVec<Self::Node, 8>;
    /// Appends those of a leaf.
    fn leaf_triangles(&self, node: &Self::Node, out: &mut Vec<u32>);
    fn tight(&self, node: &Self::Node) -> Self::Tight;
    fn frames(&self, transit: &Transit) -> <Self::Tight as Tight>::Frames;
}

/// A volume inside a node's box, seen from two hierarchies' frames.
pub(in crate::tree) trait Tight: Copy {
    type Frames;
    type A: Copy;
    type B: Copy;
    fn carry_a(&self, frames: &Self::Frames) -> Self::A;
    fn carry_b(&self, frames: &Self::Frames) -> Self::B;
    /// Conservative: may only say no if the two are farther apart than the margin.
    fn meet(a: &Self::A, b: &Self::B, frames: &Self::Frames) -> bool;
}

/// Nothing: the boxes decide.
impl Tight for () {
    type Frames = ();
    type A = ();
    type B = ();

    fn carry_a(&self, (): &()) {}

    fn carry_b(&self, (): &()) {}

    fn meet((): &(), (): &(), (): &()) -> bool {
        true
    }
}

impl Tight for Dop<24> {
    type Frames = <Self as Volume>::Frames;
    type A = <Self as Volume>::A;
    type B = <Self as Volume>::B;

    fn carry_a(&self, frames: &Self::Frames) -> Self::A {
        Volume::carry_a(self, frames)
    }

    fn carry_b(&self, frames: &Self::Frames) -> Self::B {
        Volume::carry_b(self, frames)
    }

    fn meet(a: &Self::A, b: &Self::B, frames: &Self::Frames) -> bool {
        Self::overlap(a, b, frames)
    }
}
