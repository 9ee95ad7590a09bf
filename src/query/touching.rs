//! Which candidate pairs of triangles may touch: may intersect, or have features that face each other
//! within reach. What contacts are made of is judged in `f64` afterwards; a pair that this drops has nothing
//! to give.
//!
//! Two sieves in `f32` vectors, each on eight pairs at once, with bounds on all that is rounded. The first
//! drops triangles whose boxes or planes are farther apart than the margin, and those that neither intersect
//! nor face each other, by their cones. What is left is gathered into full batches for the second, which
//! drops pairs of which no vertex lies over the other's face, no two edges cross and no side is pierced, each
//! by the rule that contacts have for it.

use arrayvec::ArrayVec;
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x8, mask32x8};

use super::filter::verdict;
use super::lanes::{BATCH, Frame, Plane, Triangle, beyond, cross, dot, minus, one_side};
use crate::arrays::MapEach;
use crate::mesh::{Mesh, PackedCone, TWO_SIDED};
use crate::pose::Pose;
use crate::tree::{Facing, Near};
use crate::volume::round_up;

/// By how much the cosine between two axes may be off.
const ROUNDING: f32 = 1e-5;
/// Sine of the widest cone all of whose directions are within 75° of each other: what is ahead along one is
/// ahead along all.
const NARROW: f32 = 0.6;
/// Squared sine below which contacts take two edges as parallel, less what `f32` rounds.
const PARALLEL: f32 = 0.0024;

