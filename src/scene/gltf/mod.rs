//! glTF 2.0 files → [`Model`]. Only this folder knows glTF.
//!
//! The JSON is read with the `gltf` crate's types, but every reference, offset, count and number is checked
//! here before anything is read through it: a file is never trusted. Nothing but the file itself and buffers
//! and images inside its folder is opened. What is legal but means nothing to tumble becomes a note.

mod accessor;
mod animation;
mod color;
mod container;
mod foreign;
mod geometry;
mod joints;
mod nodes;
mod outline;
mod physics;
mod texture;

use std::path::{Path, PathBuf};

use gltf::json;

use super::model::{Model, Note, NoteKind};
use super::notes::Notes;
use super::text;
use accessor::Accessors;
use color::PrimitiveRange;
pub(super) use container::read_file;

/// Why a model cannot be loaded. Names the file and, where there is one, the place in it.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{}: cannot be read", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: {reason}", path.display())]
    NotAFile { path: PathBuf, reason: String },
    #[error("{file}: {place}: {reason}")]
    Invalid { file: String, place: String, reason: String },
}

/// What is wrong, and where in the file.
#[derive(Debug)]
struct Fault {
    place: String,
    reason: String,
}

type Checked<T> = Result<T, Fault>;

fn fault<T>(place: impl Into<String>, reason: impl Into<String>) -> Checked<T> {
    Err(Fault { place: place.into(), reason: reason.into() })
}

/// Extensions whose content tumble reads, or which do not concern geometry and motion and may be required.
const UNDERSTOOD: [&str; 8] = [
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

/// Loads a `.glb` or `.gltf` file with the buffers beside it.
pub(super) fn load_file(path: &Path) -> Result<Model, LoadError> {
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

/// Loads a model from memory; it cannot refer to other files.
pub fn load_model_bytes(name: &str, bytes: &[u8]) -> Result<Model, LoadError> {
    read(name, bytes, None).map_err(|f| LoadError::Invalid {
        file: name.to_owned(),
        place: f.place,
        reason: f.reason,
    })
}

/// What the parts of the reader share.
struct Reader<'a> {
    root: &'a json::Root,
    accessors: Accessors<'a>,
    /// Of the file; `None` for one from memory.
    folder: Option<&'a Path>,
    /// The primitives that became triangles.
    ranges: Vec<PrimitiveRange>,
    notes: Notes,
    model: Model,
}

impl Reader<'_> {
    fn note(&mut self, kind: NoteKind, place: impl AsRef<str>, text: impl Into<String>) {
        let place = format!("{}, {}", self.model.source, place.as_ref());
        self.notes.add(Note { kind, place, text: text.into() });
    }

    /// A name of the file as it is kept; notes what was changed.
    fn name(&mut self, place: &str, name: Option<&str>) -> String {
        let (name, changed) = text::name(name.unwrap_or_default());
        if let Some(changed) = changed {
            self.note(NoteKind::Repaired, place, changed);
        }
        name
    }
}

fn read(name: &str, bytes: &[u8], folder: Option<&Path>) -> Checked<Model> {
    let (text, binary) = container::split(bytes)?;
    outline::check(text)?;
    let root: json::Root =
        serde_json::from_slice(text).or_else(|e| fault("JSON", format!("cannot be parsed: {e}")))?;
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
    reader.read_nodes()?;
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
