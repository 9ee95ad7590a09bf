//! Any file of a model, by its name.

use std::fs::File;
use std::path::Path;

use super::error::LoadError;
use super::fault::{Checked, Fault};
use super::limits::FILE_BYTES;
use super::model::Model;
use super::units::{self, Unit, Up};
use super::{gltf, mocap, obj, ply, stl};
use crate::files;

/// How a file is to be read, where it does not say so itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReadAs {
    /// The unit of its lengths, whatever it says.
    pub unit: Option<Unit>,
    /// The axis that points up, whatever it says.
    pub up: Option<Up>,
}

/// The formats that are read, by the extension of a file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gltf,
    Motion,
    Stl,
    Obj,
    Ply,
}

impl Format {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "glb" | "gltf" => Some(Self::Gltf),
            "bvh" | "asf" | "amc" => Some(Self::Motion),
            "stl" => Some(Self::Stl),
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            _ => None,
        }
    }
}

/// The extensions of files that are read, for messages.
pub(crate) const MODEL_EXTENSIONS: &str = ".glb, .gltf, .stl, .obj, .ply, .bvh, .asf, .amc";

/// Whether its name says that a file is a model, or a motion.
pub(crate) fn is_model(path: &Path) -> bool {
    Format::of(path).is_some()
}

/// Loads a model: glTF with the buffers beside it; STL, OBJ or PLY; or captured motion: a BVH or ASF file, or
/// an AMC file with the only ASF file beside it. What is called by no name known is read as glTF.
pub fn load_model(path: &Path, read_as: ReadAs) -> Result<Model, LoadError> {
    let format = Format::of(path).unwrap_or(Format::Gltf);
    let mut model = match format {
        Format::Gltf => gltf::load_file(path)?,
        Format::Motion => mocap::load(path, None)?,
        Format::Stl => triangles(path, stl::read)?,
        Format::Obj => triangles(path, |path, file, _| obj::read(path, file))?,
        Format::Ply => triangles(path, ply::read)?,
    };
    // Units of captured motion are its reader's business.
    if format != Format::Motion {
        let says_neither = matches!(format, Format::Stl | Format::Obj | Format::Ply);
        units::place(&mut model, read_as.unit, read_as.up, says_neither);
    }
    Ok(model)
}

/// Reads a file of triangles by its reader, which gets the file and how many bytes it has.
fn triangles(path: &Path, read: impl Fn(&Path, File, u64) -> Checked<Model>) -> Result<Model, LoadError> {
    let not_read = |source| LoadError::Read { path: path.to_owned(), source };
    let (file, length) = files::open_regular(path).map_err(not_read)?;
    files::check_length(length, FILE_BYTES).map_err(not_read)?;
    read(path, file, length).map_err(|Fault { place, reason }| LoadError::Invalid {
        file: path.display().to_string(),
        place,
        reason,
    })
}
