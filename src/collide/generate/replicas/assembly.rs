//! A model assembled from closed shells: bars, lofted bodies, solids of revolution, plates, ellipsoids.
//!
//! Shells overlap without sharing vertices, as in models made by hand. Every shell is a closed
//! 2-manifold wound outward. Lengths are in m; z is up and x forward.

use glam::{DAffine3, DMat3, DVec2, DVec3, Vec3};

use super::section::{Station, round, square};
use crate::arrays::MapEach;
use crate::generate::shell::{Frame, Shell};
use crate::generate::{Triangles, cuboid, ellipsoid};

/// Squared sine of the angle between the path and the up direction. Below this value the up direction
/// is not used.
const PARALLEL: f64 = 1e-6;

/// Returns the transformation that maps the x- and z-axis to the orthogonal unit vectors `x` and `z`,
/// and 0 to `origin`.
pub(super) fn placed(origin: DVec3, x: DVec3, z: DVec3) -> DAffine3 {
    DAffine3::from_mat3_translation(DMat3::from_cols(x, z.cross(x), z), origin)
}

#[derive(Default)]
pub(super) struct Assembly {
    positions: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Assembly {
    fn vertex(&mut self, p: DVec3) -> u32 {
        self.positions.push(p);
        self.positions.len() as u32 - 1
    }

    /// Adds a part that was built elsewhere, transformed by `place`. A reflection flips the winding of
    /// its triangles.
    fn append(&mut self, positions: &[DVec3], triangles: &[[u32; 3]], place: DAffine3) {
        let first = self.positions.len() as u32;
        self.positions.extend(positions.iter().map(|p| place.transform_point3(*p)));
        let mirrors = place.matrix3.determinant() < 0.0;
        self.triangles.extend(triangles.iter().map(|t| {
            let [a, b, c] = t.map_each(|v| first + v);
            if mirrors { [a, c, b] } else { [a, b, c] }
        }));
    }

    pub fn add(&mut self, (positions, triangles): &Triangles, place: DAffine3) {
        let positions: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3()).collect();
        self.append(&positions, triangles, place);
    }

    /// Adds the part that `part` builds, and its mirror image across the plane y = 0.
    pub fn both_sides(&mut self, part: impl FnOnce(&mut Self)) {
        let mut side = Self::default();
        part(&mut side);
        for sign in [1.0, -1.0] {
            let mirror = DAffine3::from_scale(DVec3::new(1.0, sign, 1.0));
            self.append(&side.positions, &side.triangles, mirror);
        }
    }

    /// Joins rings of equal length and closes the ends. The rings must be counter-clockwise seen
    /// against the direction from the first to the last. A ring of equal points is a tip; only the
    /// first and the last ring may be one.
    pub fn loft(&mut self, rings: &[Vec<DVec3>]) {
        let [first_ring, .., last_ring] = rings else { return };
        let is_tip = |ring: &[DVec3]| ring.iter().all(|p| *p == ring[0]);
        let (starts_in_tip, ends_in_tip) = (is_tip(first_ring), is_tip(last_ring));
        let open = &rings[usize::from(starts_in_tip)..rings.len() - usize::from(ends_in_tip)];
        let count = first_ring.len() as u32;
        let start = self.positions.len() as u32;
        self.positions.extend(open.iter().flatten());
        for row in 1..open.len() as u32 {
            let near = start + (row - 1) * count;
            for (i, j) in (0..count).map(|i| (i, (i + 1) % count)) {
                let quad = [near + i, near + j, near + count + j, near + count + i];
                self.quad(quad);
            }
        }
        self.close(start, count, first_ring, starts_in_tip, true);
        let last = start + (open.len() as u32 - 1) * count;
        self.close(last, count, last_ring, ends_in_tip, false);
    }

