//! Burden of a joint: the inertia of all bodies that hang on the joint, which the joint's drive must
//! move.

use std::collections::BTreeSet;

use glam::DVec3;

use super::Scene;
use crate::body::{Joint, Motion};
use crate::pose::Pose;

/// Joints of each body of a scene.
pub(super) struct Burdens {
    /// Joint indices by body.
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

    /// Returns the burden of a drive: the moment of inertia about an axis of a joint (3–5), kg·m², or
    /// the mass along an axis (0–2), kg, of all bodies hanging on body b. If body a's side is free too,
    /// both sides move, and the result is the reduced inertia of the two sides. If body b itself cannot
    /// move, the result is that of body a's side; 0 if neither can.
    pub fn on(&self, scene: &Scene, index: usize, axis: u32) -> f64 {
        let joint = &scene.joints[index];
        let [Some(rest), Some(carried)] =
            [joint.a, joint.b].map(|body| self.hanging(scene, body, index, axis))
        else {
            let free = [joint.b, joint.a].into_iter().find_map(|body| self.hanging(scene, body, index, axis));
            return free.unwrap_or(0.0);
        };
        carried * rest / (carried + rest)
    }

    /// Returns the inertia of `body` and all bodies connected to it other than by the joint `but`.
    /// Returns `None` if `body` does not move, or if it is body a and a connected body is held.
    fn hanging(&self, scene: &Scene, body: u32, but: usize, axis: u32) -> Option<f64> {
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
        // Body b follows its drive even if another joint holds a body beyond b.
        (!is_held || body == scene.joints[but].b).then(|| sum(scene, &found, &scene.joints[but], axis))
    }
}

/// Returns the moment of inertia of bodies about an axis of a joint (3–5), or their mass (0–2).
fn sum(scene: &Scene, bodies: &BTreeSet<u32>, joint: &Joint, axis: u32) -> f64 {
    let frame = match scene.bodies.get(joint.b as usize) {
        Some(body) => body.pose * joint.frame_b,
        None => joint.frame_b,
    };
    let Pose { rotation, position } = frame;
    let direction = rotation * DVec3::AXES[axis as usize % 3];
    let of = |&body: &u32| {
        let body = &scene.bodies[body as usize];
        let own = body.pose.inverse_transform_vector(direction);
        let arm = (body.pose.transform_point(body.center) - position).reject_from(direction);
        let about = own.dot(body.inertia * own) + body.mass * arm.length_squared();
        if axis < 3 { body.mass } else { about }
    };
    bodies.iter().map(of).sum()
}
