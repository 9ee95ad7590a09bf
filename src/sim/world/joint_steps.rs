//! State of the joints at the end of a step: their coordinates, their loads, and the deviations from
//! their targets.
//!
//! Forces, torques and efforts are means over the step, as for contacts. A joint whose bodies sleep
//! keeps the load that it had when they fell asleep. Cost: linear in the joints; no allocation.

use super::World;
use crate::arrays::MapEach;
use crate::body::{Activity, AxisRange, BodyState, Joint, Motion, WORLD};
use crate::pose::Pose;
use crate::solver::{rotation_vector, turned};

/// State of a joint at the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointStep {
    /// Force that the joint transmits from one body to the other, N.
    pub force: f64,
    /// Torque that the joint transmits, about the origin of frame b, N·m.
    pub torque: f64,
    /// Angle between the joint's pose and the target of its pose drive, rad; `None` without a pose
    /// drive that holds an angle.
    pub deviation: Option<f64>,
}

/// State of an axis of a joint at the end of a step. Coordinates are in m along an axis, and in rad
/// about one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisStep {
    pub coordinate: f64,
    /// Coordinate minus the target of the drive; `None` without a drive that holds a position.
    pub deviation: Option<f64>,
    /// Effort of the drive, N or N·m, positive if it increases the coordinate.
    pub effort: f64,
    /// True if a limit of the axis exerted a force in this step.
    pub is_at_limit: bool,
    /// True if the drive pushed with its largest effort while the joint did not move.
    pub is_stalled: bool,
}

/// Axes of a scene's joints that can move or are driven, in the order of the joints. Only these axes
/// are recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JointAxes {
    /// Joint and axis indices. Axes 0–2 are along, 3–5 about the axes of the joint's frame a.
    pub list: Vec<(u32, u32)>,
}

impl JointAxes {
    pub fn new(joints: &[Joint]) -> Self {
        let is_watched = |joint: &Joint, axis: u32| {
            let axis = joint.axis(axis);
            axis.range != AxisRange::Locked || axis.drive.is_some()
        };
        let of_joint = |(index, joint): (u32, &Joint)| {
            let watched = (0..6).filter(|&axis| is_watched(joint, axis));
            watched.map(move |axis| (index, axis)).collect::<Vec<_>>()
        };
        Self { list: (0..).zip(joints).flat_map(of_joint).collect() }
    }

    /// Returns the coordinate of every axis for the given poses of bodies. `angles` returns the angles
    /// of a joint, full rotations included, as in [`Bodies::angles`](crate::body::Bodies::angles).
    pub fn coordinates<'a>(
        &'a self,
        joints: &'a [Joint],
        pose: impl Fn(u32) -> Pose + 'a,
        angles: impl Fn(usize) -> [f64; 3] + 'a,
    ) -> impl Iterator<Item = f64> + 'a {
        self.list.iter().map(move |&(joint, axis)| {
            let of = &joints[joint as usize];
            let poses = [of.a, of.b].map_each(|body| if body == WORLD { Pose::IDENTITY } else { pose(body) });
            of.coordinate_seen(axis, &of.seen(poses), &angles(joint as usize))
        })
    }
}

/// State of the joints of a world after its last step.
#[derive(Default)]
pub(super) struct JointSteps {
    pub axes: JointAxes,
    pub joints: Vec<JointStep>,
    /// State of each of `axes`.
    pub of_axes: Vec<AxisStep>,
}

impl World {
    /// Returns the state of every joint after the last step.
    pub fn joint_steps(&self) -> &[JointStep] {
        &self.joint_steps.joints
    }

    /// Returns the axes of joints that can move or are driven, and the state of each after the last
    /// step.
    pub fn axis_steps(&self) -> (&JointAxes, &[AxisStep]) {
        (&self.joint_steps.axes, &self.joint_steps.of_axes)
    }

    /// Computes the state of the joints of a world that has not stepped yet.
    pub(super) fn begin_joints(&mut self) {
        let axes = JointAxes::new(&self.joints);
        let (states, angles) = (&self.bodies.states, &self.bodies.angles);
        let at = |coordinate| AxisStep { coordinate, ..AxisStep::default() };
        let pose = |body: u32| states[body as usize].pose;
        let of_axes = axes.coordinates(&self.joints, pose, |joint| angles[joint]).map(at).collect();
        let joints = vec![JointStep::default(); self.joints.len()];
        self.joint_steps = JointSteps { axes, joints, of_axes };
    }