    /// Adds a quadrilateral, split along its shorter diagonal.
    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        let squared =
            |i: u32, j: u32| self.positions[i as usize].distance_squared(self.positions[j as usize]);
        if squared(a, c) <= squared(b, d) {
            self.triangles.extend([[a, b, c], [a, c, d]]);
        } else {
            self.triangles.extend([[a, b, d], [b, c, d]]);
        }
    }

    /// Closes the end of a loft. The last ring has `count` vertices from index `ring` on. With
    /// `backward` the cap faces against the direction of the loft.
    fn close(&mut self, ring: u32, count: u32, points: &[DVec3], is_tip: bool, backward: bool) {
        if count == 4 && !is_tip {
            let [a, b, c, d] = [ring, ring + 1, ring + 2, ring + 3];
            self.quad(if backward { [d, c, b, a] } else { [a, b, c, d] });
            return;
        }
        let middle = points.iter().sum::<DVec3>() / f64::from(count);
        let middle = self.vertex(if is_tip { points[0] } else { middle });
        for (i, j) in (0..count).map(|i| (ring + i, ring + (i + 1) % count)) {
            self.triangles.push(if backward { [middle, j, i] } else { [middle, i, j] });
        }
    }

    /// Sweeps a section along stations, perpendicular to their path. The height of the section points
    /// towards `up` as far as possible.
    pub fn sweep(&mut self, section: &[DVec2], stations: &[Station], up: DVec3) {
        let rings: Vec<Vec<DVec3>> = (0..stations.len())
            .map(|i| {
                let (before, after) = (i.saturating_sub(1), (i + 1).min(stations.len() - 1));
                let along = (stations[after].at - stations[before].at).normalize_or_zero();
                let upright = up.reject_from_normalized(along);
                // If the path is parallel to `up`, `upright` is only rounding, and a section along it
                // would rotate from station to station.
                let v = if upright.length_squared() > PARALLEL * up.length_squared() {
                    upright.normalize()
                } else {
                    along.any_orthonormal_vector()
                };
                ring(section, stations[i], v.cross(along), v)
            })
            .collect();
        self.loft(&rings);
    }

    /// Places a section at each station without rotation: its width along `u`, its height along `v`.
    /// The path of the stations must run roughly along u × v.
    pub fn stack(&mut self, section: &[DVec2], stations: &[Station], u: DVec3, v: DVec3) {
        let rings: Vec<Vec<DVec3>> = stations.iter().map(|s| ring(section, *s, u, v)).collect();
        self.loft(&rings);
    }

    /// Adds a straight bar between two stations, divided into pieces of about `spacing` (m).
    pub fn bar(&mut self, section: &[DVec2], [from, to]: [Station; 2], up: DVec3, spacing: f64) {
        let pieces = (from.at.distance(to.at) / spacing).round().max(1.0) as usize;
        let stations: Vec<Station> = (0..=pieces).map(|k| from.lerp(to, k as f64 / pieces as f64)).collect();
        self.sweep(section, &stations, up);
    }

    /// Adds a bar with a square section and a constant size; `half` is half its width and height, m.
    pub fn beam(&mut self, [from, to]: [DVec3; 2], half: DVec2, up: DVec3, spacing: f64) {
        self.bar(&square(1), [from, to].map_each(|at| Station { at, half }), up, spacing);
    }

    /// Adds a round bar that tapers from one radius to the other.
    pub fn rod(&mut self, [from, to]: [DVec3; 2], radii: [f64; 2], around: usize, spacing: f64) {
        let ends = [(from, radii[0]), (to, radii[1])];
        let ends = ends.map_each(|(at, radius)| Station { at, half: DVec2::splat(radius) });
        self.bar(&round(around), ends, DVec3::Z, spacing);
    }

    /// Adds a solid of revolution about `axis` (unit) through `origin`. The profile, as (radius,
    /// distance along the axis), starts and ends on the axis and runs along its direction.
    pub fn turned(&mut self, origin: DVec3, axis: DVec3, profile: &[(f64, f64)], around: usize) {
        let (u, v) = axis.any_orthonormal_pair();
        let stations: Vec<Station> = profile
            .iter()
            .map(|&(radius, along)| Station { at: origin + axis * along, half: DVec2::splat(radius) })
            .collect();
        self.stack(&round(around), &stations, u, v);
    }

    /// Adds a flat plate between two parallel faces. `outline` is counter-clockwise in the plane of u
    /// and v (orthogonal unit vectors) about `center`.
    pub fn plate(
        &mut self,
        center: DVec3,
        [u, v]: [DVec3; 2],
        outline: &[DVec2],
        thickness: f64,
        spacing: f64,
    ) {
        let mut shell = Shell::new(spacing);
        let outline = shell.subdivide(outline);
        let middle = Frame { origin: DVec3::ZERO, u, v };
        shell.extrude(middle.raised(-thickness / 2.0), thickness, &outline, &[]);
        self.add(&shell.finish(DVec3::ZERO), DAffine3::from_translation(center));
    }

    /// Adds a box along the axes; `size` is its full edge lengths.
    pub fn block(&mut self, center: DVec3, size: DVec3, spacing: f64) {
        self.add(&cuboid(size.as_vec3(), spacing), DAffine3::from_translation(center));
    }

    /// Adds a sphere stretched along the axes, with its poles along z.
    pub fn ellipsoid(&mut self, center: DVec3, radii: DVec3, segments: usize) {
        let unit = ellipsoid(Vec3::ONE, segments);
        self.add(&unit, DAffine3::from_translation(center) * DAffine3::from_scale(radii));
    }

    pub fn finish(self) -> Triangles {
        (self.positions.iter().map(|p| p.as_vec3()).collect(), self.triangles)
    }
}

