//! Contacts under a budget: a limited number of node tests per step, spent on the pairs that need them
//! most. After the time-critical query of \[adb\] §3.
//!
//! A pass updates the pairs that need no search, ranks the others, divides its part of the budget among
//! them and searches. A search may take several passes and then finds its contacts in parts. Pairs left
//! unsearched are held or guessed; a sample of them is tested exactly outside the timed stages, and
//! they are reported by name. A budget in time is converted into node tests before the first step.
//!
//! - `check.rs`: reliability of guesses, from the sample that was tested exactly.
//! - `cost.rs`: costs of other work, in node tests.
//! - `estimate.rs`: probability that two surfaces intersect, and where.
//! - `guess.rs`: pairs left unsearched: their contacts recycled or guessed.
//! - `pass.rs`: a pass of *test*: which pairs are up to date, searched or held.
//! - `query.rs`: *query* of a search in parts: its contacts part by part.
//! - `rate.rs`: from a budget in time to one in node tests.
//! - `sample.rs`: tests a sample of the unsearched pairs exactly.
//! - `schedule.rs`: which pairs are searched in a pass, and how long each.
//! - `search.rs`: searches that may continue in the next pass.
//! - `slots.rs`: storage for the traversals of searches in parts.
//! - `state.rs`: state of a pair's search, kept beside its contacts.
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

/// Divisor of the budget: until this share of it is spent, pairs are tested whether they can meet.
const PLANNING: u64 = 8;
/// Divisor of the budget: all passes of a step together may spend this share on looking at pairs before
/// searches.
const OVERHEADS: u64 = 4;

/// State of a budget, kept by its world beside the pairs.
pub(super) struct BudgetState {
    /// Node tests per step.
    budget: u64,
    /// Passes of the step that have not begun, including the present one.
    passes_left: u32,
    /// Passes of the step that have begun, and the number that the step can afford.
    begun: u32,
    affordable: u32,
    /// Whether the last pass could not search all pairs that needed it.
    is_short: bool,
    /// Node tests that the last pass cost before its first search.
    overhead: u64,
    /// Node tests of the step up to the end of the last pass.
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

    /// Returns whether enough of the budget is left to test which pairs can meet, which may save
    /// passes.
    pub fn may_plan(&self, counts: &StepCounts) -> bool {
        Self::used(counts) < self.budget / PLANNING
    }

    /// Begins a step. Returns the number of passes that it can afford of those `wanted`, if at most a
    /// quarter of the budget is to be spent on looking at pairs.
    pub fn begin_step(&mut self, wanted: u32) -> u32 {
        let affordable = self.budget / (OVERHEADS * self.overhead).max(1);
        self.affordable = affordable.clamp(1, u64::from(u32::MAX)) as u32;
        (self.begun, self.spent) = (0, 0);
        self.plan(wanted)
    }

    /// Returns the number of passes that the rest of the step can afford of those `wanted`.
    pub fn plan(&mut self, wanted: u32) -> u32 {
        self.passes_left = wanted.min(self.affordable.saturating_sub(self.begun)).max(1);
        self.passes_left
    }

    /// Returns whether the last pass searched all pairs that needed it, and the step can afford more
    /// passes than have begun.
    pub fn can_go_on(&self) -> bool {
        !self.is_short && self.begun < self.affordable
    }

    /// Follows the table of near pairs, once it is made.
    pub fn follow(&mut self, pairs: &[PairContacts]) {
        self.states.follow(pairs.iter().map(|pair| (pair.a, pair.b)));
    }

    /// Returns how certain the result of each near pair is, in the order of the pairs.
    pub fn certainties(&self) -> impl Iterator<Item = Certainty> {
        self.states.active.iter().map(|state| state.certainty)
    }

    /// Returns whether each near pair's search continues in the next pass.
    pub fn open_searches(&self) -> impl Iterator<Item = bool> {
        self.states.active.iter().map(|state| state.search.is_open)
    }

    /// Returns for each near pair how far its contacts support a body that rests on them.
    pub fn supports(&mut self, pairs: &[PairContacts]) -> &[Support] {
        self.supports.clear();
        self.supports.extend(self.states.active.iter().zip(pairs).map(|(state, pair)| Support {
            is_guess: !state.is_proven() && pair.contacts.iter().any(|c| c.normal_impulse > 0.0),
            is_lost: state.has_lost_support,
        }));
        &self.supports
    }

    /// Ends a step: counts the pairs that it left unsearched, except those at rest.
    pub fn take_stock(&mut self, step: u32, are_awake: impl Iterator<Item = bool>) {
        let states = self.states.active.iter().zip(are_awake);
        self.tally.add(step, states.filter_map(|(state, is_awake)| is_awake.then_some(state)));
    }

    /// Returns the pairs left unsearched over the run, the most starved first.
    pub fn starved_pairs(&self) -> Vec<StarvedPair> {
        self.tally.ranked()
    }

    /// Returns the node tests of a step or a part of it.
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
