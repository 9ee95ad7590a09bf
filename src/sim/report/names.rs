//! Names of joints and of their bodies for readers.

use std::collections::HashMap;

use crate::body::WORLD;
use crate::scene::Scene;

/// Returns the name of a body; "world" for the world.
pub(super) fn body_name(scene: &Scene, body: u32) -> String {
    if body == WORLD { "world".to_owned() } else { scene.bodies[body as usize].name.clone() }
}

/// Returns the label of every joint: its name, extended by the body that it moves if several joints
/// have this name.
pub(super) fn joint_labels(scene: &Scene) -> Vec<String> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    scene.joints.iter().for_each(|joint| *counts.entry(&joint.name).or_default() += 1);
    let label = |joint: &crate::body::Joint| {
        let moved = if joint.b == WORLD { joint.a } else { joint.b };
        if counts[&joint.name[..]] == 1 {
            joint.name.clone()
        } else {
            format!("{} of {}", joint.name, body_name(scene, moved))
        }
    };
    scene.joints.iter().map(label).collect()
}
