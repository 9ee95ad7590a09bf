//! Files of models → [`Model`](model::Model): what a file says, checked and counted, before anything is made
//! of it.
//!
//! A format is a folder: gltf/ for glTF, mocap/ for captured motion. retarget/ carries a clip over from one
//! model to another. limits.rs says how much a file may ask for; what was not understood, repaired or assumed
//! is a [`Note`].

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
