//! Smooth surface that a fine mesh approximates over a triangle, convex or concave.
//!
//! The facets of a tessellated ball have normals that jump from facet to facet, and lie inside the ball. A
//! contact on such a facet pushes aside by up to half the angle between two facets. So a facet gets a smooth
//! surface of second degree through its corners. The normals of the part at the two ends of each side tell
//! how far this surface rises over that side. The normal and the curvature at a point are those of the
//! surface there. Were the normal interpolated by itself, forces along it would do work around a closed
//! path: parts without friction would spin up.

use glam::{DMat3, DVec3};

use super::ring::{Bends, Ring};
use super::rounding::Fit;
use super::surface::Surface;
use super::topology::{SHARP, Topology};
use crate::arrays::MapEach;

/// Smooth surface at a point of a triangle, body space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Unit normal out of the body.
    pub normal: DVec3,
    /// Derivative of the normal with respect to the point, 1/m. Positive along convex directions, zero along
    /// flat ones, and across the surface.
    pub curvature: DMat3,
    /// Height of the smooth surface above the triangle's plane, m; negative over a concave surface.
    pub height: f64,
}

/// Distance of a unit normal from that of the facet below which the surface counts as flat. A smaller value
/// would mistake the rounding of vertices for a curvature.
const LEAST_LEAN: f64 = 5e-4;
/// Largest sum of the slopes at the two ends of a chord, as a share of their difference. On an arc their sum
/// is zero. Where a flat face goes over into a round one, one slope is zero, and neither is the middle of
/// the facets' normals that of the surface.
const UNEVEN: f64 = 0.5;
/// Curvature, as a share of the greatest, below which a direction counts as flat.
const FLAT: f64 = 1e-2;

impl Bend {
    /// Returns the curvatures along two perpendicular directions of the surface, with those directions.
    fn principal(&self) -> [(f64, DVec3); 2] {
        let x = self.normal.any_orthonormal_vector();
        let y = self.normal.cross(x);
        let [k1, k2, k3] = [(x, x), (x, y), (y, y)].map_each(|(u, v)| u.dot(self.curvature * v));
        let (mean, half) = (0.5 * (k1 + k3), 0.5 * (k1 - k3));
        let spread = (half * half + k2 * k2).sqrt();
        let angle = 0.5 * libm::atan2(k2, half);
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        [(mean + spread, cosine * x + sine * y), (mean - spread, cosine * y - sine * x)]
    }

    /// Returns the greatest curvature, convex or concave, 1/m.
    pub fn greatest(&self) -> f64 {
        self.principal().iter().map(|(curvature, _)| curvature.abs()).fold(0.0, f64::max)
    }

    /// Returns the derivative of the surface point with respect to the normal, m/rad; zero along flat
    /// directions.
    pub fn radii(&self) -> DMat3 {
        let (greatest, mut radii) = (self.greatest(), DMat3::ZERO);
        for (curvature, axis) in self.principal() {
            if curvature.abs() > FLAT * greatest {
                radii += DMat3::from_cols(axis.x * axis, axis.y * axis, axis.z * axis) * curvature.recip();
            }
        }
        radii
    }
}

/// Smooth surface over a triangle.
#[derive(Clone, Copy, Debug)]
pub struct BentFacet {
    /// Corners, body space, m.
    corners: [DVec3; 3],
    /// Unit normal of the triangle.
    flat: DVec3,
    /// Twice the area, m².
    doubled: f64,
    /// Four times the height of the surface over the middle of the side opposite to each corner, m.
    rises: [f64; 3],
    /// Largest distance of the triangle from the surface, m.
    depth: f64,
}

