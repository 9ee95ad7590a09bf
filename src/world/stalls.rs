//! Drives at their limit: those that pushed with all that they may, and for how long.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::World;
use crate::body::Joint;

/// A drive that pushed with all that it may, along or about one axis of a joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stall {
    /// Index of the joint, and its axis: 0–2 along, 3–5 about those of its frame a.
    pub joint: u32,
    pub axis: u32,
    pub name: String,
    /// The largest force, N, or torque, N·m.
    pub limit: f64,
    pub first_step: u32,
    pub last_step: u32,
    /// The number of steps at whose end it did.
    pub step_count: u32,
}

/// The stalls of a run.
#[derive(Default)]
pub(super) struct Stalls {
    list: Vec<Stall>,
    /// By joint and axis, the index of its stall.
    of: FxHashMap<(u32, u32), usize>,
}

impl Stalls {
    fn note(&mut self, (joint, axis): (u32, u32), step: u32, joints: &[Joint]) {
        let list = &mut self.list;
        let at = *self.of.entry((joint, axis)).or_insert_with(|| {
            let of = &joints[joint as usize];
            let limit = of.axis(axis).drive.map_or(0.0, |drive| drive.max_force);
            let name = of.name.clone();
            list.push(Stall { joint, axis, name, limit, first_step: step, last_step: step, step_count: 0 });
            list.len() - 1
        });
        list[at].step_count += 1;
        list[at].last_step = step;
    }
}

impl World {
    /// Returns the drives of single axes that were at their limit so far, in the order in which they came to
    /// it.
    pub fn stalls(&self) -> &[Stall] {
        &self.stalls.list
    }

    /// Notes the drives that are at their limit at the end of a step.
    pub(super) fn note_stalls(&mut self) {
        let step = self.step_index + 1;
        for drive in self.solver.drives_at_limit(&self.joints) {
            self.stalls.note(drive, step, &self.joints);
        }
    }
}