fn ring(section: &[DVec2], station: Station, u: DVec3, v: DVec3) -> Vec<DVec3> {
    section.iter().map(|p| station.at + u * (p.x * station.half.x) + v * (p.y * station.half.y)).collect()
}

#[cfg(test)]
mod tests {
    use glam::{dvec2, dvec3};

    use super::*;
    use crate::generate::{open_edge_count, signed_volume};

    #[test]
    fn a_bar_has_its_volume_whichever_way_it_runs() {
        let from = dvec3(0.3, -0.2, 0.7);
        for along in [DVec3::Z, -DVec3::Z, DVec3::X, dvec3(0.36, -0.48, 0.8), dvec3(1e-9, 0.0, 1.0)] {
            let mut assembly = Assembly::default();
            assembly.beam([from, from + along * 3.0], dvec2(0.2, 0.1), DVec3::Z, 0.5);
            let bar = assembly.finish();
            assert_eq!(bar.1.len(), 6 * 8 + 4);
            assert_eq!(open_edge_count(&bar), 0);
            assert!((signed_volume(&bar) - 0.24).abs() < 1e-6, "{along}: {}", signed_volume(&bar));
        }
    }

    #[test]
    fn a_mirror_image_is_wound_outward_too() {
        let mut assembly = Assembly::default();
        assembly.both_sides(|side| side.block(DVec3::Y, DVec3::ONE, 0.5));
        let pair = assembly.finish();
        assert_eq!(open_edge_count(&pair), 0);
        assert!((signed_volume(&pair) - 2.0).abs() < 1e-6, "{}", signed_volume(&pair));
    }

    #[test]
    fn tips_and_flat_ends_close_a_loft() {
        let tip = Station::new([0.0; 3], [0.0; 2]);
        let wide = Station::new([0.0, 0.0, 1.0], [0.5, 0.25]);
        let far = Station::new([0.0, 0.0, 2.0], [0.0; 2]);
        for (stations, count) in [([tip, wide].as_slice(), 16), (&[wide, far], 16), (&[tip, wide, far], 16)] {
            let mut assembly = Assembly::default();
            assembly.sweep(&round(8), stations, DVec3::X);
            let cone = assembly.finish();
            assert_eq!((cone.1.len(), open_edge_count(&cone)), (count, 0));
            assert!(signed_volume(&cone) > 0.0);
        }
    }
}
