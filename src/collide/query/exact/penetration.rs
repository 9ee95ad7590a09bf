//! Penetration depth of two convex links that intersect, by the expanding polytope algorithm (van den
//! Bergen 2001, "Proximity queries and penetration depth computation on 3D game objects", section 5).
//!
//! A polytope inside the difference A − B, around the origin, grows at its face nearest to the origin,
//! until that face is a face of the difference. The result is the extent of the difference along that
//! face's normal. A motion by this extent separates the links, even if the iteration stopped early.

use glam::DVec3;

use super::difference::{Difference, Vertex};
use super::gjk::Simplex;
use super::polytope::Polytope;
use super::simplex::nearest;

use crate::arrays::MapEach;

/// Buffers of the expansion, reused so that they grow only once.
#[derive(Default)]
pub(super) struct Expansion {
    polytope: Polytope,
    vertices: Vec<Vertex>,
}

/// Shortest motion that separates the links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    /// Depth, m.
    pub depth: f64,
    /// Unit normal, from b to a, body space of a.
    pub normal: DVec3,
    /// Deepest points of a and of b.
    pub points: [DVec3; 2],
}

/// Largest distance of the final face from the surface of the difference, as a share of the
/// difference's reach: about the rounding error.
const GAP: f64 = 1e-12;
const MAX_STEP_COUNT: usize = 256;

impl Expansion {
    /// Measures the overlap. `simplex`: final simplex of the distance search.
    pub fn measure(&mut self, difference: &Difference, simplex: &Simplex) -> Overlap {
        let rounding = difference.rounding();
        let corners = match tetrahedron(difference, simplex) {
            Ok(corners) => corners,
            Err(across) => return flat(difference, across, &simplex.corners[0]),
        };
        if !self.polytope.start(corners.map_each(|c| c.point), rounding) {
            return flat(difference, DVec3::ZERO, &corners[0]);
        }
        self.vertices.clear();
        self.vertices.extend_from_slice(&corners);
        let gap = GAP * difference.reach;
        // Least extent over all tested directions, with its direction and its vertex.
        let mut least = (f64::INFINITY, DVec3::ZERO, corners[0]);
        for _ in 0..MAX_STEP_COUNT {
            let (nearest, offset) = self.polytope.nearest_face();
            let face = self.polytope.face(nearest);
            if face.normal == DVec3::ZERO {
                break;
            }
            let normal = face.normal;
            let corners = face.corners.map_each(|c| self.vertices[c as usize]);
            let ahead = difference.support(normal, corners[2].of);
            let height = normal.dot(ahead.point);
            if height < least.0 {
                least = (height, normal, ahead);
            }
            if height - offset <= gap || corners.iter().any(|c| c.of == ahead.of) {
                return self.answer(difference, normal, height, nearest);
            }
            if !self.polytope.grow(nearest, ahead.point, 0.1 * gap) {
                break;
            }
            self.vertices.push(ahead);
        }
        let (height, normal, ahead) = least;
        if normal == DVec3::ZERO {
            return flat(difference, DVec3::ZERO, &ahead);
        }
        let points = difference.points([(&ahead, 1.0)].into_iter());
        Overlap { depth: height.max(0.0), normal: -normal, points }
    }

    /// Builds the result. The nearest face was chosen by its plane, but the origin may project onto
    /// another triangle of that plane.
    fn answer(&self, difference: &Difference, normal: DVec3, height: f64, nearest_face: u32) -> Overlap {
        let rounding = difference.rounding();
        let (mut corners, mut shares, mut off) = self.foot(nearest_face, height * normal);
        if off > rounding {
            for face in self.polytope.face_ids().filter(|&f| self.polytope.offset(f) <= height + rounding) {
                let other = self.foot(face, height * normal);
                if other.2 < off {
                    (corners, shares, off) = other;
                }
            }
        }
        let points = difference.points(corners.iter().zip(shares));
        Overlap { depth: height.max(0.0), normal: -normal, points }
    }

    /// Returns the corners of a face, their weights in its point nearest to `foot`, and the distance of
    /// that point, m.
    fn foot(&self, face: u32, foot: DVec3) -> ([Vertex; 3], [f64; 4], f64) {
        let corners = self.polytope.face(face).corners.map_each(|c| self.vertices[c as usize]);
        let [p, q, r] = corners.map_each(|c| c.point - foot);
        let nearest = nearest(&[p, q, r, r], 3);
        (corners, nearest.shares, nearest.point.length())
    }
}

/// Returns the overlap of a difference without volume. The difference lies in a plane, and the normal
/// of the plane is the direction of separation. `across`: this normal; `at`: a point of the difference.
fn flat(difference: &Difference, across: DVec3, at: &Vertex) -> Overlap {
    let normal = across.try_normalize().unwrap_or(DVec3::X);
    let points = difference.points([(at, 1.0)].into_iter());
    Overlap {
        depth: 0.0,
        normal: if normal.dot(difference.translation) > 0.0 { -normal } else { normal },
        points,
    }
}

/// Extends the simplex to four corners of the difference that span a volume. The volume contains or
/// touches the origin. If the difference has no volume, returns a direction normal to it as an error.
fn tetrahedron(difference: &Difference, simplex: &Simplex) -> Result<[Vertex; 4], DVec3> {
    let rounding = difference.rounding();
    let (mut corners, mut count) = (simplex.corners, simplex.count);
    if count == 0 {
        (corners[0], count) = (difference.support(DVec3::X, [0; 2]), 1);
    }
    if count == 1 {
        let from = corners[0];
        let directions = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
        let measure = |v: &Vertex| v.point.distance(from.point);
        corners[1] = farthest(difference, &directions, from.of, measure, rounding).ok_or(DVec3::X)?;
        count = 2;
    }
    if count == 2 {
        let (from, along) = (corners[0], corners[1].point - corners[0].point);
        let (x, y) = along.normalize_or_zero().any_orthonormal_pair();
        let measure = |v: &Vertex| along.cross(v.point - from.point).length();
        corners[2] =
            farthest(difference, &[x, -x, y, -y], from.of, measure, rounding * along.length()).ok_or(x)?;
        count = 3;
    }
    if count == 3 {
        let from = corners[0];
        let across = (corners[1].point - from.point).cross(corners[2].point - from.point);
        let measure = |v: &Vertex| across.dot(v.point - from.point).abs();
        corners[3] = farthest(difference, &[across, -across], from.of, measure, rounding * across.length())
            .ok_or(across)?;
    }
    Ok(corners)
}

/// Returns the support point with the greatest measure over the given directions; `None` if this
/// measure is not greater than `least`.
fn farthest(
    difference: &Difference,
    directions: &[DVec3],
    near: [u32; 2],
    measure: impl Fn(&Vertex) -> f64,
    least: f64,
) -> Option<Vertex> {
    let mut best: Option<(f64, Vertex)> = None;
    for &direction in directions {
        let vertex = difference.support(direction, near);
        let measure = measure(&vertex);
        if measure > best.map_or(least, |(m, _)| m) {
            best = Some((measure, vertex));
        }
    }
    best.map(|(_, vertex)| vertex)
}
