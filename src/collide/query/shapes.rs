//! Planes and edges of the triangles in the SIMD lanes, with error bounds of the derived values.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};

use super::lanes::{Packed, Triangle};

/// Amount, m³, added to error bounds so that a filter decides nothing from a product that may have
/// underflowed.
const UNDERFLOW_GUARD: f32 = 1e-30;
/// Upper bound of the sine of the angle by which a supporting direction may point into a face beside
/// its edge.
const RISE: f32 = 0.061;

/// Plane of a triangle in each lane.
#[derive(Clone, Copy)]
pub(super) struct Plane<S: Simd> {
    origin: [f32x8<S>; 3],
    /// Normal, of length twice the area.
    pub normal: [f32x8<S>; 3],
    /// Largest absolute coordinates of the two sides at the first corner, m.
    sizes: [f32x8<S>; 2],
    /// Larger of the two `sizes`.
    pub size: f32x8<S>,
    /// Error of the sides' coordinates in addition to rounding, m.
    pub error: f32,
}

impl<S: Simd> Plane<S> {
    /// Builds the plane through three corners. `error`: error of their coordinates, m.
    #[inline(always)]
    pub fn through([p, q, r]: &Triangle<S>, error: f32) -> Self {
        Self::new(p, &[minus(q, p), minus(r, p)], error)
    }

    /// Builds the plane from the first corner and the two sides there. `error`: error of the sides in
    /// addition to rounding, m.
    #[inline(always)]
    pub fn new(origin: &[f32x8<S>; 3], [u, v]: &[[f32x8<S>; 3]; 2], error: f32) -> Self {
        let sizes = [largest(u), largest(v)];
        Self { origin: *origin, normal: cross(u, v), sizes, size: sizes[0].max(sizes[1]), error }
    }

    /// Returns the product of the two sides' largest coordinates. For a sliver with one short side, it
    /// is much less than the square of `size`.
    #[inline(always)]
    pub fn extent(&self) -> f32x8<S> {
        self.sizes[0] * self.sizes[1]
    }

    /// Returns six times the volumes of the tetrahedra formed by the triangle and each point, positive
    /// where the triangle is seen counter-clockwise. Also returns the bound of their error, if the
    /// coordinates have the error `error` (m).
    #[inline(always)]
    pub fn volumes<const N: usize>(
        &self,
        simd: S,
        points: &[[f32x8<S>; 3]; N],
        error: f32,
    ) -> ([f32x8<S>; N], f32x8<S>) {
        let zero = f32x8::splat(simd, 0.0);
        let (mut reach, mut volumes) = (zero, [zero; N]);
        for (volume, point) in volumes.iter_mut().zip(points) {
            let w = minus(point, &self.origin);
            reach = reach.max(w[0].abs()).max(w[1].abs()).max(w[2].abs());
            *volume = dot(&self.normal, &w);
        }
        // A determinant is a sum of six products of two sides and an offset. Sides with twice their
        // `error` change it by at most 24 size · reach · error, and offsets by 12 extent · error. The 9
        // half units of rounding of each product make 54 half units of extent · reach. A tenth is
        // added, and a guard against underflow.
        let rounding = reach * (1.1 * 27.0 * f32::EPSILON);
        let moved = self.size * reach * (1.1 * 24.0 * self.error);
        (volumes, self.extent() * (rounding + 1.1 * 12.0 * error) + moved + UNDERFLOW_GUARD)
    }
}

/// Plane of one triangle of each lane, with the volumes for the other triangle's corners.
pub(super) struct PlaneSide<S: Simd> {
    pub plane: Plane<S>,
    /// Result of [`Plane::volumes`].
    pub volumes: [f32x8<S>; 3],
    pub bound: f32x8<S>,
    /// Upper bound of the length of the normal, m².
    pub length: f32x8<S>,
    /// Upper bound of the error of the normal's coordinates, m².
    pub off: f32x8<S>,
}

impl<S: Simd> PlaneSide<S> {
    #[inline(always)]
    pub fn new(simd: S, face: &Packed<S>, points: &Triangle<S>, error: f32) -> Self {
        let plane = Plane::new(&face.corners[0], &face.sides, 0.0);
        let (volumes, bound) = plane.volumes(simd, points, error);
        // A coordinate of the normal is a difference of two products of two sides, each rounded.
        let off = plane.extent() * (8.0 * f32::EPSILON);
        let length = dot(&plane.normal, &plane.normal).sqrt() * (1.0 + 4.0 * f32::EPSILON) + off;
        Self { plane, volumes, bound, length, off }
    }
}

