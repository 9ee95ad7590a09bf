//! Which candidate pairs of triangles intersect: a filter on several at once, then the exact test.
//!
//! The filter carries b's corners into a's space in `f32` vectors and takes the branches of the exact test
//! (`mesh::intersects`) with signs that exceed everything that was rounded. Where one does not, the pair is
//! decided exactly, on corners carried in `f64`. Coordinates are relative to the surfaces' centres. About 10
//! ns a pair in full batches.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8, mask32x8};

use super::lanes::{BATCH, Frame, Triangle};
use super::shapes::{Plane, one_side};
use crate::mesh::{self, Mesh};
use crate::pose::Pose;

/// Decides for two surfaces at one pose.
pub(super) struct ExactFilter<'a> {
    frame: Frame<'a>,
}

impl<'a> ExactFilter<'a> {
    pub fn new(a: &'a Mesh, b: &'a Mesh, b_to_a: &'a Pose) -> Self {
        Self { frame: Frame::new(a, b, b_to_a) }
    }

    /// Shows `found` those of the pairs that intersect, in their order, until it returns false.
    pub fn intersecting(&self, pairs: &[[u32; 2]], mut found: impl FnMut([u32; 2]) -> bool) {
        let level = Level::new();
        for batch in pairs.chunks(BATCH) {
            let LaneVerdict { intersecting, uncertain } = dispatch!(level, simd => self.filter(simd, batch));
            let mut left = intersecting | uncertain;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let certain = intersecting >> lane & 1 != 0;
                if (certain || self.exactly(batch[lane])) && !found(batch[lane]) {
                    return;
                }
            }
        }
    }

    fn exactly(&self, pair: [u32; 2]) -> bool {
        let [a, b] = self.frame.corners(pair);
        mesh::intersects(&a, &b)
    }

    #[inline(always)]
    fn filter<S: Simd>(&self, simd: S, pairs: &[[u32; 2]]) -> LaneVerdict {
        let [a, b] = self.frame.gather(simd, pairs);
        let verdict = verdict(simd, [&a, &b], self.frame.error);
        let present = (1 << pairs.len()) - 1;
        LaneVerdict { intersecting: verdict.intersecting & present, uncertain: verdict.uncertain & present }
    }
}

/// A bit a lane.
pub(super) struct LaneVerdict {
    pub intersecting: u64,
    pub uncertain: u64,
}

/// Which pairs intersect for certain, and which are left to the exact test. Coordinates are off by `error` at
/// most.
#[inline(always)]
pub(super) fn verdict<S: Simd>(simd: S, [a, b]: [&Triangle<S>; 2], error: f32) -> LaneVerdict {
    let (from_b, bound_b) = Plane::through(simd, b, error).volumes(simd, a, error);
    let (from_a, bound_a) = Plane::through(simd, a, error).volumes(simd, b, error);
    let apart = one_side(&from_b, bound_b) | one_side(&from_a, bound_a);
    // Where all six signs are certain, the corner that is alone on its side comes first, above the plane.
    let certain = clear(&from_b, bound_b) & clear(&from_a, bound_a);
    let (mut a, a_above) = apex_first(a, &from_b);
    let (mut b, b_above) = apex_first(b, &from_a);
    swap_unless(a_above, &mut b);
    swap_unless(b_above, &mut a);
    let (begin, begin_bound) = Plane::through(simd, &[a[0], a[1], b[0]], error).volumes(simd, &[b[1]], error);
    let (end, end_bound) = Plane::through(simd, &[a[0], a[2], b[2]], error).volumes(simd, &[b[0]], error);
    let missed = begin[0].simd_gt(begin_bound) | end[0].simd_gt(end_bound);
    let met = begin[0].simd_lt(-begin_bound) & end[0].simd_lt(-end_bound);
    let apart = (apart | certain & missed).to_bitmask();
    let intersecting = (certain & met).to_bitmask() & !apart;
    LaneVerdict { intersecting, uncertain: !apart & !intersecting }
}

/// No sign in doubt.
#[inline(always)]
fn clear<S: Simd>([x, y, z]: &[f32x8<S>; 3], bound: f32x8<S>) -> mask32x8<S> {
    x.abs().min(y.abs()).min(z.abs()).simd_gt(bound)
}

/// The corners turned so that the first is alone on its side, and whether that is the side above.
#[inline(always)]
fn apex_first<S: Simd>(t: &Triangle<S>, [x, y, z]: &[f32x8<S>; 3]) -> (Triangle<S>, mask32x8<S>) {
    let (xy, xz) = ((*x * *y).simd_gt(0.0), (*x * *z).simd_gt(0.0));
    let mut turned = *t;
    for k in 0..3 {
        let [p, q, r] = [t[0][k], t[1][k], t[2][k]];
        turned[0][k] = xy.select(r, xz.select(q, p));
        turned[1][k] = xy.select(p, xz.select(r, q));
        turned[2][k] = xy.select(q, xz.select(p, r));
    }
    (turned, xy.select(*z, xz.select(*y, *x)).simd_gt(0.0))
}

/// Turns the triangle over where the other's first corner is below.
#[inline(always)]
fn swap_unless<S: Simd>(above: mask32x8<S>, [_, second, third]: &mut Triangle<S>) {
    for (q, r) in second.iter_mut().zip(third) {
        (*q, *r) = (above.select(*q, *r), above.select(*r, *q));
    }
}
