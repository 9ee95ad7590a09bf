//! Operations on a single hierarchy of any kind.

use std::ops::ControlFlow;

use glam::DVec3;

use super::kinds::Tree;
use super::nodes::{Hierarchy, PointStack, RefitScratch, SegmentStack};
use crate::mesh::Mesh;
use crate::volume::Aabb;

impl Tree {
    /// Refits all volumes to `mesh`, which has the same triangles with moved vertices. Afterwards the
    /// volumes contain their triangles again, but they are loose if triangles that were neighbors have
    /// moved apart. Linear for boxtrees and octrees; other kinds fit each volume to all triangles below
    /// its node. Boxtrees with uncompressed planes, or with eight or four children, allocate nothing
    /// beyond the growth of `scratch`.
    pub fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch) {
        if let Some(hierarchy) = self.hierarchy_mut() {
            hierarchy.refit(mesh, scratch);
        }
    }

    /// Computes the normal cones of all nodes, so that searches with a [`Facing`](super::Facing) filter
    /// skip nodes that do not face each other. Kinds without cones ignore the call. A refit discards
    /// the cones. Linear: about 0.6 µs per triangle.
    pub fn note_cones(&mut self, mesh: &Mesh) {
        if let Some(hierarchy) = self.hierarchy_mut() {
            hierarchy.note_cones(mesh);
        }
    }

    /// Returns the memory of the hierarchy in bytes, without the mesh.
    pub fn byte_count(&self) -> usize {
        self.hierarchy().map_or(0, Hierarchy::byte_count)
    }

    pub fn node_count(&self) -> usize {
        self.hierarchy().map_or(0, Hierarchy::node_count)
    }

    /// Returns the number of levels below the root; zero for a kind without nodes.
    pub fn depth(&self) -> u32 {
        self.hierarchy().map_or(0, Hierarchy::depth)
    }

    /// Calls `show` with the box (body space, m) of every node that is `level` levels below the root,
    /// and of every leaf above that level. A kind without nodes shows no box.
    pub fn for_each_box(&self, level: u32, mut show: impl FnMut(Aabb)) {
        if let Some(hierarchy) = self.hierarchy() {
            hierarchy.for_each_box(level, &mut show);
        }
    }

    /// Returns the sum of the volumes of all nodes, m³; zero for a kind without nodes.
    pub fn volume_sum(&self) -> f64 {
        let mut sum = 0.0;
        if let Some(hierarchy) = self.hierarchy() {
            hierarchy.for_each_volume(&mut |volume| sum += volume);
        }
        sum
    }

    /// Returns the volume of the root, m³; zero for a kind without nodes.
    pub fn root_volume(&self) -> f64 {
        let mut root = None;
        if let Some(hierarchy) = self.hierarchy() {
            hierarchy.for_each_volume(&mut |volume| {
                root.get_or_insert(volume);
            });
        }
        root.unwrap_or(0.0)
    }

    /// Tests every invariant of the hierarchy against its mesh. Returns a description of the first
    /// violation.
    pub fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        self.hierarchy().map_or(Ok(()), |hierarchy| hierarchy.validate(mesh))
    }

    /// Calls `show` with every triangle that a segment (body space, m) may cross, until `show` breaks.
    pub(crate) fn visit_segment(
        &self,
        mesh: &Mesh,
        segment: [DVec3; 2],
        stack: &mut SegmentStack,
        show: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.hierarchy() {
            Some(hierarchy) => hierarchy.visit_segment(segment, stack, show),
            None => (0..mesh.triangles().len() as u32).try_for_each(show),
        }
    }
    /// Calls `measure` with candidates for the triangle nearest to a point (body space, m). A triangle
    /// may be skipped only if it is farther than `bound` (m) or than the nearest triangle measured so
    /// far. `measure` returns the square of the least distance so far, m².
    pub(crate) fn approach_point(
        &self,
        mesh: &Mesh,
        (point, bound): (DVec3, f64),
        stack: &mut PointStack,
        measure: &mut dyn FnMut(u32) -> f64,
    ) {
        match self.hierarchy() {
            Some(hierarchy) => hierarchy.approach_point(point, bound, stack, measure),
            None => (0..mesh.triangles().len() as u32).for_each(|triangle| _ = measure(triangle)),
        }
    }
}
