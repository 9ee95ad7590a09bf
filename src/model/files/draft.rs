//! Atomic writing: a file gets its final name only when it is complete.
//!
//! A kill or a full disk must not destroy the file that was there before. So a new file is written
//! under a temporary name in the folder of its target, flushed to the device, and then renamed. If a
//! write fails, the temporary file is removed. If the process is killed, the temporary file stays, and
//! the next write to the same target reuses it.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::Existing;
use super::target::folder_of;

/// Suffix of a temporary file's name.
const SUFFIX: &str = ".tumble-unfinished";
/// Number of letters of the target's name that the temporary name repeats. A file system allows names
/// of 255 bytes, and a letter has at most four bytes.
const NAME_LETTERS: usize = 50;
/// Number of attempts to lock the temporary file, as another process may rename it meanwhile.
const LOCK_ATTEMPTS: u32 = 16;

/// A file under its temporary name. If a draft is dropped before it is settled, the temporary file is
/// deleted.
#[derive(Debug)]
pub struct Draft {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
    is_settled: bool,
}

impl Draft {
    /// Opens an empty temporary file for a target. If the target is a link to an existing file,
    /// settling will replace that file. If the link is broken, settling will replace the link itself.
    ///
    /// # Errors
    /// Returns an error if the target or its folder cannot be written to, or another process writes to
    /// the target.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = require_writable(&target)?;
        let temporary = temporary_name(&target)?;
        let file = open_locked(&temporary)?;
        let draft = Self { file, temporary, target, is_settled: false };
        // This is tested after the draft is locked. Before that, another process that writes to this
        // target may settle its draft and still hold the lock on the file.
        require_unlocked(&draft.target)?;
        draft.file.set_len(0)?;
        if let Some(old) = old {
            draft.file.set_permissions(old.permissions())?;
        }
        Ok(draft)
    }

    /// Returns the open file. It stays open after the draft is settled.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Flushes the file to the device and renames it to its target. A second call does nothing.
    ///
    /// # Errors
    /// Returns an error if the device cannot take the file, or the target exists and must be kept
    /// ([`ErrorKind::AlreadyExists`]). The target is then unchanged.
    pub fn settle(&mut self, existing: Existing) -> io::Result<()> {
        if self.is_settled {
            return Ok(());
        }
        self.file.sync_all()?;
        self.rename(existing)?;
        self.flush_folder();
        Ok(())
    }

    /// Flushes the folder of the target. After a power cut, the new name is kept only if that was done.
    /// Not every system can flush a folder.
    fn flush_folder(&self) {
        let _ = File::open(folder_of(&self.target)).and_then(|folder| folder.sync_all());
    }

    fn rename(&mut self, existing: Existing) -> io::Result<()> {
        if existing == Existing::Keep && fs::symlink_metadata(&self.target).is_ok() {
            return Err(io::Error::new(ErrorKind::AlreadyExists, "it is there already"));
        }
        fs::rename(&self.temporary, &self.target)?;
        self.is_settled = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_settled {
            // A failure does no harm: the next write to the target reuses the file.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole file. If this fails, the target stays unchanged.
///
/// # Errors
/// Returns the errors of [`Draft::create`] and [`Draft::settle`], and an error if the bytes cannot be
/// written.
pub fn write(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    let mut draft = Draft::create(path)?;
    draft.write_all(bytes)?;
    draft.settle(existing)
}

/// Failure to write one of several files.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot be written", path.display())]
pub struct WriteSetError {
    path: PathBuf,
    source: io::Error,
}

/// Writes several files that belong together. All of them are complete before the first one gets its
/// name, so a kill or a full disk leaves the earlier files as they were.
///
/// # Errors
/// Returns the first error of [`write()`], with its path.
pub fn write_set(files: &[(&Path, Vec<u8>)], existing: Existing) -> Result<(), WriteSetError> {
    let mut drafts = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let fail = |source| WriteSetError { path: (*path).to_owned(), source };
        let mut draft = Draft::create(path).map_err(fail)?;
        draft.write_all(bytes).and_then(|()| draft.file.sync_all()).map_err(fail)?;
        drafts.push(draft);
    }
    for (draft, (path, _)) in drafts.iter_mut().zip(files) {
        draft.rename(existing).map_err(|source| WriteSetError { path: (*path).to_owned(), source })?;
    }
    drafts.iter().for_each(Draft::flush_folder);
    Ok(())
}

/// Returns the temporary name, in the folder of the target. A target always has the same temporary
/// name, so leftovers do not accumulate.
fn temporary_name(target: &Path) -> io::Result<PathBuf> {
    let no_name = || io::Error::new(ErrorKind::InvalidInput, "it has no file name");
    let name = target.file_name().ok_or_else(no_name)?.to_string_lossy();
    let letters: String = name.chars().take(NAME_LETTERS).collect();
    Ok(folder_of(target).join(format!(".{letters}{SUFFIX}")))
}

/// Returns the metadata of the target if it exists, or an error if it cannot be written to. The file
/// must be tested here, because a rename needs permission only for the folder.
fn require_writable(target: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok(about) => {
            super::require_regular(&about)?;
            OpenOptions::new().append(true).open(target)?;
            Ok(Some(about))
        }
    }
}

/// Returns an error if another process has locked the target. A run locks the file to which it records.
fn require_unlocked(target: &Path) -> io::Result<()> {
    match File::open(target).map(|file| file.try_lock()) {
        Ok(Err(TryLockError::WouldBlock)) => Err(busy()),
        _ => Ok(()),
    }
}

fn busy() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "another process is writing it")
}

/// Opens a temporary file and locks it, if the file system supports locks. Contents that an earlier
/// process left in the file stay.
fn open_locked(temporary: &Path) -> io::Result<File> {
    for _ in 0..LOCK_ATTEMPTS {
        // A link could lead to any of the user's files.
        if fs::symlink_metadata(temporary).is_ok_and(|about| !about.is_file()) {
            let reason = format!("{} is not a regular file", temporary.display());
            return Err(io::Error::other(reason));
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(temporary)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(busy());
        }
        // Another process may rename the file to its target after it was opened here and before it is
        // locked. Then the lock is on that target, so the next attempt opens a new file.
        let own = Handle::from_file(file.try_clone()?)?;
        if Handle::from_path(temporary).is_ok_and(|there| there == own) {
            return Ok(file);
        }
    }
    Err(busy())
}
