//! Results of a run, taken from its world at the end.

use serde::Serialize;

use super::expectations::ExpectationFigures;
use super::findings::Finding;
use super::guidance::GuidanceFigures;
use super::slow::SlowStep;
use super::watched::WatchedFigures;
use crate::world::{
    Check, CostlyPair, JointUse, Measures, SkinReport, StartOverlaps, StarvedPair, Touch, Visit,
};

/// Results of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Sum of kinetic and potential energy at the start and at the end, J.
    pub first_energy: f64,
    pub last_energy: f64,
    pub deepest: Deepest,
    pub quarantined_count: u32,
    pub sleeping_count: u32,
    /// Distances of exact skins from the rigid surfaces of their links.
    pub skins: Vec<SkinReport>,
    /// Pairs that a budget left unsearched, those with the most such steps first, and the quality of
    /// the guesses about unsearched pairs.
    pub starved: Vec<StarvedPair>,
    pub check: Option<Check>,
    /// Number of links that stay rigid although the skin of their skeleton should be exact.
    pub rigid_skin_count: u32,
    pub guidance: Vec<GuidanceFigures>,
    /// Deepest overlap of a pair at rest; `None` if not measured (recordings).
    pub deepest_at_rest: Option<Deepest>,
    /// Number of pairs whose overlap could not be measured to the end; `None` if not measured
    /// (recordings).
    pub open_depths: Option<u64>,
    /// Faults: passages, falls, reaches and others; `None` if not known (recordings).
    pub watched: Option<WatchedFigures>,
    /// All of these faults in the form of findings; `None` if not known (recordings).
    pub findings: Option<Vec<Finding>>,
    /// Pairs that touched (`None` for a recording without contacts), and the number of touches that
    /// were dropped for lack of room.
    pub touches: Option<Vec<Touch>>,
    pub touches_left_out: u64,
    /// Use of the joints; `None` for a recording without contacts.
    pub joints: Option<Vec<JointUse>>,
    /// Bodies that entered triggers; `None` if not known (recordings).
    pub visits: Option<Vec<Visit>>,
    /// Verdicts on the scene's expectations; `None` if not tested (recordings).
    pub expectations: Option<Vec<ExpectationFigures>>,
    /// Overlaps at the start; `None` if not searched (recordings).
    pub overlaps_at_start: Option<StartOverlaps>,
    /// Costliest pairs, in descending order of cost; `None` if not known (recordings).
    pub costliest: Option<Vec<CostlyPair>>,
    pub slowest: Option<SlowStep>,
    /// Size of the recording of the run; `None` without a recording.
    pub recording: Option<RecordingFigures>,
    /// Largest resident memory of the process so far, bytes; `None` if the system does not report it
    /// (also for recordings).
    pub peak_memory_bytes: Option<u64>,
    /// Number of stages whose work was shared between threads; `None` if not known (recordings).
    pub shared_stages: Option<u64>,
    /// Number of diagonals exchanged in flat faces of thin triangles; `None` if not known (recordings).
    pub exchanged_diagonals: Option<u64>,
    /// State hash after the last step.
    pub state_hash: u64,
}

/// Size of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RecordingFigures {
    pub bytes: u64,
    /// Mean bytes per step.
    pub bytes_per_step: f64,
}

impl RecordingFigures {
    /// Returns the figures of a recording. `head` and `steps` are its bytes before the steps and of the
    /// steps.
    pub fn of([head, steps]: [u64; 2], step_count: u32) -> Self {
        Self { bytes: head + steps, bytes_per_step: steps as f64 / f64::from(step_count.max(1)) }
    }
}

/// Deepest overlap of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deepest {
    /// Depth, m.
    pub depth: f64,
    /// Bodies of the deepest pair; `None` if no bodies overlapped.
    pub pair: Option<[u32; 2]>,
    /// First step with this depth, counted from 1.
    pub step: u32,
}

impl Deepest {
    /// Updates the deepest overlap by the measures of a step.
    pub fn see(&mut self, step: u32, measures: &Measures) {
        if measures.penetration > self.depth {
            *self = Self { depth: measures.penetration, pair: measures.deepest, step };
        }
    }
}
