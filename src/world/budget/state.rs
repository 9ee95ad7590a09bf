//! State of a pair's search under a budget: how certain its contacts are, how long it has waited, and
//! the cost of its search.

use crate::contact::{PairContacts, Region};
use crate::pose::Pose;

/// Certainty of a pair's contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Certainty {
    /// Proven by a whole search, by recycled contacts, or because the bodies cannot have met since.
    #[default]
    Proven,
    /// Guessed: the two intersect with this probability, 0 to 1.
    Likely(f64),
}

/// Action of a pass on a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Plan {
    /// No action: its contacts are up to date.
    #[default]
    Keep,
    /// Request for a search, with its urgency.
    Ask(f64),
    /// Estimate of whether it collides, within this many node tests; the pair wants a search.
    Estimate(u64),
    /// Search, started or continued, within this many node tests.
    Search(u64),
    /// Searched in this pass, for this many node tests, including candidates.
    Searched(u64),
    /// Left unsearched: contacts are recycled or guessed.
    Recycle,
}

/// A search that may take several passes; each continues where the last one ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartialSearch {
    /// Whether the search is incomplete: candidates are missing.
    pub is_open: bool,
    /// Whether an earlier pass did a part of it.
    pub is_continued: bool,
    /// Pose of b in a's space when the search began; its candidates are those of that pose.
    pub began_at: Pose,
    /// Distance (m) by which its margin was larger than necessary then: the motion for which it stays
    /// valid.
    pub slack: f64,
    /// Distance (m) within which contacts were foreseen then.
    pub foreseen: f64,
    /// Node tests so far, including candidates.
    pub spent: u64,
    /// Number of candidates so far.
    pub candidate_count: u64,
    /// Depth of the deepest feature found so far, m.
    pub deepest: f64,
    /// Whether intersecting triangles were found.
    pub is_crossing: bool,
    /// Distance (m) by which intersecting triangles reach through each other.
    pub crossing_depth: f64,
    /// Slot of its traversal.
    pub slot: Option<u32>,
}

impl PartialSearch {
    /// Returns whether this pass's candidates are only a part of all.
    pub fn is_part(&self) -> bool {
        self.is_open || self.is_continued
    }
}

/// A near pair and the state of its search.
pub(super) struct Budgeted<'a> {
    pub pair: &'a mut PairContacts,
    pub state: &'a mut SearchState,
}

/// Work that one search may do in a pass.
#[derive(Clone, Copy)]
pub(super) struct Grant {
    pub node_tests: u64,
    /// Whether the budget is too small to search every pair in this pass.
    pub is_short: bool,
}

/// State kept beside a pair from pass to pass, as long as the pair is near.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchState {
    /// The pair's bodies, a < b.
    pub bodies: (u32, u32),
    pub certainty: Certainty,
    /// Passes since it was last proven, or its search was given up.
    pub waited: u32,
    /// Expected node tests of its next search, including candidates; zero if nothing is known.
    pub cost: u64,
    /// Searches in a row that were ended early and were outdated before they could continue.
    pub tries: u32,
    /// Last search of the pair, or the open one.
    pub search: PartialSearch,
    /// Number of passes that a search looks ahead while it finds nothing near.
    pub patience: f64,
    /// Action of this pass.
    pub plan: Plan,
    /// Whether a search removed a region that bore a load, and the bodies have been at rest since.
    pub has_lost_support: bool,
    /// Pose of b in a's space in the pass that decided the certainty.
    pub judged_at: Option<Pose>,
    /// Last estimated probability that they intersect, and the pose of b in a's space then.
    pub estimated: Option<(f64, Pose)>,
    /// Whether the margin of its last search was that of a pair that is not searched in every pass.
    pub is_bounded: bool,
    /// Depth (m) that its next search must cover: triangles reached through each other by this, deeper
    /// than the last search could see.
    pub depth_sought: f64,
    /// Margin (m) of the last whole search if it found no candidates: the surfaces were farther apart.
    pub clearance: f64,
    /// Regions of an unsearched pair where it probably intersects.
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

    /// Returns whether the contacts are proven at the pair's pose.
    pub fn is_proven(&self) -> bool {
        self.certainty == Certainty::Proven
    }

    /// Drops data that depends on the surfaces, after they have changed.
    pub fn forget_place(&mut self) {
        self.clearance = 0.0;
        self.estimated = None;
    }
}

/// States of the pairs that are near now, in their order. Takes over the states of pairs that were near
/// before. Both are sorted by bodies.
#[derive(Default)]
pub(super) struct SearchStates {
    pub active: Vec<SearchState>,
    previous: Vec<SearchState>,
    spare: Vec<SearchState>,
}

impl SearchStates {
    /// Makes the states follow the near `pairs`, sorted by bodies.
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

    /// Returns a new state that reuses the buffers of an ended one.
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
