//! Binary hierarchy of any kind of bounding volume. Each volume is fitted to all triangles below its
//! node.
//!
//! The tree has the structure of the common topology. The two children of a node are adjacent; a leaf
//! has one triangle. Coordinates are relative to the center of the surface's box, so that a query far
//! from the origin rounds no more than one near it. Memory: the volume and 4 bytes per node, 2n − 1
//! nodes for n triangles. Building takes O(n log n) for balanced topologies.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};

use super::build::Topology;
use super::descend::{Children, Descent, Found, descend};
use super::kind::Kind;
use super::limit::Stop;
use super::nodes::{Nodes, RefitScratch};
use super::search::{Counts, Search};
use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::volume::{Aabb, Operations, Volume};

/// Tree of volumes over the triangles of one mesh.
#[derive(Clone, Debug)]
pub struct VolumeTree<V: Volume> {
    /// Origin of the volumes' coordinates, body space, m.
    center: Vec3,
    /// Half the diagonal of the surface's box, m.
    radius: f64,
    nodes: Vec<Node<V>>,
    depth: u32,
    shared: V::Shared,
}

#[derive(Clone, Copy, Debug)]
struct Node<V> {
    volume: V,
    /// Index of the first of two adjacent children. At a leaf, `LEAF_BIT` and the triangle.
    link: u32,
}

const LEAF_BIT: u32 = 1 << 31;

const _: () = assert!(size_of::<Node<Aabb>>() == 28);
const _: () = assert!(size_of::<Node<crate::volume::Sphere>>() == 20);
const _: () = assert!(size_of::<Node<crate::volume::Obb>>() == 64);
const _: () = assert!(size_of::<Node<crate::volume::Dop<24>>>() == 100);

impl<V> Node<V> {
    /// Returns the triangle (`Ok`) of a leaf, or the index of the first child (`Err`).
    fn below(&self) -> Result<u32, usize> {
        if self.link & LEAF_BIT != 0 { Ok(self.link & !LEAF_BIT) } else { Err(self.link as usize) }
    }
}

impl<V: Volume> VolumeTree<V> {
    /// Builds the tree over triangles that `topology` divides. `choice`: variant of the volumes.
    pub(crate) fn over(topology: &Topology, mesh: &Mesh, choice: V::Choice) -> Self {
        let mut links = vec![0; topology.nodes.len()];
        let mut depth = 0;
        let (mut leaves, mut next) = (topology.order.iter(), 1);
        // Node, branch, level.
        let mut stack = vec![(0, 0, 0)];
        while let Some((node, branch, level)) = stack.pop() {
            depth = depth.max(level);
            let own = topology.nodes[branch];
            if own.is_leaf() {
                // The descent is depth first, like the topology, so leaves come in the topology's
                // order.
                links[node] = leaves.next().unwrap_or(&0) | LEAF_BIT;
                continue;
            }
            let [a, b] = own.children(branch);
            links[node] = next as u32;
            stack.extend([(next + 1, b, level + 1), (next, a, level + 1)]);
            next += 2;
        }
        Self::fitted(&links, depth, mesh, V::shared(choice))
    }

    /// Fits each volume to all triangles below its node.
    fn fitted(links: &[u32], depth: u32, mesh: &Mesh, shared: V::Shared) -> Self {
        let bounds = mesh.bounds();
        let center = bounds.center();
        // Children come after their parents.
        let mut counts = vec![1; links.len()];
        for (node, &link) in links.iter().enumerate().rev() {
            if link & LEAF_BIT == 0 {
                counts[node] = counts[link as usize] + counts[link as usize + 1];
            }
        }
        let mut firsts = vec![0; links.len()];
        let mut triangles = vec![[Vec3::ZERO; 3]; counts[0]];
        for (node, &link) in links.iter().enumerate() {
            if link & LEAF_BIT != 0 {
                triangles[firsts[node]] = mesh.corners_about(link & !LEAF_BIT, center);
            } else {
                let child = link as usize;
                (firsts[child], firsts[child + 1]) = (firsts[node], firsts[node] + counts[child]);
            }
        }
        let fit = |(node, &link): (usize, &u32)| Node {
            volume: V::fit(&triangles[firsts[node]..firsts[node] + counts[node]], &shared),
            link,
        };
        let nodes = links.iter().enumerate().map(fit).collect();
        Self { center, radius: 0.5 * f64::from(bounds.diagonal()), nodes, depth, shared }
    }

    /// Returns the origin of the volumes' coordinates, body space, m.
    pub(crate) fn center(&self) -> Vec3 {
        self.center
    }

    /// Returns the volume of a node, relative to the center.
    pub(crate) fn fitted_to(&self, node: u32) -> &V {
        &self.nodes[node as usize].volume
    }

    pub(crate) fn shared(&self) -> &V::Shared {
        &self.shared
    }
}

impl<V: Volume> Nodes for VolumeTree<V> {
    type Node = u32;

    const NESTED: bool = false;

    fn byte_count(&self) -> usize {
        size_of::<Self>() + self.nodes.capacity() * size_of::<Node<V>>()
    }

    fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn refit(&mut self, mesh: &Mesh, _: &mut RefitScratch) {
        let links: Vec<u32> = self.nodes.iter().map(|node| node.link).collect();
        *self = Self::fitted(&links, self.depth, mesh, self.shared.clone());
    }

    fn root(&self) -> u32 {
        0
    }

    fn children(&self, &node: &u32) -> ArrayVec<u32, 8> {
        let first = self.nodes[node as usize].below().err();
        first.into_iter().flat_map(|first| [first as u32, first as u32 + 1]).collect()
    }

    fn triangles(&self, &node: &u32) -> impl Iterator<Item = u32> {
        self.nodes[node as usize].below().ok().into_iter()
    }

    fn bounds(&self, &node: &u32) -> Aabb {
        self.fitted_to(node).bounds().moved(self.center)
    }

    fn is_leaf(&self, &node: &u32) -> bool {
        self.nodes[node as usize].below().is_ok()
    }

    fn volume(&self, &node: &u32) -> f64 {
        self.fitted_to(node).volume()
    }

    fn contains(&self, &node: &u32, vertex: Vec3) -> bool {
        self.fitted_to(node).contains(vertex - self.center, &self.shared)
    }

    fn meets(&self, &node: &u32, segment: [DVec3; 2]) -> bool {
        self.fitted_to(node).meets(segment.map_each(|p| p - self.center.as_dvec3()))
    }
}

/// Two trees of one kind, with the transformations between their frames.
struct VolumePair<'a, V: Volume> {
    a: &'a VolumeTree<V>,
    b: &'a VolumeTree<V>,
    frames: V::Frames,
}

impl<V: Volume> Kind for VolumeTree<V> {
    type Form = V::Choice;
    type Stack = Vec<(PlacedNode<V::A>, PlacedNode<V::B>)>;

    fn new(topology: &Topology, mesh: &Mesh, choice: V::Choice) -> Self {
        Self::over(topology, mesh, choice)
    }

    fn visit(
        [a, b]: [&Self; 2],
        search: &Search,
        stack: &mut Self::Stack,
        counts: &mut Counts,
        found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<Stop> {
        let found = &mut |a: u32, b: u32| found(&[[a, b]]);
        descend(&VolumePair::new(a, b, search), search.extent(), stack, counts, found)
    }
}

/// A node with its volume, transformed for the query.
#[derive(Clone, Copy, Debug)]
pub struct PlacedNode<P> {
    volume: P,
    node: u32,
}

impl<'a, V: Volume> VolumePair<'a, V> {
    pub fn new(a: &'a VolumeTree<V>, b: &'a VolumeTree<V>, search: &Search) -> Self {
        let transit = search.transit([a.center, b.center], [a.radius, b.radius]);
        Self { a, b, frames: V::frames(&transit, &a.shared) }
    }

    #[inline(always)]
    fn place_a(&self, node: u32) -> PlacedNode<V::A> {
        PlacedNode { volume: self.a.nodes[node as usize].volume.carry_a(&self.frames), node }
    }

    #[inline(always)]
    fn place_b(&self, node: u32) -> PlacedNode<V::B> {
        PlacedNode { volume: self.b.nodes[node as usize].volume.carry_b(&self.frames), node }
    }
}

impl<V: Volume> Descent for VolumePair<'_, V> {
    const STEP_A: Operations = V::CARRY_A;
    const STEP_B: Operations = V::CARRY_B;
    const PAIR: Operations = V::OVERLAP;

    type A = PlacedNode<V::A>;
    type B = PlacedNode<V::B>;
    type ChildrenA = Children<Self::A>;
    type ChildrenB = Children<Self::B>;

    fn roots(&self) -> (Self::A, Self::B) {
        (self.place_a(0), self.place_b(0))
    }

    #[inline(always)]
    fn admit(&self, a: &Self::A, b: &Self::B) -> Option<(Self::A, Self::B)> {
        V::overlap(&a.volume, &b.volume, &self.frames).then_some((*a, *b))
    }

    #[inline(always)]
    fn depth(&self, a: &Self::A, b: &Self::B) -> f32 {
        V::depth(&a.volume, &b.volume, &self.frames)
    }

    #[inline(always)]
    fn children_a(&self, a: &Self::A) -> Option<Children<Self::A>> {
        let first = self.a.nodes[a.node as usize].below().err()? as u32;
        Some(Children::Two([self.place_a(first), self.place_a(first + 1)]))
    }

    #[inline(always)]
    fn children_b(&self, b: &Self::B) -> Option<Children<Self::B>> {
        let first = self.b.nodes[b.node as usize].below().err()? as u32;
        Some(Children::Two([self.place_b(first), self.place_b(first + 1)]))
    }

    fn leaves(&self, a: &Self::A, b: &Self::B, found: &mut impl Found) -> ControlFlow<()> {
        match (self.a.nodes[a.node as usize].below(), self.b.nodes[b.node as usize].below()) {
            (Ok(ta), Ok(tb)) => found(ta, tb),
            _ => ControlFlow::Continue(()),
        }
    }
}
