//! Scene files: TOML that says which models to take, where, and what glTF cannot say. Unknown keys are errors
//! with their line, and so is every value that makes no sense.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::check_entry::CheckEntry;
use super::error::SceneError;
use super::expect_entry::ExpectEntry;
use super::robot::Base;
use super::{CameraDef, FigureKind};
use crate::body::Motion;
use crate::config::Config;
use crate::contact::PairRule;
use crate::import::{Colliders, JointMotion, ReadAs, Unit, Up, is_joint_motion};

/// A scene file as written. Lengths in m, angles in degrees, y up.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    pub name: Option<String>,
    #[serde(default)]
    pub description: String,
    /// m/s²; the model's own, else (0, −9.81, 0).
    pub gravity: Option<[f64; 3]>,
    /// Steps a run takes unless told otherwise.
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

/// A static slab.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// Height of its top face.
    #[serde(default)]
    pub y: f64,
    /// Side of the square.
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
    /// Absolute, or relative to the scene file: in its folder or one beside it, or in a model path.
    pub file: Spanned<String>,
    /// Patterns of node names to take; all if empty.
    #[serde(default)]
    pub nodes: Vec<Spanned<String>>,
    /// Whether every node taken is placed by its own origin, not by where it stands in its file.
    #[serde(default)]
    pub recenter: bool,
    #[serde(default)]
    pub position: [f64; 3],
    /// About x, then y, then z, degrees.
    #[serde(default)]
    pub rotation: [f64; 3],
    #[serde(default = "one")]
    pub scale: f64,
    /// What a length of 1 in the file is; guessed if neither this nor the file says it.
    pub unit: Option<Unit>,
    /// The axis of the file that points up; y if neither this nor the file says it.
    pub up: Option<Up>,
    /// Whether the base of a robot stands fast: it does, unless this says otherwise; of other models only if
    /// this says so.
    pub base: Option<Base>,
    /// Coordinates of a robot's joints at the start, rad or m.
    #[serde(default)]
    pub pose: BTreeMap<String, f64>,
    /// The geometry of a robot that collides.
    #[serde(default)]
    pub colliders: Colliders,
    pub copies: Option<Copies>,
    pub animation: Option<Animation>,
    /// What moves its skins.
    #[serde(default)]
    pub figure: FigureKind,
    /// Whether links of a kinematic figure are looked at for intersections with each other, neighbours
    /// excepted; those of others always collide.
    #[serde(default)]
    pub self_collision: bool,
    /// The strength of the drives of a powered figure, as a multiple of what is usual.
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

    /// The table of joints that its animation names, if it does.
    pub fn joint_motion(&self) -> Option<(&Spanned<String>, &Animation)> {
        let animation = self.animation.as_ref()?;
        let file = animation.file.as_ref().filter(|file| is_joint_motion(Path::new(file.as_ref())))?;
        Some((file, animation))
    }
}

fn one() -> f64 {
    1.0
}

/// A grid of copies, the first at the entry's position.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    pub count: [u32; 3],
    pub spacing: [f64; 3],
    /// Each copy is moved by up to so much along each axis.
    #[serde(default)]
    pub jitter: f64,
    /// Whether each copy is turned at random.
    #[serde(default)]
    pub random_rotation: bool,
}

/// Which clip moves a model's animated nodes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Animation {
    /// A file with another skeleton (.glb, .gltf, .bvh, .amc), whose clip is carried over to the model, or a
    /// table of a robot's joints (.csv); the model's own clips if not given. Relative to the scene file, as
    /// the model.
    pub file: Option<Spanned<String>>,
    /// The .asf of an .amc; the only one beside it if not given.
    pub skeleton: Option<Spanned<String>>,
    /// Joints of that skeleton and the model's nodes that follow them, where names do not tell.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// The first clip if not given.
    pub clip: Option<String>,
    #[serde(default = "one")]
    pub speed: f64,
    /// Whether it starts over; if not said, all do but captures, which end elsewhere than they began.
    pub looped: Option<bool>,
    /// For clips made in place: how far a round of the clip carries the figure, evenly, in the model's axes,
    /// m.
    #[serde(default)]
    pub stride: [f64; 3],
}

