//! Inertia that a drive moves. If the joints of the mechanism are solved together (`mechanisms.rs`), it
//! is the inertia of the whole mechanism; otherwise that of the joint's two bodies, constrained by the
//! joint's locked axes. With it, a drive that sets an acceleration reaches this acceleration for bodies
//! of any mass.

use glam::{DMat3, DVec3};

use super::joint_frames::Frames;
use super::moving::{Moving, skew};
use crate::arrays::MapEach;
use crate::body::{AxisRange, DriveKind, Joint, JointAxis};

impl Frames {
    /// Returns the matrix from an angular impulse between the bodies to the relative angular velocity
    /// that it adds, 1/(kg·m²). If the joint has a hard point, the bodies rotate about this point.
    pub fn turning_response(&self, ends: [&Moving; 2]) -> DMat3 {
        let free = ends[0].inverse_inertia + ends[1].inverse_inertia;
        if !self.has_point {
            return free;
        }
        let Responses { turning, crossed, moving } = self.responses(self.point_arms(), ends);
        without(turning, crossed, moving).unwrap_or(free)
    }

    /// Returns a factor for the drive of each axis that converts it to a force or torque: the inertia
    /// in kg or kg·m² for a drive that sets an acceleration, otherwise 1. `known`: the responses of the
    /// whole mechanism, 0 if unknown.
    pub fn drive_scales(&self, joint: &Joint, known: &[f64; 6], moving: &[Moving]) -> [f64; 6] {
        let ends = [&moving[self.a], &moving[self.b]];
        let mut scales = [1.0; 6];
        for (index, scale) in scales.iter_mut().enumerate() {
            let is_acceleration =
                |axis: &JointAxis| axis.drive.is_some_and(|d| d.kind == DriveKind::Acceleration);
            if is_acceleration(joint.axis(index as u32)) {
                let known = known[index];
                let response = if known > 0.0 { known } else { self.response(joint, index, ends) };
                *scale = if response > 0.0 { 1.0 / response } else { 0.0 };
            }
        }
        scales
    }

    /// Returns the velocity along or about an axis that an impulse of 1 along or about this axis adds.
    fn response(&self, joint: &Joint, index: usize, ends: [&Moving; 2]) -> f64 {
        let is_locked = |axes: &[JointAxis; 3], but: usize| {
            (0..3).all(|k| k == but || axes[k].range == AxisRange::Locked)
        };
        let row = self.row(index);
        if index >= 3 {
            let response = self.turning_response(ends);
            return along(response, row.angular_b, is_locked(&joint.angular, index - 3));
        }
        let turns_locked = is_locked(&joint.angular, 3);
        let arms = [ends[0].center, ends[1].center].map_each(|center| self.origin_b - center);
        let Responses { turning, crossed, moving } = self.responses(arms, ends);
        match without(moving, crossed.transpose(), turning) {
            Some(response) if turns_locked => along(response, row.linear, is_locked(&joint.linear, index)),
            _ => row.response(ends[0], ends[1]),
        }
    }

    /// Returns the responses of the two bodies to impulses that act between the ends of the arms.
    fn responses(&self, [arm_a, arm_b]: [DVec3; 2], [a, b]: [&Moving; 2]) -> Responses {
        Responses {
            turning: a.inverse_inertia + b.inverse_inertia,
            crossed: -(skew(arm_a) * a.inverse_inertia + skew(arm_b) * b.inverse_inertia),
            moving: a.responses(arm_a) + b.responses(arm_b),
        }
    }
}

/// Relative velocities of two bodies per unit of impulse between them.
struct Responses {
    /// Relative angular velocity per angular impulse, 1/(kg·m²).
    turning: DMat3,
    /// Relative velocity of the points per angular impulse, 1/(kg·m).
    crossed: DMat3,
    /// Relative velocity of the points per linear impulse, 1/kg.
    moving: DMat3,
}

/// Returns the response to impulses of one kind (linear or angular), while impulses of the other kind
/// keep their own velocity at zero. `held`: the response to impulses of the other kind. `crossed`: the
/// velocity of the other kind that an impulse of the first kind adds. Returns `None` if no impulse can
/// hold that velocity.
fn without(response: DMat3, crossed: DMat3, held: DMat3) -> Option<DMat3> {
    let left = (held.determinant() > 0.0).then(|| response - crossed.transpose() * held.inverse() * crossed);
    left.filter(DMat3::is_finite)
}

/// Returns the response along `direction`. If `alone`, the velocities along the two other directions
/// are kept at zero.
fn along(response: DMat3, direction: DVec3, alone: bool) -> f64 {
    if alone && response.determinant() > 0.0 {
        1.0 / direction.dot(response.inverse() * direction)
    } else {
        direction.dot(response * direction)
    }
}
