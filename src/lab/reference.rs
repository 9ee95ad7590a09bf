//! parry3d on the same work, for comparison. The simulation never uses it.

use rapier3d::math::{Pose as RapierPose, Vector};
use rapier3d::parry::bounding_volume::Aabb as ParryAabb;
use rapier3d::parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rapier3d::parry::query::intersection_test;
use rapier3d::parry::shape::TriMesh;

use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::volume::Aabb;

/// Mesh in parry3d's form, with `f32` coordinates.
pub struct ParryMesh(TriMesh);

/// Error of parry3d on a mesh or a pair of meshes.
#[derive(Debug, thiserror::Error)]
#[error("parry3d: {0}")]
pub struct ParryError(String);

impl ParryMesh {
    pub fn new(mesh: &Mesh) -> Result<Self, ParryError> {
        let vertices = mesh.vertices().iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
        let built = TriMesh::new(vertices, mesh.triangles().to_vec());
        built.map(Self).map_err(|e| ParryError(e.to_string()))
    }

    /// Returns whether two surfaces intersect, by parry3d's own test of meshes.
    pub fn intersects(&self, other: &Self, b_to_a: &Pose) -> Result<bool, ParryError> {
        let pose = RapierPose::from_parts(b_to_a.position.as_vec3(), b_to_a.rotation.as_quat());
        intersection_test(&RapierPose::IDENTITY, &self.0, &pose, &other.0)
            .map(|found| found.intersecting)
            .map_err(|e| ParryError(e.to_string()))
    }
}

/// Boxes in parry3d's tree, which is built by binning, then refitted and improved from frame to frame.
#[derive(Default)]
pub struct ParryBoxes {
    tree: Bvh,
    workspace: BvhWorkspace,
    /// Whether the tree has a leaf for each box, by index.
    present: Vec<bool>,
}

impl ParryBoxes {
    /// Updates the tree to the boxes of a frame. Empty boxes have no leaf.
    pub fn update(&mut self, boxes: &[Aabb]) {
        let leaf = |b: &Aabb| {
            ParryAabb::new(Vector::new(b.min.x, b.min.y, b.min.z), Vector::new(b.max.x, b.max.y, b.max.z))
        };
        if self.tree.is_empty() {
            let there = boxes.iter().enumerate().filter(|(_, b)| !b.is_empty());
            self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, there.map(|(index, b)| (index, leaf(b))));
            self.present = boxes.iter().map(|b| !b.is_empty()).collect();
            return;
        }
        self.present.resize(boxes.len().max(self.present.len()), false);
        for (index, present) in self.present.iter_mut().enumerate() {
            match boxes.get(index).filter(|b| !b.is_empty()) {
                Some(bounds) => {
                    self.tree.insert_or_update_partially(leaf(bounds), index as u32, 0.0);
                    *present = true;
                }
                None if *present => {
                    self.tree.remove(index as u32);
                    *present = false;
                }
                None => (),
            }
        }
        self.tree.refit(&mut self.workspace);
        self.tree.optimize_incremental(&mut self.workspace);
    }

    /// Calls `found` with every pair of overlapping boxes.
    pub fn find(&mut self, mut found: impl FnMut(u32, u32)) {
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut found);
    }

    /// Returns the bytes of the tree, without the workspace for its improvement.
    pub fn byte_count(&self) -> usize {
        self.tree.total_memory_size() + self.present.capacity()
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::generate;
    use crate::query::surfaces_intersect;
    use crate::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind};

    #[test]
    fn parry_agrees_where_surfaces_are_clearly_apart_or_crossing() {
        let (positions, triangles) = generate::torus(0.7, 0.3, 32, 16);
        let mesh = Mesh::new("torus", &positions, &triangles).unwrap();
        let (parry, tree) =
            (ParryMesh::new(&mesh).unwrap(), Tree::build(TreeKind::default(), SplitRule::default(), &mesh));
        let mut hits = 0;
        for i in 0..40 {
            let t = f64::from(i);
            let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.3 * t, 0.2 * t, 0.1);
            let pose = Pose::new(rotation, DVec3::new(0.06 * t, 0.0, 0.0));
            let surfaces = [(&tree, &mesh), (&tree, &mesh)];
            let own =
                surfaces_intersect(surfaces, &pose, &mut DescentScratch::default(), &mut Counts::default());
            assert_eq!(parry.intersects(&parry, &pose).unwrap(), own, "{i}");
            hits += u32::from(own);
        }
        assert!((10..40).contains(&hits), "{hits}");
    }
}