    /// Updates the state of the joints at the end of a step whose last pass took `last` seconds.
    pub(super) fn read_joints(&mut self, last: f64) {
        let mut steps = std::mem::take(&mut self.joint_steps);
        let JointSteps { axes, joints, of_axes } = &mut steps;
        let (mut slots, mut list) = (&mut of_axes[..], &axes.list[..]);
        for (index, slot) in joints.iter_mut().enumerate() {
            let count = list.iter().take_while(|&&(joint, _)| joint as usize == index).count();
            let (own, rest) = slots.split_at_mut(count);
            self.read_joint(index, last, slot, own, &list[..count]);
            (slots, list) = (rest, &list[count..]);
        }
        self.joint_steps = steps;
    }

    /// Updates the state of one joint and its axes at the end of a step. A joint whose bodies sleep
    /// keeps its last state.
    fn read_joint(
        &self,
        index: usize,
        last: f64,
        slot: &mut JointStep,
        axes: &mut [AxisStep],
        list: &[(u32, u32)],
    ) {
        let joint = &self.joints[index];
        let ends = [joint.a, joint.b].map_each(|body| self.bodies.states.get(body as usize));
        if ends.iter().flatten().any(|state| state.activity == Activity::Quarantined) {
            *slot = JointStep::default();
            axes.iter_mut()
                .for_each(|axis| *axis = AxisStep { coordinate: axis.coordinate, ..AxisStep::default() });
            return;
        }
        let moves = |state: &&BodyState| state.motion != Motion::Static && state.is_awake();
        if !ends.iter().flatten().any(moves) {
            return;
        }
        let poses = ends.map_each(|state| state.map_or(Pose::IDENTITY, |state| state.pose));
        let seen = joint.seen(poses);
        let Some(load) = self.solver.load(index, joint, self.config.dt) else {
            // Neither body is movable: one sleeps, and the other is a kinematic body that moves.
            for (axis, &(_, number)) in axes.iter_mut().zip(list) {
                axis.coordinate = joint.coordinate_seen(number, &seen, &self.bodies.angles[index]);
            }
            return;
        };
        *slot = JointStep { force: load.force, torque: load.torque, deviation: off_pose(joint, &seen, last) };
        for (axis, &(_, number)) in axes.iter_mut().zip(list) {
            let coordinate = joint.coordinate_seen(number, &seen, &self.bodies.angles[index]);
            let speed = (coordinate - axis.coordinate).abs() / self.config.dt;
            let at_most = self.solver.is_drive_at_most(index, joint, number);
            *axis = AxisStep {
                coordinate,
                deviation: off_target(joint, number, coordinate, last),
                effort: load.efforts[number as usize],
                is_at_limit: load.is_at_limit[number as usize],
                is_stalled: at_most && self.is_slow(joint, number, speed),
            };
        }
    }

    /// Returns whether the bodies of a joint count as slow. `speed`: rate of the joint's coordinate,
    /// m/s or rad/s.
    fn is_slow(&self, joint: &Joint, axis: u32, speed: f64) -> bool {
        let reach = |(body, at): (u32, &Pose)| {
            let (state, info) =
                self.bodies.states.get(body as usize).zip(self.bodies.infos.get(body as usize))?;
            state.is_dynamic().then(|| (info.radius, info.radius + at.position.distance(state.center)))
        };
        let ends = [(joint.a, &joint.frame_a), (joint.b, &joint.frame_b)];
        ends.into_iter().filter_map(reach).all(|(radius, arm)| {
            let speed = if axis < 3 { speed } else { speed * arm };
            speed < self.solver.rest_speed(radius, self.gravity, self.config.dt)
        })
    }
}

/// Returns the deviation of a coordinate from the target of the drive at the end of a pass of `dt`
/// seconds; `None` without a drive that holds a position.
fn off_target(joint: &Joint, axis: u32, coordinate: f64, dt: f64) -> Option<f64> {
    let of = joint.axis(axis);
    let drive = of.drive.filter(|drive| drive.stiffness > 0.0)?;
    let off = coordinate - (drive.position_target + drive.target_speed * dt);
    let goes_round = axis > 2 && of.range == AxisRange::Free && !joint.counts_turns(axis as usize - 3);
    let turn = std::f64::consts::TAU;
    Some(if goes_round { off - turn * (off / turn).round() } else { off })
}

/// Returns the angle between a joint's pose and the target of its pose drive at the end of a pass of
/// `dt` seconds, rad. `None` without a pose drive that holds an angle.
fn off_pose(joint: &Joint, seen: &Pose, dt: f64) -> Option<f64> {
    let drive = joint.pose_drive.as_ref().filter(|drive| drive.angular.stiffness > 0.0)?;
    let target = turned(drive.target.rotation, drive.angular_velocity, dt);
    Some(rotation_vector(target.conjugate() * seen.rotation).length())
}
