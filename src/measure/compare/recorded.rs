//! Recording of a run as an engine, which replays the recorded poses and times.

use std::path::Path;

use super::engine::Engine;
use super::error::CompareError;
use crate::body::{Activity, Bodies};
use crate::digits::seconds;
use crate::record::{Rest, RunReader};
use crate::scene::Scene;
use crate::timing::Timings;
use crate::world::{Measures, StepCounts, bodies_at_start};

/// Tolerance for start poses to count as equal: m, and in components of a unit quaternion.
const SAME_START: f64 = 1e-6;

/// Recorded run that is read step by step.
pub struct Recorded {
    reader: RunReader,
    bodies: Bodies,
    step: u32,
    counts: StepCounts,
    measures: Measures,
    state_hash: u64,
    notes: Vec<String>,
    /// Reason why no further step can be read.
    problem: Option<String>,
}

impl Recorded {
    /// Opens a recording of a scene.
    ///
    /// # Errors
    /// Fails if the recording cannot be read, or is of a scene with other bodies.
    pub fn new(path: &Path, scene: &Scene) -> Result<Self, CompareError> {
        let reader = RunReader::open(path)?;
        let recorded = reader.scene();
        check_same(scene, recorded)
            .map_err(|reason| CompareError::OtherScene { path: path.to_owned(), reason })?;
        let mut notes: Vec<String> = reader.problem().map(str::to_owned).into_iter().collect();
        if reader.tumble_version() != env!("CARGO_PKG_VERSION") {
            notes.push(format!("it was recorded by version {}", reader.tumble_version()));
        }
        let bodies = bodies_at_start(recorded);
        let (counts, measures) = Default::default();
        Ok(Self { reader, bodies, step: 0, counts, measures, state_hash: 0, notes, problem: None })
    }
}

/// Checks that a recorded scene has the bodies of `scene` with the same start poses, and steps of the
/// same length. Fails with the first difference.
pub fn check_same(scene: &Scene, recorded: &Scene) -> Result<(), String> {
    if recorded.bodies.len() != scene.bodies.len() {
        let (own, its) = (scene.bodies.len(), recorded.bodies.len());
        return Err(format!("it has {its} bodies, {} has {own}", scene.name));
    }
    for (own, its) in scene.bodies.iter().zip(&recorded.bodies) {
        if own.name != its.name {
            return Err(format!("its body \"{}\" is in the place of \"{}\"", its.name, own.name));
        }
        let turned = own.pose.rotation.dot(its.pose.rotation).abs();
        if own.pose.position.distance(its.pose.position) > SAME_START || turned < 1.0 - SAME_START {
            return Err(format!("its body \"{}\" starts elsewhere", its.name));
        }
    }
    if recorded.config.dt != scene.config.dt {
        let [own, its] = [scene.config.dt, recorded.config.dt].map(seconds);
        return Err(format!("its steps take {its}, those of {} {own}", scene.name));
    }
    Ok(())
}

impl Engine for Recorded {
    fn step(&mut self) -> Option<Timings> {
        if self.step >= self.reader.step_count() {
            return None;
        }
        let record = match self.reader.record(self.step + 1) {
            Ok(record) => record,
            Err(error) => {
                self.problem = Some(error.to_string());
                return None;
            }
        };
        self.step += 1;
        (self.counts, self.measures, self.state_hash) = (record.counts, record.measures, record.state_hash);
        Some(record.timings)
    }

    fn why_over(&self) -> String {
        self.problem.clone().unwrap_or_else(|| "it has no more steps".to_owned())
    }

    fn observe(&mut self) -> Result<(), CompareError> {
        let frame = self.reader.seek(self.step)?;
        for (body, state) in self.bodies.states.iter_mut().enumerate() {
            state.pose = frame.poses[body];
            state.activity = match frame.rests[body] {
                Rest::Awake => Activity::Awake { slow_for: 0.0 },
                Rest::Asleep => Activity::Asleep,
                Rest::Quarantined => Activity::Quarantined,
            };
        }
        Ok(())
    }

    fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn record(&self) -> (StepCounts, Measures) {
        (self.counts, self.measures)
    }

    fn state_hash(&self) -> u64 {
        self.state_hash
    }

    fn unmapped(&self) -> &[String] {
        &self.notes
    }
}
