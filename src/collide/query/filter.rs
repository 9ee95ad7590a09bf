//! Filter for candidate pairs of triangles: tests several pairs at once for intersection, then applies
//! the exact test to the uncertain ones.
//!
//! The filter transforms b's corners into a's space in `f32` SIMD vectors. It evaluates the signs of
//! the exact test (`mesh::intersects`) and accepts a sign only if it exceeds the rounding error. If a
//! sign is uncertain, as for slivers or coplanar triangles, it searches for a separating direction. If
//! it finds none, the pair is decided by the exact test on corners transformed in `f64`. Coordinates
//! are relative to the surfaces' centers. About 10 ns per pair in full batches.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8, mask32x8};

use super::apart::{Corners, edges};
use super::lanes::{BATCH, Frame, Triangle};
use super::shapes::{Plane, cross, one_side};
use crate::mesh::{self, Mesh};
use crate::pose::Pose;

/// Intersection test for the triangle pairs of two surfaces at one pose.
pub(super) struct ExactFilter<'a> {
    frame: Frame<'a>,
}

impl<'a> ExactFilter<'a> {
    pub fn new(a: &'a Mesh, b: &'a Mesh, b_to_a: &'a Pose) -> Self {
        Self { frame: Frame::new(a, b, b_to_a) }
    }

    /// Passes the intersecting pairs to `found`, in their order, until it returns false.
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
        mesh::boxes_overlap(&a, &b, 0.0) && mesh::intersects(&a, &b)
    }

    #[inline(always)]
    fn filter<S: Simd>(&self, simd: S, pairs: &[[u32; 2]]) -> LaneVerdict {
        let [a, b] = self.frame.gather(simd, pairs);
        verdict(simd, [&a, &b], self.frame.error, (1 << pairs.len()) - 1)
    }
}

/// Results of several pairs, one bit per SIMD lane.
pub(super) struct LaneVerdict {
    pub intersecting: u64,
    pub uncertain: u64,
}

/// Returns the lanes of the mask `asked` whose pairs certainly intersect, and those that need the exact
/// test. `error`: bound of the error of the coordinates, m.
#[inline(always)]
pub(super) fn verdict<S: Simd>(simd: S, [a, b]: [&Triangle<S>; 2], error: f32, asked: u64) -> LaneVerdict {
    let (from_b, bound_b) = Plane::through(b, error).volumes(simd, a, error);
    let (from_a, bound_a) = Plane::through(a, error).volumes(simd, b, error);
    let apart = one_side(&from_b, bound_b) | one_side(&from_a, bound_a);
    let left = asked & !apart.to_bitmask();
    // In lanes with six certain signs, two more signs decide.
    let certain = left & (clear(&from_b, bound_b) & clear(&from_a, bound_a)).to_bitmask();
    let (mut met, mut missed) = (0, 0);
    if certain != 0 {
        // Rotate each triangle so that the corner alone on its side of the other plane comes first, and
        // flip the windings so that this corner is above the other plane.
        let (mut a, a_above) = apex_first(a, &from_b);
        let (mut b, b_above) = apex_first(b, &from_a);
        swap_unless(a_above, &mut b);
        swap_unless(b_above, &mut a);
        let (begin, begin_bound) = Plane::through(&[a[0], a[1], b[0]], error).volumes(simd, &[b[1]], error);
        let (end, end_bound) = Plane::through(&[a[0], a[2], b[2]], error).volumes(simd, &[b[0]], error);
        missed = certain & (begin[0].simd_gt(begin_bound) | end[0].simd_gt(end_bound)).to_bitmask();
        met = certain & (begin[0].simd_lt(-begin_bound) & end[0].simd_lt(-end_bound)).to_bitmask();
    }
    let uncertain = unseparated(simd, [a, b], error, left & !missed & !met);
    LaneVerdict { intersecting: met, uncertain }
}

/// Removes from the mask `asked` the lanes whose triangles are separated along a face normal, a cross
/// product of two edges, or the in-plane normal of an edge.
#[inline(always)]
fn unseparated<S: Simd>(simd: S, [a, b]: [&Triangle<S>; 2], error: f32, mut asked: u64) -> u64 {
    if asked == 0 {
        return 0;
    }
    let corners = Corners::new(simd, a, b);
    let (edges_a, edges_b) = (edges(a), edges(b));
    for edges in [&edges_a, &edges_b] {
        let normal = cross(&edges[0], &edges[1]);
        asked &= !corners.apart(simd, &normal, error);
        for edge in edges {
            if asked == 0 {
                return 0;
            }
            asked &= !corners.apart(simd, &cross(&normal, edge), error);
        }
    }
    for edge_a in &edges_a {
        for edge_b in &edges_b {
            if asked == 0 {
                return 0;
            }
            asked &= !corners.apart(simd, &cross(edge_a, edge_b), error);
        }
    }
    asked
}

