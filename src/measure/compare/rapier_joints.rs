//! Joints in rapier3d: locked axes, limits and motors. In both engines, angles are those of frame b
//! relative to frame a. Features without a counterpart in rapier are listed.

use rapier3d::prelude::{GenericJoint, JointAxesMask, JointAxis, MotorModel, Pose as RapierPose};

use crate::body::{AxisRange, Drive, DriveKind, Joint, PoseDrive};
use crate::pose::Pose;
use crate::world::Aim;

const AXES: [JointAxis; 6] =
    [JointAxis::LinX, JointAxis::LinY, JointAxis::LinZ, JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ];
const SWINGS: JointAxesMask = JointAxesMask::ANG_Y.union(JointAxesMask::ANG_Z);
/// Damping of the motor that stands for dry friction, N·m·s/rad. It is so high that only the motor's
/// largest torque matters.
const HOLDING: f32 = 1e6;

/// Converts a pose to rapier's `f32`.
pub(super) fn narrow(pose: &Pose) -> RapierPose {
    RapierPose::from_parts(pose.position.as_vec3(), pose.rotation.as_quat())
}

/// Differences of rapier's joints, each with the names of the joints concerned.
#[derive(Default)]
pub(super) struct Differences(Vec<(&'static str, Vec<String>)>);

impl Differences {
    fn note(&mut self, joint: &Joint, what: &'static str) {
        match self.0.iter_mut().find(|(other, _)| *other == what) {
            Some((_, joints)) => joints.push(joint.name.clone()),
            None => self.0.push((what, vec![joint.name.clone()])),
        }
    }

    /// Returns one line per difference, with all joints concerned.
    pub fn lines(self) -> impl Iterator<Item = String> {
        self.0.into_iter().map(|(what, joints)| format!("{what}: {}", joints.join(", ")))
    }
}

/// Converts a joint. Features that rapier lacks are added to `unlike`.
pub(super) fn joint(joint: &Joint, unlike: &mut Differences) -> GenericJoint {
    let mut note = |what: &'static str| unlike.note(joint, what);
    let mut made = GenericJoint {
        local_frame1: narrow(&joint.frame_a),
        local_frame2: narrow(&joint.frame_b),
        ..GenericJoint::default()
    };
    for (index, axis) in joint.linear.iter().chain(&joint.angular).enumerate() {
        let of = AXES[index];
        match axis.range {
            AxisRange::Free => (),
            AxisRange::Locked => made.locked_axes |= JointAxesMask::from(of),
            AxisRange::Limited { min, max } => {
                let finite = |x: f64| (x as f32).clamp(-f32::MAX, f32::MAX);
                made.set_limits(of, [min, max].map(finite));
            }
        }
        if axis.soft.is_some() {
            note("soft limits are hard");
        }
        if let Some(drive) = &axis.drive {
            let [position, velocity, stiffness, damping] =
                [drive.position_target, drive.velocity_target, drive.stiffness, drive.damping]
                    .map(|x| x as f32);
            made.set_motor(of, position, velocity, stiffness, damping);
            made.set_motor_model(of, model(drive.kind));
            made.set_motor_max_force(of, drive.max_force.min(f32::MAX.into()) as f32);
        } else if index >= 3
            && joint.friction > 0.0
            && axis.range != AxisRange::Locked
            && joint.pose_drive.is_none()
        {
            made.set_motor(of, 0.0, 0.0, 0.0, HOLDING);
            made.set_motor_model(of, MotorModel::ForceBased);
            made.set_motor_max_force(of, joint.friction as f32);
        }
    }
    let is_driven = joint.pose_drive.is_some() || joint.angular.iter().any(|a| a.drive.is_some());
    let turning = joint.angular.iter().filter(|axis| axis.range != AxisRange::Locked).count();
    if joint.friction > 0.0 && is_driven {
        note("no friction, because the motors of the axes serve the drive");
    } else if joint.friction > 0.0 && turning > 1 {
        note("friction about each axis separately, not in total");
    }
    if joint.distance.is_some() {
        note("no limits on a distance over several axes");
    }
    if let Some(angle) = joint.cone {
        let swings = [&joint.angular[1], &joint.angular[2]];
        if swings.iter().any(|axis| axis.range != AxisRange::Free) {
            note("no cone, because the swings have ranges");
        } else {
            made.coupled_axes = SWINGS;
            made.set_limits(JointAxis::AngY, [0.0, angle as f32]);
            if joint.friction > 0.0 || swings.iter().any(|axis| axis.drive.is_some()) {
                note("neither friction nor drive of swings that a cone limits");
            }
        }
    }
    if let Some(drive) = &joint.pose_drive {
        aim(drive, &drive.target, &mut made);
        if made.coupled_axes == SWINGS {
            note("no drive to a pose of swings that a cone limits");
        }
    }
    made
}

/// Sets the motors of a joint to a target: the pose of frame b relative to frame a.
pub(super) fn aim(drive: &PoseDrive, target: &Pose, made: &mut GenericJoint) {
    let rotation = if target.rotation.w < 0.0 { -target.rotation } else { target.rotation };
    // rapier measures an angle about an axis as twice the arc sine of the quaternion's component.
    let angles = rotation.xyz().to_array().map(|x| 2.0 * libm::asin(x.clamp(-1.0, 1.0)));
    let places = target.position.to_array().into_iter().chain(angles);
    let velocities = drive.linear_velocity.to_array().into_iter().chain(drive.angular_velocity.to_array());
    for (index, (place, velocity)) in places.zip(velocities).enumerate() {
        let spring = if index < 3 { &drive.linear } else { &drive.angular };
        if (spring.stiffness == 0.0 && spring.damping == 0.0) || made.locked_axes.contains(AXES[index].into())
        {
            continue;
        }
        let [place, velocity, stiffness, damping] =
            [place, velocity, spring.stiffness, spring.damping].map(|x| x as f32);
        made.set_motor(AXES[index], place, velocity, stiffness, damping);
        made.set_motor_model(AXES[index], model(drive.kind));
        made.set_motor_max_force(AXES[index], spring.max_force.min(f32::MAX.into()) as f32);
    }
}

/// Sets the motor of one axis to the target of a control, for a step of `dt` seconds.
pub(super) fn aim_axis(drive: &Drive, aim: &Aim, dt: f64, made: &mut GenericJoint) {
    // rapier keeps a target constant over the whole step, so the target at the middle of the step is
    // set.
    let target = aim.target_after(0.5 * dt);
    let [target, velocity, stiffness, damping] =
        [target, aim.velocity, drive.stiffness, drive.damping].map(|x| x as f32);
    made.set_motor(AXES[aim.control.axis as usize], target, velocity, stiffness, damping);
}

fn model(kind: DriveKind) -> MotorModel {
    match kind {
        DriveKind::Force => MotorModel::ForceBased,
        DriveKind::Acceleration => MotorModel::AccelerationBased,
    }
}
