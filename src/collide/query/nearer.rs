//! Filter for candidate pairs of triangles that may be nearer than a given distance. Distance queries
//! measure only these pairs, in `f64`.
//!
//! The filter tests eight pairs at a time in `f32` SIMD vectors. It drops a pair that is separated by
//! more than the distance along a face normal, or along the vector between the nearest points of two
//! edges. This vector may be inaccurate, but a pair separated along any direction is farther apart in
//! any case. About 15 ns per pair.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8};

use super::apart::{Corners, edges};
use super::lanes::{BATCH, Frame};
use super::shapes::{cross, dot, minus};
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::volume::round_up;

/// Relative increase of the distance within which pairs are kept: more than the rounding error of the
/// measurement in `f64`.
const SLACK: f64 = 1e-9;

/// Distance filter for the candidates of two surfaces at one pose.
pub(super) struct NearerFilter<'a> {
    frame: Frame<'a>,
}

impl<'a> NearerFilter<'a> {
    pub fn new([a, b]: [&'a Mesh; 2], b_to_a: &'a Pose) -> Self {
        Self { frame: Frame::new(a, b, b_to_a) }
    }

    /// Appends to `out` the pairs that may be within `distance` (m), in their order.
    pub fn keep(&self, pairs: &[[u32; 2]], distance: f64, out: &mut Vec<[u32; 2]>) {
        let distance = round_up(distance * (1.0 + SLACK));
        dispatch!(Level::new(), simd => self.sieve(simd, pairs, distance, out));
    }

    #[inline(always)]
    fn sieve<S: Simd>(&self, simd: S, pairs: &[[u32; 2]], distance: f32, out: &mut Vec<[u32; 2]>) {
        for batch in pairs.chunks(BATCH) {
            let mut kept = self.near(simd, batch, distance);
            while kept != 0 {
                out.push(batch[kept.trailing_zeros() as usize]);
                kept &= kept - 1;
            }
        }
    }

    /// Returns a mask of the lanes whose pairs may be within the distance.
    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, pairs: &[[u32; 2]], distance: f32) -> u64 {
        let error = self.frame.error;
        let [a, b] = self.frame.gather(simd, pairs);
        let corners = Corners::new(simd, &a, &b);
        let (edges_a, edges_b) = (edges(&a), edges(&b));
        let mut far = corners.beyond(simd, &cross(&edges_a[0], &edges_a[1]), distance, error);
        far |= corners.beyond(simd, &cross(&edges_b[0], &edges_b[1]), distance, error);
        let asked = (1 << pairs.len()) - 1;
        if asked & !far.to_bitmask() == 0 {
            return 0;
        }
        let zero = f32x8::splat(simd, 0.0);
        let starts_a = [[zero; 3], corners.a[0], corners.a[1]];
        let (mut way, mut least) = ([zero; 3], f32x8::splat(simd, f32::INFINITY));
        for (start_a, edge_a) in starts_a.iter().zip(&edges_a) {
            for (start_b, edge_b) in corners.b.iter().zip(&edges_b) {
                let next = between(simd, [start_a, edge_a], [start_b, edge_b]);
                let square = dot(&next, &next);
                let nearer = square.simd_lt(least);
                least = nearer.select(square, least);
                for k in 0..3 {
                    way[k] = nearer.select(next[k], way[k]);
                }
            }
        }
        asked & !(far | corners.beyond(simd, &way, distance, error)).to_bitmask()
    }
}

/// Returns approximately the vector between the nearest points of two segments (Ericson 2005,
/// "Real-time collision detection", 5.1.9). Each segment is given by its start and the vector to its
/// end.
#[inline(always)]
fn between<S: Simd>(simd: S, [p, u]: [&[f32x8<S>; 3]; 2], [q, v]: [&[f32x8<S>; 3]; 2]) -> [f32x8<S>; 3] {
    let between = minus(p, q);
    let (uu, vv, uv) = (dot(u, u), dot(v, v), dot(u, v));
    let (ub, vb) = (dot(u, &between), dot(v, &between));
    let at_a = share(simd, uv * vb - ub * vv, uu * vv - uv * uv);
    let at_b = share(simd, uv * at_a + vb, vv);
    let at_a = share(simd, uv * at_b - ub, uu);
    let mut way = [at_a; 3];
    for k in 0..3 {
        way[k] = v[k] * at_b - u[k] * at_a - between[k];
    }
    way
}

/// Returns `x` / `of`, clamped to 0..=1.
#[inline(always)]
fn share<S: Simd>(simd: S, x: f32x8<S>, of: f32x8<S>) -> f32x8<S> {
    (x / of.max(f32x8::splat(simd, f32::MIN_POSITIVE))).max(0.0).min(1.0)
}
