//! Where the traversals of searches that take several passes are kept.

use std::sync::Mutex;

use crate::contact::{PairContacts, Standing};
use crate::tree::DescentScratch;

/// Traversals that can be kept from pass to pass.
const SLOT_COUNT: usize = 32;
/// Traversals that go on.
pub(super) struct Slots {
    /// Each belongs to one pair, so that no lock is ever contended.
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
