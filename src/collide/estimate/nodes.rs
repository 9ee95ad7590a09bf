//! Interface to a hierarchy that the probabilistic query needs in addition to [`Nodes`]: indices of
//! nodes, boxes relative to a center, and tighter volumes.

use glam::Vec3;

use crate::tree::{Boxtree, Nodes, Octree, VolumeTree};
use crate::volume::{Aabb, Dop, Transit, Volume};

/// Hierarchy whose nodes can have occupancy counts.
pub trait CellNodes: Nodes {
    /// Volume of a node that can separate nodes even if their boxes overlap; `()` if there is none.
    type Tight: Tight;

    /// Returns the origin of the local boxes, in body space, m.
    fn center(&self) -> Vec3;
    /// Returns the index of a node, from 0 to the number of nodes − 1.
    fn index(node: &Self::Node) -> usize;
    /// Returns the node's box relative to the center, m.
    fn local_bounds(&self, node: &Self::Node) -> Aabb;
    fn tight(&self, node: &Self::Node) -> Self::Tight;
    fn frames(&self, transit: &Transit) -> <Self::Tight as Tight>::Frames;
}

/// Volume inside a node's box, which a query transforms into the frames of the two hierarchies.
pub trait Tight: Copy {
    type Frames;
    type A: Copy;
    type B: Copy;
    fn carry_a(&self, frames: &Self::Frames) -> Self::A;
    fn carry_b(&self, frames: &Self::Frames) -> Self::B;
    /// Returns whether the volumes may be within the margin of each other. False proves that they are
    /// farther apart.
    fn meet(a: &Self::A, b: &Self::B, frames: &Self::Frames) -> bool;
}

/// No tighter volume: only the boxes are tested.
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
