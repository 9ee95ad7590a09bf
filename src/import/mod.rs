//! Files of models → [`Model`](model::Model): what a file says, checked and counted, before anything is made
//! of it.
//!
//! A format is a folder. What was not understood, repaired or assumed is a [`Note`].
//!
//! - `clip.rs`: where a model's nodes are, at rest or at a moment of an animation.
//! - `error.rs`: why a model cannot be loaded.
//! - `filters.rs`: collision filters: which bodies of a model never meet.
//! - `gltf/`: the reader of glTF.
//! - `limits.rs`: every limit on what a file may ask for.
//! - `load.rs`: any file of a model, by its name.
//! - `mocap/`: the readers of captured motion, BVH, ASF and AMC.
//! - `model.rs`: the model that every format comes to, in plain data.
//! - `motion_file.rs`: a file of joints and clips without a surface.
//! - `notes.rs`: notes up to a limit, and how many there were beyond it.
//! - `retarget/`: a clip carried over from one skeleton to another.
//! - `text.rs`: text of files, made fit to be shown.

pub(crate) mod clip;
mod error;
pub(crate) mod filters;
mod gltf;
pub(crate) mod limits;
mod load;
pub(crate) mod mocap;
pub mod model;
mod motion_file;
pub(crate) mod notes;
mod retarget;
pub(crate) mod text;

pub use error::LoadError;
pub use filters::FilterTable;
pub use gltf::load_model_bytes;
pub use load::load_model;
pub use model::{Note, NoteKind};
pub use motion_file::{ClipSummary, MotionFile};
pub use retarget::{RetargetError, retarget};
