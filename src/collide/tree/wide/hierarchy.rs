//! The wide boxtree as a hierarchy.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};

use super::bounds::{Bounds, ChildBounds};
use super::encode;
use super::layout::{Child, WideNode, WideTree};
use super::point::{ApproachPoint, Open};
use super::segment::MeetSegment;
use crate::mesh::{Mesh, PackedCone};
use crate::tree::nodes::{Nodes, RefitScratch};
use crate::volume::{Aabb, Volume};

impl<const W: usize, B: ChildBounds<W>> Nodes for WideTree<W, B>
where
    Self: ApproachPoint + MeetSegment,
{
    /// A child and its box, relative to the center.
    type Node = (Child, Bounds);

    const NESTED: bool = true;

    fn byte_count(&self) -> usize {
        size_of::<Self>()
            + self.nodes.capacity() * size_of::<WideNode<W, B>>()
            + self.triangles.capacity() * size_of::<u32>()
            + self.cones.capacity() * size_of::<[PackedCone; W]>()
    }

    /// Returns the number of inner nodes and leaves.
    fn node_count(&self) -> usize {
        self.nodes.len() + self.triangles.len()
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch) {
        encode::refit(self, mesh, scratch);
    }

    fn note_cones(&mut self, mesh: &Mesh) {
        self.set_cones(mesh);
    }

    fn root(&self) -> (Child, Bounds) {
        (self.top(), self.root)
    }

    fn children(&self, (child, own): &(Child, Bounds)) -> ArrayVec<(Child, Bounds), 8> {
        let Child::Node(index) = child else { return ArrayVec::new() };
        let node = &self.nodes[*index as usize];
        (0..usize::from(node.child_count))
            .map(|lane| (node.child(lane), node.sides.decode(lane, own)))
            .collect()
    }

    fn triangles(&self, &(child, _): &(Child, Bounds)) -> impl Iterator<Item = u32> {
        let leaf = if let Child::Leaf(leaf) = child { Some(leaf) } else { None };
        leaf.map(|leaf| self.triangles[leaf as usize]).into_iter()
    }

    fn bounds(&self, (_, own): &(Child, Bounds)) -> Aabb {
        own.placed(self.center)
    }

    fn is_leaf(&self, (child, _): &(Child, Bounds)) -> bool {
        matches!(child, Child::Leaf(_))
    }

    fn volume(&self, (_, own): &(Child, Bounds)) -> f64 {
        Aabb::from(*own).volume()
    }

    fn contains(&self, (_, own): &(Child, Bounds), vertex: Vec3) -> bool {
        let at = vertex.as_dvec3() - self.center.as_dvec3();
        (0..3).all(|k| f64::from(own.low[k]) <= at[k] && at[k] <= f64::from(own.high[k]))
    }

    fn visit_segment(
        &self,
        segment: [DVec3; 2],
        open: &mut Vec<(Child, Bounds)>,
        show: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.meet_segment(segment, open, show)
    }
    fn approach_point(
        &self,
        point: DVec3,
        bound: f64,
        open: &mut Vec<Open>,
        measure: &mut dyn FnMut(u32) -> f64,
    ) {
        self.approach(point, bound, open, measure);
    }
}
