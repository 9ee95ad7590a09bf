//! Rows of mechanisms: their directions on the two bodies, their equations, and the responses of rows
//! to each other. The joints of a mechanism are solved directly together.

use glam::DVec3;

use super::contact_rows::RowContext;
use super::joint_aims::{Aim, Slot};
use super::joint_frames::{Frames, Row};
use super::joint_impulses::JointImpulses;
use super::joint_poses::Pull;
use super::moving::Moving;
use super::settings::Softness;
use crate::body::Joint;

/// One end of a row: an impulse of 1 along the row, acting on one body.
#[derive(Clone, Copy)]
struct RowEnd {
    body: usize,
    linear: DVec3,
    angular: DVec3,
    /// Linear velocity that the impulse adds to the body.
    speeds: DVec3,
    /// Angular velocity that the impulse adds to the body.
    turns: DVec3,
}

/// Half of a sub-step.
#[derive(Clone, Copy, Default)]
pub(super) enum Half {
    /// First half: position errors are pushed out.
    #[default]
    Push,
    /// Second half: the velocity of the push is removed.
    Relax,
}

/// True if an end of one row and an end of another act on the same movable body, by end.
pub(super) type Shared = [[bool; 2]; 2];

pub(super) const NONE_SHARED: Shared = [[false; 2]; 2];

/// Bound on the impulses of a row.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Bound {
    None,
    Range {
        low: f64,
        high: f64,
    },
    /// Bound on the length of the vector of three rows' impulses. `index`: index of this row among the
    /// three.
    Length {
        most: f64,
        index: usize,
    },
}

/// Equation of a row: velocity + bias + gives · impulses of its group = 0. A group is one row, or three
/// rows that share a bound.
pub(super) struct MechanismRow {
    joint: usize,
    slot: Slot,
    sides: [RowEnd; 2],
    /// Bias velocity in the first half (errors are pushed out) and in the second half (relax), m/s or
    /// rad/s.
    biases: [f64; 2],
    /// Compliance of the row to each impulse of its group.
    gives: DVec3,
    pub bound: Bound,
    /// True if the row's equation is solved; otherwise its impulse stays at its bound.
    pub is_active: bool,
    /// Axis of the drive, if the row belongs to a drive that sets an acceleration.
    accelerates: Option<usize>,
}

/// Compliance added to every row of a mechanism: 1/kg for linear rows, 1/(kg·m²) for angular rows.
#[derive(Clone, Copy)]
pub(super) struct Yield {
    pub linear: f64,
    pub angular: f64,
}

impl MechanismRow {
    /// Returns the residual of the equation. `impulses`: the impulses of the row's group.
    pub fn residual(&self, moving: &[Moving], impulses: DVec3, half: Half) -> f64 {
        let of = |s: &RowEnd| s.linear.dot(moving[s.body].linear) + s.angular.dot(moving[s.body].angular);
        of(&self.sides[0]) + of(&self.sides[1]) + self.biases[half as usize] + self.gives.dot(impulses)
    }

    /// Stores the response of the whole mechanism to a drive that sets an acceleration. `sum`: the
    /// row's impulse that solves a residual of 1 while all other equations hold.
    pub fn note_response(&self, sum: f64, impulses: &mut [JointImpulses]) {
        if let Some(axis) = self.accelerates
            && sum > 0.0
        {
            impulses[self.joint].responses[axis] = (1.0 / sum - self.gives.x).max(0.0);
        }
    }

    /// Returns whether the row is active and belongs to a drive that sets an acceleration.
    pub fn accelerates(&self) -> bool {
        self.is_active && self.accelerates.is_some()
    }

    /// Returns the row's impulse, N·s or N·m·s.
    pub fn impulse(&self, impulses: &[JointImpulses]) -> f64 {
        impulses[self.joint].last.slot(self.slot)
    }

    /// Applies half the impulse of the last sub-step.
    pub fn warm_start(&self, moving: &mut [Moving], impulses: &[JointImpulses]) {
        self.act(moving, impulses[self.joint].half.slot(self.slot));
    }

    /// Adds `impulse` to the row's impulse and applies it.
    pub fn push(&self, moving: &mut [Moving], impulses: &mut [JointImpulses], impulse: f64) {
        *impulses[self.joint].last.slot_mut(self.slot) += impulse;
        self.act(moving, impulse);
    }

    fn act(&self, moving: &mut [Moving], impulse: f64) {
        for side in &self.sides {
            let body = &mut moving[side.body];
            body.linear += impulse * side.speeds;
            body.angular += impulse * side.turns;
        }
    }

    /// Returns the velocity along this row that an impulse of 1 along the other row adds. `shared`: the
    /// ends of both rows that act on the same body.
    pub fn answer(&self, other: &Self, shared: &Shared) -> f64 {
        let mut sum = 0.0;
        for (own, shared) in self.sides.iter().zip(shared) {
            for (side, _) in other.sides.iter().zip(shared).filter(|(_, is_shared)| **is_shared) {
                sum += own.linear.dot(side.speeds) + own.angular.dot(side.turns);
            }
        }
        sum
    }

    /// Returns the velocity along this row that an impulse of 1 along it adds.
    pub fn response(&self) -> f64 {
        self.answer(self, &[[true, false], [false, true]])
    }

