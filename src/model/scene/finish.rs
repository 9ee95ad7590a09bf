//! Start and end of assembling a scene: an empty scene, and the final checks.

use std::collections::BTreeSet;

use super::Scene;
use super::builder::Builder;
use super::error::SceneError;
use super::rules;
use super::sunken::fix_sunken_parts;
use crate::body::{Control, Joint, Motion};
use crate::config::Config;
use crate::import::{Note, NoteKind};
use crate::order::Order;

pub(super) fn empty_scene(name: &str, config: Config, seed: Option<u64>) -> Scene {
    let seed = seed.unwrap_or(config.seed);
    Scene { config: Config { seed, ..config }, ..Scene::new(name) }
}

/// Adds the notes on all bodies, and returns the scene, or an error if it is empty or cannot be
/// stepped.
pub(super) fn finish(name: &str, mut builder: Builder) -> Result<Scene, SceneError> {
    fix_sunken_parts(&mut builder);
    builder.note_units();
    builder.note_masses();
    rules::stand_on_ground(&mut builder);
    builder.verdict().map_err(|reason| SceneError::Config { name: name.to_owned(), reason })?;
    let mut scene = builder.scene;
    scene.notes = builder.notes.finish(name);
    sort_pair_rules(&mut scene);
    add_controls(&mut scene);
    note_still_links(&mut scene);
    // Joints move even if none of their bodies has a surface.
    if scene.joints.is_empty() && scene.bodies.iter().all(|b| b.mesh.is_none()) {
        return Err(SceneError::Empty { name: name.to_owned(), left_out: left_out(&scene.notes) });
    }
    for body in scene.bodies.iter_mut().filter(|b| b.path.is_empty() && !b.is_ground) {
        body.path = body.name.clone();
    }
    let numbers = scene.bodies.iter().all(|b| {
        let vectors = [b.linear_velocity, b.angular_velocity, b.center];
        b.pose.is_finite() && vectors.iter().all(|v| v.is_finite()) && !b.inertia.is_nan()
    });
    if !numbers || !scene.gravity.is_finite() {
        let reason = "a position, velocity or gravity is not finite".to_owned();
        return Err(SceneError::Config { name: name.to_owned(), reason });
    }
    Ok(scene)
}

/// Adds a control for every joint with a drive that has no control yet.
fn add_controls(scene: &mut Scene) {
    let known: BTreeSet<u32> = scene.controls.iter().map(|control| control.joint).collect();
    let others = (0..).zip(&scene.joints).filter(|(index, _)| !known.contains(index));
    scene.controls.extend(others.flat_map(|(index, joint)| Control::of_joint(index, joint)));
}

/// Warns of kinematic links whose joints have a control, but hang from a link that forces move: they stand
/// still.
fn note_still_links(scene: &mut Scene) {
    let motion = |body: u32| scene.bodies.get(body as usize).map(|body| body.motion);
    let joints = scene.controls.iter().map(|control| &scene.joints[control.joint as usize]);
    let is_still = |joint: &&Joint| {
        motion(joint.b) == Some(Motion::Kinematic) && motion(joint.a) == Some(Motion::Dynamic)
    };
    let still = joints.filter(is_still).map(|joint| {
        let [from, link] = [joint.a, joint.b].map(|body| &scene.bodies[body as usize].name);
        let text = format!("is kinematic and hangs from {from}, which is not: it stands still");
        Note { kind: NoteKind::Warning, place: link.clone(), text }
    });
    let still: Vec<Note> = still.collect();
    scene.notes.extend(still);
}

/// Lists ignored contents of files, as the end of a sentence. They explain why no surface was found.
pub(super) fn left_out(notes: &[Note]) -> String {
    const NAMED: usize = 3;
    let mut ignored = notes.iter().filter(|note| matches!(note.kind, NoteKind::Ignored | NoteKind::LeftOut));
    let named: Vec<String> =
        ignored.by_ref().take(NAMED).map(|n| format!("{}: {}", n.place, n.text)).collect();
    match (named.is_empty(), ignored.count()) {
        (true, _) => String::new(),
        (false, 0) => format!("; not read: {}", named.join("; ")),
        (false, more) => format!("; not read: {} and {more} more", named.join("; ")),
    }
}

/// Sorts pair rules by body. Of several rules for a pair, only the last one is kept.
fn sort_pair_rules(scene: &mut Scene) {
    let rules = &mut scene.pair_rules;
    rules.reverse();
    rules.order_by_key(|r| (r.0, r.1));
    rules.dedup_by_key(|r| (r.0, r.1));
}
