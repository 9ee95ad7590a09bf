//! `tumble convert`: what was opened, as a file of another format.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::models::ModelArguments;
use super::{Failure, Outcome, output};
use crate::convert::{self, Converted, Format, Opened};
use crate::files::{self, Existing};
use crate::import::Note;
use crate::scene::{self, Scene};

/// Write what was opened in another format: its surfaces where they stand, or a scene file to change. What is
/// lost on the way is said.
#[derive(Args)]
pub(super) struct ConvertArguments {
    /// A model (.glb, .gltf, .stl, .obj, .ply, .dae, .urdf), a scene file (.toml) or a built-in scene.
    model: String,
    #[command(flatten)]
    models: ModelArguments,
    /// What to write: surfaces as GLB, STL (binary; a text of solids for several parts) or OBJ, or a scene
    /// file that names the model.
    #[arg(long)]
    to: Target,
    /// The file to write; named after the model unless given.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Replace a file that is there already; what is read is never replaced.
    #[arg(long)]
    force: bool,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    Glb,
    Stl,
    Obj,
    Scene,
}

#[derive(Serialize)]
struct Report<'a> {
    path: &'a Path,
    byte_count: usize,
    part_count: usize,
    /// What is not in the file.
    lost: &'a [String],
    notes: &'a [Note],
}

pub(super) fn convert(arguments: &ConvertArguments) -> Result<Outcome, Failure> {
    let wanted = arguments.models.shown(&arguments.model);
    let scene = scene::load_scene(wanted.clone(), None)?;
    let extension = match arguments.to {
        Target::Glb => "glb",
        Target::Stl => "stl",
        Target::Obj => "obj",
        Target::Scene => "toml",
    };
    let named = || PathBuf::from(Path::new(&arguments.model).file_stem().unwrap_or_default());
    let path = arguments.out.clone().unwrap_or_else(|| named().with_extension(extension));
    files::check_target(&path, &scene.files, Existing::forced(arguments.force))?;
    let Converted { bytes, lost } = match arguments.to {
        Target::Glb => surfaces(&scene, Format::Glb)?,
        Target::Stl => surfaces(&scene, Format::Stl)?,
        Target::Obj => surfaces(&scene, Format::Obj)?,
        Target::Scene if Path::new(&arguments.model).is_file() && !arguments.model.ends_with(".toml") => {
            // Where the model is seen from the scene file.
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let folder = std::fs::canonicalize(folder).ok();
            let seen = |file: &Path| -> Result<String, Failure> {
                let whole = std::fs::canonicalize(file)
                    .map_err(|e| format!("{}: cannot be found: {e}", file.display()))?;
                let beside = folder.as_ref().and_then(|f| whole.strip_prefix(f).ok());
                Ok(beside.unwrap_or(&whole).display().to_string())
            };
            let file = seen(Path::new(&arguments.model))?;
            let joints = wanted.read_as.joints.as_ref().map(|motion| seen(&motion.path)).transpose()?;
            let text = convert::scene_file(&scene, &Opened { name: &wanted, file, joints });
            Converted { bytes: text.into_bytes(), lost: convert::not_in_scene_file(&scene, &wanted) }
        }
        Target::Scene => {
            let reason = "is a scene already: `tumble scenes --copy` copies those that are built in";
            return Err(format!("{}: {reason}", arguments.model).into());
        }
    };
    std::fs::write(&path, &bytes).map_err(|e| format!("{}: cannot be written: {e}", path.display()))?;
    let part_count = scene.bodies.iter().filter(|b| !b.is_ground && b.mesh.is_some()).count();
    if arguments.json {
        let byte_count = bytes.len();
        output::print_json(&Report {
            path: &path,
            byte_count,
            part_count,
            lost: &lost,
            notes: &scene.notes,
        })?;
        return Ok(Outcome::Done);
    }
    output::report_notes(&scene.notes);
    for what in &lost {
        output::warn(&format!("{}: lost: {what}", path.display()));
    }
    output::print(&path.display().to_string())?;
    Ok(Outcome::Done)
}

fn surfaces(scene: &Scene, format: Format) -> Result<Converted, Failure> {
    Ok(convert::convert(scene, format)?)
}
