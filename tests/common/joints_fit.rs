//! The claim that the joints of a scene are satisfied at the start.

use glam::DVec3;
use tumble::body::{AxisRange, WORLD};
use tumble::scene::Scene;

/// Asserts that the two frames of a joint coincide at the start on every axis that it locks.
pub fn assert_joints_fit(scene: &Scene, tolerance: f64) {
    let pose = |body: u32| match body {
        WORLD => tumble::pose::Pose::IDENTITY,
        body => scene.bodies[body as usize].pose,
    };
    for joint in &scene.joints {
        let (a, b) = (pose(joint.a) * joint.frame_a, pose(joint.b) * joint.frame_b);
        let between = b.relative_to(&a);
        for (k, axis) in joint.linear.iter().enumerate() {
            let off = between.position[k].abs();
            assert!(axis.range != AxisRange::Locked || off < tolerance, "{}: {off} m apart", joint.name);
        }
        if joint.angular[1].range == AxisRange::Locked && joint.angular[2].range == AxisRange::Locked {
            let along = (between.rotation * DVec3::X).x;
            assert!(along > 1.0 - tolerance, "{}: axes differ, cosine {along}", joint.name);
        }
    }
}
