//! Several pairs of triangles at once: a's corners, and b's carried into a's space, in `f32` vectors of one
//! coordinate each, relative to a's centre, and how much anything computed from them may be off.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};
use glam::{DVec3, Vec3};

use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::pose::Pose;

/// Pairs looked at at once.
pub(super) const BATCH: usize = 8;

/// The corners of one triangle of each lane: corner, coordinate, lane.
type Corners = [[[f32; BATCH]; 3]; 3];

/// A triangle in each lane: corner, coordinate.
pub(super) type Triangle<S> = [[f32x8<S>; 3]; 3];

/// Two surfaces at one pose.
pub(super) struct Frame<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    b_to_a: &'a Pose,
    centers: [Vec3; 2],
    /// Rows of the rotation from b to a, and where b's centre is from a's.
    pub matrix: [[f32; 3]; 3],
    translation: [f32; 3],
    /// More than a carried coordinate may be off, m; not finite if `f32` does not reach.
    pub error: f32,
}

/// Beyond this size (m) products of three lengths leave `f32`.
const LARGEST: f64 = 1e10;
/// Keeps filters from deciding where their own arithmetic may have underflowed, m³.
const UNDERFLOW_GUARD: f32 = 1e-30;

impl<'a> Frame<'a> {
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

    /// The corners of a pair in `f64`, in a's space.
    pub fn corners(&self, [a, b]: [u32; 2]) -> [[DVec3; 3]; 2] {
        let [p, q, r] = self.b.corners(b);
        let carry = |p: DVec3| self.b_to_a.transform_point(p);
        [self.a.corners(a), [carry(p), carry(q), carry(r)]]
    }

    /// The triangles of up to [`BATCH`] pairs, a's and b's.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, pairs: &[[u32; 2]]) -> [Triangle<S>; 2] {
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
        [a, b]
    }
}

/// The plane of a triangle in each lane.
#[derive(Clone, Copy)]
pub(super) struct Plane<S: Simd> {
    origin: [f32x8<S>; 3],
    /// Twice the area long.
    pub normal: [f32x8<S>; 3],
    /// Largest difference of two corners' coordinates, from the first corner, m.
    pub size: f32x8<S>,
}

impl<S: Simd> Plane<S> {
    #[inline(always)]
    pub fn new(simd: S, [p, q, r]: &Triangle<S>) -> Self {
        let zero = f32x8::splat(simd, 0.0);
        let (mut u, mut v, mut size) = ([zero; 3], [zero; 3], zero);
        for k in 0..3 {
            u[k] = q[k] - p[k];
            v[k] = r[k] - p[k];
            size = size.max(u[k].abs().max(v[k].abs()));
        }
        Self { origin: *p, normal: cross(&u, &v), size }
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
        // A determinant is six products of an offset of each kind. Coordinates off by `error` change it by at
        // most 24 size reach error + 12 size² error, the 8 half units that each product is rounded by by 48
        // of size² reach; a tenth more, and a guard against underflow.
        let size = self.size;
        let rounding = size * reach * (1.1 * 24.0 * f32::EPSILON);
        let moved = reach * (1.1 * 24.0 * error) + size * (1.1 * 12.0 * error);
        (volumes, size * (moved + rounding) + UNDERFLOW_GUARD)
    }
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
