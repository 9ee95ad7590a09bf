//! Estimates of the time that a stage takes on one thread, from the counts of its work. They only
//! decide whether more threads are used.
//!
//! All times are in ns. They were fitted to the times of the stages in the built-in scenes and in the
//! heaps of `tumble bench step-heaps`, with the default kinds on a Xeon of 2.6 GHz. Scenes differ by up
//! to a factor of two.

use std::ops::Range;

use super::World;
use crate::contact::{Due, PairContacts};

/// Test whether a body is a link of a moving figure, and computation of its velocity.
pub(super) const AIM: u64 = 20;
/// Computation of a body's box.
pub(super) const PLACE: u64 = 110;
/// Update of a link in its hierarchy.
pub(super) const LINK: u64 = 80;
/// Deformation of a vertex of an exact skin, with its share of refitting the hierarchy.
pub(super) const SKIN_VERTEX: u64 = 220;
/// Check in *test* whether the contacts or candidates of a pair are still valid.
const VISIT: u64 = 150;
/// Search of a pair, without its node tests.
const SEARCH: u64 = 500;
/// Node test of a search.
const NODE_TEST: u64 = 6;
/// Pair in *query* that only keeps its contacts.
const HAND_ON: u64 = 25;
/// Pair in *query* that is tested, without its candidates.
const JUDGE: u64 = 300;
/// Candidate in *query*.
const CANDIDATE: u64 = 32;
/// Unit of effort in *query*.
const EFFORT: u64 = 100;
/// Pair whose candidates are found and tested in parts. Such a pair takes longer than any pair whose
/// candidates are stored.
const PARTS: u64 = 1_000_000;
/// Node test under a budget.
const BUDGETED: u64 = 2;

impl World {
    /// Returns the cost of *test* for all pairs, assuming the searches and node tests of the last pass.
    pub(super) fn search_cost(&self) -> u64 {
        let last = &self.last_searched;
        self.visit_cost() + SEARCH * last.searched + NODE_TEST * last.node_tests
    }

    /// Returns the cost of checking all pairs that need work.
    pub(super) fn visit_cost(&self) -> u64 {
        let look = |pair: &PairContacts| if self.is_settled(pair) { 0 } else { VISIT };
        self.sum_over_pairs(0..self.pairs.active.len(), look)
    }

    /// Returns the cost of *query* for a range of the pairs, from their candidates and their last
    /// effort.
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
        // With one thread the cost is not needed.
        let pairs = if self.threads.count() == 1 { &[] } else { &self.pairs.active[range] };
        pairs.iter().map(cost).sum()
    }
}

/// Returns the cost of searches and estimates under a budget that take about `node_tests` node tests.
pub(super) fn budgeted(node_tests: u64) -> u64 {
    BUDGETED.saturating_mul(node_tests)
}
