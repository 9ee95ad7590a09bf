//! A model put together from closed shells: bars, lofted and turned bodies, plates, ellipsoids.
//!
//! Shells overlap without sharing vertices, as in models made by hand. Every shell is a closed 2-manifold wound
//! outward. Lengths in m; z is up and x forward.

use std::f64::consts::TAU;

use glam::{DAffine3, DMat3, DVec2, DVec3, Vec3, dvec2};

use super::super::shell::{Frame, Shell, polar};
use super::super::{Triangles, cuboid, ellipsoid};

/// A cross-section on its way along a body: where its middle lies and half its width and height, m. A station
/// of no width and no height is a tip.
#[derive(Clone, Copy)]
pub(super) struct Station {
    pub at: DVec3,
    pub half: DVec2,
}

impl Station {
    pub const fn new(at: [f64; 3], half: [f64; 2]) -> Self {
        Self { at: DVec3::from_array(at), half: DVec2::from_array(half) }
    }

    fn lerp(self, to: Self, t: f64) -> Self {
        Self { at: self.at.lerp(to.at, t), half: self.half.lerp(to.half, t) }
    }
}

/// `pieces` stations for each span between two controls and the last one, on a Catmull-Rom spline.
pub(super) fn smooth(controls: &[Station], pieces: usize) -> Vec<Station> {
    let mut stations = Vec::new();
    let at = |i: usize| controls[i.min(controls.len() - 1)];
    for i in 0..controls.len().saturating_sub(1) {
        let (p, q, r, s) = (at(i.saturating_sub(1)), at(i), at(i + 1), at(i + 2));
        stations.extend((0..pieces).map(|k| {
            let t = k as f64 / pieces as f64;
            let weights = [
                -0.5 * t + t * t - 0.5 * t * t * t,
                1.0 - 2.5 * t * t + 1.5 * t * t * t,
                0.5 * t + 2.0 * t * t - 1.5 * t * t * t,
                -0.5 * t * t + 0.5 * t * t * t,
            ];
            let [a, b, c, d] = weights;
            Station {
                at: p.at * a + q.at * b + r.at * c + s.at * d,
                half: (p.half * a + q.half * b + r.half * c + s.half * d).max(DVec2::ZERO),
            }
        }));
    }
    stations.extend(controls.last());
    stations
}

/// A circle of radius 1, counter-clockwise, as all sections.
pub(super) fn round(pieces: usize) -> Vec<DVec2> {
    (0..pieces).map(|i| polar(1.0, TAU * i as f64 / pieces as f64)).collect()
}

/// A square of half width 1, each side in `pieces`.
pub(super) fn square(pieces: usize) -> Vec<DVec2> {
    let corners = [dvec2(-1.0, -1.0), dvec2(1.0, -1.0), dvec2(1.0, 1.0), dvec2(-1.0, 1.0)];
    let side = |i: usize, k: usize| corners[i].lerp(corners[(i + 1) % 4], k as f64 / pieces as f64);
    (0..4).flat_map(|i| (0..pieces).map(move |k| side(i, k))).collect()
}

/// A square with rounded corners: |x|³ + |y|³ = 1.
pub(super) fn rounded(pieces: usize) -> Vec<DVec2> {
    let norm = |p: DVec2| libm::cbrt(p.x.abs() * p.x * p.x + p.y.abs() * p.y * p.y);
    round(pieces).into_iter().map(|p| p / norm(p)).collect()
}

/// Sharp on the left and on the right: a wing or a blade.
pub(super) fn lens(pieces: usize) -> Vec<DVec2> {
    round(pieces).into_iter().map(|p| dvec2(p.x, p.y * p.y.abs())).collect()
}

