//! Searches under a budget. A search whose allowance does not suffice continues in the next pass, as
//! long as its margin covers the motion of the bodies since it began.

use std::sync::PoisonError;

use super::cost;
use super::guess::guess_from;
use super::slots::Slots;
use super::state::{Budgeted, Grant, PartialSearch, Plan, SearchState};
use crate::contact::{Ahead, BodyPair, Depth, Due, PairContacts};
use crate::query::{self, NearQuery};
use crate::tree::{Allowance, Counts, Start};
use crate::world::scratch::Scratch;
use crate::world::{StepCounts, World};

/// Largest number of passes for which a search looks ahead if nothing is near.
const MOST_PATIENCE: f64 = 64.0;
/// Motion, in slops, up to which a search that takes several passes continues.
const SLACK: f64 = 1.0;

impl World {
    /// Returns whether the bodies have moved farther since the pair's search began than the margin of
    /// the search covers.
    pub(super) fn is_outdated(&self, pair: &PairContacts, search: &PartialSearch, dt: f64) -> bool {
        let two = self.two(pair);
        let farther = (pair.speculative(two, Self::moving(dt)) - search.foreseen).max(0.0);
        let covered = pair.motion_since(&search.began_at, two) + farther <= search.slack;
        !covered || self.is_reshaped(pair)
    }

    /// Starts or continues the search of a pair, with at most the node tests of the grant.
    pub(super) fn search_within(
        &self,
        grant: Grant,
        slots: &Slots,
        Budgeted { pair, state }: Budgeted,
        scratch: &mut Scratch,
        dt: f64,
    ) -> StepCounts {
        let Some(surfaces) = self.surfaces(pair) else { return StepCounts::default() };
        let two = self.two(pair);
        let is_first_part = pair.search.due == Due::Nothing;
        let mut counts = Counts::default();
        let start = if state.search.is_open { Start::End } else { Start::Roots };
        if start == Start::Roots {
            let slot = state.search.slot;
            state.search = PartialSearch { slot, began_at: self.b_to_a(pair), ..PartialSearch::default() };
            state.is_bounded = grant.is_short;
            if grant.is_short && self.proves_apart(grant.node_tests, pair, state, scratch, dt, &mut counts) {
                state.charge(counts.node_test_count, 0, true);
                return StepCounts {
                    node_tests: counts.node_test_count,
                    searched: 1,
                    ..StepCounts::default()
                };
            }
            let left = grant.node_tests.saturating_sub(counts.node_test_count);
            self.set_margin(Grant { node_tests: left, ..grant }, pair, state, dt);
            pair.age();
        }
        let search = state.search;
        let mut own;
        let traversal = match search.slot {
            Some(slot) => {
                own = slots.traversals[slot as usize].lock().unwrap_or_else(PoisonError::into_inner);
                &mut *own
            }
            None => &mut scratch.descent,
        };
        let left = grant.node_tests.saturating_sub(counts.node_test_count);
        let allowance = Allowance { node_tests: left, per_candidate: cost::CANDIDATE };
        let before = pair.search.candidates.len();
        let is_whole = query::find_candidates_within(
            &NearQuery { surfaces, b_to_a: &search.began_at, near: pair.search.margin.into() },
            start,
            allowance,
            traversal,
            &mut pair.search.candidates,
            &mut counts,
        );
        pair.search.due = Due::Candidates;
        let found = (pair.search.candidates.len() - before) as u64;
        let drift = pair.drift(two);
        state.search.candidate_count += found;
        if is_whole {
            let is_clear = state.search.candidate_count == 0;
            state.clearance = if is_clear { pair.search.margin } else { 0.0 };
            state.patience = if is_clear { (2.0 * state.patience).clamp(1.0, MOST_PATIENCE) } else { 0.0 };
        } else {
            state.patience = 1.0;
            let guess = guess_from(pair, state, drift);
            state.mark_guessed(guess, self.b_to_a(pair));
        }
        state.charge(counts.node_test_count, found, is_whole);
        let searched = u64::from(is_first_part);
        StepCounts { node_tests: counts.node_test_count, searched, ..StepCounts::default() }
    }

    /// Tries to prove that the pair is apart within a margin for many passes. The margin grows after a
    /// success and shrinks after each failure, until it covers less than one pass.
    fn proves_apart(
        &self,
        node_tests: u64,
        pair: &mut PairContacts,
        state: &mut SearchState,
        scratch: &mut Scratch,
        dt: f64,
        counts: &mut Counts,
    ) -> bool {
        let Some(surfaces) = self.surfaces(pair) else { return false };
        let is_sensor_pair = self.pairs.is_sensor_pair(pair);
        if is_sensor_pair || pair.has_features() || pair.overlap.modelled_at.is_some() {
            return false;
        }
        let travel = pair.travel(self.two(pair), Self::moving(dt));
        let at = state.search.began_at;
        while state.patience >= 1.0 {
            let margin = pair.settings.speculative + state.patience * travel;
            let left = node_tests.saturating_sub(counts.node_test_count);
            if query::are_apart(left, surfaces, &at, margin, &mut scratch.descent, counts) {
                state.clearance = margin;
                state.patience = (4.0 * state.patience).min(MOST_PATIENCE);
                pair.search.margin = margin;
                pair.search.due = Due::Candidates;
                return true;
            }
            state.patience *= 0.25;
        }
        state.patience = 1.0;
        false
    }

    /// Sets the margin of a search that begins. The margin gets a slack if the search will take several
    /// passes.
    fn set_margin(
        &self,
        Grant { node_tests, is_short }: Grant,
        pair: &mut PairContacts,
        state: &mut SearchState,
        dt: f64,
    ) {
        let two = self.two(pair);
        let ahead = self.foresight(pair, dt);
        pair.search.foreseen = pair.speculative(two, ahead);
        pair.search.corner = pair.corner();
        pair.search.depth = if is_short { Depth::Sought } else { self.depth(pair, ahead) };
        pair.search.margin =
            if is_short { bounded_margin(pair, state, two, ahead) } else { pair.search_margin(two, ahead) };
        let slack = if is_short && state.cost > node_tests { SLACK * pair.settings.slop } else { 0.0 };
        pair.search.margin += slack;
        state.search.slack = slack;
        state.search.foreseen = pair.search.foreseen;
    }
}

impl SearchState {
    /// Records the cost of a search or of a part of it.
    fn charge(&mut self, node_tests: u64, found: u64, is_whole: bool) {
        let spent = cost::SEARCH + node_tests + cost::CANDIDATE * found;
        self.search.spent += spent;
        self.search.is_open = !is_whole;
        if is_whole {
            self.cost = self.search.spent;
            self.tries = 0;
            self.mark_proven();
        } else {
            self.cost = self.cost.max(2 * self.search.spent);
        }
        self.plan = Plan::Searched(spent);
    }
}

/// Returns the search margin of a pair that is not searched in every pass;
/// [`PairContacts::search_margin`] returns that of other pairs. Unknown overlap is searched only if
/// triangles reach through each other, and only to the depth by which they do.
fn bounded_margin(pair: &PairContacts, state: &SearchState, bodies: BodyPair, ahead: Ahead) -> f64 {
    if pair.overlap.modelled_at.is_some() {
        return pair.search_margin(bodies, ahead);
    }
    let known = pair.known_depth(bodies, ahead).max(state.depth_sought);
    pair.speculative(bodies, ahead).max(known.min(pair.settings.most_sought))
}
