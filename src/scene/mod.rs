//! Scenes: plain data as read from files, ready to be stepped.
//!
//! ```text
//! import/ ─→ Model ──────────┐
//!                            ├─ load.rs ─→ assemble.rs ─→ Scene ─→ World
//! sidecar.rs ─→ SceneFile ───┘
//! ```
//!
//! Everything ignored, repaired or assumed on the way is a [`Note`].
//!
//! - `assemble.rs`: models and a scene file, assembled to a scene entry by entry.
//! - `bare.rs`: a model without a scene file.
//! - `builder.rs`: a scene under construction: surfaces by content, bodies by unique names.
//! - `builtin.rs`: the scenes that are part of the program, and their models.
//! - `burden.rs`: the inertia that hangs on a joint.
//! - `check_entry.rs`: rules of a scene file for a check.
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
//! - `sidecar.rs`: the scene file and its keys.
//! - `skin.rs`: figures that only a clip moves.
//! - `skinning.rs`: skins for drawing, besides the links that collide.
//! - `surfaces.rs`: the number of triangles of a scene, counted before they are made.
//! - `unique.rs`: unique names: the second of a name gets a number.
//! - `visuals.rs`: the appearance of bodies that are not drawn as they collide.

mod assemble;
mod bare;
mod builder;
mod builtin;
mod burden;
mod check_entry;
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
mod load;
pub mod looks;
mod model_joints;
mod motion;
mod name;
mod near;
mod nodes;
pub(crate) mod palette;
mod parts;
mod patterns;
mod placement;
mod places;
mod ragdoll;
mod rigid;
mod robot;
mod rules;
mod sidecar;
mod skin;
mod skinning;
mod surfaces;
mod unique;
mod visuals;

use std::path::PathBuf;
use std::sync::Arc;

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

pub use bare::OpenAs;
pub(crate) use builder::DEFAULT_DENSITY;
pub use builtin::{BuiltinScene, DEFAULT_SCENE, builtin_scenes};
pub use check_entry::CheckEntry;
pub use error::SceneError;
pub use expect::{Expectation, NamedPair};
pub use expect_entry::{Exactly, ExpectEntry, JointLimits};
pub use filters::BodyFilters;
pub(crate) use hints::instead;
pub use load::{load_scene, load_text};
pub use motion::{LinkMotion, Moment};
pub use name::SceneName;
pub(crate) use patterns::{PartPattern, alternatives};
pub(crate) use unique::Unique;

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
    /// Distinct surfaces; a recording stores them separately.
    #[serde(skip)]
    pub meshes: Vec<Arc<Mesh>>,
    pub bodies: Vec<BodyDef>,
    /// Colors that bodies and drawn surfaces refer to by index; stored separately.
    #[serde(skip)]
    pub paints: Vec<Paint>,
    /// Surfaces drawn in place of the bodies that they follow; stored separately.
    #[serde(skip)]
    pub drawn: Vec<DrawnSurface>,
    /// Figures: bodies posed together by an animation.
    pub skeletons: Vec<SkeletonDef>,
    pub joints: Vec<Joint>,
    /// Coordinates of joints that a user or a clip can set while they move.
    #[serde(default)]
    pub controls: Vec<Control>,
    /// Coordinates of joints over time, which controls refer to by index.
    #[serde(default)]
    pub clips: Vec<CoordinateClip>,
    /// Pairs of bodies (a < b, sorted) with a rule other than plain collision.
    pub pair_rules: Vec<(u32, u32, PairRule)>,
    /// Rules of the scene file for a check.
    #[serde(default)]
    pub checks: Vec<CheckEntry>,
    /// Expectations of the scene file.
    #[serde(default)]
    pub expectations: Vec<ExpectEntry>,
    /// Bodies that the collision filters of their files keep apart. A pair rule overrides them.
    #[serde(default)]
    pub filters: BodyFilters,
    /// Gravity, m/s².
    pub gravity: DVec3,
    /// Default number of steps of a run.
    pub steps: u32,
    pub config: Config,
    pub camera: Option<CameraDef>,
    pub notes: Vec<Note>,
    /// Files that the scene was read from: scene, models, and all that they refer to. They are never
    /// overwritten.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
}

/// Body at the start of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDef {
    pub name: String,
    /// Index into the scene's meshes; `None` for a body without a surface.
    pub mesh: Option<u32>,
    /// Nodes whose triangles make up the mesh, in triangle order.
    pub parts: Vec<PartRange>,
    pub motion: Motion,
    /// Pose: body space to world.
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
    /// Lever arm of the spinning resistance of a contact, m; 0 in older recordings.
    pub rolling: f64,
    #[serde(default)]
    pub spinning: f64,
    /// Index into the scene's paints.
    pub paint: u32,
    /// Whether the body is a sensor: it reports the bodies inside it, and does not respond.
    pub trigger: bool,
    /// Whether the body is the ground that was added under the scene, not part of a file.
    #[serde(default)]
    pub is_ground: bool,
    /// Path in the tree of its file, by names from the top down. Unique in the scene, and unchanged if
    /// the file only reorders its nodes. The name for a link of a figure; empty for the ground.
    #[serde(default)]
    pub path: String,
    /// Combine modes of friction and restitution for a pair, if its file specifies them.
    #[serde(default)]
    pub combine: CombineModes,
}

/// Node of the file whose triangles are part of a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRange {
    pub name: String,
    /// Index of the first triangle in the body's mesh.
    pub first_triangle: u32,
}

/// Cause of motion of a figure's links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// Articulated character (figure): connected bodies, with the skins drawn over them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkeletonDef {
    pub name: String,
    #[serde(default)]
    pub kind: FigureKind,
    /// First index of the links' bodies, a contiguous range.
    pub first_body: u32,
    pub link_count: u32,
    /// Parent link per link, by index within the figure: the link of the nearest joint above that has
    /// one. `None` for a root. Empty in older recordings.
    #[serde(default)]
    pub parents: Vec<Option<u32>>,
    /// Whether links of a kinematic figure are tested for intersections with each other, except
    /// neighbors. Links of other figures always collide.
    #[serde(default)]
    pub self_collision: bool,
    /// Rest poses, world, of joints that skins follow and that have no surface of their own.
    pub joints: Vec<Pose>,
    /// Poses of the links, then of `joints`, over time; empty if nothing follows them.
    pub motion: LinkMotion,
    /// Joints of the scene (by index) whose drives follow the motion. Body b of each is a link; body a
    /// is a link or the world.
    #[serde(default)]
    pub driven: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraDef {
    /// Position, world, m.
    pub eye: DVec3,
    /// Point that it looks at, world, m.
    pub target: DVec3,
    /// Vertical field of view, degrees.
    #[serde(default = "default_fov")]
    pub vertical_fov: f64,
}

fn default_fov() -> f64 {
    45.0
}
