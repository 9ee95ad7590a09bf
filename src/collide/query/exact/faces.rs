//! Flat faces of a surface: convex polygons of coplanar triangles. The distance to a convex set is
//! convex, so a face bounds distances like a triangle, but over a larger area.

use glam::DVec3;

use super::inside::rounding;
use super::scope::{PosedSurfaces, Side};
use crate::mesh::NONE;

/// Convex polygon.
pub(super) struct Face {
    sides: Vec<FaceSide>,
    normal: DVec3,
    /// Largest distance of a corner of its triangles from the plane, m.
    slack: f64,
}

/// Side of a polygon.
struct FaceSide {
    from: DVec3,
    along: DVec3,
    /// Vector in the plane, across the side, to the inside of the polygon.
    inward: DVec3,
}

impl Face {
    /// Builds a polygon from its corners, counter-clockwise about the normal.
    fn new(corners: &[DVec3], normal: DVec3, slack: f64) -> Self {
        let next = corners.iter().cycle().skip(1);
        let side = |(&from, &to): (&DVec3, &DVec3)| {
            let along = to - from;
            FaceSide { from, along, inward: normal.cross(along) }
        };
        Self { sides: corners.iter().zip(next).map(side).collect(), normal, slack }
    }

    /// Returns an upper bound of the distance from a point to the face, m. It includes the face's
    /// deviation from its plane.
    pub fn distance(&self, point: DVec3) -> f64 {
        let mut square = f64::INFINITY;
        for FaceSide { from, along, inward } in &self.sides {
            let offset = point - from;
            if inward.dot(offset) < 0.0 {
                let share = (along.dot(offset) / along.length_squared()).clamp(0.0, 1.0);
                square = square.min(point.distance_squared(from + share * along));
            }
        }
        let height = self.sides.first().map_or(0.0, |side| self.normal.dot(point - side.from));
        let nearest = if square < f64::INFINITY { square.sqrt() } else { height.abs() };
        nearest + self.slack
    }
}

/// Faces of a surface, computed on demand.
#[derive(Default)]
pub(super) struct Faces {
    faces: Vec<Face>,
    /// Face of each triangle; [`NONE`] if not yet computed.
    face_of: Vec<u32>,
    /// Whether the connected coplanar triangles around each triangle do not form a convex polygon.
    is_concave: Vec<bool>,
    open: Vec<u32>,
    region: Vec<u32>,
    points: Vec<DVec3>,
}

/// Largest relative excess of a polygon's area over that of its triangles that is attributed to
/// rounding.
const SAME_AREA: f64 = 1e-9;
/// Least cosine of the angle between the normals of coplanar triangles. It excludes folded triangles.
const UNFOLDED: f64 = 0.9;

impl Faces {
    pub fn start(&mut self, count: usize) {
        self.faces.clear();
        self.face_of.clear();
        self.face_of.resize(count, NONE);
        self.is_concave.clear();
        self.is_concave.resize(count, false);
    }

    /// Returns the face of a triangle: all connected coplanar triangles if they form a convex polygon.
    /// Otherwise the triangle with its neighbor across the longest edge, if these form one; otherwise
    /// the triangle alone.
    pub fn of(&mut self, scope: &PosedSurfaces, side: Side, triangle: u32) -> &Face {
        if self.face_of[triangle as usize] == NONE {
            let number = self.faces.len() as u32;
            let face = self.found(scope, side, triangle);
            self.faces.push(face);
            for &other in &self.region {
                self.face_of[other as usize] = number;
            }
        }
        &self.faces[self.face_of[triangle as usize] as usize]
    }

