//! Lower bounds of the distance of two triangles along a given direction, several pairs at once. Any
//! direction gives a valid bound; the direction between the nearest points gives the distance itself.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};

use super::lanes::Triangle;
use super::shapes::{dot, minus};

/// Returns the edge vectors, from each corner to the next.
#[inline(always)]
pub(super) fn edges<S: Simd>([p, q, r]: &Triangle<S>) -> Triangle<S> {
    [minus(q, p), minus(r, q), minus(p, r)]
}

/// Two triangles relative to a's first corner.
pub(super) struct Corners<S: Simd> {
    /// Second and third corner of a.
    pub a: [[f32x8<S>; 3]; 2],
    pub b: Triangle<S>,
    /// Largest absolute coordinate.
    reach: f32x8<S>,
}

impl<S: Simd> Corners<S> {
    #[inline(always)]
    pub fn new(simd: S, [first, second, third]: &Triangle<S>, [p, q, r]: &Triangle<S>) -> Self {
        let a = [minus(second, first), minus(third, first)];
        let b = [minus(p, first), minus(q, first), minus(r, first)];
        let mut reach = f32x8::splat(simd, 0.0);
        for k in 0..3 {
            reach = reach.max(a[0][k].abs()).max(a[1][k].abs());
            reach = reach.max(b[0][k].abs()).max(b[1][k].abs()).max(b[2][k].abs());
        }
        Self { a, b, reach }
    }

    /// Returns the lanes in which the triangles are certainly farther apart along `direction` (of any
    /// length) than `distance` (m). `error` (m) bounds the error of the coordinates.
    #[inline(always)]
    pub fn beyond(&self, simd: S, direction: &[f32x8<S>; 3], distance: f32, error: f32) -> mask32x8<S> {
        // The squared length is a sum that is rounded 3 times; the root rounds once more.
        let length = dot(direction, direction).sqrt() * (1.0 + 4.0 * f32::EPSILON);
        let least = length * distance + f32x8::splat(simd, 4.0 * f32::MIN_POSITIVE);
        self.gap(direction, error).simd_gt(least)
    }

    /// Returns a mask of the lanes in which the triangles are certainly apart along `direction` (of any
    /// length).
    #[inline(always)]
    pub fn apart(&self, simd: S, direction: &[f32x8<S>; 3], error: f32) -> u64 {
        self.gap(direction, error).simd_gt(f32x8::splat(simd, 4.0 * f32::MIN_POSITIVE)).to_bitmask()
    }

    /// Returns a lower bound of the gap along `direction`, times the direction's length. Underflow is
    /// not included.
    #[inline(always)]
    fn gap(&self, direction: &[f32x8<S>; 3], error: f32) -> f32x8<S> {
        let ([second, third], [p, q, r]) = (&self.a, &self.b);
        let (second, third) = (dot(direction, second), dot(direction, third));
        let (p, q, r) = (dot(direction, p), dot(direction, q), dot(direction, r));
        let (low_a, high_a) = (second.min(third).min(0.0), second.max(third).max(0.0));
        let (low_b, high_b) = (p.min(q).min(r), p.max(q).max(r));
        // On every axis, each of the two ends has the error of the coordinates plus the roundings of an
        // offset, three products and two sums: 4 half units. A tenth is added.
        let length = direction[0].abs() + direction[1].abs() + direction[2].abs();
        let bound = length * (self.reach * (4.4 * f32::EPSILON) + 2.2 * error);
        (low_b - high_a).max(low_a - high_b) - bound
    }
}