/// Sieves the candidates of two surfaces at one pose.
pub struct TouchFilter<'a> {
    meshes: [&'a Mesh; 2],
    cones: [&'a [PackedCone]; 2],
    frame: Frame<'a>,
    reach: Option<Reach>,
    margin: f32,
}

/// [`Facing`] in `f32`, rounded up.
struct Reach {
    ahead: f32,
    insides: [f32; 2],
    inside_edges: f32,
    wedge: f32,
    crack: f32,
    of_length: f32,
}

impl Reach {
    fn new(facing: &Facing) -> Self {
        Self {
            ahead: round_up(facing.ahead),
            insides: facing.insides.map_each(round_up),
            inside_edges: round_up(facing.inside_edges),
            wedge: round_up(facing.wedge),
            crack: round_up(facing.crack),
            of_length: round_up(facing.of_length),
        }
    }
}

impl<'a> TouchFilter<'a> {
    /// For what is `near`; whatever is near may touch if that says nothing of facing.
    pub fn new(meshes: [&'a Mesh; 2], b_to_a: &'a Pose, near: Near) -> Self {
        Self {
            meshes,
            cones: meshes.map_each(Mesh::cones),
            frame: Frame::new(meshes[0], meshes[1], b_to_a),
            reach: near.facing.as_ref().map(Reach::new),
            margin: round_up(near.margin),
        }
    }

    /// Appends to `out` those of the pairs that may touch, in their order.
    pub fn keep(&self, pairs: &[[u32; 2]], out: &mut Vec<[u32; 2]>) {
        match &self.reach {
            Some(reach) => dispatch!(Level::new(), simd => self.sieve(simd, reach, pairs, out)),
            None => out.extend_from_slice(pairs),
        }
    }

    #[inline(always)]
    fn sieve<S: Simd>(&self, simd: S, reach: &Reach, pairs: &[[u32; 2]], out: &mut Vec<[u32; 2]>) {
        let mut held = ArrayVec::<[u32; 2], { 2 * BATCH }>::new();
        let mut batches = pairs.chunks(BATCH);
        loop {
            let batch = batches.next();
            if let Some(batch) = batch {
                for lane in bits(self.near(simd, reach, batch)) {
                    held.push(batch[lane]);
                }
            } else if held.is_empty() {
                return;
            }
            if held.len() >= BATCH || batch.is_none() {
                let taken = held.len().min(BATCH);
                for lane in bits(self.meeting(simd, reach, &held[..taken])) {
                    out.push(held[lane]);
                }
                held.drain(..taken);
            }
        }
    }

    /// The first sieve: pairs that may intersect, or face each other within the margin; a bit each.
    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, reach: &Reach, pairs: &[[u32; 2]]) -> u64 {
        let [a, b] = self.frame.load(simd, pairs);
        let error = self.frame.error;
        let mut gap = f32x8::splat(simd, f32::NEG_INFINITY);
        for k in 0..3 {
            let (low_a, high_a) = ends(&a, k);
            let (low_b, high_b) = ends(&b, k);
            gap = gap.max((low_b - high_a).max(low_a - high_b));
        }
        // Each of two coordinates is off by the error, and a difference is rounded by less.
        let rounding = 3.0 * error;
        let apart = gap.simd_gt(rounding);
        let far = gap.simd_gt(self.margin + rounding);
        let (plane_a, plane_b) = (Plane::new(simd, &a), Plane::new(simd, &b));
        let (from_b, bound_b) = plane_b.volumes(simd, &a, error);
        let (from_a, bound_a) = plane_a.volumes(simd, &b, error);
        let apart = apart | one_side(&from_b, bound_b) | one_side(&from_a, bound_a);
        let present = (1 << pairs.len()) - 1;
        let crossing = !apart.to_bitmask() & present;
        if far.to_bitmask() & present == present {
            return crossing;
        }
        let cones = [self.cones(simd, 0, pairs), self.cones(simd, 1, pairs)];
        let margin = f32x8::splat(simd, self.margin);
        let passed = (plane_a.size + plane_b.size) * (2.0 * 1.8 * reach.of_length) + reach.crack;
        let ahead = (passed + reach.ahead).min(margin);
        let far = far
            | self.beyond(simd, (&plane_a, &cones[0]), (&from_a, bound_a), ahead)
            | self.beyond(simd, (&plane_b, &cones[1]), (&from_b, bound_b), ahead);
        let [a, b] = &cones;
        let mut turned = f32x8::splat(simd, 0.0);
        for k in 0..3 {
            let [x, y, z] = self.frame.matrix[k];
            turned += a.axis[k] * (b.axis[0] * x + b.axis[1] * y + b.axis[2] * z);
        }
        let opposed = -turned + a.double.max(b.double) * (turned.abs() + turned);
        let least = a.cosine * b.cosine - a.sine * b.sine - ROUNDING;
        let astray = opposed.simd_lt(least);
        crossing | !(far | astray).to_bitmask() & present
    }

    /// Where the other triangle is farther than `ahead` above a plane, or than the margin below it.
    #[inline(always)]
    fn beyond<S: Simd>(
        &self,
        simd: S,
        (plane, cone): (&Plane<S>, &Cones<S>),
        (volumes, bound): (&[f32x8<S>; 3], f32x8<S>),
        ahead: f32x8<S>,
    ) -> mask32x8<S> {
        // Ahead of a narrow cone nothing is that is inside.
        let is_narrow = cone.sine.simd_lt(NARROW) & cone.double.simd_lt(0.5);
        let above = is_narrow.select(ahead, f32x8::splat(simd, self.margin));
        let length = self.length(simd, plane);
        beyond(volumes, above * length + bound, length * self.margin + bound)
    }

    /// More than the length of the plane's normal, m².
    #[inline(always)]
    fn length<S: Simd>(&self, simd: S, plane: &Plane<S>) -> f32x8<S> {
        // A coordinate is two products of two sides.
        let off = plane.size * (plane.size * (8.0 * f32::EPSILON) + 15.0 * self.frame.error);
        dot(&plane.normal, &plane.normal).max(f32x8::splat(simd, 0.0)).sqrt() * (1.0 + 4.0 * f32::EPSILON)
            + off
    }

    #[inline(always)]
    fn cones<S: Simd>(&self, simd: S, side: usize, pairs: &[[u32; 2]]) -> Cones<S> {
        let mut parts = [[0.0; BATCH]; 5];
        for (lane, pair) in pairs.iter().enumerate() {
            let cone = self.cones[side].get(pair[side] as usize).copied().unwrap_or(PackedCone::ALL);
            for (lanes, part) in parts.iter_mut().zip(cone.parts()) {
                lanes[lane] = part;
            }
        }
        let mut vectors = [f32x8::splat(simd, 0.0); 5];
        for (vector, lanes) in vectors.iter_mut().zip(parts) {
            *vector = f32x8::simd_from(simd, lanes);
        }
        let [x, y, z, sine, double] = vectors;
        let one = f32x8::splat(simd, 1.0);
        let scale = one / dot(&[x, y, z], &[x, y, z]).max(one).sqrt();
        let sine = sine * PackedCone::STEP;
        let cosine = (one - sine * sine).max(f32x8::splat(simd, 0.0)).sqrt();
        Cones { axis: [x * scale, y * scale, z * scale], sine, cosine, double }
    }

    /// The second sieve: pairs that may intersect, or of which features may meet; a bit each.
    #[inline(always)]
    fn meeting<S: Simd>(&self, simd: S, reach: &Reach, pairs: &[[u32; 2]]) -> u64 {
        let [a, b] = self.frame.load(simd, pairs);
        let present = (1 << pairs.len()) - 1;
        let (carrying_a, carrying_b) = (self.carrying(0, pairs), self.carrying(1, pairs));
        let verdict = verdict(simd, [&a, &b], self.frame.error);
        let mut kept = (verdict.intersecting | verdict.uncertain) & present;
        let (in_b, in_a) = (reach.insides[0], reach.insides[1]);
        kept |= self.over(simd, (&a, &carrying_a), (&b, &carrying_b), (reach, in_b));
        kept |= self.over(simd, (&b, &carrying_b), (&a, &carrying_a), (reach, in_a));
        let size = Plane::new(simd, &a).size.max(Plane::new(simd, &b).size);
        for i in 0..3 {
            for j in 0..3 {
                let asked = carrying_a[3 + i] & carrying_b[3 + j] & !kept;
                if asked != 0 {
                    let edges = [[&a[i], &a[(i + 1) % 3]], [&b[j], &b[(j + 1) % 3]]];
                    kept |= asked & !self.pass(simd, edges, size, reach).to_bitmask();
                }
            }
        }
        kept & present
    }

    /// What the triangles of one side carry: for each bit of that the lanes that have it.
    fn carrying(&self, side: usize, pairs: &[[u32; 2]]) -> [u64; 7] {
        let mut bits = [0; 7];
        for (lane, pair) in pairs.iter().enumerate() {
            let carrying = self.meshes[side].topology().carrying(pair[side]);
            for (k, lanes) in bits.iter_mut().enumerate() {
                *lanes |= u64::from(carrying >> k & 1) << lane;
            }
        }
        bits
    }

    /// Where a vertex of the first triangle that can carry a contact may lie over the second's face, at most
    /// `inside` (m) deep; a bit each.
    #[inline(always)]
    fn over<S: Simd>(
        &self,
        simd: S,
        (points, carrying): (&Triangle<S>, &[u64; 7]),
        (face, of_face): (&Triangle<S>, &[u64; 7]),
        (reach, inside): (&Reach, f32),
    ) -> u64 {
        let carrying = [carrying[0], carrying[1], carrying[2]];
        if carrying == [0; 3] {
            return 0;
        }
        let error = self.frame.error;
        let plane = Plane::new(simd, face);
        let (volumes, bound) = plane.volumes(simd, points, error);
        let length = self.length(simd, &plane);
        let size = plane.size;
        let (mut farthest, mut off) = ([f32x8::splat(simd, f32::INFINITY); 3], f32x8::splat(simd, 0.0));
        for k in 0..3 {
            let (from, to) = (&face[k], &face[(k + 1) % 3]);
            let along = minus(to, from);
            let inward = cross(&plane.normal, &along);
            let beside = length * (dot(&along, &along).sqrt() + 4.0 * error) * reach.crack;
            for i in 0..3 {
                let offset = minus(&points[i], from);
                off = off.max(offset[0].abs().max(offset[1].abs()).max(offset[2].abs()));
                farthest[i] = farthest[i].min(dot(&inward, &offset) + beside);
            }
        }
        // Three products of three sides and an offset: 72 size² offset error + 24 size³ error, 84 half
        // units of size³ offset; a tenth more.
        let rounding =
            size * size * (off * (80.0 * error) + size * (27.0 * error) + size * off * (93.0 * f32::EPSILON));
        let (up, down) = (length * reach.ahead + bound, length * inside + bound);
        let either = up.max(down);
        let both = of_face[TWO_SIDED.trailing_zeros() as usize];
        let mut kept = 0;
        for k in 0..3 {
            let beyond = volumes[k].simd_gt(up) | volumes[k].simd_lt(-down);
            let beyond_both = volumes[k].abs().simd_gt(either);
            let beside = farthest[k].simd_lt(-rounding).to_bitmask();
            let beyond = beyond.to_bitmask() & !both | beyond_both.to_bitmask() & both;
            kept |= carrying[k] & !beyond & !beside;
        }
        kept
    }

    /// Where two edges do not come near each other between their ends.
    #[inline(always)]
    fn pass<S: Simd>(
        &self,
        simd: S,
        [[from_a, to_a], [from_b, to_b]]: [[&[f32x8<S>; 3]; 2]; 2],
        size: f32x8<S>,
        reach: &Reach,
    ) -> mask32x8<S> {
        let error = self.frame.error;
        let (u, v, gap) = (minus(to_a, from_a), minus(to_b, from_b), minus(from_b, from_a));
        let across = cross(&u, &v);
        let (uu, vv, square) = (dot(&u, &u), dot(&v, &v), dot(&across, &across));
        let far = gap[0].abs().max(gap[1].abs()).max(gap[2].abs()).max(size);
        // Products of four lengths, three of them sides; of three; of two. As counted for faces, with room.
        let of_four = size * size * far * (size * (260.0 * f32::EPSILON) + 240.0 * error);
        let of_three = size * far * (size * (60.0 * f32::EPSILON) + 50.0 * error);
        let of_two = size * (size * (8.0 * f32::EPSILON) + 15.0 * error);
        let parallel = (square + of_four).simd_lt(uu * vv * PARALLEL);
        let length = square.sqrt() + of_two;
        let height = dot(&gap, &across).abs();
        let deep = reach.ahead.max(reach.inside_edges);
        let apart = height.simd_gt(length * deep + of_three);
        let square = square + of_four;
        let wedge = ((height + of_three) * length).min(square * reach.inside_edges) * reach.wedge;
        let mut missed = parallel | apart;
        let at = [dot(&cross(&gap, &v), &across), dot(&cross(&gap, &u), &across)];
        let lengths = [uu.sqrt(), vv.sqrt()];
        for k in 0..2 {
            let shortest = (lengths[k] - 4.0 * error).max(f32x8::splat(simd, f32::MIN_POSITIVE));
            let passed = square * reach.of_length + wedge / shortest + of_four;
            missed = missed | at[k].simd_lt(-passed) | at[k].simd_gt(square + passed);
        }
        missed
    }
}

/// The cones of one triangle of each lane, in its own space.
struct Cones<S: Simd> {
    axis: [f32x8<S>; 3],
    sine: f32x8<S>,
    cosine: f32x8<S>,
    /// One where the cone is double, else zero.
    double: f32x8<S>,
}

/// The least and the greatest coordinate of each triangle on an axis.
#[inline(always)]
fn ends<S: Simd>(t: &Triangle<S>, k: usize) -> (f32x8<S>, f32x8<S>) {
    (t[0][k].min(t[1][k]).min(t[2][k]), t[0][k].max(t[1][k]).max(t[2][k]))
}

/// The bits that are set, lowest first.
#[inline(always)]
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lane
    })
}
