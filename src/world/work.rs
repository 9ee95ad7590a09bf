//! Estimates of the time that a stage takes on one thread, from the counts of its work. They decide
//! only whether other threads are called.
//!
//! All in ns. Each unit was fitted to the times of its stage in the built-in scenes and the heaps of
//! `tumble bench step-heaps`, with the default kinds on a Xeon of 2.6 GHz; scenes differ by up to two
//! times.

use std::ops::Range;

use super::World;
use crate::contact::{Due, PairContacts};

/// Test of a body that may be the link of a moving figure, and its velocity.
pub(super) const AIM: u64 = 20;
/// Box of a body.
pub(super) const PLACE: u64 = 110;
/// Update of a link in its hierarchy.
pub(super) const LINK: u64 = 80;
/// Vertex of an exact skin, with its share of the hierarchy.
pub(super) const SKIN_VERTEX: u64 = 220;
/// Check of a pair in *test* whether its contacts or candidates still hold.
const VISIT: u64 = 150;
/// Search of a pair, and each of its node tests.
const SEARCH: u64 = 500;
const NODE_TEST: u64 = 6;
/// Pair in *query* that only passes its contacts on.
const HAND_ON: u64 = 25;
/// Pair in *query* that is tested, each of its candidates, and each unit of its effort.
const JUDGE: u64 = 300;
const CANDIDATE: u64 = 32;
const EFFORT: u64 = 100;
/// Pair whose candidates are found and tested in parts: more than any pair whose candidates are kept.
const PARTS: u64 = 1_000_000;
/// Node test of a budget.
const BUDGETED: u64 = 2;

impl World {
    /// Returns the cost of *test* of all pairs, if as many are searched as in the last pass.
    pub(super) fn search_cost(&self) -> u64 {
        let last = &self.last_searched;
        self.visit_cost() + SEARCH * last.searched + NODE_TEST * last.node_tests
    }

    /// Returns the cost of checking each pair that is not settled.
    pub(super) fn visit_cost(&self) -> u64 {
        let look = |pair: &PairContacts| if self.is_settled(pair) { 0 } else { VISIT };
        self.sum_over_pairs(0..self.pairs.active.len(), look)
    }

    /// Returns the cost of *query* of some pairs, from their candidates and their last effort.
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

/// Returns the cost of searches and estimates under a budget that take about `node_tests` node tests.
pub(super) fn budgeted(node_tests: u64) -> u64 {
    BUDGETED.saturating_mul(node_tests)
}
