//! Use of the joints over a run: their range, their greatest load, and the steps in which they stalled.
//!
//! Input: the joints after each step, of a world or of a recording. Cost: linear in the joints; no
//! allocation.

use super::World;
use super::events::{Event, Events};
use super::joint_steps::{AxisStep, JointAxes, JointStep};

/// A greatest value, and the first step in which it occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    pub value: f64,
    pub step: u32,
}

/// The steps in which a condition held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    pub first_step: u32,
    pub last_step: u32,
    pub step_count: u32,
}

/// Use of a joint over a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointUse {
    /// Index of the joint.
    pub joint: u32,
    /// Greatest force that the joint transmitted, a mean over a step, N.
    pub force: Peak,
    /// Greatest torque that the joint transmitted, a mean over a step, N·m.
    pub torque: Peak,
    /// Greatest angle from the target of its pose drive at the end of a step, rad; `None` without a
    /// pose drive.
    pub deviation: Option<Peak>,
    /// Axes that can move or are driven.
    pub axes: Vec<AxisUse>,
}

/// Use of an axis of a joint over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisUse {
    /// Axis: 0–2 along, 3–5 about the axes of the joint's frame a.
    pub axis: u32,
    /// Least and greatest coordinate at the end of a step or at the start, m or rad.
    pub range: [f64; 2],
    /// Greatest deviation from the target of the axis's drive, m or rad.
    pub deviation: Option<Peak>,
    /// Greatest effort of the axis's drive, a mean over a step, N or N·m.
    pub effort: Peak,
    /// Steps in which a limit exerted a force.
    pub at_limit: Times,
    /// Steps in which the drive stalled.
    pub stalled: Times,
}

/// Use of all joints over a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointUses {
    list: Vec<JointUse>,
    /// State of each axis in the last step: at a limit, and with a stalled drive.
    was: Vec<[bool; 2]>,
}

impl Peak {
    fn see(&mut self, value: f64, step: u32) {
        if value > self.value {
            *self = Self { value, step };
        }
    }

    fn see_some(peak: &mut Option<Self>, value: Option<f64>, step: u32) {
        if let Some(value) = value {
            peak.get_or_insert(Self { value: 0.0, step }).see(value, step);
        }
    }
}

impl Times {
    fn see(&mut self, is_so: bool, step: u32) {
        if is_so {
            self.first_step = if self.step_count == 0 { step } else { self.first_step };
            self.last_step = step;
            self.step_count += 1;
        }
    }
}

impl JointUses {
    /// Makes the table of `joint_count` joints. `coordinates`: coordinates of the axes at the start.
    pub fn new(joint_count: usize, axes: &JointAxes, coordinates: impl Iterator<Item = f64>) -> Self {
        let one = |joint: usize| JointUse { joint: joint as u32, ..JointUse::default() };
        let mut list: Vec<JointUse> = (0..joint_count).map(one).collect();
        for (&(joint, axis), at) in axes.list.iter().zip(coordinates) {
            list[joint as usize].axes.push(AxisUse { axis, range: [at, at], ..AxisUse::default() });
        }
        Self { list, was: vec![[false; 2]; axes.list.len()] }
    }

    /// Returns the joints, in the order of the scene.
    pub fn list(&self) -> &[JointUse] {
        &self.list
    }

    /// Adds the state of the joints and their axes after a step. Adds an event for each axis that
    /// reached a limit or stalled.
    pub fn see(&mut self, step: u32, joints: &[JointStep], axes: &[AxisStep], events: &mut Events) {
        let mut axes = axes.iter().zip(&mut self.was);
        for (used, now) in self.list.iter_mut().zip(joints) {
            used.force.see(now.force, step);
            used.torque.see(now.torque, step);
            Peak::see_some(&mut used.deviation, now.deviation, step);
            for (used_axis, (now, was)) in used.axes.iter_mut().zip(&mut axes) {
                let (joint, axis) = (used.joint, used_axis.axis);
                if now.is_at_limit && !was[0] {
                    events.tell(Event::JointAtLimit { joint, axis });
                }
                if now.is_stalled && !was[1] {
                    events.tell(Event::DriveStalled { joint, axis });
                }
                *was = [now.is_at_limit, now.is_stalled];
                used_axis.see(step, now);
            }
        }
    }
}

impl AxisUse {
    fn see(&mut self, step: u32, now: &AxisStep) {
        self.range = [self.range[0].min(now.coordinate), self.range[1].max(now.coordinate)];
        Peak::see_some(&mut self.deviation, now.deviation.map(f64::abs), step);
        self.effort.see(now.effort.abs(), step);
        self.at_limit.see(now.is_at_limit, step);
        self.stalled.see(now.is_stalled, step);
    }
}

impl World {
    /// Returns the use of the joints so far, in the order of the scene.
    pub fn joint_uses(&self) -> &[JointUse] {
        self.joint_uses.list()
    }

    /// Records the use of the joints in a step whose last pass took `last` seconds.
    pub(super) fn note_joints(&mut self, last: f64) {
        self.read_joints(last);
        let (joints, axes) = (&self.joint_steps.joints, &self.joint_steps.of_axes);
        self.joint_uses.see(self.step_index + 1, joints, axes, &mut self.events);
    }
}
