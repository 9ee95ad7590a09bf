//! Errors of loading a model.

use std::path::PathBuf;

/// Reason why a model cannot be loaded. It names the file, and the place in the file if known.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{}: cannot be read", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: {reason}", path.display())]
    Refused { path: PathBuf, reason: String },
    #[error("{file}: {place}: {reason}")]
    Invalid { file: String, place: String, reason: String },
}
