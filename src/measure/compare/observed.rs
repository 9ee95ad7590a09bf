//! A contender in the observed run: its engine, its recording, and the data kept about its bodies.

use std::collections::BTreeSet;
use std::error::Error;

use super::engine::{COUNT_NAMES, Engine, counted};
use super::error::CompareError;
use super::result::{ContenderResult, Ended, Loss, Lost};
use crate::body::Motion;
use crate::pose::Pose;
use crate::record::{EndReason, RecordError, RunWriter};
use crate::scene::Scene;
use crate::timing::Timings;

/// State of a contender in the observed run.
pub struct Observed {
    pub engine: Box<dyn Engine>,
    pub result: ContenderResult,
    /// Times of its steps in the observed run.
    pub run: Vec<Timings>,
    recorder: Option<RunWriter>,
    pub(super) before: Vec<Pose>,
    pub(super) is_lost: Vec<bool>,
    /// Pairs noted so far: a body, and the body through whose surface it passed.
    pub(super) has_passed: BTreeSet<(u32, u32)>,
    /// Distances of each body from that of the first contender after the tracked steps, m.
    pub(super) tracks: Vec<Vec<f32>>,
    /// Last step in which any body moved; sum of the mean speeds over the last steps, and their number.
    pub(super) last_moving: u32,
    pub(super) tail: (f64, u32),
    /// Step with the deepest contact that the engine itself reported, if it reports contacts.
    pub(super) reported: Option<Reported>,
}

/// Step with the deepest contact by an engine's own report.
pub struct Reported {
    pub step: u32,
    /// Depth of the contact, m.
    pub depth: f64,
    /// Poses of all bodies before and after the step. An engine finds contacts at poses between these.
    pub poses: [Vec<Pose>; 2],
}

impl Observed {
    /// Starts the observation of an engine before its first step. The contents of `result` are kept.
    pub fn new(
        mut engine: Box<dyn Engine>,
        mut result: ContenderResult,
        recorder: Option<RunWriter>,
    ) -> Result<Self, CompareError> {
        engine.observe()?;
        result.unmapped = engine.unmapped().to_vec();
        result.passages = Some(Vec::new());
        let before: Vec<Pose> = engine.bodies().states.iter().map(|s| s.pose).collect();
        let count = before.len();
        Ok(Self {
            engine,
            result,
            run: Vec::new(),
            recorder,
            before,
            is_lost: vec![false; count],
            has_passed: BTreeSet::new(),
            tracks: vec![Vec::new(); count],
            last_moving: 0,
            tail: (0.0, 0),
            reported: None,
        })
    }

    /// Returns whether the contender still takes steps.
    pub fn is_there(&self) -> bool {
        self.result.ended.is_none()
    }

    /// Ends the contender: it takes no further step.
    fn end(&mut self, reason: String) {
        self.result.ended = Some(Ended { step: self.run.len() as u32, reason });
    }

    /// Takes a step and returns whether it was taken; an error ends the contender.
    pub fn step(&mut self, scene: &Scene) -> bool {
        let Some(timings) = self.engine.step() else {
            self.end(self.engine.why_over());
            return false;
        };
        if let Err(error) = self.engine.observe() {
            self.end(error.to_string());
            return false;
        }
        let nowhere = self.engine.bodies().states.iter().position(|s| !s.pose.is_finite());
        if let Some(body) = nowhere {
            let step = self.run.len() as u32 + 1;
            let body = scene.bodies[body].name.clone();
            self.end(format!("after step {step} the pose of body \"{body}\" is not finite"));
            self.result.lost.push(Lost { body, step, how: Loss::NotFinite });
            return false;
        }
        self.run.push(timings);
        let (counts, measures) = self.engine.record();
        for (name, count) in COUNT_NAMES.into_iter().zip(counted(&counts)) {
            if self.engine.is_counted(name) {
                self.result.counts.entry(name.to_owned()).or_default().push(count);
            }
        }
        self.note_reported(measures.penetration);
        let energy = if measures.energy.is_nan() { f64::MAX } else { measures.energy };
        self.result.energy.push(energy.clamp(-f64::MAX, f64::MAX));
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = recorder.append(self.engine.bodies(), &timings, &counts, &measures)
        {
            self.result.recording_fault = Some(early(recorder, &error));
            self.recorder = None;
        }
        true
    }

    /// Keeps the poses before and after the step just taken if its deepest contact is deeper than in all
    /// steps before. `depth`: by the engine's report, m.
    fn note_reported(&mut self, depth: f64) {
        if depth > self.reported.as_ref().map_or(0.0, |reported| reported.depth) {
            let after = self.engine.bodies().states.iter().map(|state| state.pose).collect();
            let poses = [self.before.clone(), after];
            self.reported = Some(Reported { step: self.run.len() as u32, depth, poses });
        }
    }

    /// Ends the recording, of which `steps` steps were planned, and drops the engine.
    pub fn finish(mut self, scene: &Scene, steps: u32) -> Seen {
        let is_whole = self.run.len() as u32 == steps;
        let reason = if is_whole { EndReason::Finished } else { EndReason::Interrupted };
        if let Some(Err(error)) = self.recorder.take().map(|recorder| recorder.finish(reason)) {
            self.result.recording_fault = Some(format!("the recording has no end: {}", cause(&error)));
        }
        for (def, track) in scene.bodies.iter().zip(self.tracks) {
            if def.motion != Motion::Static && !track.is_empty() {
                self.result.deviation.bodies.insert(def.name.clone(), track);
            }
        }
        Seen { result: self.result, run: self.run }
    }
}

/// Describes how much of a recording was saved before an error.
fn early(recorder: &RunWriter, error: &RecordError) -> String {
    format!("the recording ends early: {} steps are saved: {}", recorder.step_count(), cause(error))
}

/// Returns the cause of an error without its path, which is that of a temporary file.
fn cause(error: &RecordError) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Result of a contender after the observed run.
pub struct Seen {
    pub result: ContenderResult,
    /// Times of its steps.
    pub run: Vec<Timings>,
}
