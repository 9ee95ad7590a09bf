//! Results of a run, from its world at the end.

use serde::Serialize;

use super::expectations::ExpectationFigures;
use super::guidance::GuidanceFigures;
use super::slow::SlowStep;
use super::watched::WatchedFigures;
use crate::world::{
    Check, CostlyPair, JointUse, Measures, SkinReport, StartOverlaps, StarvedPair, Touch, Visit,
};

/// Results of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Kinetic plus potential energy, at the start and at the end, J.
    pub first_energy: f64,
    pub last_energy: f64,
    pub deepest: Deepest,
    pub quarantined_count: u32,
    pub sleeping_count: u32,
    /// Deviations of exact skins.
    pub skins: Vec<SkinReport>,
    /// Pairs that a budget left unsearched, in descending order, and the quality of the guesses about
    /// them.
    pub starved: Vec<StarvedPair>,
    pub check: Option<Check>,
    /// Number of links that stay rigid although their skeleton's skin should be exact.
    pub rigid_skin_count: u32,
    pub guidance: Vec<GuidanceFigures>,
    /// Deepest pair at rest; `None` if it was not measured, as for a recording.
    pub deepest_at_rest: Option<Deepest>,
    /// Number of pairs whose overlap could not be decided; `None` likewise.
    pub open_depths: Option<u64>,
    /// Faults: passages, falls, reaches; `None` if they were not stored, as for a recording.
    pub watched: Option<WatchedFigures>,
    /// Pairs that touched, and the number of touches that were dropped for lack of room; `None` if
    /// contacts were not stored, as for a recording without them.
    pub touches: Option<Vec<Touch>>,
    pub touches_left_out: u64,
    /// Use of the joints; `None` if it was not stored, as for a recording without contacts.
    pub joints: Option<Vec<JointUse>>,
    /// Bodies that entered triggers; `None` if they were not stored, as for a recording.
    pub visits: Option<Vec<Visit>>,
    /// Verdicts on the expectations of the scene; `None` if they were not tested, as for a recording.
    pub expectations: Option<Vec<ExpectationFigures>>,
    /// Overlaps at the start; `None` if they were not searched, as for a recording.
    pub overlaps_at_start: Option<StartOverlaps>,
    /// Costliest pairs, in descending order; `None` if they were not stored, as for a recording.
    pub costliest: Option<Vec<CostlyPair>>,
    pub slowest: Option<SlowStep>,
    /// Size of the recording of the run; `None` if there is none.
    pub recording: Option<RecordingFigures>,
    /// Number of shared stages; `None` if it was not stored, as for a recording.
    pub shared_stages: Option<u64>,
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
    /// Returns the figures of a recording with the given bytes before its steps and in them.
    pub fn of([head, steps]: [u64; 2], step_count: u32) -> Self {
        Self { bytes: head + steps, bytes_per_step: steps as f64 / f64::from(step_count.max(1)) }
    }
}

/// The deepest contact of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deepest {
    /// Depth, m.
    pub depth: f64,
    /// Bodies, if any overlapped.
    pub pair: Option<[u32; 2]>,
    /// First step with this depth, from 1.
    pub step: u32,
}

impl Deepest {
    /// Takes the measures of a step.
    pub fn see(&mut self, step: u32, measures: &Measures) {
        if measures.penetration > self.depth {
            *self = Self { depth: measures.penetration, pair: measures.deepest, step };
        }
    }
}
