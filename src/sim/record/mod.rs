//! The recording: a self-contained file of a run, readable up to its last whole step after any failure.
//!
//! Input: a [`Scene`](crate::scene::Scene) and, after each step, the bodies, timings and counts.
//! Output: the poses of every step, its cost, and a hash by which a re-simulation can be checked step
//! by step. The file has its final name from its first whole step on, and every step is written when it
//! is appended. So `kill -9` and a full disk cost at most the step being written; only a power cut can
//! cost more.
//!
//! - `check.rs`: check that a scene can be stepped, made before it is stored and after it is read.
//! - `container.rs`: the container of a recording: numbered, checksummed chunks.
//! - `decode/`: the MessagePack reader of all values of a recording.
//! - `format.rs`: contents of the chunks of a recording.
//! - `found.rs`: contacts and joints of a step.
//! - `frame.rs`: all bodies after one step, and the changes from one step to the next.
//! - `history.rs`: the steps of a running simulation in memory.
//! - `kept.rs`: contacts and joints of a step in the form of a recording.
//! - `marks.rs`: single contacts of a step.
//! - `packed/`: compact encoding of lists that change little from step to step.
//! - `reader.rs`: reads a recording: the scene, and the poses of any step.
//! - `replay.rs`: simulates a recording again, and returns the first step that differs.
//! - `scene_chunks.rs`: the chunks before the first step, which hold the scene.
//! - `sheets/`: a recording as tables.
//! - `writer.rs`: writes a recording during the run.

mod check;
pub mod container;
mod decode;
pub mod format;
mod found;
mod frame;
mod history;
mod kept;
mod marks;
mod packed;
mod reader;
mod replay;
mod scene_chunks;
pub mod sheets;
mod writer;

use std::path::PathBuf;

use crate::files::TargetError;

pub use container::{ChunkError, begins_like_a_recording};
pub use decode::DecodeError;
pub use format::{End, EndReason, Rest, StepRecord};
pub use frame::Frame;
pub use history::{Guess, History, Overlap};
pub use kept::{JointsOfStep, Kept};
pub use marks::{Basis, ContactMark};
pub use reader::RunReader;
pub use replay::{Difference, Validation, validate};
pub use writer::RunWriter;

/// Reason why a recording cannot be written or read. If a recording is valid up to a step, the message
/// says so.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("{}: cannot be created", path.display())]
    Create { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("{}: another run is recording to this file", path.display())]
    Busy { path: PathBuf },
    #[error("{}: recording stopped, {steps_saved} steps are saved", path.display())]
    Write { path: PathBuf, steps_saved: u32, source: std::io::Error },
    #[error("{}: cannot be stored", path.display())]
    Encode { path: PathBuf, source: rmp_serde::encode::Error },
    #[error("{}: cannot be opened", path.display())]
    Open { path: PathBuf, source: std::io::Error },
    #[error("{}", path.display())]
    Chunk { path: PathBuf, source: ChunkError },
    #[error("{}: holds no whole scene: {reason}", path.display())]
    NoScene { path: PathBuf, reason: String },
    #[error("{}: would take more than {limit} bytes of memory, the limit for a file of its size", path.display())]
    TooLarge { path: PathBuf, limit: u64 },
    #[error("{}: step {step}: {reason}", path.display())]
    Step { path: PathBuf, step: u32, reason: String },
    #[error("{}: there is no step {step}, the last is {step_count}", path.display())]
    NoSuchStep { path: PathBuf, step: u32, step_count: u32 },
}
