//! A plane, in world or body space, and the side tests against it.

use glam::DVec3;

use crate::pose::Pose;
use crate::volume::Aabb;

/// Plane of all points `x` with `normal · x = offset`, in the space that the plane's creator chooses.
/// Points behind the plane have a smaller product. A cut keeps the half behind the plane and removes
/// the half into which the normal points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: DVec3,
    /// Distance of the plane from the origin along the normal, m.
    pub offset: f64,
}

impl Plane {
    /// Returns the plane through a point (m) with a normal of any nonzero length.
    pub fn through(point: DVec3, normal: DVec3) -> Self {
        let normal = normal.normalize();
        Self { normal, offset: normal.dot(point) }
    }

    /// Returns the height of a point in front of the plane, m; negative behind it.
    #[inline]
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Transforms a plane of world space into the space of a body at `pose`.
    pub fn in_space_of(&self, pose: &Pose) -> Self {
        let offset = self.offset - self.normal.dot(pose.position);
        Self { normal: pose.inverse_transform_vector(self.normal), offset }
    }

    /// Returns the plane with front and back swapped.
    pub fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }

    /// Returns whether a box, in the plane's space, has a corner behind the plane and a corner that is
    /// not behind it. If false, a surface in the box has no section.
    pub fn crosses(&self, bounds: &Aabb) -> bool {
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let rising = self.normal.cmpge(DVec3::ZERO);
        // Rounding preserves the order of products and sums, so no point of the box can be rounded
        // beyond these two corners.
        let (lowest, highest) = (DVec3::select(rising, min, max), DVec3::select(rising, max, min));
        self.height(lowest) < 0.0 && self.height(highest) >= 0.0
    }

    pub fn is_finite(&self) -> bool {
        self.normal.is_finite() && self.offset.is_finite()
    }
}
