//! Scene files: TOML that names models, places them, and adds data that glTF does not have. Unknown
//! keys and values out of range are errors, reported with their line.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::check_entry::CheckEntry;
use super::expect_entry::ExpectEntry;
use super::placement::Recenter;
use super::robot::Base;
use super::{CameraDef, FigureKind};
use crate::body::Motion;
use crate::config::Config;
use crate::contact::PairRule;
use crate::import::{Colliders, JointMotion, ReadAs, Unit, Up, is_joint_motion};

/// Scene file as written. Lengths in m, angles in degrees, y up.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    pub name: Option<String>,
    #[serde(default)]
    pub description: String,
    /// Gravity, m/s²; default: the model's own, else (0, −9.81, 0).
    pub gravity: Option<[f64; 3]>,
    /// Default number of steps of a run.
    pub steps: Option<u32>,
    #[serde(default)]
    pub config: Config,
    pub camera: Option<CameraDef>,
    pub ground: Option<Spanned<Ground>>,
    #[serde(default, rename = "model")]
    pub models: Vec<ModelEntry>,
    #[serde(default, rename = "part")]
    pub parts: Vec<PartRule>,
    #[serde(default, rename = "pair")]
    pub pairs: Vec<PairEntry>,
    #[serde(default, rename = "check")]
    pub checks: Vec<CheckEntry>,
    #[serde(default, rename = "expect")]
    pub expectations: Vec<Spanned<ExpectEntry>>,
    #[serde(default, rename = "joint")]
    pub joints: Vec<JointEntry>,
    #[serde(default, rename = "drive")]
    pub drives: Vec<DriveRule>,
}

/// Static slab under the scene.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// Height of its top face, m.
    #[serde(default)]
    pub y: f64,
    /// Side of its square, m.
    #[serde(default = "Ground::default_size")]
    pub size: f64,
}

impl Ground {
    fn default_size() -> f64 {
        20.0
    }
}

/// A model, or some of its nodes, placed once or many times.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelEntry {
    /// Path of the model, absolute or relative to the scene file. The file lies in the scene file's
    /// folder, in a folder beside it, or in a model path.
    pub file: Spanned<String>,
    /// Patterns of the names of the nodes to take; all nodes if empty.
    #[serde(default)]
    pub nodes: Vec<Spanned<String>>,
    /// Point that `position` places: the model's origin, or a point of each selected node.
    #[serde(default)]
    pub recenter: Recenter,
    #[serde(default)]
    pub position: [f64; 3],
    /// Rotation angles, degrees, applied about x, then y, then z.
    #[serde(default)]
    pub rotation: [f64; 3],
    #[serde(default = "one")]
    pub scale: f64,
    /// Unit of length of the file; if `None`, the file's own, or else a guess.
    pub unit: Option<Unit>,
    /// Axis of the file that points up; if `None`, the file's own, or else y.
    pub up: Option<Up>,
    /// Kind of base, fixed or free; default: fixed for a robot, free for other models.
    pub base: Option<Base>,
    /// Start coordinates of a robot's joints, rad or m, by joint name.
    #[serde(default)]
    pub pose: BTreeMap<String, f64>,
    /// Choice of a robot's geometry that collides.
    #[serde(default)]
    pub colliders: Colliders,
    pub copies: Option<Copies>,
    pub animation: Option<Animation>,
    /// Cause of motion of the figures made from its skins.
    #[serde(default)]
    pub figure: FigureKind,
    /// Whether links of a kinematic figure are tested for intersections with each other, except links
    /// that are parent and child or near each other at the start. Links of other figures always
    /// collide.
    #[serde(default)]
    pub self_collision: bool,
    /// Strength of the drives of a powered figure, as a multiple of the default.
    pub strength: Option<Spanned<f64>>,
}

impl ModelEntry {
    pub fn read_as(&self) -> ReadAs {
        let pose = self.pose.iter().map(|(joint, value)| (joint.clone(), *value)).collect();
        let joints = self.joint_motion().map(|(file, animation)| JointMotion {
            path: file.as_ref().into(),
            speed: animation.speed,
            looped: animation.looped.unwrap_or(false),
        });
        ReadAs { unit: self.unit, up: self.up, pose, joints, colliders: self.colliders, ..ReadAs::default() }
    }

    /// Returns the file with a table of joint coordinates that its animation names, if any, and that
    /// animation.
    pub fn joint_motion(&self) -> Option<(&Spanned<String>, &Animation)> {
        let animation = self.animation.as_ref()?;
        let file = animation.file.as_ref().filter(|file| is_joint_motion(Path::new(file.as_ref())))?;
        Some((file, animation))
    }
}

fn one() -> f64 {
    1.0
}

/// Grid of copies. The first copy is at the entry's position.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    pub count: [u32; 3],
    pub spacing: [f64; 3],
    /// Largest random offset per copy and axis, m.
    #[serde(default)]
    pub jitter: f64,
    /// Whether each copy is rotated at random.
    #[serde(default)]
    pub random_rotation: bool,
}

