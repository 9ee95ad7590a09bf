//! What a hierarchy of any kind can be asked by itself.

use std::ops::ControlFlow;

use glam::DVec3;

use super::kinds::Tree;
use super::nodes::{Hierarchy, PointStack, RefitScratch, SegmentStack};
use crate::mesh::Mesh;
use crate::volume::Aabb;

impl Tree {
    /// Fits all volumes to a surface of the same triangles with its vertices moved: exact again, but the
    /// worse the more neighbours have parted. Linear for kinds whose volumes can be joined; the others
    /// (oriented boxes, spheres) are fitted to all triangles below each node. Boxtrees that keep whole sides,
    /// or eight or four children, allocate nothing but what `scratch` grows to.
    pub fn refit(&mut self, mesh: &Mesh, scratch: &mut RefitScratch) {
        if let Some(hierarchy) = self.hierarchy_mut() {
            hierarchy.refit(mesh, scratch);
        }
    }

    /// Notes in which directions the triangles below each node may carry contacts, so that searches for
    /// contacts ([`Facing`](super::Facing)) leave out what does not face; kinds that cannot take no notice.
    /// Fitting the hierarchy to another shape forgets it. Linear: about 0.6 µs a triangle.
    pub fn note_cones(&mut self, mesh: &Mesh) {
        if let Some(hierarchy) = self.hierarchy_mut() {
            hierarchy.note_cones(mesh);
        }
    }

    /// Memory the hierarchy holds beside the mesh.
    pub fn byte_count(&self) -> usize {
        self.hierarchy().map_or(0, Hierarchy::byte_count)
    }

    pub fn node_count(&self) -> usize {
        self.hierarchy().map_or(0, Hierarchy::node_count)
    }

    /// Levels below the root; zero for a kind without nodes.
    pub fn depth(&self) -> u32 {
        self.hierarchy().map_or(0, Hierarchy::depth)
    }

    /// Calls `show` with the box around every node `level` levels below the root and every leaf above, body
    /// space. A kind without nodes has none.
    pub fn for_each_box(&self, level: u32, mut show: impl FnMut(Aabb)) {
        if let Some(hierarchy) = self.hierarchy() {
            hierarchy.for_each_box(level, &mut show);
        }
    }

    /// The volumes of all nodes together, m³; zero for a kind without nodes.
    pub fn volume_sum(&self) -> f64 {
        let mut sum = 0.0;
        if let Some(hierarchy) = self.hierarchy() {
            hierarchy.for_each_volume(&mut |volume| sum += volume);
        }
        sum
    }

    /// What the root is around, m³; zero for a kind without nodes.
    pub fn root_volume(&self) -> f64 {
        let mut root = None;
        if let Some(hierarchy) = self.hierarchy() {
            hierarchy.for_each_volume(&mut |volume| {
                root.get_or_insert(volume);
            });
        }
        root.unwrap_or(0.0)
    }

    /// Checks every invariant of the hierarchy against its mesh.
    pub fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        self.hierarchy().map_or(Ok(()), |hierarchy| hierarchy.validate(mesh))
    }

    /// Calls `show` with every triangle that a segment (body space, m) may cross, until it breaks.
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
    /// Calls `measure` with triangles, among them every one that is not farther from a point (body space, m)
    /// than `bound` (m) and all that were measured before. `measure` returns the square of the least distance
    /// so far, m².
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
