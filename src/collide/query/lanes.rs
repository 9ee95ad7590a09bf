//! Several pairs of triangles in SIMD lanes. The corners of both triangles are in a's space, relative
//! to a's center, with one `f32` vector per coordinate. Also the error bound of these coordinates.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, mask32x8};
use glam::{DMat3, DVec3, Vec3};

use crate::arrays::{MapEach, from_each};
use crate::mesh::{Cones, Mesh, PackedCone, PackedTriangles, Record, TWO_SIDED};
use crate::pose::Pose;

/// Number of pairs that are processed at once.
pub(super) const BATCH: usize = 8;

/// A triangle per lane, indexed by corner and coordinate.
pub(super) type Triangle<S> = [[f32x8<S>; 3]; 3];

/// Two surfaces at one pose, with the transformation and its error bound.
pub(super) struct Frame<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    b_to_a: &'a Pose,
    /// Normal cones of the triangles of a and b; empty unless enabled.
    cones: [&'a [PackedCone]; 2],
    /// Sum of the largest coordinates of both centers and of the pose, m.
    far: f64,
    centers: [Vec3; 2],
    /// Rotation from b's space to a's.
    rotation: DMat3,
    /// Vector from a's center to b's, in a's space, m.
    translation: DVec3,
    /// Rows of the rotation.
    matrix: [[f32; 3]; 3],
    /// Upper bound of the error of a transformed coordinate, m; infinite if coordinates exceed the
    /// range in which `f32` suffices.
    pub error: f32,
}

/// Size (m) from which sums of products of four lengths overflow `f32`.
const LARGEST: f64 = 3e8;

impl<'a> Frame<'a> {
    pub fn new(a: &'a Mesh, b: &'a Mesh, b_to_a: &'a Pose) -> Self {
        let centers = [a, b].map_each(|m| m.bounds().center());
        let translation = b_to_a.transform_point(centers[1].as_dvec3()) - centers[0].as_dvec3();
        // Largest distance of a corner from its surface's center.
        let [reach_a, reach_b] = [a, b].map_each(|m| 0.5 * f64::from(m.bounds().diagonal()));
        let apart = translation.abs().max_element();
        // Rounding in half units in the last place. `gather` rounds each coordinate of a once. Those of
        // b are sums of products of at most `reach_b`: it rounds them once each for the offset, the
        // factor, the product and two sums, and again for the translation and the last sum. In a
        // record, the first corner is transformed in `f64` and rounded once; the other corners are sums
        // of this corner and a rounded side, up to twice as long. The transformed coordinates may be
        // far from the origin.
        let rounded = (4.0 * reach_a).max(6.0 * reach_b + 4.0 * apart);
        let far = centers.map_each(|c| f64::from(c.abs().max_element()));
        let far = far[0] + far[1] + b_to_a.position.abs().max_element();
        let error = 1.01 * 0.5 * f64::from(f32::EPSILON) * rounded + 16.0 * f64::EPSILON * far;
        let reach = reach_a + reach_b + apart;
        let rotation = b_to_a.rotation_matrix();
        let rows = rotation.transpose();
        Self {
            a,
            b,
            b_to_a,
            cones: [&[]; 2],
            far,
            centers,
            rotation,
            translation,
            matrix: [rows.x_axis, rows.y_axis, rows.z_axis].map_each(|row| row.as_vec3().into()),
            error: if reach < LARGEST { error as f32 } else { f32::INFINITY },
        }
    }

    /// Enables the normal cones of the triangles if they are valid at this pose. Otherwise every cone
    /// contains all directions.
    pub fn ask_for_cones(&mut self) {
        let [a, b] = [self.a, self.b].map_each(Mesh::cones);
        let size =
            self.far + [self.a, self.b].map_each(|m| f64::from(m.bounds().diagonal())).iter().sum::<f64>();
        if Cones::hold_at(a.finest.min(b.finest), size) {
            self.cones = [&a.of_triangles, &b.of_triangles];
        }
    }

    /// Returns the corners of a pair in `f64`, in a's space.
    pub fn corners(&self, [a, b]: [u32; 2]) -> [[DVec3; 3]; 2] {
        let [p, q, r] = self.b.corners(b);
        let carry = |p: DVec3| self.b_to_a.transform_point(p);
        [self.a.corners(a), [carry(p), carry(q), carry(r)]]
    }

