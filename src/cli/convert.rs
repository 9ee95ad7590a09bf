//! `tumble convert`: writes a model or scene as a file of another format.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use glam::DVec3;
use serde::Serialize;

use super::models::{ModelArguments, scene_or_model};
use super::{Failure, Outcome, kinds, output, waiting};
use crate::convert::{self, Converted, Format, Opened};
use crate::files::{self, Existing};
use crate::import::{Note, is_model};

/// Write a model or scene in another format: its surfaces at their poses, or a scene file to edit.
/// Lists what is lost.
#[derive(Args)]
pub(super) struct ConvertArguments {
    #[arg(help = scene_or_model())]
    model: String,
    #[command(flatten)]
    models: ModelArguments,
    /// Output format: surfaces as GLB, STL (binary; text for several parts) or OBJ, or a scene file
    /// that names the model.
    #[arg(long)]
    to: Target,
    /// File to write; default: named after the model.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Point of the scene that becomes the origin of the file, m. Coordinates have 32 bits, so they are
    /// most precise near the origin.
    #[arg(long, value_name = "X,Y,Z", value_parser = kinds::point, allow_hyphen_values = true)]
    origin: Option<DVec3>,
    /// Replace an existing file; input files are never replaced.
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
    /// Contents of the scene that are not in the file.
    lost: &'a [String],
    notes: &'a [Note],
}

/// Writes a model or scene in another format.
pub(super) fn convert(arguments: &ConvertArguments) -> Result<Outcome, Failure> {
    let wanted = arguments.models.shown(&arguments.model);
    let scene = waiting::load(wanted.clone(), None)?;
    let origin = arguments.origin.unwrap_or_default();
    let extension = match arguments.to {
        Target::Glb => "glb",
        Target::Stl => "stl",
        Target::Obj => "obj",
        Target::Scene => "toml",
    };
    let named = || {
        let mut name = Path::new(&arguments.model).file_stem().unwrap_or_default().to_owned();
        // The extension is appended and replaces nothing: `part.1` becomes `part.1.obj`, not
        // `part.obj`.
        name.push(format!(".{extension}"));
        PathBuf::from(name)
    };
    let path = arguments.out.clone().unwrap_or_else(named);
    let existing = Existing::forced(arguments.force);
    files::check_target(&path, &scene.files, existing)?;
    let Converted { bytes, lost } = match arguments.to {
        Target::Glb => convert::convert(&scene, Format::Glb, origin)?,
        Target::Stl => convert::convert(&scene, Format::Stl, origin)?,
        Target::Obj => convert::convert(&scene, Format::Obj, origin)?,
        Target::Scene if arguments.origin.is_some() => {
            return Err("--origin is for surfaces: a scene file does not move its model".into());
        }
        Target::Scene if is_model(Path::new(&arguments.model)) && Path::new(&arguments.model).is_file() => {
            // The path of the model, relative to the scene file if the model lies below the scene
            // file's folder.
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let folder = std::fs::canonicalize(folder).ok();
            let seen = |file: &Path| -> Result<String, Failure> {
                let whole = std::fs::canonicalize(file)
                    .map_err(|e| format!("{}: cannot be found: {e}", file.display()))?;
                let beside = folder.as_ref().and_then(|f| whole.strip_prefix(f).ok());
                let seen = beside.unwrap_or(&whole).to_str();
                let reason = "has a path that is not valid UTF-8, so a scene file cannot name it";
                Ok(seen.ok_or_else(|| format!("{}: {reason}", file.display()))?.to_owned())
            };
            let file = seen(Path::new(&arguments.model))?;
            let joints = wanted.read_as.joints.as_ref().map(|motion| seen(&motion.path)).transpose()?;
            let text = convert::scene_file(&scene, &Opened { name: &wanted, file, joints });
            Converted { bytes: text.into_bytes(), lost: convert::not_in_scene_file(&scene, &wanted) }
        }
        Target::Scene => {
            let reason = "is already a scene: `tumble scenes --copy` copies built-in scenes";
            return Err(format!("{}: {reason}", arguments.model).into());
        }
    };
    files::write(&path, &bytes, existing)
        .map_err(|e| format!("{}: cannot be written: {e}", path.display()))?;
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
