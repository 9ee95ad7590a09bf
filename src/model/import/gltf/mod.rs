//! glTF 2.0 files → [`Model`]. Only this folder knows glTF.
//!
//! The JSON is parsed into the `gltf` crate's types, but every reference, offset, count and number is
//! checked here before use, as no file is trusted. Only the file itself and buffers and images in its
//! folder or below are opened. Valid content that has no meaning here becomes a note.
//!
//! - `accessor.rs`: numbers of a file, read after a check that their range lies in a buffer.
//! - `animation.rs`: animations: tracks of translations, rotations and scales.
//! - `color.rs`: the colors of triangles.
//! - `compressed.rs`: compressed views and primitives.
//! - `container.rs`: the bytes of a file, of its GLB chunks and of its buffers.
//! - `geometry.rs`: meshes and skins: triangle primitives joined into one surface each.
//! - `instances.rs`: instances of a node's mesh.
//! - `joints.rs`: joint limits and drives of the physics extensions.
//! - `nodes.rs`: the tree of nodes, and cameras.
//! - `object.rs`: a JSON object of an extension, read key by key.
//! - `omi.rs`: the OMI extensions of physics, where they differ from KHR.
//! - `outline.rs`: counts of the JSON's contents, made before parsing takes memory.
//! - `physics.rs`: the physics extensions, KHR and OMI.
//! - `reader.rs`: shared state of the reader's parts.
//! - `texture.rs`: images, and texture lookup.

mod accessor;
mod animation;
mod color;
mod compressed;
mod container;
mod geometry;
mod instances;
mod joints;
mod nodes;
mod object;
mod omi;
mod outline;
mod physics;
mod reader;
mod texture;

use std::path::Path;

use gltf::json;

use super::error::LoadError;
use super::fault::{Checked, fault};
use super::model::{Model, NoteKind};
use super::notes::Notes;
use super::read::read_file;
use accessor::Accessors;

use reader::Reader;

/// Extensions that a file may require: those that are read here, and those that affect neither geometry
/// nor motion.
const UNDERSTOOD: [&str; 10] = [
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_mesh_quantization",
    "KHR_physics_rigid_bodies",
    "KHR_implicit_shapes",
    "OMI_physics_body",
    "OMI_physics_shape",
    "OMI_physics_joint",
    "OMI_physics_gravity",
    "EXT_mesh_gpu_instancing",
];
const ABOUT_LOOKS: [&str; 6] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_", "KHR_lights_punctual", "KHR_xmp"];

/// Loads a `.glb` or `.gltf` file with the buffers and images that it names.
pub(crate) fn load_file(path: &Path) -> Result<Model, LoadError> {
    let bytes = read_file(path)?;
    let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into());
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut model = read(&name, &bytes, Some(folder)).map_err(|f| LoadError::Invalid {
        file: path.display().to_string(),
        place: f.place,
        reason: f.reason,
    })?;
    model.files.push(path.to_owned());
    Ok(model)
}

/// Loads a model from memory. The model cannot refer to files.
pub fn load_model_bytes(name: &str, bytes: &[u8]) -> Result<Model, LoadError> {
    read(name, bytes, None).map_err(|f| LoadError::Invalid {
        file: name.to_owned(),
        place: f.place,
        reason: f.reason,
    })
}

/// Reads a model from the bytes of a file. `folder` is the folder for files to which it refers; `None`
/// allows none.
fn read(name: &str, bytes: &[u8], folder: Option<&Path>) -> Checked<Model> {
    let (text, binary) = container::split(bytes)?;
    outline::check(text)?;
    let root = json::Root::from_slice(text).or_else(|e| fault("JSON", format!("cannot be parsed: {e}")))?;
    if !root.asset.version.starts_with("2.") {
        return fault("asset", format!("version {} is not 2.x", root.asset.version));
    }
    check_extensions(&root)?;
    let buffers = container::buffers(&root, binary, folder)?;
    let files = folder.map_or_else(Vec::new, |folder| container::referenced(&root, folder));
    let model = Model { source: name.to_owned(), files, ..Model::default() };
    let mut reader = Reader {
        root: &root,
        accessors: Accessors::new(&root, &buffers)?,
        folder,
        ranges: Vec::new(),
        notes: Notes::default(),
        model,
    };
    reader.note_extensions();
    reader.read_nodes(text)?;
    reader.read_geometries()?;
    reader.read_colors();
    reader.read_skins()?;
    reader.read_clips()?;
    reader.read_cameras();
    reader.read_physics()?;
    reader.model.notes = reader.notes.finish(name);
    Ok(reader.model)
}

fn concerns_looks(name: &str) -> bool {
    ABOUT_LOOKS.iter().any(|l| name.starts_with(l))
}

fn check_extensions(root: &json::Root) -> Checked<()> {
    for name in &root.extensions_required {
        if !UNDERSTOOD.contains(&name.as_str()) && !concerns_looks(name) {
            return fault("extensionsRequired", format!("{name} is not supported"));
        }
    }
    Ok(())
}

impl Reader<'_> {
    fn note_extensions(&mut self) {
        for name in &self.root.extensions_used {
            if !UNDERSTOOD.contains(&name.as_str()) && !concerns_looks(name) {
                self.note(NoteKind::Ignored, "extensionsUsed", format!("{name} is not understood"));
            }
        }
    }
}
