//! Atomic writing: a file gets its final name only when it is complete.
//!
//! A kill or a full disk must not cost the user the file that was there before. A new file is therefore
//! written under a temporary name in the folder of its target, flushed to the device, and renamed. A write
//! that fails removes the temporary file. A kill leaves it behind, and the next write to the target reuses
//! it.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::Existing;

/// Suffix of a temporary file's name.
const SUFFIX: &str = ".tumble-unfinished";
/// Number of letters of the target's name in that of its temporary file. A file system takes names of
/// 255 bytes, and a letter has at most four.
const NAME_LETTERS: usize = 50;
/// Number of attempts to lock the temporary file while another process may rename it.
const LOCK_ATTEMPTS: u32 = 16;

/// File under its temporary name. Dropping a draft that was not settled deletes the temporary file.
#[derive(Debug)]
pub struct Draft {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
    is_settled: bool,
}

impl Draft {
    /// Opens an empty temporary file for a target. If the target is a link to an existing file, that
    /// file will be replaced; a broken link is replaced itself.
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
        // Tested after locking: until then, another process that writes to this target may have settled
        // its draft and still hold the file locked.
        require_unlocked(&draft.target)?;
        draft.file.set_len(0)?;
        if let Some(old) = old {
            draft.file.set_permissions(old.permissions())?;
        }
        Ok(draft)
    }

    /// Returns the open file, which stays open when the draft is settled.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Flushes the file to the device and renames it to its target. Does nothing the second time.
    ///
    /// # Errors
    /// Returns an error if the device cannot take the file, or the target exists and must be kept
    /// ([`ErrorKind::AlreadyExists`]). The target is then unchanged.
    pub fn settle(&mut self, existing: Existing) -> io::Result<()> {
        if self.is_settled {
            return Ok(());
        }
        self.file.sync_all()?;
        if existing == Existing::Keep && fs::symlink_metadata(&self.target).is_ok() {
            return Err(io::Error::new(ErrorKind::AlreadyExists, "it is there already"));
        }
        fs::rename(&self.temporary, &self.target)?;
        self.is_settled = true;
        // The new name survives a power cut once its folder is flushed; not every system can do that.
        let _ = File::open(folder_of(&self.target)).and_then(|folder| folder.sync_all());
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

/// Writes a whole file, or leaves the target unchanged.
///
/// # Errors
/// Returns the errors of [`Draft::create`] and [`Draft::settle`], and an error if the bytes cannot be
/// written.
pub fn write(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    let mut draft = Draft::create(path)?;
    draft.write_all(bytes)?;
    draft.settle(existing)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the temporary name beside a target. It is always the same, so that leftovers do not
/// accumulate.
fn temporary_name(target: &Path) -> io::Result<PathBuf> {
    let no_name = || io::Error::new(ErrorKind::InvalidInput, "it has no file name");
    let name = target.file_name().ok_or_else(no_name)?.to_string_lossy();
    let letters: String = name.chars().take(NAME_LETTERS).collect();
    Ok(folder_of(target).join(format!(".{letters}{SUFFIX}")))
}

/// Returns the metadata of the target, if it exists, and an error if it cannot be written to. A rename
/// needs permission only for the folder, so the file is tested here.
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

/// Returns an error if another process has locked the target, as a run does while it records to the
/// target.
fn require_unlocked(target: &Path) -> io::Result<()> {
    match File::open(target).map(|file| file.try_lock()) {
        Ok(Err(TryLockError::WouldBlock)) => Err(busy()),
        _ => Ok(()),
    }
}

fn busy() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "another process is writing it")
}

/// Opens a temporary file and locks it, if the file system has locks. Contents of an earlier process
/// stay.
fn open_locked(temporary: &Path) -> io::Result<File> {
    for _ in 0..LOCK_ATTEMPTS {
        // A link could lead to any file of the user.
        if fs::symlink_metadata(temporary).is_ok_and(|about| !about.is_file()) {
            let reason = format!("{} is not a regular file", temporary.display());
            return Err(io::Error::other(reason));
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(temporary)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(busy());
        }
        // Another process may have renamed the file to its target after it was opened here and before
        // it was locked. Then the lock is on that target, and the next attempt opens a new file.
        let own = Handle::from_file(file.try_clone()?)?;
        if Handle::from_path(temporary).is_ok_and(|there| there == own) {
            return Ok(file);
        }
    }
    Err(busy())
}
