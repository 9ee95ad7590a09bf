//! Drives towards a pose: a 3×3 spring along all axes of a joint and one about them, implicit like the drives
//! of single axes, so that any stiffness is stable.
//!
//! The target moves on from sub-step to sub-step, so that what follows it does not lag or lead.

use glam::{DMat3, DVec3};

use super::contact_rows::RowContext;
use super::integrate::{rotation_vector, turned};
use super::joint_frames::Frames;
use super::moving::Moving;
use crate::body::{DriveKind, PoseDrive, Spring};

/// What a drive carries from sub-step to sub-step, world axes: N·s and N·m·s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PoseImpulses {
    linear: DVec3,
    angular: DVec3,
}

impl PoseImpulses {
    /// Those of the same forces in a sub-step so many times as long.
    pub fn scaled(&self, scale: f64) -> Self {
        Self { linear: scale * self.linear, angular: scale * self.angular }
    }
}

/// What a spring sees: its stretch (m or rad) and its rate, both zero when all is where it should be.
struct Error {
    stretch: DVec3,
    rate: DVec3,
}

impl Frames {
    pub fn push_pose(&self, a: &mut Moving, b: &mut Moving, impulses: &PoseImpulses) {
        // At frame b's origin on both sides: a spring turns nothing by itself.
        a.push(-impulses.linear, self.origin_b - a.center);
        b.push(impulses.linear, self.origin_b - b.center);
        a.twist(-impulses.angular);
        b.twist(impulses.angular);
    }

    pub fn solve_pose(
        &self,
        drive: &PoseDrive,
        impulses: &mut PoseImpulses,
        a: &mut Moving,
        b: &mut Moving,
        context: &RowContext,
    ) {
        let h = context.h;
        let axes = DMat3::from_cols(self.axes[0], self.axes[1], self.axes[2]);
        let before = *impulses;

        let target = turned(drive.target.rotation, drive.angular_velocity, context.elapsed);
        let error = Error {
            stretch: axes * rotation_vector(self.relative * target.conjugate()),
            rate: b.angular - a.angular - axes * drive.angular_velocity,
        };
        let response = a.inverse_inertia + b.inverse_inertia;
        impulses.angular = sum(before.angular, &error, &drive.angular, drive.kind, response, h);

        let target = drive.target.position + context.elapsed * drive.linear_velocity;
        let [arm_a, arm_b] = [self.origin_b - a.center, self.origin_b - b.center];
        let error = Error {
            stretch: self.offset - axes * target,
            rate: b.velocity_at(arm_b) - a.velocity_at(arm_a) - axes * drive.linear_velocity,
        };
        let response = a.responses(arm_a) + b.responses(arm_b);
        impulses.linear = sum(before.linear, &error, &drive.linear, drive.kind, response, h);

        let linear = impulses.linear - before.linear;
        let angular = impulses.angular - before.angular;
        self.push_pose(a, b, &PoseImpulses { linear, angular });
    }
}

/// A spring's impulse after one more round, from what it was.
fn sum(total: DVec3, error: &Error, spring: &Spring, kind: DriveKind, response: DMat3, h: f64) -> DVec3 {
    let give = h * (spring.damping + h * spring.stiffness);
    if give <= 0.0 || response.determinant() <= 0.0 {
        return DVec3::ZERO;
    }
    let gamma = 1.0 / give;
    let wanted = error.rate + gamma * h * spring.stiffness * error.stretch;
    let change = match kind {
        DriveKind::Force => {
            let soft = response + DMat3::from_diagonal(DVec3::splat(gamma));
            soft.inverse() * (wanted + gamma * total)
        }
        DriveKind::Acceleration => (response.inverse() * wanted + gamma * total) / (1.0 + gamma),
    };
    (total - change).clamp_length_max(spring.max_force * h)
}
