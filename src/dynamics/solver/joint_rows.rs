//! Joints as constraints: per axis of the joint's frame, a row that locks, limits, springs or drives
//! this axis. Three locked linear axes form one block. A cone limits two swing axes. Dry friction acts
//! on rotation.
//!
//! Rows are rebuilt from the poses in every sub-step, but their impulses are kept. As with contacts,
//! hard rows are soft while position errors are pushed out, and rigid in the relax iterations.

use glam::DVec3;

use super::contact_rows::RowContext;
use super::joint_aims::{Aim, Slot, Terms};
use super::joint_frames::{Frames, Row};
use super::joint_impulses::JointImpulses;
use super::moving::{Moving, two};
use super::settings::Softness;
use super::spring_law::{Half, Swing};
use crate::body::Joint;

/// Applies half the impulses of the last sub-step, so that the solver starts from the last solution.
pub(super) fn warm_start(joint: &Joint, impulses: &JointImpulses, moving: &mut [Moving]) {
    let Some(frames) = Frames::new(joint, &impulses.angles, moving) else { return };
    let [a, b] = two(moving, frames.a, frames.b);
    frames.push_point(a, b, impulses.other_half.point);
    for index in 0..6 {
        frames.row(index).push(a, b, impulses.other_half.axis[index] + impulses.other_half.drive[index]);
    }
    frames.cone_row().push(a, b, impulses.other_half.cone);
    if impulses.other_half.distance != 0.0 {
        frames.distance().1.push(a, b, impulses.other_half.distance);
    }
    a.twist(-impulses.other_half.friction);
    b.twist(impulses.other_half.friction);
    frames.push_pose(a, b, &impulses.other_half.pose);
}

/// Applies half the impulse of dry friction of the last sub-step.
pub(super) fn warm_start_friction(joint: &Joint, impulses: &JointImpulses, moving: &mut [Moving]) {
    if impulses.other_half.friction != DVec3::ZERO
        && let Some([a, b]) = Frames::ends(joint, moving)
    {
        moving[a].twist(-impulses.other_half.friction);
        moving[b].twist(impulses.other_half.friction);
    }
}

/// Solves one iteration over the joint's rows in a half of a sub-step.
pub(super) fn solve(
    joint: &Joint,
    impulses: &mut JointImpulses,
    moving: &mut [Moving],
    context: &RowContext,
    half: Half,
) {
    let Some(frames) = Frames::new(joint, &impulses.angles, moving) else { return };
    let scales = frames.drive_scales(joint, &impulses.responses, moving);
    let [a, b] = two(moving, frames.a, frames.b);
    let (settings, relax) = (context.settings, half == Half::Relax);
    let soft = Softness::new(settings.joint_hertz, settings.joint_damping, 0.5, context.h);
    let softness = if relax { Softness::RIGID } else { soft };
    if relax {
        // Friction must not act against the impulses that push errors out.
        friction(joint, impulses, a, b, context.h);
    }
    let now = Now { softness, half, h: context.h };
    frames.drive_rows(joint, (&scales, context.elapsed), |slot, row, aim| {
        now.solve_row((slot, &row), (aim, 0.0), impulses, [a, b]);
    });
    if let Some(drive) = &joint.pose_drive {
        frames.solve_pose(drive, impulses, [a, b], (half, context));
    }
    frames.bound_rows(joint, |slot, row, aim| {
        let bend = if relax { 0.0 } else { frames.row_bend(slot, a, b, context.h) };
        now.solve_row((slot, &row), (aim, bend), impulses, [a, b]);
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

/// Part of a sub-step in which rows are solved.
#[derive(Clone, Copy)]
struct Now {
    softness: Softness,
    half: Half,
    /// Duration of the sub-step, s.
    h: f64,
}

impl Now {
    /// Solves a row. `bend`: mean rate of its coordinate due to rotation in the sub-step.
    fn solve_row(
        self,
        (slot, row): (Slot, &Row),
        (aim, bend): (Aim, f64),
        impulses: &mut JointImpulses,
        [a, b]: [&mut Moving; 2],
    ) {
        let response = row.response(a, b);
        if response <= 0.0 {
            return;
        }
        let swing = Swing { half: self.half, h: self.h, response };
        let terms = aim.terms(self.softness, impulses.stretches.slot(slot), swing);
        if self.half == Half::Push {
            *impulses.stretches.slot_mut(slot) = aim.stretch();
        }
        let (total, others) = (impulses.last.slot_mut(slot), impulses.other_half.slot(slot));
        let Some(terms) = terms else {
            *total = 0.0;
            return;
        };
        let Terms { bias, gives, low, high, softness } = terms;
        let wanted = row.velocity(a, b) + bend + bias + gives * (*total - others);
        let push = softness.mass_scale * wanted / (response + gives);
        let next = (*total + (-push - softness.impulse_scale * *total)).clamp(low, high);
        row.push(a, b, next - *total);
        *total = next;
    }
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
