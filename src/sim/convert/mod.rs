//! Conversion of a scene to a file of another format: the surfaces at their poses, and a list of the
//! losses.
//!
//! Surfaces are written as tumble uses them, that is, welded and oriented. Their coordinates are the
//! ones that were read.
//!
//! - `format.rs`: the formats and their limits.
//! - `gltf.rs`: a GLB file with one node per part.
//! - `names.rs`: names of parts that fit in one line of text.
//! - `obj.rs`: an OBJ file with one object per part.
//! - `parts.rs`: the bodies that are written, and the losses.
//! - `rounding.rs`: positions that lose digits.
//! - `scene_file.rs`: a scene file that opens the model as it was opened before.
//! - `stl.rs`: a binary STL file of one part, or a text STL file with one solid per part.

mod format;
mod gltf;
mod names;
mod obj;
mod parts;
mod rounding;
mod scene_file;
mod stl;

pub use format::Format;
pub use scene_file::{Opened, not_in_scene_file, scene_file};

use glam::DVec3;

use crate::digits::grouped;
use crate::scene::Scene;
use names::LineNames;
use parts::Parts;

/// The bytes of a file, and a list of the scene's contents that the file lacks.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    pub bytes: Vec<u8>,
    pub lost: Vec<String>,
}

/// Writes the surfaces of all parts of a scene at its start, in meters, with y up. `origin` is the
/// point of the scene that becomes the origin of the file, m.
///
/// # Errors
/// Returns an error if there is nothing to write, or too much.
pub fn convert(scene: &Scene, format: Format, origin: DVec3) -> Result<Converted, String> {
    let mut parts = Parts::of(scene, origin);
    if parts.all.is_empty() {
        return Err("there is no part with a surface to write".to_owned());
    }
    let mut lost = std::mem::take(&mut parts.lost);
    lost.extend(rounding::loss(&parts, format.keeps_places()));
    if origin != DVec3::ZERO {
        let DVec3 { x, y, z } = origin;
        lost.push(format!("the origin: coordinates are relative to ({x}, {y}, {z}) m of the scene"));
    }
    if format.names_parts_by_lines(parts.all.len()) {
        let names = LineNames::of(parts.all.iter().map(|part| part.name.as_str()));
        if names.changed_count > 0 {
            let count = grouped(names.changed_count as u64);
            lost.push(format!("{count} names that a line of text does not keep: {}", names.first_change));
        }
        parts.all.iter_mut().zip(names.all).for_each(|(part, name)| part.name = name);
    }
    let bytes = match format {
        Format::Glb => gltf::write(&parts, origin)?,
        Format::Stl => stl::write(&parts, origin),
        Format::Obj => obj::write(&parts, origin),
    };
    match format {
        Format::Glb => {}
        Format::Stl | Format::Obj => lost.extend(parts.colored.then(|| "colours".to_owned())),
    }
    if format == Format::Stl && parts.all.len() == 1 {
        lost.push("the part's name: binary STL has none".to_owned());
    }
    if !format.keeps_places() && parts.turned && origin == DVec3::ZERO {
        lost.push("the places of parts: their coordinates are those of the scene".to_owned());
    }
    Ok(Converted { bytes, lost })
}
