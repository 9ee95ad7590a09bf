//! Joints of a model with physics. A joint in the file names two nodes; this file finds their bodies.
//!
//! A node belongs to the body of the nearest node with motion, itself or above. Without such a node it
//! belongs to the world, or to a static collider that stands for the world: the nearest collider at or
//! above the node, else the only one below it, if no moving body is below it too. A joint attaches to
//! that collider's body, because the two bodies of a joint do not collide.

use std::collections::BTreeMap;

use glam::DMat4;

use super::builder::Builder;
use super::nodes::nearest_above;
use crate::body::{Joint, WORLD};
use crate::import::NoteKind;
use crate::import::clip::split;
use crate::import::model::{Model, part_name};
use crate::pose::Pose;

/// Adds the joints of a model. `owners` is the nearest node with motion per node; `bodies` maps nodes
/// to their bodies. Returns the map from nodes to the joints added.
pub(super) fn add_joints(
    builder: &mut Builder,
    model: &Model,
    (worlds, owners): (&[DMat4], &[Option<u32>]),
    bodies: &BTreeMap<u32, u32>,
) -> BTreeMap<u32, u32> {
    let mut added = BTreeMap::new();
    let ends = Ends { worlds, owners, standing: standing(model, owners), bodies };
    for (index, node) in model.nodes.iter().enumerate().filter(|(_, n)| n.in_scene) {
        let Some(joint) = node.joint else { continue };
        if !builder.may_join() {
            return added;
        }
        let name = part_name(model, index as u32);
        let nodes = [index as u32, joint.connected];
        let found = ends.of(builder, nodes[0]).zip(ends.of(builder, nodes[1]));
        let moves = nodes.iter().any(|&n| owners[n as usize].is_some());
        let Some(((a, frame_a), (b, frame_b))) = found.filter(|(a, b)| a.0 != b.0 && moves) else {
            builder.note(NoteKind::Ignored, &name, "is a joint that does not hold two bodies");
            continue;
        };
        let settings = &model.joints[joint.settings as usize];
        added.insert(index as u32, builder.scene.joints.len() as u32);
        builder.scene.joints.push(Joint {
            name,
            a,
            b,
            frame_a,
            frame_b,
            linear: settings.linear,
            angular: settings.angular,
            cone: settings.cone,
            distance: settings.distance,
            friction: settings.friction,
            collide: joint.collide,
            pose_drive: None,
        });
    }
    added
}

/// Nodes and bodies of a model, in which the two bodies of a joint are searched.
struct Ends<'a> {
    worlds: &'a [DMat4],
    owners: &'a [Option<u32>],
    /// Static collider per node that the node belongs to, if it has no owner.
    standing: Vec<Option<u32>>,
    bodies: &'a BTreeMap<u32, u32>,
}

impl Ends<'_> {
    /// Returns the body of a node, and the node's pose in that body's space. Returns `None` if the body
    /// was left out, or the node is scaled to nothing.
    fn of(&self, builder: &Builder, node: u32) -> Option<(u32, Pose)> {
        let body = match (self.owners[node as usize], self.standing[node as usize]) {
            (Some(owner), _) => *self.bodies.get(&owner)?,
            // A static collider that was left out is replaced by the world, which does not move either.
            (None, Some(collider)) => self.bodies.get(&collider).copied().unwrap_or(WORLD),
            (None, None) => WORLD,
        };
        let frame = split(&self.worlds[node as usize])?.0;
        let frame = match builder.scene.bodies.get(body as usize) {
            Some(body) => frame.relative_to(&body.pose),
            None => frame,
        };
        Some((body, frame))
    }
}

/// Static colliders and moving bodies below a node: `One` is a single static collider, `Others`
/// anything else.
#[derive(Clone, Copy)]
enum Below {
    Nothing,
    One(u32),
    Others,
}

/// Returns per node the static collider that it belongs to: the nearest at or above it, else the only
/// one below it.
fn standing(model: &Model, owners: &[Option<u32>]) -> Vec<Option<u32>> {
    let stands = |node: u32| model.nodes[node as usize].collider.is_some() && owners[node as usize].is_none();
    let mut below = vec![Below::Nothing; model.nodes.len()];
    for (index, node) in (0..).zip(&model.nodes) {
        if !(stands(index) || node.motion.is_some()) {
            continue;
        }
        // Each node changes at most twice and then ends later walks, so deep trees take linear time.
        let mut above = node.parent;
        while let Some(at) = above {
            let seen = &mut below[at as usize];
            *seen = match seen {
                Below::Nothing if stands(index) => Below::One(index),
                Below::Others => break,
                _ => Below::Others,
            };
            above = model.nodes[at as usize].parent;
        }
    }
    let only = |below: &Below| if let Below::One(collider) = *below { Some(collider) } else { None };
    nearest_above(model, stands)
        .iter()
        .zip(&below)
        .map(|(above, below)| above.or_else(|| only(below)))
        .collect()
}
