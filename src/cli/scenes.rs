//! `tumble scenes`: lists the built-in scenes, and copies them so that users can change them.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;

use super::{Failure, Outcome, output};
use crate::files::{self, Existing, TargetError};
use crate::scene::builtin_scenes;

/// List the built-in scenes, or copy one into a folder to change it there.
#[derive(Args)]
pub(super) struct ScenesArguments {
    /// Write the file of a built-in scene, its JSON Schema for editors, and the models that it names, to
    /// a folder. Existing files are never overwritten.
    #[arg(long, num_args = 2, value_names = ["SCENE", "DIR"])]
    copy: Option<Vec<String>>,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SceneRow {
    name: &'static str,
    description: String,
}

#[derive(Serialize)]
struct Copied {
    /// The written files. The scene file is first.
    files: Vec<PathBuf>,
}

/// Lists the built-in scenes, or copies one.
pub(super) fn scenes(arguments: &ScenesArguments) -> Result<Outcome, Failure> {
    if let Some([name, folder]) = arguments.copy.as_deref() {
        return copy(name, Path::new(folder), arguments.json);
    }
    let rows: Vec<SceneRow> =
        builtin_scenes().iter().map(|s| SceneRow { name: s.name, description: s.description() }).collect();
    if arguments.json {
        output::print_json(&rows)?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for row in &rows {
        table.add_row([row.name, &row.description]);
    }
    output::print(&format!(
        "{table}\n\n`tumble scenes --copy SCENE DIR` copies one to a folder, where it can be changed."
    ))?;
    Ok(Outcome::Done)
}

/// Writes the files of a scene. Existing files stay. Returns an error if an existing file differs.
fn copy(name: &str, folder: &Path, json: bool) -> Result<Outcome, Failure> {
    let Some(scene) = builtin_scenes().iter().find(|s| s.name == name) else {
        let names: Vec<&str> = builtin_scenes().iter().map(|s| s.name).collect();
        return Err(
            format!("{name}: no built-in scene has this name (built in: {})", names.join(", ")).into()
        );
    };
    let all: Vec<(PathBuf, Vec<u8>)> =
        scene.files().into_iter().map(|(name, content)| (folder.join(name), content)).collect();
    for (path, content) in &all {
        match files::check_target(path, &[], Existing::Keep) {
            Err(TargetError::Exists(_)) if is_same(path, content) => {}
            Err(TargetError::Exists(_)) => {
                return Err(format!("{}: already exists; copy to another folder", path.display()).into());
            }
            other => other?,
        }
    }
    fs::create_dir_all(folder).map_err(|e| format!("{}: cannot be created: {e}", folder.display()))?;
    for (path, content) in &all {
        if !is_same(path, content) {
            let fail = |e| format!("{}: cannot be written: {e}", path.display());
            files::write(path, content, Existing::Keep).map_err(fail)?;
        }
    }
    let files: Vec<PathBuf> = all.into_iter().map(|(path, _)| path).collect();
    if json {
        output::print_json(&Copied { files })?;
    } else {
        let lines: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
        output::print(&lines.join("\n"))?;
    }
    Ok(Outcome::Done)
}

fn is_same(path: &Path, content: &[u8]) -> bool {
    files::read(path, content.len() as u64).is_ok_and(|there| there == content)
}
