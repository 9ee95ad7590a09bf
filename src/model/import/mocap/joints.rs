//! Common parts of BVH and ASF: a tree of joints, rotations about axes, tracks sampled at a constant
//! rate, and the model made from these.

use glam::{DQuat, DVec3};

use super::words::{Checked, fault};
use crate::import::limits::CAPTURED_KEYS;
use crate::import::model::{
    Clip, Interpolation, LocalTransform, Model, Node, Note, NoteKind, Track, TrackValues,
};
use crate::import::text;
use crate::pose::turn;

/// Joint, or the far end of the last bone in a chain.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub name: String,
    /// Index of the parent, which is lower than that of this joint.
    pub parent: Option<u32>,
    /// Position in the parent's axes, relative to the parent.
    pub offset: DVec3,
}

/// Keys of one joint, one per frame; empty if it does not move.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    pub translations: Vec<DVec3>,
    pub rotations: Vec<DQuat>,
}

/// Combines rotations about the axes x, y, z (0, 1, 2), in degrees. The first is outermost: for column
/// vectors the matrices are multiplied in the given order.
pub(super) fn turns(order: impl IntoIterator<Item = (usize, f64)>) -> DQuat {
    order.into_iter().fold(DQuat::IDENTITY, |all, (axis, degrees)| all * turn(DVec3::AXES[axis], degrees))
}

/// Fails if frames times joints exceed the limit. Called before the frames are read.
pub(super) fn check_frame_count(line: usize, frame_count: usize, joint_count: usize) -> Checked<()> {
    if frame_count.saturating_mul(joint_count) > CAPTURED_KEYS {
        let text = format!("{frame_count} frames of {joint_count} joints are more than {CAPTURED_KEYS} keys");
        return fault(line, text);
    }
    Ok(())
}

/// Creates a model of joints at rest. `source` is the name of the file, and `text` a note about it.
pub(super) fn model(source: &str, joints: &[Joint], text: String) -> Model {
    let mut nodes: Vec<Node> = joints
        .iter()
        .map(|joint| Node {
            name: text::name(&joint.name).0,
            parent: joint.parent,
            local: LocalTransform::Parts {
                translation: joint.offset,
                rotation: DQuat::IDENTITY,
                scale: DVec3::ONE,
            },
            in_scene: true,
            ..Node::default()
        })
        .collect();
    for (index, joint) in joints.iter().enumerate() {
        if let Some(parent) = joint.parent {
            nodes[parent as usize].children.push(index as u32);
        }
    }
    let roots = (0..joints.len() as u32).filter(|&j| joints[j as usize].parent.is_none()).collect();
    let notes = vec![Note { kind: NoteKind::Assumed, place: source.to_owned(), text }];
    Model { source: source.to_owned(), nodes, roots, notes, ..Model::default() }
}

/// Creates a clip from the keys of every joint. It is named after the file; `step` is the time between
/// frames, s.
pub(super) fn clip(source: &str, keys: Vec<Keys>, frame_count: usize, step: f64) -> Clip {
    let times: Vec<f32> = (0..frame_count).map(|f| (f as f64 * step) as f32).collect();
    let mut tracks = Vec::new();
    for (node, keys) in keys.into_iter().enumerate() {
        let mut add = |values| {
            let (times, interpolation) = (times.clone(), Interpolation::Linear);
            tracks.push(Track { node: node as u32, times, values, interpolation });
        };
        if !keys.translations.is_empty() {
            add(TrackValues::Translation(keys.translations));
        }
        if !keys.rotations.is_empty() {
            add(TrackValues::Rotation(keys.rotations));
        }
    }
    let name = source.rsplit_once('.').map_or(source, |(stem, _)| stem).to_owned();
    Clip { name, duration: times.last().map_or(0.0, |&t| f64::from(t)), tracks }
}
