//! Relative motion of the two bodies of a search, and bounds from their balls and boxes.
//!
//! The space of these functions has the world's axes and its origin at the center of a, so that it
//! keeps its precision far from the world's origin.

use glam::{DMat3, DVec3};

use super::motion::Motion;
use crate::arrays::{MapEach, from_each};
use crate::mesh::Mesh;
use crate::pose::Pose;

/// Motions of both bodies, and the extents that their bounds need.
pub(super) struct Course<'a> {
    pub motions: [&'a Motion; 2],
    meshes: [&'a Mesh; 2],
    /// Displacement of a relative to b during the interval, m.
    pub closing: DVec3,
    /// Angles of the whole interval, rad.
    pub angles: [f64; 2],
    /// Bounds of the distance of the surfaces from their axes of rotation, m.
    arms: [f64; 2],
}

/// Arrangement of the bodies at one share of the interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub share: f64,
    pub rotations: [DMat3; 2],
    /// Vector from the center of a to that of b, m.
    pub between: DVec3,
}

impl Moment {
    /// Returns the corners of a triangle of body `side` relative to that body's center, m.
    pub fn spokes(&self, course: &Course, side: usize, triangle: u32) -> [DVec3; 3] {
        let center = course.motions[side].center;
        course.meshes[side].corners(triangle).map_each(|corner| self.rotations[side] * (corner - center))
    }

    /// Returns the corners of a triangle of each body, m.
    pub fn corners(&self, course: &Course, triangles: [u32; 2]) -> [[DVec3; 3]; 2] {
        let [a, b] = from_each(|side| self.spokes(course, side, triangles[side]));
        [a, b.map_each(|spoke| self.between + spoke)]
    }
}

impl<'a> Course<'a> {
    pub fn new(motions: [&'a Motion; 2], meshes: [&'a Mesh; 2]) -> Self {
        let arms = from_each(|side| arm(motions[side], meshes[side]));
        let closing = motions[0].shift - motions[1].shift;
        Self { motions, meshes, closing, angles: motions.map_each(|m| m.turn.length()), arms }
    }

    pub fn at(&self, share: f64) -> Moment {
        let [a, b] = self.motions;
        let start = b.from.transform_point(b.center) - a.from.transform_point(a.center);
        let rotations = self.motions.map_each(|motion| motion.rotation_at(share));
        Moment { share, rotations, between: start - share * self.closing }
    }

    /// Returns the pose of b in a's space at a share of the interval.
    pub fn b_to_a(&self, share: f64) -> Pose {
        self.motions[1].at(share).relative_to(&self.motions[0].at(share))
    }

    /// Returns an upper bound of the relative motion during `width` (a share) after a moment, m, of any
    /// two points that come within `margin` (m) of each other meanwhile.
    pub fn reach(&self, moment: &Moment, width: f64, margin: f64) -> f64 {
        // Such a point of one body is near the other body's ball, so its distance from its own center is
        // limited.
        let slide = self.closing.length() * width;
        let far = moment.between.length() + slide + margin;
        let arm = |side: usize| self.arms[side].min(far + self.motions[1 - side].radius);
        slide + width * (self.angles[0] * arm(0) + self.angles[1] * arm(1))
    }

    /// Returns the smaller radius of the two bodies, m.
    pub fn size(&self) -> f64 {
        self.motions[0].radius.min(self.motions[1].radius)
    }

    /// Returns the duration, as a share, for which the balls and boxes stay more than `margin` (m) apart
    /// after a moment; 0 if they are nearer.
    pub fn apart_for(&self, moment: &Moment, margin: f64) -> f64 {
        let mut longest = self.apart_along(moment, moment.between.normalize_or_zero(), margin);
        for rotation in &moment.rotations {
            for axis in [rotation.x_axis, rotation.y_axis, rotation.z_axis] {
                longest = longest.max(self.apart_along(moment, axis, margin));
            }
        }
        longest
    }

    /// Returns a lower bound of the duration for which a plane across `axis` separates the bodies.
    fn apart_along(&self, moment: &Moment, axis: DVec3, margin: f64) -> f64 {
        let offsets = from_each::<_, 2>(|side| {
            let center = self.meshes[side].bounds().center().as_dvec3();
            moment.rotations[side] * (center - self.motions[side].center)
        });
        let apart = (moment.between + offsets[1] - offsets[0]).dot(axis);
        let axis = if apart < 0.0 { -axis } else { axis };
        // Each body is bounded by its box, which turns, and by its ball, which does not.
        let bounds = from_each::<_, 2>(|side| {
            let half = 0.5 * self.meshes[side].bounds().size().as_dvec3();
            let outward = if side == 0 { axis } else { -axis };
            let along = (moment.rotations[side].transpose() * axis).abs().dot(half);
            let rate = axis.cross(self.motions[side].turn).length() * self.arms[side];
            [(outward.dot(offsets[side]) + along, rate), (self.motions[side].radius, 0.0)]
        });
        let (gap, speed) = (moment.between.dot(axis) - margin, self.closing.dot(axis));
        let mut longest: f64 = 0.0;
        for (extent_a, rate_a) in bounds[0] {
            for (extent_b, rate_b) in bounds[1] {
                longest = longest.max(lasting(gap - extent_a - extent_b, speed + rate_a + rate_b));
            }
        }
        longest
    }

    /// Returns whether the balls of the bodies come within `margin` (m) of each other from `start` on.
    pub fn balls_meet([a, b]: [&Motion; 2], start: f64, margin: f64) -> bool {
        let (from, closing) = (b.center_at(start) - a.center_at(start), a.shift - b.shift);
        let square = closing.length_squared();
        let nearest = if square > 0.0 { (closing.dot(from) / square).clamp(0.0, 1.0) } else { 0.0 };
        let reach = a.radius + b.radius + margin;
        (from - nearest * closing).length_squared() <= reach * reach
    }
}

/// Returns the duration, as a share, for which a gap (m) lasts that closes at most at `speed` (m per
/// interval).
pub(super) fn lasting(gap: f64, speed: f64) -> f64 {
    if gap <= 0.0 {
        0.0
    } else if speed <= 0.0 {
        f64::INFINITY
    } else {
        gap / speed
    }
}

/// Returns a bound of the distance of the surface from its axis of rotation, m.
fn arm(motion: &Motion, mesh: &Mesh) -> f64 {
    let axis = (motion.from.rotation.conjugate() * motion.turn).normalize_or_zero();
    let bounds = mesh.bounds();
    let mut square: f64 = 0.0;
    for corner in 0..8 {
        let pick = |k: usize| if corner >> k & 1 == 0 { bounds.min[k] } else { bounds.max[k] };
        let spoke = DVec3::new(pick(0).into(), pick(1).into(), pick(2).into()) - motion.center;
        square = square.max(axis.cross(spoke).length_squared());
    }
    square.sqrt().min(motion.radius)
}
