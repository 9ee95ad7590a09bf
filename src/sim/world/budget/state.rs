//! State of a pair's search under a budget: the certainty of its contacts, its waiting time, and the
//! cost of its search.

use crate::contact::{PairContacts, Region};
use crate::pose::Pose;

/// Certainty of a pair's contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Certainty {
    /// Proven: by a whole search, by recycled contacts that are complete, or because the bodies cannot
    /// have met since the last search.
    #[default]
    Proven,
    /// Guessed: the two surfaces intersect with this probability, 0 to 1.
    Likely(f64),
}

/// Action of a pass on a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Plan {
    /// No action: its contacts are up to date.
    #[default]
    Keep,
    /// The pair needs a search, with this urgency.
    Ask(f64),
    /// Estimate of the probability that the pair intersects, with at most this many node tests.
    Estimate(u64),
    /// Search, started or continued, with at most this many node tests.
    Search(u64),
    /// Searched in this pass. The cost in node tests includes candidates.
    Searched(u64),
    /// Left unsearched: contacts are recycled or guessed.
    Recycle,
}

/// A search that may take several passes. Each pass continues at the end of the previous one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartialSearch {
    /// True if the search is incomplete: candidates are missing.
    pub is_open: bool,
    /// True if an earlier pass completed a part of the search.
    pub is_continued: bool,
    /// Pose of b in a's space when the search began. All its candidates are those of this pose.
    pub began_at: Pose,
    /// Distance (m) by which the margin exceeds the necessary one: the motion up to which the search
    /// stays valid.
    pub slack: f64,
    /// Speculative distance (m) when the search began.
    pub foreseen: f64,
    /// Node tests spent so far, including the cost of candidates.
    pub spent: u64,
    /// Number of candidates so far.
    pub candidate_count: u64,
    /// Depth of the deepest feature found so far, m.
    pub deepest: f64,
    /// True if intersecting triangles were found.
    pub is_crossing: bool,
    /// Distance (m) by which intersecting triangles reach through each other.
    pub crossing_depth: f64,
    /// Slot that stores the traversal of the search.
    pub slot: Option<u32>,
}

impl PartialSearch {
    /// Returns whether this pass's candidates are only some of the search's candidates.
    pub fn is_part(&self) -> bool {
        self.is_open || self.is_continued
    }
}

/// A near pair and the state of its search.
pub(super) struct Budgeted<'a> {
    pub pair: &'a mut PairContacts,
    pub state: &'a mut SearchState,
}

/// Limits of one search in a pass.
#[derive(Clone, Copy)]
pub(super) struct Grant {
    pub node_tests: u64,
    /// True if the budget is too small to search every pair in this pass.
    pub is_short: bool,
}

/// State kept for a pair from pass to pass, as long as the pair is near.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchState {
    /// The pair's bodies, a < b.
    pub bodies: (u32, u32),
    pub certainty: Certainty,
    /// Number of passes since the pair was last proven, or its search was given up.
    pub waited: u32,
    /// Expected node tests of the next search, including the cost of candidates; zero if nothing is
    /// known.
    pub cost: u64,
    /// Number of successive searches that were ended early and outdated before they could continue.
    pub tries: u32,
    /// Last search of the pair, or the open one.
    pub search: PartialSearch,
    /// Number of passes for which a search looks ahead while it finds nothing near.
    pub patience: f64,
    /// Action of this pass.
    pub plan: Plan,
    /// True if a search removed a region that bore a load, and the bodies have been at rest since then.
    pub has_lost_support: bool,
    /// Pose of b in a's space in the pass that made the last guess.
    pub judged_at: Option<Pose>,
    /// Last estimated probability that the pair intersects, and the pose of b in a's space at that
    /// time.
    pub estimated: Option<(f64, Pose)>,
    /// True if the last search used the margin of a pair that is not searched in every pass.
    pub is_bounded: bool,
    /// Depth (m) that the next search must cover, because triangles reached through each other by this
    /// distance, deeper than the last search could find features; otherwise 0.
    pub depth_sought: f64,
    /// Margin (m) of the last whole search if it found no candidates, so that the surfaces were farther
    /// apart; otherwise 0.
    pub clearance: f64,
    /// Regions in which an unsearched pair probably intersects.
    pub regions: Vec<Region>,
}

impl SearchState {
    /// Marks the pair as proven in this pass.
    pub fn mark_proven(&mut self) {
        self.certainty = Certainty::Proven;
        self.waited = 0;
    }

    /// Marks the pair as guessed in this pass.
    pub fn mark_guessed(&mut self, probability: f64, at: Pose) {
        self.certainty = Certainty::Likely(probability);
        self.judged_at = Some(at);
    }

    /// Returns whether the contacts are proven at the pair's present pose.
    pub fn is_proven(&self) -> bool {
        self.certainty == Certainty::Proven
    }

    /// Drops data that depends on the shapes of the surfaces, after a shape has changed.
    pub fn forget_place(&mut self) {
        self.clearance = 0.0;
        self.estimated = None;
    }
}

/// States of the pairs that are near now, in their order. Pairs that were near before keep their
/// states. Both lists are sorted by bodies.
#[derive(Default)]
pub(super) struct SearchStates {
    pub active: Vec<SearchState>,
    previous: Vec<SearchState>,
    spare: Vec<SearchState>,
}

impl SearchStates {
    /// Updates the list of states for the near `pairs`, sorted by bodies.
    pub fn follow(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        std::mem::swap(&mut self.active, &mut self.previous);
        self.previous.reverse();
        for bodies in pairs {
            while let Some(old) = self.previous.pop_if(|old| old.bodies < bodies) {
                self.spare.push(old);
            }
            let known = self.previous.pop_if(|old| old.bodies == bodies);
            let state = known.unwrap_or_else(|| self.fresh(bodies));
            self.active.push(state);
        }
        self.spare.append(&mut self.previous);
    }

    /// Returns a new state that reuses the buffers of a pair that is no longer near.
    fn fresh(&mut self, bodies: (u32, u32)) -> SearchState {
        let mut regions = self.spare.pop().unwrap_or_default().regions;
        regions.clear();
        SearchState { bodies, regions, ..SearchState::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_state_is_dropped_when_a_pair_parts() {
        let mut states = SearchStates::default();
        let mut pass = |pairs: &[(u32, u32)]| {
            states.follow(pairs.iter().copied());
            let bodies: Vec<_> = states.active.iter().map(|s| s.bodies).collect();
            assert_eq!(bodies, pairs);
            let waited: Vec<_> = states.active.iter().map(|s| s.waited).collect();
            states.active.iter_mut().for_each(|s| s.waited += 1);
            waited
        };
        assert_eq!(pass(&[(0, 1), (1, 2), (2, 5)]), [0, 0, 0]);
        assert_eq!(pass(&[(0, 1), (0, 3), (2, 5)]), [1, 0, 1]);
        assert_eq!(pass(&[]), [0; 0]);
        assert_eq!(pass(&[(1, 2), (2, 5)]), [0, 0]);
    }
}
