//! Finding contacts under a budget: at most so many node tests a step, spent on the pairs that need them
//! most. After the time-critical query of \[adb\] §3.
//!
//! A pass brings up to date what needs no search, ranks the rest, shares out the pass's part of the budget
//! and searches, which may take several passes, so that contacts are found part by part. What was left
//! unsearched is held or guessed, sampled against the truth outside the timed stages and reported by name. A
//! budget in time becomes one in node tests before the first step.
//!
//! - `check.rs`: how reliable guesses are, by the sample that was asked exactly.
//! - `cost.rs`: what everything else costs, in node tests.
//! - `estimate.rs`: how probable it is that two surfaces intersect, and where.
//! - `guess.rs`: pairs left unsearched: their contacts carried along or guessed.
//! - `pass.rs`: a pass of *test*: which pairs are up to date, searched or held.
//! - `query.rs`: *query* of a search in parts: its contacts part by part.
//! - `rate.rs`: from a budget in time to one in node tests.
//! - `sample.rs`: asks a sample of the unsearched pairs exactly.
//! - `schedule.rs`: which pairs are searched in a pass, and how long each.
//! - `search.rs`: searches that may go on in the next pass.
//! - `slots.rs`: where the traversals of searches in parts are kept.
//! - `state.rs`: what a budget knows of a pair beside its contacts.
//! - `tally.rs`: which pairs were left unsearched over a run, and for how long.

mod check;
mod cost;
mod estimate;
mod guess;
mod pass;
mod query;
mod rate;
mod sample;
mod schedule;
mod search;
mod slots;
mod state;
mod tally;

pub use check::{Check, ReliabilityBin};
pub(super) use rate::node_tests_within;
pub use state::Certainty;
pub use tally::StarvedPair;

use super::StepCounts;
use crate::contact::PairContacts;
use crate::solver::Support;
use estimate::PairEstimator;
use schedule::Schedule;
use slots::Slots;
use state::SearchStates;
use tally::Tally;

pub(super) use cost::CANDIDATE as CANDIDATE_COST;

/// The share of the budget, as a divisor, within which pairs are asked whether they can meet.
const PLANNING: u64 = 8;
/// A pass takes part only if the budget is so many times what looking at its pairs costs.
const OVERHEADS: u64 = 4;

/// What a world with a budget keeps beside its pairs.
pub(super) struct BudgetState {
    /// Node tests a step.
    budget: u64,
    /// Passes of the step that have not begun, this one included.
    passes_left: u32,
    /// Passes of the step that have begun, and how many it can afford.
    begun: u32,
    affordable: u32,
    /// Whether the last pass could not search all that it should have.
    is_short: bool,
    /// Node tests that the last pass cost before its first search.
    overhead: u64,
    /// Node tests of the step up to the end of the last pass.
    spent: u64,
    /// One a near pair.
    states: SearchStates,
    supports: Vec<Support>,
    schedule: Schedule,
    slots: Slots,
    estimator: PairEstimator,
    pub check: Check,
    tally: Tally,
}

impl BudgetState {
    pub fn new(budget: u64, sample: u32, meshes: &[std::sync::Arc<crate::mesh::Mesh>]) -> Self {
        Self {
            budget,
            passes_left: 1,
            begun: 0,
            affordable: 1,
            is_short: false,
            overhead: 0,
            spent: 0,
            states: SearchStates::default(),
            supports: Vec::new(),
            schedule: Schedule::default(),
            slots: Slots::default(),
            estimator: PairEstimator::new(meshes),
            check: Check::new(sample),
            tally: Tally::default(),
        }
    }

    /// Whether there is enough of the budget left to ask which pairs can meet, which may save passes.
    pub fn may_plan(&self, counts: &StepCounts) -> bool {
        Self::used(counts) < self.budget / PLANNING
    }

    /// How many of the passes that a step should take it can afford, if no more than a quarter of the budget
    /// is to go into looking at pairs.
    pub fn begin_step(&mut self, wanted: u32) -> u32 {
        let affordable = self.budget / (OVERHEADS * self.overhead).max(1);
        self.affordable = affordable.clamp(1, u64::from(u32::MAX)) as u32;
        (self.begun, self.spent) = (0, 0);
        self.plan(wanted)
    }

    /// How many of the passes that the rest of the step should take it can afford.
    pub fn plan(&mut self, wanted: u32) -> u32 {
        self.passes_left = wanted.min(self.affordable.saturating_sub(self.begun)).max(1);
        self.passes_left
    }

    /// Whether all that it should have searched was searched, and it can afford more passes than have begun.
    pub fn can_go_on(&self) -> bool {
        !self.is_short && self.begun < self.affordable
    }

    /// Takes over the table of near pairs, once it is made.
    pub fn follow(&mut self, pairs: &[PairContacts]) {
        self.states.follow(pairs.iter().map(|pair| (pair.a, pair.b)));
    }

    /// Whether what is known of each near pair is so for certain, in the order of the pairs.
    pub fn certainties(&self) -> impl Iterator<Item = Certainty> {
        self.states.active.iter().map(|state| state.certainty)
    }

    /// Whether each near pair's search goes on in the next pass.
    pub fn open_searches(&self) -> impl Iterator<Item = bool> {
        self.states.active.iter().map(|state| state.search.is_open)
    }

    /// How far each near pair's contacts bear what rests on them.
    pub fn supports(&mut self, pairs: &[PairContacts]) -> &[Support] {
        self.supports.clear();
        self.supports.extend(self.states.active.iter().zip(pairs).map(|(state, pair)| Support {
            is_guess: !state.is_proven() && pair.contacts.iter().any(|c| c.normal_impulse > 0.0),
            is_lost: state.has_lost_support,
        }));
        &self.supports
    }

    /// At the end of a step: which pairs it left unsearched. Those at rest need nothing.
    pub fn take_stock(&mut self, step: u32, are_awake: impl Iterator<Item = bool>) {
        let states = self.states.active.iter().zip(are_awake);
        self.tally.add(step, states.filter_map(|(state, is_awake)| is_awake.then_some(state)));
    }

    /// Pairs left unsearched over the run, the most starved first.
    pub fn starved_pairs(&self) -> Vec<StarvedPair> {
        self.tally.ranked()
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
