//! Model files → [`Model`](model::Model): the contents of a file, checked and limited, before a scene
//! is built from it.
//!
//! A format with several files is a folder. A [`Note`] reports content that was ignored, repaired or
//! assumed.
//!
//! - `alike.rs`: similar names to one that was not found.
//! - `clip.rs`: transforms of a model's nodes, at rest or at a moment of an animation.
//! - `collada/`: the reader of COLLADA.
//! - `counted.rs`: a reader that counts its bytes.
//! - `error.rs`: errors of loading a model.
//! - `fault.rs`: an error in a file, and its place.
//! - `filters.rs`: collision filters: the pairs of bodies of a model that never collide.
//! - `foreign.rs`: identification of a file that is no model.
//! - `gltf/`: the reader of glTF.
//! - `joint_motion.rs`: motion of a robot's joints from a table.
//! - `limits.rs`: limits of the resources that a file may request.
//! - `lines.rs`: a text line by line.
//! - `load.rs`: loader of model files of any format.
//! - `mocap/`: the readers of captured motion, BVH, ASF and AMC.
//! - `model.rs`: the model that every reader returns, in plain data.
//! - `motion_file.rs`: a file of joints and clips without a surface.
//! - `near.rs`: surfaces with an origin near them.
//! - `notes.rs`: notes up to a limit, and the number of those beyond it.
//! - `obj/`: the reader of Wavefront OBJ.
//! - `parts.rs`: named surfaces made into a model.
//! - `paths.rs`: the full path of a node by names.
//! - `physics.rs`: physics of a model's nodes.
//! - `ply/`: the reader of PLY.
//! - `polygon.rs`: triangulation of faces with more than three corners.
//! - `posing.rs`: robots in other poses.
//! - `read.rs`: whole files, as bytes or as text.
//! - `retarget/`: transfer of a clip from one skeleton to another.
//! - `robot.rs`: the joints of a robot.
//! - `shapes.rs`: implicit shapes as triangles.
//! - `simple.rs`: test whether a polygon crosses itself.
//! - `srgb.rs`: conversion of colors between files.
//! - `stl/`: the reader of STL.
//! - `text.rs`: text of files, made fit to be shown.
//! - `time_column.rs`: the times of a table.
//! - `units.rs`: unit and up axis of files that specify neither.
//! - `urdf/`: the reader of URDF.
//! - `xml/`: XML for the readers of robots.

pub mod alike;
pub(crate) mod clip;
mod collada;
mod counted;
mod error;
mod fault;
pub(crate) mod filters;
mod foreign;
mod gltf;
mod joint_motion;
pub mod limits;
mod lines;
mod load;
pub(crate) mod mocap;
pub mod model;
mod motion_file;
mod near;
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
pub mod srgb;
mod stl;
pub mod text;
mod time_column;
mod units;
mod urdf;
mod xml;

pub use error::LoadError;
pub use gltf::load_model_bytes;
pub use joint_motion::JointMotion;
pub(crate) use joint_motion::is_joint_motion;
pub(crate) use load::load_builtin;
pub use load::{Colliders, ReadAs, is_model, load_model, model_extensions};
pub use model::{Note, NoteKind};
pub use motion_file::{ClipSummary, MotionFile};
pub use retarget::{RetargetError, retarget};
pub use robot::{Mimic, Robot, RobotJoint};
pub use units::{Unit, Up};
