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
    #[error("{}: is named like a review or the shard of a check; nothing is written over those", .0.display())]
    Kept(PathBuf),
    #[error("{} and {}: are one file, for two results", .0.display(), .1.display())]
    Shared(PathBuf, PathBuf),
}

/// Ending of the name of a review, the verdicts of a user. Such a file is never replaced.
pub const REVIEW_ENDING: &str = ".review.toml";
/// Beginning and ending of the name of a shard of a check, which may be hours of work. Such a file is
/// never replaced.
pub const SHARD_BEGINNING: &str = "check-";
pub const SHARD_ENDING: &str = ".jsonl";

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
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_shard = name.starts_with(SHARD_BEGINNING) && name.ends_with(SHARD_ENDING);
    if name.ends_with(REVIEW_ENDING) || is_shard {
        return Err(TargetError::Kept(path.to_owned()));
    }
    match existing {
        Existing::Keep => Err(TargetError::Exists(path.to_owned())),
        Existing::Replace => Ok(()),
    }
}

/// Tests several paths that are written by one command. No two of them may lead to one file.
pub fn check_targets(paths: &[&Path], inputs: &[PathBuf], existing: Existing) -> Result<(), TargetError> {
    for (number, path) in paths.iter().enumerate() {
        check_target(path, inputs, existing)?;
        if let Some(other) =
            paths[..number].iter().find(|other| is_same(path, other) || is_one_name(path, other))
        {
            return Err(TargetError::Shared((*other).to_owned(), (*path).to_owned()));
        }
    }
    Ok(())
}

/// Returns whether two paths of files that need not exist are one name in one folder.
fn is_one_name(path: &Path, other: &Path) -> bool {
    let folders = [path, other].map(|path| fs::canonicalize(folder_of(path)));
    path.file_name() == other.file_name() && matches!(folders, [Ok(a), Ok(b)] if a == b)
}

/// Returns the folder of a file; `.` for a bare name.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns whether two paths lead to the same file. If a file cannot be opened (it may be writable but
/// not readable), the paths themselves are compared.
fn is_same(path: &Path, input: &Path) -> bool {
    same_file::is_same_file(path, input).unwrap_or_else(|_| {
        let paths = [path, input].map(fs::canonicalize);
        matches!(paths, [Ok(a), Ok(b)] if a == b)
    })
}