    /// Gathers the corners of up to [`BATCH`] pairs of triangles directly from the meshes. Used where
    /// most triangles occur only once or twice, so that building a record does not pay.
    #[inline(always)]
    pub fn gather<S: Simd>(&self, simd: S, pairs: &[[u32; 2]]) -> [Triangle<S>; 2] {
        let zero = f32x8::splat(simd, 0.0);
        let (mut a, mut own) = ([[[0.0; BATCH]; 3]; 3], [[[0.0; BATCH]; 3]; 3]);
        for (lane, pair) in pairs.iter().enumerate() {
            scatter(&mut a, lane, self.a, pair[0], self.centers[0]);
            scatter(&mut own, lane, self.b, pair[1], self.centers[1]);
        }
        let (a, own) = (vectors(simd, &a), vectors(simd, &own));
        let mut b = [[zero; 3]; 3];
        for (b, own) in b.iter_mut().zip(&own) {
            for (k, coordinate) in b.iter_mut().enumerate() {
                let [x, y, z] = self.matrix[k];
                *coordinate = (own[0] * x + own[1] * y + own[2] * z) + self.translation[k] as f32;
            }
        }
        [a, b]
    }

    /// Loads the records of the triangles of 1 to [`BATCH`] pairs. Unused lanes repeat the last pair.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, packed: &mut PackedTriangles, pairs: &[[u32; 2]]) -> [Packed<S>; 2] {
        // Copied as a whole, because a vector load stalls on data that was just stored in parts.
        let (mut a, mut b) = ([[[0.0; 4]; 4]; BATCH], [[[0.0; 4]; 4]; BATCH]);
        for lane in 0..BATCH {
            let pair = pairs[lane.min(pairs.len() - 1)];
            a[lane] = *packed.get(0, pair[0], || self.record_a(pair[0]));
            b[lane] = *packed.get(1, pair[1], || self.record_b(pair[1]));
        }
        [Packed::new(simd, &a), Packed::new(simd, &b)]
    }

    fn record_a(&self, triangle: u32) -> Record {
        let center = self.centers[0].as_dvec3();
        record((self.a, self.cones[0]), triangle, |point| point - center, |direction| direction)
    }

    fn record_b(&self, triangle: u32) -> Record {
        let center = self.centers[1].as_dvec3();
        let carry = |point: DVec3| self.rotation * (point - center) + self.translation;
        record((self.b, self.cones[1]), triangle, carry, |direction| self.rotation * direction)
    }
}

/// Writes a triangle's corners, relative to `center`, to a lane of `out`. The indices of `out` are
/// corner, coordinate and lane.
#[inline(always)]
fn scatter(out: &mut [[[f32; BATCH]; 3]; 3], lane: usize, mesh: &Mesh, triangle: u32, center: Vec3) {
    let corners = mesh.triangles()[triangle as usize];
    for (out, corner) in out.iter_mut().zip(corners) {
        let at = mesh.vertices()[corner as usize] - center;
        for k in 0..3 {
            out[k][lane] = at[k];
        }
    }
}

#[inline(always)]
fn vectors<S: Simd>(simd: S, corners: &[[[f32; BATCH]; 3]; 3]) -> Triangle<S> {
    let mut triangle = [[f32x8::splat(simd, 0.0); 3]; 3];
    for (vectors, corner) in triangle.iter_mut().zip(corners) {
        for (vector, lanes) in vectors.iter_mut().zip(corner) {
            *vector = f32x8::simd_from(simd, *lanes);
        }
    }
    triangle
}

