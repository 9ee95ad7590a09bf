//! Scenes: plain data as read from files, ready to be stepped.
//!
//! ```text
//! import/ ─→ Model ──────────┐
//!                            ├─ load.rs ─→ assemble.rs ─→ Scene ─→ World
//! sidecar.rs ─→ SceneFile ───┘
//! ```
//!
//! A [`Note`] records everything that was ignored, repaired or assumed.
//!
//! - `assemble.rs`: models and a scene file, assembled to a scene entry by entry.
//! - `bare.rs`: a model without a scene file.
//! - `builder.rs`: a scene under construction: surfaces by content, bodies by unique names.
//! - `builtin.rs`: the scenes that are part of the program, and their models.
//! - `burden.rs`: the inertia that hangs on a joint.
//! - `check_entry.rs`: rules of a scene file for a check.
//! - `conditions.rs`: conditions between the keys of a scene file, for its JSON Schema.
//! - `define.rs`: scenes made in code.
//! - `drives.rs`: rules of a scene file for drives, by joint name.
//! - `error.rs`: errors in loading a scene.
//! - `expect.rs`: expectations of a scene with the bodies and joints that they name.
//! - `expect_entry.rs`: expectations as written in a scene file.
//! - `figure.rs`: skins cut into rigid links.
//! - `filters.rs`: bodies, and parts of them, that never collide because of a collision filter.
//! - `finish.rs`: start and end of assembling a scene.
//! - `hints.rs`: hints for a wrong name or file.
//! - `joints.rs`: joints of a scene file, converted to joints of six axes.
//! - `length.rs`: lengths as people write them.
//! - `load.rs`: loading by the user's name: a built-in scene, a scene file or a model.
//! - `looks.rs`: the appearance of a scene; it does not affect a step.
//! - `model_joints.rs`: the joints of a model with physics.
//! - `motion.rs`: sampled motion of a figure's links.
//! - `name.rs`: the user's name of a scene or model.
//! - `near.rs`: links of a figure that are near each other at the start.
//! - `nodes.rs`: the body of each node of a model, and its mesh in that body's surface.
//! - `palette.rs`: colors for surfaces without one.
//! - `parts.rs`: a model without physics, every mesh node a body.
//! - `patterns.rs`: patterns of names, and the names that they list in braces.
//! - `placement.rs`: the pose of a copy of a model, and its selected nodes.
//! - `places.rs`: the paths of files that a scene file names.
//! - `ragdoll/`: figures that forces move.
//! - `rigid.rs`: the bodies of a model with physics.
//! - `robot.rs`: robots: fixed bases, joints that hold.
//! - `rules.rs`: rules of a scene file for parts and pairs by name, and the ground.
//! - `schema.rs`: the JSON Schema of scene files.
//! - `setting.rs`: values that replace keys of a scene file.
//! - `sidecar.rs`: the scene file and its keys.
//! - `skin.rs`: figures that only a clip moves.
//! - `skinning.rs`: skins for drawing, besides the links that collide.
//! - `source.rs`: the text of a scene file, and errors at its lines.
//! - `sunken.rs`: parts whose middle lies inside the ground, which are fixed.
//! - `surfaces.rs`: the number of triangles of a scene, counted before they are made.
//! - `unique.rs`: unique names: the second of a name gets a number.
//! - `visuals.rs`: the appearance of bodies that are not drawn as they collide.

mod assemble;
mod bare;
mod builder;
mod builtin;
mod burden;
mod check_entry;
#[cfg(feature = "schema")]
mod conditions;
mod define;
mod drives;
mod error;
mod expect;
mod expect_entry;
mod figure;
mod filters;
mod finish;
mod hints;
mod joints;
mod length;
mod load;
pub mod looks;
mod model_joints;
mod motion;
mod name;
mod near;
mod nodes;
pub mod palette;
mod parts;
mod patterns;
mod placement;
mod places;
mod ragdoll;
mod rigid;
mod robot;
mod rules;
#[cfg(feature = "schema")]
mod schema;
mod setting;
mod sidecar;
mod skin;
mod skinning;
mod source;
mod sunken;
mod surfaces;
mod unique;
mod visuals;

use std::path::PathBuf;
use std::sync::Arc;

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

pub use bare::OpenAs;
pub use builder::DEFAULT_DENSITY;
pub use builtin::{BuiltinScene, DEFAULT_SCENE, builtin_scenes};
pub use check_entry::CheckEntry;
pub use error::SceneError;
pub use expect::{Expectation, NamedPair};
pub use expect_entry::{Exactly, ExpectEntry, JointLimits};
pub use filters::BodyFilters;
pub use hints::instead;
pub use length::{Length, written};
pub use load::{load_scene, load_text};
pub use motion::{LinkMotion, Moment};
pub use name::SceneName;
pub use patterns::{PartPattern, alternatives};
#[cfg(feature = "schema")]
pub use schema::scene_schema;
pub use setting::Setting;
pub use unique::Unique;

use looks::{DrawnSurface, Paint};

use crate::body::{CombineModes, Control, CoordinateClip, Joint, Motion};
use crate::config::Config;
use crate::contact::PairRule;
use crate::import::Note;
use crate::mesh::Mesh;
use crate::pose::Pose;

