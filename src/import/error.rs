//! Why a model cannot be loaded.

use std::path::PathBuf;

/// Why a model cannot be loaded. Names the file and, where there is one, the place in it.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{}: cannot be read", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: {reason}", path.display())]
    NotAFile { path: PathBuf, reason: String },
    #[error("{file}: {place}: {reason}")]
    Invalid { file: String, place: String, reason: String },
}
