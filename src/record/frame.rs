//! All bodies after one step, and the changes that lead from one to the next: what a recording writes of a
//! world and what its reader makes of it again, bit for bit.

use super::format::{KEYFRAME_INTERVAL, Moved, Rest, StepRecord};
use crate::arrays::MapEach;
use crate::body::{Bodies, state_hash};
use crate::pose::Pose;
use crate::scene::Scene;
use crate::timing::Timings;
use crate::world::{Measures, StepCounts};

/// All bodies after a step; step 0 is the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub step: u32,
    /// Body space → world, by body index.
    pub poses: Vec<Pose>,
    pub rests: Vec<Rest>,
    /// Timings of this step alone; zero at step 0, as are the counts.
    pub timings: Timings,
    pub counts: StepCounts,
    pub measures: Measures,
    /// `None` at step 0.
    pub state_hash: Option<u64>,
}

impl Frame {
    /// The scene itself.
    pub fn start(scene: &Scene) -> Self {
        Self {
            step: 0,
            poses: scene.bodies.iter().map(|b| b.pose).collect(),
            rests: vec![Rest::Awake; scene.bodies.len()],
            timings: Timings::default(),
            counts: StepCounts::default(),
            measures: Measures::default(),
            state_hash: None,
        }
    }

    /// Goes to the record's step. A keyframe leads there from anywhere, any other record from the step
    /// before. The record's bodies are in the scene.
    pub(super) fn apply(&mut self, scene: &Scene, record: &StepRecord, keyframe: bool) {
        if keyframe {
            *self = Self::start(scene);
        }
        for &Moved { body, pose } in &record.poses {
            self.poses[body as usize] = pose;
        }
        for &(body, rest) in &record.rests {
            self.rests[body as usize] = rest;
        }
        self.step = record.step;
        self.timings = record.timings;
        self.counts = record.counts;
        self.measures = record.measures;
        self.state_hash = Some(record.state_hash);
    }
}

/// Follows a world step by step and finds what changed.
pub(super) struct Changes {
    start: Vec<Pose>,
    /// Poses and activities after the last step.
    poses: Vec<Pose>,
    rests: Vec<Rest>,
}

impl Changes {
    pub fn new(scene: &Scene) -> Self {
        let start: Vec<Pose> = scene.bodies.iter().map(|b| b.pose).collect();
        Self { poses: start.clone(), rests: vec![Rest::Awake; start.len()], start }
    }

    /// Writes into `record` (kept for its buffers) what `step` changed; returns whether it is a keyframe,
    /// whose changes are from the start. Panics unless the bodies are those of the scene.
    pub fn take(
        &mut self,
        step: u32,
        bodies: &Bodies,
        (timings, counts, measures): (&Timings, &StepCounts, &Measures),
        record: &mut StepRecord,
    ) -> bool {
        assert_eq!(bodies.states.len(), self.start.len(), "a run keeps the bodies of its scene");
        let keyframe = (step - 1).is_multiple_of(KEYFRAME_INTERVAL);
        record.poses.clear();
        record.rests.clear();
        for (index, state) in bodies.states.iter().enumerate() {
            let pose = state.pose;
            let rest = Rest::from(state.activity);
            let known = if keyframe { self.start[index] } else { self.poses[index] };
            if !same_bits(&pose, &known) {
                record.poses.push(Moved { body: index as u32, pose });
            }
            let known = if keyframe { Rest::Awake } else { self.rests[index] };
            if rest != known {
                record.rests.push((index as u32, rest));
            }
            self.poses[index] = pose;
            self.rests[index] = rest;
        }
        record.step = step;
        record.timings = *timings;
        record.counts = *counts;
        record.measures = *measures;
        record.state_hash = state_hash(bodies);
        keyframe
    }
}

/// `==` would take -0.0 for 0.0, and what is replayed must be what was.
fn same_bits(a: &Pose, b: &Pose) -> bool {
    let bits = |p: &Pose| {
        let (r, t) = (p.rotation, p.position);
        [r.x, r.y, r.z, r.w, t.x, t.y, t.z].map_each(f64::to_bits)
    };
    bits(a) == bits(b)
}
