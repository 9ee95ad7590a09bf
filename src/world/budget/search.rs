//! Searches under a budget: one that its allowance does not suffice for goes on in the next pass, as long as
//! its margin covers how far the bodies have moved since it began.

use std::sync::PoisonError;

use super::cost;
use super::slots::Slots;
use crate::contact::{PairContacts, Plan, Search};
use crate::query;
use crate::tree::{Allowance, Counts, Start};
use crate::world::scratch::Scratch;
use crate::world::{StepCounts, World};

/// Passes like this one that a search looks ahead at most while nothing is near.
const MOST_PATIENCE: f64 = 64.0;
/// Motion, in slops, within which a search that takes several passes goes on.
const SLACK: f64 = 1.0;

impl World {
    /// Whether the bodies have moved farther since the pair's search began than its margin covers.
    pub(super) fn is_outdated(&self, pair: &PairContacts, dt: f64) -> bool {
        let search = &pair.standing.search;
        let two = self.two(pair);
        let farther = (pair.speculative(two, Self::moving(dt)) - search.foreseen).max(0.0);
        let covered = pair.motion_since(&search.began_at, two) + farther <= search.slack;
        !covered || self.is_reshaped(pair)
    }

    /// Searches the pair within so many node tests if they are few, or goes on searching.
    pub(super) fn search_within(
        &self,
        units: u64,
        is_short: bool,
        slots: &Slots,
        pair: &mut PairContacts,
        scratch: &mut Scratch,
        dt: f64,
    ) -> StepCounts {
        let Some(surfaces) = self.surfaces(pair) else { return StepCounts::default() };
        let two = self.two(pair);
        let is_first_part = !pair.is_searched;
        let mut counts = Counts::default();
        let start = if pair.standing.search.is_open { Start::End } else { Start::Roots };
        if start == Start::Roots {
            let slot = pair.standing.search.slot;
            pair.standing.search = Search { slot, began_at: self.b_to_a(pair), ..Search::default() };
            pair.standing.is_bounded = is_short;
            if is_short && self.proves_apart(units, pair, scratch, dt, &mut counts) {
                self.book(pair, counts.node_test_count, 0, true);
                return StepCounts {
                    node_tests: counts.node_test_count,
                    searched: 1,
                    ..StepCounts::default()
                };
            }
            let left = units.saturating_sub(counts.node_test_count);
            self.set_margin(left, is_short, pair, dt);
            pair.age();
        }
        let search = pair.standing.search;
        let mut own;
        let traversal = match search.slot {
            Some(slot) => {
                own = slots.traversals[slot as usize].lock().unwrap_or_else(PoisonError::into_inner);
                &mut *own
            }
            None => &mut scratch.descent,
        };
        let left = units.saturating_sub(counts.node_test_count);
        let allowance = Allowance { node_tests: left, per_candidate: cost::CANDIDATE };
        let before = pair.candidates.len();
        let is_whole = query::find_candidates_within(
            (start, allowance),
            surfaces,
            &search.began_at,
            pair.margin,
            traversal,
            &mut pair.candidates,
            &mut counts,
        );
        pair.is_searched = true;
        let found = (pair.candidates.len() - before) as u64;
        let drift = pair.drift(two);
        let standing = &mut pair.standing;
        standing.search.candidate_count += found;
        if is_whole {
            let is_clear = standing.search.candidate_count == 0;
            standing.clearance = if is_clear { pair.margin } else { 0.0 };
            standing.patience =
                if is_clear { (2.0 * standing.patience).clamp(1.0, MOST_PATIENCE) } else { 0.0 };
        } else {
            standing.patience = 1.0;
            let guess = pair.guess(drift);
            pair.standing.starve(guess, self.b_to_a(pair));
        }
        self.book(pair, counts.node_test_count, found, is_whole);
        let searched = u64::from(is_first_part);
        StepCounts { node_tests: counts.node_test_count, searched, ..StepCounts::default() }
    }

    /// Looks far ahead while that finds nothing near: how far, shown to be apart; if not, patience is over.
    fn proves_apart(
        &self,
        units: u64,
        pair: &mut PairContacts,
        scratch: &mut Scratch,
        dt: f64,
        counts: &mut Counts,
    ) -> bool {
        let Some(surfaces) = self.surfaces(pair) else { return false };
        let is_watched = self.pairs.is_watched(pair);
        if is_watched || pair.holds_features() || pair.standing.modelled_at.is_some() {
            return false;
        }
        let travel = pair.travel(self.two(pair), Self::moving(dt));
        let at = pair.standing.search.began_at;
        while pair.standing.patience >= 1.0 {
            let margin = pair.settings.speculative + pair.standing.patience * travel;
            let left = units.saturating_sub(counts.node_test_count);
            if query::are_apart(left, surfaces, &at, margin, &mut scratch.descent, counts) {
                pair.standing.clearance = margin;
                pair.standing.patience = (4.0 * pair.standing.patience).min(MOST_PATIENCE);
                pair.margin = margin;
                pair.is_searched = true;
                return true;
            }
            pair.standing.patience *= 0.25;
        }
        pair.standing.patience = 1.0;
        false
    }

    /// What a search that begins looks for; more if it will take several passes.
    fn set_margin(&self, units: u64, is_short: bool, pair: &mut PairContacts, dt: f64) {
        let two = self.two(pair);
        let ahead = self.ahead(dt);
        pair.margin = if is_short { pair.bounded_margin(two, ahead) } else { pair.search_margin(two, ahead) };
        let slack = if is_short && pair.standing.cost > units { SLACK * pair.settings.slop } else { 0.0 };
        pair.margin += slack;
        pair.standing.search.slack = slack;
        pair.standing.search.foreseen = pair.speculative(two, ahead);
    }

    /// Books what a search or a part of it took.
    fn book(&self, pair: &mut PairContacts, node_tests: u64, found: u64, is_whole: bool) {
        let spent = cost::SEARCH + node_tests + cost::CANDIDATE * found;
        let standing = &mut pair.standing;
        let search = &mut standing.search;
        search.spent += spent;
        search.is_open = !is_whole;
        if is_whole {
            standing.cost = search.spent;
            standing.tries = 0;
            standing.prove();
        } else {
            standing.cost = standing.cost.max(2 * search.spent);
        }
        standing.plan = Plan::Searched(spent);
    }
}
