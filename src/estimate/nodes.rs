//! What the probabilistic query needs of a hierarchy beside its nodes: numbers for them, boxes relative to a
//! centre, and what else tells two nodes apart.

use glam::Vec3;

use crate::tree::{Boxtree, Nodes, Octree, VolumeTree};
use crate::volume::{Aabb, Dop, Transit, Volume};

/// A hierarchy whose nodes can have numbers of cells.
pub trait CellNodes: Nodes {
    /// What beside boxes tells two nodes apart: nothing, or a tighter volume.
    type Tight: Tight;

    /// Body space, m.
    fn center(&self) -> Vec3;
    /// From 0 to the number of nodes.
    fn index(node: &Self::Node) -> usize;
    /// Relative to the centre, m.
    fn local_bounds(&self, node: &Self::Node) -> Aabb;
    fn tight(&self, node: &Self::Node) -> Self::Tight;
    fn frames(&self, transit: &Transit) -> <Self::Tight as Tight>::Frames;
}

/// A volume inside a node's box, seen from two hierarchies' frames.
pub trait Tight: Copy {
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

impl CellNodes for VolumeTree<Aabb> {
    type Tight = ();

    fn center(&self) -> Vec3 {
        self.center()
    }

    fn index(&node: &u32) -> usize {
        node as usize
    }

    fn local_bounds(&self, &node: &u32) -> Aabb {
        *self.fitted_to(node)
    }

    fn tight(&self, _: &u32) {}

    fn frames(&self, _: &Transit) {}
}

impl CellNodes for VolumeTree<Dop<24>> {
    type Tight = Dop<24>;

    fn center(&self) -> Vec3 {
        self.center()
    }

    fn index(&node: &u32) -> usize {
        node as usize
    }

    fn local_bounds(&self, &node: &u32) -> Aabb {
        self.fitted_to(node).bounds()
    }

    fn tight(&self, &node: &u32) -> Dop<24> {
        *self.fitted_to(node)
    }

    fn frames(&self, transit: &Transit) -> <Dop<24> as Tight>::Frames {
        <Dop<24> as Volume>::frames(transit, self.shared())
    }
}

impl CellNodes for Octree {
    type Tight = ();

    fn center(&self) -> Vec3 {
        self.center()
    }

    fn index(&(index, _): &Self::Node) -> usize {
        index as usize
    }

    fn local_bounds(&self, &(index, place): &Self::Node) -> Aabb {
        self.grown(index, place)
    }

    fn tight(&self, _: &Self::Node) {}

    fn frames(&self, _: &Transit) {}
}

impl CellNodes for Boxtree {
    type Tight = ();

    fn center(&self) -> Vec3 {
        self.root_box().center()
    }

    fn index(&(index, _): &Self::Node) -> usize {
        index as usize
    }

    fn local_bounds(&self, (_, own): &Self::Node) -> Aabb {
        own.moved(-self.root_box().center())
    }

    fn tight(&self, _: &Self::Node) {}

    fn frames(&self, _: &Transit) {}
}