/// Builds a triangle's record. `carry` transforms points and `turn` directions into the common space.
fn record(
    (mesh, cones): (&Mesh, &[PackedCone]),
    triangle: u32,
    carry: impl Fn(DVec3) -> DVec3,
    turn: impl Fn(DVec3) -> DVec3,
) -> Record {
    let carrying = mesh.topology().carrying(triangle);
    // The corners are rotated so that edges that can carry a contact (support one) come first.
    let first = match carrying >> 3 & 7 {
        0b010 | 0b110 => 1,
        0b100 | 0b101 => 2,
        _ => 0,
    };
    let turned = |bits: u8| (bits >> first | bits << (3 - first)) & 7;
    let carrying = carrying & TWO_SIDED | turned(carrying >> 3 & 7) << 3 | turned(carrying & 7);
    let corners = mesh.triangles()[triangle as usize];
    let [p, q, r] = from_each(|k| mesh.vertices()[corners[(k + first) % 3] as usize].as_dvec3());
    let cone = cones.get(triangle as usize).copied().unwrap_or(PackedCone::ALL);
    let [x, y, z, sine, double] = cone.parts();
    let axis = turn(Vec3::new(x, y, z).normalize_or_zero().as_dvec3());
    let sine = sine * PackedCone::STEP;
    let cosine = (1.0 - sine * sine).max(0.0).sqrt();
    let parts = [carry(p), turn(q - p), turn(r - p), axis].map_each(|part| part.as_vec3());
    let [p, u, v, axis] = parts;
    [p.extend(f32::from(carrying)), u.extend(cosine), v.extend(double), axis.extend(sine)]
        .map_each(Into::into)
}

/// Records of the triangles in the lanes, one SIMD vector per component.
pub(super) struct Packed<S: Simd> {
    pub corners: Triangle<S>,
    /// Vectors from the first corner to the other corners, computed in `f64` and then rounded.
    pub sides: [[f32x8<S>; 3]; 2],
    /// Bit set of the features that can carry a contact, as a number. The edges that can carry one come
    /// before the other edges.
    pub carrying: f32x8<S>,
    /// Axis of the normal cone.
    pub axis: [f32x8<S>; 3],
    /// Sine of the cone's half angle.
    pub sine: f32x8<S>,
    /// Cosine of the cone's half angle.
    pub cosine: f32x8<S>,
    /// 1 for a double cone, else 0.
    pub double: f32x8<S>,
}

impl<S: Simd> Packed<S> {
    #[inline(always)]
    fn new(simd: S, records: &[Record; BATCH]) -> Self {
        let [px, py, pz, carrying] = transposed(simd, records, 0);
        let [ux, uy, uz, cosine] = transposed(simd, records, 1);
        let [vx, vy, vz, double] = transposed(simd, records, 2);
        let [x, y, z, sine] = transposed(simd, records, 3);
        let corners = [[px, py, pz], [px + ux, py + uy, pz + uz], [px + vx, py + vy, pz + vz]];
        Self { corners, sides: [[ux, uy, uz], [vx, vy, vz]], carrying, axis: [x, y, z], sine, cosine, double }
    }

    /// Returns the lanes in which a direction is certainly outside the normal cone. `along`: its dot
    /// product with the cone's axis. `length`: its length. `off`: bound of the errors of both.
    #[inline(always)]
    pub fn excludes(&self, along: f32x8<S>, length: f32x8<S>, off: f32x8<S>) -> mask32x8<S> {
        let along = along + self.double * (along.abs() - along);
        // The axis is rounded, and the length may exceed the true one by the error of a coordinate.
        (along + length * 1e-5 + off * 4.0).simd_lt(self.cosine * length)
    }
}

/// Returns the four components of one part of each record, one SIMD vector per component.
#[inline(always)]
fn transposed<S: Simd>(simd: S, records: &[Record; BATCH], part: usize) -> [f32x8<S>; 4] {
    let mut parts = [f32x4::splat(simd, 0.0); BATCH];
    for (part_of, record) in parts.iter_mut().zip(records) {
        *part_of = f32x4::simd_from(simd, record[part]);
    }
    let [p, q, r, s, t, u, v, w] = parts;
    let ([a, b, c, d], [e, f, g, h]) = (four([p, q, r, s]), four([t, u, v, w]));
    [a.combine(e), b.combine(f), c.combine(g), d.combine(h)]
}

#[inline(always)]
fn four<S: Simd>([p, q, r, s]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (pr_low, pr_high) = (p.zip_low(r), p.zip_high(r));
    let (qs_low, qs_high) = (q.zip_low(s), q.zip_high(s));
    [pr_low.zip_low(qs_low), pr_low.zip_high(qs_low), pr_high.zip_low(qs_high), pr_high.zip_high(qs_high)]
}
