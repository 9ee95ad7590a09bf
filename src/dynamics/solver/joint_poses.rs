//! Pose drives of joints: one 3×3 spring along all axes and one about them. The springs are implicit,
//! as for drives of single axes, so any stiffness is stable.
//!
//! The target moves in each sub-step, so the driven body neither lags behind it nor leads it.

use glam::{DMat3, DVec3};

use super::contact_rows::RowContext;
use super::integrate::{rotation_vector, turned};
use super::joint_frames::Frames;
use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::{DriveKind, PoseDrive, Spring};

/// Impulses of a pose drive, kept between sub-steps, world axes: N·s and N·m·s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PoseImpulses {
    pub linear: DVec3,
    pub angular: DVec3,
}

impl PoseImpulses {
    /// Returns the impulses scaled so that equal forces act in a sub-step that is `scale` times as
    /// long.
    pub fn scaled(&self, scale: f64) -> Self {
        Self { linear: scale * self.linear, angular: scale * self.angular }
    }
}

/// Equation of a spring: velocity + push − drift + gives · impulse = 0, for impulses of a length up to
/// `most`; world axes.
pub(super) struct Pull {
    /// Velocity of the target, m/s or rad/s.
    drift: DVec3,
    /// Bias velocity of the spring, in the direction away from the target, m/s or rad/s.
    push: DVec3,
    /// Compliance: velocity per impulse.
    gives: DMat3,
    /// Response of the bodies: matrix from an impulse to the velocity that it adds.
    response: DMat3,
    /// Largest impulse, N·s or N·m·s.
    pub most: f64,
}

impl Pull {
    pub fn bias(&self) -> DVec3 {
        self.push - self.drift
    }

    pub fn gives(&self) -> DMat3 {
        self.gives
    }

    /// Returns the impulse after one more iteration, given the present impulse `total` and `velocity`.
    fn sum(&self, total: DVec3, velocity: DVec3) -> DVec3 {
        let wanted = velocity - self.drift + self.push;
        let change = (self.response + self.gives).inverse() * (wanted + self.gives * total);
        (total - change).clamp_length_max(self.most)
    }
}

impl Frames {
    /// Applies the impulses of a pose drive.
    pub fn push_pose(&self, a: &mut Moving, b: &mut Moving, impulses: &PoseImpulses) {
        // Both impulses act at frame b's origin, so that the linear spring by itself adds no angular
        // momentum.
        a.push(-impulses.linear, self.origin_b - a.center);
        b.push(impulses.linear, self.origin_b - b.center);
        a.twist(-impulses.angular);
        b.twist(impulses.angular);
    }

    /// Solves one iteration of a pose drive.
    pub fn solve_pose(
        &self,
        drive: &PoseDrive,
        impulses: &mut PoseImpulses,
        a: &mut Moving,
        b: &mut Moving,
        context: &RowContext,
    ) {
        let before = *impulses;
        let [linear, angular] = self.pulls(drive, [a, b], context);
        impulses.angular =
            angular.map_or(DVec3::ZERO, |pull| pull.sum(before.angular, b.angular - a.angular));
        let [arm_a, arm_b] = self.centers.map_each(|center| self.origin_b - center);
        let velocity = b.velocity_at(arm_b) - a.velocity_at(arm_a);
        impulses.linear = linear.map_or(DVec3::ZERO, |pull| pull.sum(before.linear, velocity));

        let linear = impulses.linear - before.linear;
        let angular = impulses.angular - before.angular;
        self.push_pose(a, b, &PoseImpulses { linear, angular });
    }

    /// Returns the linear and the angular spring of a pose drive; `None` for a spring without effect.
    pub fn pulls(&self, drive: &PoseDrive, [a, b]: [&Moving; 2], context: &RowContext) -> [Option<Pull>; 2] {
        let h = context.h;
        let axes = DMat3::from_cols(self.axes[0], self.axes[1], self.axes[2]);

        let target = turned(drive.target.rotation, drive.angular_velocity, context.elapsed);
        let stretch = axes * rotation_vector(self.relative * target.conjugate());
        let response = a.inverse_inertia + b.inverse_inertia;
        let drift = axes * drive.angular_velocity;
        let by = response_of(drive.kind, || self.turning_response([a, b]));
        let angular = pull([stretch, drift], &drive.angular, (by, response), h);

        let target = drive.target.position + context.elapsed * drive.linear_velocity;
        let [arm_a, arm_b] = self.centers.map_each(|center| self.origin_b - center);
        let response = a.responses(arm_a) + b.responses(arm_b);
        let drift = axes * drive.linear_velocity;
        let by = response_of(drive.kind, || response);
        let linear = pull([self.offset - axes * target, drift], &drive.linear, (by, response), h);
        [linear, angular]
    }
}

/// Returns the response that is the unit of a spring's stiffness and damping. For a drive that sets a
/// force it is that of a body of 1 kg or 1 kg·m². For a drive that sets an acceleration it is the
/// response of the joint's bodies.
fn response_of(kind: DriveKind, of_bodies: impl FnOnce() -> DMat3) -> DMat3 {
    match kind {
        DriveKind::Force => DMat3::IDENTITY,
        DriveKind::Acceleration => of_bodies(),
    }
}

/// Makes the equation of a spring; `None` if it has no effect. `stretch`: deviation from the target, m
/// or rad. `drift`: velocity of the target. Both along world axes. `unit`: response that is the unit of
/// the spring. `h`: duration of the sub-step, s.
fn pull(
    [stretch, drift]: [DVec3; 2],
    spring: &Spring,
    (unit, response): (DMat3, DMat3),
    h: f64,
) -> Option<Pull> {
    let firmness = h * (spring.damping + h * spring.stiffness);
    if firmness <= 0.0 || response.determinant() <= 0.0 {
        return None;
    }
    let gamma = 1.0 / firmness;
    let push = gamma * h * spring.stiffness * stretch;
    Some(Pull { drift, push, gives: gamma * unit, response, most: spring.max_force * h })
}
