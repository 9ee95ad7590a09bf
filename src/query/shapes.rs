//! Planes and edges of the triangles in the lanes, and how much what is computed of them may be off.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};

use super::lanes::{Packed, Triangle};

/// Keeps filters from deciding where their own arithmetic may have underflowed, m³.
const UNDERFLOW_GUARD: f32 = 1e-30;
/// More than the sine by which a face may rise above an edge that supports.
const RISE: f32 = 0.061;

/// The plane of a triangle in each lane.
#[derive(Clone, Copy)]
pub(super) struct Plane<S: Simd> {
    origin: [f32x8<S>; 3],
    /// Twice the area long.
    pub normal: [f32x8<S>; 3],
    /// The largest coordinates of the two sides from the first corner, m.
    sizes: [f32x8<S>; 2],
    /// The larger of them.
    pub size: f32x8<S>,
    /// What sides are off by beside being rounded, m.
    pub error: f32,
}

impl<S: Simd> Plane<S> {
    /// From corners that are off by `error`.
    #[inline(always)]
    pub fn through([p, q, r]: &Triangle<S>, error: f32) -> Self {
        Self::new(p, &[minus(q, p), minus(r, p)], error)
    }

    /// From the first corner and the two sides there, which are off by `error`.
    #[inline(always)]
    pub fn new(origin: &[f32x8<S>; 3], [u, v]: &[[f32x8<S>; 3]; 2], error: f32) -> Self {
        let sizes = [largest(u), largest(v)];
        Self { origin: *origin, normal: cross(u, v), sizes, size: sizes[0].max(sizes[1]), error }
    }

    /// The product of the two sides' largest coordinates: far less than the square of the size where the
    /// triangle is a sliver and one of them its short side.
    #[inline(always)]
    pub fn extent(&self) -> f32x8<S> {
        self.sizes[0] * self.sizes[1]
    }

    /// Six times the volumes of the tetrahedra that the triangle makes with points, positive where the
    /// triangle is seen counter-clockwise, and what they are off by at most if coordinates are by `error`.
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
        // A determinant is six products of two sides and an offset. Sides off by twice their `error` change
        // it by at most 24 size reach error, offsets by 12 extent error, the 9 half units that each product
        // is rounded by by 54 of extent reach; a tenth more, and a guard against underflow.
        let rounding = reach * (1.1 * 27.0 * f32::EPSILON);
        let moved = self.size * reach * (1.1 * 24.0 * self.error);
        (volumes, self.extent() * (rounding + 1.1 * 12.0 * error) + moved + UNDERFLOW_GUARD)
    }
}

/// The plane of one triangle of each lane with the other's corners.
pub(super) struct Side<S: Simd> {
    pub plane: Plane<S>,
    /// See [`Plane::volumes`].
    pub volumes: [f32x8<S>; 3],
    pub bound: f32x8<S>,
    /// More than the length of the normal, by as much as its coordinates may be off, m².
    pub length: f32x8<S>,
    pub off: f32x8<S>,
}

impl<S: Simd> Side<S> {
    #[inline(always)]
    pub fn new(simd: S, face: &Packed<S>, points: &Triangle<S>, error: f32) -> Self {
        let plane = Plane::new(&face.corners[0], &face.sides, 0.0);
        let (volumes, bound) = plane.volumes(simd, points, error);
        // A coordinate is two products of two sides, each rounded.
        let off = plane.extent() * (8.0 * f32::EPSILON);
        let length = dot(&plane.normal, &plane.normal).sqrt() * (1.0 + 4.0 * f32::EPSILON) + off;
        Self { plane, volumes, bound, length, off }
    }
}

/// An edge of the triangle in each lane.
pub(super) struct Edge<S: Simd> {
    pub start: [f32x8<S>; 3],
    pub along: [f32x8<S>; 3],
    /// From its start to the third corner.
    pub inward: [f32x8<S>; 3],
    /// What coordinates of these two are off by at most, and the largest of `along`, m.
    pub off: f32x8<S>,
    pub largest: f32x8<S>,
    /// Less than its length, and more than one over it.
    pub shortest: f32x8<S>,
    pub per_length: f32x8<S>,
    /// More than how wide the face is above it, and its size.
    width: f32x8<S>,
    size: f32x8<S>,
}

impl<S: Simd> Edge<S> {
    /// From corner k to the next.
    #[inline(always)]
    pub fn new(simd: S, triangle: &Packed<S>, k: usize, side: &Side<S>) -> Self {
        let (along, size) = (along(triangle, k), side.plane.size);
        let inward = negative(&self::along(triangle, (k + 2) % 3));
        // A side is rounded, and so is the difference of two, which are each as large.
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

    /// How far a direction of a length, square to the edge, may lead into the face at most, times the length,
    /// where it supports the edge. Its coordinates are off by `off`.
    #[inline(always)]
    pub fn rise(&self, length: f32x8<S>, off: f32x8<S>) -> f32x8<S> {
        length * (self.width * RISE + self.off * 2.0) + off * self.size * 6.5
    }
}

/// The largest coordinate.
#[inline(always)]
pub(super) fn largest<S: Simd>([x, y, z]: &[f32x8<S>; 3]) -> f32x8<S> {
    x.abs().max(y.abs()).max(z.abs())
}

/// From a corner to the next.
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

/// All certainly on the same side.
#[inline(always)]
pub(super) fn one_side<S: Simd>([x, y, z]: &[f32x8<S>; 3], bound: f32x8<S>) -> mask32x8<S> {
    beyond(&[*x, *y, *z], bound, bound)
}

/// All above one bound, or all further below than the other.
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
