//! Solids of revolution about z, with a given number of triangles: pins, tubes, caps and fluted rings.

use std::f64::consts::TAU;

use glam::{DVec2, Vec3};

use crate::generate::Triangles;

/// Least number of points around the axis. A bore of 6.5 mm with so many comes at most 0.06 mm nearer
/// to the axis than its corners.
const LEAST_AROUND: u32 = 24;

/// Solid of revolution.
pub struct Turned<'a> {
    /// Corners of the section as (distance from the axis, height), m, counter-clockwise. If the first
    /// corner is on the axis, so is the last, and the solid is closed there; otherwise it is a ring.
    pub section: &'a [DVec2],
    /// Flutes of the outermost wall.
    pub flutes: Option<Flutes>,
}

/// Grooves along the outermost wall of a solid.
#[derive(Clone, Copy)]
pub struct Flutes {
    pub count: u32,
    /// Greatest depth, m.
    pub depth: f64,
}

impl Turned<'_> {
    /// Builds the solid with about `count` triangles.
    pub fn triangles(&self, count: u32) -> Triangles {
        let edges = self.edges();
        let length: f64 = edges.iter().map(|[a, b]| a.distance(*b)).sum();
        let outermost = self.section.iter().map(|corner| corner.x).fold(0.0, f64::max);
        let spacing = (2.0 * length * TAU * outermost / f64::from(count)).sqrt();
        let around = ((TAU * outermost / spacing).round() as u32).max(LEAST_AROUND);
        let spacing = 2.0 * length * f64::from(around) / f64::from(count);
        let mut rings: Vec<DVec2> = Vec::new();
        for [a, b] in edges {
            let pieces = (a.distance(b) / spacing).round().max(1.0) as u32;
            rings.extend((0..pieces).map(|k| a.lerp(b, f64::from(k) / f64::from(pieces))));
        }
        let is_ring = self.section[0].x > 0.0;
        if !is_ring {
            rings.push(self.section[self.section.len() - 1]);
        }
        let radius = |ring: &DVec2, angle: f64| match self.flutes {
            Some(Flutes { count, depth }) if ring.x > (1.0 - 1e-9) * outermost => {
                ring.x - 0.5 * depth * (1.0 - libm::cos(f64::from(count) * angle))
            }
            _ => ring.x,
        };
        joined(&rings, around, is_ring, &radius)
    }

    /// Returns the edges of the section.
    fn edges(&self) -> Vec<[DVec2; 2]> {
        let mut edges: Vec<[DVec2; 2]> = self.section.windows(2).map(|two| [two[0], two[1]]).collect();
        if self.section[0].x > 0.0 {
            edges.push([self.section[self.section.len() - 1], self.section[0]]);
        }
        edges
    }
}

/// Joins rings of points around the axis, each given by its distance from the axis and its height. A
/// ring on the axis is one point. `radius` returns the distance of a ring's point from the axis at an
/// angle.
fn joined(rings: &[DVec2], around: u32, is_ring: bool, radius: &dyn Fn(&DVec2, f64) -> f64) -> Triangles {
    let (mut positions, mut triangles, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for ring in rings {
        starts.push(positions.len() as u32);
        for k in 0..if ring.x == 0.0 { 1 } else { around } {
            let angle = TAU * f64::from(k) / f64::from(around);
            let r = radius(ring, angle);
            positions.push(Vec3::new(
                (r * libm::cos(angle)) as f32,
                (r * libm::sin(angle)) as f32,
                ring.y as f32,
            ));
        }
    }
    let at = |ring: usize, k: u32| match rings[ring].x {
        0.0 => starts[ring],
        _ => starts[ring] + k % around,
    };
    for low in 0..if is_ring { rings.len() } else { rings.len() - 1 } {
        let high = (low + 1) % rings.len();
        for k in 0..around {
            let [a, b, c, d] = [at(low, k), at(low, k + 1), at(high, k + 1), at(high, k)];
            if a != b {
                triangles.push([a, b, c]);
            }
            if c != d {
                triangles.push([a, c, d]);
            }
        }
    }
    (positions, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{open_edge_count, signed_volume};

    #[test]
    fn solids_and_rings_are_closed_and_wound_outward_with_about_the_triangles_asked_for() {
        let point = DVec2::new;
        let rod = [point(0.0, -1.0), point(1.0, -1.0), point(1.0, 1.0), point(0.0, 1.0)];
        let tube = [point(1.0, -1.0), point(2.0, -1.0), point(2.0, 1.0), point(1.0, 1.0)];
        let flutes = Some(Flutes { count: 6, depth: 0.2 });
        for (section, volume) in [(&rod, 0.5 * TAU * 2.0), (&tube, 0.5 * TAU * 6.0)] {
            let plain = Turned { section, flutes: None }.triangles(20_000);
            assert!((signed_volume(&plain) / volume - 1.0).abs() < 0.01, "{}", signed_volume(&plain));
            let fluted = Turned { section, flutes }.triangles(20_000);
            assert!(signed_volume(&fluted) < 0.99 * signed_volume(&plain));
            for made in [plain, fluted] {
                assert_eq!(open_edge_count(&made), 0);
                assert!((15_000..25_000).contains(&made.1.len()), "{}", made.1.len());
            }
        }
    }
}
