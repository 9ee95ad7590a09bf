//! What a comparison asks of an engine: to step, to say where its bodies are and what the step took. Tumble
//! itself, a recording of a run, and rapier stand behind it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::error::CompareError;
use crate::body::{Bodies, state_hash};
use crate::scene::Scene;
use crate::timing::Timings;
use crate::world::{Measures, StepCounts, World, WorldError};

/// Bodies of a scene that something moves, one step after the other.
pub trait Engine {
    /// Takes a step of the scene's length and says what its stages took; `None` if there are no more, or if
    /// it was stopped.
    fn step(&mut self) -> Option<Timings>;

    /// Brings [`Engine::bodies`] to where the last step left them. What it takes is nobody's time.
    fn observe(&mut self) -> Result<(), CompareError>;

    /// The bodies of the scene, by the same index, as of the last observation.
    fn bodies(&self) -> &Bodies;

    /// What the last step did and left behind, as recordings keep it, as of the last observation. What the
    /// engine does not count is 0.
    fn record(&self) -> (StepCounts, Measures);

    /// Whether it counts something of [`COUNT_NAMES`].
    fn is_counted(&self, name: &str) -> bool {
        COUNT_NAMES.contains(&name)
    }

    /// One number for the state of all bodies, as of the last observation.
    fn state_hash(&self) -> u64 {
        state_hash(self.bodies())
    }

    /// The other body of the deepest contact that the last step had with a body, if the engine says so.
    fn touched(&self, _body: u32) -> Option<u32> {
        None
    }

    /// Why [`Engine::step`] took none.
    fn why_over(&self) -> String {
        "it has no more steps".to_owned()
    }

    /// What the scene has and the engine does not, by name.
    fn unmapped(&self) -> &[String] {
        &[]
    }
}

/// What is counted of a step.
pub const COUNT_NAMES: [&str; 7] =
    ["passes", "pairs", "node tests", "candidates", "false alarms", "contacts", "awake bodies"];

/// By [`COUNT_NAMES`].
pub fn counted(counts: &StepCounts) -> [u64; COUNT_NAMES.len()] {
    let StepCounts { passes, pairs, node_tests, candidates, false_alarms, contacts, awake_bodies, .. } =
        *counts;
    [passes, pairs, node_tests, candidates, false_alarms, contacts, awake_bodies]
}

/// A world of the program itself.
pub struct Own {
    world: World,
}

impl Own {
    /// A step ends early once `stop` is set.
    pub fn new(scene: &Scene, stop: &Arc<AtomicBool>) -> Result<Self, WorldError> {
        let mut world = World::new(scene)?;
        world.stop_on(stop);
        Ok(Self { world })
    }
}

impl Engine for Own {
    /// What a step does beside its stages counts as `update`, as it does for other engines.
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
