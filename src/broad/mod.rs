//! Broad phases: from the world boxes of a frame to the pairs that overlap. They know boxes and numbers,
//! never bodies. \[boxes\]

mod brute_force;
mod sweep;

use serde::{Deserialize, Serialize};

pub use brute_force::BruteForce;
pub use sweep::SortAndSweep;

use crate::volume::Aabb;

/// Indices of two boxes that overlap, `a < b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
}

/// A broad phase keeps its own structure between frames.
pub trait BroadPhase: Send + Sync {
    /// Takes the frame's boxes; the index of a box is its identity from frame to frame.
    fn update(&mut self, boxes: &[Aabb]);

    /// Replaces `pairs` by all overlapping pairs (closed boxes), each once, `a < b`, sorted. Returns how
    /// many box pairs were tested.
    fn pairs(&mut self, pairs: &mut Vec<Pair>) -> u64;
}

/// Which broad phase a run uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BroadPhaseKind {
    #[default]
    SortAndSweep,
    BruteForce,
}

impl BroadPhaseKind {
    pub const ALL: [Self; 2] = [Self::SortAndSweep, Self::BruteForce];

    pub fn name(self) -> &'static str {
        match self {
            Self::SortAndSweep => "sort-and-sweep",
            Self::BruteForce => "brute-force",
        }
    }
}

/// A broad phase of the kind, without boxes yet.
pub fn create(kind: BroadPhaseKind) -> Box<dyn BroadPhase> {
    match kind {
        BroadPhaseKind::SortAndSweep => Box::new(SortAndSweep::default()),
        BroadPhaseKind::BruteForce => Box::new(BruteForce::default()),
    }
}
