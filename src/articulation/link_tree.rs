//! The hierarchy of one articulation: its leaves follow the links' poses, the nodes above follow the leaves.

use std::sync::Arc;

use glam::{DVec3, Mat3, Vec3};

use super::aligned_nodes::AlignedNodes;
use super::descend::{Side, between, within};
use super::frame::{Frame, Way, is_valid};
use super::oriented_nodes::{Axes, OrientedNodes};
use super::topology::Topology;
use super::{LinkShape, LinkTreeKind, Skeleton};
use crate::pose::Pose;
use crate::volume::{Aabb, Obb, round_up};

/// Volumes over the links of one articulation.
///
/// A frame is one call of [`LinkTree::update`], and one of [`LinkTree::refit`] before others are tested against
/// what is inside; a tree that keeps apart from all others by its [`LinkTree::bounds`] needs no inner nodes.
#[derive(Clone, Debug)]
pub struct LinkTree {
    kind: LinkTreeKind,
    topology: Topology,
    leaf_of_link: Vec<Option<u32>>,
    nodes: Nodes,
    /// The volumes' origin in the world, m.
    origin: DVec3,
    bounds: Aabb,
}

#[derive(Clone, Debug)]
enum Nodes {
    Oriented(OrientedNodes),
    Aligned(AlignedNodes),
}

/// A node's volume in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkBox {
    pub center: DVec3,
    /// Unit vectors along the sides.
    pub axes: Mat3,
    /// Half the sides, m.
    pub half: Vec3,
}

impl LinkTree {
    /// `shapes` by link; links without one have no volume and take part in nothing.
    pub fn new(kind: LinkTreeKind, skeleton: &Skeleton, shapes: &[Option<Arc<LinkShape>>]) -> Self {
        let shape = |link: usize| shapes.get(link).and_then(Option::as_deref);
        let topology = Topology::new(skeleton, |link| shape(link).is_some());
        let mut leaf_of_link = vec![None; skeleton.len()];
        for (&link, leaf) in topology.links.iter().zip(0..) {
            leaf_of_link[link as usize] = Some(leaf);
        }
        let leaves = || topology.links.iter().filter_map(|&l| Some((l as usize, shape(l as usize)?)));
        let oriented = |axes| {
            let leaves = leaves().map(|(link, shape)| (shape.fitted, skeleton.anchors()[link]));
            Nodes::Oriented(OrientedNodes::new(axes, leaves))
        };
        let nodes = match kind {
            LinkTreeKind::Cab => oriented(Axes::Cab),
            LinkTreeKind::Obb => oriented(Axes::Principal),
            LinkTreeKind::AabbVertices => {
                let leaves = leaves().map(|(_, shape)| (shape.bounds, &shape.vertices[..]));
                Nodes::Aligned(AlignedNodes::around_vertices(leaves))
            }
            LinkTreeKind::AabbCorners | LinkTreeKind::BruteForce => {
                Nodes::Aligned(AlignedNodes::around_corners(leaves().map(|(_, shape)| shape.bounds)))
            }
        };
        Self { kind, topology, leaf_of_link, nodes, origin: DVec3::ZERO, bounds: Aabb::EMPTY }
    }

    pub fn kind(&self) -> LinkTreeKind {
        self.kind
    }

    /// From the next update on, a link's surface is inside these, body space, m: for links that deform. A link
    /// that was made without a shape stays without.
    pub fn set_leaf(&mut self, link: usize, bounds: &Aabb, fitted: &Obb, vertices: &[Vec3]) {
        let Some(leaf) = self.leaf_of_link.get(link).copied().flatten() else { return };
        match &mut self.nodes {
            Nodes::Oriented(nodes) => nodes.set_leaf(leaf as usize, fitted),
            Nodes::Aligned(nodes) => nodes.set_leaf(leaf as usize, bounds, vertices),
        }
    }

