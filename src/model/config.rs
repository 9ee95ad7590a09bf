//! Settings of a run: kinds, time step, sub-steps, seed, threads. A scene file sets them under
//! `[config]`, the command line overrides them, and a recording stores them.

use serde::{Deserialize, Serialize};

use crate::articulation::{LinkTreeKind, SkinKind};
use crate::broad::BroadPhaseKind;
use crate::plan::TreePlan;
use crate::tree::SplitRule;

/// Longest time step, s: a longer one is a mistake in units.
const LONGEST_STEP: f64 = 10.0;
/// Largest number of sub-steps: more are a mistake in units.
const SUBSTEP_LIMIT: u32 = 1000;
/// Largest number of worker threads: the cores of a large machine. Each takes a stack and buffers.
pub const THREAD_LIMIT: u32 = 256;

/// Settings of the steps of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Time per step, s. The default of 1/60 suits most scenes; a small or fast scene needs a shorter
    /// step.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0), range(max = LONGEST_STEP)))]
    pub dt: f64,
    /// Number of solver sub-steps per step. More sub-steps make higher stacks and larger mass ratios
    /// stable.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = SUBSTEP_LIMIT)))]
    pub substeps: u32,
    /// Hierarchy over each surface. With a suffix, as in `obb+parts`, its top follows the parts of the
    /// surface.
    pub tree: TreePlan,
    /// Rule by which the builder of hierarchies divides triangles.
    pub split: SplitRule,
    /// Broad phase: the method that finds near pairs of parts.
    pub broad: BroadPhaseKind,
    /// Hierarchy over the links of figures and jointed parts.
    pub links: LinkTreeKind,
    /// Surface with which skins collide.
    pub skins: SkinKind,
    /// Number of threads that a step may use; 0 takes one per core. More threads than cores only cost
    /// time. The motion does not depend on the number of threads.
    #[cfg_attr(feature = "schema", schemars(range(max = THREAD_LIMIT)))]
    pub threads: u32,
    /// Seed of everything random: displacement and rotation of copies.
    pub seed: u64,
    /// Whether bodies at rest fall asleep.
    pub sleep: bool,
    /// Limit on the work per step that goes into finding contacts. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

/// Limit on the work of the stages *test* and *query* of a step. The work is counted in node tests, so
/// that a run can be repeated exactly. A limit in time is converted to node tests before the first
/// step, by a rate measured on the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("anyOf" = [{"required": ["us"]}, {"required": ["tests"]}])))]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Time per step, µs.
    pub us: Option<u64>,
    /// Node tests per step; a candidate triangle pair counts as several. Overrides `us`.
    pub tests: Option<u64>,
    /// Interval of the samples: one in `sample` pairs that the budget left out is tested exactly after
    /// the two stages. 0: none.
    pub sample: u32,
}

impl Config {
    /// Returns an error if a setting is outside its limits, or a budget has neither `us` nor `tests`.
    pub fn check(&self) -> Result<(), String> {
        // A NaN time step fails every comparison.
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

    /// Replaces the scene's budget, but keeps its `sample` (or the default without a budget).
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
