//! Flat face of a mesh: the triangles in one plane around a triangle, with the spread of their area.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::DVec3;

use super::surface::Surface;
use super::topology::{NONE, Topology};
use crate::arrays::MapEach;

/// Cosine of the largest angle (0.8°) between two triangles of one plane.
const LEVEL: f64 = 0.9999;
/// Largest number of triangles of a face whose area is measured. The search for neighbors takes time with the
/// square of the number.
pub const MOST_TRIANGLES: usize = 1024;
/// Barycentric coordinates and weights of a rule of seven points, exact to the fifth degree, for means over a
/// triangle (Radon, 1948): each row stands for a point and its two rotations.
const RULE: [([f64; 3], f64); 2] = [
    ([0.059_715_871_789_770, 0.470_142_064_105_115, 0.470_142_064_105_115], 0.132_394_152_788_506),
    ([0.797_426_985_353_087, 0.101_286_507_323_456, 0.101_286_507_323_456], 0.125_939_180_544_827),
];
/// Weight of the middle of the triangle in [`RULE`].
const MIDDLE: f64 = 0.225;

/// Flat face of a mesh, body space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatFace {
    /// Unit normal out of the body.
    pub normal: DVec3,
    /// Middle of the area, m.
    pub middle: DVec3,
    /// Mean distance of the area from its middle, m.
    pub spread: f64,
    /// Distance of the farthest vertex from the middle along each of [`Self::directions`], m.
    pub reach: [f64; 8],
}

impl FlatFace {
    /// Measures the face around a triangle; `None` if it has more than [`MOST_TRIANGLES`]. `members`: buffer.
    pub(super) fn around(
        triangle: u32,
        surface: &Surface,
        topology: &Topology,
        members: &mut Vec<u32>,
    ) -> Option<Self> {
        collect(triangle, topology, members)?;
        let at = |t: u32| surface.triangles[t as usize].map_each(|v| surface.vertices[v as usize].as_dvec3());
        let doubled = |[p, q, r]: [DVec3; 3]| (q - p).cross(r - p).length();
        let (mut area, mut moment) = (0.0, DVec3::ZERO);
        for corners in members.iter().map(|&t| at(t)) {
            area += doubled(corners);
            moment += doubled(corners) / 3.0 * corners.iter().sum::<DVec3>();
        }
        if area <= 0.0 {
            return None;
        }
        let mut face = Self {
            normal: topology.normal(triangle),
            middle: moment / area,
            spread: 0.0,
            reach: [f64::NEG_INFINITY; 8],
        };
        let directions = face.directions();
        for corners in members.iter().map(|&t| at(t)) {
            face.spread += doubled(corners) / area * mean_distance(corners, face.middle);
            for corner in corners {
                for (reach, direction) in face.reach.iter_mut().zip(directions) {
                    *reach = reach.max(direction.dot(corner - face.middle));
                }
            }
        }
        Some(face)
    }

    /// Returns eight unit directions in the plane of the face, 45° apart.
    pub fn directions(&self) -> [DVec3; 8] {
        let x = self.normal.any_orthonormal_vector();
        let y = self.normal.cross(x);
        let [p, q] = [x + y, y - x].map_each(|sum| FRAC_1_SQRT_2 * sum);
        [x, p, y, q, -x, -p, -y, -q]
    }
}

/// Collects the triangles in the plane of a triangle that are connected to it; `None` if there are too many.
fn collect(triangle: u32, topology: &Topology, members: &mut Vec<u32>) -> Option<()> {
    let normal = topology.normal(triangle);
    members.clear();
    members.push(triangle);
    let mut next = 0;
    while let Some(&at) = members.get(next) {
        for edge in topology.triangle_edges(at) {
            let [x, y] = topology.edges()[edge as usize].triangles;
            let other = if x == at { y } else { x };
            if other == NONE || topology.normal(other).dot(normal) < LEVEL || members.contains(&other) {
                continue;
            }
            if members.len() == MOST_TRIANGLES {
                return None;
            }
            members.push(other);
        }
        next += 1;
    }
    Some(())
}

/// Returns the mean distance of a triangle from a point, m. The four parts of the triangle keep the error
/// below 1 % also where the point is at a corner, as in a square of two triangles.
fn mean_distance([p, q, r]: [DVec3; 3], from: DVec3) -> f64 {
    let [pq, qr, rp] = [0.5 * (p + q), 0.5 * (q + r), 0.5 * (r + p)];
    let parts = [[p, pq, rp], [pq, q, qr], [rp, qr, r], [pq, qr, rp]];
    0.25 * parts.into_iter().map(|part| mean_by_rule(part, from)).sum::<f64>()
}

/// Returns the mean distance of a triangle from a point by [`RULE`], m.
fn mean_by_rule(corners: [DVec3; 3], from: DVec3) -> f64 {
    let distance = |shares: [f64; 3]| {
        let point = shares[0] * corners[0] + shares[1] * corners[1] + shares[2] * corners[2];
        point.distance(from)
    };
    RULE.iter().fold(MIDDLE * distance([1.0 / 3.0; 3]), |sum, &([p, q, r], weight)| {
        sum + weight * (distance([p, q, r]) + distance([q, r, p]) + distance([r, p, q]))
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::generate::{Triangles, cuboid, cylinder};
    use crate::mesh::Mesh;

    fn face((positions, triangles): &Triangles, up: DVec3) -> FlatFace {
        let mesh = Mesh::new("part", positions, triangles).unwrap();
        let on_top = |t: &u32| mesh.topology().normal(*t).dot(up) > LEVEL;
        let triangle = (0..mesh.triangles().len() as u32).find(on_top).unwrap();
        mesh.flat_face(triangle, &mut Vec::new()).unwrap()
    }

    /// Compares with closed forms: a disc has 2/3 of its radius, a square 0.3826 of its side.
    #[test]
    fn faces_have_the_spread_of_their_shape() {
        let disc = face(&cylinder(0.05, 0.01, 0.006), DVec3::Z);
        assert!((disc.spread / 0.05 - 2.0 / 3.0).abs() < 0.01, "{}", disc.spread);
        assert!(disc.middle.distance(DVec3::new(0.0, 0.0, 0.005)) < 1e-6, "{}", disc.middle);
        assert!(disc.reach.iter().all(|reach| (reach / 0.05 - 1.0).abs() < 0.02), "{:?}", disc.reach);
        for spacing in [1.0, 0.02] {
            let square = face(&cuboid(Vec3::new(0.2, 0.2, 0.1), spacing), DVec3::Z);
            assert!((square.spread / 0.2 - 0.3826).abs() < 0.01, "{}", square.spread);
        }
    }
}
