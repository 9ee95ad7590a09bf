//! Joints as rapier3d has them: locked axes, limits, motors. Angles are those of frame b seen from frame a in
//! both; what rapier's rows do not say is listed.

use rapier3d::prelude::{GenericJoint, JointAxesMask, JointAxis, MotorModel};

use super::rapier::narrow;
use crate::body::{AxisRange, DriveKind, Joint, PoseDrive};
use crate::pose::Pose;

const AXES: [JointAxis; 6] =
    [JointAxis::LinX, JointAxis::LinY, JointAxis::LinZ, JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ];
const SWINGS: JointAxesMask = JointAxesMask::ANG_Y.union(JointAxesMask::ANG_Z);
/// Damping, N·m·s/rad, of the motor that stands for dry friction: it is held by its largest torque alone.
const HOLDING: f32 = 1e6;

/// The joint; what of it is left out goes to `unmapped`.
pub(super) fn joint(joint: &Joint, unmapped: &mut Vec<String>) -> GenericJoint {
    let mut note = |what: &str| unmapped.push(format!("{}: {what}", joint.name));
    let mut made = GenericJoint {
        local_frame1: narrow(&joint.frame_a),
        local_frame2: narrow(&joint.frame_b),
        contacts_enabled: joint.collide,
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
            note("a limit that gives: rapier's is hard");
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
        note("its friction: the motors of its axes are its drive's");
    } else if joint.friction > 0.0 && turning > 1 {
        note("its friction: rapier has that much about each axis, tumble in all");
    }
    if let Some(angle) = joint.cone {
        let swings = [&joint.angular[1], &joint.angular[2]];
        if swings.iter().any(|axis| axis.range != AxisRange::Free) {
            note("its cone: rapier has either a cone or ranges of the swings");
        } else {
            made.coupled_axes = SWINGS;
            made.set_limits(JointAxis::AngY, [0.0, angle as f32]);
            if joint.friction > 0.0 || swings.iter().any(|axis| axis.drive.is_some()) {
                note("what resists or drives its swings: rapier has no motors about a cone");
            }
        }
    }
    if let Some(drive) = &joint.pose_drive {
        aim(drive, &drive.target, &mut made);
        if made.coupled_axes == SWINGS {
            note("its drive about the swings: rapier drives no cone");
        }
    }
    made
}

/// Sets the motors of a joint to a target, frame b → frame a.
pub(super) fn aim(drive: &PoseDrive, target: &Pose, made: &mut GenericJoint) {
    let rotation = if target.rotation.w < 0.0 { -target.rotation } else { target.rotation };
    // rapier's angle about an axis is twice the arc sine of the quaternion's component.
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

fn model(kind: DriveKind) -> MotorModel {
    match kind {
        DriveKind::Force => MotorModel::ForceBased,
        DriveKind::Acceleration => MotorModel::AccelerationBased,
    }
}
