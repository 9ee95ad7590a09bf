//! A scene: plain data as the files say it, ready to be stepped.
//!
//! ```text
//! import/ ─→ Model ──────────┐
//!                            ├─ load.rs ─→ assemble.rs ─→ Scene ─→ World
//! sidecar.rs ─→ SceneFile ───┘
//! ```
//!
//! Everything that was not understood, repaired or assumed on the way is a [`Note`].
//!
//! - `assemble.rs`: models and a scene file made into a scene, one entry after the other.
//! - `bare.rs`: a model without a scene file.
//! - `builder.rs`: a scene being put together: surfaces by content, bodies by unique names.
//! - `builtin.rs`: the scenes that are part of the program, and their models.
//! - `burden.rs`: the inertia that hangs on a joint.
//! - `check_entry.rs`: rules of a scene file for a check.
//! - `define.rs`: scenes made in code.
//! - `drives.rs`: rules of a scene file for drives, by the names of their joints.
//! - `error.rs`: why a scene cannot be had.
//! - `expect.rs`: expectations of a scene with the bodies and joints that they name.
//! - `expect_entry.rs`: expectations as a scene file says them.
//! - `figure.rs`: a skin cut into rigid links.
//! - `filters.rs`: bodies, and parts of them, that never meet because a collision filter says so.
//! - `finish.rs`: a scene at its beginning and at its end.
//! - `hints.rs`: what to do instead when a name or a file is not what was meant.
//! - `joints.rs`: joints of a scene file made into joints of six axes.
//! - `load.rs`: what the user names, loaded: a built-in scene, a scene file or a model.
//! - `looks.rs`: what a scene looks like; nothing here takes part in a step.
//! - `model_joints.rs`: the joints of a model with physics.
//! - `motion.rs`: sampled motion of a figure's links.
//! - `name.rs`: what to open, as the user names it.
//! - `near.rs`: links of a figure that are near each other to begin with.
//! - `nodes.rs`: which body each node of a model belongs to, and its mesh in that body's surface.
//! - `palette.rs`: colours for surfaces of which a file says none.
//! - `parts.rs`: a model without physics, every mesh node a body.
//! - `patterns.rs`: patterns of names, and the names that they list in braces.
//! - `placement.rs`: where a copy of a model stands, and which of its nodes are meant.
//! - `places.rs`: where the files lie that a scene file names.
//! - `ragdoll/`: figures that forces move.
//! - `rigid.rs`: the bodies of a model with physics.
//! - `robot.rs`: robots: bases that stand fast, joints that hold.
//! - `rules.rs`: what a scene file says of parts and pairs by name, and the ground.
//! - `sidecar.rs`: the scene file and its keys.
//! - `skin.rs`: figures that a clip alone moves.
//! - `skinning.rs`: skins as they are drawn, beside the links that collide.
//! - `surfaces.rs`: how many triangles a scene will have, counted before they are made.
//! - `unique.rs`: unique names: the second of a name gets a number.
//! - `visuals.rs`: what bodies look like where that is not what they collide as.

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

/// What a world is made from, and what a recording keeps of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scene {
    pub name: String,
    /// One sentence for the list of scenes.
    pub description: String,
    /// Each distinct surface once; a recording stores them apart from the rest.
    #[serde(skip)]
    pub meshes: Vec<Arc<Mesh>>,
    pub bodies: Vec<BodyDef>,
    /// Colours that bodies and drawn surfaces name by index; stored apart.
    #[serde(skip)]
    pub paints: Vec<Paint>,
    /// What is drawn instead of the bodies it follows; stored apart.
    #[serde(skip)]
    pub drawn: Vec<DrawnSurface>,
    /// Bodies posed together by an animation.
    pub skeletons: Vec<SkeletonDef>,
    pub joints: Vec<Joint>,
    /// What of the joints a user or a clip can set while they move.
    #[serde(default)]
    pub controls: Vec<Control>,
    /// Coordinates of joints over time, which controls name by index.
    #[serde(default)]
    pub clips: Vec<CoordinateClip>,
    /// Pairs of bodies (a < b, sorted) that do not simply collide.
    pub pair_rules: Vec<(u32, u32, PairRule)>,
    /// Rules of the scene file for a check.
    #[serde(default)]
    pub checks: Vec<CheckEntry>,
    /// The expectations of the scene file.
    #[serde(default)]
    pub expectations: Vec<ExpectEntry>,
    /// Which bodies the collision filters of their files keep apart; a pair rule stands before them.
    #[serde(default)]
    pub filters: BodyFilters,
    /// m/s²
    pub gravity: DVec3,
    /// How many steps a run takes unless told otherwise.
    pub steps: u32,
    pub config: Config,
    pub camera: Option<CameraDef>,
    pub notes: Vec<Note>,
    /// What it was read from, scene, models and all they refer to; nothing is written over these.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
}

