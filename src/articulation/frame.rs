//! Where links are, as their volumes see it: `f32`, relative to an origin of `f64` that the articulation
//! carries along, so that volumes are as tight far from the world's origin as near it. Eight links at once.

use fearless_simd::f32x8;
use fearless_simd::prelude::*;
use glam::{DVec3, Mat3A, Vec3A};

use crate::arrays::from_each;
use crate::pose::Pose;

pub(super) const LANES: usize = 8;

/// A number, or a vector's three, for each of eight links.
pub(super) type Lanes = [f32; LANES];
pub(super) type Lanes3 = [Lanes; 3];

/// A link farther from the origin than this, m, counts as not there, and no link is larger; squares of such
/// sizes are finite in `f32`.
pub(super) const FARTHEST: f32 = 1e15;

/// Volumes grow by this share of their size: more than rotating, projecting and axes that are not quite
/// perpendicular after rounding lose.
pub(super) const SIZE_GUARD: f32 = 2e-6;

/// And by this share of how far they are from the origin.
pub(super) const PLACE_GUARD: f32 = 2.5e-7;

/// Whether volumes may be relative to where this pose is.
pub(super) fn can_be_origin(pose: &Pose) -> bool {
    pose.position.abs().cmple(DVec3::splat(f64::from(FARTHEST))).all()
}

/// Poses, rounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Poses {
    quaternion: [Lanes; 4],
    /// From the articulation's origin, m.
    position: Lanes3,
    /// What a link's volume is to grow by, m.
    reach: Lanes,
}

impl Poses {
    /// No link.
    pub const NONE: Self =
        Self { quaternion: [[f32::NAN; LANES]; 4], position: [[f32::NAN; LANES]; 3], reach: [0.0; LANES] };

    #[inline(always)]
    pub fn set(&mut self, lane: usize, pose: &Pose, origin: DVec3, reach: f32) {
        let (rotation, position) = (pose.rotation.to_array(), (pose.position - origin).to_array());
        for (lanes, x) in self.quaternion.iter_mut().zip(rotation) {
            lanes[lane] = x as f32;
        }
        for (lanes, x) in self.position.iter_mut().zip(position) {
            lanes[lane] = x as f32;
        }
        self.reach[lane] = reach;
    }
}

/// Rotations by column, and what else places a volume. Positions are NaN where no volume can be had.
pub(super) struct Frames<S: Simd> {
    pub rotation: [[f32x8<S>; 3]; 3],
    pub position: [f32x8<S>; 3],
    /// What a volume grows by, as a share of its size.
    pub guard: f32x8<S>,
    pub reach: f32x8<S>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub rotation: Mat3A,
    pub position: Vec3A,
    pub guard: f32,
    pub reach: f32,
}

#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, lanes: &Lanes) -> f32x8<S> {
    f32x8::simd_from(simd, *lanes)
}

#[inline(always)]
pub(super) fn load3<S: Simd>(simd: S, lanes: &Lanes3) -> [f32x8<S>; 3] {
    [load(simd, &lanes[0]), load(simd, &lanes[1]), load(simd, &lanes[2])]
}

#[inline(always)]
pub(super) fn store3<S: Simd>(vector: [f32x8<S>; 3]) -> Lanes3 {
    // Closures handed to the standard library would be compiled without the instruction set.
    [vector[0].into(), vector[1].into(), vector[2].into()]
}

#[inline(always)]
pub(super) fn sum3<S: Simd>(v: [f32x8<S>; 3]) -> f32x8<S> {
    v[0] + v[1] + v[2]
}

#[inline(always)]
pub(super) fn abs3<S: Simd>(v: [f32x8<S>; 3]) -> [f32x8<S>; 3] {
    [v[0].abs(), v[1].abs(), v[2].abs()]
}

/// One number more in each component.
#[inline(always)]
pub(super) fn grown3<S: Simd>(v: [f32x8<S>; 3], by: f32x8<S>) -> [f32x8<S>; 3] {
    [v[0] + by, v[1] + by, v[2] + by]
}

/// The columns of a matrix without their signs.
#[inline(always)]
pub(super) fn abs9<S: Simd>(m: &[[f32x8<S>; 3]; 3]) -> [[f32x8<S>; 3]; 3] {
    [abs3(m[0]), abs3(m[1]), abs3(m[2])]
}