/// An edge of the triangle in each lane.
pub(super) struct Edge<S: Simd> {
    pub start: [f32x8<S>; 3],
    pub along: [f32x8<S>; 3],
    /// Vector from the start to the third corner.
    pub inward: [f32x8<S>; 3],
    /// Upper bound of the error of the coordinates of `along` and `inward`, m.
    pub off: f32x8<S>,
    /// Largest coordinate of `along`, m.
    pub largest: f32x8<S>,
    /// Lower bound of the length, m.
    pub shortest: f32x8<S>,
    /// Upper bound of the reciprocal of the length, 1/m.
    pub per_length: f32x8<S>,
    /// Upper bound of the height of the face over the edge, m.
    width: f32x8<S>,
    /// Size of the face, see [`Plane::size`].
    size: f32x8<S>,
}

impl<S: Simd> Edge<S> {
    /// Builds the edge from corner `k` to the next corner.
    #[inline(always)]
    pub fn new(simd: S, triangle: &Packed<S>, k: usize, side: &PlaneSide<S>) -> Self {
        let (along, size) = (along(triangle, k), side.plane.size);
        let inward = negative(&self::along(triangle, (k + 2) % 3));
        // A side is rounded once, and so is the difference of two sides of the same size.
        let off = size * (2.0 * f32::EPSILON);
        let length = dot(&along, &along).sqrt() * (1.0 - 4.0 * f32::EPSILON) - off * 2.0;
        let shortest = length.max(f32x8::splat(simd, f32::MIN_POSITIVE));
        let per_length = f32x8::splat(simd, 1.0 + 4.0 * f32::EPSILON) / shortest;
        Self {
            start: triangle.corners[k],
            largest: largest(&along),
            along,
            inward,
            off,
            shortest,
            per_length,
            width: side.length * per_length,
            size,
        }
    }

    /// Returns the largest component into the face, times the edge's length, of a direction that
    /// supports the edge. The direction is perpendicular to the edge and has the length `length`.
    /// `off`: bound of the error of its coordinates.
    #[inline(always)]
    pub fn rise(&self, length: f32x8<S>, off: f32x8<S>) -> f32x8<S> {
        length * (self.width * RISE + self.off * 2.0) + off * self.size * 6.5
    }
}

/// Returns the largest absolute coordinate.
#[inline(always)]
pub(super) fn largest<S: Simd>([x, y, z]: &[f32x8<S>; 3]) -> f32x8<S> {
    x.abs().max(y.abs()).max(z.abs())
}

/// Returns the vector from corner `k` to the next corner.
#[inline(always)]
pub(super) fn along<S: Simd>(triangle: &Packed<S>, k: usize) -> [f32x8<S>; 3] {
    let [u, v] = &triangle.sides;
    match k {
        0 => *u,
        1 => minus(v, u),
        _ => negative(v),
    }
}

#[inline(always)]
fn negative<S: Simd>([x, y, z]: &[f32x8<S>; 3]) -> [f32x8<S>; 3] {
    [-*x, -*y, -*z]
}

/// Returns the lanes in which all three points are certainly on the same side of a plane.
#[inline(always)]
pub(super) fn one_side<S: Simd>([x, y, z]: &[f32x8<S>; 3], bound: f32x8<S>) -> mask32x8<S> {
    beyond(&[*x, *y, *z], bound, bound)
}

/// Returns the lanes in which all three values are greater than `above`, or all are less than −`below`.
#[inline(always)]
pub(super) fn beyond<S: Simd>([x, y, z]: &[f32x8<S>; 3], above: f32x8<S>, below: f32x8<S>) -> mask32x8<S> {
    x.min(*y).min(*z).simd_gt(above) | x.max(*y).max(*z).simd_lt(-below)
}

#[inline(always)]
pub(super) fn cross<S: Simd>(u: &[f32x8<S>; 3], v: &[f32x8<S>; 3]) -> [f32x8<S>; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

#[inline(always)]
pub(super) fn dot<S: Simd>(u: &[f32x8<S>; 3], v: &[f32x8<S>; 3]) -> f32x8<S> {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

#[inline(always)]
pub(super) fn minus<S: Simd>(u: &[f32x8<S>; 3], v: &[f32x8<S>; 3]) -> [f32x8<S>; 3] {
    [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
}