    /// Computes the face of the triangle, and leaves the face's triangles in `region`.
    fn found(&mut self, scope: &PosedSurfaces, side: Side, triangle: u32) -> Face {
        if !self.is_concave[triangle as usize] {
            self.collect(scope, side, triangle);
            if let Some(face) = self.polygon(scope, side) {
                return face;
            }
            for &other in &self.region {
                self.is_concave[other as usize] = true;
            }
        }
        let corners = scope.corners(side, triangle);
        let length = |k: usize| corners[k].distance_squared(corners[(k + 1) % 3]);
        let longest = (0..3).max_by(|&i, &j| length(i).total_cmp(&length(j))).unwrap_or(0);
        let beside = scope.across(side, triangle)[longest];
        if let Some(beside) = beside.filter(|&beside| self.is_concave[beside as usize]) {
            self.region = vec![triangle, beside];
            if self.face_of[beside as usize] == NONE
                && is_level(scope, side, triangle, beside)
                && let Some(face) = self.polygon(scope, side)
            {
                return face;
            }
        }
        self.region = vec![triangle];
        Face::new(&corners, scope.normal(side, triangle), 0.0)
    }

    /// Collects into `region` the triangle and all coplanar triangles that are connected to it.
    fn collect(&mut self, scope: &PosedSurfaces, side: Side, triangle: u32) {
        self.region.clear();
        self.open.clear();
        self.open.push(triangle);
        // Any value other than `NONE` serves as a mark. It is reset below, and replaced once the face
        // is known.
        self.face_of[triangle as usize] = 0;
        while let Some(next) = self.open.pop() {
            self.region.push(next);
            for beside in scope.neighbors(side, next) {
                if self.face_of[beside as usize] == NONE && is_level(scope, side, triangle, beside) {
                    self.face_of[beside as usize] = 0;
                    self.open.push(beside);
                }
            }
        }
        for &other in &self.region {
            self.face_of[other as usize] = NONE;
        }
    }

    /// Returns the convex polygon that the triangles in `region` form; `None` if they do not form one.
    fn polygon(&mut self, scope: &PosedSurfaces, side: Side) -> Option<Face> {
        let normal = scope.normal(side, self.region[0]);
        let [origin, ..] = scope.corners(side, self.region[0]);
        let (mut area, mut slack) = (0.0, 0.0_f64);
        self.points.clear();
        for &triangle in &self.region {
            let [p, q, r] = scope.corners(side, triangle);
            area += (q - p).cross(r - p).dot(normal);
            for corner in [p, q, r] {
                slack = slack.max(normal.dot(corner - origin).abs());
            }
            self.points.extend([p, q, r]);
        }
        let corners = hull(&mut self.points, normal);
        let apex = *corners.first()?;
        let around: f64 = corners.windows(2).map(|w| (w[0] - apex).cross(w[1] - apex).dot(normal)).sum();
        (around <= area * (1.0 + SAME_AREA)).then(|| Face::new(&corners, normal, slack))
    }
}

/// Returns whether a triangle (`other`) lies in the plane of `triangle` within the rounding of
/// coordinates.
fn is_level(scope: &PosedSurfaces, side: Side, triangle: u32, other: u32) -> bool {
    let normal = scope.normal(side, triangle);
    let [origin, ..] = scope.corners(side, triangle);
    let near = 0.25 * rounding(scope, side);
    normal.dot(scope.normal(side, other)) > UNFOLDED
        && scope.corners(side, other).iter().all(|corner| normal.dot(corner - origin).abs() <= near)
}

/// Returns the convex hull of points in a plane, counter-clockwise about its normal, without points on
/// its edges (Andrew 1979).
fn hull(points: &mut [DVec3], normal: DVec3) -> Vec<DVec3> {
    let u = normal.any_orthonormal_vector();
    let v = normal.cross(u);
    points.sort_by(|x, y| (u.dot(*x).total_cmp(&u.dot(*y))).then(v.dot(*x).total_cmp(&v.dot(*y))));
    let mut hull: Vec<DVec3> = Vec::new();
    let mut add = |points: &mut dyn Iterator<Item = DVec3>| {
        let start = hull.len();
        for point in points {
            while hull.len() >= start + 2 {
                let [from, to] = [hull[hull.len() - 2], hull[hull.len() - 1]];
                let (along, next) = (to - from, point - from);
                let turn = along.cross(next).dot(normal);
                if turn > 1e-12 * along.length() * next.length() {
                    break;
                }
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
    };
    add(&mut points.iter().copied());
    add(&mut points.iter().rev().copied());
    hull
}
