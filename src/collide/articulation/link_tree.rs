//! The hierarchy of one articulation. Its leaves follow the links' poses, and its inner nodes are
//! fitted to the leaves.

use std::sync::Arc;

use glam::{DVec3, Mat3, Vec3};

use super::aligned::AlignedBox;
use super::aligned_nodes::{AlignedNodes, Around};
use super::cab::Folded;
use super::descend::{NodeVolume, SearchSide, between, within};
use super::eight::{self, LeafPacket};
use super::frame::{LANES, Poses, Way, can_be_origin};
use super::oriented_nodes::{Axes, OrientedNodes};
use super::topology::Topology;
use super::{LinkShape, LinkTreeKind, Skeleton};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::volume::{Aabb, Obb, round_up};

/// Hierarchy of volumes over the links of one articulation.
///
/// Call [`LinkTree::update`] after every change of poses. [`LinkTree::refit`] then fits the inner
/// nodes, where they are worth it. They are not worth it for a tree of few links, nor for one whose
/// [`LinkTree::bounds`] touch no other tree.
#[derive(Clone, Debug)]
pub struct LinkTree {
    kind: LinkTreeKind,
    topology: Topology,
    leaf_of_link: Vec<Option<u32>>,
    nodes: Nodes,
    /// Origin of the volumes in the world, m.
    origin: DVec3,
    /// Axis-aligned boxes around the leaves, in packets of eight.
    eights: Vec<LeafPacket>,
    /// Box around all leaves, relative to `origin`.
    around: AlignedBox,
    bounds: Aabb,
}

#[derive(Clone, Debug)]
enum Nodes {
    Oriented(OrientedNodes),
    Aligned(AlignedNodes),
}

/// Volume of a node in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkBox {
    pub center: DVec3,
    /// Unit vectors along the sides.
    pub axes: Mat3,
    /// Half extents, m.
    pub half: Vec3,
}

impl LinkTree {
    /// Largest number of links for which testing all leaves, eight at a time, takes less time than
    /// fitting inner nodes and descending.
    pub const FEW_LINKS: usize = 256;