/// What all parts of a name have in common; of several rules for a part each later one adds to the earlier.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartRule {
    /// Pattern of part names.
    pub name: Spanned<String>,
    pub motion: Option<Motion>,
    /// kg/m³
    pub density: Option<f64>,
    /// kg; stands before density.
    pub mass: Option<f64>,
    pub friction: Option<f64>,
    pub restitution: Option<f64>,
    /// Arms of the resistance to rolling and to spinning, m.
    pub rolling: Option<f64>,
    pub spinning: Option<f64>,
    /// World, m/s.
    pub velocity: Option<[f64; 3]>,
    /// World, rad/s.
    pub angular_velocity: Option<[f64; 3]>,
}

/// How parts of two patterns meet.
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
    /// Turns about the axis.
    Hinge,
    /// Moves along the axis.
    Slider,
    Ball,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointEntry {
    pub kind: JointKind,
    /// Part names, or "world".
    pub a: Spanned<String>,
    pub b: String,
    /// World, m.
    pub anchor: [f64; 3],
    /// World; for hinge and slider, and what a ball joint's twist is about and its cone around.
    #[serde(default = "JointEntry::default_axis")]
    pub axis: [f64; 3],
    /// Limits of a hinge (degrees) or slider (m).
    pub min: Option<Spanned<f64>>,
    pub max: Option<Spanned<f64>>,
    /// How far the axis of a ball joint may lean, degrees.
    pub cone: Option<Spanned<f64>>,
    /// From where to where a ball joint may turn about its axis, degrees.
    pub twist: Option<Spanned<[f64; 2]>>,
    pub drive: Option<Spanned<DriveEntry>>,
    /// N·m
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

/// A spring and damper that move a joint.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriveEntry {
    pub target: Option<DriveTarget>,
    /// Degrees a second of a hinge, m/s of a slider.
    #[serde(default)]
    pub velocity: f64,
    /// N/m or N·m/rad; of an acceleration drive 1/s².
    #[serde(default)]
    pub stiffness: f64,
    /// N·s/m or N·m·s/rad; of an acceleration drive 1/s.
    #[serde(default)]
    pub damping: f64,
    /// N or N·m
    #[serde(default = "unlimited")]
    pub max: f64,
    #[serde(default)]
    pub kind: DriveMode,
}

/// A rule for the drives of all joints of a name. Of several rules for a joint each later one adds to the
/// earlier ones. Units are those of [`DriveEntry`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriveRule {
    /// Pattern of joint names.
    pub joint: Spanned<String>,
    pub stiffness: Option<f64>,
    pub damping: Option<f64>,
    /// In place of these: the natural frequency with all that hangs on the joint, Hz, critically damped.
    pub frequency: Option<f64>,
    /// N or N·m
    pub max: Option<f64>,
}

/// From where the parts start.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "a number (degrees or m), or of a ball joint three (degrees about x, y, z)")]
pub enum DriveTarget {
    /// Degrees of a hinge, m of a slider.
    Along(f64),
    /// How far b is turned against a, about the world's x, then y, then z, degrees.
    Turned([f64; 3]),
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DriveMode {
    #[default]
    Force,
    /// Whatever the mass.
    Acceleration,
}

fn unlimited() -> f64 {
    f64::INFINITY
}

/// The text of a scene file, and what messages call it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    pub fn parse(&self) -> Result<SceneFile, SceneError> {
        toml::from_str(self.text).map_err(|error| match error.span() {
            Some(span) => self.error(span, error.message()),
            None => {
                let (file, reason) = (self.name.to_owned(), error.message().to_owned());
                SceneError::Text { file, line: None, reason }
            }
        })
    }

    /// What is wrong with a stretch of the text (bytes), by its line.
    pub fn error(&self, span: Range<usize>, reason: impl Into<String>) -> SceneError {
        let before = self.text.bytes().take(span.start);
        let line = Some(1 + before.filter(|&b| b == b'\n').count());
        SceneError::Text { file: self.name.to_owned(), line, reason: reason.into() }
    }
}