/// The sum of columns, each by its factor.
#[inline(always)]
pub(super) fn combine<S: Simd>(columns: &[[f32x8<S>; 3]; 3], by: [f32x8<S>; 3]) -> [f32x8<S>; 3] {
    let mut sum = [columns[0][0] * by[0], columns[0][1] * by[0], columns[0][2] * by[0]];
    for axis in 1..3 {
        for k in 0..3 {
            sum[k] += columns[axis][k] * by[axis];
        }
    }
    sum
}

impl<S: Simd> Frames<S> {
    #[inline(always)]
    pub fn new(simd: S, poses: &Poses) -> Self {
        let [x, y, z, w] = &poses.quaternion;
        let (x, y, z, w) = (load(simd, x), load(simd, y), load(simd, z), load(simd, w));
        let squared = x * x + y * y + z * z + w * w;
        let mut position = load3(simd, &poses.position);
        let mut is_valid = squared.simd_ge(0.5) & squared.simd_le(2.0);
        for p in position {
            is_valid &= p.abs().simd_le(FARTHEST);
        }
        for p in &mut position {
            *p = is_valid.select(*p, f32x8::splat(simd, f32::NAN));
        }
        // As for a unit quaternion. Of another, geometry is turned and stretched.
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let one = f32x8::splat(simd, 1.0);
        let stretch = (squared - one).abs() * 4.0;
        // No number counts as no reach.
        let reach = load(simd, &poses.reach);
        let reach = reach.simd_gt(0.0).select(reach.min(FARTHEST), f32x8::splat(simd, 0.0));
        Self {
            rotation: [
                [one - (yy + zz), xy + wz, xz - wy],
                [xy - wz, one - (xx + zz), yz + wx],
                [xz + wy, yz - wx, one - (xx + yy)],
            ],
            position,
            guard: stretch + SIZE_GUARD,
            reach,
        }
    }

    #[inline(always)]
    pub fn turn(&self, v: [f32x8<S>; 3]) -> [f32x8<S>; 3] {
        combine(&self.rotation, v)
    }

    #[inline(always)]
    pub fn place(&self, v: [f32x8<S>; 3]) -> [f32x8<S>; 3] {
        let turned = self.turn(v);
        [turned[0] + self.position[0], turned[1] + self.position[1], turned[2] + self.position[2]]
    }

    /// What a volume of `size` in body space, m, that is now at `center` grows by.
    #[inline(always)]
    pub fn growth(&self, size: f32x8<S>, center: [f32x8<S>; 3]) -> f32x8<S> {
        let size = size + self.reach;
        self.reach + self.guard * size + sum3(abs3(center)) * PLACE_GUARD
    }

    /// Each by itself.
    #[inline(always)]
    pub fn each(&self) -> [Frame; LANES] {
        let rotation = [store3(self.rotation[0]), store3(self.rotation[1]), store3(self.rotation[2])];
        let position = store3(self.position);
        let (guard, reach) = (Lanes::from(self.guard), Lanes::from(self.reach));
        from_each(|lane| Frame {
            rotation: Mat3A::from_cols(
                vector(&rotation[0], lane),
                vector(&rotation[1], lane),
                vector(&rotation[2], lane),
            ),
            position: vector(&position, lane),
            guard: guard[lane],
            reach: reach[lane],
        })
    }
}

/// One of eight vectors.
#[inline(always)]
pub(super) fn vector(lanes: &Lanes3, lane: usize) -> Vec3A {
    Vec3A::new(lanes[0][lane % LANES], lanes[1][lane % LANES], lanes[2][lane % LANES])
}

/// From the origin of one articulation to that of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub shift: Vec3A,
    /// More than `shift` rounds, m.
    pub growth: f32,
}

impl Way {
    pub const NONE: Self = Self { shift: Vec3A::ZERO, growth: 0.0 };

    pub fn new(from: DVec3, to: DVec3) -> Self {
        let shift = (to - from).as_vec3a();
        // The difference is rounded on the scale of the origins, too.
        let far = from.abs().max_element().max(to.abs().max_element()) as f32;
        Self { shift, growth: PLACE_GUARD * sum(shift.abs()) + 1e-15 * far }
    }
}

pub(super) fn sum(v: Vec3A) -> f32 {
    v.x + v.y + v.z
}
