//! Impulses of a joint, and its load in a step.

use glam::DVec3;

use super::joint_aims::Slot;
use super::joint_frames::Frames;
use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::{AxisRange, Joint};

/// Load of a joint: mean values over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointLoad {
    /// Force that the joint transmits through its locked axes, limits and drives together, N.
    pub force: f64,
    /// Torque that the joint transmits, about the origin of frame b, N·m.
    pub torque: f64,
    /// Force or torque of the drive of each axis, N or N·m: 0–2 along, 3–5 about the axis.
    pub efforts: [f64; 6],
    /// True if a limit of the axis (or a cone or distance that involves it) exerted an impulse.
    pub is_at_limit: [bool; 6],
}

/// A value of a joint for each of its rows, such as the impulse, N·s or N·m·s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByRow {
    pub point: DVec3,
    pub axis: [f64; 6],
    pub drive: [f64; 6],
    pub cone: f64,
    pub distance: f64,
    pub friction: DVec3,
    pub pose: ByPose,
}

impl ByRow {
    fn scaled(&self, scale: f64) -> Self {
        Self {
            point: scale * self.point,
            axis: self.axis.map_each(|impulse| scale * impulse),
            drive: self.drive.map_each(|impulse| scale * impulse),
            cone: scale * self.cone,
            distance: scale * self.distance,
            friction: scale * self.friction,
            pose: self.pose.scaled(scale),
        }
    }

    fn add(&mut self, other: &Self) {
        self.point += other.point;
        for axis in 0..6 {
            self.axis[axis] += other.axis[axis];
            self.drive[axis] += other.drive[axis];
        }
        self.cone += other.cone;
        self.distance += other.distance;
        self.friction += other.friction;
        self.pose.linear += other.pose.linear;
        self.pose.angular += other.pose.angular;
    }

    /// Returns the value of the row that `slot` specifies; 0 for axes that use no such row.
    pub fn slot(&self, slot: Slot) -> f64 {
        match slot {
            Slot::Point(axis) => self.point[axis],
            Slot::Axis(index) => self.axis[index],
            Slot::Drive(index) => self.drive[index],
            Slot::Cone => self.cone,
            Slot::Distance => self.distance,
            Slot::PoseLinear(axis) => self.pose.linear[axis],
            Slot::PoseAngular(axis) => self.pose.angular[axis],
        }
    }

    /// Returns a mutable reference to the value of the row that `slot` specifies.
    pub fn slot_mut(&mut self, slot: Slot) -> &mut f64 {
        match slot {
            Slot::Point(axis) => &mut self.point[axis],
            Slot::Axis(index) => &mut self.axis[index],
            Slot::Drive(index) => &mut self.drive[index],
            Slot::Cone => &mut self.cone,
            Slot::Distance => &mut self.distance,
            Slot::PoseLinear(axis) => &mut self.pose.linear[axis],
            Slot::PoseAngular(axis) => &mut self.pose.angular[axis],
        }
    }

    /// Returns whether the joint has an impulse along a direction that depends on its pose.
    fn has_directions(&self) -> bool {
        let along = self.axis.iter().chain(&self.drive);
        self.cone != 0.0 || self.distance != 0.0 || along.into_iter().any(|impulse| *impulse != 0.0)
    }

    /// Returns the linear impulse on b, summed over all rows, world, N·s.
    pub fn linear(&self, frames: &Frames) -> DVec3 {
        let along = |k: usize| (self.axis[k] + self.drive[k]) * frames.axes[k];
        let all = self.point + self.pose.linear + along(0) + along(1) + along(2);
        if self.distance == 0.0 { all } else { all + self.distance * frames.distance().1.linear }
    }

    /// Returns the angular impulse on b about the origin of its frame, summed over all rows, world,
    /// N·m·s.
    pub fn angular(&self, frames: &Frames) -> DVec3 {
        let mut all = self.friction + self.pose.angular + self.cone * frames.cone_row().angular_b;
        for index in 3..6 {
            let impulse = self.axis[index] + self.drive[index];
            if impulse != 0.0 {
                all += impulse * frames.row(index).angular_b;
            }
        }
        all
    }
}

/// A vector for each of the two springs of a pose drive, world axes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByPose {
    pub linear: DVec3,
    pub angular: DVec3,
}

impl ByPose {
    /// Returns both vectors multiplied by `scale`.
    pub fn scaled(&self, scale: f64) -> Self {
        Self { linear: scale * self.linear, angular: scale * self.angular }
    }
}

