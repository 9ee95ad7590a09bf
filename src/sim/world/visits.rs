//! Visits of bodies to triggers, with the steps of entry and exit.
//!
//! A body is inside a trigger while its surface intersects that of the trigger, or while its first core
//! (a point of its material) lies in the trigger's solid. A trigger with an open surface has no solid.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::World;
use crate::body::Bodies;
use crate::contact::PairContacts;
use crate::query::is_inside;
use crate::tree::SegmentStack;

/// One visit of a body to a trigger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// Body indices.
    pub trigger: u32,
    pub body: u32,
    pub trigger_name: String,
    pub body_name: String,
    /// First step at whose end the body was inside.
    pub entered: u32,
    /// First later step at whose end the body was no longer inside; `None` while it is inside.
    pub left: Option<u32>,
}

/// Visits of a run.
#[derive(Default)]
pub(super) struct Visits {
    list: Vec<Visit>,
    /// Open visits, by trigger and body: the index of the visit in the list, and the last step at whose
    /// end the body was inside.
    open: FxHashMap<(u32, u32), (usize, u32)>,
    stack: SegmentStack,
}

impl Visits {
    fn see(&mut self, (trigger, body): (u32, u32), step: u32, bodies: &Bodies) {
        let list = &mut self.list;
        let open = self.open.entry((trigger, body)).or_insert_with(|| {
            let [trigger_name, body_name] = [trigger, body].map(|b| bodies.infos[b as usize].name.clone());
            list.push(Visit { trigger, body, trigger_name, body_name, entered: step, left: None });
            (list.len() - 1, step)
        });
        open.1 = step;
    }

    /// Ends the visits of bodies that were not inside at the end of `step`.
    fn end(&mut self, step: u32) {
        let list = &mut self.list;
        self.open.retain(|_, (visit, seen)| {
            if *seen != step {
                list[*visit].left = Some(step);
            }
            *seen == step
        });
    }
}

impl World {
    /// Returns the visits of bodies to triggers so far, in the order in which they began.
    pub fn visits(&self) -> &[Visit] {
        &self.visits.list
    }

    /// Records the bodies that are inside triggers at the end of a step.
    pub(super) fn note_visits(&mut self) {
        let step = self.step_index + 1;
        let mut visits = std::mem::take(&mut self.visits);
        for pair in &self.pairs.active {
            let Some(two) = self.pairs.pairing.trigger_and_body(pair.a, pair.b) else { continue };
            let stays = self.is_at_rest(pair) && visits.open.contains_key(&two);
            if stays || pair.judged.is_intersecting || self.is_within(pair, two, &mut visits.stack) {
                visits.see(two, step, &self.bodies);
            }
        }
        visits.end(step);
        self.visits = visits;
    }

    /// Returns whether the body's first core lies in the solid of the trigger.
    fn is_within(&self, pair: &PairContacts, (trigger, body): (u32, u32), stack: &mut SegmentStack) -> bool {
        let Some(core) = self.watch.cores[body as usize].first() else { return false };
        let Some(mesh) = self.bodies.infos[trigger as usize].mesh else { return false };
        let [own, other] = [body, trigger].map(|b| &self.bodies.states[b as usize].pose);
        let point = other.inverse_transform_point(own.transform_point(core.point));
        let (tree, mesh) = (&self.trees[mesh as usize], &self.meshes[mesh as usize]);
        is_inside(tree, mesh, point, pair.settings.slop, stack)
    }
}
