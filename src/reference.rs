//! Other programs at the same work, to compare with; never part of the simulation.

use rapier3d::math::{Pose as RapierPose, Vector};
use rapier3d::parry::query::intersection_test;
use rapier3d::parry::shape::TriMesh;

use crate::mesh::Mesh;
use crate::pose::Pose;

/// A mesh as parry3d keeps it, in `f32`.
pub struct ParryMesh(TriMesh);

/// A mesh or a pair of them that parry3d does not take.
#[derive(Debug, thiserror::Error)]
#[error("parry3d: {0}")]
pub struct ParryError(String);

impl ParryMesh {
    pub fn new(mesh: &Mesh) -> Result<Self, ParryError> {
        let vertices = mesh.vertices().iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
        let built = TriMesh::new(vertices, mesh.triangles().to_vec());
        built.map(Self).map_err(|e| ParryError(e.to_string()))
    }

    /// Whether the two surfaces intersect, by parry's own test of two meshes.
    pub fn intersects(&self, other: &Self, b_to_a: &Pose) -> Result<bool, ParryError> {
        let pose = RapierPose::from_parts(b_to_a.position.as_vec3(), b_to_a.rotation.as_quat());
        intersection_test(&RapierPose::IDENTITY, &self.0, &pose, &other.0)
            .map(|found| found.intersecting)
            .map_err(|e| ParryError(e.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::mesh::generate;
    use crate::tree::{Counts, DescentScratch, SplitRule, Tree, TreeKind, intersect};

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
            let own = intersect(surfaces, &pose, &mut DescentScratch::default(), &mut Counts::default());
            assert_eq!(parry.intersects(&parry, &pose).unwrap(), own, "{i}");
            hits += u32::from(own);
        }
        assert!((10..40).contains(&hits), "{hits}");
    }
}
