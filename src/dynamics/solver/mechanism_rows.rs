//! Rows of mechanisms: their directions on the two bodies, their equations, and the responses of rows
//! to each other. The joints of a mechanism are solved directly together.

use glam::DVec3;

use super::contact_rows::RowContext;
use super::joint_aims::{Aim, Slot};
use super::joint_frames::{Frames, Row};
use super::joint_impulses::{ByPose, ByRow, JointImpulses};
use super::joint_poses::PoseSpring;
use super::moving::Moving;
use super::settings::Softness;
use super::spring_law::{Half, Swing};
use crate::arrays::MapEach;
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

/// Equation of a row: velocity + bias + gives · impulses of its group = 0, with the impulses of the
/// present half of the sub-step. A group is one row, or three rows that share a bound.
pub(super) struct MechanismRow {
    joint: usize,
    slot: Slot,
    sides: [RowEnd; 2],
    /// Upper bounds of the sums of the lengths of the linear and of the angular directions.
    lengths: [f64; 2],
    /// Velocity along this row that an impulse of 1 along it adds.
    pub response: f64,
    /// Bias velocity in the first half (errors are pushed out) and in the second half (relax), m/s or
    /// rad/s.
    biases: [f64; 2],
    /// Error of a locked coordinate that a sub-step leaves, m or rad; `None` for other rows.
    leaves: Option<f64>,
    /// Compliance of the row to each impulse of its group, in the first and in the second half.
    gives: [DVec3; 2],
    /// Distance of a spring to its target at the poses of the row, m or rad.
    stretch: f64,
    pub bound: Bound,
    /// True if the row's equation is solved; otherwise its impulse stays at its bound.
    pub is_active: bool,
    /// Impulse in the whole sub-step, and its part in the half that is not being solved, N·s or N·m·s. Rows
    /// keep their own while a half is solved, because joints look them up by their slot.
    impulse: f64,
    other_half: f64,
    /// Axis of the drive, if the row belongs to a drive whose force depends on the response of the whole
    /// mechanism.
    asks: Option<usize>,
    /// Response of the whole mechanism to the drive, 1/kg or 1/(kg·m²), if it was computed.
    response_of_all: Option<f64>,
}

/// Compliance of the hard rows of a mechanism: 1/kg for linear rows, 1/(kg·m²) for angular rows.
#[derive(Clone, Copy)]
pub(super) struct Yield {
    pub linear: f64,
    pub angular: f64,
}

impl MechanismRow {
    /// Returns the residual of the equation. `impulses`: the impulses of the row's group in this half.
    #[inline]
    pub fn residual(&self, moving: &[Moving], impulses: DVec3, half: Half) -> f64 {
        self.velocity(moving) + self.biases[half as usize] + self.gives[half as usize].dot(impulses)
    }

    /// Returns the residual of the equation if both bodies stood still.
    pub fn residual_at_rest(&self, impulses: DVec3, half: Half) -> f64 {
        self.biases[half as usize] + self.gives[half as usize].dot(impulses)
    }

    /// Returns an upper bound of the velocity along the row, m/s or rad/s. `fastest`: greatest speed of a
    /// body, m/s and rad/s.
    pub fn greatest_velocity(&self, [linear, angular]: [f64; 2]) -> f64 {
        self.lengths[0] * linear + self.lengths[1] * angular
    }

    /// Notes the response of the whole mechanism to a drive. `sum`: the row's impulse that solves a residual
    /// of 1 in this half while all other equations hold.
    pub fn note_response(&mut self, sum: f64, half: Half) {
        if sum > 0.0 {
            self.response_of_all = Some((1.0 / sum - self.gives[half as usize].x).max(0.0));
        }
    }

    /// Takes the impulses from the row's joint.
    pub fn take_impulse(&mut self, impulses: &[JointImpulses]) {
        let JointImpulses { last, other_half, .. } = &impulses[self.joint];
        (self.impulse, self.other_half) = (last.slot(self.slot), other_half.slot(self.slot));
    }

