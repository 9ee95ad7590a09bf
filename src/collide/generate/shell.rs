//! A closed surface assembled from planar faces with holes and from tubes that share boundary vertices.
//!
//! Faces are triangulated by a constrained Delaunay triangulation (`spade`). Vertices are added inside
//! a face but never on its boundary, so that neighboring faces join without T-junctions. Vertices in
//! the same cell of the weld grid are merged. Input: loops in the plane of a [`Frame`]; output:
//! [`Triangles`]. Cost: O(n log n).

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use spade::{AngleLimit, ConstrainedDelaunayTriangulation, Point2, RefinementParameters, Triangulation};

use super::Triangles;

use crate::arrays::MapEach;

/// Cell size of the weld grid, m: far smaller than any feature, and far larger than the `f64` rounding
/// of a coordinate.
const WELD_GRID: f64 = 1e-6;
/// Offset of the grid, as a share of a cell. It keeps round coordinates away from the borders of cells,
/// where rounding could put equal points into different cells.
const WELD_OFFSET: f64 = 0.3719;

/// Plane in body space: `origin + u·x + v·y`, normal `u × v`.
#[derive(Clone, Copy)]
pub struct Frame {
    pub origin: DVec3,
    pub u: DVec3,
    pub v: DVec3,
}

impl Frame {
    /// Returns the plane at height `z` with normal +z.
    pub fn up(z: f64) -> Self {
        Self { origin: DVec3::new(0.0, 0.0, z), u: DVec3::X, v: DVec3::Y }
    }

    pub fn at(&self, p: DVec2) -> DVec3 {
        self.origin + self.u * p.x + self.v * p.y
    }

    pub fn ring(&self, points: &[DVec2]) -> Vec<DVec3> {
        points.iter().map(|&p| self.at(p)).collect()
    }

    /// Returns this plane moved by `by` (m) along its normal.
    pub fn raised(&self, by: f64) -> Self {
        Self { origin: self.origin + self.u.cross(self.v) * by, ..*self }
    }
}

/// Side of a plane toward which a face's outward normal points.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Facing {
    /// The direction of the frame's normal.
    Front,
    Back,
}

impl Facing {
    pub fn turned(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Front,
        }
    }
}

pub struct Shell {
    spacing: f64,
    positions: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    welded: BTreeMap<[i64; 3], u32>,
}

impl Shell {
    /// Starts a surface with the target edge length `spacing`, m.
    pub fn new(spacing: f64) -> Self {
        Self { spacing, positions: Vec::new(), triangles: Vec::new(), welded: BTreeMap::new() }
    }

    fn vertex(&mut self, p: DVec3) -> u32 {
        let key = (p / WELD_GRID + WELD_OFFSET).round().to_array().map_each(|x| x as i64);
        *self.welded.entry(key).or_insert_with(|| {
            self.positions.push(p);
            self.positions.len() as u32 - 1
        })
    }

    pub fn triangle(&mut self, corners: [DVec3; 3]) {
        let [a, b, c] = corners.map_each(|p| self.vertex(p));
        if a != b && b != c && c != a {
            self.triangles.push([a, b, c]);
        }
    }

    /// Adds a quadrilateral as two triangles, divided along its shorter diagonal.
    pub fn quad(&mut self, [a, b, c, d]: [DVec3; 4]) {
        if a.distance_squared(c) <= b.distance_squared(d) {
            self.triangle([a, b, c]);
            self.triangle([a, c, d]);
        } else {
            self.triangle([a, b, d]);
            self.triangle([b, c, d]);
        }
    }

    /// Joins closed rings with equal numbers of points. The wall faces outward if the rings are
    /// counter-clockwise seen against the direction from the first ring to the last. In reverse order
    /// the wall is that of a hole.
    pub fn tube(&mut self, rings: &[Vec<DVec3>]) {
        for pair in rings.windows(2) {
            let (near, far) = (&pair[0], &pair[1]);
            for i in 0..near.len() {
                let j = (i + 1) % near.len();
                self.quad([near[i], near[j], far[j], far[i]]);
            }
        }
    }

    /// Adds a tube between two rings, divided into layers no higher than the spacing.
    pub fn wall(&mut self, from: &[DVec3], to: &[DVec3]) {
        let reach = from.iter().zip(to).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        let layer_count = self.piece_count(reach);
        let rings: Vec<Vec<DVec3>> = (0..=layer_count)
            .map(|k| {
                let t = k as f64 / layer_count as f64;
                from.iter().zip(to).map(|(a, b)| a.lerp(*b, t)).collect()
            })
            .collect();
        self.tube(&rings);
    }

