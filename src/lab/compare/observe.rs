//! The run that is looked at and not timed: all contenders step together, and after every step their bodies
//! are compared with those of the first. It also warms what the timed runs use.

use glam::DVec3;

use super::displacement::{displacement, sizes};
use super::engine::{COUNT_NAMES, Engine, counted};
use super::error::CompareError;
use super::overlap::OverlapMeter;
use super::result::{ContenderResult, Deepest, Ended, Loss, Lost, Parting};
use crate::body::{Activity, Bodies, Motion};
use crate::pose::Pose;
use crate::record::{EndReason, RunWriter};
use crate::scene::Scene;
use crate::timing::Timings;
use crate::volume::Aabb;

/// Faster than this a body moves, m/s: where tumble lets bodies fall asleep.
const MOVING: f64 = 0.02;
/// Share of its size by which a body must be elsewhere to have parted.
const PARTED: f64 = 0.01;
/// How often the deviation of every body is kept.
const TRACKED: u32 = 100;
/// The share of the steps at the end over which shivering is measured.
const TAIL: u32 = 10;

/// What is kept of a contender while it is observed.
pub struct Observed {
    pub engine: Box<dyn Engine>,
    pub result: ContenderResult,
    /// What its steps took while it was observed.
    pub run: Vec<Timings>,
    notes: Vec<String>,
    recorder: Option<RunWriter>,
    before: Vec<Pose>,
    is_lost: Vec<bool>,
    /// By body, how far it is from that of the first contender, m, after the steps that are tracked.
    tracks: Vec<Vec<f32>>,
    /// The last step in which something moved, and the sum of mean speeds at the end.
    last_moving: u32,
    tail: (f64, u32),
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
        let before: Vec<Pose> = engine.bodies().states.iter().map(|s| s.pose).collect();
        let count = before.len();
        Ok(Self {
            engine,
            result,
            run: Vec::new(),
            notes: Vec::new(),
            recorder,
            before,
            is_lost: vec![false; count],
            tracks: vec![Vec::new(); count],
            last_moving: 0,
            tail: (0.0, 0),
        })
    }

    fn is_there(&self) -> bool {
        self.result.ended.is_none()
    }

    /// Takes no further step.
    fn end(&mut self, reason: String) {
        self.result.ended = Some(Ended { step: self.run.len() as u32, reason });
    }

    /// Takes a step; what goes wrong ends it. Whether it was taken.
    fn step(&mut self, scene: &Scene) -> bool {
        let Some(timings) = self.engine.step() else {
            self.end("it has no more steps".to_owned());
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
            if self.engine.counts(name) {
                self.result.counts.entry(name.to_owned()).or_default().push(count);
            }
        }
        self.result.energy.push(measures.energy.clamp(-f64::MAX, f64::MAX));
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = recorder.append(self.engine.bodies(), &timings, &counts, &measures)
        {
            self.notes.push(format!("the recording ends early: {error}"));
            self.recorder = None;
        }
        true
    }

    /// Closes the recording and lets go of the engine.
    pub fn finish(mut self, scene: &Scene, reason: EndReason) -> Seen {
        if let Some(Err(error)) = self.recorder.take().map(|recorder| recorder.finish(reason)) {
            self.notes.push(format!("the recording has no end: {error}"));
        }
        for (def, track) in scene.bodies.iter().zip(self.tracks) {
            if def.motion != Motion::Static && !track.is_empty() {
                self.result.deviation.bodies.insert(def.name.clone(), track);
            }
        }
        Seen { result: self.result, run: self.run, notes: self.notes }
    }
}

/// What is left of a contender that was observed.
pub struct Seen {
    pub result: ContenderResult,
    /// What its steps took.
    pub run: Vec<Timings>,
    /// What went wrong beside the motion.
    pub notes: Vec<String>,
}

/// Steps all contenders together and fills their results with all but times.
pub struct Observer<'a> {
    scene: &'a Scene,
    steps: u32,
    meter: OverlapMeter,
    /// Against gravity, and the height below which a body has fallen, m.
    floor: Option<(DVec3, f64)>,
    /// Half the diagonal of a body's bounds, m.
    sizes: Vec<f64>,
}

impl<'a> Observer<'a> {
    pub fn new(scene: &'a Scene, steps: u32) -> Self {
        Self { scene, steps, meter: OverlapMeter::new(scene), floor: floor(scene), sizes: sizes(scene) }
    }

    /// Measures the overlap of every contender where it is now.
    pub fn sample(&mut self, step: u32, all: &mut [Observed]) {
        for one in all.iter_mut().filter(|one| one.is_there()) {
            let deepest = self.meter.deepest(self.scene, one.engine.bodies());
            let depth = deepest.map_or(0.0, |d| d.depth);
            one.result.overlap.push(depth);
            if let Some(overlap) =
                deepest.filter(|d| d.depth > one.result.deepest.as_ref().map_or(0.0, |d| d.depth))
            {
                let bodies = overlap.bodies.map(|b| self.scene.bodies[b as usize].name.clone());
                one.result.deepest = Some(Deepest { step, bodies, depth });
            }
        }
    }