    /// Takes the frame's poses: `place` says where a link is and by how much its volume is to grow, m. A link
    /// whose pose is not finite, not even nearly a rotation, or 10¹⁵ m away is not there in this frame.
    pub fn update<'p>(&mut self, place: impl Fn(usize) -> (&'p Pose, f32)) {
        let links = || self.topology.links.iter().map(|&link| place(link as usize));
        let origin = links().find(|(pose, _)| is_valid(pose)).map_or(DVec3::ZERO, |(pose, _)| pose.position);
        let frames = links().map(|(pose, reach)| {
            // No number counts as no reach.
            let reach = reach.max(0.0).min(super::frame::FARTHEST as f32);
            is_valid(pose).then(|| (Frame::new(pose, origin), reach))
        });
        let bounds = match &mut self.nodes {
            Nodes::Oriented(nodes) => nodes.place(frames),
            Nodes::Aligned(nodes) => nodes.place(frames),
        };
        self.origin = origin;
        let guard = DVec3::splat(1e-15 * origin.abs().max_element());
        let (min, max) = (bounds.min.as_dvec3() - guard, bounds.max.as_dvec3() + guard);
        self.bounds = Aabb::from_f64(origin + min, origin + max);
    }

    /// Makes the inner nodes of the frame. Without them [`LinkTree::pairs`] tests all leaves.
    pub fn refit(&mut self) {
        match &mut self.nodes {
            _ if self.kind == LinkTreeKind::BruteForce => {}
            Nodes::Oriented(nodes) => nodes.refit(&self.topology),
            Nodes::Aligned(nodes) => nodes.refit(&self.topology),
        }
    }

    /// Appends the pairs (own link, link of `other`) whose volumes overlap, in any order; all that have volumes
    /// under [`LinkTreeKind::BruteForce`]. Returns how many volumes were tested. Trees of different kinds have
    /// nothing to test and no pairs.
    pub fn pairs(&self, other: &Self, pairs: &mut Vec<(u32, u32)>) -> u64 {
        let way = Way::new(self.origin, other.origin);
        let (a, b) = (&self.topology, &other.topology);
        match (&self.nodes, &other.nodes) {
            _ if self.kind != other.kind => 0,
            _ if self.kind == LinkTreeKind::BruteForce => {
                for i in self.present_links() {
                    pairs.extend(other.present_links().map(|j| (i, j)));
                }
                0
            }
            (Nodes::Oriented(va), Nodes::Oriented(vb)) => {
                let [va, vb] = [&va.volumes[..], &vb.volumes[..]];
                between(Side { topology: a, volumes: va }, Side { topology: b, volumes: vb }, &way, pairs)
            }
            (Nodes::Aligned(va), Nodes::Aligned(vb)) => {
                let [va, vb] = [&va.volumes[..], &vb.volumes[..]];
                between(Side { topology: a, volumes: va }, Side { topology: b, volumes: vb }, &way, pairs)
            }
            _ => 0,
        }
    }

    /// The same among the links of this articulation, the smaller index first.
    pub fn self_pairs(&self, pairs: &mut Vec<(u32, u32)>) -> u64 {
        let topology = &self.topology;
        match &self.nodes {
            _ if self.kind == LinkTreeKind::BruteForce => {
                for i in self.present_links() {
                    pairs.extend(self.present_links().filter(|&j| i < j).map(|j| (i, j)));
                }
                0
            }
            Nodes::Oriented(nodes) => within(Side { topology, volumes: &nodes.volumes[..] }, pairs),
            Nodes::Aligned(nodes) => within(Side { topology, volumes: &nodes.volumes[..] }, pairs),
        }
    }

    /// Around all volumes of the frame in the world, m; empty if there are none.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Whether every leaf of the frame is inside every node above it, corner by corner.
    pub fn validate(&self) -> Result<(), String> {
        let leaf_count = self.topology.links.len();
        for (node, inner) in (leaf_count..).zip(&self.topology.inner) {
            for leaf in inner.leaves[0] as usize..(inner.leaves[0] + inner.leaves[1]) as usize {
                let is_inside = match &self.nodes {
                    Nodes::Oriented(nodes) => match (nodes.volumes.get(node), nodes.volumes.get(leaf)) {
                        (Some(parent), Some(leaf)) if !leaf.is_absent() => {
                            leaf.corners().iter().all(|&corner| parent.contains(corner))
                        }
                        _ => true,
                    },
                    Nodes::Aligned(nodes) => match (nodes.volumes.get(node), nodes.volumes.get(leaf)) {
                        (Some(parent), Some(leaf)) => leaf.is_absent() || parent.contains(leaf),
                        _ => true,
                    },
                };
                if !is_inside {
                    let link = self.topology.links[leaf];
                    return Err(format!("{}: link {link} is not inside node {node}", self.kind.name()));
                }
            }
        }
        Ok(())
    }

    /// Shows the frame's volumes with their distance from the root. Leaves alone if there are no inner nodes.
    pub fn for_each_box(&self, show: &mut dyn FnMut(u32, &LinkBox)) {
        let levels = self.topology.levels();
        match &self.nodes {
            Nodes::Oriented(nodes) => {
                for (volume, &level) in nodes.volumes.iter().zip(&levels).filter(|(v, _)| !v.is_absent()) {
                    let center = self.origin + volume.center.as_dvec3();
                    show(level, &LinkBox { center, axes: volume.axes.into(), half: volume.half.into() });
                }
            }
            Nodes::Aligned(nodes) => {
                for (volume, &level) in nodes.volumes.iter().zip(&levels).filter(|(v, _)| !v.is_absent()) {
                    let (min, max) = (volume.min.as_dvec3(), volume.max.as_dvec3());
                    let center = self.origin + 0.5 * (min + max);
                    let half = Vec3::from_array((0.5 * (max - min)).to_array().map(round_up));
                    show(level, &LinkBox { center, axes: Mat3::IDENTITY, half });
                }
            }
        }
    }

    /// Links that have a volume in this frame.
    fn present_links(&self) -> impl Iterator<Item = u32> {
        let is_present = |leaf: usize| match &self.nodes {
            Nodes::Oriented(nodes) => !nodes.volumes[leaf].is_absent(),
            Nodes::Aligned(nodes) => !nodes.volumes[leaf].is_absent(),
        };
        let links = self.topology.links.iter().enumerate();
        links.filter(move |(leaf, _)| is_present(*leaf)).map(|(_, &link)| link)
    }
}
