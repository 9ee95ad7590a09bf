//! Several pairs of triangles at once: a's corners, and b's carried into a's space, in `f32` vectors of one
//! coordinate each, relative to a's centre, and how much they may be off.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, mask32x8};
use glam::{DMat3, DVec3, Vec3};

use crate::arrays::{MapEach, from_each};
use crate::mesh::{Cones, Mesh, PackedCone, PackedTriangles, Record, TWO_SIDED};
use crate::pose::Pose;

/// Pairs looked at at once.
pub(super) const BATCH: usize = 8;

/// A triangle in each lane: corner, coordinate.
pub(super) type Triangle<S> = [[f32x8<S>; 3]; 3];

/// Two surfaces at one pose.
pub(super) struct Frame<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    b_to_a: &'a Pose,
    /// Where they are asked for.
    cones: [&'a [PackedCone]; 2],
    /// The largest coordinates of the centres and of the pose, together, m.
    far: f64,
    centers: [Vec3; 2],
    /// From b to a, about their centres.
    rotation: DMat3,
    translation: DVec3,
    /// The rows of the rotation.
    matrix: [[f32; 3]; 3],
    /// More than a carried coordinate may be off, m; not finite if `f32` does not reach.
    pub error: f32,
}

/// Beyond this size (m) sums of products of four lengths leave `f32`.
const LARGEST: f64 = 3e8;

impl<'a> Frame<'a> {
    pub fn new(a: &'a Mesh, b: &'a Mesh, b_to_a: &'a Pose) -> Self {
        let centers = [a, b].map_each(|m| m.bounds().center());
        let translation = b_to_a.transform_point(centers[1].as_dvec3()) - centers[0].as_dvec3();
        // How far a corner may be from its surface's centre.
        let [reach_a, reach_b] = [a, b].map_each(|m| 0.5 * f64::from(m.bounds().diagonal()));
        let apart = translation.abs().max_element();
        // Half units in the last place. Gathered, a's are rounded once and b's, which are sums of products
        // that are at most `reach_b`, once each for offset, factor, product and two sums, for the translation
        // and the last sum. In a record the first corner is carried in `f64` and rounded once; the others are
        // sums of that and of a side, rounded too, up to twice as long. What is carried may be far from the
        // origin.
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

    /// Asks for the cones of triangles, if they hold at this pose: all directions if not.
    pub fn ask_for_cones(&mut self) {
        let [a, b] = [self.a, self.b].map_each(Mesh::cones);
        let size =
            self.far + [self.a, self.b].map_each(|m| f64::from(m.bounds().diagonal())).iter().sum::<f64>();
        if Cones::hold_at(a.finest.min(b.finest), size) {
            self.cones = [&a.of_triangles, &b.of_triangles];
        }
    }

    /// The corners of a pair in `f64`, in a's space.
    pub fn corners(&self, [a, b]: [u32; 2]) -> [[DVec3; 3]; 2] {
        let [p, q, r] = self.b.corners(b);
        let carry = |p: DVec3| self.b_to_a.transform_point(p);
        [self.a.corners(a), [carry(p), carry(q), carry(r)]]
    }

    /// The corners of up to [`BATCH`] pairs as they come, a's and b's: where most triangles come only once or
    /// twice a record is not worth its making.
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

    /// The triangles of up to [`BATCH`] pairs, at least one, a's and b's; the last again in lanes beyond.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, packed: &mut PackedTriangles, pairs: &[[u32; 2]]) -> [Packed<S>; 2] {
        // Copied whole: what is stored in parts cannot be loaded at once before it has arrived.
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

/// Writes a triangle's corners, offset from its surface's centre, to a lane: corner, coordinate, lane.
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

/// A triangle's record, carried to where it is compared.
fn record(
    (mesh, cones): (&Mesh, &[PackedCone]),
    triangle: u32,
    carry: impl Fn(DVec3) -> DVec3,
    turn: impl Fn(DVec3) -> DVec3,
) -> Record {
    let carrying = mesh.topology().carrying(triangle);
    // The corners turned so that edges that carry something come first.
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

/// The records of the triangles in the lanes, one of their numbers a vector.
pub(super) struct Packed<S: Simd> {
    pub corners: Triangle<S>,
    /// From the first corner to the others, in `f64` before they were rounded.
    pub sides: [[f32x8<S>; 3]; 2],
    /// The bits of what each carries, as a number: of three, the edges that carry something come first.
    pub carrying: f32x8<S>,
    pub axis: [f32x8<S>; 3],
    pub sine: f32x8<S>,
    pub cosine: f32x8<S>,
    /// One where the cone is double, else zero.
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

    /// Where a direction is certainly none of the cone's, given its product with the axis and its length,
    /// which may be off by a little each.
    #[inline(always)]
    pub fn excludes(&self, along: f32x8<S>, length: f32x8<S>, off: f32x8<S>) -> mask32x8<S> {
        let along = along + self.double * (along.abs() - along);
        // The axis is rounded, and the length is too large by as much as a coordinate may be off.
        (along + length * 1e-5 + off * 4.0).simd_lt(self.cosine * length)
    }
}

/// The four numbers of one part of each record, a vector each.
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
