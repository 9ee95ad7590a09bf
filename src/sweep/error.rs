//! Errors of a sweep.

use std::io;
use std::path::PathBuf;

/// Error of a sweep, with the file or folder at fault.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    #[error("{}: cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: cannot be written", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{}: {reason}", path.display())]
    Invalid { path: PathBuf, reason: String },
    #[error("{}: has no sweep: `tumble sweep SCENE --vary KEY=VALUES --out DIR` makes one", .0.display())]
    NoSweep(PathBuf),
    #[error("{}: is the folder of another sweep: {reason}; choose another folder", folder.display())]
    Other { folder: PathBuf, reason: String },
    #[error("{} and {} have different sweeps: of the second, {reason}", folders[0].display(), folders[1].display())]
    Different { folders: [PathBuf; 2], reason: String },
    #[error("{}: another process works at shard {shard} already", folder.display())]
    Busy { folder: PathBuf, shard: String },
}
