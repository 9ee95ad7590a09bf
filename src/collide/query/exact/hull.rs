//! Convex link: the hull of its vertices, their adjacency on the hull, and the support function (the
//! vertex farthest in a direction).
//!
//! The hull is built by adding the farthest vertex above a face until there is none (Barber, Dobkin and
//! Huhdanpaa 1996, without their outside sets). Vertices inside flat faces are left out. On a convex
//! surface, a vertex that is farther than all its neighbors is the farthest of all, so large hulls use
//! hill climbing. Coordinates are `f64`, relative to the center of the box. Memory: about 50 bytes per
//! hull vertex. The building time is quadratic in the number of vertices, hence the limit on it.

use glam::DVec3;

use super::polytope::Polytope;
use crate::arrays::MapEach;
use crate::mesh::{Mesh, NONE};

/// Closed convex surface.
#[derive(Clone, Debug)]
pub struct Convex {
    /// Center of the mesh's box, the origin of all other coordinates, body space, m.
    center: DVec3,
    /// Radius of a ball about the center that contains all vertices, m.
    radius: f64,
    points: Vec<DVec3>,
    /// Start of each vertex's neighbors in `neighbors`, and the end of the list.
    neighbor_start: Vec<u32>,
    neighbors: Vec<u32>,
    /// Vertex farthest along the diagonal of each octant. Bit k of the octant is set if coordinate k is
    /// negative.
    farthest: [u32; 8],
}

/// Largest number of vertices of a mesh; building takes about a tenth of a second for this number.
const MAX_VERTEX_COUNT: usize = 4096;
/// Largest number of vertices for which the support function scans all vertices. Larger hulls use hill
/// climbing.
const SCAN_COUNT: usize = 16;
/// Error of a vertex coordinate, as a share of the largest coordinate: a few roundings of `f32`.
const ROUNDING: f64 = 4.0 * f32::EPSILON as f64;
/// Distance by which a vertex must be outside to extend the hull, as a share of the hull's size: more
/// than the rounding of `f64`.
const OUTSIDE: f64 = 1e-13;

impl Convex {
    /// Builds the hull; `None` unless the mesh is closed, has an inside, is convex within the rounding
    /// of its vertices, and has at most 4096 vertices.
    pub fn new(mesh: &Mesh) -> Option<Self> {
        if mesh.vertices().len() > MAX_VERTEX_COUNT || !is_closed(mesh) {
            return None;
        }
        let center = 0.5 * (mesh.bounds().min.as_dvec3() + mesh.bounds().max.as_dvec3());
        let points: Vec<DVec3> = mesh.vertices().iter().map(|v| v.as_dvec3() - center).collect();
        let far = center.abs().max_element() + 0.5 * f64::from(mesh.bounds().diagonal());
        if !is_convex(mesh, &points, ROUNDING * far) {
            return None;
        }
        let hull = hull(&points)?;
        Some(Self::from_hull(&hull, center))
    }

    fn from_hull(hull: &Polytope, center: DVec3) -> Self {
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for face in hull.face_ids() {
            let [p, q, r] = hull.face(face).corners;
            pairs.extend([[p, q], [q, p], [q, r], [r, q], [r, p], [p, r]]);
        }
        pairs.sort_unstable();
        pairs.dedup();
        // Points that became inner points when later points were added have no face.
        let mut used: Vec<u32> = pairs.iter().map(|p| p[0]).collect();
        used.dedup();
        let index = |point: u32| used.partition_point(|&u| u < point) as u32;
        let points: Vec<DVec3> = used.iter().map(|&u| hull.points[u as usize]).collect();
        let begin = |u: u32| pairs.partition_point(|p| p[0] < u) as u32;
        let mut neighbor_start: Vec<u32> = used.iter().map(|&u| begin(u)).collect();
        neighbor_start.push(pairs.len() as u32);
        let neighbors = pairs.iter().map(|p| index(p[1])).collect();
        let radius = points.iter().map(|p| p.length()).fold(0.0, f64::max);
        let mut hull = Self { center, radius, points, neighbor_start, neighbors, farthest: [0; 8] };
        for octant in 0..8_usize {
            let sign = |k: usize| if octant >> k & 1 == 0 { 1.0 } else { -1.0 };
            let direction = DVec3::new(sign(0), sign(1), sign(2));
            hull.farthest[octant] = hull.scan(direction);
        }
        hull
    }

