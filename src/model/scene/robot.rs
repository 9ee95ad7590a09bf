//! Robots: a fixed or free base, drives that hold the joints, and links that do not collide because
//! they overlap at the start.
//!
//! A robot without a controller collapses. Therefore its base is fixed unless specified otherwise, and
//! a drive with the strength of the motor holds every joint at its start position. Gravity does not act
//! on links of a fixed base, as controllers of real arms compensate it. Notes describe all of this.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::{PI, TAU};

use serde::Deserialize;

use super::builder::Builder;
use super::burden::Burdens;
use super::near::{Near, ignore_near, size_of};
use crate::body::{AxisRange, Control, Drive, DriveKind, Joint, Motion, SetBy, whole_turns};
use crate::import::NoteKind;
use crate::import::limits::{self, at_most};
use crate::import::model::Model;
use crate::import::robot::{Robot, RobotJoint};
use crate::import::text::list;
use crate::pose::Pose;

/// Base from which all links hang: fixed or free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// Fixed to the world.
    Fixed,
    /// Free to move.
    Free,
}

/// Smallest natural frequency of a joint's drive under its burden (the inertia that it moves), Hz. All
/// drives are critically damped.
const HERTZ: f64 = 10.0;
/// Deviation from its target at which the drive of a turning joint pushes with its full effort, rad.
/// With a larger deviation a drive would be so soft that small errors use only part of its effort.
const FIRM_TURN: f64 = 1.0 * PI / 180.0;
/// Deviation at which the drive of a sliding joint pushes with its full effort, as a share of the
/// robot's size.
const FIRM_SLIDE: f64 = 1e-3;
/// Upper limit of the smallest frequency, as a share of the sub-step rate. Without it, drives would be
/// too stiff for long time steps.
const LARGEST_SHARE: f64 = 0.05;

/// Bodies and joints added for a model with physics: map from node to index in the scene.
#[derive(Default)]
pub(super) struct Added {
    pub bodies: BTreeMap<u32, u32>,
    pub joints: BTreeMap<u32, u32>,
}

/// Fixes or frees the base, and adds drives that hold the joints of a robot. By default the base of a
/// robot is fixed, and that of another model moves as its file specifies.
pub(super) fn stand(builder: &mut Builder, model: &Model, added: &Added, base: Option<Base>) {
    let robot = model.robot.as_ref();
    let base = base.unwrap_or(if robot.is_some() { Base::Fixed } else { Base::Free });
    if base == Base::Fixed {
        fix_bases(builder, added);
    }
    let Some(robot) = robot else { return };
    let first = added.bodies.values().min().copied().unwrap_or_default();
    let slide = FIRM_SLIDE * size_of(builder, first);
    let held = hold_joints(builder, robot, added, slide);
    let text = match base {
        Base::Fixed => {
            for &body in added.bodies.values() {
                builder.scene.bodies[body as usize].gravity_factor = 0.0;
            }
            "its base is fixed (base = \"free\" or --as drop frees it); gravity is compensated"
        }
        Base::Free => "its base is free (base = \"fixed\" or --as fixed-base fixes it); gravity acts on it",
    };
    let hertz = frequency(builder);
    let (turn, slide) = (FIRM_TURN.to_degrees(), 1e3 * slide);
    let drives = format!(
        "drives of {hertz:.1} Hz or more hold {held} joints where they start; each pushes with all of the file's effort \
         once it is {turn:.1}° or {slide:.2} mm off ([[drive]] changes that)"
    );
    builder.note(NoteKind::Assumed, &model.source, format!("{text}; {drives}"));
    note_stuck(builder, &model.source, added);
    part_overlapping(builder, &model.source, added);
}

/// Makes the bodies static that are body b of no joint: the roots.
fn fix_bases(builder: &mut Builder, added: &Added) {
    let scene = &mut builder.scene;
    let held: BTreeSet<u32> = added.joints.values().map(|&joint| scene.joints[joint as usize].b).collect();
    for &body in added.bodies.values().filter(|body| !held.contains(body)) {
        let body = &mut scene.bodies[body as usize];
        if body.motion == Motion::Dynamic {
            body.motion = Motion::Static;
            body.mass = f64::INFINITY;
        }
    }
}

/// Returns the smallest natural frequency of the drives, Hz.
fn frequency(builder: &Builder) -> f64 {
    let config = &builder.scene.config;
    HERTZ.min(LARGEST_SHARE * f64::from(config.substeps) / config.dt)
}

