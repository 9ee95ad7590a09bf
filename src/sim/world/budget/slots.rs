//! Storage for the traversals of searches that take several passes.

use std::sync::Mutex;

use super::state::SearchState;
use crate::tree::DescentScratch;

/// Number of traversals that can be kept from pass to pass.
const SLOT_COUNT: usize = 32;

/// Storage for the traversals of open (incomplete) searches.
pub(super) struct Slots {
    /// Traversals by slot. Each belongs to one pair, so that no lock is ever contended.
    pub traversals: Vec<Mutex<DescentScratch>>,
    free: Vec<u32>,
}

impl Default for Slots {
    fn default() -> Self {
        let traversals = (0..SLOT_COUNT).map(|_| Mutex::default()).collect();
        Self { traversals, free: Vec::with_capacity(SLOT_COUNT) }
    }
}

impl Slots {
    /// Recomputes the free slots: all except those assigned to pairs.
    pub fn recount(&mut self, states: &[SearchState]) {
        let mut is_held = [false; SLOT_COUNT];
        states.iter().filter_map(|s| s.search.slot).for_each(|slot| is_held[slot as usize] = true);
        self.free.clear();
        self.free.extend((0..SLOT_COUNT as u32).rev().filter(|&slot| !is_held[slot as usize]));
    }

    /// Assigns a slot to the pair if it has none. Returns whether the pair now has one.
    pub fn give(&mut self, state: &mut SearchState) -> bool {
        let slot = &mut state.search.slot;
        *slot = slot.or_else(|| self.free.pop());
        slot.is_some()
    }

    /// Frees the slot of a pair whose search has ended.
    pub fn give_back(&mut self, state: &mut SearchState) {
        self.free.extend(state.search.slot.take());
    }

    /// Frees the slot of a pair whose search is incomplete. The search must then start again.
    pub fn take(&mut self, state: &mut SearchState) {
        self.free.extend(std::mem::take(&mut state.search).slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(count: usize) -> Vec<SearchState> {
        (0..count).map(|_| SearchState::default()).collect()
    }

    #[test]
    fn slot_belongs_to_one_pair_until_returned() {
        let (mut slots, mut states) = (Slots::default(), states(SLOT_COUNT + 1));
        slots.recount(&states);
        let given = states.iter_mut().filter_map(|s| slots.give(s).then_some(s.search.slot)).count();
        assert_eq!(given, SLOT_COUNT);
        let mut held: Vec<u32> = states.iter().filter_map(|s| s.search.slot).collect();
        held.sort_unstable();
        assert_eq!(held, (0..SLOT_COUNT as u32).collect::<Vec<_>>());
        assert!(slots.give(&mut states[3]), "it has one already");
        let [first, .., last] = &mut states[..] else { panic!() };
        slots.give_back(first);
        assert!(slots.give(last) && !slots.give(first));
    }

    #[test]
    fn places_of_pairs_that_are_gone_are_free_again() {
        let (mut slots, mut states) = (Slots::default(), states(SLOT_COUNT));
        slots.recount(&states);
        states.iter_mut().for_each(|s| assert!(slots.give(s)));
        states.truncate(5);
        slots.recount(&states);
        assert_eq!(slots.free.len(), SLOT_COUNT - 5);
        slots.take(&mut states[0]);
        assert_eq!(slots.free.len(), SLOT_COUNT - 4);
        assert!(states[0].search.slot.is_none());
    }
}
