//! Errors that prevent or end a comparison.

use std::path::PathBuf;

use crate::record::RecordError;
use crate::world::WorldError;

/// Reason why a comparison cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    #[error("contender \"{name}\": {reason}")]
    Name { name: String, reason: String },
    #[error("contender \"{0}\" is named twice")]
    Twice(String),
    #[error("nothing to compare: name at least two contenders, or one and a baseline")]
    TooFew,
    #[error("contender \"{0}\": the world cannot be created")]
    World(String, #[source] WorldError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("{}: is a recording of another scene: {reason}", path.display())]
    OtherScene { path: PathBuf, reason: String },
}