/// Returns the smooth surface over a triangle; `None` if the surface around it is flat or sharp-edged.
/// `largest`: largest radius of the smooth surface, m.
pub(super) fn bent_facet(
    surface: &Surface,
    topology: &Topology,
    triangle: u32,
    largest: f64,
) -> Option<BentFacet> {
    if !topology.triangle_is_curved(triangle) {
        return None;
    }
    let vertices = surface.triangles[triangle as usize];
    let flat = topology.normal(triangle);
    let corners = vertices.map_each(|v| surface.vertices[v as usize].as_dvec3());
    let mut found = [Corner { normal: flat, inward: DVec3::ZERO }; 3];
    for (corner, vertex) in found.iter_mut().zip(vertices) {
        *corner = corner_at(surface, topology, vertex, triangle, largest)?;
    }
    let normals = [0, 1, 2].map_each(|k| continued(k, &corners, &found));
    let is_uneven = |i: usize, j: usize| {
        let along = (corners[j] - corners[i]).normalize_or_zero();
        let (slope_i, slope_j) = (normals[i].dot(along), normals[j].dot(along));
        (slope_i + slope_j).abs() > UNEVEN * (slope_j - slope_i).abs() + LEAST_LEAN
    };
    let is_flat = normals.iter().all(|normal| normal.distance_squared(flat) < LEAST_LEAN * LEAST_LEAN);
    let is_sharp = normals.iter().any(|normal| normal.dot(flat) < SHARP);
    if is_flat || is_sharp || is_uneven(1, 2) || is_uneven(2, 0) || is_uneven(0, 1) {
        return None;
    }
    let slopes = normals.map_each(|normal| normal / normal.dot(flat));
    let rise = |i: usize, j: usize| 0.5 * (slopes[j] - slopes[i]).dot(corners[j] - corners[i]);
    let rises = [rise(1, 2), rise(2, 0), rise(0, 1)];
    let depth = rises.iter().map(|rise| 0.25 * rise.abs()).fold(0.0, f64::max);
    let doubled = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
    Some(BentFacet { corners, flat, doubled, rises, depth })
}

impl BentFacet {
    /// Returns the largest distance of the triangle from the smooth surface, m.
    pub fn depth(&self) -> f64 {
        self.depth
    }

    /// Returns the smooth surface at a point near the triangle, body space, m.
    pub fn at(&self, point: DVec3) -> Bend {
        let Self { corners, rises, .. } = self;
        let (mut shares, mut steps) = ([0.0; 3], [DVec3::ZERO; 3]);
        for k in 0..3 {
            let [from, to] = [corners[(k + 1) % 3], corners[(k + 2) % 3]];
            // Derivative of the corner's share.
            steps[k] = self.flat.cross(to - from) / self.doubled;
            shares[k] = steps[k].dot(point - from);
        }
        let (mut height, mut slope, mut bends) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for (k, rise) in rises.iter().enumerate() {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let (p, q) = (steps[i], steps[j]);
            height += rise * shares[i] * shares[j];
            slope += *rise * (shares[i] * q + shares[j] * p);
            bends -= *rise * (outer(p, q) + outer(q, p));
        }
        let normal = (self.flat - slope).normalize();
        let across = DMat3::IDENTITY - outer(normal, normal);
        Bend { normal, curvature: across * bends * across, height }
    }
}

/// Returns the matrix that maps a vector v to (v · q) p.
fn outer(p: DVec3, q: DVec3) -> DMat3 {
    DMat3::from_cols(q.x * p, q.y * p, q.z * p)
}

/// Smooth surface at a corner of a triangle.
#[derive(Clone, Copy)]
struct Corner {
    /// Unit normal.
    normal: DVec3,
    /// Unit direction from a sharp edge at the corner into the surface; zero if there is no such edge.
    inward: DVec3,
}

/// Returns the smooth surface at a vertex to which a triangle belongs; `None` if there is none.
fn corner_at(
    surface: &Surface,
    topology: &Topology,
    vertex: u32,
    triangle: u32,
    largest: f64,
) -> Option<Corner> {
    let ring = Ring::new(surface, topology, vertex)?;
    let start = ring.place_of(triangle)?;
    let sector = ring.sector_around((surface, topology), vertex, start, Bends::Any)?;
    let inward = sector.inward().unwrap_or(DVec3::ZERO);
    let normal = if sector.is_round() {
        Fit::new(&sector, largest, Bends::Any)?.normal
    } else {
        topology.normal(triangle)
    };
    Some(Corner { normal, inward })
}

