//! Pose drives of joints: one 3×3 spring along all axes and one about them, of the same law as the drives
//! of single axes.
//!
//! The target moves in each sub-step, so the driven body neither lags behind it nor leads it.

use glam::{DMat3, DVec3};

use super::contact_rows::RowContext;
use super::integrate::{rotation_vector, turned};
use super::joint_frames::Frames;
use super::joint_impulses::{ByPose, JointImpulses};
use super::moving::Moving;
use super::spring_law::{Half, SpringLaw, Swing};
use crate::arrays::MapEach;
use crate::body::{DriveKind, PoseDrive, Spring};

/// Spring of a pose drive at the present poses, world axes.
pub(super) struct PoseSpring {
    /// Deviation of frame b from the target, m or rad.
    pub off: DVec3,
    /// Velocity of the target, m/s or rad/s.
    drift: DVec3,
    spring: Spring,
    /// Response that is the unit of the spring.
    unit: DMat3,
    /// Response of the bodies: matrix from an impulse to the velocity that it adds.
    response: DMat3,
}

/// Equation of a pose drive's spring in a half of a sub-step: velocity + bias + gives · impulse = 0. The
/// impulse of the whole sub-step is at most `most` long. World axes.
pub(super) struct Pull {
    /// Bias velocity, m/s or rad/s.
    pub bias: DVec3,
    /// Compliance: velocity per impulse.
    pub gives: DMat3,
    response: DMat3,
    /// Largest impulse, N·s or N·m·s.
    pub most: f64,
}

impl PoseSpring {
    /// Returns the equation in a half of a sub-step of `h` seconds; `None` if the spring has no effect.
    /// `began`: the deviation at the start of the sub-step.
    pub fn pull(&self, began: DVec3, half: Half, h: f64) -> Option<Pull> {
        let Self { off, drift, spring, unit, response } = *self;
        // The spring has the same stiffness along all axes, and each axis its own response.
        let trace = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        let swing = Swing { half, h, response: trace(&response) / trace(&unit) };
        let law = SpringLaw::new(spring.stiffness, spring.damping, swing)?;
        let bias = |k: usize| law.bias([-off[k], -began[k]], drift[k], drift[k]);
        let bias = DVec3::new(bias(0), bias(1), bias(2));
        let pull = Pull { bias, gives: law.gives * unit, response, most: spring.max_force * h };
        (response.determinant() > 0.0).then_some(pull)
    }
}

impl Pull {
    /// Returns the impulse of the sub-step after one more iteration. `total`: the present one. `others`:
    /// the part of it that acts in the other half.
    fn sum(&self, [total, others]: [DVec3; 2], velocity: DVec3) -> DVec3 {
        let wanted = velocity + self.bias + self.gives * (total - others);
        let change = (self.response + self.gives).inverse() * wanted;
        (total - change).clamp_length_max(self.most)
    }
}

impl Frames {
    /// Applies the impulses of a pose drive.
    pub fn push_pose(&self, a: &mut Moving, b: &mut Moving, impulses: &ByPose) {
        // Both impulses act at frame b's origin, so that the linear spring by itself adds no angular
        // momentum.
        a.push(-impulses.linear, self.origin_b - a.center);
        b.push(impulses.linear, self.origin_b - b.center);
        a.twist(-impulses.angular);
        b.twist(impulses.angular);
    }

    /// Solves one iteration of a pose drive in a half of a sub-step.
    pub fn solve_pose(
        &self,
        drive: &PoseDrive,
        impulses: &mut JointImpulses,
        [a, b]: [&mut Moving; 2],
        (half, context): (Half, &RowContext),
    ) {
        let (before, others) = (impulses.last.pose, impulses.other_half.pose);
        let springs = self.pose_springs(drive, [a, b], context.elapsed);
        let began = impulses.stretches.pose;
        let linear = springs[0].pull(began.linear, half, context.h);
        let angular = springs[1].pull(began.angular, half, context.h);
        if half == Half::Push {
            impulses.stretches.pose = ByPose { linear: springs[0].off, angular: springs[1].off };
        }
        let turning = b.angular - a.angular;
        let sum = [before.angular, others.angular];
        let angular = angular.map_or(DVec3::ZERO, |pull| pull.sum(sum, turning));
        let [arm_a, arm_b] = self.centers.map_each(|center| self.origin_b - center);
        let velocity = b.velocity_at(arm_b) - a.velocity_at(arm_a);
        let sum = [before.linear, others.linear];
        let linear = linear.map_or(DVec3::ZERO, |pull| pull.sum(sum, velocity));
        impulses.last.pose = ByPose { linear, angular };
        self.push_pose(a, b, &ByPose { linear: linear - before.linear, angular: angular - before.angular });
    }

    /// Returns the linear and the angular spring of a pose drive. `spent`: time since the start of the
    /// pass, s.
    pub fn pose_springs(&self, drive: &PoseDrive, [a, b]: [&Moving; 2], spent: f64) -> [PoseSpring; 2] {
        let axes = DMat3::from_cols(self.axes[0], self.axes[1], self.axes[2]);

        let target = turned(drive.target.rotation, drive.angular_velocity, spent);
        let angular = PoseSpring {
            off: axes * rotation_vector(self.relative * target.conjugate()),
            drift: axes * drive.angular_velocity,
            spring: drive.angular,
            unit: response_of(drive.kind, || self.turning_response([a, b])),
            response: a.inverse_inertia + b.inverse_inertia,
        };

        let target = drive.target.position + spent * drive.linear_velocity;
        let [arm_a, arm_b] = self.centers.map_each(|center| self.origin_b - center);
        let response = a.responses(arm_a) + b.responses(arm_b);
        let linear = PoseSpring {
            off: self.offset - axes * target,
            drift: axes * drive.linear_velocity,
            spring: drive.linear,
            unit: response_of(drive.kind, || response),
            response,
        };
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
