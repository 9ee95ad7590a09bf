//! What a run came to, as its world knows it at the end.

use serde::Serialize;

use super::expectations::ExpectationFigures;
use super::guidance::GuidanceFigures;
use super::slow::SlowStep;
use super::watched::WatchedFigures;
use crate::world::{
    Check, DearPair, JointUse, Measures, SkinReport, StartOverlaps, StarvedPair, Touch, Visit,
};

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Kinetic and potential, at the start and at the end, J.
    pub first_energy: f64,
    pub last_energy: f64,
    pub deepest: Deepest,
    pub quarantined_count: u32,
    pub sleeping_count: u32,
    /// What exact skins came to.
    pub skins: Vec<SkinReport>,
    /// What a budget left unsearched, the most starved first, and what guesses about it were worth.
    pub starved: Vec<StarvedPair>,
    pub check: Option<Check>,
    /// Links that stay rigid although their figure's skin is to be exact.
    pub rigid_skin_count: u32,
    pub guidance: Vec<GuidanceFigures>,
    /// The deepest pair at rest; `None` where it was not measured, as of a recording.
    pub deepest_at_rest: Option<Deepest>,
    /// Pairs of which it was not found out whether they are cut into each other; as above.
    pub open_depths: Option<u64>,
    /// What got through, fell out or reached in; `None` where it was not kept, as in a recording.
    pub watched: Option<WatchedFigures>,
    /// The pairs that touched, and how often one began to that there was no room for; `None` where contacts
    /// were not kept, as in a recording without them.
    pub touches: Option<Vec<Touch>>,
    pub touches_left_out: u64,
    /// How the joints were used; `None` where that was not kept, as in a recording without contacts.
    pub joints: Option<Vec<JointUse>>,
    /// The bodies that came into triggers; `None` where they were not kept, as in a recording.
    pub visits: Option<Vec<Visit>>,
    /// How the expectations of the scene fared; `None` where that was not judged, as of a recording.
    pub expectations: Option<Vec<ExpectationFigures>>,
    /// `None` where it was not looked for, as for a recording.
    pub overlaps_at_start: Option<StartOverlaps>,
    /// The pairs that cost most, the dearest first; `None` where it was not kept, as in a recording.
    pub dearest: Option<Vec<DearPair>>,
    pub slowest: Option<SlowStep>,
    /// How large the recording of the run is; `None` if there is none.
    pub recording: Option<RecordingFigures>,
    /// `None` where it was not kept, as in a recording.
    pub shared_stages: Option<u64>,
    /// After the last step.
    pub state_hash: u64,
}

/// How large a recording is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RecordingFigures {
    pub bytes: u64,
    /// The bytes of a step, in the mean.
    pub bytes_per_step: f64,
}

impl RecordingFigures {
    /// Makes the figures of a recording with so many bytes before its steps and in them.
    pub fn of([head, steps]: [u64; 2], step_count: u32) -> Self {
        Self { bytes: head + steps, bytes_per_step: steps as f64 / f64::from(step_count.max(1)) }
    }
}

/// The deepest contact of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deepest {
    /// m
    pub depth: f64,
    /// Bodies, if any overlapped.
    pub pair: Option<[u32; 2]>,
    /// The first in which they were so deep, from 1.
    pub step: u32,
}

impl Deepest {
    /// Takes what a step left.
    pub fn see(&mut self, step: u32, measures: &Measures) {
        if measures.penetration > self.depth {
            *self = Self { depth: measures.penetration, pair: measures.deepest, step };
        }
    }
}
