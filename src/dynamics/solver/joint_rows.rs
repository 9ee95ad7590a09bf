//! Joints as constraints: per axis of the joint's frame, a row that locks, limits, springs or drives
//! this axis. Three locked linear axes form one block. A cone limits two swing axes. Dry friction acts
//! on rotation.
//!
//! Rows are rebuilt from the poses in every sub-step, but their impulses are kept. As with contacts,
//! hard rows are soft while position errors are pushed out, and rigid in the relax iterations.

use glam::DVec3;

use super::contact_rows::RowContext;
use super::joint_aims::{Aim, Terms};
use super::joint_frames::{Frames, Row};
use super::joint_impulses::JointImpulses;
use super::moving::{Moving, two};
use super::settings::Softness;
use crate::body::Joint;

/// Applies half the impulses of the last sub-step, so that the solver starts from the last solution.
pub(super) fn warm_start(joint: &Joint, impulses: &JointImpulses, moving: &mut [Moving]) {
    let Some(frames) = Frames::new(joint, &impulses.angles, moving) else { return };
    let [a, b] = two(moving, frames.a, frames.b);
    frames.push_point(a, b, impulses.half.point);
    for index in 0..6 {
        frames.row(index).push(a, b, impulses.half.axis[index] + impulses.half.drive[index]);
    }
    frames.cone_row().push(a, b, impulses.half.cone);
    if impulses.half.distance != 0.0 {
        frames.distance().1.push(a, b, impulses.half.distance);
    }
    a.twist(-impulses.half.friction);
    b.twist(impulses.half.friction);
    frames.push_pose(a, b, &impulses.half.pose);
}

/// Applies half the impulse of dry friction of the last sub-step.
pub(super) fn warm_start_friction(joint: &Joint, impulses: &JointImpulses, moving: &mut [Moving]) {
    if let Some([a, b]) = Frames::ends(joint, moving) {
        moving[a].twist(-impulses.half.friction);
        moving[b].twist(impulses.half.friction);
    }
}

/// Solves one iteration over the joint's rows.
pub(super) fn solve(
    joint: &Joint,
    impulses: &mut JointImpulses,
    moving: &mut [Moving],
    context: &RowContext,
    relax: bool,
) {
    let Some(frames) = Frames::new(joint, &impulses.angles, moving) else { return };
    let scales = frames.drive_scales(joint, &impulses.responses, moving);
    let [a, b] = two(moving, frames.a, frames.b);
    let settings = context.settings;
    let soft = Softness::new(settings.joint_hertz, settings.joint_damping, 0.5, context.h);
    let softness = if relax { Softness::RIGID } else { soft };
    if relax {
        // Friction must not act against the impulses that push errors out.
        friction(joint, impulses, a, b, context.h);
    }
    frames.drive_rows(joint, (&scales, context.elapsed + context.h), |slot, row, aim| {
        solve_row(&row, (aim, 0.0), impulses.last.slot_mut(slot), softness, [a, b], context.h);
    });
    if let Some(drive) = &joint.pose_drive {
        frames.solve_pose(drive, &mut impulses.last.pose, a, b, context);
    }
    frames.bound_rows(joint, |slot, row, aim| {
        let bend = if relax { 0.0 } else { frames.row_bend(slot, a, b, context.h) };
        solve_row(&row, (aim, bend), impulses.last.slot_mut(slot), softness, [a, b], context.h);
    });
    if joint.has_hard_point() {
        let bend = if relax { DVec3::ZERO } else { frames.point_bend(a, b, context.h) };
        frames.solve_point(&mut impulses.last.point, (softness, bend), a, b);
    }
}

/// Solves one iteration of the joint's dry friction alone.
pub(super) fn solve_friction(joint: &Joint, impulses: &mut JointImpulses, moving: &mut [Moving], h: f64) {
    if joint.friction > 0.0
        && let Some([a, b]) = Frames::ends(joint, moving)
    {
        let [a, b] = two(moving, a, b);
        friction(joint, impulses, a, b, h);
    }
}

/// Solves a row. `bend`: mean rate of its coordinate due to rotation in the sub-step.
fn solve_row(
    row: &Row,
    (aim, bend): (Aim, f64),
    total: &mut f64,
    softness: Softness,
    [a, b]: [&mut Moving; 2],
    h: f64,
) {
    let response = row.response(a, b);
    if response <= 0.0 {
        return;
    }
    let Some(terms) = aim.terms(softness, h) else {
        *total = 0.0;
        return;
    };
    let Terms { bias, gives, low, high, softness } = terms;
    let push = softness.mass_scale * (row.velocity(a, b) + bend + bias + gives * *total) / (response + gives);
    let next = (*total + (-push - softness.impulse_scale * *total)).clamp(low, high);
    row.push(a, b, next - *total);
    *total = next;
}

/// Solves dry friction: a torque against relative rotation, limited to the joint's friction. `h`:
/// duration of the sub-step, s.
fn friction(joint: &Joint, impulses: &mut JointImpulses, a: &mut Moving, b: &mut Moving, h: f64) {
    let resists = a.inverse_inertia + b.inverse_inertia;
    if joint.friction <= 0.0 || resists.determinant() <= 0.0 {
        return;
    }
    let wanted = impulses.last.friction - resists.inverse() * (b.angular - a.angular);
    let total = wanted.clamp_length_max(joint.friction * h);
    a.twist(impulses.last.friction - total);
    b.twist(total - impulses.last.friction);
    impulses.last.friction = total;
}

impl Frames {
    /// Solves a hard point (all three linear axes locked) as one 3×3 system.
    fn solve_point(
        &self,
        total: &mut DVec3,
        (softness, bend): (Softness, DVec3),
        a: &mut Moving,
        b: &mut Moving,
    ) {
        let [arm_a, arm_b] = self.point_arms();
        let velocity = b.velocity_at(arm_b) - a.velocity_at(arm_a);
        let response = a.responses(arm_a) + b.responses(arm_b);
        if response.determinant() <= 0.0 {
            return;
        }
        let wanted = -(response.inverse() * (velocity + bend + softness.bias_rate * self.offset))
            * softness.mass_scale
            - softness.impulse_scale * *total;
        *total += wanted;
        self.push_point(a, b, wanted);
    }

    fn push_point(&self, a: &mut Moving, b: &mut Moving, impulse: DVec3) {
        let [arm_a, arm_b] = self.point_arms();
        a.push(-impulse, arm_a);
        b.push(impulse, arm_b);
    }
}