    /// Returns the origin of the points, body space, m.
    pub(super) fn center(&self) -> DVec3 {
        self.center
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    pub(super) fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Returns the vertex farthest in a direction. Hill climbing may start at `near` if this is a
    /// vertex.
    #[inline]
    pub(super) fn support(&self, direction: DVec3, near: u32) -> u32 {
        if self.points.len() <= SCAN_COUNT { self.scan(direction) } else { self.climb(direction, near) }
    }

    fn scan(&self, direction: DVec3) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, point) in self.points.iter().enumerate() {
            let height = point.dot(direction);
            if height > best.1 {
                best = (index as u32, height);
            }
        }
        best.0
    }

    /// Returns the farthest vertex by hill climbing, from `near` or the vertex of the direction's octant.
    #[inline]
    fn climb(&self, direction: DVec3, near: u32) -> u32 {
        let height = |v: u32| self.points[v as usize].dot(direction);
        let octant = usize::from(direction.x < 0.0)
            | usize::from(direction.y < 0.0) << 1
            | usize::from(direction.z < 0.0) << 2;
        let mut best = self.farthest[octant];
        let mut highest = height(best);
        if let Some(point) = self.points.get(near as usize)
            && point.dot(direction) > highest
        {
            best = near;
            highest = point.dot(direction);
        }
        loop {
            let at = best;
            let neighbors =
                self.neighbor_start[at as usize] as usize..self.neighbor_start[at as usize + 1] as usize;
            for &neighbor in &self.neighbors[neighbors] {
                let height = height(neighbor);
                if height > highest {
                    (best, highest) = (neighbor, height);
                }
            }
            if best == at {
                return best;
            }
        }
    }
}

/// Returns whether every edge has two triangles and no triangle is two-sided.
fn is_closed(mesh: &Mesh) -> bool {
    let one_sided = mesh.surface().two_sided.iter().all(|&t| !t);
    one_sided && mesh.topology().edges().iter().all(|e| e.triangles[1] != NONE)
}

/// Returns whether no vertex is in front of any face by more than the tolerance: the deviation of the
/// face's plane if each corner has an error of `error` (m).
fn is_convex(mesh: &Mesh, points: &[DVec3], error: f64) -> bool {
    let size = f64::from(mesh.bounds().diagonal());
    mesh.triangles().iter().all(|t| {
        let [p, q, r] = t.map_each(|v| points[v as usize]);
        let area = (q - p).cross(r - p);
        let longest = p.distance(q).max(q.distance(r)).max(r.distance(p));
        // Far from its corners, the plane of a narrow triangle deviates more, in inverse proportion to
        // the triangle's width.
        let slack = error * (area.length() + longest * size);
        points.iter().all(|&v| area.dot(v - p) <= slack)
    })
}

/// Builds the hull of the points; `None` if they have no volume.
fn hull(points: &[DVec3]) -> Option<Polytope> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, &point) in points.iter().enumerate() {
            let measure = measure(point);
            let is_tie = (measure - best.1).abs() <= OUTSIDE * measure;
            if if is_tie {
                point.length_squared() > points[best.0].length_squared()
            } else {
                measure > best.1
            } {
                best = (index, measure);
            }
        }
        best.0
    };
    let first = farthest(&|v| v.length_squared());
    let p = *points.get(first)?;
    let second = farthest(&|v| v.distance_squared(p));
    let along = points[second] - p;
    let third = farthest(&|v| along.cross(v - p).length_squared());
    let across = along.cross(points[third] - p);
    let fourth = farthest(&|v| across.dot(v - p).abs());
    let outside = OUTSIDE * along.length();
    let mut hull = Polytope::default();
    let seeds = [first, second, third, fourth];
    if !hull.start(seeds.map_each(|i| points[i]), outside) {
        return None;
    }
    let mut is_used = vec![false; points.len()];
    for seed in seeds {
        is_used[seed] = true;
    }
    let mut open: Vec<u32> = hull.created.clone();
    while let Some(face) = open.pop() {
        let (normal, offset) = (hull.face(face).normal, hull.offset(face));
        let Some((index, point)) = farthest_above(points, &is_used, normal, offset, outside) else {
            continue;
        };
        is_used[index] = true;
        if hull.grow(face, point, 0.1 * outside) {
            open.extend_from_slice(&hull.created);
        }
        open.push(face);
    }
    Some(hull)
}

/// Returns the unused point highest above a plane, if it is higher than `outside` (m). Among equally
/// high points, it returns the one farthest from the origin, which is a corner of their hull.
fn farthest_above(
    points: &[DVec3],
    is_used: &[bool],
    normal: DVec3,
    offset: f64,
    outside: f64,
) -> Option<(usize, DVec3)> {
    let mut best = (None, 0.0);
    for (index, &point) in points.iter().enumerate().filter(|(index, _)| !is_used[*index]) {
        let height = normal.dot(point) - offset;
        let is_better = |other: DVec3| {
            height > best.1 + outside
                || (height >= best.1 - outside && point.length_squared() > other.length_squared())
        };
        if height > outside && best.0.is_none_or(|(_, other)| is_better(other)) {
            best = (Some((index, point)), height);
        }
    }
    best.0
}
