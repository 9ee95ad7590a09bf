//! Implicit shapes as triangles: closed, wound outward, centered at the origin, with axis +y.
//! Triangulations of round shapes are inscribed. With [`SEGMENTS`] around the axis, and the same
//! angular step from pole to pole, they lie at most 1 % of the radius inside the true surface.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec3, Vec3};

use super::model::Shape;

/// Number of segments around the axis of a round shape.
const SEGMENTS: usize = 32;
/// Side of the slab that stands for an infinite plane, and the slab's thickness below the plane, m.
const PLANE_SIDE: f64 = 1000.0;
const PLANE_DEPTH: f64 = 1.0;
pub(crate) const PLANE_NOTE: &str =
    "is a plane: it becomes a slab 1 m thick below it, with sides of 1000 m if it is unbounded";

type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// Triangulates a shape; `None` for shapes that are meshes of the file.
pub(crate) fn triangles(shape: &Shape) -> Option<Triangles> {
    Some(match *shape {
        Shape::Box { size } => cuboid(-0.5 * size, 0.5 * size),
        Shape::Sphere { radius } => ball(radius, 0.0),
        // One end sphere contains the other.
        Shape::Capsule { height, radius_top, radius_bottom } if height <= radius_bottom - radius_top => {
            ball(radius_bottom, -0.5 * height)
        }
        Shape::Capsule { height, radius_top, radius_bottom } if height <= radius_top - radius_bottom => {
            ball(radius_top, 0.5 * height)
        }
        Shape::Capsule { height, radius_top, radius_bottom } => {
            // Latitude at which the cone around both end spheres touches each of them.
            let edge = libm::asin((radius_bottom - radius_top) / height);
            let bottom = arc(radius_bottom, -0.5 * height, -FRAC_PI_2, edge);
            let top = arc(radius_top, 0.5 * height, edge, FRAC_PI_2);
            revolve(&[bottom, top].concat())
        }
        Shape::Cylinder { height, radius_top, radius_bottom } => {
            let (low, high) = (-0.5 * height, 0.5 * height);
            revolve(&[(0.0, low), (radius_bottom, low), (radius_top, high), (0.0, high)])
        }
        Shape::Plane { size_x, size_z, .. } => {
            let x = 0.5 * size_x.unwrap_or(PLANE_SIDE);
            let z = 0.5 * size_z.unwrap_or(PLANE_SIDE);
            cuboid(DVec3::new(-x, -PLANE_DEPTH, -z), DVec3::new(x, 0.0, z))
        }
        Shape::Mesh { .. } => return None,
    })
}

/// Returns a horizontal slab; `center` is the center of its top face.
pub(crate) fn slab(center: DVec3, half_side: f64, thickness: f64) -> Triangles {
    let half = DVec3::new(half_side, 0.0, half_side);
    cuboid(center - half - thickness * DVec3::Y, center + half)
}

