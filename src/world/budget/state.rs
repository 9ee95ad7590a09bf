//! What a budget knows of a pair beside its contacts: how far those can be trusted, how long it has waited,
//! what its search costs.

use crate::contact::{PairContacts, Region};
use crate::pose::Pose;

/// Whether what is known of a pair was found at its pose, or is held from another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Certainty {
    /// By a whole search, by contacts brought up to date, or because the bodies cannot have met since.
    #[default]
    Proven,
    /// They intersect with this probability, 0 to 1.
    Likely(f64),
}

/// What a pass does with a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Plan {
    /// Nothing: its contacts are up to date.
    #[default]
    Keep,
    /// It wants a search, the sooner the larger the number.
    Ask(f64),
    /// Guess whether it collides within so many node tests; it wants a search.
    Estimate(u64),
    /// Search it, or go on, within so many node tests.
    Search(u64),
    /// It was searched in this pass, for so many node tests, candidates included.
    Searched(u64),
    /// Leave it unsearched.
    Recycle,
}

/// A search that may take several passes, each of which goes on where the one before was ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartialSearch {
    /// Whether there is more to it: candidates are missing.
    pub is_open: bool,
    /// Whether a pass before this one had part of it.
    pub is_continued: bool,
    /// b in a's space when it began: its candidates are those of that pose.
    pub began_at: Pose,
    /// By how much (m) its margin is larger than was necessary then: motion since for which it holds.
    pub slack: f64,
    /// How far (m) contacts were foreseen then.
    pub foreseen: f64,
    /// Node tests so far, candidates included.
    pub spent: u64,
    /// Candidates so far.
    pub candidate_count: u64,
    /// Depth of the deepest feature found so far, m.
    pub deepest: f64,
    /// Whether triangles were found that intersect.
    pub is_crossing: bool,
    /// How far (m) triangles that intersect reach through each other.
    pub crossing_depth: f64,
    /// Where its traversal is kept.
    pub slot: Option<u32>,
}

impl PartialSearch {
    /// Whether this pass's candidates are a part of its candidates.
    pub fn is_part(&self) -> bool {
        self.is_open || self.is_continued
    }
}

/// A near pair and the state of its search.
pub(super) struct Budgeted<'a> {
    pub pair: &'a mut PairContacts,
    pub state: &'a mut SearchState,
}

/// The work that one search may do in a pass.
#[derive(Clone, Copy)]
pub(super) struct Grant {
    pub node_tests: u64,
    /// Whether the budget is too small to search every pair in this pass.
    pub is_short: bool,
}

/// Kept beside a pair from pass to pass, as long as the pair is near.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchState {
    /// The pair's bodies, a < b.
    pub bodies: (u32, u32),
    pub certainty: Certainty,
    /// Passes since it was last known for certain, or its search was given up.
    pub waited: u32,
    /// Node tests its next search will cost, candidates included; zero if nothing is known.
    pub cost: u64,
    /// Searches in a row that were ended early and outdated by the time they could have gone on.
    pub tries: u32,
    /// Its last search, or the one that is open.
    pub search: PartialSearch,
    /// Passes like the last that a search looks ahead while it finds nothing near.
    pub patience: f64,
    /// What this pass does with it.
    pub plan: Plan,
    /// Whether a search took away a region that bore a load, and the bodies have been at rest since.
    pub has_lost_support: bool,
    /// b in a's space in the pass that decided the certainty.
    pub judged_at: Option<Pose>,
    /// The probability that they intersect, and where b was in a's space, when that was last estimated.
    pub estimated: Option<(f64, Pose)>,
    /// Whether the margin of its last search was made for a pass of any length and for rare searches.
    pub is_bounded: bool,
    /// How deep (m) its next search must look: so far triangles reached through each other, deeper than the
    /// last search could see.
    pub depth_sought: f64,
    /// The margin (m) of the last whole search if it found no candidates: surfaces were farther apart.
    pub clearance: f64,
    /// While it is unsearched: where it probably intersects.
    pub regions: Vec<Region>,
}

impl SearchState {
    /// Known for certain in this pass.
    pub fn mark_proven(&mut self) {
        self.certainty = Certainty::Proven;
        self.waited = 0;
    }

    /// Left to a guess in this pass.
    pub fn mark_guessed(&mut self, probability: f64, at: Pose) {
        self.certainty = Certainty::Likely(probability);
        self.judged_at = Some(at);
    }

    /// Whether there is nothing to search for: all was found at the pair's pose.
    pub fn is_proven(&self) -> bool {
        self.certainty == Certainty::Proven
    }

    /// Surfaces changed: what was known of where they are no longer holds.
    pub fn forget_place(&mut self) {
        self.clearance = 0.0;
        self.estimated = None;
    }
}

/// Keeps an entry for each of the pairs that are near now, in their order, and takes over those of pairs that
/// were near before. Both are sorted by bodies.
#[derive(Default)]
pub(super) struct SearchStates {
    pub active: Vec<SearchState>,
    previous: Vec<SearchState>,
    spare: Vec<SearchState>,
}

impl SearchStates {
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

    /// Buffers of an entry that is over serve a new one.
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
    fn what_is_known_of_a_pair_is_forgotten_once_it_parts() {
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
