//! Searches under a budget: one that its allowance does not suffice for goes on in the next pass, as long as
//! its margin covers how far the bodies have moved since it began.

use std::sync::{Mutex, PoisonError};

use super::cost;
use crate::narrow::{PairContacts, Plan, Search, Standing};
use crate::tree::{self, Allowance, Counts, DescentScratch, Start};
use crate::world::stages::Scratch;
use crate::world::{StepCounts, World};

/// Passes like this one that a search looks ahead at most while nothing is near.
const MOST_PATIENCE: f64 = 64.0;
/// Traversals that can be kept from pass to pass.
const SLOT_COUNT: usize = 32;
/// Motion, in slops, within which a search that takes several passes goes on.
const SLACK: f64 = 1.0;

/// Traversals that go on.
pub(super) struct Slots {
    /// Each belongs to one pair, so that no lock is ever contended.
    traversals: Vec<Mutex<DescentScratch>>,
    free: Vec<u32>,
}

impl Default for Slots {
    fn default() -> Self {
        let traversals = (0..SLOT_COUNT).map(|_| Mutex::default()).collect();
        Self { traversals, free: Vec::with_capacity(SLOT_COUNT) }
    }
}

impl Slots {
    /// All but those that pairs hold are free.
    pub fn recount(&mut self, pairs: &[PairContacts]) {
        let mut is_held = [false; SLOT_COUNT];
        pairs.iter().filter_map(|p| p.standing.search.slot).for_each(|slot| is_held[slot as usize] = true);
        self.free.clear();
        self.free.extend((0..SLOT_COUNT as u32).rev().filter(|&slot| !is_held[slot as usize]));
    }

    /// Gives the pair a slot if it has none; whether it has one then.
    pub fn give(&mut self, pair: &mut PairContacts) -> bool {
        let slot = &mut pair.standing.search.slot;
        *slot = slot.or_else(|| self.free.pop());
        slot.is_some()
    }

    /// Of a pair whose search has ended.
    pub fn give_back(&mut self, pair: &mut PairContacts) {
        self.free.extend(pair.standing.search.slot.take());
    }

    /// Of a pair whose search was to go on: it will begin anew.
    pub fn take(&mut self, standing: &mut Standing) {
        self.free.extend(std::mem::take(&mut standing.search).slot);
    }
}

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
        let is_whole = tree::find_candidates_within(
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
            if tree::are_apart(left, surfaces, &at, margin, &mut scratch.descent, counts) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(count: usize) -> Vec<PairContacts> {
        (0..count).map(|_| PairContacts::default()).collect()
    }

    #[test]
    fn a_place_belongs_to_one_pair_until_it_is_given_back() {
        let (mut slots, mut pairs) = (Slots::default(), pairs(SLOT_COUNT + 1));
        slots.recount(&pairs);
        let given = pairs.iter_mut().filter_map(|p| slots.give(p).then_some(p.standing.search.slot)).count();
        assert_eq!(given, SLOT_COUNT);
        let mut held: Vec<u32> = pairs.iter().filter_map(|p| p.standing.search.slot).collect();
        held.sort_unstable();
        assert_eq!(held, (0..SLOT_COUNT as u32).collect::<Vec<_>>());
        assert!(slots.give(&mut pairs[3]), "it has one already");
        let [first, .., last] = &mut pairs[..] else { panic!() };
        slots.give_back(first);
        assert!(slots.give(last) && !slots.give(first));
    }

    #[test]
    fn places_of_pairs_that_are_gone_are_free_again() {
        let (mut slots, mut pairs) = (Slots::default(), pairs(SLOT_COUNT));
        slots.recount(&pairs);
        pairs.iter_mut().for_each(|p| assert!(slots.give(p)));
        pairs.truncate(5);
        slots.recount(&pairs);
        assert_eq!(slots.free.len(), SLOT_COUNT - 5);
        slots.take(&mut pairs[0].standing);
        assert_eq!(slots.free.len(), SLOT_COUNT - 4);
        assert!(pairs[0].standing.search.slot.is_none());
    }
}
