//! Finding contacts under a budget: at most so many node tests a step, spent on the pairs that need them most.
//! After the time-critical query of \[adb\] §3.
//!
//! A pass brings up to date what needs no search (pass.rs), ranks the rest and shares out the pass's part of
//! the budget (schedule.rs) and searches (search.rs), which may take several passes. What was left unsearched
//! is held or guessed (guess.rs, estimate.rs), sampled against the truth outside the timed stages (sample.rs, check.rs)
//! and reported by name (tally.rs). A budget in time becomes one in node tests before the first step (rate.rs).

mod check;
mod cost;
mod estimate;
mod guess;
mod pass;
mod rate;
mod sample;
mod schedule;
mod search;
mod slots;
mod tally;

pub use check::{Check, ReliabilityBin};
pub(super) use rate::node_tests_within;
pub use tally::StarvedPair;

use super::StepCounts;
use estimate::Estimator;
use schedule::Schedule;
use slots::Slots;
use tally::Tally;

pub(super) use cost::CANDIDATE as CANDIDATE_COST;

/// A pass takes part only if the budget is so many times what looking at its pairs costs.
const OVERHEADS: u64 = 4;

/// What a world with a budget keeps beside its pairs.
pub(super) struct Limited {
    /// Node tests a step.
    budget: u64,
    /// Of the step that have not begun, this one included.
    passes_left: u32,
    /// Node tests that the last pass cost before its first search.
    overhead: u64,
    /// Node tests of the step up to the end of the last pass.
    spent: u64,
    schedule: Schedule,
    slots: Slots,
    estimator: Estimator,
    pub check: Check,
    pub tally: Tally,
}

impl Limited {
    pub fn new(budget: u64, sample: u32, meshes: &[std::sync::Arc<crate::mesh::Mesh>]) -> Self {
        Self {
            budget,
            passes_left: 1,
            overhead: 0,
            spent: 0,
            schedule: Schedule::default(),
            slots: Slots::default(),
            estimator: Estimator::new(meshes),
            check: Check::new(sample),
            tally: Tally::default(),
        }
    }

    /// How many of the passes that a step should take it can afford, if no more than a quarter of the budget
    /// is to go into looking at pairs.
    pub fn begin_step(&mut self, wanted: u32) -> u32 {
        let affordable = self.budget / (OVERHEADS * self.overhead).max(1);
        self.passes_left = u64::from(wanted).min(affordable).max(1) as u32;
        self.spent = 0;
        self.passes_left
    }

    /// Node tests of a step or a part of it.
    pub fn used(counts: &StepCounts) -> u64 {
        let parts = [
            counts.node_tests,
            cost::CANDIDATE.saturating_mul(counts.candidates),
            cost::SEARCH.saturating_mul(counts.searched),
            cost::PAIR.saturating_mul(counts.pairs),
            cost::HELD.saturating_mul(counts.held),
        ];
        parts.into_iter().fold(0, u64::saturating_add)
    }
}