/// Returns the normal at a corner. At a sharp edge, the vertices around the corner are on one side, so they
/// do not tell the slope into the surface. There the surface continues as an arc from the corner that is
/// farthest from the edge: the chord has opposite slopes at its ends.
fn continued(k: usize, corners: &[DVec3; 3], found: &[Corner; 3]) -> DVec3 {
    let Corner { normal, inward } = found[k];
    let way = |j: &usize| (corners[*j] - corners[k]).dot(inward);
    let others = [(k + 1) % 3, (k + 2) % 3];
    let far = if way(&others[0]) > way(&others[1]) { others[0] } else { others[1] };
    let slope = -found[far].normal.dot(inward);
    (normal + (slope - normal.dot(inward)) * inward).normalize_or(normal)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::generate::{Triangles, cylinder, sphere, torus};
    use crate::mesh::Mesh;

    fn mesh((positions, triangles): &Triangles) -> Mesh {
        Mesh::new("part", positions, triangles).unwrap()
    }

    /// Compares the surface over the middle of every facet of a round wall about z with the exact one:
    /// distance from the axis or the center, normal (also near a corner) and greatest curvature. `radius` in
    /// m, negative for a bore. `of`: vector from the axis or the center. Returns the number of bent facets.
    fn compare(mesh: &Mesh, radius: f64, of: impl Fn(DVec3) -> DVec3) -> usize {
        let mut count = 0;
        for triangle in 0..mesh.triangles().len() as u32 {
            let Some(facet) = mesh.bent_facet(triangle) else { continue };
            let middle = mesh.corners(triangle).iter().sum::<DVec3>() / 3.0;
            if (of(middle).length() / radius.abs() - 1.0).abs() > 0.05 {
                continue;
            }
            let bend = facet.at(middle);
            let on_surface = middle + bend.height * mesh.topology().normal(triangle);
            let out = of(on_surface);
            let off = (out.length() - radius.abs()).abs();
            assert!(off < 0.05 * facet.depth(), "{off} m of {} m", facet.depth());
            assert!(bend.normal.dot(out.normalize() * radius.signum()) > 1.0 - 1e-5, "{}", bend.normal);
            assert!((bend.greatest() * radius.abs() - 1.0).abs() < 0.02, "{}", bend.greatest());
            // Near a corner, where the normal leans most.
            let corners = mesh.corners(triangle);
            let point = 0.8 * corners[0] + 0.1 * corners[1] + 0.1 * corners[2];
            let bend = facet.at(point);
            let out = of(point + bend.height * mesh.topology().normal(triangle)).normalize();
            let off = bend.normal.distance(out * radius.signum());
            assert!(off < 2e-3, "{off} rad");
            count += 1;
        }
        count
    }

    /// Compares the normal over facets of a ring with the derivative of the surface's height. The normal used
    /// to be interpolated by itself; a ball without friction then spun up in such a ring to 4.5 rad/s.
    #[test]
    fn normals_are_those_of_the_surface_itself() {
        let ring = mesh(&torus(0.2, 0.05, 64, 32));
        let mut count = 0;
        for triangle in 0..ring.triangles().len() as u32 {
            let Some(facet) = ring.bent_facet(triangle) else { continue };
            let (corners, flat) = (ring.corners(triangle), ring.topology().normal(triangle));
            let point = 0.7 * corners[0] + 0.2 * corners[1] + 0.1 * corners[2];
            let normal = facet.at(point).normal;
            for way in [corners[1] - corners[0], corners[2] - corners[0]] {
                let step = 1e-3 * way;
                let rise = facet.at(point + step).height - facet.at(point - step).height;
                let slope = -2.0 * normal.dot(step) / normal.dot(flat);
                assert!((rise - slope).abs() < 1e-6 * step.length(), "{triangle}: {rise} m, {slope} m");
            }
            count += 1;
        }
        assert!(count > 3000, "{count}");
    }

    #[test]
    fn facets_of_a_ball_tell_its_radius_and_normals() {
        let count = compare(&mesh(&sphere(0.05, 48)), 0.05, |point| point);
        assert!(count > 2000, "{count}");
    }

    /// Tests a cylinder and the bore of a tube. Their facets end at sharp rims, and the caps are flat.
    #[test]
    fn facets_of_cylinders_and_bores_tell_their_radii_and_normals() {
        let across = |point: DVec3| DVec3::new(point.x, point.y, 0.0);
        let solid = cylinder(0.05, 0.1, 0.004);
        let count = compare(&mesh(&solid), 0.05, across);
        assert!(count >= 150, "{count}");
        let corner = |k: u32| {
            let (round, k) = (k / 64 % 4, k % 64);
            let (radius, z) =
                ([0.05, 0.06, 0.06, 0.05][round as usize], [-0.02, -0.02, 0.02, 0.02][round as usize]);
            let angle = std::f32::consts::TAU * k as f32 / 64.0;
            Vec3::new(radius * libm::cosf(angle), radius * libm::sinf(angle), z)
        };
        let quads = (0..4).flat_map(|round| (0..64).map(move |k| [64 * round, k]));
        let triangles = quads.flat_map(|[round, k]| {
            let (next, above) = ((k + 1) % 64, (round + 64) % 256);
            let [a, b, c, d] = [round + k, round + next, above + k, above + next];
            [[a, b, c], [b, d, c]]
        });
        let tube = mesh(&((0..256).map(corner).collect(), triangles.collect()));
        // The outer wall is a cylinder of 60 mm, the inner one a bore of 50 mm.
        assert_eq!(compare(&tube, -0.05, across), 128);
        assert_eq!(compare(&tube, 0.06, across), 128);
    }
}
