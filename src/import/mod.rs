//! Files of models → [`Model`](model::Model): what a file says, checked and counted, before anything is made
//! of it.
//!
//! A format is a folder. What was not understood, repaired or assumed is a [`Note`].
//!
//! - `alike.rs`: names like one that is not there.
//! - `clip.rs`: where a model's nodes are, at rest or at a moment of an animation.
//! - `collada/`: the reader of COLLADA.
//! - `counted.rs`: a reader that knows how far it is.
//! - `error.rs`: why a model cannot be loaded.
//! - `fault.rs`: what is wrong with a file, and where.
//! - `filters.rs`: collision filters: which bodies of a model never meet.
//! - `foreign.rs`: what a file is that is called a model and is none.
//! - `gltf/`: the reader of glTF.
//! - `joint_motion.rs`: motion of a robot's joints from a table.
//! - `limits.rs`: limits on what a file may ask for.
//! - `lines.rs`: a text line by line.
//! - `load.rs`: any file of a model, by its name.
//! - `mocap/`: the readers of captured motion, BVH, ASF and AMC.
//! - `model.rs`: the model that every format comes to, in plain data.
//! - `motion_file.rs`: a file of joints and clips without a surface.
//! - `notes.rs`: notes up to a limit, and how many there were beyond it.
//! - `obj/`: the reader of Wavefront OBJ.
//! - `parts.rs`: named surfaces made into a model.
//! - `paths.rs`: the full path of a node by names.
//! - `physics.rs`: what its nodes say of physics.
//! - `ply/`: the reader of PLY.
//! - `polygon.rs`: faces of more than three corners as triangles.
//! - `posing.rs`: robots in other poses.
//! - `read.rs`: whole files, as bytes or as text.
//! - `retarget/`: a clip carried over from one skeleton to another.
//! - `robot.rs`: the joints of a robot.
//! - `shapes.rs`: implicit shapes as triangles.
//! - `simple.rs`: whether a polygon crosses itself.
//! - `srgb.rs`: colors between files.
//! - `stl/`: the reader of STL.
//! - `text.rs`: text of files, made fit to be shown.
//! - `time_column.rs`: the times of a table.
//! - `units.rs`: units and the way up of files that say neither.
//! - `urdf/`: the reader of URDF.
//! - `xml/`: XML as readers of robots need it.

pub(crate) mod alike;
pub(crate) mod clip;
mod collada;
mod counted;
mod error;
mod fault;
pub(crate) mod filters;
mod foreign;
mod gltf;
mod joint_motion;
pub(crate) mod limits;
mod lines;
mod load;
pub(crate) mod mocap;
pub mod model;
mod motion_file;
pub(crate) mod notes;
mod obj;
mod parts;
pub(crate) mod paths;
mod physics;
mod ply;
mod polygon;
mod posing;
mod read;
mod retarget;
pub(crate) mod robot;
pub(crate) mod shapes;
mod simple;
pub(crate) mod srgb;
mod stl;
pub(crate) mod text;
mod time_column;
mod units;
mod urdf;
mod xml;

pub use error::LoadError;
pub use gltf::load_model_bytes;
pub use joint_motion::JointMotion;
pub(crate) use joint_motion::is_joint_motion;
pub use load::{Colliders, ReadAs, load_model};
pub(crate) use load::{MODEL_EXTENSIONS, is_model, load_builtin};
pub use model::{Note, NoteKind};
pub use motion_file::{ClipSummary, MotionFile};
pub use retarget::{RetargetError, retarget};
pub use robot::{Mimic, Robot, RobotJoint};
pub use units::{Unit, Up};
