//! Which candidate pairs of triangles intersect: a filter on several at once, then the exact test.
//!
//! The filter carries b's corners into a's space in `f32` vectors and takes the branches of the exact test
//! (`mesh::intersects`) with signs that exceed everything that was rounded. Where one does not, the pair is
//! decided exactly, on corners carried in `f64`. Coordinates are relative to the surfaces' centres. About 10
//! ns a pair in full batches.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8, mask32x8};
use glam::{DVec3, Vec3};

use crate::arrays::MapEach;
use crate::mesh::{self, Mesh};
use crate::pose::Pose;

/// Pairs filtered at once.
const BATCH: usize = 8;

/// The corners of one triangle of each lane: corner, coordinate, lane.
type Corners = [[[f32; BATCH]; 3]; 3];

/// Decides for two surfaces at one pose.
pub(super) struct ExactFilter<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    b_to_a: &'a Pose,
    centers: [Vec3; 2],
    /// Rows of the rotation from b to a, and where b's centre is from a's.
    matrix: [[f32; 3]; 3],
    translation: [f32; 3],
    /// More than a carried coordinate may be off, m; not finite if `f32` does not reach.
    error: f32,
}

/// Beyond this size (m) products of three lengths leave `f32`.
const LARGEST: f64 = 1e10;

