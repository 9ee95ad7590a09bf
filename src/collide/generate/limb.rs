//! A link of an articulated character: an ellipsoid along x, whole or dented like the hull of a boat.
//! \[cab\] Fig. 3

use std::f64::consts::{PI, TAU};

use glam::{DVec3, Vec3};

use super::Triangles;
use super::shell::polar;

/// Number of vertices per ring. With `RINGS` this makes 130 vertices, as the times of \[cab\] suggest.
const AROUND: u32 = 16;
/// Number of rings between the two tips.
const RINGS: u32 = 8;

/// Dimensions of a limb, m. The origin lies halfway between the tips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    /// Length from tip to tip, along x.
    pub length: f64,
    /// Largest width, along y.
    pub width: f64,
    /// Largest depth without the dent, along z.
    pub depth: f64,
    /// Depth of the dent in the upper half (+z), as a share of the lower half's depth. At 0 the limb is
    /// a whole ellipsoid. Above 0 the upper half dips below the rim: the limb is a hull that is open to
    /// +z, and its wall is thinner the nearer the value is to 1.
    pub dent: f64,
}

impl Limb {
    /// Ellipsoid with proportions 3:1.
    pub const STOUT: Self = Self { length: 0.36, width: 0.12, depth: 0.12, dent: 0.0 };
    /// Ellipsoid with proportions 6:1, like an arm.
    pub const SLENDER: Self = Self { length: 0.36, width: 0.06, depth: 0.06, dent: 0.0 };
    /// Dented hull with proportions 6:1.
    pub const HULL: Self = Self { length: 0.36, width: 0.06, depth: 0.06, dent: 0.5 };

    pub fn is_convex(&self) -> bool {
        self.dent == 0.0
    }

    /// Builds the mesh. A convex limb has no four vertices in a plane, so that rounding leaves it
    /// convex.
    pub fn triangles(&self) -> Triangles {
        let radii = 0.5 * DVec3::new(self.length, self.width, self.depth);
        let place = |x: f64, y: f64, z: f64| {
            let z = if self.is_convex() || z < 0.0 { z } else { -self.dent * z };
            (radii * DVec3::new(x, y, z)).as_vec3()
        };
        let mut positions: Vec<Vec3> = vec![place(-1.0, 0.0, 0.0)];
        for ring in 1..=RINGS {
            let latitude = PI * f64::from(ring) / f64::from(RINGS + 1);
            // Every other ring of a convex limb is rotated by half a step. The rings of a hull are not,
            // so that its rim consists of vertices.
            let start = if self.is_convex() { 0.5 * f64::from(ring % 2) } else { 0.0 };
            for k in 0..AROUND {
                let p = polar(libm::sin(latitude), TAU * (start + f64::from(k)) / f64::from(AROUND));
                // sin π is not exactly 0 in floating point, but the rim must lie exactly at z = 0.
                let z = if p.y.abs() < 1e-9 { 0.0 } else { p.y };
                positions.push(place(-libm::cos(latitude), p.x, z));
            }
        }
        let last = positions.len() as u32;
        positions.push(place(1.0, 0.0, 0.0));
        let at = |ring: u32, k: u32| 1 + (ring - 1) * AROUND + k % AROUND;
        let mut triangles = Vec::new();
        for k in 0..AROUND {
            triangles.push([0, at(1, k + 1), at(1, k)]);
            triangles.push([last, at(RINGS, k), at(RINGS, k + 1)]);
            for ring in 1..RINGS {
                let [a, b, c, d] = [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)];
                // A vertex of a rotated ring lies between k and k + 1 of its neighbors.
                if self.is_convex() && ring % 2 == 1 {
                    triangles.extend([[a, b, c], [a, c, d]]);
                } else {
                    triangles.extend([[a, b, d], [b, c, d]]);
                }
            }
        }
        (positions, triangles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::signed_volume;

    const ALL: [Limb; 3] = [Limb::STOUT, Limb::SLENDER, Limb::HULL];

    /// Returns whether every vertex lies strictly behind the plane of every face that it is not a
    /// corner of.
    fn is_convex((positions, triangles): &Triangles) -> bool {
        triangles.iter().all(|t| {
            let [a, b, c] = t.map(|v| positions[v as usize].as_dvec3());
            let normal = (b - a).cross(c - a);
            positions.iter().enumerate().all(|(v, p)| {
                t.contains(&(v as u32)) || normal.dot(p.as_dvec3() - a) < -1e-12 * normal.length()
            })
        })
    }

    #[test]
    fn limbs_have_their_sizes_and_about_130_vertices() {
        for limb in ALL {
            let (positions, _) = limb.triangles();
            assert_eq!(positions.len(), 130);
            let low = positions.iter().copied().reduce(Vec3::min).unwrap();
            let high = positions.iter().copied().reduce(Vec3::max).unwrap();
            let size = (high - low).as_dvec3();
            assert!((size.x / limb.length - 1.0).abs() < 1e-6, "{limb:?}: {size}");
            assert!((size.y / limb.width - 1.0).abs() < 0.02, "{limb:?}: {size}");
        }
    }

    #[test]
    fn ellipsoids_are_strictly_convex_and_the_hull_is_not() {
        for limb in ALL {
            assert_eq!(is_convex(&limb.triangles()), limb.is_convex(), "{limb:?}");
        }
    }

    #[test]
    fn a_dent_takes_its_share_of_the_volume() {
        let whole = signed_volume(&Limb::SLENDER.triangles());
        let sphere = PI / 6.0 * 0.36 * 0.06 * 0.06;
        assert!((0.9..1.0).contains(&(whole / sphere)), "{}", whole / sphere);
        let share = signed_volume(&Limb::HULL.triangles()) / whole;
        assert!((0.24..0.26).contains(&share), "{share}");
    }
}
