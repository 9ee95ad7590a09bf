//! The test whether a path may be written to. A file is replaced only if the user requests it, and
//! never if it is an input.

use std::fs;
use std::path::{Path, PathBuf};

/// Treatment of an existing file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    #[default]
    Keep,
    Replace,
}

impl Existing {
    /// Returns the treatment that the option `--force` requests.
    pub fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep }
    }
}

/// Reason why a path is not written to.
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

/// Tests whether a path may be written to. It may if nothing is there. It also may if there is a
/// regular file that may be replaced and that is none of `inputs`, under any name or link. Errors that
/// only writing can find, such as a missing folder or a missing permission, are left to the writing.
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

/// Returns whether two paths lead to the same file. If a file cannot be opened (it may be writable but
/// not readable), the paths themselves are compared.
fn is_same(path: &Path, input: &Path) -> bool {
    same_file::is_same_file(path, input).unwrap_or_else(|_| {
        let paths = [path, input].map(fs::canonicalize);
        matches!(paths, [Ok(a), Ok(b)] if a == b)
    })
}
