//! A hierarchy of oriented boxes: CAB, and OBB by covariance. \[cab\] §3, §4

use glam::{Vec3, Vec3A};

use super::aligned::AlignedBox;
use super::frame::Frame;
use super::oriented::OrientedBox;
use super::topology::{Inner, Topology};
use super::{cab, principal};
use crate::volume::Obb;

/// How a parent gets its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axes {
    Cab,
    Principal,
}

#[derive(Clone, Debug)]
pub(super) struct OrientedNodes {
    axes: Axes,
    leaves: Vec<Leaf>,
    /// Of the frame: leaves, and what is above them once it was asked for.
    pub volumes: Vec<OrientedBox>,
}

/// A link in body space, m.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    body: OrientedBox,
    /// The joint to the parent, and the same along the box's axes from its centre.
    anchor: Vec3,
    along: Vec3A,
}

impl OrientedNodes {
    /// `leaves`: box and joint of each, in body space.
    pub fn new(axes: Axes, leaves: impl Iterator<Item = (Obb, Vec3)>) -> Self {
        let leaves: Vec<Leaf> = leaves.map(|(fitted, anchor)| Leaf::new(&fitted, anchor)).collect();
        let volumes = Vec::with_capacity(2 * leaves.len());
        Self { axes, leaves, volumes }
    }

    pub fn set_leaf(&mut self, leaf: usize, fitted: &Obb) {
        self.leaves[leaf] = Leaf::new(fitted, self.leaves[leaf].anchor);
    }

    /// Takes the leaves' frames, one each in their order. Returns what is around all.
    pub fn place(&mut self, frames: impl Iterator<Item = Option<(Frame, f32)>>) -> AlignedBox {
        self.volumes.clear();
        let mut bounds = AlignedBox::ABSENT;
        self.volumes.extend(self.leaves.iter().zip(frames).map(|(leaf, frame)| match frame {
            None => OrientedBox::ABSENT,
            Some((frame, reach)) => {
                let volume = leaf.body.placed(&frame, reach);
                bounds = bounds.union(&AlignedBox::around(volume.center, volume.extent()));
                volume
            }
        }));
        bounds
    }

    /// The nodes above the leaves, from low to high.
    pub fn refit(&mut self, topology: &Topology) {
        let leaf_count = self.leaves.len();
        self.volumes.truncate(leaf_count);
        for inner in &topology.inner {
            let [a, b] = inner.children.map(|child| &self.volumes[child as usize]);
            let parent = if a.is_absent() {
                OrientedBox::around(b.axes, b, b)
            } else if b.is_absent() {
                OrientedBox::around(a.axes, a, a)
            } else {
                let axes = match self.axes {
                    Axes::Cab => cab::axes(a, b, self.joint(inner, a, b)),
                    Axes::Principal => principal::axes(a, b),
                };
                OrientedBox::around(axes, a, b)
            };
            self.volumes.push(parent);
        }
    }

    /// Where the children hang together; half way between them if nothing says so.
    fn joint(&self, inner: &Inner, a: &OrientedBox, b: &OrientedBox) -> Vec3A {
        let carrier = inner.joint.map(|leaf| (&self.volumes[leaf as usize], &self.leaves[leaf as usize]));
        match carrier {
            Some((volume, leaf)) if !volume.is_absent() => volume.center + volume.axes * leaf.along,
            _ => 0.5 * (a.center + b.center),
        }
    }
}

impl Leaf {
    fn new(fitted: &Obb, anchor: Vec3) -> Self {
        let along = fitted.axes.transpose() * (anchor - fitted.center);
        Self { body: OrientedBox::body(fitted), anchor, along: along.into() }
    }
}