/// Input of a world; a recording keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scene {
    pub name: String,
    /// One sentence for the list of scenes.
    pub description: String,
    /// Distinct surfaces, which bodies refer to by index; a recording stores them separately.
    #[serde(skip)]
    pub meshes: Vec<Arc<Mesh>>,
    pub bodies: Vec<BodyDef>,
    /// Colors that bodies and drawn surfaces refer to by index; a recording stores them separately.
    #[serde(skip)]
    pub paints: Vec<Paint>,
    /// Surfaces drawn in place of the bodies that they follow; a recording stores them separately.
    #[serde(skip)]
    pub drawn: Vec<DrawnSurface>,
    /// Figures: articulated characters, whose bodies an animation may pose together.
    pub skeletons: Vec<SkeletonDef>,
    pub joints: Vec<Joint>,
    /// Coordinates of joints that a user or a clip can set during a run.
    #[serde(default)]
    pub controls: Vec<Control>,
    /// Joint coordinates over time, which controls refer to by index.
    #[serde(default)]
    pub clips: Vec<CoordinateClip>,
    /// Rules for pairs of bodies (a < b, sorted) that do not simply collide.
    pub pair_rules: Vec<(u32, u32, PairRule)>,
    /// Rules of the scene file for the command `check`.
    #[serde(default)]
    pub checks: Vec<CheckEntry>,
    /// Expectations of the scene file.
    #[serde(default)]
    pub expectations: Vec<ExpectEntry>,
    /// Bodies that never collide because of the collision filters of their files. A pair rule overrides
    /// a filter.
    #[serde(default)]
    pub filters: BodyFilters,
    /// Gravity, m/s².
    pub gravity: DVec3,
    /// Default number of steps of a run.
    pub steps: u32,
    pub config: Config,
    pub camera: Option<CameraDef>,
    pub notes: Vec<Note>,
    /// Files that the scene was read from: the scene file, models, and all files that these refer to.
    /// The program never overwrites them.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
}

/// Body at the start of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDef {
    pub name: String,
    /// Index into the scene's meshes; `None` for a body without a surface.
    pub mesh: Option<u32>,
    /// Nodes whose triangles make up the mesh, in order of their triangles.
    pub parts: Vec<PartRange>,
    pub motion: Motion,
    /// Transform from body space to world.
    pub pose: Pose,
    /// Velocity of the center of mass, world, m/s.
    pub linear_velocity: DVec3,
    /// Angular velocity, world, rad/s.
    pub angular_velocity: DVec3,
    /// Mass, kg; infinite for static and kinematic bodies.
    pub mass: f64,
    /// Center of mass, body space, m.
    pub center: DVec3,
    /// Inertia about the center of mass, body axes, kg·m².
    pub inertia: DMat3,
    pub gravity_factor: f64,
    pub friction: f64,
    pub restitution: f64,
    /// Lever arm of the rolling resistance of a contact, m; 0 in older recordings.
    #[serde(default)]
    pub rolling: f64,
    /// Lever arm of the spinning resistance of a contact, m; 0 in older recordings.
    #[serde(default)]
    pub spinning: f64,
    /// Index into the scene's paints.
    pub paint: u32,
    /// Whether the body is a sensor: it reports bodies that are inside it, and no contact acts on it or
    /// on them.
    pub trigger: bool,
    /// Whether the body is the ground that was added under the scene, not part of a file.
    #[serde(default)]
    pub is_ground: bool,
    /// Path in the node tree of its file, by names from the top down. It is unique in the scene, and
    /// does not change if the file only reorders its nodes. For a link of a figure it is the name; for
    /// the ground it is empty.
    #[serde(default)]
    pub path: String,
    /// Combine modes of friction and restitution for a pair, as far as the file specifies them.
    #[serde(default)]
    pub combine: CombineModes,
}

/// Node of the file whose triangles are part of a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRange {
    pub name: String,
    /// Index of the first of its triangles in the body's mesh.
    pub first_triangle: u32,
}

/// Cause of motion of a figure's links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    /// Kinematic: only its animation moves it; nothing deflects it.
    #[default]
    Kinematic,
    /// Ragdoll: only forces move it. Its links have mass and are connected by joints.
    Ragdoll,
    /// Powered: forces move it, and drives follow its animation.
    Powered,
}

/// Articulated character (figure): bodies that are connected to each other (links), and the skins drawn
/// over them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkeletonDef {
    pub name: String,
    #[serde(default)]
    pub kind: FigureKind,
    /// Index of the first link's body. The bodies of the links are contiguous.
    pub first_body: u32,
    pub link_count: u32,
    /// Parent link per link, by index within the figure: the link of the nearest joint above that has a
    /// link. `None` for a root. Empty in older recordings.
    #[serde(default)]
    pub parents: Vec<Option<u32>>,
    /// Whether links of a kinematic figure are tested for intersections with each other, except links
    /// that are parent and child or near each other at the start. Links of other figures always
    /// collide.
    #[serde(default)]
    pub self_collision: bool,
    /// Rest poses, world, of joints that skins follow and that have no link.
    pub joints: Vec<Pose>,
    /// Poses of the links, then of `joints`, over time; empty without a clip.
    pub motion: LinkMotion,
    /// Indices of the scene's joints whose drives follow the motion. Body b of each is a link; body a
    /// is a link or the world.
    #[serde(default)]
    pub driven: Vec<u32>,
}

/// Position of the camera in the first picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CameraDef {
    /// Position, world, m.
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    #[serde(deserialize_with = "expect_entry::exactly")]
    pub eye: DVec3,
    /// Point that it looks at, world, m.
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    #[serde(deserialize_with = "expect_entry::exactly")]
    pub target: DVec3,
    /// Vertical field of view, degrees.
    #[serde(default = "default_fov")]
    pub vertical_fov: f64,
}

fn default_fov() -> f64 {
    45.0
}
