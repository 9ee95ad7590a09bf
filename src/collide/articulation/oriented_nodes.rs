//! Hierarchy of oriented boxes: CAB, or OBB with axes from the covariance. \[cab\] §3, §4

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};
use glam::{Vec3, Vec3A};

use super::aligned::AlignedBox;
use super::cab::Folded;
use super::eight::LeafPacket;
use super::frame::{Frames, LANES, Poses};
use super::oriented::{OrientedBox, OrientedBoxes};
use super::topology::{Inner, Topology};
use super::{cab, principal};
use crate::arrays::MapEach;
use crate::volume::Obb;

/// Method that derives a parent's axes from its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axes {
    Cab(Folded),
    Principal,
}

#[derive(Clone, Debug)]
pub(super) struct OrientedNodes {
    axes: Axes,
    bodies: Vec<OrientedBoxes>,
    joints: Vec<Joint>,
    /// Leaves in the present poses.
    leaves: Vec<OrientedBoxes>,
    /// All nodes in the present poses; empty before a refit.
    pub volumes: Vec<OrientedBox>,
}

/// Joint of a link to its parent.
#[derive(Clone, Copy, Debug)]
struct Joint {
    /// Position in body space, m.
    anchor: Vec3,
    /// Position along the axes of the link's box, relative to its center.
    along: Vec3A,
}

impl OrientedNodes {
    /// Builds the nodes. `leaves` gives each link's box and the position of its joint to its parent, in
    /// body space.
    pub fn new(axes: Axes, leaves: impl Iterator<Item = (Obb, Vec3)>) -> Self {
        let (mut bodies, mut joints) = (Vec::new(), Vec::new());
        for (leaf, (fitted, anchor)) in leaves.enumerate() {
            if leaf % LANES == 0 {
                bodies.push(OrientedBoxes::ABSENT);
            }
            bodies[leaf / LANES].set(leaf % LANES, &fitted);
            joints.push(Joint::new(anchor, &fitted));
        }
        let leaves = Vec::with_capacity(bodies.len());
        let volumes = Vec::with_capacity(2 * joints.len());
        Self { axes, bodies, joints, leaves, volumes }
    }

    pub fn set_leaf(&mut self, leaf: usize, fitted: &Obb) {
        self.bodies[leaf / LANES].set(leaf % LANES, fitted);
        self.joints[leaf] = Joint::new(self.joints[leaf].anchor, fitted);
    }

    /// Places the leaves at their poses; `poses` gives eight at a time. Fills `eights` with
    /// axis-aligned boxes around the leaves. Returns the box around all leaves.
    pub fn place(&mut self, poses: impl Fn(usize) -> Poses, eights: &mut Vec<LeafPacket>) -> AlignedBox {
        self.volumes.clear();
        self.leaves.clear();
        eights.clear();
        dispatch!(Level::new(), simd => self.place_eights(simd, &poses, eights))
    }

    #[inline(always)]
    fn place_eights<S: Simd>(
        &mut self,
        simd: S,
        poses: &impl Fn(usize) -> Poses,
        eights: &mut Vec<LeafPacket>,
    ) -> AlignedBox {
        for (block, bodies) in self.bodies.iter().enumerate() {
            let (placed, eight) = bodies.placed(simd, &Frames::new(simd, &poses(block)));
            self.leaves.push(placed);
            eights.push(eight);
        }
        LeafPacket::bounds(simd, eights)
    }

    pub fn leaf(&self, leaf: u32) -> OrientedBox {
        self.leaves[leaf as usize / LANES].get(leaf as usize % LANES)
    }

    /// Fits the inner nodes, children before parents.
    pub fn refit(&mut self, topology: &Topology) {
        self.volumes.clear();
        let lanes = self.leaves.iter().flat_map(|eight| (0..LANES).map(|lane| eight.get(lane)));
        self.volumes.extend(lanes.take(self.joints.len()));
        for inner in &topology.inner {
            let [a, b] = inner.children.map_each(|child| &self.volumes[child as usize]);
            let parent = if a.is_absent() {
                OrientedBox::around(b.axes, b, b)
            } else if b.is_absent() {
                OrientedBox::around(a.axes, a, a)
            } else {
                let axes = match self.axes {
                    Axes::Cab(folded) => cab::axes(a, b, self.joint(inner, a, b), folded),
                    Axes::Principal => principal::axes(a, b),
                };
                OrientedBox::around(axes, a, b)
            };
            self.volumes.push(parent);
        }
    }

    /// Returns the number of points and directions that were rotated for the present boxes.
    pub fn turned_points(&self, topology: &Topology) -> u64 {
        let leaf_count = self.joints.len() as u64;
        let inner_count = if self.volumes.is_empty() { 0 } else { topology.inner.len() as u64 };
        // Per leaf: its center and three axes.
        let a_leaf = 4;
        // Per inner node: three axes of each child, the vector between the children's centers, the
        // vector to the new center, and the joint for CAB.
        let a_node = 8 + u64::from(self.axes != Axes::Principal);
        a_leaf * leaf_count + a_node * inner_count
    }

    /// Returns the position at which the children are connected, or the midpoint of their centers if
    /// the joint or its link is absent.
    fn joint(&self, inner: &Inner, a: &OrientedBox, b: &OrientedBox) -> Vec3A {
        let carrier = inner.joint.map(|leaf| (&self.volumes[leaf as usize], &self.joints[leaf as usize]));
        match carrier {
            Some((volume, joint)) if !volume.is_absent() => volume.center + volume.axes * joint.along,
            _ => 0.5 * (a.center + b.center),
        }
    }
}

impl Joint {
    fn new(anchor: Vec3, fitted: &Obb) -> Self {
        let along = fitted.axes.transpose() * (anchor - fitted.center);
        Self { anchor, along: along.into() }
    }
}
