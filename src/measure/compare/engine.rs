//! Interface of a comparison to an engine. An engine steps, and reports the bodies' poses and the times
//! of the step. This program's world, a recording, and rapier implement it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::error::CompareError;
use crate::body::{Bodies, state_hash};
use crate::scene::Scene;
use crate::timing::Timings;
use crate::world::{Measures, StepCounts, World, WorldError};

/// Engine that moves the bodies of a scene step by step.
pub trait Engine {
    /// Takes a step of the scene's length, and returns the times of its stages. Returns `None` if there
    /// are no more steps, or if the engine was stopped or failed.
    fn step(&mut self) -> Option<Timings>;

    /// Updates [`Engine::bodies`] to the state after the last step. The time of this call is not
    /// measured.
    fn observe(&mut self) -> Result<(), CompareError>;

    /// Returns the bodies of the scene, by index, as of the last call of `observe`.
    fn bodies(&self) -> &Bodies;

    /// Returns counts and measures of the last step as recordings store them, as of the last call of
    /// `observe`. Counts that the engine does not have are 0.
    fn record(&self) -> (StepCounts, Measures);

    /// Returns whether the engine has the count `name` of [`COUNT_NAMES`].
    fn is_counted(&self, name: &str) -> bool {
        COUNT_NAMES.contains(&name)
    }

    /// Returns a hash of the state of all bodies, as of the last call of `observe`.
    fn state_hash(&self) -> u64 {
        state_hash(self.bodies())
    }

    /// Returns the other body of the deepest contact of a body in the last step, if the engine reports
    /// contacts.
    fn touched(&self, _body: u32) -> Option<u32> {
        None
    }

    /// Returns the reason why [`Engine::step`] took no step.
    fn why_over(&self) -> String {
        "it has no more steps".to_owned()
    }

    /// Returns the names of the scene's features that the engine does not support.
    fn unmapped(&self) -> &[String] {
        &[]
    }
}

/// Names of the counts of a step.
pub const COUNT_NAMES: [&str; 7] =
    ["passes", "pairs", "node tests", "candidates", "false alarms", "contacts", "awake bodies"];

/// Returns the counts in the order of [`COUNT_NAMES`].
pub fn counted(counts: &StepCounts) -> [u64; COUNT_NAMES.len()] {
    let StepCounts { passes, pairs, node_tests, candidates, false_alarms, contacts, awake_bodies, .. } =
        *counts;
    [passes, pairs, node_tests, candidates, false_alarms, contacts, awake_bodies]
}

/// World of this program as an engine.
pub struct Own {
    world: World,
}

impl Own {
    /// Creates the world of a scene. A step ends early once `stop` is set.
    pub fn new(scene: &Scene, stop: &Arc<AtomicBool>) -> Result<Self, WorldError> {
        let mut world = World::new(scene)?;
        world.stop_on(stop);
        Ok(Self { world })
    }
}

impl Engine for Own {
    /// Takes a step. Time of a step outside its stages counts as `update`, as for other engines.
    fn step(&mut self) -> Option<Timings> {
        let start = Instant::now();
        let mut timings = self.world.try_step()?;
        timings.update += start.elapsed().saturating_sub(timings.total());
        Some(timings)
    }

    fn why_over(&self) -> String {
        "it was stopped".to_owned()
    }

    fn observe(&mut self) -> Result<(), CompareError> {
        Ok(())
    }

    fn bodies(&self) -> &Bodies {
        self.world.bodies()
    }

    fn record(&self) -> (StepCounts, Measures) {
        (self.world.counts(), self.world.measures())
    }

    fn touched(&self, body: u32) -> Option<u32> {
        let own = self.world.pairs().iter().filter(|pair| pair.a == body || pair.b == body);
        let touching = own.filter(|pair| !pair.contacts.is_empty());
        let deepest = touching.max_by(|p, q| p.overlap().total_cmp(&q.overlap()))?;
        Some(if deepest.a == body { deepest.b } else { deepest.a })
    }
}