    /// Hands the impulse on to the row's joint, and the response of the whole mechanism.
    pub fn hand_on(&self, impulses: &mut [JointImpulses]) {
        let joint = &mut impulses[self.joint];
        *joint.last.slot_mut(self.slot) = self.impulse;
        if let (Some(axis), Some(response)) = (self.asks, self.response_of_all) {
            joint.responses[axis] = response;
        }
    }

    /// Stores the distance of the row's spring to its target for the end of the sub-step.
    pub fn note_stretch(&self, impulses: &mut [JointImpulses]) {
        *impulses[self.joint].stretches.slot_mut(self.slot) = self.stretch;
    }

    /// Returns whether the two halves of a sub-step give this row different compliances.
    pub fn differs(&self) -> bool {
        self.gives[0] != self.gives[1]
    }

    /// Corrects the bias of the first half, so that the equation of a locked coordinate is that of its
    /// error at the end of the sub-step. `error`: the error at the poses to which the present velocities
    /// lead, m or rad.
    fn aim(&mut self, error: f64, Outlook { moving, h, most }: Outlook) {
        let Some(leaves) = self.leaves else { return };
        let bias = (error - leaves) / h - self.velocity(moving);
        let missed = h * (bias - self.biases[Half::Push as usize]).abs();
        if missed <= most[usize::from(self.is_linear())] {
            self.biases[Half::Push as usize] = bias;
        }
    }

    /// Returns the relative velocity of the two bodies along the row, m/s or rad/s.
    #[inline]
    fn velocity(&self, moving: &[Moving]) -> f64 {
        let of = |s: &RowEnd| s.linear.dot(moving[s.body].linear) + s.angular.dot(moving[s.body].angular);
        of(&self.sides[0]) + of(&self.sides[1])
    }

    fn is_linear(&self) -> bool {
        self.sides[1].linear != DVec3::ZERO
    }

    /// Returns whether the row is active and its force depends on the response of the whole mechanism.
    pub fn asks(&self) -> bool {
        self.is_active && self.asks.is_some()
    }

    /// Returns the row's impulse in the whole sub-step and in the present half, N·s or N·m·s.
    #[inline]
    pub fn impulse(&self) -> [f64; 2] {
        [self.impulse, self.impulse - self.other_half]
    }

    /// Applies half the impulse of the last sub-step.
    pub fn warm_start(&self, moving: &mut [Moving], impulses: &[JointImpulses]) {
        self.act(moving, impulses[self.joint].other_half.slot(self.slot));
    }

    /// Adds `impulse` to the row's impulse and applies it.
    #[inline]
    pub fn push(&mut self, moving: &mut [Moving], impulse: f64) {
        self.impulse += impulse;
        self.act(moving, impulse);
    }

    #[inline]
    fn act(&self, moving: &mut [Moving], impulse: f64) {
        for side in &self.sides {
            let body = &mut moving[side.body];
            body.linear += impulse * side.speeds;
            body.angular += impulse * side.turns;
        }
    }

    /// Returns the velocity along this row that an impulse of 1 along the other row adds. `shared`: the
    /// ends of both rows that act on the same body.
    #[inline]
    pub fn answer(&self, other: &Self, shared: &Shared) -> f64 {
        let mut sum = 0.0;
        for (own, shared) in self.sides.iter().zip(shared) {
            for (side, _) in other.sides.iter().zip(shared).filter(|(_, is_shared)| **is_shared) {
                sum += own.linear.dot(side.speeds) + own.angular.dot(side.turns);
            }
        }
        sum
    }

    /// Returns the number of rows in the group of this row.
    #[inline]
    pub fn group_size(&self) -> usize {
        if matches!(self.bound, Bound::Length { .. }) { 3 } else { 1 }
    }

