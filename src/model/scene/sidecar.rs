//! Scene files: TOML that names models, places them, and adds data that glTF does not have. Unknown
//! keys and values out of range are errors, reported with their line.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::check_entry::CheckEntry;
#[cfg(feature = "schema")]
use super::conditions;
use super::expect_entry::{Exactly, ExpectEntry, exactly, exactly_if_given};
use super::placement::Recenter;
use super::robot::Base;
use super::{CameraDef, FigureKind};
use crate::body::Motion;
use crate::config::Config;
#[cfg(feature = "schema")]
use crate::import::limits::{BODIES, COORDINATE, EXPECTATIONS, JOINTS, PATTERN_BYTES};
use crate::import::{Colliders, JointMotion, ReadAs, Unit, Up, is_joint_motion};

/// Scene of tumble: models, their places, and all that glTF does not have. Lengths in m, angles in
/// degrees, y up.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = conditions::scene))]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    /// Name of the scene in reports and windows. Default: the name of the file.
    pub name: Option<String>,
    /// One sentence about the scene.
    #[serde(default)]
    pub description: String,
    /// Acceleration of gravity, m/s². Default: that of the models, else 9.81 downwards.
    #[serde(default, deserialize_with = "exactly_if_given")]
    pub gravity: Option<[f64; 3]>,
    /// Number of steps of a run; the option `--steps` overrides it. Default: 600.
    pub steps: Option<u32>,
    /// Settings of the steps. Options of the command line override them.
    #[serde(default)]
    pub config: Config,
    /// Position of the camera. Default: it shows the moving parts and those near them.
    pub camera: Option<CameraDef>,
    /// Floor: a static square slab about the origin. Default: none.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Ground>"))]
    pub ground: Option<Spanned<Ground>>,
    /// Models of the scene.
    #[serde(default, rename = "model")]
    pub models: Vec<ModelEntry>,
    /// Materials and motions of parts, by name. If several rules match a part, each later one adds to
    /// the earlier ones.
    #[serde(default, rename = "part")]
    pub parts: Vec<PartRule>,
    /// Pairs of parts that collide, or do not. If several rules match a pair, the last one counts.
    #[serde(default, rename = "pair")]
    pub pairs: Vec<PairEntry>,
    /// Rules for `tumble check`; no other command reads them.
    #[serde(default, rename = "check")]
    pub checks: Vec<CheckEntry>,
    /// Expectations: statements about a run, which `tumble run` checks.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ExpectEntry>", length(max = EXPECTATIONS)))]
    #[serde(default, rename = "expect")]
    pub expectations: Vec<Spanned<ExpectEntry>>,
    /// Joints between two parts, or between a part and the world.
    #[cfg_attr(feature = "schema", schemars(length(max = JOINTS)))]
    #[serde(default, rename = "joint")]
    pub joints: Vec<JointEntry>,
    /// Strengths of the drives of joints, by name. If several rules match a joint, each later one adds to
    /// the earlier ones.
    #[serde(default, rename = "drive")]
    pub drives: Vec<DriveRule>,
}

/// Floor: a static square slab about the origin.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// Height of its top face, m.
    #[serde(default)]
    pub y: f64,
    /// Side of its square, m.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0)))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = conditions::model))]
