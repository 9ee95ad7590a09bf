//! Estimates of the time that a stage takes on one thread, by the counts of its work. They decide whether
//! other threads are called, and nothing else.
//!
//! All in ns. Each unit was fitted to the times of its stage in the built-in scenes and the heaps of
//! `tumble bench step-heaps`, with the default kinds on a Xeon of 2.6 GHz; scenes differ by up to two times.

use std::ops::Range;

use super::World;
use crate::contact::{Due, PairContacts};

/// A body that may be the link of a moving figure, to which it gives its velocity.
pub(super) const AIM: u64 = 20;
/// The box of a body.
pub(super) const PLACE: u64 = 110;
/// A link in its hierarchy.
pub(super) const LINK: u64 = 80;
/// A vertex of an exact skin, with its share of the hierarchy.
pub(super) const SKIN_VERTEX: u64 = 220;
/// A pair in *test*: whether what is known of it still holds.
const VISIT: u64 = 150;
/// A search of a pair, and each node test of it.
const SEARCH: u64 = 500;
const NODE_TEST: u64 = 6;
/// A pair in *query* that only hands its contacts on.
const HAND_ON: u64 = 25;
/// A pair of which something is judged, each of its candidates, and a unit of its effort.
const JUDGE: u64 = 300;
const CANDIDATE: u64 = 32;
const EFFORT: u64 = 100;
/// A pair of which candidates are found and judged in parts: beyond anything that is kept.
const PARTS: u64 = 1_000_000;
/// A node test as a budget counts them.
const BUDGETED: u64 = 2;

impl World {
    /// *Test* of all pairs, if as many are searched as in the last pass.
    pub(super) fn search_cost(&self) -> u64 {
        let last = &self.last_searched;
        self.visit_cost() + SEARCH * last.searched + NODE_TEST * last.node_tests
    }

    /// A look at each pair that is not settled.
    pub(super) fn visit_cost(&self) -> u64 {
        let look = |pair: &PairContacts| if self.is_settled(pair) { 0 } else { VISIT };
        self.sum_over_pairs(0..self.pairs.active.len(), look)
    }

    /// *Query* of some pairs, by the candidates that they have and the effort that they took last.
    pub(super) fn judge_cost(&self, range: Range<usize>) -> u64 {
        self.sum_over_pairs(range, |pair| match pair.search.due {
            Due::Nothing => HAND_ON,
            Due::Candidates => {
                let effort = pair.judged.effort.unwrap_or(0);
                JUDGE + CANDIDATE * pair.search.candidates.len() as u64 + EFFORT * effort
            }
            Due::Parts => PARTS,
        })
    }

    fn sum_over_pairs(&self, range: Range<usize>, cost: impl Fn(&PairContacts) -> u64) -> u64 {
        // With one thread there is nothing to decide.
        let pairs = if self.threads.count() == 1 { &[] } else { &self.pairs.active[range] };
        pairs.iter().map(cost).sum()
    }
}

/// Searches and estimates under a budget that come to about so many node tests.
pub(super) fn budgeted(node_tests: u64) -> u64 {
    BUDGETED.saturating_mul(node_tests)
}
