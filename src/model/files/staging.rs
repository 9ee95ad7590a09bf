//! A set of files that get their names together.
//!
//! Files that belong together must not be mixed with the files of an earlier set. So they are written
//! to a separate folder within the target folder. When all of them are complete, they are renamed one
//! by one. If the process is killed before that, the earlier set stays unchanged.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{Existing, TargetError, check_target};

/// Name of the folder of an incomplete set, within the target folder.
pub const STAGING: &str = ".tumble-unfinished";
/// A file in that folder. The writing process keeps it locked.
const LOCK: &str = "lock";

/// A folder for a set of files that is still being written. When it is dropped, the files in it are
/// removed.
#[derive(Debug)]
pub struct Staging {
    target: PathBuf,
    staged: PathBuf,
    /// The lock, held while the set is written.
    _lock: File,
    is_kept: bool,
}

/// Error in placing a set of files.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("{}: cannot be written", path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl Staging {
    /// Creates the folder `target` and, within it, the folder for the set. Removes the leftovers of a
    /// killed process.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be created, or another process writes a set to it.
    pub fn begin(target: &Path) -> io::Result<Self> {
        let staged = target.join(STAGING);
        fs::create_dir_all(&staged)?;
        // A link could lead to any of the user's folders, and files are removed from this folder.
        if !fs::symlink_metadata(&staged)?.is_dir() {
            return Err(io::Error::other(format!("{} is not a folder", staged.display())));
        }
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(staged.join(LOCK))?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(io::Error::new(ErrorKind::ResourceBusy, "another process is writing to it"));
        }
        let staging = Self { target: target.to_owned(), staged, _lock: lock, is_kept: false };
        for file in staging.files()? {
            fs::remove_file(file)?;
        }
        Ok(staging)
    }

    /// Returns the folder for the files of the set.
    pub fn folder(&self) -> &Path {
        &self.staged
    }

    /// Renames all files of the set into the target folder, in the order of their names.
    ///
    /// # Errors
    /// Returns an error if one of them may not or cannot be written. Files that were not renamed stay
    /// in [`Staging::folder`].
    pub fn place(mut self, inputs: &[PathBuf], existing: Existing) -> Result<(), PlaceError> {
        self.is_kept = true;
        let unread = |source| PlaceError::Write { path: self.staged.clone(), source };
        let mut files = self.files().map_err(unread)?;
        files.sort();
        let target = |file: &Path| self.target.join(file.file_name().unwrap_or_default());
        for file in &files {
            check_target(&target(file), inputs, existing)?;
        }
        for file in &files {
            let path = target(file);
            fs::rename(file, &path).map_err(|source| PlaceError::Write { path, source })?;
        }
        self.is_kept = false;
        Ok(())
    }

    /// Returns the files of the set, without the lock file.
    fn files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.staged)? {
            let entry = entry?;
            if entry.file_name() != LOCK {
                files.push(entry.path());
            }
        }
        Ok(files)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        // A failure does no harm, as the next set written to this target removes the leftovers.
        for file in self.files().unwrap_or_default() {
            let _ = fs::remove_file(file);
        }
        let _ = fs::remove_file(self.staged.join(LOCK));
        let _ = fs::remove_dir(&self.staged);
    }
}
