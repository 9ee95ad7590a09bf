//! What was opened → a file of another format: its surfaces where they stand, and a list of what is lost.
//!
//! Surfaces are written as tumble uses them, welded and oriented: their coordinates are those that were read.
//!
//! - `gltf.rs`: a GLB with a node for each part.
//! - `obj.rs`: an OBJ with an object for each part.
//! - `parts.rs`: which bodies are written, and what is lost with the others.
//! - `scene_file.rs`: a scene file that opens the model as it was opened.
//! - `stl.rs`: a binary STL of one part, a text with a solid for each of several.

mod gltf;
mod obj;
mod parts;
mod scene_file;
mod stl;

pub use scene_file::{Opened, not_in_scene_file, scene_file};

use crate::scene::Scene;
use parts::Parts;

/// A format that surfaces are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Glb,
    Stl,
    Obj,
}

/// A file's bytes, and what of the scene is not in it.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    pub bytes: Vec<u8>,
    pub lost: Vec<String>,
}

/// Writes the surfaces of all parts of a scene at its start, in meters with y up. An error says why there is
/// nothing to write, or too much.
pub fn convert(scene: &Scene, format: Format) -> Result<Converted, String> {
    let parts = Parts::of(scene);
    if parts.all.is_empty() {
        return Err("there is no part with a surface to write".to_owned());
    }
    let bytes = match format {
        Format::Glb => gltf::write(&parts)?,
        Format::Stl => stl::write(&parts),
        Format::Obj => obj::write(&parts),
    };
    let mut lost = parts.lost;
    match format {
        Format::Glb => {}
        Format::Stl | Format::Obj => lost.extend(parts.colored.then(|| "colours".to_owned())),
    }
    if format == Format::Stl && parts.all.len() == 1 {
        lost.push("the part's name: binary STL has none".to_owned());
    }
    if format != Format::Glb && parts.turned {
        lost.push("the places of parts: their coordinates are those of the scene".to_owned());
    }
    Ok(Converted { bytes, lost })
}