/// The placement that takes x and z to these directions, orthogonal and of length 1, and 0 to `origin`.
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

    /// A part made elsewhere; a reflection turns its triangles.
    fn append(&mut self, positions: &[DVec3], triangles: &[[u32; 3]], place: DAffine3) {
        let first = self.positions.len() as u32;
        self.positions.extend(positions.iter().map(|p| place.transform_point3(*p)));
        let mirrors = place.matrix3.determinant() < 0.0;
        self.triangles.extend(triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| first + v);
            if mirrors { [a, c, b] } else { [a, b, c] }
        }));
    }

    pub fn add(&mut self, (positions, triangles): &Triangles, place: DAffine3) {
        let positions: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3()).collect();
        self.append(&positions, triangles, place);
    }

    /// What `part` builds, and its mirror image across the plane y = 0.
    pub fn both_sides(&mut self, part: impl FnOnce(&mut Self)) {
        let mut side = Self::default();
        part(&mut side);
        for sign in [1.0, -1.0] {
            let mirror = DAffine3::from_scale(DVec3::new(1.0, sign, 1.0));
            self.append(&side.positions, &side.triangles, mirror);
        }
    }

    /// Joins rings of equal length, counter-clockwise about the direction in which they follow each other, and
    /// closes the ends. A ring of equal points is a tip; it can only be the first or the last.
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

    /// Along the shorter diagonal.
    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        let squared =
            |i: u32, j: u32| self.positions[i as usize].distance_squared(self.positions[j as usize]);
        if squared(a, c) <= squared(b, d) {
            self.triangles.extend([[a, b, c], [a, c, d]]);
        } else {
            self.triangles.extend([[a, b, d], [b, c, d]]);
        }
    }

    /// The end of a loft: `count` vertices from `ring` on, looking back if `backward`.
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

    /// A section carried along stations, square to their course; its height points to `up` as far as it can.
    pub fn sweep(&mut self, section: &[DVec2], stations: &[Station], up: DVec3) {
        let rings: Vec<Vec<DVec3>> = (0..stations.len())
            .map(|i| {
                let (before, after) = (i.saturating_sub(1), (i + 1).min(stations.len() - 1));
                let along = (stations[after].at - stations[before].at).normalize_or_zero();
                let v = up.reject_from_normalized(along);
                let v = v.try_normalize().unwrap_or_else(|| along.any_orthonormal_vector());
                ring(section, stations[i], v.cross(along), v)
            })
            .collect();
        self.loft(&rings);
    }

    /// A section carried along stations without turning: width along `u`, height along `v`; the stations follow
    /// each other roughly along u × v.
    pub fn stack(&mut self, section: &[DVec2], stations: &[Station], u: DVec3, v: DVec3) {
        let rings: Vec<Vec<DVec3>> = stations.iter().map(|s| ring(section, *s, u, v)).collect();
        self.loft(&rings);
    }

    /// A straight bar, cut into pieces of the spacing.
    pub fn bar(&mut self, section: &[DVec2], [from, to]: [Station; 2], up: DVec3, spacing: f64) {
        let pieces = (from.at.distance(to.at) / spacing).round().max(1.0) as usize;
        let stations: Vec<Station> = (0..=pieces).map(|k| from.lerp(to, k as f64 / pieces as f64)).collect();
        self.sweep(section, &stations, up);
    }

    /// A bar of square section and of the same size all along.
    pub fn beam(&mut self, [from, to]: [DVec3; 2], half: DVec2, up: DVec3, spacing: f64) {
        self.bar(&square(1), [from, to].map(|at| Station { at, half }), up, spacing);
    }

    /// A round bar, tapering from one radius to the other.
    pub fn rod(&mut self, [from, to]: [DVec3; 2], radii: [f64; 2], around: usize, spacing: f64) {
        let ends = [(from, radii[0]), (to, radii[1])];
        let ends = ends.map(|(at, radius)| Station { at, half: DVec2::splat(radius) });
        self.bar(&round(around), ends, DVec3::Z, spacing);
    }

    /// A solid turned about `axis` (of length 1) through `origin`: (radius, distance along the axis), from below.
    pub fn turned(&mut self, origin: DVec3, axis: DVec3, profile: &[(f64, f64)], around: usize) {
        let (u, v) = axis.any_orthonormal_pair();
        let stations: Vec<Station> = profile
            .iter()
            .map(|&(radius, along)| Station { at: origin + axis * along, half: DVec2::splat(radius) })
            .collect();
        self.stack(&round(around), &stations, u, v);
    }

    /// A flat plate between two parallel faces: `outline` counter-clockwise in the plane of u and v, orthogonal
    /// and of length 1, about `center`.
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

    /// A box along the axes; `size` full edge lengths.
    pub fn block(&mut self, center: DVec3, size: DVec3, spacing: f64) {
        self.add(&cuboid(size.as_vec3(), spacing), DAffine3::from_translation(center));
    }

    /// A sphere stretched along the axes, with its poles along z.
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
