//! Triangulation of faces with more than three corners: convex faces by a fan, other faces by ear
//! clipping.

use earcut::Earcut;
use earcut::utils3d::project3d_to_2d;
use glam::DVec3;

use super::limits::{FACE_CUBES, FACE_CUBES_PER_CORNER, FACE_SQUARES};
use super::simple::is_simple;
use crate::arrays::MapEach;
use crate::digits::grouped;

/// Text of the note on faces with one or two corners.
pub(super) const SHORT: &str = "faces have fewer than three corners: left out";
/// Text of the note on faces without an area.
pub(super) const FLAT: &str = "faces of four corners or more have no area: left out";
/// Text of the note on faces whose triangulation would take too long.
pub(super) const COSTLY: &str =
    "faces cross themselves and have so many corners that cutting them takes minutes: left out";

/// Triangulator of faces, with counts of the faces that it could not triangulate.
pub(super) struct Divider {
    ears: Earcut<f64>,
    /// Corners of the present face without repetitions at the same position, and their positions.
    face: Vec<u32>,
    corners: Vec<[f64; 3]>,
    flat: Vec<[f64; 2]>,
    ordinals: Vec<u32>,
    /// Number of non-convex faces.
    pub hollow_count: usize,
    /// Number of faces with fewer than three corners.
    pub short_count: usize,
    /// Number of faces without an area, which give no triangle.
    pub flat_count: usize,
    /// Number of faces whose triangulation would take too long, which give no triangle.
    pub costly_count: usize,
    /// Number of corners of all faces, and sum of the cubes of the corner counts of non-convex faces.
    corner_count: u64,
    cubes: u64,
    /// Sum of the squares of the corner counts of faces that were tested for self-intersection.
    squares: u64,
}

impl Divider {
    pub fn new() -> Self {
        Self {
            ears: Earcut::new(),
            face: Vec::new(),
            corners: Vec::new(),
            flat: Vec::new(),
            ordinals: Vec::new(),
            hollow_count: 0,
            short_count: 0,
            flat_count: 0,
            costly_count: 0,
            corner_count: 0,
            cubes: 0,
            squares: 0,
        }
    }

    /// Returns the number of faces without an area and the number of faces that would take too long.
    /// Both give no triangles.
    pub fn left_out(&self) -> [usize; 2] {
        [self.flat_count, self.costly_count]
    }

    /// Describes the omitted faces, as the end of a message that a file has no triangles.
    pub fn why_nothing(&self) -> String {
        let said = [(self.short_count, SHORT), (self.flat_count, FLAT), (self.costly_count, COSTLY)];
        let said = said.iter().filter(|(count, _)| *count > 0);
        said.map(|(count, text)| format!("; {} {text}", grouped(*count as u64))).collect()
    }

    /// Appends the triangles of a face, whose corners are indices into `positions`.
    pub fn divide(&mut self, face: &[u32], positions: &[DVec3], triangles: &mut Vec<[u32; 3]>) {
        if face.len() < 3 {
            self.short_count += 1;
            return;
        }
        if let [a, b, c] = *face {
            triangles.push([a, b, c]);
            return;
        }
        self.corner_count += face.len() as u64;
        self.take(face, positions);
        if self.face.len() < 3 {
            self.flat_count += 1;
            return;
        }
        if is_convex(&self.corners) {
            let first = self.face[0];
            triangles.extend(self.face[1..].windows(2).map(|pair| [first, pair[0], pair[1]]));
            return;
        }
        if !project3d_to_2d(&self.corners, self.corners.len(), &mut self.flat) {
            self.flat_count += 1;
            return;
        }
        if !self.may_cut() {
            self.costly_count += 1;
            return;
        }
        self.hollow_count += 1;
        self.ears.earcut(self.flat.iter().copied(), &[], &mut self.ordinals);
        let corner = |ordinal: u32| self.face[ordinal as usize];
        let (divided, _) = self.ordinals.as_chunks();
        triangles.extend(divided.iter().map(|t: &[u32; 3]| t.map_each(corner)));
    }

    /// Sets the present face. Of adjacent corners at the same position, only the last is kept.
    fn take(&mut self, face: &[u32], positions: &[DVec3]) {
        self.face.clear();
        self.corners.clear();
        let at = |k: usize| positions[face[k % face.len()] as usize];
        for (k, &vertex) in face.iter().enumerate().filter(|&(k, _)| at(k) != at(k + 1)) {
            self.face.push(vertex);
            self.corners.push(at(k).to_array());
        }
    }