impl<'a> ExactFilter<'a> {
    pub fn new(a: &'a Mesh, b: &'a Mesh, b_to_a: &'a Pose) -> Self {
        let centers = [a, b].map_each(|m| m.bounds().center());
        let rows = b_to_a.rotation_matrix().transpose();
        let translation = b_to_a.transform_point(centers[1].as_dvec3()) - centers[0].as_dvec3();
        // How far a corner may be from its surface's centre.
        let [reach_a, reach_b] = [a, b].map_each(|m| 0.5 * f64::from(m.bounds().diagonal()));
        let apart = translation.abs().max_element();
        // Each rounding takes half a unit in the last place: one for a's coordinate; for b's, which is a sum
        // of products that is at most `reach_b`, one each for offset, factor, product and two sums; one each
        // for the translation and the last sum. The translation was found in `f64`, maybe far from the
        // origin.
        let rounded = (reach_a).max(5.0 * reach_b + apart + (reach_b + apart));
        let far = centers.map_each(|c| f64::from(c.abs().max_element()));
        let error = 1.01 * 0.5 * f64::from(f32::EPSILON) * rounded
            + 16.0 * f64::EPSILON * (far[0] + far[1] + b_to_a.position.abs().max_element());
        let reach = reach_a + reach_b + apart;
        Self {
            a,
            b,
            b_to_a,
            centers,
            matrix: [rows.x_axis, rows.y_axis, rows.z_axis].map_each(|r| r.as_vec3().into()),
            translation: translation.as_vec3().into(),
            error: if reach < LARGEST { error as f32 } else { f32::INFINITY },
        }
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

    fn exactly(&self, [a, b]: [u32; 2]) -> bool {
        let [p, q, r] = self.b.corners(b);
        let carry = |p: DVec3| self.b_to_a.transform_point(p);
        mesh::intersects(&self.a.corners(a), &[carry(p), carry(q), carry(r)])
    }

    /// Which of the pairs intersect for certain, and which are left to the exact test; a bit each.
    #[inline(always)]
    fn filter<S: Simd>(&self, simd: S, pairs: &[[u32; 2]]) -> LaneVerdict {
        let zero = f32x8::splat(simd, 0.0);
        let (mut a, mut own) = ([[[0.0; BATCH]; 3]; 3], [[[0.0; BATCH]; 3]; 3]);
        for (lane, pair) in pairs.iter().enumerate() {
            load(&mut a, lane, self.a, pair[0], self.centers[0]);
            load(&mut own, lane, self.b, pair[1], self.centers[1]);
        }
        let (a, own) = (vectors(simd, &a), vectors(simd, &own));
        let mut b = [[zero; 3]; 3];
        for (b, own) in b.iter_mut().zip(&own) {
            for (k, coordinate) in b.iter_mut().enumerate() {
                let [x, y, z] = self.matrix[k];
                *coordinate = (own[0] * x + own[1] * y + own[2] * z) + self.translation[k];
            }
        }
        let (from_b, bound_b) = self.distances(simd, &b, &a);
        let (from_a, bound_a) = self.distances(simd, &a, &b);
        let apart = one_side(&from_b, bound_b) | one_side(&from_a, bound_a);
        // Where all six signs are certain, the corner that is alone on its side comes first, above the plane.
        let certain = clear(&from_b, bound_b) & clear(&from_a, bound_a);
        let (mut a, a_above) = apex_first(&a, &from_b);
        let (mut b, b_above) = apex_first(&b, &from_a);
        swap_unless(a_above, &mut b);
        swap_unless(b_above, &mut a);
        let (begin, begin_bound) = self.distances(simd, &[a[0], a[1], b[0]], &[b[1]]);
        let (end, end_bound) = self.distances(simd, &[a[0], a[2], b[2]], &[b[0]]);
        let missed = begin[0].simd_gt(begin_bound) | end[0].simd_gt(end_bound);
        let met = begin[0].simd_lt(-begin_bound) & end[0].simd_lt(-end_bound);
        let present = (1 << pairs.len()) - 1;
        let apart = (apart | certain & missed).to_bitmask();
        let intersecting = (certain & met).to_bitmask() & !apart & present;
        LaneVerdict { intersecting, uncertain: !apart & !intersecting & present }
    }

    /// Six times the volumes of the tetrahedra that a triangle makes with points, positive where the triangle
    /// is seen counter-clockwise, and what they are off by at most.
    #[inline(always)]
    fn distances<S: Simd, const N: usize>(
        &self,
        simd: S,
        [p, q, r]: &Triangle<S>,
        points: &[[f32x8<S>; 3]; N],
    ) -> ([f32x8<S>; N], f32x8<S>) {
        let zero = f32x8::splat(simd, 0.0);
        let (mut u, mut v, mut size) = ([zero; 3], [zero; 3], zero);
        for k in 0..3 {
            u[k] = q[k] - p[k];
            v[k] = r[k] - p[k];
            size = size.max(u[k].abs().max(v[k].abs()));
        }
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let (mut reach, mut volumes) = (zero, [zero; N]);
        for (volume, point) in volumes.iter_mut().zip(points) {
            for k in 0..3 {
                let w = point[k] - p[k];
                reach = reach.max(w.abs());
                *volume += normal[k] * w;
            }
        }
        // A determinant is six products of an offset of each kind. Coordinates off by `error` change it by at
        // most 24 size reach error + 12 size² error, the 8 half units that each product is rounded by by 48
        // of size² reach; a tenth more, and a guard against underflow.
        let rounding = size * reach * (1.1 * 24.0 * f32::EPSILON);
        let moved = reach * (1.1 * 24.0 * self.error) + size * (1.1 * 12.0 * self.error);
        let bound = size * (moved + rounding) + UNDERFLOW_GUARD;
        (volumes, bound)
    }
}

/// Keeps the filter from deciding where its own arithmetic may have underflowed, m³.
const UNDERFLOW_GUARD: f32 = 1e-30;

/// A triangle in each lane: corner, coordinate.
type Triangle<S> = [[f32x8<S>; 3]; 3];

struct LaneVerdict {
    intersecting: u64,
    uncertain: u64,
}

#[inline(always)]
fn load(out: &mut Corners, lane: usize, mesh: &Mesh, triangle: u32, center: Vec3) {
    let corners = mesh.triangles()[triangle as usize];
    for corner in 0..3 {
        let at = mesh.vertices()[corners[corner] as usize] - center;
        for k in 0..3 {
            out[corner][k][lane] = at[k];
        }
    }
}

#[inline(always)]
fn vectors<S: Simd>(simd: S, corners: &Corners) -> Triangle<S> {
    let mut triangle = [[f32x8::splat(simd, 0.0); 3]; 3];
    for (vectors, corner) in triangle.iter_mut().zip(corners) {
        for (vector, lanes) in vectors.iter_mut().zip(corner) {
            *vector = f32x8::simd_from(simd, *lanes);
        }
    }
    triangle
}

/// All certainly on the same side.
#[inline(always)]
fn one_side<S: Simd>([x, y, z]: &[f32x8<S>; 3], bound: f32x8<S>) -> mask32x8<S> {
    x.min(*y).min(*z).simd_gt(bound) | x.max(*y).max(*z).simd_lt(-bound)
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
