//! Errors in loading a scene.

use std::path::PathBuf;

use crate::import::{LoadError, MotionFile};

/// Error in loading a scene. Names the file and the fault.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    #[error("{name}: no built-in scene has this name and no file is there{instead} (built in: {builtin})")]
    Unknown { name: String, builtin: String, instead: String },
    /// A file of another kind, with advice.
    #[error("{}: {advice}", path.display())]
    Kind { path: PathBuf, advice: String },
    #[error("{}: cannot be read", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    /// An error in the text of a scene file.
    #[error("{file}: {}{reason}", line.map(|l| format!("line {l}: ")).unwrap_or_default())]
    Text { file: String, line: Option<usize>, reason: String },
    /// A value that replaces a key of the scene file and that the file cannot have.
    #[error("{file}: {setting}: {reason}")]
    Setting { file: String, setting: String, reason: String },
    /// Two values for one key, or for a key and a part of it.
    #[error("{file}: {setting}: sets the same place as {other}")]
    SamePlace { file: String, setting: String, other: String },
    #[error(transparent)]
    Model(#[from] LoadError),
    /// `left_out` names the parts of its files that were not read, as the end of a sentence.
    #[error("{name}: there is nothing to simulate: no node has a surface{left_out}")]
    Empty { name: String, left_out: String },
    #[error(
        "{name}: is a model without a mesh: none of its nodes ({node_count}) has a surface to simulate{left_out}"
    )]
    NoMesh { name: String, node_count: usize, left_out: String },
    #[error(
        "{name}: holds motion and nothing to simulate: {content}; animation = {{ file = … }} of a model in a \
         scene file plays it"
    )]
    MotionOnly { name: String, content: Box<MotionFile> },
    #[error("{name}: {reason}")]
    Config { name: String, reason: String },
}