#[serde(deny_unknown_fields)]
pub struct ModelEntry {
    /// Path of the model (.glb, .gltf, .stl, .obj, .ply, .dae, .urdf), absolute or relative to the scene
    /// file. The file lies in the scene file's folder, in a folder beside it, or in a folder given with
    /// `--model-path`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub file: Spanned<String>,
    /// Patterns of the names of the nodes to load; an empty list loads all.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>", inner(length(max = PATTERN_BYTES))))]
    #[serde(default)]
    pub nodes: Vec<Spanned<String>>,
    /// Point that `position` places: the origin of the model, or a point of each node. With several
    /// nodes `true` and `"bounds"` put them all in one place.
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    #[serde(default)]
    pub recenter: Recenter,
    /// Position of the point that `recenter` selects, m.
    #[serde(default, deserialize_with = "exactly")]
    pub position: [f64; 3],
    /// Rotation angles, degrees, applied about the world's x, then y, then z.
    #[serde(default, deserialize_with = "exactly")]
    pub rotation: [f64; 3],
    /// Scale factor along all axes; not 0.
    #[cfg_attr(feature = "schema", schemars(extend("not" = {"const": 0})))]
    #[serde(default = "one")]
    pub scale: f64,
    /// Unit of length of the file. Default: meters of glTF, or the unit that the file names; guessed for
    /// STL, OBJ and PLY.
    pub unit: Option<Unit>,
    /// Axis of the file that points up. Default: y; z of a robot.
    pub up: Option<Up>,
    /// Fixed or free base. A fixed one turns on gravity compensation. Default: fixed for a robot, free
    /// for other models.
    pub base: Option<Base>,
    /// Initial positions of the joints of a robot, rad or m, by joint name. Other joints start at 0, or
    /// at the limit nearest to it.
    #[serde(default)]
    pub pose: BTreeMap<String, f64>,
    /// Geometry that collides, if a file has a choice.
    #[serde(default)]
    pub colliders: Colliders,
    /// Grid of copies. Default: one copy.
    pub copies: Option<Copies>,
    /// Clip that moves the model. Default: the model does not move by itself.
    pub animation: Option<Animation>,
    /// Cause of motion of the figures made from its skins.
    #[serde(default)]
    pub figure: FigureKind,
    /// Whether links of a kinematic figure are tested for intersections with each other, except links
    /// that are parent and child or near each other at the start. Links of other figures always
    /// collide.
    #[serde(default)]
    pub self_collision: bool,
    /// Strength of the drives of a powered figure, as a multiple of the usual strength. Default: 1.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>", range(min = *STRENGTHS.start(), max = *STRENGTHS.end())))]
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

/// Allowed strengths of drives: weaker drives hold nothing, and sub-steps cannot follow stronger ones.
pub(super) const STRENGTHS: RangeInclusive<f64> = 0.01..=10.0;

fn one() -> f64 {
    1.0
}

/// Grid of copies. The first copy is at the `position` of the model.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// Number of copies along each axis.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 1, max = BODIES))))]
    #[serde(deserialize_with = "exactly")]
    pub count: [u32; 3],
    /// Distances from one copy to the next along each axis, m. Keep them larger than the part.
    #[serde(deserialize_with = "exactly")]
    pub spacing: [f64; 3],
    /// Largest random displacement of each copy along each axis, m.
    #[serde(default)]
    pub jitter: f64,
    /// Whether each copy is rotated at random. Leave space for its longest diagonal.
    #[serde(default)]
    pub random_rotation: bool,
}

/// Clip that moves the animated nodes of a model, and how it plays.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = conditions::animation))]
#[serde(deny_unknown_fields)]
pub struct Animation {
    /// Motion file, found as the model's file is. Either a file with another skeleton (.glb, .gltf,
    /// .bvh, .amc), whose clip is retargeted to the model, or a table of a robot's joint coordinates
    /// (.csv). Default: the model's own clips.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub file: Option<Spanned<String>>,
    /// Skeleton file (.asf) of an .amc file. Default: the only .asf file beside it.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub skeleton: Option<Spanned<String>>,
    /// Joints of the clip's skeleton and the model's nodes that follow them, where names do not match.
    #[serde(default)]
    pub map: BTreeMap<String, String>,
    /// Name of the clip. Default: the first clip.
    pub clip: Option<String>,
    /// Playback speed, as a multiple of the clip's own.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0)))]
    #[serde(default = "one")]
    pub speed: f64,
    /// Whether the clip starts over after its end. Default: true, but false for captured motion and
    /// tables.
    pub looped: Option<bool>,
    /// Distance that one cycle moves the figure, in the model's own axes, m. It is for clips that walk on
    /// the spot.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -COORDINATE, max = COORDINATE))))]
    #[serde(default, deserialize_with = "exactly")]
    pub stride: [f64; 3],
}

