//! A binary hierarchy of any volume, each fitted to all triangles below it.
//!
//! From the common topology; children are adjacent, a leaf holds one triangle. Coordinates are relative to
//! the surface's centre, so that a query far from the origin rounds no more than one near it. Memory: the
//! volume and 4 bytes a node, 2n − 1 nodes for n triangles. Building is O(n log n) for balanced topologies.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use glam::Vec3;

use super::adb::{Nodes, Tight};
use super::build::Topology;
use super::descend::{Children, Descent, Found};
use super::segment::LeafVisitor;
use super::{Hierarchy, RefitScratch, query::Search};
use crate::mesh::Mesh;
use crate::volume::{Aabb, Dop, Operations, Transit, Volume};

/// A tree of volumes over the triangles of one mesh.
#[derive(Clone, Debug)]
pub struct VolumeTree<V: Volume> {
    /// Body space, m: what the volumes are relative to.
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
    /// Index of the first of two adjacent children, or the triangle.
    link: u32,
}

const LEAF_BIT: u32 = 1 << 31;

const _: () = assert!(size_of::<Node<Aabb>>() == 28);
const _: () = assert!(size_of::<Node<crate::volume::Sphere>>() == 20);
const _: () = assert!(size_of::<Node<crate::volume::Obb>>() == 64);
const _: () = assert!(size_of::<Node<crate::volume::Dop<24>>>() == 100);

impl<V> Node<V> {
    /// The triangle, or the first child.
    fn below(&self) -> Result<u32, usize> {
        if self.link & LEAF_BIT != 0 { Ok(self.link & !LEAF_BIT) } else { Err(self.link as usize) }
    }
}

/// A corner relative to the centre; exact if the mesh is near the origin, else rounded.
pub(super) fn triangle_corners(mesh: &Mesh, triangle: u32, center: Vec3) -> [Vec3; 3] {
    mesh.triangles()[triangle as usize].map(|v| mesh.vertices()[v as usize] - center)
}

impl<V: Volume> VolumeTree<V> {
    pub(super) fn new(topology: &Topology, mesh: &Mesh) -> Self {
        let mut links = vec![0; topology.nodes.len()];
        let mut depth = 0;
        let (mut leaves, mut next) = (topology.order.iter(), 1);
        // Node, branch, level.
        let mut stack = vec![(0, 0, 0)];
        while let Some((node, branch, level)) = stack.pop() {
            depth = depth.max(level);
            let own = topology.nodes[branch];
            if own.is_leaf() {
                // Depth first, as the topology is.
                links[node] = leaves.next().unwrap_or(&0) | LEAF_BIT;
                continue;
            }
            let [a, b] = own.children(branch);
            links[node] = next as u32;
            stack.extend([(next + 1, b, level + 1), (next, a, level + 1)]);
            next += 2;
        }
        Self::fitted(&links, depth, mesh)
    }

    /// All volumes from what is below them.
    fn fitted(links: &[u32], depth: u32, mesh: &Mesh) -> Self {
        let bounds = mesh.bounds();
        let center = bounds.center();
        let shared = V::shared();
        // Children stand behind their parents.
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
                triangles[firsts[node]] = triangle_corners(mesh, link & !LEAF_BIT, center);
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
}

impl<V: Volume> Hierarchy for VolumeTree<V> {
    fn byte_count(&self) -> usize {
        size_of::<Self>() + self.nodes.capacity() * size_of::<Node<V>>()
    }

    fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn for_each_box(&self, level: u32, show: &mut dyn FnMut(Aabb)) {
        let mut stack = vec![(0, 0)];
        while let Some((index, depth)) = stack.pop() {
            let node = &self.nodes[index];
            match node.below() {
                Err(first) if depth < level => stack.extend([(first, depth + 1), (first + 1, depth + 1)]),
                _ => {
                    let Aabb { min, max } = node.volume.bounds();
                    let center = self.center.as_dvec3();
                    show(Aabb::from_f64(min.as_dvec3() + center, max.as_dvec3() + center));
                }
            }
        }
    }

    fn for_each_volume(&self, show: &mut dyn FnMut(f64)) {
        self.nodes.iter().for_each(|node| show(node.volume.volume()));
    }

    /// Every triangle in one leaf and inside the volumes of all its ancestors.
    fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        let mut seen = vec![false; mesh.triangles().len()];
        // The nodes above a leaf, with the child that is visited next.
        let mut path = vec![0usize];
        let mut stack = vec![(0usize, 0usize)];
        while let Some((index, level)) = stack.pop() {
            path.truncate(level);
            path.push(index);
            match self.nodes[index].below() {
                Err(first) => stack.extend([(first, level + 1), (first + 1, level + 1)]),
                Ok(triangle) => {
                    if std::mem::replace(&mut seen[triangle as usize], true) {
                        return Err(format!("triangle {triangle} is in two leaves"));
                    }
                    let corners = triangle_corners(mesh, triangle, self.center);
                    let holds =
                        |&n: &usize| corners.iter().all(|&c| self.nodes[n].volume.contains(c, &self.shared));
                    if let Some(node) = path.iter().find(|n| !holds(n)) {
                        let volume = self.nodes[*node].volume;
                        return Err(format!("triangle {triangle} sticks out of node {node}: {volume:?}"));
                    }
                }
            }
        }
        match seen.iter().position(|s| !s) {
            Some(triangle) => Err(format!("triangle {triangle} is in no leaf")),
            None => Ok(()),
        }
    }