    /// Builds the hierarchy. `shapes` is indexed by link. Links without a shape have no volume and are
    /// in no pair.
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
        let aligned = |around| {
            let leaves = leaves().map(|(_, shape)| (shape.bounds, &shape.vertices[..]));
            Nodes::Aligned(AlignedNodes::new(around, leaves))
        };
        let nodes = match kind {
            LinkTreeKind::Cab => oriented(Axes::Cab(Folded::Longest)),
            LinkTreeKind::CabSum => oriented(Axes::Cab(Folded::Sum)),
            LinkTreeKind::Obb => oriented(Axes::Principal),
            LinkTreeKind::AabbVertices => aligned(Around::Vertices),
            LinkTreeKind::AabbCorners => aligned(Around::Corners),
            LinkTreeKind::AabbUnions | LinkTreeKind::BruteForce => aligned(Around::Boxes),
        };
        Self {
            kind,
            nodes,
            leaf_of_link,
            eights: Vec::with_capacity(topology.links.len().div_ceil(LANES)),
            topology,
            origin: DVec3::ZERO,
            around: AlignedBox::ABSENT,
            bounds: Aabb::EMPTY,
        }
    }

    /// Returns the number of links with a volume.
    pub fn leaf_count(&self) -> usize {
        self.topology.links.len()
    }

    pub fn kind(&self) -> LinkTreeKind {
        self.kind
    }

    /// Replaces a link's volumes, given in body space, m; the next update uses them. It serves links
    /// that deform. Does nothing for a link that was built without a shape.
    pub fn set_leaf(&mut self, link: usize, bounds: &Aabb, fitted: &Obb, vertices: &[Vec3]) {
        let Some(leaf) = self.leaf_of_link.get(link).copied().flatten() else { return };
        match &mut self.nodes {
            Nodes::Oriented(nodes) => nodes.set_leaf(leaf as usize, fitted),
            Nodes::Aligned(nodes) => nodes.set_leaf(leaf as usize, bounds, vertices),
        }
    }

    /// Places the leaves at the present poses. `place` returns the pose of a link and the enlargement
    /// of its volume, m. A link is absent until the next update if its pose is not finite, its rotation
    /// is far from a unit quaternion, or it is more than 10¹⁵ m from the first link with a valid
    /// position.
    pub fn update<'p>(&mut self, place: impl Fn(usize) -> (&'p Pose, f32)) {
        let links = &self.topology.links;
        let origin = links.iter().map(|&link| place(link as usize).0).find(|pose| can_be_origin(pose));
        let origin = origin.map_or(DVec3::ZERO, |pose| pose.position);
        let poses = |block: usize| {
            let mut poses = Poses::NONE;
            for (lane, &link) in links[LANES * block..].iter().take(LANES).enumerate() {
                let (pose, reach) = place(link as usize);
                poses.set(lane, pose, origin, reach);
            }
            poses
        };
        self.around = match &mut self.nodes {
            Nodes::Oriented(nodes) => nodes.place(poses, &mut self.eights),
            Nodes::Aligned(nodes) => nodes.place(poses, &mut self.eights),
        };
        self.origin = origin;
        let guard = DVec3::splat(1e-15 * origin.abs().max_element());
        let (min, max) = (self.around.min.as_dvec3() - guard, self.around.max.as_dvec3() + guard);
        self.bounds = Aabb::from_f64(origin + min, origin + max);
    }

    /// Fits the inner nodes to the present leaves. Without inner nodes, [`LinkTree::pairs`] tests all
    /// leaves, eight at a time.
    pub fn refit(&mut self) {
        match &mut self.nodes {
            _ if self.kind == LinkTreeKind::BruteForce => {}
            Nodes::Oriented(nodes) => nodes.refit(&self.topology),
            Nodes::Aligned(nodes) => nodes.refit(&self.topology),
        }
    }

    /// Returns the number of points and directions that were transformed for the present volumes, of
    /// the leaves and, if fitted, of the inner nodes.
    pub fn turned_points(&self) -> u64 {
        match &self.nodes {
            _ if self.kind == LinkTreeKind::BruteForce => 0,
            Nodes::Oriented(nodes) => nodes.turned_points(&self.topology),
            Nodes::Aligned(nodes) => nodes.turned_points(&self.topology),
        }
    }

    /// Appends the pairs (own link, link of `other`) whose volumes overlap, in any order. With
    /// [`LinkTreeKind::BruteForce`] these are all pairs of links that are present. Returns the number
    /// of volume tests. Trees of different kinds give no pairs and no tests.
    pub fn pairs(&self, other: &Self, pairs: &mut Vec<(u32, u32)>) -> u64 {
        let way = Way::new(self.origin, other.origin);
        let flat = |found: &mut dyn FnMut(u32, u32)| {
            eight::between(&self.eights, &other.eights, &other.around, &way, found)
        };
        match (&self.nodes, &other.nodes) {
            _ if self.kind != other.kind => 0,
            _ if self.kind == LinkTreeKind::BruteForce => {
                for i in self.present_links() {
                    pairs.extend(other.present_links().map(|j| (i, j)));
                }
                0
            }
            (Nodes::Oriented(a), Nodes::Oriented(b)) => match [self.side(&a.volumes), other.side(&b.volumes)]
            {
                [Some(a), Some(b)] => between(a, b, &way, pairs),
                _ => self.confirm(other, flat, |i, j| a.leaf(i).overlaps(&b.leaf(j), &way, true), pairs),
            },
            (Nodes::Aligned(a), Nodes::Aligned(b)) => match [self.side(&a.volumes), other.side(&b.volumes)] {
                [Some(a), Some(b)] => between(a, b, &way, pairs),
                _ => {
                    let (a, b) = (&a.volumes, &b.volumes);
                    let overlap = |i, j| a[i as usize].overlaps(&b[j as usize], &way, true);
                    self.confirm(other, flat, overlap, pairs)
                }
            },
            _ => 0,
        }
    }

    /// Appends the pairs of this articulation's own links whose volumes overlap, the smaller index
    /// first. Returns the number of volume tests.
    pub fn self_pairs(&self, pairs: &mut Vec<(u32, u32)>) -> u64 {
        let first = pairs.len();
        let flat = |found: &mut dyn FnMut(u32, u32)| eight::within(&self.eights, found);
        let test_count = match &self.nodes {
            _ if self.kind == LinkTreeKind::BruteForce => {
                for i in self.present_links() {
                    pairs.extend(self.present_links().filter(|&j| i < j).map(|j| (i, j)));
                }
                0
            }
            Nodes::Oriented(nodes) => match self.side(&nodes.volumes) {
                Some(side) => within(side, pairs),
                None => {
                    let overlap = |i, j| nodes.leaf(i).overlaps(&nodes.leaf(j), &Way::NONE, true);
                    self.confirm(self, flat, overlap, pairs)
                }
            },
            Nodes::Aligned(nodes) => match self.side(&nodes.volumes) {
                Some(side) => within(side, pairs),
                None => {
                    let leaves = &nodes.volumes;
                    let overlap = |i, j| leaves[i as usize].overlaps(&leaves[j as usize], &Way::NONE, true);
                    self.confirm(self, flat, overlap, pairs)
                }
            },
        };
        for (i, j) in &mut pairs[first..] {
            (*i, *j) = (*(&*i).min(j), *(&*i).max(j));
        }
        test_count
    }

    /// Returns the hierarchy for a descent, or `None` if inner nodes were not fitted since the last
    /// update.
    fn side<'a, V>(&'a self, volumes: &'a [V]) -> Option<SearchSide<'a, V>> {
        (volumes.len() == self.topology.node_count())
            .then_some(SearchSide { topology: &self.topology, volumes })
    }

    /// Passes the leaf pairs of `search` to `overlap` and appends the link pairs of those that satisfy
    /// it. Returns the number of tests of both.
    fn confirm(
        &self,
        other: &Self,
        search: impl Fn(&mut dyn FnMut(u32, u32)) -> u64,
        overlap: impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<(u32, u32)>,
    ) -> u64 {
        let mut confirmed = 0;
        let test_count = search(&mut |i, j| {
            confirmed += 1;
            if overlap(i, j) {
                pairs.push((self.topology.links[i as usize], other.topology.links[j as usize]));
            }
        });
        test_count + confirmed
    }

    /// Returns the box around all present volumes in the world, m; empty if there are none.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Checks that every leaf is inside every inner node above it. An oriented leaf is checked corner
    /// by corner.
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

    /// Passes every volume, with its distance from the root in levels, to `show`. There are only leaves
    /// if no inner nodes were fitted.
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
                    let half = Vec3::from_array((0.5 * (max - min)).to_array().map_each(round_up));
                    show(level, &LinkBox { center, axes: Mat3::IDENTITY, half });
                }
            }
        }
    }

    /// Returns the links that have a volume in their present poses.
    fn present_links(&self) -> impl Iterator<Item = u32> {
        let is_present =
            |leaf: usize| self.eights.get(leaf / LANES).is_some_and(|e| !e.is_absent(leaf % LANES));
        let links = self.topology.links.iter().enumerate();
        links.filter(move |(leaf, _)| is_present(*leaf)).map(|(_, &link)| link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Tests the leaf volumes of all pairs directly, without inner nodes and boxes around leaves.
    fn judged(a: &LinkTree, b: &LinkTree) -> Vec<(u32, u32)> {
        let way = Way::new(a.origin, b.origin);
        let overlap = |i: usize, j: usize| match (&a.nodes, &b.nodes) {
            (Nodes::Oriented(a), Nodes::Oriented(b)) => {
                a.leaf(i as u32).overlaps(&b.leaf(j as u32), &way, true)
            }
            (Nodes::Aligned(a), Nodes::Aligned(b)) => a.volumes[i].overlaps(&b.volumes[j], &way, true),
            _ => false,
        };
        let leaves = |tree: &LinkTree| 0..tree.topology.links.len();
        let all = leaves(a).flat_map(|i| leaves(b).map(move |j| (i, j)));
        let found = all.filter(|&(i, j)| overlap(i, j));
        let mut pairs: Vec<_> = found.map(|(i, j)| (a.topology.links[i], b.topology.links[j])).collect();
        pairs.sort_unstable();
        pairs
    }

    fn poses(count: usize, random: &mut Random) -> Vec<Pose> {
        let spread = 0.5 + 2.0 * random.uniform();
        let mut place = || DVec3::new(random.signed(), random.signed(), random.signed()) * spread;
        let places: Vec<DVec3> = (0..count).map(|_| place()).collect();
        places
            .into_iter()
            .map(|place| Pose::new(random.rotation(), place + DVec3::new(1e5, 0.0, 3e5)))
            .collect()
    }

    #[test]
    fn pairs_are_those_of_the_leaf_volumes_with_and_without_inner_nodes() {
        let mut random = Random::new(8, 0);
        let mut found_count = 0;
        for count in (0..600).map(|round| round % 37) {
            let parents = (0..count).map(|link: usize| link.checked_sub(1 + link % 3).map(|p| p as u32));
            let skeleton = Skeleton::new(parents.collect(), vec![Vec3::X * 0.5; count]).unwrap();
            let mut size = || Vec3::new(0.5, random.uniform() as f32, 0.1 * random.uniform() as f32);
            let shapes: Vec<_> = (0..count)
                .map(|_| {
                    let size = size();
                    Some(Arc::new(LinkShape::from_bounds(Aabb::new(-size, size))))
                })
                .collect();
            let poses = [poses(count, &mut random), poses(count, &mut random)];
            for kind in LinkTreeKind::ALL.into_iter().filter(|&kind| kind != LinkTreeKind::BruteForce) {
                let mut trees = [0, 1].map(|_| LinkTree::new(kind, &skeleton, &shapes));
                for (tree, poses) in trees.iter_mut().zip(&poses) {
                    tree.update(|link| (&poses[link], 0.0));
                }
                let between = judged(&trees[0], &trees[1]);
                let mut within = judged(&trees[0], &trees[0]);
                within.retain(|(i, j)| i < j);
                found_count += between.len() + within.len();
                for _ in 0..2 {
                    let mut pairs = Vec::new();
                    trees[0].pairs(&trees[1], &mut pairs);
                    pairs.sort_unstable();
                    assert_eq!(pairs, between, "{kind:?}");
                    pairs.clear();
                    trees[0].self_pairs(&mut pairs);
                    pairs.sort_unstable();
                    assert_eq!(pairs, within, "{kind:?}");
                    trees.iter_mut().for_each(LinkTree::refit);
                }
            }
        }
        assert!(found_count > 100_000, "{found_count}");
    }
}