    fn piece_count(&self, length: f64) -> usize {
        // The small reduction prevents rounding from adding a piece if the length is an exact multiple
        // of the spacing.
        ((length / self.spacing - 1e-6).ceil() as usize).max(1)
    }

    /// Returns a closed polygon whose edges are divided into pieces no longer than the spacing. Corners
    /// are kept.
    pub fn subdivide(&self, corners: &[DVec2]) -> Vec<DVec2> {
        let mut points = Vec::new();
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let pieces = self.piece_count(a.distance(b));
            points.extend((0..pieces).map(|k| a.lerp(b, k as f64 / pieces as f64)));
        }
        points
    }

    /// Returns a counter-clockwise circle with edges no longer than the spacing. Their number is at
    /// least 20 and a multiple of four.
    pub fn circle(&self, center: DVec2, radius: f64) -> Vec<DVec2> {
        let count = self.piece_count(TAU * radius).max(20).next_multiple_of(4);
        arc(center, radius, 0.0, TAU, count)[..count].to_vec()
    }

    /// Adds a planar face bounded by `outline`, minus `holes`. The loops may run in either direction.
    pub fn face(&mut self, frame: Frame, facing: Facing, outline: &[DVec2], holes: &[Vec<DVec2>]) {
        let mut plane = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
        for points in std::iter::once(outline).chain(holes.iter().map(Vec::as_slice)) {
            let handles: Vec<_> =
                points.iter().filter_map(|p| plane.insert(Point2::new(p.x, p.y)).ok()).collect();
            for (i, &from) in handles.iter().enumerate() {
                let to = handles[(i + 1) % handles.len()];
                if from != to && plane.can_add_constraint(from, to) {
                    plane.add_constraint(from, to);
                }
            }
        }
        // `spade` tells the inside of the face from the outside by the constraints that lie between. A
        // test of triangle centers would fail: slivers between almost collinear boundary points have
        // centers on either side.
        let outside: BTreeSet<_> = plane
            .refine(
                RefinementParameters::new()
                    .keep_constraint_edges()
                    .exclude_outer_faces(true)
                    .with_angle_limit(AngleLimit::from_deg(25.0))
                    .with_max_allowed_area(0.6 * self.spacing * self.spacing),
            )
            .excluded_faces
            .into_iter()
            .collect();
        for triangle in plane.inner_faces().filter(|face| !outside.contains(&face.fix())) {
            let [a, b, c] = triangle.positions().map_each(|p| DVec2::new(p.x, p.y));
            let corners = match facing {
                Facing::Front => [a, b, c],
                Facing::Back => [a, c, b],
            };
            self.triangle(corners.map_each(|p| frame.at(p)));
        }
    }

    /// Adds a prism that extends from the frame by `depth` (m) along the normal: both faces, the outer
    /// wall and the walls of the holes. All loops must be counter-clockwise.
    pub fn extrude(&mut self, frame: Frame, depth: f64, outline: &[DVec2], holes: &[Vec<DVec2>]) {
        let top = frame.raised(depth);
        self.face(frame, Facing::Back, outline, holes);
        self.face(top, Facing::Front, outline, holes);
        self.wall(&frame.ring(outline), &top.ring(outline));
        for hole in holes {
            self.wall(&top.ring(hole), &frame.ring(hole));
        }
    }

    /// Returns the surface with its positions moved by `offset` (m) and rounded to `f32`.
    pub fn finish(self, offset: DVec3) -> Triangles {
        (self.positions.iter().map(|p| (*p + offset).as_vec3()).collect(), self.triangles)
    }
}

pub fn polar(radius: f64, angle: f64) -> DVec2 {
    DVec2::new(radius * libm::cos(angle), radius * libm::sin(angle))
}

/// Returns `pieces + 1` points of an arc between two angles (rad), both ends included.
pub fn arc(center: DVec2, radius: f64, from: f64, to: f64, pieces: usize) -> Vec<DVec2> {
    (0..=pieces).map(|k| center + polar(radius, from + (to - from) * k as f64 / pieces as f64)).collect()
}

/// Returns the corners of a rectangle about the origin with rounded corners, counter-clockwise;
/// straight edges are not divided.
pub fn rounded_rectangle(size: DVec2, radius: f64, corner_pieces: usize) -> Vec<DVec2> {
    let inner = size / 2.0 - DVec2::splat(radius);
    let quarter = TAU / 4.0;
    [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
        .into_iter()
        .enumerate()
        .flat_map(|(i, (x, y))| {
            let start = quarter * i as f64;
            arc(inner * DVec2::new(x, y), radius, start, start + quarter, corner_pieces)
        })
        .collect()
}
