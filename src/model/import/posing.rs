//! Robots in other poses: links placed by their joints' coordinates.

use std::collections::BTreeSet;

use glam::DVec3;

use super::model::{LocalTransform, Model, Note, NoteKind};
use super::robot::{Mimic, RobotJoint};
use super::text::list;
use crate::digits::short;
use crate::pose::Pose;

/// Sets the coordinates of joints by name, rad or m, and of the joints that follow them, and places the
/// links. Fails if a name is repeated or unknown, a joint follows another joint or a table, or a
/// coordinate exceeds the limits.
pub(super) fn pose(model: &mut Model, wanted: &[(String, f64)]) -> Result<(), String> {
    let Some(robot) = &mut model.robot else {
        return Err("defines no joints that can be posed".to_owned());
    };
    let mut posed = BTreeSet::new();
    for (name, coordinate) in wanted {
        if !posed.insert(name) {
            return Err(format!("the joint {name:?} is posed twice"));
        }
        let free = robot.joints.iter().filter(|j| j.mimic.is_none());
        let names = || free.map(|j| j.name.as_str()).collect::<Vec<_>>().join(", ");
        let Some(at) = robot.joints.iter().position(|j| j.name == *name) else {
            return Err(format!("no joint is called {name:?}; those that move are {}", names()));
        };
        let [min, max] = robot.joints[at].range;
        if let Some(mimic) = robot.joints[at].mimic {
            let other = &robot.joints[mimic.joint as usize].name;
            return Err(format!("the joint {name} follows {other}, so that only that one is posed"));
        }
        if robot.joints[at].clip.is_some() {
            return Err(format!(
                "the table moves the joint {name}, from the position that it gives first: leave the joint out of the pose"
            ));
        }
        if !(min..=max).contains(coordinate) {
            let (min, max, wanted) = (short(min), short(max), short(*coordinate));
            return Err(format!("the joint {name} goes from {min} to {max}, not to {wanted}"));
        }
        robot.joints[at].coordinate = *coordinate;
    }
    place_links(model);
    Ok(())
}

/// Adds a note of the joints that start at their limit nearest to 0, because their limits exclude 0 and
/// no coordinate was requested.
pub(super) fn note_starts(model: &mut Model, wanted: &[(String, f64)]) {
    let Some(robot) = &model.robot else { return };
    let is_asked = |j: &&RobotJoint| {
        j.mimic.is_some() || j.clip.is_some() || wanted.iter().any(|(name, _)| *name == j.name)
    };
    let moved = robot.joints.iter().filter(|j| j.coordinate != 0.0 && !is_asked(j));
    let moved: Vec<String> = moved.map(|j| format!("{} {:.3}", j.name, j.coordinate)).collect();
    if moved.is_empty() {
        return;
    }
    let (count, joints) = (moved.len(), list(&moved, ", "));
    let text = format!("{count} joints do not go to 0 and start at their nearest end: {joints}");
    model.notes.push(Note { kind: NoteKind::Assumed, place: model.source.clone(), text });
}

/// Updates the joints that follow others, and places every link by its joint's coordinate.
pub(super) fn place_links(model: &mut Model) {
    let Some(robot) = &mut model.robot else { return };
    for at in 0..robot.joints.len() {
        if let Some(Mimic { joint, multiplier, offset }) = robot.joints[at].mimic {
            let [min, max] = robot.joints[at].range;
            let followed = multiplier * robot.joints[joint as usize].coordinate + offset;
            robot.joints[at].coordinate = followed.clamp(min, max);
        }
    }
    for joint in &robot.joints {
        let Pose { rotation, position } = joint.transform();
        model.nodes[joint.child as usize].local =
            LocalTransform::Parts { translation: position, rotation, scale: DVec3::ONE };
    }
}
