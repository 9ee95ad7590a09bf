//! A plane, in world or body space, and which side of it something lies on.

use glam::DVec3;

use crate::pose::Pose;
use crate::volume::Aabb;

/// The points `x` with `normal · x = offset`, in one space, which whoever makes the plane decides. What lies
/// behind it has a smaller product; a cut keeps that half and takes away the one that the normal points into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit.
    pub normal: DVec3,
    /// How far along the normal the plane lies from the origin, m.
    pub offset: f64,
}

impl Plane {
    /// Returns the plane through a point (m) across a direction of any length but 0.
    pub fn through(point: DVec3, normal: DVec3) -> Self {
        let normal = normal.normalize();
        Self { normal, offset: normal.dot(point) }
    }

    /// Returns how far in front of the plane a point is, m; less than 0 behind it.
    #[inline]
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Returns a plane of world space as the body at a pose has it.
    pub fn in_space_of(&self, pose: &Pose) -> Self {
        let offset = self.offset - self.normal.dot(pose.position);
        Self { normal: pose.inverse_transform_vector(self.normal), offset }
    }

    /// Returns the same points with front and back exchanged.
    pub fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }

    /// Whether a box of the plane's space has a corner behind the plane and one that is not. A surface in a
    /// box that has not also has no section.
    pub fn crosses(&self, bounds: &Aabb) -> bool {
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let rising = self.normal.cmpge(DVec3::ZERO);
        // Rounding keeps the order of products and sums, so no point of the box is rounded beyond these two.
        let (lowest, highest) = (DVec3::select(rising, min, max), DVec3::select(rising, max, min));
        self.height(lowest) < 0.0 && self.height(highest) >= 0.0
    }

    pub fn is_finite(&self) -> bool {
        self.normal.is_finite() && self.offset.is_finite()
    }
}