/// Adds a drive to every joint that holds it at its present position, and couples followers to their
/// leaders. Returns the number of drives. The drive of a sliding joint pushes with full effort from
/// `slide` m off its target.
fn hold_joints(builder: &mut Builder, robot: &Robot, added: &Added, slide: f64) -> usize {
    let omega = TAU * frequency(builder);
    let burdens = Burdens::new(&builder.scene);
    let mut control_of = vec![None; robot.joints.len()];
    let mut count = 0;
    for (at, own) in robot.joints.iter().enumerate() {
        let Some(&index) = added.joints.get(&own.frame) else { continue };
        let inertia = burdens.on(&builder.scene, index as usize, if own.turns { 3 } else { 0 });
        let firm = own.effort / if own.turns { FIRM_TURN } else { slide };
        let stiffness = if firm.is_finite() { firm } else { 0.0 }.max(inertia * omega * omega);
        let drive = Drive {
            kind: DriveKind::Force,
            position_target: own.coordinate,
            target_speed: 0.0,
            velocity_target: 0.0,
            stiffness,
            damping: 2.0 * (inertia * stiffness).sqrt(),
            max_force: own.effort,
        };
        let joint = &mut builder.scene.joints[index as usize];
        let axis = if own.turns { &mut joint.angular[0] } else { &mut joint.linear[0] };
        if own.turns {
            axis.turns = whole_turns(own.coordinate);
        }
        if axis.range != AxisRange::Locked && inertia.is_finite() && inertia > 0.0 {
            axis.drive = Some(drive);
            count += 1;
            control_of[at] = Some(add_control(builder, own, index));
        }
    }
    for (own, control) in robot.joints.iter().zip(&control_of) {
        let leader = own.mimic.and_then(|mimic| Some((mimic, control_of[mimic.joint as usize]?)));
        if let Some(((mimic, leader), &control)) = leader.zip(control.as_ref()) {
            builder.scene.controls[control].set_by =
                SetBy::Other { control: leader as u32, multiplier: mimic.multiplier, offset: mimic.offset };
        }
    }
    count
}

/// Warns of joints that their drives cannot move, because the joint friction is at least the drive's
/// effort.
fn note_stuck(builder: &mut Builder, source: &str, added: &Added) {
    let joints = added.joints.values().map(|&joint| &builder.scene.joints[joint as usize]);
    let is_stuck = |joint: &&Joint| joint.angular[0].drive.is_some_and(|d| joint.friction >= d.max_force);
    let stuck: Vec<String> = joints.filter(is_stuck).map(|joint| joint.name.clone()).collect();
    if !stuck.is_empty() {
        let (count, joints) = (stuck.len(), list(&stuck, ", "));
        let text = format!(
            "{count} joints have as much friction as effort or more, so that their drives do not move them: {joints}"
        );
        builder.note(NoteKind::Warning, source, text);
    }
}

/// Adds a control for a joint's drive. The joint's clip sets the control if there is one. Returns the
/// index of the control.
fn add_control(builder: &mut Builder, own: &RobotJoint, joint: u32) -> usize {
    let mut set_by = SetBy::Hand;
    if let Some(clip) = &own.clip {
        let keys = builder.scene.clips.iter().map(|c| c.keys.len()).sum::<usize>() + clip.keys.len();
        if builder.check(at_most(limits::CAPTURED_KEYS, keys, "values of joints in all copies")) {
            builder.scene.clips.push(clip.clone());
            set_by = SetBy::Clip(builder.scene.clips.len() as u32 - 1);
        }
    }
    let axis = if own.turns { 3 } else { 0 };
    let name = builder.scene.joints[joint as usize].name.clone();
    let (range, speed) = (own.range, own.velocity);
    builder.scene.controls.push(Control { name, joint, axis, range, speed, set_by });
    builder.scene.controls.len() - 1
}

/// Adds ignore rules for links that overlap at the start. A note names the overlapping pairs that no
/// joint connects.
fn part_overlapping(builder: &mut Builder, source: &str, added: &Added) {
    let Some(&first) = added.bodies.values().min() else { return };
    let poses: Vec<Pose> = builder.scene.bodies[first as usize..].iter().map(|b| b.pose).collect();
    let before = builder.scene.pair_rules.len();
    let near = Near::of_robot(size_of(builder, first));
    ignore_near(builder, first, [&poses, &poses], near);
    let scene = &builder.scene;
    let joints = added.joints.values().map(|&j| &scene.joints[j as usize]);
    let connected: BTreeSet<[u32; 2]> = joints.flat_map(|j| [[j.a, j.b], [j.b, j.a]]).collect();
    let pairs = scene.pair_rules[before..].iter().filter(|(a, b, _)| !connected.contains(&[*a, *b]));
    let name = |body: u32| scene.bodies[body as usize].name.as_str();
    let names: Vec<String> = pairs.map(|&(a, b, _)| format!("{} and {}", name(a), name(b))).collect();
    if names.is_empty() {
        return;
    }
    let (count, pairs) = (names.len(), list(&names, ", "));
    let text = format!("{count} pairs of links overlap as they start and do not collide: {pairs}");
    builder.note(NoteKind::Assumed, source, text);
}
