//! State of all bodies after one step, and changes from one step to the next. This part of a world is
//! stored in a recording and restored bit for bit.

use super::format::{KEYFRAME_INTERVAL, Moved, Rest, StepRecord};
use crate::arrays::MapEach;
use crate::body::{Bodies, state_hash, whole_turns};
use crate::pose::Pose;
use crate::scene::Scene;
use crate::timing::Timings;
use crate::world::{Measures, StepCounts};

/// State of all bodies after a step; step 0 is the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub step: u32,
    /// Transforms from body space to world, by body index.
    pub poses: Vec<Pose>,
    pub rests: Vec<Rest>,
    /// Whole turns about x, y and z of frame a, per joint; 0 for an axis whose turns are not counted.
    pub turns: Vec<[i32; 3]>,
    /// Timings of this step alone. Timings and counts are zero at step 0.
    pub timings: Timings,
    pub counts: StepCounts,
    pub measures: Measures,
    /// State hash; `None` at step 0.
    pub state_hash: Option<u64>,
}

impl Frame {
    /// Creates the frame of step 0, the scene itself.
    pub fn start(scene: &Scene) -> Self {
        Self {
            step: 0,
            poses: scene.bodies.iter().map(|b| b.pose).collect(),
            rests: vec![Rest::Awake; scene.bodies.len()],
            turns: turns_at_start(scene),
            timings: Timings::default(),
            counts: StepCounts::default(),
            measures: Measures::default(),
            state_hash: None,
        }
    }

    /// Applies the record of a step. A keyframe applies to any frame; another record, only to the frame
    /// of the previous step. The record's bodies must exist in the scene.
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
        for &(place, turns) in &record.turns {
            self.turns[place as usize / 3][place as usize % 3] = turns;
        }
        self.step = record.step;
        self.timings = record.timings;
        self.counts = record.counts;
        self.measures = record.measures;
        self.state_hash = Some(record.state_hash);
    }
}

fn turns_at_start(scene: &Scene) -> Vec<[i32; 3]> {
    let pose = |body: u32| scene.bodies.get(body as usize).map_or(Pose::IDENTITY, |b| b.pose);
    let angles = scene.joints.iter().map(|joint| joint.angles_at_start([pose(joint.a), pose(joint.b)]));
    angles.map(|angles| angles.map_each(whole_turns)).collect()
}

/// Last recorded state of a world, from which the changes of the next step follow.
pub(super) struct Changes {
    start: Vec<Pose>,
    /// Poses and activities after the last step.
    poses: Vec<Pose>,
    rests: Vec<Rest>,
    turns_at_start: Vec<[i32; 3]>,
    turns: Vec<[i32; 3]>,
}

impl Changes {
    pub fn new(scene: &Scene) -> Self {
        let start: Vec<Pose> = scene.bodies.iter().map(|b| b.pose).collect();
        let turns = turns_at_start(scene);
        let (poses, rests) = (start.clone(), vec![Rest::Awake; start.len()]);
        Self { poses, rests, start, turns: turns.clone(), turns_at_start: turns }
    }

    /// Writes the changes of `step` into `record`, whose buffers are reused. Returns whether the record
    /// is a keyframe, with changes relative to the start. Panics unless the bodies are those of the
    /// scene.
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
        self.take_turns(keyframe, bodies, record);
        record.step = step;
        record.timings = *timings;
        record.counts = *counts;
        record.measures = *measures;
        record.state_hash = state_hash(bodies);
        keyframe
    }

    fn take_turns(&mut self, keyframe: bool, bodies: &Bodies, record: &mut StepRecord) {
        record.turns.clear();
        for ((joint, angles), known) in (0u32..).zip(&bodies.angles).zip(&mut self.turns) {
            let turns = angles.map_each(whole_turns);
            let before = if keyframe { self.turns_at_start[joint as usize] } else { *known };
            let changed = (0..3).filter(|&axis| turns[axis] != before[axis]);
            record.turns.extend(changed.map(|axis| (3 * joint + axis as u32, turns[axis])));
            *known = turns;
        }
    }
}

/// Compares bits, because `==` treats -0.0 as 0.0 and a replay must be exact.
fn same_bits(a: &Pose, b: &Pose) -> bool {
    let bits = |p: &Pose| {
        let (r, t) = (p.rotation, p.position);
        [r.x, r.y, r.z, r.w, t.x, t.y, t.z].map_each(f64::to_bits)
    };
    bits(a) == bits(b)
}
