//! The folder of a sweep: its description, a result file per run, recordings, and a lock per shard.
//!
//! A result gets its name only when it is complete, so a killed sweep loses no more than the runs that
//! it was doing. Shards share nothing but this folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::error::SweepError;
use super::manifest::{self, Manifest};
use super::shard::Shard;

const RUNS: &str = "runs";
const RECORDINGS: &str = "recordings";
const LOCK: &str = "lock";

/// Folder of a sweep in which a shard works. Its lock is held until it is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    lock: PathBuf,
    _held: File,
}

impl Folder {
    /// Opens the folder for a shard of the sweep, and creates it if it is not there.
    ///
    /// # Errors
    /// Returns an error if the folder has another sweep or other files, if another process works at the
    /// same shard, or if the folder cannot be written to.
    pub fn open(path: &Path, manifest: &Manifest, shard: Shard) -> Result<Self, SweepError> {
        check_contents(path)?;
        for one in [path, &path.join(RUNS)] {
            fs::create_dir_all(one).map_err(|source| SweepError::Write { path: one.to_owned(), source })?;
        }
        manifest.place(path)?;
        let lock = path.join(format!("{}.{LOCK}", shard.to_string().replace('/', "-of-")));
        let write = |source| SweepError::Write { path: lock.clone(), source };
        let held = OpenOptions::new().write(true).create(true).truncate(false).open(&lock).map_err(write)?;
        // A file system without locks cannot tell; results are then still whole, but may be made twice.
        if let Err(TryLockError::WouldBlock) = held.try_lock() {
            return Err(SweepError::Busy { folder: path.to_owned(), shard: shard.to_string() });
        }
        Ok(Self { path: path.to_owned(), lock, _held: held })
    }

    /// Returns the file of a run's result.
    pub fn result(&self, run: u64) -> PathBuf {
        results(&self.path).join(format!("{run:06}.json"))
    }

    /// Returns the file of a run's recording.
    pub fn recording(&self, run: u64) -> PathBuf {
        self.path.join(RECORDINGS).join(format!("{run:06}.tumble"))
    }

    /// Creates the folder of the recordings.
    ///
    /// # Errors
    /// Returns an error if it cannot be created.
    pub fn prepare_recordings(&self) -> Result<(), SweepError> {
        let path = self.path.join(RECORDINGS);
        fs::create_dir_all(&path).map_err(|source| SweepError::Write { path, source })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A lock that stays does no harm, because only a held one counts.
        let _ = fs::remove_file(&self.lock);
    }
}

/// Returns the folder of the results.
pub fn results(sweep: &Path) -> PathBuf {
    sweep.join(RUNS)
}

/// Returns an error if a folder has files and no sweep. The files of a merge would replace them.
fn check_contents(path: &Path) -> Result<(), SweepError> {
    if path.join(manifest::NAME).exists() || !path.exists() {
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|source| SweepError::Read { path: path.to_owned(), source })?;
    // Another shard may create the folder at this moment.
    let is_own = |name: &str| name == RUNS || name.ends_with(LOCK) || name.contains(manifest::NAME);
    let mut names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    match names.find(|name| !is_own(name)) {
        Some(name) => Err(SweepError::Invalid {
            path: path.to_owned(),
            reason: format!("has files that are not those of a sweep, such as {name}; choose another folder"),
        }),
        None => Ok(()),
    }
}
