//! Joints as constraints: per axis of the joint's frame a row that locks, limits, springs or drives; three
//! locked linear axes as one block; a cone for two swing axes; dry friction.
//!
//! Rows are made anew every sub-step from the poses, their impulses stay. Hard rows are soft while position
//! errors are pushed out and rigid in the relax pass, like contacts.

use glam::DVec3;

use super::contact_rows::RowContext;
use super::joint_frames::{Frames, Row};
use super::joint_poses::PoseImpulses;
use super::moving::{Moving, two};
use super::settings::Softness;
use crate::arrays::MapEach;
use crate::body::{AxisRange, Drive, DriveKind, Joint, JointAxis};

/// Impulses a joint carries from sub-step to sub-step, by row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JointImpulses {
    point: DVec3,
    axis: [f64; 6],
    drive: [f64; 6],
    cone: f64,
    friction: DVec3,
    pose: PoseImpulses,
}

impl JointImpulses {
    /// Those of the same forces in a sub-step so many times as long.
    pub fn scaled(&self, scale: f64) -> Self {
        Self {
            point: scale * self.point,
            axis: self.axis.map_each(|impulse| scale * impulse),
            drive: self.drive.map_each(|impulse| scale * impulse),
            cone: scale * self.cone,
            friction: scale * self.friction,
            pose: self.pose.scaled(scale),
        }
    }

    /// How much velocity the joint gave a body in the last sub-step, m/s, at a distance from its centre of its
    /// radius of gyration.
    pub fn velocity_given(&self, body: &Moving) -> f64 {
        let along = |k: usize| self.axis[k] + self.drive[k];
        let push = self.point.length() + DVec3::new(along(0), along(1), along(2)).length();
        let twist = DVec3::new(along(3), along(4), along(5)).length() + self.cone.abs();
        body.velocity_of(push, twist)
    }
}

/// What a row wants of the velocity along it.
#[derive(Clone, Copy)]
enum Aim {
    /// Zero position error, m or rad, pushed to either side.
    Lock { error: f64 },
    /// `room ≥ 0`: how far the row may still go along `sign`.
    Limit { room: f64, sign: f64 },
    /// A spring and damper: what is left of the target, and the velocity wanted.
    Spring { stretch: f64, velocity: f64, stiffness: f64, damping: f64, max_force: f64 },
}

/// Applies last time's impulses, so that solving starts from what held before.
pub(super) fn warm_start(joint: &Joint, impulses: &JointImpulses, moving: &mut [Moving]) {
    let Some(frames) = Frames::new(joint, moving) else { return };
    let [a, b] = two(moving, frames.a, frames.b);
    frames.push_point(a, b, impulses.point);
    for index in 0..6 {
        frames.row(a, b, index).push(a, b, impulses.axis[index] + impulses.drive[index]);
    }
    frames.cone_row().push(a, b, impulses.cone);
    a.twist(-impulses.friction);
    b.twist(impulses.friction);
    frames.push_pose(a, b, &impulses.pose);
}

