//! Gaps and twists of joints. One measure for all engines, from the poses of the bodies after each step.

use super::result::{ContenderResult, JointPeak};
use crate::body::{Bodies, Joint};

/// Keeps the gaps and twists of the joints after a step in `result`, where they are the largest so far.
pub fn note(joints: &[Joint], step: u32, bodies: &Bodies, result: &mut ContenderResult) {
    for joint in joints {
        let seen = joint.seen(joint.poses(&bodies.states));
        keep(&mut result.joint_gap, joint, step, joint.gap(&seen));
        keep(&mut result.joint_twist, joint, step, joint.twist(&seen));
    }
}

fn keep(largest: &mut Option<JointPeak>, joint: &Joint, step: u32, value: Option<f64>) {
    if let Some(value) = value
        && largest.as_ref().is_none_or(|peak| value > peak.value)
    {
        *largest = Some(JointPeak { joint: joint.name.clone(), step, value });
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::body::AxisRange;
    use crate::compare::tests::by_hand::{index, scene, scripted, seen, shift};
    use crate::scene::Scene;

    /// Returns the scene of the tests by hand, in which a hinge about y connects arm and hand, and a
    /// ball joint lid and case.
    fn hinged() -> Scene {
        let mut scene = scene();
        for (joint, angular) in [(0, [true, false, true]), (1, [false; 3])] {
            let joint = &mut scene.joints[joint];
            let [a, b] = [joint.a, joint.b].map(|body| scene.bodies[body as usize].pose);
            joint.frame_a = b.relative_to(&a);
            joint.linear.iter_mut().for_each(|axis| axis.range = AxisRange::Locked);
            for (axis, is_locked) in joint.angular.iter_mut().zip(angular) {
                axis.range = if is_locked { AxisRange::Locked } else { AxisRange::Free };
            }
        }
        scene
    }

    #[test]
    fn each_contender_has_the_gap_and_twist_of_its_own_bodies_with_joint_and_step() {
        let scene = hinged();
        let own = scripted(&scene, 4, |step, states| {
            shift(states, "hand", [if step == 2 { 0.25 } else { 0.125 }, 0.0, 0.0]);
            let angle: f64 = if step == 3 { 0.5 } else { 0.0 };
            states[index("hand")].pose.rotation = DQuat::from_axis_angle(DVec3::Z, angle);
            // The ball joint allows every rotation.
            states[index("case")].pose.rotation = DQuat::from_axis_angle(DVec3::Z, 2.0);
        });
        let other = scripted(&scene, 4, |step, states| {
            shift(states, "lid", [0.0, if step >= 3 { 0.5 } else { 0.0 }, 0.0]);
            states[index("hand")].pose.rotation = DQuat::from_axis_angle(DVec3::Y, 1.0);
        });
        let ([own, other], _) = seen(&scene, [4, 4], [own, other]);
        let peak = |joint: usize, step, value| {
            Some(JointPeak { joint: scene.joints[joint].name.clone(), step, value })
        };
        assert_eq!((own.joint_gap, other.joint_gap), (peak(0, 2, 0.25), peak(1, 3, 0.5)));
        let [own, other] = [own.joint_twist.unwrap(), other.joint_twist.unwrap()];
        assert_eq!((own.step, &own.joint), (3, &scene.joints[0].name));
        assert!((own.value - 0.5).abs() < 1e-12 && other.value < 1e-12, "{own:?} {other:?}");
    }

    #[test]
    fn free_joints_have_neither_gap_nor_twist() {
        let scene = scene();
        let script = scripted(&scene, 1, |_, states| shift(states, "hand", [1.0, 0.0, 0.0]));
        let ([found], _) = seen(&scene, [1, 1], [script]);
        assert_eq!((found.joint_gap, found.joint_twist), (None, None));
    }
}
