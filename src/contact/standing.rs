//! Where a pair stands when searches are limited: how far what is known of it can be trusted, how long it has
//! waited, what its search costs.

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
pub enum Plan {
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
    Hold,
}

/// A search that may take several passes, each of which goes on where the one before was ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Search {
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
    /// Deepest overlap (m) found so far, and whether triangles intersect.
    pub deepest: f64,
    pub is_crossing: bool,
    /// How far (m) triangles that intersect reach through each other.
    pub sunk: f64,
    /// Where its traversal is kept.
    pub slot: Option<u32>,
}

impl Search {
    /// Whether this pass's candidates are a part of its candidates.
    pub fn is_part(&self) -> bool {
        self.is_open || self.is_continued
    }
}

/// Kept with a pair from pass to pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing {
    pub certainty: Certainty,
    /// Passes since it was last known for certain, or its search was given up.
    pub waited: u32,
    /// Node tests its next search will cost, candidates included; zero if nothing is known.
    pub cost: u64,
    /// Searches in a row that were ended early and outdated by the time they could have gone on.
    pub tries: u32,
    /// Its last search, or the one that is open.
    pub search: Search,
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
    /// How deep (m) its next search must look: so far triangles reached through each other, deeper than the last
    /// search could see.
    pub depth_sought: f64,
    /// b in a's space when the scene started, until the pair is searched as a whole.
    pub modelled_at: Option<Pose>,
    /// The margin (m) of the last whole search if it found no candidates: surfaces were farther apart.
    pub clearance: f64,
}

impl Standing {
    /// Known for certain in this pass.
    pub fn prove(&mut self) {
        self.certainty = Certainty::Proven;
        self.waited = 0;
    }

    /// Left to a guess in this pass.
    pub fn starve(&mut self, probability: f64, at: Pose) {
        self.certainty = Certainty::Likely(probability);
        self.judged_at = Some(at);
    }
}