/// Properties of all parts that match a pattern. If several rules match a part, all apply in order, and
/// later values override earlier ones.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PartRule {
    /// Pattern of the names of parts.
    #[cfg_attr(feature = "schema", schemars(with = "String", length(max = PATTERN_BYTES)))]
    pub name: Spanned<String>,
    /// Kind of motion. Default: dynamic, or as the model file specifies.
    pub motion: Option<Motion>,
    /// Density, kg/m³: steel 7850, aluminium 2700, wood 600, ABS 1050. Default: 1000, with a note.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub density: Option<f64>,
    /// Mass, kg; overrides the density.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub mass: Option<f64>,
    /// Friction coefficient; a pair uses the geometric mean. Default: 0.5.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub friction: Option<f64>,
    /// Share of the impact speed that a bounce returns, 0 to 1; a pair uses the larger value. Default: 0.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub restitution: Option<f64>,
    /// Rolling resistance, m: the arm at which the contact force resists rotation about an axis in the
    /// surface. A pair uses the larger value. Default: 0.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub rolling: Option<f64>,
    /// Resistance to rotation about the normal of the surface, m, in the same way. Default: 0.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub spinning: Option<f64>,
    /// Initial velocity of the center of mass, world, m/s.
    #[serde(default, deserialize_with = "exactly_if_given")]
    pub velocity: Option<[f64; 3]>,
    /// Initial angular velocity, world, rad/s.
    #[serde(default, deserialize_with = "exactly_if_given")]
    pub angular_velocity: Option<[f64; 3]>,
}

/// Rule for all pairs of a part matching `a` and a part matching `b`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = conditions::pair))]
#[serde(deny_unknown_fields)]
pub struct PairEntry {
    /// Pattern of the names of the first parts.
    #[cfg_attr(feature = "schema", schemars(with = "String", length(max = PATTERN_BYTES)))]
    pub a: Spanned<String>,
    /// Pattern of the names of the second parts.
    #[cfg_attr(feature = "schema", schemars(length(max = PATTERN_BYTES)))]
    pub b: String,
    /// Behavior of these pairs.
    pub rule: PairKind,
    /// Clearance of a fit, with its unit: one surface is moved inward by this distance.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = conditions::LENGTH)))]
    pub clearance: Option<String>,
}

/// Behavior of a pair of parts, as a scene file names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PairKind {
    /// The parts collide.
    Collide,
    /// No contacts: the pair is never tested.
    Ignore,
    /// The parts are modeled touching or overlapping (press fits, threads). They collide, but their
    /// overlap does not count as penetration.
    Permanent,
    /// The parts are a fit whose facets overlap: they collide with a clearance.
    Fit,
}

/// Kind of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JointKind {
    /// Connects rigidly.
    Fixed,
    /// Rotates about the axis.
    Hinge,
    /// Moves along the axis.
    Slider,
    /// Rotates any way.
    Ball,
}