/// Returns the lanes in which the signs of all three values are certain.
#[inline(always)]
fn clear<S: Simd>([x, y, z]: &[f32x8<S>; 3], bound: f32x8<S>) -> mask32x8<S> {
    x.abs().min(y.abs()).min(z.abs()).simd_gt(bound)
}

/// Returns the triangle with its corners rotated so that the first is alone on its side of the plane,
/// and the lanes in which that side is the upper one.
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

/// Flips the triangle's winding in the lanes in which the other triangle's first corner is below its
/// plane.
#[inline(always)]
fn swap_unless<S: Simd>(above: mask32x8<S>, [_, second, third]: &mut Triangle<S>) {
    for (q, r) in second.iter_mut().zip(third) {
        (*q, *r) = (above.select(*q, *r), above.select(*r, *q));
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use glam::{DQuat, DVec3, Vec3};

    use super::*;
    use crate::random::Random;

    /// Builds long triangles in two planes, about a thousand times as long as wide, with vertices on a
    /// lattice.
    fn slivers(random: &mut Random) -> Mesh {
        let mut positions = Vec::new();
        for k in 0..60 {
            let mut step = |extent: f64| 0.05 * (extent * random.signed()).round() as f32;
            let from = Vec3::new(step(2.0), 0.1 * (k % 2) as f32, step(2.0));
            let to = from + Vec3::new(step(3.0), if k % 3 == 0 { step(2.0) } else { 0.0 }, step(3.0));
            let wide = if k % 4 == 0 { Vec3::new(0.1, 0.05, 0.05) } else { Vec3::new(2e-4, 0.0, 1e-4) };
            positions.extend([from, to, to + wide]);
        }
        let triangles: Vec<[u32; 3]> = (0..60).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        Mesh::new("slivers", &positions, &triangles).unwrap()
    }

    #[test]
    fn slivers_in_a_common_plane_are_decided_as_the_exact_test_does() {
        let mut random = Random::new(8, 0);
        let (mut all, mut touching, mut certain) = (0, 0, 0);
        for round in 0..60 {
            let (a, b) = (slivers(&mut random), slivers(&mut random));
            let quarter = DQuat::from_rotation_y(FRAC_PI_2 * f64::from(round % 4));
            let tilt = if round % 3 == 0 { DQuat::from_rotation_x(1e-9) } else { DQuat::IDENTITY };
            let far = if round % 5 == 0 { 1e5 } else { 0.05 * f64::from(round) };
            let shift = DVec3::new(0.05 * f64::from(round % 6), 0.1 * f64::from(round % 2), 0.0);
            let to_a = Pose::from_position(DVec3::X * far);
            let b_to_a = to_a.inverse() * Pose::new(tilt * quarter, shift + DVec3::X * far);
            let filter = ExactFilter::new(&a, &b, &b_to_a);
            let count = |mesh: &Mesh| mesh.triangles().len() as u32;
            let pairs: Vec<_> =
                (0..count(&a)).flat_map(|ta| (0..count(&b)).map(move |tb| [ta, tb])).collect();
            let (mut found, mut exact) = (Vec::new(), Vec::new());
            filter.intersecting(&pairs, |pair| {
                found.push(pair);
                true
            });
            exact.extend(pairs.iter().copied().filter(|&[ta, tb]| {
                let [p, q] = filter.frame.corners([ta, tb]);
                mesh::intersects(&p, &q)
            }));
            assert_eq!(found, exact, "round {round}");
            for batch in pairs.chunks(BATCH) {
                let verdict = dispatch!(Level::new(), simd => filter.filter(simd, batch));
                certain += batch.len() - verdict.uncertain.count_ones() as usize;
            }
            (all, touching) = (all + pairs.len(), touching + exact.len());
        }
        assert!(touching > 2_000 && touching < all / 2, "{touching} of {all} touch");
        assert!(certain > all * 8 / 10, "{certain} of {all} are decided in vectors, {touching} touch");
    }
}
