//! Every choice of a run: kinds, time step, sub-steps, seed, threads. What a scene file writes under
//! `[config]`, what the command line overrides, what a recording stores.

use serde::{Deserialize, Serialize};

use crate::articulation::{LinkTreeKind, SkinKind};
use crate::broad::BroadPhaseKind;
use crate::plan::TreePlan;
use crate::tree::SplitRule;

/// Longer steps, s, and more sub-steps, are mistakes in units.
const LONGEST_STEP: f64 = 10.0;
const SUBSTEP_LIMIT: u32 = 1000;
/// Worker threads; as many cores as a large machine has. Each takes a stack and buffers.
pub const THREAD_LIMIT: u32 = 256;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Seconds a step advances; 1/60 unless the scene is small or fast.
    pub dt: f64,
    /// Solver sub-steps in a step. More hold higher stacks and larger mass ratios.
    pub substeps: u32,
    pub tree: TreePlan,
    /// How the tree's builder divides triangles.
    pub split: SplitRule,
    pub broad: BroadPhaseKind,
    pub links: LinkTreeKind,
    pub skins: SkinKind,
    /// Threads that a step may use; 0 takes one per core, and more than that only cost time. The motion does
    /// not depend on it.
    pub threads: u32,
    /// Seeds everything random (placement of copies).
    pub seed: u64,
    /// Whether bodies at rest fall asleep.
    pub sleep: bool,
    /// How much a frame may do to find contacts; nothing is left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

/// A limit on what the stages *test* and *query* of a step do. Kept in node tests, so that a run can be
/// repeated; a limit in time is converted before the first step, by a rate measured on the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Microseconds a step.
    pub us: Option<u64>,
    /// Node tests a step, candidate triangle pairs counted as some; stands before `us`.
    pub tests: Option<u64>,
    /// One in so many pairs that were not searched is asked exactly afterwards, outside the stages; 0: none.
    pub sample: u32,
}

impl Config {
    /// Whether a world can be stepped by it; if not, what is wrong.
    pub fn check(&self) -> Result<(), String> {
        // A time step that is no number fails every comparison.
        if !(self.dt > 0.0 && self.dt <= LONGEST_STEP) {
            return Err(format!("dt must be above 0 s and at most {LONGEST_STEP} s"));
        }
        if !(1..=SUBSTEP_LIMIT).contains(&self.substeps) {
            return Err(format!("substeps must be from 1 to {SUBSTEP_LIMIT}"));
        }
        if self.threads > THREAD_LIMIT {
            return Err(format!("threads must be at most {THREAD_LIMIT}"));
        }
        if self.budget.is_some_and(|b| b.us.is_none() && b.tests.is_none()) {
            return Err("budget needs us or tests".to_owned());
        }
        Ok(())
    }

    /// Another budget in place of the scene's, whose sample stays.
    pub fn limit(&mut self, budget: Budget) {
        let sample = self.budget.unwrap_or_default().sample;
        self.budget = Some(Budget { sample, ..budget });
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { us: None, tests: None, sample: 16 }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            dt: 1.0 / 60.0,
            substeps: 4,
            tree: TreePlan::default(),
            split: SplitRule::default(),
            broad: BroadPhaseKind::default(),
            links: LinkTreeKind::default(),
            skins: SkinKind::default(),
            threads: 0,
            seed: 1,
            sleep: true,
            budget: None,
        }
    }
}