    fn refit(&mut self, mesh: &Mesh, _: &mut RefitScratch) {
        let links: Vec<u32> = self.nodes.iter().map(|node| node.link).collect();
        *self = Self::fitted(&links, self.depth, mesh);
    }

    fn visit_segment(&self, visitor: &mut LeafVisitor) -> ControlFlow<()> {
        let segment = visitor.segment.map(|p| p - self.center.as_dvec3());
        visitor.stack.clear();
        visitor.stack.push((0, Aabb::EMPTY));
        while let Some((index, _)) = visitor.stack.pop() {
            let node = &self.nodes[index as usize];
            if !node.volume.meets(segment) {
                continue;
            }
            match node.below() {
                Ok(triangle) => (visitor.leaf)(triangle)?,
                Err(first) => {
                    let first = first as u32;
                    visitor.stack.extend([(first, Aabb::EMPTY), (first + 1, Aabb::EMPTY)]);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A volume whose hierarchy can be asked for probabilities.
pub(super) trait Countable: Volume {
    type Tight: Tight;
    fn tight(&self) -> Self::Tight;
    fn tight_frames(transit: &Transit, shared: &Self::Shared) -> <Self::Tight as Tight>::Frames;
}

impl Countable for Aabb {
    type Tight = ();

    fn tight(&self) {}

    fn tight_frames(_: &Transit, (): &()) {}
}

impl Countable for Dop<24> {
    type Tight = Self;

    fn tight(&self) -> Self {
        *self
    }

    fn tight_frames(transit: &Transit, shared: &Self::Shared) -> Self::Frames {
        Self::frames(transit, shared)
    }
}

impl<V: Countable> Nodes for VolumeTree<V> {
    type Node = u32;
    type Tight = V::Tight;

    fn center(&self) -> Vec3 {
        self.center
    }

    fn root(&self) -> u32 {
        0
    }

    fn index(&node: &u32) -> usize {
        node as usize
    }

    fn bounds(&self, &node: &u32) -> Aabb {
        self.nodes[node as usize].volume.bounds()
    }

    fn is_leaf(&self, &node: &u32) -> bool {
        self.nodes[node as usize].below().is_ok()
    }

    fn children(&self, &node: &u32) -> ArrayVec<u32, 8> {
        let first = self.nodes[node as usize].below().err();
        first.into_iter().flat_map(|first| [first as u32, first as u32 + 1]).collect()
    }

    fn leaf_triangles(&self, &node: &u32, out: &mut Vec<u32>) {
        out.extend(self.nodes[node as usize].below().ok());
    }

    fn tight(&self, &node: &u32) -> V::Tight {
        self.nodes[node as usize].volume.tight()
    }

    fn frames(&self, transit: &Transit) -> <V::Tight as Tight>::Frames {
        V::tight_frames(transit, &self.shared)
    }
}

/// Two trees of one kind in one frame.
pub(super) struct VolumePair<'a, V: Volume> {
    a: &'a VolumeTree<V>,
    b: &'a VolumeTree<V>,
    frames: V::Frames,
}

/// From one hierarchy's frame to another's, both relative to their surfaces' centres; the radius of what is
/// around each, m.
pub(super) fn transit(centers: [Vec3; 2], radii: [f64; 2], search: &Search) -> Transit {
    let centers = centers.map(|c| c.as_dvec3());
    let translation = search.b_to_a.transform_point(centers[1]) - centers[0];
    // A coordinate passes some 16 roundings of half a unit in the last place of the largest number on its
    // way, a DOP's offset three times as many; the corners and the translation were rounded far out.
    let size = translation.abs().max_element() + 2.0 * (radii[0] + radii[1]) + search.margin;
    let far = centers.map(|c| c.abs().max_element());
    let far = far[0] + far[1] + search.b_to_a.position.abs().max_element();
    let rounding = 32.0 * f64::from(f32::EPSILON) * size + 16.0 * f64::EPSILON * far;
    let rotation = search.b_to_a.rotation_matrix();
    Transit { rotation, translation, growth: search.margin + rounding }
}

/// A node and its volume as the query sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<P> {
    volume: P,
    node: u32,
}

/// The stack of a traversal.
pub(super) type VolumeStack<V> = Vec<(Placed<<V as Volume>::A>, Placed<<V as Volume>::B>)>;

impl<'a, V: Volume> VolumePair<'a, V> {
    pub fn new(a: &'a VolumeTree<V>, b: &'a VolumeTree<V>, search: &Search) -> Self {
        let transit = transit([a.center, b.center], [a.radius, b.radius], search);
        Self { a, b, frames: V::frames(&transit, &a.shared) }
    }

    #[inline(always)]
    fn place_a(&self, node: u32) -> Placed<V::A> {
        Placed { volume: self.a.nodes[node as usize].volume.carry_a(&self.frames), node }
    }

    #[inline(always)]
    fn place_b(&self, node: u32) -> Placed<V::B> {
        Placed { volume: self.b.nodes[node as usize].volume.carry_b(&self.frames), node }
    }
}

impl<V: Volume> Descent for VolumePair<'_, V> {
    const STEP_A: Operations = V::CARRY_A;
    const STEP_B: Operations = V::CARRY_B;
    const PAIR: Operations = V::OVERLAP;

    type A = Placed<V::A>;
    type B = Placed<V::B>;
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
