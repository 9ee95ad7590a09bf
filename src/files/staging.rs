//! Set of files that get their names together.
//!
//! Files that belong together must not be mixed with those of an earlier set. They are written to a
//! folder of their own within the target folder, and renamed one by one when all of them are complete.
//! A kill before that leaves the earlier set unchanged.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{Existing, TargetError, check_target};

/// Folder of an incomplete set, within its target folder.
pub const STAGING: &str = ".tumble-unfinished";
/// File in it that the writing process holds locked.
const LOCK: &str = "lock";

/// Folder for files that are not all written yet. Dropping it removes the files in it.
#[derive(Debug)]
pub struct Staging {
    target: PathBuf,
    staged: PathBuf,
    /// Lock held while the set is being written.
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
    /// Creates the folder `target` and the one for the set within it, and removes leftovers of a killed
    /// process.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be created, or another process writes a set to it.
    pub fn begin(target: &Path) -> io::Result<Self> {
        let staged = target.join(STAGING);
        fs::create_dir_all(&staged)?;
        // A link could lead to any folder of the user, and files are removed from this one.
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

    /// Returns the files of the set, without the lock.
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
        // A failure does no harm: the next set written here removes the leftovers.
        for file in self.files().unwrap_or_default() {
            let _ = fs::remove_file(file);
        }
        let _ = fs::remove_file(self.staged.join(LOCK));
        let _ = fs::remove_dir(&self.staged);
    }
}
