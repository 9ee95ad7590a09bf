//! Whether a path may be written to: a file is replaced only if the user says so, and never one that is read.

use std::fs;
use std::path::{Path, PathBuf};

/// What is done with a file that is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    #[default]
    Keep,
    Replace,
}

impl Existing {
    /// What the option `--force` stands for.
    pub fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep }
    }
}

/// Why nothing is written to a path.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("{}: is a folder", .0.display())]
    Folder(PathBuf),
    #[error("{}: is not a regular file", .0.display())]
    Refused(PathBuf),
    #[error("{}: is read here, as {}, and nothing is written over it", .path.display(), .input.display())]
    Input { path: PathBuf, input: PathBuf },
    #[error("{}: is there already; --force replaces it", .0.display())]
    Exists(PathBuf),
}

/// Whether a path can be written to: nothing is there, or a regular file that is none of `inputs`, under
/// whatever name or link, and may be replaced. What only writing can find (a missing folder, no permission)
/// is left to it.
pub fn check_target(path: &Path, inputs: &[PathBuf], existing: Existing) -> Result<(), TargetError> {
    let Ok(about) = fs::metadata(path) else { return Ok(()) };
    if about.is_dir() {
        return Err(TargetError::Folder(path.to_owned()));
    }
    if !about.is_file() {
        return Err(TargetError::Refused(path.to_owned()));
    }
    if let Some(input) = inputs.iter().find(|input| is_same(path, input)) {
        return Err(TargetError::Input { path: path.to_owned(), input: input.clone() });
    }
    match existing {
        Existing::Keep => Err(TargetError::Exists(path.to_owned())),
        Existing::Replace => Ok(()),
    }
}

/// Whether two paths lead to one file. One that cannot be asked (it may be written to, not read) is told by
/// its path.
fn is_same(path: &Path, input: &Path) -> bool {
    same_file::is_same_file(path, input).unwrap_or_else(|_| {
        let paths = [path, input].map(fs::canonicalize);
        matches!(paths, [Ok(a), Ok(b)] if a == b)
    })
}
