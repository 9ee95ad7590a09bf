//! Interface of every hierarchy, whatever its layout: nodes with boxes, which have children or
//! triangles. This file also has the code that works for all kinds: the boxes of a level, the volumes,
//! segment and point queries, and validation.

use std::any::Any;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};

use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::volume::{Aabb, Meets, Volume};

/// A hierarchy over the triangles of one mesh, in its body space.
pub trait Nodes: Send + Sync {
    /// A node, with the data that determines its box.
    type Node: Copy + Send + Sync + 'static;

    /// Whether every node's box is exactly inside its parent's box.
    const NESTED: bool;

    /// Returns the memory of the hierarchy in bytes, without the mesh. Counts the capacities of its
    /// vectors.
    fn byte_count(&self) -> usize;
    fn node_count(&self) -> usize;
    /// Returns the number of levels below the root.
    fn depth(&self) -> u32;
    /// Refits all volumes to the mesh, whose vertices have moved. Does not change the structure of the
    /// tree or the order of its triangles.
    fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch);

    fn root(&self) -> Self::Node;
    /// Returns the children of a node; none at a leaf.
    fn children(&self, node: &Self::Node) -> ArrayVec<Self::Node, 8>;
    /// Returns the triangles of a leaf; none for an inner node.
    fn triangles(&self, node: &Self::Node) -> impl Iterator<Item = u32>;
    /// Returns the box around the node's volume, body space, m.
    fn bounds(&self, node: &Self::Node) -> Aabb;

    /// Implements [`Tree::note_cones`](super::Tree::note_cones).
    fn note_cones(&mut self, _: &Mesh) {}

    fn is_leaf(&self, node: &Self::Node) -> bool {
        self.children(node).is_empty()
    }

    /// Returns the size of the node's volume, m³.
    fn volume(&self, node: &Self::Node) -> f64 {
        self.bounds(node).volume()
    }

    /// Returns whether the node's volume contains a vertex of the mesh.
    fn contains(&self, node: &Self::Node, vertex: Vec3) -> bool {
        self.bounds(node).contains_point(vertex)
    }

    /// Returns whether a segment (body space, m) may intersect the node's volume.
    fn meets(&self, node: &Self::Node, segment: [DVec3; 2]) -> bool {
        self.bounds(node).meets(segment)
    }

    /// Calls `show` with every triangle whose leaf a segment (body space, m) may intersect, until
    /// `show` breaks. `open` must be empty.
    fn visit_segment(
        &self,
        segment: [DVec3; 2],
        open: &mut Vec<Self::Node>,
        show: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        open.push(self.root());
        while let Some(node) = open.pop() {
            if self.meets(&node, segment) {
                self.triangles(&node).try_for_each(&mut *show)?;
                open.extend(self.children(&node));
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `measure` with candidates for the triangle nearest to a point (body space, m). A triangle
    /// may be skipped only if it is farther than `bound` (m) or than the nearest triangle measured so
    /// far. `measure` returns the square of the least distance so far, m². `open` must be empty.
    fn approach_point(
        &self,
        point: DVec3,
        bound: f64,
        open: &mut Vec<(f64, Self::Node)>,
        measure: &mut dyn FnMut(u32) -> f64,
    ) {
        let mut least = bound * bound;
        open.push((0.0, self.root()));
        while let Some((square, node)) = open.pop() {
            if square > least {
                continue;
            }
            for triangle in self.triangles(&node) {
                least = measure(triangle).min(least);
            }
            let first = open.len();
            let children = self.children(&node).into_iter();
            open.extend(children.map(|child| (self.bounds(&child).square_to(point), child)));
            // Sorted farthest first, because the last one is popped next.
            open[first..].sort_unstable_by(|x, y| y.0.total_cmp(&x.0));
        }
    }
}

/// Object-safe interface of a hierarchy of any kind.
pub trait Hierarchy {
    /// Returns the memory of the hierarchy in bytes, without the mesh.
    fn byte_count(&self) -> usize;

    fn node_count(&self) -> usize;

    /// Returns the number of levels below the root.
    fn depth(&self) -> u32;

    /// Implements [`Nodes::refit`].
    fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch);

    /// Implements [`Nodes::note_cones`].
    fn note_cones(&mut self, mesh: &Mesh);

    /// Calls `show` with the box (body space, m) of every node that is `level` levels below the root,
    /// and of every leaf above that level.
    fn for_each_box(&self, level: u32, show: &mut dyn FnMut(Aabb));

    /// Calls `show` with the volume of every node, m³, the root's first.
    fn for_each_volume(&self, show: &mut dyn FnMut(f64));

    /// Tests the hierarchy against the mesh that it was built over. Each triangle must be in exactly
    /// one leaf, and inside the volumes of this leaf and of all its ancestors. All nodes must be
    /// reachable. Returns a description of the first violation.
    fn validate(&self, mesh: &Mesh) -> Result<(), String>;

    /// Implements [`Nodes::visit_segment`].
    fn visit_segment(
        &self,
        segment: [DVec3; 2],
        stack: &mut SegmentStack,
        show: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Implements [`Nodes::approach_point`].
    fn approach_point(
        &self,
        point: DVec3,
        bound: f64,
        stack: &mut PointStack,
        measure: &mut dyn FnMut(u32) -> f64,
    );
}

/// Boxes of a refit, reused so that they are allocated only once.
#[derive(Clone, Debug, Default)]
pub struct RefitScratch {
    pub tight: Vec<Aabb>,
    pub own: Vec<Aabb>,
}

/// Stack of a segment query, reused so that it grows only once.
#[derive(Default)]
pub struct SegmentStack(Kept);

/// Stack of a point query, reused so that it grows only once.
#[derive(Default)]
pub struct PointStack(Kept);

/// A vector of nodes of any type, kept for reuse.
#[derive(Default)]
struct Kept(Option<Box<dyn Any + Send + Sync>>);

impl Kept {
    /// Takes the vector, emptied. Allocates a new one if the stored one is of another type.
    #[expect(clippy::box_collection, reason = "put back as it is: no box is made anew")]
    fn take<N: Send + Sync + 'static>(&mut self) -> Box<Vec<N>> {
        let kept = self.0.take().and_then(|stack| stack.downcast::<Vec<N>>().ok());
        let mut stack = kept.unwrap_or_default();
        stack.clear();
        stack
    }
}

/// Calls `visit` with every node and its level, parents before children. Continues below a node if
/// `visit` returns true.
fn walk<T: Nodes>(tree: &T, mut visit: impl FnMut(&T::Node, u32) -> bool) {
    let mut stack = vec![(tree.root(), 0)];
    while let Some((node, level)) = stack.pop() {
        if visit(&node, level) {
            stack.extend(tree.children(&node).into_iter().map(|child| (child, level + 1)));
        }
    }
}

impl<T: Nodes> Hierarchy for T {
    fn byte_count(&self) -> usize {
        Nodes::byte_count(self)
    }

    fn node_count(&self) -> usize {
        Nodes::node_count(self)
    }

    fn depth(&self) -> u32 {
        Nodes::depth(self)
    }

    fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch) {
        Nodes::refit(self, mesh, scratch);
    }

    fn note_cones(&mut self, mesh: &Mesh) {
        Nodes::note_cones(self, mesh);
    }

    fn for_each_box(&self, level: u32, show: &mut dyn FnMut(Aabb)) {
        walk(self, |node, own_level| {
            let is_shown = own_level == level || self.is_leaf(node);
            if is_shown {
                show(self.bounds(node));
            }
            !is_shown
        });
    }

    fn for_each_volume(&self, show: &mut dyn FnMut(f64)) {
        walk(self, |node, _| {
            show(self.volume(node));
            true
        });
    }

    fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        let mut check =
            Check { tree: self, mesh, seen: vec![false; mesh.triangles().len()], above: Vec::new() };
        let (mut answer, mut visited) = (Ok(()), 0);
        walk(self, |node, level| {
            visited += 1;
            if answer.is_ok() {
                answer = check.node(node, level as usize);
            }
            answer.is_ok()
        });
        answer?;
        if visited != Nodes::node_count(self) {
            return Err(format!("only {visited} of {} nodes are reachable", Nodes::node_count(self)));
        }
        match check.seen.iter().position(|s| !s) {
            Some(triangle) => Err(format!("triangle {triangle} is in no leaf")),
            None => Ok(()),
        }
    }

    fn visit_segment(
        &self,
        segment: [DVec3; 2],
        stack: &mut SegmentStack,
        show: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut open = stack.0.take::<T::Node>();
        let answer = Nodes::visit_segment(self, segment, &mut open, show);
        stack.0.0 = Some(open);
        answer
    }

    fn approach_point(
        &self,
        point: DVec3,
        bound: f64,
        stack: &mut PointStack,
        measure: &mut dyn FnMut(u32) -> f64,
    ) {
        let mut open = stack.0.take::<(f64, T::Node)>();
        Nodes::approach_point(self, point, bound, &mut open, measure);
        stack.0.0 = Some(open);
    }
}

