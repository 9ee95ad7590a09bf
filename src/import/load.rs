//! Any file of a model, by its name.

use std::path::Path;

use super::error::LoadError;
use super::model::Model;
use super::{gltf, mocap};

/// Loads a model: glTF with the buffers beside it, or captured motion: a BVH or ASF file, or an AMC file with
/// the only ASF file beside it.
pub fn load_model(path: &Path) -> Result<Model, LoadError> {
    if mocap::is_motion_file(path) { mocap::load(path, None) } else { gltf::load_file(path) }
}
