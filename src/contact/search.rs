//! Parameters of a pair's search, and the triangle pairs that it found.

use super::candidate_list::{CandidateList, Skin};
use crate::pose::Pose;

/// Work that *query* has to do for a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Due {
    /// No work: the contacts are up to date.
    #[default]
    Nothing,
    /// The candidates have to be tested.
    Candidates,
    /// Candidates have to be found in parts, each tested before the next is found, because they are too
    /// many to keep.
    Parts,
}

/// Treatment of overlap deeper than the distance for which contacts are foreseen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// A search looks for it, to the known depth and a share more.
    #[default]
    Sought,
    /// The deep contacts are transformed with the bodies.
    Recycled,
}

/// Search margin of a pair, and the candidates found.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Largest distance of triangles that matter, m.
    pub margin: f64,
    /// Distance below which contacts are foreseen for one pass or several, m.
    pub foreseen: f64,
    pub depth: Depth,
    /// Triangle pairs whose boxes came within the margin: written by *test*, read by *query*. Holds
    /// only the last part if they come in parts.
    pub candidates: Vec<[u32; 2]>,
    /// Validity of `candidates`, if they are complete.
    pub list: Option<CandidateList>,
    pub due: Due,
}

impl Search {
    /// Resets everything; keeps the buffer.
    pub(super) fn clear(&mut self) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        *self = Self { candidates, ..Self::default() };
    }

    /// Drops the candidates, so that they are searched again.
    pub fn forget(&mut self) {
        self.candidates.clear();
        self.list = None;
    }

    /// Marks the candidates as complete within the margin while the bodies move by at most `skin` from
    /// their present pose, with b `at` in a's space. `node_tests`: the cost of the search.
    pub fn keep_list(&mut self, at: Pose, skin: Skin, node_tests: u64) {
        self.list = Some(CandidateList {
            at,
            margin: self.margin,
            speculative: self.foreseen,
            skin,
            node_tests,
            candidates: self.candidates.len() as u64,
            passes: 1,
        });
    }
}