/// Joint between two parts, or between a part and the world, in their initial positions.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = conditions::joint))]
#[serde(deny_unknown_fields)]
pub struct JointEntry {
    /// Name of the joint, which no other joint of the file has. Default: its kind and its parts, as in
    /// `hinge of world and lid`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>", extend("pattern" = r"\S")))]
    pub name: Option<Spanned<String>>,
    /// Kind of the joint.
    pub kind: JointKind,
    /// Name of a part (no pattern), or `"world"`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub a: Spanned<String>,
    /// Name of the moving part (no pattern), or `"world"`. Angles and lengths are those of b relative to
    /// a.
    pub b: String,
    /// Position of the joint at the start, world, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -COORDINATE, max = COORDINATE))))]
    #[serde(deserialize_with = "exactly")]
    pub anchor: [f64; 3],
    /// Axis of a hinge or slider, or the axis of a ball joint's twist and cone; world direction.
    #[cfg_attr(feature = "schema", schemars(extend("not" = {"items": {"const": 0}})))]
    #[serde(default = "JointEntry::default_axis", deserialize_with = "exactly")]
    pub axis: [f64; 3],
    /// Lower limit of a hinge (degrees) or slider (m), measured from the initial position. Default: no
    /// limit.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>", transform = conditions::or_infinite))]
    pub min: Option<Spanned<f64>>,
    /// Upper limit of a hinge (degrees) or slider (m), measured from the initial position. Default: no
    /// limit.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>", transform = conditions::or_infinite))]
    pub max: Option<Spanned<f64>>,
    /// Largest lean of the axis of a ball joint, degrees. Default: no limit.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>", range(min = 0, max = 180)))]
    pub cone: Option<Spanned<f64>>,
    /// Smallest and largest rotation of a ball joint about its axis, degrees. Default: no limit.
    #[cfg_attr(feature = "schema", schemars(with = "Option<[f64; 2]>", inner(range(min = -180, max = 180))))]
    pub twist: Option<Spanned<Exactly<f64, 2>>>,
    /// Drive of the joint. Default: none.
    #[cfg_attr(feature = "schema", schemars(with = "Option<DriveEntry>"))]
    pub drive: Option<Spanned<DriveEntry>>,
    /// Torque of the joint's friction, N·m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    #[serde(default)]
    pub friction: f64,
    /// Whether a and b collide with each other.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = conditions::drive))]
#[serde(deny_unknown_fields)]
pub struct DriveEntry {
    /// Target position, measured from the initial one: degrees of a hinge, m of a slider; three angles of
    /// a ball joint. Default: 0.
    pub target: Option<DriveTarget>,
    /// Target velocity: degrees/s of a hinge, m/s of a slider. Not for ball joints.
    #[serde(default)]
    pub velocity: f64,
    /// Stiffness of the spring towards the target, N·m/rad or N/m; 1/s² for an acceleration drive.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    #[serde(default)]
    pub stiffness: f64,
    /// Damping towards the target velocity, N·m·s/rad or N·s/m; 1/s for an acceleration drive.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    #[serde(default)]
    pub damping: f64,
    /// Largest torque (N·m) or force (N) of the drive. Default: `inf`, no limit.
    #[cfg_attr(feature = "schema", schemars(range(min = 0), transform = conditions::or_infinite))]
    #[serde(default = "unlimited")]
    pub max: f64,
    /// Kind of the drive.
    #[serde(default)]
    pub kind: DriveMode,
}

/// Rule for the drives of all joints that match a pattern. If several rules match a joint, all apply in
/// order, and later values override earlier ones.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = conditions::drive_rule))]
#[serde(deny_unknown_fields)]
pub struct DriveRule {
    /// Pattern of the names of joints. A joint of a scene file has its `name`.
    #[cfg_attr(feature = "schema", schemars(with = "String", length(max = PATTERN_BYTES)))]
    pub joint: Spanned<String>,
    /// Stiffness of the spring towards the target, N·m/rad or N/m; 1/s² for an acceleration drive.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub stiffness: Option<f64>,
    /// Damping, N·m·s/rad or N·s/m; 1/s for an acceleration drive.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub damping: Option<f64>,
    /// Natural frequency of the critically damped drive with all bodies that hang on the joint, Hz. It
    /// replaces stiffness and damping. Not for ball joints.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub frequency: Option<f64>,
    /// Largest torque (N·m) or force (N) of the drive.
    #[cfg_attr(feature = "schema", schemars(range(min = 0), transform = conditions::or_infinite))]
    pub max: Option<f64>,
}

/// Target of a drive, relative to the joint's start.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "a number (degrees or m), or of a ball joint three (degrees about x, y, z)")]
pub enum DriveTarget {
    /// Angle of a hinge, degrees, or distance of a slider, m.
    Along(f64),
    /// Rotation of body b relative to body a, about the world's x, then y, then z axis, degrees.
    Turned([f64; 3]),
}

/// Kind of a drive.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DriveMode {
    /// Force drive: stiffness and damping act as forces, or torques.
    #[default]
    Force,
    /// Acceleration drive: stiffness and damping are per unit of inertia.
    Acceleration,
}

fn unlimited() -> f64 {
    f64::INFINITY
}
