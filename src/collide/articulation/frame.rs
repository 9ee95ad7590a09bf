//! Poses of links in `f32`, eight links at once. They are relative to an origin in `f64` near the
//! articulation, so that volumes far from the world's origin are as tight as near it.

use fearless_simd::f32x8;
use fearless_simd::prelude::*;
use glam::{DVec3, Mat3A, Vec3A};

use crate::arrays::from_each;
use crate::pose::Pose;

pub(super) const LANES: usize = 8;

/// One number for each of eight links.
pub(super) type Lanes = [f32; LANES];
/// One vector for each of eight links, stored component by component.
pub(super) type Lanes3 = [Lanes; 3];

/// Largest distance of a link from the articulation's origin, and largest size of a link, m. A link
/// farther away counts as absent; a larger size is limited. Squares of such lengths are finite in
/// `f32`.
pub(super) const FARTHEST: f32 = 1e15;

/// Enlargement of volumes as a share of their size. It exceeds the rounding errors of rotation, of
/// projection and of axes that are not exactly perpendicular.
pub(super) const SIZE_GUARD: f32 = 2e-6;

/// Further enlargement of volumes, as a share of their distance from the origin.
pub(super) const PLACE_GUARD: f32 = 2.5e-7;

/// Returns whether the pose's position can serve as the origin of an articulation's volumes: it is
/// finite and not too far away.
pub(super) fn can_be_origin(pose: &Pose) -> bool {
    pose.position.abs().cmple(DVec3::splat(f64::from(FARTHEST))).all()
}

/// Poses of eight links, rounded to `f32`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Poses {
    quaternion: [Lanes; 4],
    /// Positions relative to the articulation's origin, m.
    position: Lanes3,
    /// Enlargement of each link's volume, m.
    reach: Lanes,
}

impl Poses {
    /// Absent links.
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

/// Rotation matrices by column, positions, and enlargements of eight links. The position of a link
/// without a valid pose is NaN.
pub(super) struct Frames<S: Simd> {
    pub rotation: [[f32x8<S>; 3]; 3],
    pub position: [f32x8<S>; 3],
    /// Enlargement of a volume as a share of its size.
    pub guard: f32x8<S>,
    pub reach: f32x8<S>,
}

/// Pose and enlargement of one link; see [`Frames`].
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
    // Closures passed to functions of the standard library would be compiled without the vector
    // instruction set.
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

/// Adds one number to all three components.
#[inline(always)]
pub(super) fn grown3<S: Simd>(v: [f32x8<S>; 3], by: f32x8<S>) -> [f32x8<S>; 3] {
    [v[0] + by, v[1] + by, v[2] + by]
}

/// Returns the matrix of the absolute values of all elements.
#[inline(always)]
pub(super) fn abs9<S: Simd>(m: &[[f32x8<S>; 3]; 3]) -> [[f32x8<S>; 3]; 3] {
    [abs3(m[0]), abs3(m[1]), abs3(m[2])]
}

/// Returns the sum of the columns, each multiplied by its factor in `by`: a matrix times a vector.
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
        // This formula holds for a unit quaternion. Any other one also stretches the geometry;
        // `stretch` bounds that.
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let one = f32x8::splat(simd, 1.0);
        let stretch = (squared - one).abs() * 4.0;
        // NaN counts as zero reach.
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

    /// Returns the enlargement, m, of a volume that has the size `size` in body space and is now at
    /// `center`.
    #[inline(always)]
    pub fn growth(&self, size: f32x8<S>, center: [f32x8<S>; 3]) -> f32x8<S> {
        let size = size + self.reach;
        self.reach + self.guard * size + sum3(abs3(center)) * PLACE_GUARD
    }

    /// Returns the frame of each link.
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

/// Returns the vector of one lane.
#[inline(always)]
pub(super) fn vector(lanes: &Lanes3, lane: usize) -> Vec3A {
    Vec3A::new(lanes[0][lane % LANES], lanes[1][lane % LANES], lanes[2][lane % LANES])
}

/// Vector from the origin of one articulation to the origin of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub shift: Vec3A,
    /// Upper bound of the rounding error of `shift`, m.
    pub growth: f32,
}

impl Way {
    pub const NONE: Self = Self { shift: Vec3A::ZERO, growth: 0.0 };

    pub fn new(from: DVec3, to: DVec3) -> Self {
        let shift = (to - from).as_vec3a();
        // The rounding error of the difference also grows with the origins' distance from the world's
        // origin.
        let far = from.abs().max_element().max(to.abs().max_element()) as f32;
        Self { shift, growth: PLACE_GUARD * sum(shift.abs()) + 1e-15 * far }
    }
}

pub(super) fn sum(v: Vec3A) -> f32 {
    v.x + v.y + v.z
}
