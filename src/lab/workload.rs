//! The workload of \[boxtree\] §5: two copies of a mesh, scaled to a cube of side 2, at a range of
//! distances. At each distance the second copy makes a full turn about z and about x.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3, Vec3};

use crate::mesh::{Mesh, MeshError};
use crate::pose::Pose;

/// Distances of the centers, m, from deep overlap to just apart.
pub const DISTANCES: [f64; 9] = [0.4, 0.65, 0.9, 1.15, 1.4, 1.65, 1.9, 2.15, 2.4];

/// Returns `steps` poses of the second copy in the frame of the first, at one distance (m), with the
/// rotation R = Rz(a) Rx(a) for a from 0 to a full turn.
pub fn turn(distance: f64, steps: u32) -> impl Iterator<Item = Pose> {
    (0..steps).map(move |step| {
        let angle = TAU * f64::from(step) / f64::from(steps);
        let rotation = DQuat::from_rotation_z(angle) * DQuat::from_rotation_x(angle);
        Pose::new(rotation, distance * DVec3::X)
    })
}

/// Returns `count` poses so far away that the roots of the two hierarchies are disjoint, so that a
/// query ends at once.
pub fn far_apart(count: u32) -> impl Iterator<Item = Pose> {
    turn(100.0, count)
}

/// Returns the mesh centered at the origin and scaled so that its longest side is 2 m.
///
/// # Errors
/// Fails if the mesh is a single point, or so large or small that it collapses when it is scaled.
pub fn scaled(mesh: &Mesh) -> Result<Mesh, MeshError> {
    let bounds = mesh.bounds();
    let (center, extent) = (bounds.center().as_dvec3(), f64::from(bounds.size().max_element()));
    let place = |v: &Vec3| (2.0 / extent * (v.as_dvec3() - center)).as_vec3();
    let positions: Vec<Vec3> = mesh.vertices().iter().map(place).collect();
    Mesh::new(mesh.name(), &positions, mesh.triangles())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn a_scaled_mesh_fills_the_cube_along_its_longest_side() {
        let (positions, triangles) = generate::cuboid(Vec3::new(0.3, 4.0, 0.1), 1.0);
        let moved: Vec<Vec3> = positions.iter().map(|&p| p + Vec3::new(50.0, -7.0, 0.0)).collect();
        let mesh = scaled(&Mesh::new("bar", &moved, &triangles).unwrap()).unwrap();
        let bounds = mesh.bounds();
        assert!((bounds.size().y - 2.0).abs() < 1e-5 && bounds.center().length() < 1e-5, "{bounds:?}");
        assert!((bounds.size().x - 0.15).abs() < 1e-5);
    }

    #[test]
    fn a_turn_begins_unturned_and_keeps_its_distance() {
        let poses: Vec<Pose> = turn(1.4, 100).collect();
        assert_eq!(poses.len(), 100);
        assert_eq!(poses[0].transform_point(DVec3::Y), DVec3::new(1.4, 1.0, 0.0));
        assert!(poses.iter().all(|p| p.position == 1.4 * DVec3::X));
        // A quarter turn rotates z to −y by Rx, and then to x by Rz.
        let turned = poses[25].transform_vector(DVec3::Z);
        assert!(turned.distance(DVec3::X) < 1e-12, "{turned}");
    }
}
