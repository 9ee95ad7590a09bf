//! Contacts under a budget: a limited number of node tests per step, spent on the most urgent pairs.
//! After the time-critical query of \[adb\] §3.
//!
//! A pass updates the pairs that need no search, ranks the remaining pairs, divides its part of the
//! budget among them and searches. A search may take several passes and then finds its contacts in
//! parts. A pair left unsearched is held: its contacts are kept or guessed. A sample of the held pairs
//! is tested exactly outside the timed stages, and they are reported by name. A budget in time is
//! converted into node tests before the first step.
//!
//! - `check.rs`: reliability of guesses, from a sample that was tested exactly.
//! - `cost.rs`: costs of other work, in node tests.
//! - `estimate.rs`: probability that two surfaces intersect, and the likely regions.
//! - `guess.rs`: pairs left unsearched: their contacts recycled or guessed.
//! - `pass.rs`: a pass of *test*: updates, searches or holds each pair.
//! - `query.rs`: *query* of a search in parts: its contacts, part by part.
//! - `rate.rs`: conversion of a budget in time into node tests.
//! - `sample.rs`: exact tests of a sample of the unsearched pairs.
//! - `schedule.rs`: order and allowances of the searches of a pass.
//! - `search.rs`: searches that may continue in the next pass.
//! - `slots.rs`: storage for the traversals of searches in parts.
//! - `state.rs`: state of a pair's search, kept beside its contacts.
//! - `tally.rs`: pairs left unsearched over a run, with their waiting times.

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

/// Divisor of the budget: the number of passes is planned with tests of near pairs only until this part
/// of the budget is spent.
const PLANNING: u64 = 8;
/// Divisor of the budget: all passes of a step together may spend this part on work before their
/// searches.
const OVERHEADS: u64 = 4;

/// State of a budget, kept by its world in addition to the pairs.
pub(super) struct BudgetState {
    /// Node tests per step.
    budget: u64,
    /// Number of passes of the step that have not begun.
    passes_left: u32,
    /// Number of passes of the step that have begun.
    begun: u32,
    /// Number of passes that the step can afford.
    affordable: u32,
    /// True if the last pass could not search all pairs that needed it.
    is_short: bool,
    /// Node tests that the last pass spent before its first search.
    overhead: u64,
    /// Node tests spent in the step up to the end of the last pass.
    spent: u64,
    /// State of each near pair's search.
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

    /// Returns whether enough of the budget is left to test which pairs can meet. Such tests may reduce
    /// the number of passes.
    pub fn may_plan(&self, counts: &StepCounts) -> bool {
        Self::used(counts) < self.budget / PLANNING
    }

    /// Begins a step. Returns the number of passes, at most `wanted`, with which at most a quarter of
    /// the budget is spent on work before searches.
    pub fn begin_step(&mut self, wanted: u32) -> u32 {
        let affordable = self.budget / (OVERHEADS * self.overhead).max(1);
        self.affordable = affordable.clamp(1, u64::from(u32::MAX)) as u32;
        (self.begun, self.spent) = (0, 0);
        self.plan(wanted)
    }

    /// Returns the number of passes, at most `wanted`, that the rest of the step can afford.
    pub fn plan(&mut self, wanted: u32) -> u32 {
        self.passes_left = wanted.min(self.affordable.saturating_sub(self.begun)).max(1);
        self.passes_left
    }

    /// Returns whether the last pass searched all pairs that needed it, and the step can afford more
    /// passes than have begun.
    pub fn can_go_on(&self) -> bool {
        !self.is_short && self.begun < self.affordable
    }

    /// Makes the search states correspond to the table of near pairs.
    pub fn follow(&mut self, pairs: &[PairContacts]) {
        self.states.follow(pairs.iter().map(|pair| (pair.a, pair.b)));
    }

    /// Returns the certainty of the result of each near pair, in the order of the pairs.
    pub fn certainties(&self) -> impl Iterator<Item = Certainty> {
        self.states.active.iter().map(|state| state.certainty)
    }

    /// Returns for each near pair whether its search continues in the next pass.
    pub fn open_searches(&self) -> impl Iterator<Item = bool> {
        self.states.active.iter().map(|state| state.search.is_open)
    }

    /// Returns for each near pair the support that its contacts give to a body that rests on them.
    pub fn supports(&mut self, pairs: &[PairContacts]) -> &[Support] {
        self.supports.clear();
        self.supports.extend(self.states.active.iter().zip(pairs).map(|(state, pair)| Support {
            is_guess: !state.is_proven() && pair.contacts.iter().any(|c| c.normal_impulse > 0.0),
            is_lost: state.has_lost_support,
        }));
        &self.supports
    }

    /// Ends a step: counts the pairs that it left unsearched. `are_awake`: whether each near pair is
    /// not at rest.
    pub fn take_stock(&mut self, step: u32, are_awake: impl Iterator<Item = bool>) {
        let states = self.states.active.iter().zip(are_awake);
        self.tally.add(step, states.filter_map(|(state, is_awake)| is_awake.then_some(state)));
    }

    /// Returns the pairs left unsearched over the run, the most starved first.
    pub fn starved_pairs(&self) -> Vec<StarvedPair> {
        self.tally.ranked()
    }

    /// Returns the node tests that correspond to the work of a step or of a part of it.
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