/// A body at the start of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDef {
    pub name: String,
    /// Index into the scene's meshes; `None` for a body without a surface.
    pub mesh: Option<u32>,
    /// The nodes whose triangles make up the mesh, in triangle order.
    pub parts: Vec<PartRange>,
    pub motion: Motion,
    /// Body space → world.
    pub pose: Pose,
    /// Velocity of the centre of mass, world, m/s.
    pub linear_velocity: DVec3,
    /// World, rad/s.
    pub angular_velocity: DVec3,
    /// kg; infinite for static and kinematic bodies.
    pub mass: f64,
    /// Centre of mass, body space, m.
    pub center: DVec3,
    /// About the centre, body axes, kg·m².
    pub inertia: DMat3,
    pub gravity_factor: f64,
    pub friction: f64,
    pub restitution: f64,
    /// How far the normal force of a contact stands off the contact against rolling, and which arm it has
    /// against spinning, m; recordings made before these were kept have none.
    #[serde(default)]
    pub rolling: f64,
    #[serde(default)]
    pub spinning: f64,
    /// Index into the scene's paints.
    pub paint: u32,
    /// Volumes that only report who is inside are bodies too, without response.
    pub trigger: bool,
    /// Whether it is the ground that was put under the scene, and no part of a file.
    #[serde(default)]
    pub is_ground: bool,
    /// Where it hangs in the tree of its file, by names from the top down; unique in the scene, and the same
    /// where a file only shuffles its nodes. Its name for a link of a figure; empty for the ground.
    #[serde(default)]
    pub path: String,
    /// How its friction and bounce become those of a pair, where its file says it.
    #[serde(default)]
    pub combine: CombineModes,
}

/// A node of the file whose triangles a body carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRange {
    pub name: String,
    /// Index of the first triangle in the body's mesh.
    pub first_triangle: u32,
}

/// What moves the links of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    /// Its animation alone; nothing deflects it.
    #[default]
    Kinematic,
    /// Forces alone: links with mass, held together by joints.
    Ragdoll,
    /// Forces, and drives that take it through its animation.
    Powered,
}

/// A figure: bodies that hang together, with the skins drawn over them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkeletonDef {
    pub name: String,
    #[serde(default)]
    pub kind: FigureKind,
    /// The links' bodies: a contiguous range of body indices.
    pub first_body: u32,
    pub link_count: u32,
    /// For each link the link it hangs on, by index within the figure: that of the nearest joint above which
    /// has one. `None` for a root. In recordings made before it was kept the list is empty.
    #[serde(default)]
    pub parents: Vec<Option<u32>>,
    /// Whether links of a kinematic figure are looked at for intersections with each other; neighbours are
    /// not. Those of other figures always collide.
    #[serde(default)]
    pub self_collision: bool,
    /// Poses at rest, world, of joints that skins follow and that have no surface of their own.
    pub joints: Vec<Pose>,
    /// Poses of the links, then of `joints`, over time; empty if nothing follows them.
    pub motion: LinkMotion,
    /// Joints of the scene (by index) whose drives follow the motion; each ends in a link and starts in one
    /// or in the world.
    #[serde(default)]
    pub driven: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraDef {
    /// World, m.
    pub eye: DVec3,
    pub target: DVec3,
    /// Degrees.
    #[serde(default = "default_fov")]
    pub vertical_fov: f64,
}

fn default_fov() -> f64 {
    45.0
}
