//! Faces of more than three corners → triangles: a fan where they are convex, ears where they are not.

use earcut::Earcut;
use earcut::utils3d::project3d_to_2d;
use glam::{DVec3, Vec3};

use crate::arrays::MapEach;

/// Divides faces, each on its own.
pub(super) struct Divider {
    ears: Earcut<f64>,
    corners: Vec<[f64; 3]>,
    flat: Vec<[f64; 2]>,
    ordinals: Vec<u32>,
    /// Faces that are not convex.
    pub hollow_count: usize,
    /// Faces without an area, of which there is no triangle.
    pub flat_count: usize,
}

impl Divider {
    pub fn new() -> Self {
        Self {
            ears: Earcut::new(),
            corners: Vec::new(),
            flat: Vec::new(),
            ordinals: Vec::new(),
            hollow_count: 0,
            flat_count: 0,
        }
    }

    /// Appends the triangles of a face with at least three corners, which are indices into `positions`.
    pub fn divide(&mut self, face: &[u32], positions: &[Vec3], triangles: &mut Vec<[u32; 3]>) {
        if let [a, b, c] = *face {
            triangles.push([a, b, c]);
            return;
        }
        self.corners.clear();
        self.corners.extend(face.iter().map(|&v| positions[v as usize].as_dvec3().to_array()));
        if is_convex(&self.corners) {
            triangles.extend(face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]]));
            return;
        }
        if !project3d_to_2d(&self.corners, self.corners.len(), &mut self.flat) {
            self.flat_count += 1;
            return;
        }
        self.hollow_count += 1;
        self.ears.earcut(self.flat.iter().copied(), &[], &mut self.ordinals);
        let corner = |ordinal: u32| face[ordinal as usize];
        let (divided, _) = self.ordinals.as_chunks();
        triangles.extend(divided.iter().map(|t: &[u32; 3]| t.map_each(corner)));
    }
}

/// Whether every corner turns the way the whole face does, and the face goes round once.
fn is_convex(corners: &[[f64; 3]]) -> bool {
    let at = |i: usize| DVec3::from_array(corners[i % corners.len()]);
    let first = at(0);
    let normal = (1..corners.len() - 1).map(|i| (at(i) - first).cross(at(i + 1) - first)).sum::<DVec3>();
    let turns = |i: usize| (at(i + 1) - at(i)).cross(at(i + 2) - at(i + 1)).dot(normal) > 0.0;
    // Of a star that goes round twice, some triangles of the fan lie the other way.
    let fans = |i: usize| (at(i) - first).cross(at(i + 1) - first).dot(normal) > 0.0;
    (0..corners.len()).all(turns) && (1..corners.len() - 1).all(fans)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(corners: &[[f32; 3]]) -> (Vec<[u32; 3]>, Divider) {
        let positions: Vec<Vec3> = corners.iter().map(|&c| Vec3::from_array(c)).collect();
        let face: Vec<u32> = (0..corners.len() as u32).collect();
        let (mut divider, mut triangles) = (Divider::new(), Vec::new());
        divider.divide(&face, &positions, &mut triangles);
        (triangles, divider)
    }

    /// Twice the area of what the triangles cover, each counted by the way it is wound.
    fn areas(corners: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<Vec3> {
        let at = |v: u32| Vec3::from_array(corners[v as usize]);
        triangles.iter().map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a))).collect()
    }

    #[test]
    fn a_hollow_face_is_covered_once_and_keeps_its_side() {
        // An L, seen from +z; of its fan, two triangles would lie outside of it.
        let l = [[0., 0.], [0., 1.], [-2., 1.], [-2., -2.], [1., -2.], [1., 0.]];
        for turned in [false, true] {
            let mut corners: Vec<[f32; 3]> = l.iter().map(|&[x, y]| [x, y, 3.0]).collect();
            let mut up = Vec3::Z;
            if turned {
                corners.iter_mut().for_each(|c| *c = [c[2], c[0], c[1]]);
                corners.reverse();
                up = -Vec3::X;
            }
            let (triangles, divider) = divided(&corners);
            let areas = areas(&corners, &triangles);
            assert_eq!((triangles.len(), divider.hollow_count), (4, 1));
            assert!(areas.iter().all(|a| a.dot(up) > 0.0), "{areas:?}");
            assert!((areas.iter().sum::<Vec3>().length() - 16.0).abs() < 1e-5);
        }
    }

    #[test]
    fn a_convex_face_is_a_fan_and_a_line_is_nothing() {
        let square = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
        assert_eq!(divided(&square).0, [[0, 1, 2], [0, 2, 3]]);
        let (triangles, divider) = divided(&[[0.; 3], [1.; 3], [2.; 3], [3.; 3]]);
        assert_eq!((triangles.len(), divider.flat_count), (0, 1));
    }
}