    /// Returns whether the present face may be triangulated. Triangulation takes time cubic in the
    /// number of corners if the face crosses itself, and little time if not. Once `FACE_CUBES` is used
    /// up, only faces that do not cross themselves are triangulated; the test for that takes at worst
    /// quadratic time.
    fn may_cut(&mut self) -> bool {
        let count = self.face.len() as u64;
        let cubes = self.cubes.saturating_add(count.saturating_mul(count).saturating_mul(count));
        if cubes <= FACE_CUBES + FACE_CUBES_PER_CORNER * self.corner_count {
            self.cubes = cubes;
            return true;
        }
        let squares = self.squares.saturating_add(count.saturating_mul(count));
        if squares > FACE_SQUARES {
            return false;
        }
        self.squares = squares;
        is_simple(&self.flat)
    }
}

/// Returns whether every corner turns in the direction of the face's normal, and the face winds once.
fn is_convex(corners: &[[f64; 3]]) -> bool {
    let at = |i: usize| DVec3::from_array(corners[i % corners.len()]);
    let first = at(0);
    let normal = (1..corners.len() - 1).map(|i| (at(i) - first).cross(at(i + 1) - first)).sum::<DVec3>();
    let turns = |i: usize| (at(i + 1) - at(i)).cross(at(i + 2) - at(i + 1)).dot(normal) > 0.0;
    // Some triangles of the fan are flipped if a face is a star that winds twice.
    let fans = |i: usize| (at(i) - first).cross(at(i + 1) - first).dot(normal) > 0.0;
    (0..corners.len()).all(turns) && (1..corners.len() - 1).all(fans)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    fn divided(corners: &[[f32; 3]]) -> (Vec<[u32; 3]>, Divider) {
        let positions: Vec<DVec3> = corners.iter().map(|&c| Vec3::from_array(c).as_dvec3()).collect();
        let face: Vec<u32> = (0..corners.len() as u32).collect();
        let (mut divider, mut triangles) = (Divider::new(), Vec::new());
        divider.divide(&face, &positions, &mut triangles);
        (triangles, divider)
    }

    /// Returns the area vectors of the triangles, doubled.
    fn areas(corners: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<Vec3> {
        let at = |v: u32| Vec3::from_array(corners[v as usize]);
        triangles.iter().map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a))).collect()
    }

    #[test]
    fn a_hollow_face_is_covered_once_and_keeps_its_side() {
        // An L, seen from +z. Two triangles of its fan would lie outside.
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

    /// Tests that faces that wind around a few points are refused for their cubic cost, and that faces
    /// that repeat one point cost nothing.
    #[test]
    fn a_face_of_many_corners_on_few_places_is_left_out_and_a_repeated_corner_counts_once() {
        let three = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
        let round: Vec<[f32; 3]> = (0..20_001).map(|k| three[k % 3]).collect();
        let (triangles, divider) = divided(&round);
        assert_eq!((triangles.len(), divider.left_out()), (0, [0, 1]));
        let winding = |k: usize| three[k % 3].map(|x| x * (1.0 - 1e-5 * k as f32));
        let (_, divider) = divided(&(0..20_000).map(winding).collect::<Vec<_>>());
        assert_eq!(divider.left_out(), [0, 1]);
        // Many such faces reach the limit just as one large face does.
        let (mut divider, positions) = (Divider::new(), three.map(|p| Vec3::from_array(p).as_dvec3()));
        let face: Vec<u32> = (0..1501).map(|k| k % 3).collect();
        (0..4).for_each(|_| divider.divide(&face, &positions, &mut Vec::new()));
        assert_eq!((divider.hollow_count, divider.costly_count), (2, 2));
        let repeated: Vec<[f32; 3]> = (0..20_001).map(|k| three[k / 6667]).collect();
        let (triangles, divider) = divided(&repeated);
        assert_eq!((triangles.len(), divider.hollow_count, divider.left_out()), (1, 0, [0, 0]));
        assert_eq!(divided(&[[1.0; 3]; 5]).1.left_out(), [1, 0]);
        // A comb does not cross itself, so it is triangulated however many teeth it has.
        for teeth in [1000, 10_000] {
            let comb = |k: usize| [k as f32, if k.is_multiple_of(2) { 0.0 } else { 50.0 }, 0.0];
            let right = (2 * teeth) as f32;
            let comb: Vec<[f32; 3]> =
                (0..2 * teeth).map(comb).chain([[right, 60.0, 0.0], [0.0, 60.0, 0.0]]).collect();
            let (triangles, divider) = divided(&comb);
            assert_eq!((triangles.len(), divider.left_out()), (2 * teeth, [0, 0]));
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