fn cuboid(min: DVec3, max: DVec3) -> Triangles {
    let corner = |i: usize| {
        let pick = |k: usize| if i >> k & 1 == 0 { min[k] } else { max[k] };
        DVec3::new(pick(0), pick(1), pick(2)).as_vec3()
    };
    const SIDES: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = SIDES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

/// Returns points (radius, height) on a circle about a point of the axis, between two latitudes.
fn arc(radius: f64, height: f64, from: f64, to: f64) -> Vec<(f64, f64)> {
    let steps = ((to - from) / (2.0 * PI) * SEGMENTS as f64).ceil().max(1.0) as usize;
    (0..=steps)
        .map(|i| {
            let latitude = from + (to - from) * i as f64 / steps as f64;
            (radius * libm::cos(latitude), height + radius * libm::sin(latitude))
        })
        .collect()
}

fn ball(radius: f64, height: f64) -> Triangles {
    revolve(&arc(radius, height, -FRAC_PI_2, FRAC_PI_2))
}

/// Rotates a profile about the y axis. The profile leads from bottom to top, and its ends lie on the
/// axis. Returns no triangles if the profile hardly leaves the axis.
fn revolve(profile: &[(f64, f64)]) -> Triangles {
    let size = profile.iter().fold(0.0f64, |m, &(r, h)| m.max(r).max(h.abs()));
    let rings: Vec<(f64, f64)> = profile.iter().copied().filter(|&(r, _)| r > 1e-9 * size).collect();
    let low = profile.first().map_or(0.0, |p| p.1);
    let high = profile.last().map_or(0.0, |p| p.1);
    let mut positions = vec![DVec3::new(0.0, low, 0.0).as_vec3(), DVec3::new(0.0, high, 0.0).as_vec3()];
    for &(radius, height) in &rings {
        positions.extend((0..SEGMENTS).map(|s| {
            let angle = 2.0 * PI * s as f64 / SEGMENTS as f64;
            DVec3::new(radius * libm::cos(angle), height, -radius * libm::sin(angle)).as_vec3()
        }));
    }
    let at = |ring: usize, s: usize| (2 + ring * SEGMENTS + s % SEGMENTS) as u32;
    let mut triangles = Vec::new();
    for s in (0..SEGMENTS).filter(|_| !rings.is_empty()) {
        triangles.push([0, at(0, s + 1), at(0, s)]);
        triangles.push([1, at(rings.len() - 1, s), at(rings.len() - 1, s + 1)]);
        for ring in 1..rings.len() {
            let (a, b, c, d) = (at(ring - 1, s), at(ring - 1, s + 1), at(ring, s + 1), at(ring, s));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (positions, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{open_edge_count, signed_volume};

    #[test]
    fn shapes_are_closed_and_hold_their_volume() {
        let ball = |r: f64| 4.0 / 3.0 * PI * r * r * r;
        let cases = [
            (Shape::Box { size: DVec3::new(1.0, 2.0, 3.0) }, 6.0),
            (Shape::Sphere { radius: 0.5 }, ball(0.5)),
            (Shape::Capsule { height: 1.0, radius_top: 0.3, radius_bottom: 0.3 }, ball(0.3) + PI * 0.09),
            (Shape::Cylinder { height: 2.0, radius_top: 0.5, radius_bottom: 0.5 }, PI * 0.5),
            (Shape::Cylinder { height: 3.0, radius_top: 0.0, radius_bottom: 1.0 }, PI),
        ];
        for (shape, volume) in cases {
            let found = triangles(&shape).unwrap();
            assert_eq!(open_edge_count(&found), 0, "{shape:?}");
            let share = signed_volume(&found) / volume;
            assert!((0.97..=1.0 + 1e-6).contains(&share), "{shape:?}: {share} of its volume");
        }
    }

    /// Tests that not only the corners, but all points of all facets are within the stated share of the
    /// radius.
    #[test]
    fn round_shapes_are_as_close_to_the_true_surface_as_stated() {
        let sizes = [(1.0, 0.1, 0.4), (1.0, 0.4, 0.1), (0.0, 0.3, 0.3), (0.2, 0.1, 0.4), (0.2, 0.4, 0.1)];
        for (height, radius_top, radius_bottom) in sizes {
            let shape = Shape::Capsule { height, radius_top, radius_bottom };
            let (positions, corners) = triangles(&shape).unwrap();
            assert_eq!(open_edge_count(&(positions.clone(), corners.clone())), 0, "{shape:?}");
            assert!(signed_volume(&(positions.clone(), corners.clone())) > 0.0);
            // Signed distance to the union of the balls from one end to the other; negative inside.
            let outside = |p: DVec3| {
                let at = |s: f64| {
                    let radius = radius_bottom + s * (radius_top - radius_bottom);
                    p.distance(DVec3::Y * height * (s - 0.5)) - radius
                };
                (0..=1000).map(|i| at(f64::from(i) / 1000.0)).fold(f64::INFINITY, f64::min)
            };
            let radius = radius_top.max(radius_bottom);
            for corner in &corners {
                let [a, b, c] = corner.map(|v| positions[v as usize].as_dvec3());
                for p in [a, 0.5 * (a + b), (a + b + c) / 3.0] {
                    let off = outside(p) / radius;
                    assert!((-0.01..1e-5).contains(&off), "{shape:?}: {off}");
                }
            }
        }
    }
}
