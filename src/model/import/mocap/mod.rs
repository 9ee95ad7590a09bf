//! Motion-capture files → [`Model`]: BVH, and Acclaim's skeletons (ASF) with their motions (AMC). The
//! model has one node per joint, no surface, and at most one clip.
//!
//! No file is trusted: every count, name and number is checked, and memory is proportional to the
//! length of the file.
//!
//! - `amc.rs`: Acclaim motions: frames of rotations about each bone's own axes.
//! - `asf.rs`: Acclaim skeletons: bones with directions, lengths and axes.
//! - `bvh.rs`: Biovision hierarchies: joints with their channels, and frames.
//! - `joints.rs`: common parts of BVH and ASF: joints, rotations, tracks, and the model made from them.
//! - `words.rs`: the text of a file as words with their lines.

mod amc;
mod asf;
mod bvh;
mod joints;
mod words;

use std::path::{Path, PathBuf};

use super::error::LoadError;
use super::limits::FILE_BYTES;
use super::model::Model;
use super::read::read_text;
use words::Checked;

/// Loads a `.bvh`, `.asf` or `.amc` file. The skeleton of an `.amc` file is `skeleton`, or else the
/// only `.asf` file beside it.
pub(crate) fn load(path: &Path, skeleton: Option<&Path>) -> Result<Model, LoadError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut files = vec![path.to_owned()];
    let model = match extension(path).as_deref() {
        Some("asf") => judge(path, asf::read(&text(path)?).map(|s| s.model(&name))),
        Some("amc") => {
            let beside = match skeleton {
                Some(skeleton) => skeleton.to_owned(),
                None => only_skeleton_beside(path)?,
            };
            let skeleton = judge(&beside, asf::read(&text(&beside)?))?;
            files.push(beside);
            judge(path, amc::read(&text(path)?, &name, &skeleton))
        }
        _ => judge(path, bvh::read(&text(path)?, &name)),
    }?;
    Ok(Model { files, ..model })
}

/// Returns whether a file has an extension of captured motion.
pub(crate) fn is_motion_file(path: &Path) -> bool {
    matches!(extension(path).as_deref(), Some("bvh" | "asf" | "amc"))
}

/// Returns whether a file has the extension of a motion without a skeleton.
pub(crate) fn needs_skeleton(path: &Path) -> bool {
    extension(path).as_deref() == Some("amc")
}

fn extension(path: &Path) -> Option<String> {
    path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase)
}

fn text(path: &Path) -> Result<String, LoadError> {
    read_text(path, FILE_BYTES)
}

fn invalid(path: &Path, line: usize, reason: String) -> LoadError {
    LoadError::Invalid { file: path.display().to_string(), place: format!("line {line}"), reason }
}

fn judge<T>(path: &Path, read: Checked<T>) -> Result<T, LoadError> {
    read.map_err(|fault| invalid(path, fault.line, fault.reason))
}

/// Finds the only ASF file in the folder of a motion; fails if there is none or more than one.
fn only_skeleton_beside(path: &Path) -> Result<PathBuf, LoadError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let read_error = |source| LoadError::Read { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read_error)? {
        let beside = entry.map_err(read_error)?.path();
        if extension(&beside).as_deref() == Some("asf") {
            found.push(beside);
        }
    }
    match found.as_slice() {
        [one] => Ok(one.clone()),
        none_or_many => Err(LoadError::Refused {
            path: path.to_owned(),
            reason: format!(
                "needs the .asf with its skeleton; {} are beside it, so say which one",
                none_or_many.len()
            ),
        }),
    }
}