    /// Returns the row's index within its group, and the compliance of this row to the impulse of each
    /// row of the group.
    pub fn gives(&self, half: Half) -> (usize, DVec3) {
        let index = if let Bound::Length { index, .. } = self.bound { index } else { 0 };
        (index, self.gives[half as usize])
    }
}

/// Data from which the rows of a joint are made.
struct Maker<'a> {
    frames: &'a Frames,
    joint: usize,
    moving: &'a [Moving],
    /// Distances of the joint's springs to their targets at the start of the sub-step that ends.
    began: &'a ByRow,
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
        let own = |side: &RowEnd| side.linear.dot(side.speeds) + side.angular.dot(side.turns);
        let lengths = [
            side_a.linear.length() + side_b.linear.length(),
            side_a.angular.length() + side_b.angular.length(),
        ];
        MechanismRow {
            joint: self.joint,
            slot,
            // Rounding of the velocity.
            lengths: lengths.map_each(|length| (1.0 + 1e-9) * length),
            response: own(&side_a) + own(&side_b),
            sides: [side_a, side_b],
            biases: [0.0; 2],
            leaves: None,
            stretch: 0.0,
            gives: [DVec3::ZERO; 2],
            bound: Bound::None,
            is_active: true,
            impulse: 0.0,
            other_half: 0.0,
            asks: None,
            response_of_all: None,
        }
    }

    /// Returns the row of a single axis, cone or distance with the given aim. `response`: velocity that an
    /// impulse of 1 adds in the whole mechanism, 0 if unknown.
    fn aimed(&self, slot: Slot, row: &Row, aim: Aim, response: f64) -> MechanismRow {
        let mut made = self.row(slot, row);
        made.bound = Bound::Range { low: 0.0, high: 0.0 };
        made.stretch = aim.stretch();
        let response = if response > 0.0 { response } else { made.response };
        let terms =
            |half, softness| aim.terms(softness, self.began.slot(slot), Swing { half, h: self.h, response });
        if let [Some(soft), Some(rigid)] = [terms(Half::Push, self.soft), terms(Half::Relax, Softness::RIGID)]
        {
            let is_bounded = soft.low.is_finite() || soft.high.is_finite();
            let range = Bound::Range { low: soft.low, high: soft.high };
            made.bound = if is_bounded { range } else { Bound::None };
            made.biases = [soft.bias, rigid.bias];
            made.leaves = aim.error().map(|error| error - self.h * soft.bias);
            made.gives = [soft.gives * DVec3::X, rigid.gives * DVec3::X];
        }
        made
    }

    /// Returns the row of an axis's drive.
    fn drive(
        &self,
        (slot, row): (Slot, Row),
        aim: Aim,
        (joint, impulses): (&Joint, &JointImpulses),
    ) -> MechanismRow {
        let Slot::Drive(axis) = slot else { return self.aimed(slot, &row, aim, 0.0) };
        let mut made = self.aimed(slot, &row, aim, impulses.responses[axis]);
        // A spring that is too fast for two bodies alone may be slow in the whole mechanism.
        let asks = slot.accelerates(joint).is_some() || aim.is_stiff(made.response, self.h);
        made.asks = asks.then_some(axis);
        made
    }

    /// Returns the row of a hard point along a world axis.
    fn point(&self, axis: usize) -> MechanismRow {
        let mut made = self.row(Slot::Point(axis), &self.frames.point_row(DVec3::AXES[axis]));
        made.biases[0] = self.soft.bias_rate * self.frames.offset[axis];
        made.leaves = Some((1.0 - self.h * self.soft.bias_rate) * self.frames.offset[axis]);
        made
    }

    /// Returns one of the three rows of a pose drive's spring. `index`: index of the row among the
    /// three.
    fn pulled(&self, (slot, row): (Slot, Row), spring: &PoseSpring, index: usize) -> MechanismRow {
        let mut made = self.row(slot, &row);
        let ByPose { linear, angular } = self.began.pose;
        let began = if made.is_linear() { linear } else { angular };
        made.bound = Bound::Length { most: 0.0, index };
        made.stretch = spring.off[index];
        if let [Some(first), Some(second)] =
            [Half::Push, Half::Relax].map(|half| spring.pull(began, half, self.h))
        {
            made.bound = Bound::Length { most: first.most, index };
            made.biases = [first.bias[index], second.bias[index]];
            made.gives = [first.gives.row(index), second.gives.row(index)];
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

/// Adds the rows of a joint. `yields`: compliance of the hard ones.
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
    let maker = Maker { frames, joint: index, moving, began: &impulses.stretches, soft, h: context.h };
    let scales = frames.drive_scales(joint, &impulses.responses, moving);
    frames.drive_rows(joint, (&scales, context.elapsed), |slot, row, aim| {
        rows.push(maker.drive((slot, row), aim, (joint, impulses)));
    });
    frames.bound_rows(joint, |slot, row, aim| {
        rows.push(maker.aimed(slot, &row, aim, 0.0));
    });
    if joint.has_hard_point() {
        rows.extend((0..3).map(|axis| maker.point(axis)));
    }
    if let Some(drive) = &joint.pose_drive {
        let [linear, angular] = frames.pose_springs(drive, maker.ends(), context.elapsed);
        let along = |k: usize| (Slot::PoseLinear(k), frames.linear_row(DVec3::AXES[k]));
        let about = |k: usize| (Slot::PoseAngular(k), Row::angular(DVec3::AXES[k]));
        rows.extend((0..3).map(|k| maker.pulled(along(k), &linear, k)));
        rows.extend((0..3).map(|k| maker.pulled(about(k), &angular, k)));
    }
    for row in rows[first..].iter_mut().filter(|row| row.gives == [DVec3::ZERO; 2]) {
        let own = if row.is_linear() { yields.linear } else { yields.angular };
        let (k, _) = row.gives(Half::Push);
        row.gives.iter_mut().for_each(|gives| gives[k] += own);
    }
}

/// Adds the curvature of the paths of the bodies in a sub-step of `h` seconds, at the velocities with which
/// it begins, to the rows of a joint, made by [`add_rows`].
pub(super) fn bend_rows(
    rows: &mut [MechanismRow],
    joint: &Joint,
    frames: &Frames,
    (moving, h): (&[Moving], f64),
) {
    let [a, b] = [&moving[frames.a], &moving[frames.b]];
    let bends = frames.point_bend(a, b, h);
    for row in &mut rows[drive_count(joint)..] {
        row.biases[Half::Push as usize] += match row.slot {
            Slot::Point(axis) => bends[axis],
            slot => frames.row_bend(slot, a, b, h),
        };
    }
}

/// Returns the number of rows of a joint's drives of single axes, which come first.
fn drive_count(joint: &Joint) -> usize {
    joint.linear.iter().chain(&joint.angular).filter(|axis| axis.drive.is_some()).count()
}

/// Bodies at the start of a sub-step, with the velocities that lead to its end.
#[derive(Clone, Copy)]
pub(super) struct Outlook<'a> {
    pub moving: &'a [Moving],
    /// Duration of the sub-step, s.
    pub h: f64,
    /// Largest correction of an angular and of a linear row, rad and m. A larger one is none, but a sign that
    /// the coordinate jumps.
    pub most: [f64; 2],
}

/// Corrects the rows of a joint's locked coordinates, made by [`add_rows`], for its frames `ahead` at the
/// end of the sub-step.
pub(super) fn aim_rows(rows: &mut [MechanismRow], joint: &Joint, ahead: &Frames, outlook: Outlook) {
    let mut rows = rows[drive_count(joint)..].iter_mut();
    ahead.bound_rows(joint, |_, _, aim| {
        if let (Some(row), Some(error)) = (rows.next(), aim.error()) {
            row.aim(error, outlook);
        }
    });
    if joint.has_hard_point() {
        rows.zip(ahead.offset.to_array()).for_each(|(row, error)| row.aim(error, outlook));
    }
}