/// Validation of a hierarchy against its mesh.
struct Check<'a, T: Nodes> {
    tree: &'a T,
    mesh: &'a Mesh,
    /// Whether each triangle was found in a leaf.
    seen: Vec<bool>,
    /// Nodes from the root to the current node.
    above: Vec<T::Node>,
}

impl<T: Nodes> Check<'_, T> {
    fn node(&mut self, node: &T::Node, level: usize) -> Result<(), String> {
        let Self { tree, mesh, seen, above } = self;
        above.truncate(level);
        let own = tree.bounds(node);
        if let Some(parent) = above.last().map(|parent| tree.bounds(parent))
            && T::NESTED
            && (own.is_empty() || !parent.contains(&own))
        {
            return Err(format!("{own:?} is not inside its parent {parent:?}"));
        }
        above.push(*node);
        for triangle in tree.triangles(node) {
            if std::mem::replace(&mut seen[triangle as usize], true) {
                return Err(format!("triangle {triangle} is in two leaves"));
            }
            let vertices = mesh.triangles()[triangle as usize].map_each(|v| mesh.vertices()[v as usize]);
            let holds = |node: &&T::Node| vertices.iter().all(|&vertex| tree.contains(node, vertex));
            if let Some(node) = above.iter().find(|node| !holds(node)) {
                let bounds = tree.bounds(node);
                return Err(format!("triangle {triangle} sticks out of a node, {bounds:?}"));
            }
        }
        Ok(())
    }
}