    /// Returns the row's index within its group, and the compliance of this row to the impulse of each
    /// row of the group.
    pub fn gives(&self) -> (usize, DVec3) {
        let index = if let Bound::Length { index, .. } = self.bound { index } else { 0 };
        (index, self.gives)
    }
}

/// Data from which the rows of a joint are made.
struct Maker<'a> {
    frames: &'a Frames,
    joint: usize,
    moving: &'a [Moving],
    /// Softness in the half in which errors are pushed out.
    soft: Softness,
    h: f64,
}

impl Maker<'_> {
    fn ends(&self) -> [&Moving; 2] {
        [&self.moving[self.frames.a], &self.moving[self.frames.b]]
    }

    /// Returns a row that keeps its relative velocity at zero.
    fn row(&self, slot: Slot, row: &Row) -> MechanismRow {
        let side = |body: usize, linear: DVec3, angular: DVec3| {
            let of = &self.moving[body];
            let (speeds, turns) = (of.inverse_mass * linear, of.inverse_inertia * angular);
            RowEnd { body, linear, angular, speeds, turns }
        };
        let side_a = side(self.frames.a, -row.linear, -row.angular_a);
        let side_b = side(self.frames.b, row.linear, row.angular_b);
        MechanismRow {
            joint: self.joint,
            slot,
            sides: [side_a, side_b],
            biases: [0.0; 2],
            gives: DVec3::ZERO,
            bound: Bound::None,
            is_active: true,
            accelerates: None,
        }
    }

    /// Returns the row of a single axis, cone or distance with the given aim.
    fn aimed(&self, slot: Slot, row: &Row, aim: Aim) -> MechanismRow {
        let mut made = self.row(slot, row);
        made.bound = Bound::Range { low: 0.0, high: 0.0 };
        let halves = [self.soft, Softness::RIGID].map(|softness| aim.terms(softness, self.h));
        if let [Some(soft), Some(rigid)] = halves {
            let is_bounded = soft.low.is_finite() || soft.high.is_finite();
            let range = Bound::Range { low: soft.low, high: soft.high };
            made.bound = if is_bounded { range } else { Bound::None };
            made.biases = [soft.bias, rigid.bias];
            made.gives.x = soft.gives;
        }
        made
    }

    /// Returns the row of a hard point along a world axis.
    fn point(&self, axis: usize) -> MechanismRow {
        let mut made = self.row(Slot::Point(axis), &self.frames.point_row(DVec3::AXES[axis]));
        let [a, b] = self.ends();
        let bend = self.frames.point_bend(a, b, self.h);
        made.biases[0] = bend[axis] + self.soft.bias_rate * self.frames.offset[axis];
        made
    }

    /// Returns one of the three rows of a pose drive's spring. `index`: index of the row among the
    /// three.
    fn pulled(&self, (slot, row): (Slot, Row), pull: Option<&Pull>, index: usize) -> MechanismRow {
        let mut made = self.row(slot, &row);
        made.bound = Bound::Length { most: pull.map_or(0.0, |pull| pull.most), index };
        if let Some(pull) = pull {
            made.biases = [pull.bias()[index]; 2];
            made.gives = pull.gives().row(index);
        }
        made
    }
}

/// A joint of a mechanism.
pub(super) struct MechanismJoint<'a> {
    /// Index among all joints.
    pub index: usize,
    pub joint: &'a Joint,
    pub frames: &'a Frames,
    pub impulses: &'a JointImpulses,
}

/// Adds the rows of a joint. `yields`: compliance added to that of each row.
pub(super) fn add_rows(
    rows: &mut Vec<MechanismRow>,
    &MechanismJoint { index, joint, frames, impulses }: &MechanismJoint,
    moving: &[Moving],
    yields: Yield,
    context: &RowContext,
) {
    let first = rows.len();
    let settings = context.settings;
    let soft = Softness::new(settings.joint_hertz, settings.joint_damping, 0.5, context.h);
    let maker = Maker { frames, joint: index, moving, soft, h: context.h };
    let scales = frames.drive_scales(joint, &impulses.responses, moving);
    frames.drive_rows(joint, (&scales, context.elapsed + context.h), |slot, row, aim| {
        let mut made = maker.aimed(slot, &row, aim);
        made.accelerates = slot.accelerates(joint);
        rows.push(made);
    });
    frames.bound_rows(joint, |slot, row, aim| {
        let mut made = maker.aimed(slot, &row, aim);
        let [a, b] = maker.ends();
        made.biases[0] += frames.row_bend(slot, a, b, context.h);
        rows.push(made);
    });
    if joint.has_hard_point() {
        rows.extend((0..3).map(|axis| maker.point(axis)));
    }
    if let Some(drive) = &joint.pose_drive {
        let [linear, angular] = frames.pulls(drive, maker.ends(), context);
        let along = |k: usize| (Slot::PoseLinear(k), frames.linear_row(DVec3::AXES[k]));
        let about = |k: usize| (Slot::PoseAngular(k), Row::angular(DVec3::AXES[k]));
        rows.extend((0..3).map(|k| maker.pulled(along(k), linear.as_ref(), k)));
        rows.extend((0..3).map(|k| maker.pulled(about(k), angular.as_ref(), k)));
    }
    for row in &mut rows[first..] {
        let (k, _) = row.gives();
        let is_linear = row.sides[1].linear != DVec3::ZERO;
        row.gives[k] += if is_linear { yields.linear } else { yields.angular };
    }
}