/// Clip that moves the animated nodes of a model, and how it plays.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Animation {
    /// Motion file, found as the model's file is. Either a file with another skeleton (.glb, .gltf,
    /// .bvh, .amc), whose clip is retargeted to the model, or a table of a robot's joint coordinates
    /// (.csv). Default: the model's own clips.
    pub file: Option<Spanned<String>>,
    /// Skeleton file (.asf) of an .amc file; default: the only .asf file beside it.
    pub skeleton: Option<Spanned<String>>,
    /// Map from joints of that skeleton to the model's nodes that follow them, for joints whose names
    /// do not match.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// Name of the clip; default: the first clip.
    pub clip: Option<String>,
    #[serde(default = "one")]
    pub speed: f64,
    /// Whether the clip starts over after its end. Default: true, except for motion captures, which end
    /// elsewhere than they begin.
    pub looped: Option<bool>,
    /// Translation per round, applied evenly, in the model's axes, m. It is for clips that walk on the
    /// spot.
    #[serde(default)]
    pub stride: [f64; 3],
}

/// Properties of all parts that match a pattern. If several rules match a part, all apply in order, and
/// later values override earlier ones.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartRule {
    /// Pattern of part names.
    pub name: Spanned<String>,
    pub motion: Option<Motion>,
    /// Density, kg/m³.
    pub density: Option<f64>,
    /// Mass, kg; overrides the density.
    pub mass: Option<f64>,
    pub friction: Option<f64>,
    pub restitution: Option<f64>,
    /// Lever arm of the rolling resistance, m.
    pub rolling: Option<f64>,
    /// Lever arm of the spinning resistance, m.
    pub spinning: Option<f64>,
    /// Velocity, world, m/s.
    pub velocity: Option<[f64; 3]>,
    /// Angular velocity, world, rad/s.
    pub angular_velocity: Option<[f64; 3]>,
}

/// Rule for all pairs of a part matching `a` and a part matching `b`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairEntry {
    pub a: Spanned<String>,
    pub b: String,
    pub rule: PairRule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointKind {
    Fixed,
    /// Rotates about the axis.
    Hinge,
    /// Moves along the axis.
    Slider,
    Ball,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointEntry {
    /// Name of the joint; by default, its kind and its parts, as in `hinge of world and lid`.
    pub name: Option<Spanned<String>>,
    pub kind: JointKind,
    /// Part name, or "world".
    pub a: Spanned<String>,
    pub b: String,
    /// Position of both joint frames at the start, world, m.
    pub anchor: [f64; 3],
    /// Axis of a hinge or slider, or the axis of a ball joint's twist and cone; world direction.
    #[serde(default = "JointEntry::default_axis")]
    pub axis: [f64; 3],
    /// Lower limit of a hinge (degrees) or slider (m).
    pub min: Option<Spanned<f64>>,
    /// Upper limit of a hinge (degrees) or slider (m).
    pub max: Option<Spanned<f64>>,
    /// Largest angle between a ball joint's axis and its start direction, degrees.
    pub cone: Option<Spanned<f64>>,
    /// Smallest and largest rotation of a ball joint about its axis, degrees.
    pub twist: Option<Spanned<[f64; 2]>>,
    pub drive: Option<Spanned<DriveEntry>>,
    /// Torque of the joint's friction, N·m.
    #[serde(default)]
    pub friction: f64,
    #[serde(default)]
    pub collide: bool,
}

impl JointEntry {
    fn default_axis() -> [f64; 3] {
        [1.0, 0.0, 0.0]
    }
}

/// Spring and damper that move a joint towards a target.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriveEntry {
    pub target: Option<DriveTarget>,
    /// Target velocity: degrees/s of a hinge, m/s of a slider.
    #[serde(default)]
    pub velocity: f64,
    /// Stiffness, N/m or N·m/rad; 1/s² for an acceleration drive.
    #[serde(default)]
    pub stiffness: f64,
    /// Damping, N·s/m or N·m·s/rad; 1/s for an acceleration drive.
    #[serde(default)]
    pub damping: f64,
    /// Largest force (N) or torque (N·m).
    #[serde(default = "unlimited")]
    pub max: f64,
    #[serde(default)]
    pub kind: DriveMode,
}

/// Rule for the drives of all joints that match a pattern. If several rules match a joint, all apply in
/// order, and later values override earlier ones. Units are those of [`DriveEntry`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriveRule {
    /// Pattern of joint names.
    pub joint: Spanned<String>,
    pub stiffness: Option<f64>,
    pub damping: Option<f64>,
    /// Natural frequency of the critically damped drive with all bodies that hang on the joint, Hz. It
    /// replaces stiffness and damping.
    pub frequency: Option<f64>,
    /// Largest force (N) or torque (N·m).
    pub max: Option<f64>,
}

/// Target of a drive, relative to the joint's start.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "a number (degrees or m), or of a ball joint three (degrees about x, y, z)")]
pub enum DriveTarget {
    /// Angle of a hinge, degrees, or distance of a slider, m.
    Along(f64),
    /// Rotation of body b relative to body a, about the world's x, then y, then z axis, degrees.
    Turned([f64; 3]),
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DriveMode {
    #[default]
    Force,
    /// Acceleration drive: stiffness and damping are per unit of inertia.
    Acceleration,
}

fn unlimited() -> f64 {
    f64::INFINITY
}
