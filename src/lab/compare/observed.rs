//! A contender while it is observed: its engine, its recording, and what is kept of its bodies.

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

/// What is kept of a contender while it is observed.
pub struct Observed {
    pub engine: Box<dyn Engine>,
    pub result: ContenderResult,
    /// What its steps took while it was observed.
    pub run: Vec<Timings>,
    recorder: Option<RunWriter>,
    pub(super) before: Vec<Pose>,
    pub(super) is_lost: Vec<bool>,
    /// Bodies that got through a surface, with the body of that surface.
    pub(super) has_passed: BTreeSet<(u32, u32)>,
    /// By body, how far it is from that of the first contender, m, after the steps that are tracked.
    pub(super) tracks: Vec<Vec<f32>>,
    /// The last step in which something moved, and the sum of mean speeds at the end.
    pub(super) last_moving: u32,
    pub(super) tail: (f64, u32),
}

impl Observed {
    /// At the start. What is in `result` stays.
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
        })
    }

    /// Whether it has not ended.
    pub fn is_there(&self) -> bool {
        self.result.ended.is_none()
    }

    /// Takes no further step.
    fn end(&mut self, reason: String) {
        self.result.ended = Some(Ended { step: self.run.len() as u32, reason });
    }

    /// Takes a step; what goes wrong ends it. Whether it was taken.
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

    /// Closes the recording, of so many steps that were wanted, and lets go of the engine.
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

/// Says how much a recording holds that could not be written further.
fn early(recorder: &RunWriter, error: &RecordError) -> String {
    format!("the recording ends early: {} steps are saved: {}", recorder.step_count(), cause(error))
}

/// The cause of an error without the path, which is a temporary one.
fn cause(error: &RecordError) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// What is left of a contender that was observed.
pub struct Seen {
    pub result: ContenderResult,
    /// What its steps took.
    pub run: Vec<Timings>,
}
