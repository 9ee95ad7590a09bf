//! What hangs on a joint: the inertia that its drive moves.

use std::collections::BTreeSet;

use glam::DVec3;

use super::Scene;
use crate::body::{Joint, Motion};
use crate::pose::Pose;

/// Which joints hold which bodies of a scene.
pub(super) struct Burdens {
    /// By body, the indices of its joints.
    joints_of: Vec<Vec<usize>>,
}

impl Burdens {
    pub fn new(scene: &Scene) -> Self {
        let mut joints_of = vec![Vec::new(); scene.bodies.len()];
        for (index, joint) in scene.joints.iter().enumerate() {
            for body in [joint.a, joint.b] {
                if let Some(joints) = joints_of.get_mut(body as usize) {
                    joints.push(index);
                }
            }
        }
        Self { joints_of }
    }

    /// Returns the inertia about the x axis of a joint, kg·m², or for one that slides the mass, kg, by which
    /// it resists its drive: of what hangs on its body b and, where body a is not held, of what hangs on
    /// that.
    pub fn on(&self, scene: &Scene, index: usize, turns: bool) -> f64 {
        let joint = &scene.joints[index];
        let [Some(rest), Some(carried)] =
            [joint.a, joint.b].map(|body| self.hanging(scene, body, index, turns))
        else {
            let free =
                [joint.b, joint.a].into_iter().find_map(|body| self.hanging(scene, body, index, turns));
            return free.unwrap_or(0.0);
        };
        carried * rest / (carried + rest)
    }

    /// The inertia of what hangs together with a body but for one joint; `None` if something holds it.
    fn hanging(&self, scene: &Scene, body: u32, but: usize, turns: bool) -> Option<f64> {
        let is_dynamic = |body: u32| {
            scene.bodies.get(body as usize).is_some_and(|b| b.motion == Motion::Dynamic && b.mass.is_finite())
        };
        if !is_dynamic(body) {
            return None;
        }
        let mut found = BTreeSet::from([body]);
        let mut open = vec![body];
        let mut is_held = false;
        while let Some(at) = open.pop() {
            for &index in self.joints_of[at as usize].iter().filter(|&&index| index != but) {
                let Joint { a, b, .. } = scene.joints[index];
                let other = if a == at { b } else { a };
                is_held |= !is_dynamic(other);
                if is_dynamic(other) && found.insert(other) {
                    open.push(other);
                }
            }
        }
        // What is held on the way past the joint gives way all the same where it hangs on body b alone.
        (!is_held || body == scene.joints[but].b).then(|| sum(scene, &found, &scene.joints[but], turns))
    }
}

/// The inertia of bodies about the axis of a joint, or their mass.
fn sum(scene: &Scene, bodies: &BTreeSet<u32>, joint: &Joint, turns: bool) -> f64 {
    let frame = match scene.bodies.get(joint.b as usize) {
        Some(body) => body.pose * joint.frame_b,
        None => joint.frame_b,
    };
    let Pose { rotation, position } = frame;
    let axis = rotation * DVec3::X;
    let of = |&body: &u32| {
        let body = &scene.bodies[body as usize];
        let own = body.pose.inverse_transform_vector(axis);
        let arm = (body.pose.transform_point(body.center) - position).reject_from(axis);
        let about = own.dot(body.inertia * own) + body.mass * arm.length_squared();
        if turns { about } else { body.mass }
    };
    bodies.iter().map(of).sum()
}