/// One pass over the joint's rows.
pub(super) fn solve(
    joint: &Joint,
    impulses: &mut JointImpulses,
    moving: &mut [Moving],
    context: &RowContext,
    relax: bool,
) {
    let Some(frames) = Frames::new(joint, moving) else { return };
    let [a, b] = two(moving, frames.a, frames.b);
    let settings = context.settings;
    let soft = Softness::new(settings.joint_hertz, settings.joint_damping, 0.5, context.h);
    let softness = if relax { Softness::RIGID } else { soft };
    if relax {
        // Friction must not hold against what pushes errors out.
        friction(joint, impulses, a, b, context.h);
    }
    for (index, axis) in joint.linear.iter().chain(&joint.angular).enumerate() {
        if let Some(drive) = &axis.drive {
            let row = frames.row(a, b, index);
            let aim = drive_aim(drive, frames.driven_coordinate(index, axis), row.response(a, b));
            solve_row(&row, aim, &mut impulses.drive[index], softness, a, b, context.h);
        }
    }
    if let Some(drive) = &joint.pose_drive {
        frames.solve_pose(drive, &mut impulses.pose, a, b, context);
    }
    if let Some(cone) = joint.cone {
        let row = frames.cone_row();
        let cosine = frames.swing_a.dot(frames.swing_b);
        let angle = libm::atan2(frames.swing_a.cross(frames.swing_b).length(), cosine);
        let aim = Aim::Limit { room: cone - angle, sign: 1.0 };
        solve_row(&row, aim, &mut impulses.cone, softness, a, b, context.h);
    }
    for (index, axis) in joint.angular.iter().enumerate() {
        solve_axis(&frames, 3 + index, axis, impulses, softness, a, b, context.h);
    }
    let hard_point = joint.linear.iter().all(|l| l.range == AxisRange::Locked && l.soft.is_none());
    if hard_point {
        frames.solve_point(&mut impulses.point, softness, a, b);
    } else {
        for (index, axis) in joint.linear.iter().enumerate() {
            solve_axis(&frames, index, axis, impulses, softness, a, b, context.h);
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "the row's whole context, used in two places")]
fn solve_axis(
    frames: &Frames,
    index: usize,
    axis: &JointAxis,
    impulses: &mut JointImpulses,
    softness: Softness,
    a: &mut Moving,
    b: &mut Moving,
    h: f64,
) {
    let coordinate = frames.limited_coordinate(index, axis);
    let (error, sign) = match axis.range {
        AxisRange::Free => return,
        AxisRange::Locked => (coordinate, 0.0),
        AxisRange::Limited { min, max } if coordinate - min < max - coordinate => (coordinate - min, -1.0),
        AxisRange::Limited { max, .. } => (coordinate - max, 1.0),
    };
    let aim = match (axis.soft, sign) {
        // A soft limit acts only beyond its bound.
        (Some(_), sign) if sign != 0.0 && error * sign < 0.0 => {
            impulses.axis[index] = 0.0;
            return;
        }
        (Some(soft), _) => Aim::Spring {
            stretch: -error,
            velocity: 0.0,
            stiffness: soft.stiffness,
            damping: soft.damping,
            max_force: f64::INFINITY,
        },
        (None, 0.0) => Aim::Lock { error },
        (None, sign) => Aim::Limit { room: -error * sign, sign },
    };
    let row = frames.row(a, b, index);
    solve_row(&row, aim, &mut impulses.axis[index], softness, a, b, h);
}

fn drive_aim(drive: &Drive, coordinate: f64, response: f64) -> Aim {
    let scale = match drive.kind {
        DriveKind::Force => 1.0,
        DriveKind::Acceleration if response > 0.0 => 1.0 / response,
        DriveKind::Acceleration => 0.0,
    };
    Aim::Spring {
        stretch: drive.position_target - coordinate,
        velocity: drive.velocity_target,
        stiffness: scale * drive.stiffness,
        damping: scale * drive.damping,
        max_force: drive.max_force,
    }
}

fn solve_row(
    row: &Row,
    aim: Aim,
    total: &mut f64,
    softness: Softness,
    a: &mut Moving,
    b: &mut Moving,
    h: f64,
) {
    let response = row.response(a, b);
    if response <= 0.0 {
        return;
    }
    let velocity = row.velocity(a, b);
    let (wanted, low, high) = match aim {
        Aim::Lock { error } => {
            let push = softness.mass_scale * (velocity + softness.bias_rate * error) / response;
            (-push - softness.impulse_scale * *total, f64::NEG_INFINITY, f64::INFINITY)
        }
        Aim::Limit { room, sign } => {
            let along = sign * velocity;
            let (bias, softness) = if room > 0.0 {
                (-room / h, Softness::RIGID)
            } else {
                (-softness.bias_rate * room, softness)
            };
            let push = softness.mass_scale * (along + bias) / response;
            let wanted = -sign * push - softness.impulse_scale * *total;
            if sign > 0.0 { (wanted, f64::NEG_INFINITY, 0.0) } else { (wanted, 0.0, f64::INFINITY) }
        }
        Aim::Spring { stretch, velocity: target, stiffness, damping, max_force } => {
            let give = h * (damping + h * stiffness);
            if give <= 0.0 {
                *total = 0.0;
                return;
            }
            // Implicit: the force at the end of the sub-step, so any stiffness is stable.
            let gamma = 1.0 / give;
            let bias = -gamma * h * (stiffness * stretch + damping * target);
            let wanted = -(velocity + bias + gamma * *total) / (response + gamma);
            (wanted, -max_force * h, max_force * h)
        }
    };
    let next = (*total + wanted).clamp(low, high);
    row.push(a, b, next - *total);
    *total = next;
}

/// A torque against any turning, up to the joint's friction.
fn friction(joint: &Joint, impulses: &mut JointImpulses, a: &mut Moving, b: &mut Moving, h: f64) {
    let resists = a.inverse_inertia + b.inverse_inertia;
    if joint.friction <= 0.0 || resists.determinant() <= 0.0 {
        return;
    }
    let wanted = impulses.friction - resists.inverse() * (b.angular - a.angular);
    let total = wanted.clamp_length_max(joint.friction * h);
    a.twist(impulses.friction - total);
    b.twist(total - impulses.friction);
    impulses.friction = total;
}

impl Frames {
    /// All three linear axes locked: one 3×3 solve.
    fn solve_point(&self, total: &mut DVec3, softness: Softness, a: &mut Moving, b: &mut Moving) {
        let arm_b = self.origin_b - b.center;
        let arm_a = self.origin_b - self.offset - a.center;
        let velocity = b.velocity_at(arm_b) - a.velocity_at(arm_a);
        let response = a.responses(arm_a) + b.responses(arm_b);
        if response.determinant() <= 0.0 {
            return;
        }
        let wanted = -(response.inverse() * (velocity + softness.bias_rate * self.offset))
            * softness.mass_scale
            - softness.impulse_scale * *total;
        *total += wanted;
        self.push_point(a, b, wanted);
    }

    fn push_point(&self, a: &mut Moving, b: &mut Moving, impulse: DVec3) {
        a.push(-impulse, self.origin_b - self.offset - a.center);
        b.push(impulse, self.origin_b - b.center);
    }
}