/// All joints of a scene, with the impulses of each.
#[derive(Clone, Copy)]
pub(super) struct Joined<'a> {
    pub joints: &'a [Joint],
    pub impulses: &'a [JointImpulses],
}

/// All joints of a scene, with the impulses of each for modification.
pub(super) struct JoinedMut<'a> {
    pub joints: &'a [Joint],
    pub impulses: &'a mut [JointImpulses],
}

/// Impulses and angles of a joint, kept between sub-steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JointImpulses {
    /// Angles at the end of the last sub-step, as in [`Bodies::angles`](crate::body::Bodies::angles),
    /// rad.
    pub angles: [f64; 3],
    /// Response of the whole mechanism to an impulse of a drive that sets an acceleration, by axis,
    /// 1/kg or 1/(kg·m²); 0 if unknown.
    pub responses: [f64; 6],
    /// Impulses of the last sub-step.
    pub last: ByRow,
    /// Part of `last` that acts in the half of the sub-step that is not being solved. In the first half it
    /// is half the impulses of the previous sub-step.
    pub other_half: ByRow,
    /// Distances of springs to their targets at the start of the sub-step, m or rad.
    pub stretches: ByRow,
    /// Sum of the impulses of all finished sub-steps since the step began.
    sum: ByRow,
}

impl JointImpulses {
    /// Scales the impulses of the last sub-step so that equal forces act in a sub-step that is `scale`
    /// times as long.
    pub fn scale(&mut self, scale: f64) {
        self.last = self.last.scaled(scale);
    }

    /// Resets the sum at the start of a step.
    pub fn begin_step(&mut self) {
        self.sum = ByRow::default();
    }

    /// Adds the impulses of a finished sub-step to the sum.
    pub fn add_up(&mut self) {
        self.sum.add(&self.last);
    }

    /// Begins a sub-step, which starts from the impulses of the last one, half of them in each half.
    pub fn halve(&mut self) {
        self.other_half = self.last.scaled(0.5);
    }

    /// Begins the second half of a sub-step.
    pub fn change_half(&mut self) {
        let mut first = self.last;
        first.add(&self.other_half.scaled(-1.0));
        self.other_half = first;
    }

    /// Returns the load of the joint in a step of `dt` seconds. Calls `frames` only if the load depends
    /// on the pose of the joint.
    pub fn load(&self, joint: &Joint, frames: impl FnOnce() -> Option<Frames>, dt: f64) -> JointLoad {
        let rate = 1.0 / dt;
        let mut load = [self.sum.point + self.sum.pose.linear, self.sum.friction + self.sum.pose.angular];
        if self.sum.has_directions()
            && let Some(frames) = frames()
        {
            load = [self.sum.linear(&frames), self.sum.angular(&frames)];
        }
        let limits = |axis: u32| {
            let is_limited = matches!(joint.axis(axis).range, AxisRange::Limited { .. });
            is_limited && self.sum.axis[axis as usize] != 0.0
        };
        let has_cone = self.sum.cone != 0.0;
        let distance = joint.distance.filter(|d| d.min < d.max && self.sum.distance != 0.0);
        let is_at_limit = [0, 1, 2, 3, 4, 5].map_each(|axis| {
            let of_distance = axis < 3 && distance.is_some_and(|d| d.axes[axis as usize]);
            limits(axis) || of_distance || (has_cone && axis > 3)
        });
        JointLoad {
            force: rate * load[0].length(),
            torque: rate * load[1].length(),
            efforts: self.sum.drive.map_each(|impulse| rate * impulse),
            is_at_limit,
        }
    }

    /// Returns the velocity (m/s, at the body's radius of gyration) that the joint's axes, cone and
    /// distance gave a body in the last sub-step.
    pub fn velocity_given(&self, body: &Moving) -> f64 {
        let along = |k: usize| self.last.axis[k] + self.last.drive[k];
        let push = self.last.point.length()
            + DVec3::new(along(0), along(1), along(2)).length()
            + self.last.distance.abs();
        let twist = DVec3::new(along(3), along(4), along(5)).length() + self.last.cone.abs();
        body.velocity_of(push, twist)
    }

    /// Returns the magnitude of the impulse of an axis's drive in the last sub-step, N·s or N·m·s.
    pub fn drives_with(&self, axis: u32) -> f64 {
        self.last.drive[axis as usize].abs()
    }

    /// Returns the linear impulse on b in the last sub-step, world, N·s.
    pub fn linear(&self, frames: &Frames) -> DVec3 {
        self.last.linear(frames)
    }
}
