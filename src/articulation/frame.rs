//! Where a link is, as its volumes see it: `f32`, relative to an origin of `f64` that the articulation carries
//! along, so that volumes are as tight far from the world's origin as near it.

use glam::{DVec3, Mat3A, Vec3A};

use crate::pose::Pose;

/// A link farther out than this, m, counts as not there; squares of sizes up to it are finite in `f32`.
pub(super) const FARTHEST: f64 = 1e15;

/// Volumes grow by this share of their size: more than rotating, projecting and axes that are not quite
/// perpendicular after rounding lose.
pub(super) const SIZE_GUARD: f32 = 2e-6;

/// And by this share of how far they are from the origin.
pub(super) const PLACE_GUARD: f32 = 2.5e-7;

/// A pose, rounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub rotation: Mat3A,
    /// From the articulation's origin.
    pub position: Vec3A,
    /// What a volume grows by, as a share of its size.
    pub guard: f32,
}

/// Whether volumes can be had for the pose.
pub(super) fn is_valid(pose: &Pose) -> bool {
    let near = pose.position.abs().cmple(DVec3::splat(FARTHEST)).all();
    near && (0.5..=2.0).contains(&pose.rotation.length_squared())
}

impl Frame {
    /// Of a valid pose.
    pub fn new(pose: &Pose, origin: DVec3) -> Self {
        let rotation = pose.rotation.as_quat();
        // Of a quaternion that is not quite a unit, geometry is turned and stretched.
        let stretch = 4.0 * (rotation.length_squared() - 1.0).abs();
        Self {
            rotation: rotation_matrix(rotation),
            position: (pose.position - origin).as_vec3a(),
            guard: SIZE_GUARD + stretch,
        }
    }
}

/// As for a unit quaternion; glam's own insists on one.
fn rotation_matrix(q: glam::Quat) -> Mat3A {
    let (x2, y2, z2) = (q.x + q.x, q.y + q.y, q.z + q.z);
    let (xx, xy, xz) = (q.x * x2, q.x * y2, q.x * z2);
    let (yy, yz, zz) = (q.y * y2, q.y * z2, q.z * z2);
    let (wx, wy, wz) = (q.w * x2, q.w * y2, q.w * z2);
    Mat3A::from_cols(
        Vec3A::new(1.0 - (yy + zz), xy + wz, xz - wy),
        Vec3A::new(xy - wz, 1.0 - (xx + zz), yz + wx),
        Vec3A::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
    )
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