    /// Takes a step (from 1) with every contender that has one; whether there was any.
    pub fn step(&mut self, step: u32, all: &mut [Observed]) -> bool {
        let is_any = all.iter().any(Observed::is_there);
        for one in all.iter_mut().filter(|one| one.is_there()) {
            if one.step(self.scene) {
                self.note(step, one);
            }
        }
        let (first, others) = all.split_at_mut(1);
        let Some(first) = first.first().filter(|first| first.is_there()) else { return is_any };
        for other in others.iter_mut().filter(|one| one.is_there()) {
            self.compare(step, first.engine.bodies(), other);
        }
        is_any
    }

    /// How a contender's bodies moved in a step, and which are lost.
    fn note(&self, step: u32, one: &mut Observed) {
        let bodies = one.engine.bodies();
        let dt = self.scene.config.dt;
        let (mut fastest, mut sum, mut count) = (0.0_f64, 0.0, 0_u32);
        for (index, (state, before)) in bodies.states.iter().zip(&one.before).enumerate() {
            if !state.is_dynamic() {
                continue;
            }
            let speed = displacement(&state.pose, before, state.center, self.sizes[index]) / dt;
            (fastest, sum, count) = (fastest.max(speed), sum + speed, count + 1);
            let lost = if state.activity == Activity::Quarantined {
                Some(Loss::NotFinite)
            } else {
                let is_low = self.floor.is_some_and(|(up, low)| up.dot(state.world_center()) < low);
                is_low.then_some(Loss::Fell)
            };
            let name = &self.scene.bodies[index].name;
            match (lost, one.is_lost[index]) {
                (Some(how), false) => one.result.lost.push(Lost { body: name.clone(), step, how }),
                // It was held after all.
                (None, true) => one.result.lost.retain(|lost| lost.body != *name),
                _ => continue,
            }
            one.is_lost[index] = lost.is_some();
        }
        if fastest > MOVING {
            one.last_moving = step;
        }
        if step > self.steps - self.steps.div_ceil(TAIL) {
            one.tail = (one.tail.0 + sum / f64::from(count.max(1)), one.tail.1 + 1);
        }
        one.before.clear();
        one.before.extend(bodies.states.iter().map(|s| s.pose));
        one.result.state_hash = format!("{:016x}", one.engine.state_hash());
        one.result.rest.since = (one.last_moving < step).then_some(one.last_moving);
        one.result.rest.shiver = one.tail.0 / f64::from(one.tail.1.max(1));
    }

    /// Whether the deviation of every body is kept after a step.
    pub fn is_tracked(&self, step: u32) -> bool {
        step.is_multiple_of(self.steps.div_ceil(TRACKED).max(1)) || step == self.steps
    }

    /// How far a contender's bodies are from those of the first.
    fn compare(&self, step: u32, first: &Bodies, other: &mut Observed) {
        let bodies = other.engine.bodies();
        let mut all = Vec::with_capacity(bodies.states.len());
        let mut different: Option<(usize, f64)> = None;
        let mut parted = different;
        for (index, (own, its)) in bodies.states.iter().zip(&first.states).enumerate() {
            let distance =
                displacement(&own.pose, &its.pose, own.center, self.sizes[index]).min(f64::from(f32::MAX));
            all.push(distance);
            if own.pose != its.pose && different.is_none_or(|(_, most)| distance > most) {
                different = Some((index, distance));
            }
            if distance > PARTED * self.sizes[index] && parted.is_none_or(|(_, most)| distance > most) {
                parted = Some((index, distance));
            }
        }
        let name = |body: u32| self.scene.bodies[body as usize].name.clone();
        let parting = |(body, distance): (usize, f64)| Parting {
            step,
            body: name(body as u32),
            touching: other.engine.touched(body as u32).map(name),
            distance,
        };
        if other.result.first_difference.is_none() {
            other.result.first_difference = different.map(parting);
        }
        if other.result.parting.is_none() {
            other.result.parting = parted.map(parting);
        }
        if self.is_tracked(step) {
            for (track, &distance) in other.tracks.iter_mut().zip(&all) {
                track.push(distance as f32);
            }
        }
        let deviation = &mut other.result.deviation;
        deviation.farthest.push(all.iter().copied().fold(0.0, f64::max));
        let middle = all.len() / 2;
        let middle = if all.is_empty() { 0.0 } else { *all.select_nth_unstable_by(middle, f64::total_cmp).1 };
        deviation.middle.push(middle);
    }
}

/// The height, against gravity, that nothing can be below: the lowest corner of the scene, less as much as
/// what moves is long.
fn floor(scene: &Scene) -> Option<(DVec3, f64)> {
    let up = (-scene.gravity).try_normalize()?;
    let (mut all, mut moving) = (Aabb::EMPTY, Aabb::EMPTY);
    for body in &scene.bodies {
        let Some(mesh) = body.mesh else { continue };
        let bounds = scene.meshes[mesh as usize].bounds().transformed(&body.pose);
        all = all.union(&bounds);
        moving = if body.motion == Motion::Dynamic { moving.union(&bounds) } else { moving };
    }
    if moving.is_empty() {
        return None;
    }
    let [low, high] = [all.min, all.max].map(|corner| corner.as_dvec3() * up);
    Some((up, low.min(high).element_sum() - f64::from(moving.diagonal())))
}
