//! Loader of model files. The extension of a file tells its format.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::LoadError;
use super::fault::Fault;
use super::joint_motion::{self, JointMotion};
use super::limits::FILE_BYTES;
use super::model::Model;
use super::units::{self, FormatUnits, Unit, Up};
use super::{collada, gltf, mocap, obj, ply, posing, stl, urdf};
use crate::files;

/// Choice of the geometry that collides, for files that specify colliders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Colliders {
    /// Geometry that the file specifies as colliders.
    #[default]
    File,
    /// Drawn geometry instead. A glTF file with physics is then read without its physics, so that each
    /// drawn node is a part.
    Drawn,
}

impl Colliders {
    pub const ALL: [Self; 2] = [Self::File, Self::Drawn];

    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Drawn => "drawn",
        }
    }
}

/// Options for reading a file. They override data of the file or fill in missing data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadAs {
    /// Unit of lengths; overrides that of the file.
    pub unit: Option<Unit>,
    /// Axis that points up; overrides that of the file.
    pub up: Option<Up>,
    /// Folders in which the packages of a robot are searched.
    pub package_paths: Vec<PathBuf>,
    /// Coordinates of a robot's joints by name, rad or m. Other joints are at 0, or at the limit
    /// nearest to 0.
    pub pose: Vec<(String, f64)>,
    /// Choice of the colliding geometry.
    pub colliders: Colliders,
    /// Table that moves a robot's joints.
    pub joints: Option<JointMotion>,
}

/// File format, found by the extension of the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gltf,
    Motion,
    Stl,
    Obj,
    Ply,
    Urdf,
    Collada,
}

impl Format {
    /// All formats with the extensions of their files, in the order of listing.
    const ALL: [(Self, &[&str]); 7] = [
        (Self::Gltf, &["glb", "gltf"]),
        (Self::Stl, &["stl"]),
        (Self::Obj, &["obj"]),
        (Self::Ply, &["ply"]),
        (Self::Collada, &["dae"]),
        (Self::Urdf, &["urdf"]),
        (Self::Motion, &["bvh", "asf", "amc"]),
    ];

    fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.iter().find(|(_, own)| own.contains(&extension.as_str())).map(|(format, _)| *format)
    }
}

/// Returns the extensions of all files that can be read, as in `.glb, .gltf, .stl`, for messages and help.
pub fn model_extensions() -> String {
    let all = Format::ALL.iter().flat_map(|(_, own)| own.iter());
    all.map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ")
}

/// Returns whether a file has the extension of a model or a motion.
pub fn is_model(path: &Path) -> bool {
    Format::of(path).is_some()
}

/// Loads a model: glTF with the buffers beside it; STL, OBJ, PLY or COLLADA; URDF with its meshes; or
/// captured motion, which is a BVH or ASF file, or an AMC file beside which there is one ASF file. A
/// file with an unknown extension is read as glTF.
pub fn load_model(path: &Path, read_as: &ReadAs) -> Result<Model, LoadError> {
    let format = Format::of(path).unwrap_or(Format::Gltf);
    let (model, says) = match format {
        Format::Gltf => (gltf::load_file(path)?, FormatUnits::Meters(Up::Y)),
        Format::Motion => (mocap::load(path, None)?, FormatUnits::Meters(Up::Y)),
        Format::Stl | Format::Obj | Format::Ply => (as_it_stands(path)?, FormatUnits::Neither),
        Format::Urdf => {
            let is_drawn = read_as.colliders == Colliders::Drawn;
            let packages = &read_as.package_paths;
            (urdf::load(path, packages, is_drawn, &mesh_of_robot)?, FormatUnits::Meters(Up::Z))
        }
        Format::Collada => {
            let (model, up) = collada::load(path, read_as.unit.is_none())?;
            (model, FormatUnits::Meters(up))
        }
    };
    finish(model, path, read_as, says, &|model, motion| joint_motion::take(model, motion))
}

/// Loads a glTF or URDF file that is embedded in the program. `table` is the text of a table of its
/// joints' motion.
pub(crate) fn load_builtin(
    name: &str,
    bytes: &[u8],
    read_as: &ReadAs,
    table: Option<&str>,
) -> Result<Model, LoadError> {
    let path = Path::new(name);
    if Format::of(path) != Some(Format::Urdf) {
        return gltf::load_model_bytes(name, bytes);
    }
    let model =
        urdf::load_text(name, &String::from_utf8_lossy(bytes), read_as.colliders == Colliders::Drawn)?;
    finish(model, path, read_as, FormatUnits::Meters(Up::Z), &|model, motion| {
        joint_motion::take_text(model, motion, table.unwrap_or_default())
    })
}

/// Sets the motion or pose of a loaded model's joints, converts its unit, and rotates it so that y is
/// up.
fn finish(
    mut model: Model,
    path: &Path,
    read_as: &ReadAs,
    says: FormatUnits,
    take: &dyn Fn(&mut Model, &JointMotion) -> Result<(), LoadError>,
) -> Result<Model, LoadError> {
    if let Some(motion) = &read_as.joints {
        take(&mut model, motion)?;
    }
    if !read_as.pose.is_empty() || read_as.joints.is_some() {
        posing::pose(&mut model, &read_as.pose)
            .map_err(|reason| LoadError::Refused { path: path.to_owned(), reason })?;
    }
    posing::note_starts(&mut model, &read_as.pose);
    if read_as.colliders == Colliders::Drawn && model.robot.is_none() && model.has_physics() {
        model.leave_out_physics();
    }
    // The reader of captured motion has already converted the unit.
    if Format::of(path) != Some(Format::Motion) {
        units::place(&mut model, read_as.unit, read_as.up, says);
    }
    Ok(model)
}

/// Loads an STL, OBJ or PLY file in its own unit and axes.
fn as_it_stands(path: &Path) -> Result<Model, LoadError> {
    let not_read = |source| LoadError::Read { path: path.to_owned(), source };
    let (file, length) = files::open_regular(path).map_err(not_read)?;
    files::check_length(length, FILE_BYTES).map_err(not_read)?;
    let read = match Format::of(path) {
        Some(Format::Obj) => obj::read(path, file),
        Some(Format::Ply) => ply::read(path, file, length),
        _ => stl::read(path, file, length),
    };
    read.map_err(|Fault { place, reason }| LoadError::Invalid {
        file: path.display().to_string(),
        place,
        reason,
    })
}

/// Loads a mesh of a robot. Its lengths are in meters, whatever the format.
fn mesh_of_robot(path: &Path) -> Result<Model, LoadError> {
    match Format::of(path) {
        Some(Format::Gltf) => gltf::load_file(path),
        Some(Format::Stl | Format::Obj | Format::Ply) => as_it_stands(path),
        Some(Format::Collada) => Ok(collada::load_mesh(path)?),
        _ => {
            let reason = "is no mesh that is read (.stl, .obj, .ply, .dae, .glb, .gltf)";
            Err(LoadError::Refused { path: path.to_owned(), reason: reason.to_owned() })
        }
    }
}
