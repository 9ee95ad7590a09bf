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

/// Treatment of overlap that is deeper than the speculative distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// The search includes this overlap, down to a multiple of the known depth.
    #[default]
    Sought,
    /// The search omits this overlap: the deep contacts are transformed with the bodies.
    Recycled,
}

/// Search margin of a pair, and the candidates found.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Largest distance of two triangles that can give a contact, m.
    pub margin: f64,
    /// Speculative distance, m: largest separation of a contact, for one pass or several.
    pub foreseen: f64,
    /// Largest distance beside both faces of a concave edge within which a vertex behind them counts as
    /// over them, m: as far as the bodies overlap.
    pub corner: f64,
    pub depth: Depth,
    /// Triangle pairs whose boxes came within the margin: written by *test*, read by *query*. If a
    /// search runs in parts, only those of its last part.
    pub candidates: Vec<[u32; 2]>,
    /// Validity of `candidates`. `None` if they are incomplete.
    pub list: Option<CandidateList>,
    pub due: Due,
}

impl Search {
    /// Resets the search, but keeps the buffer of candidates.
    #[inline]
    pub(super) fn clear(&mut self) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        *self = Self { candidates, ..Self::default() };
    }

    /// Drops the candidates, so that the next pass searches again.
    #[inline]
    pub fn forget(&mut self) {
        self.candidates.clear();
        self.list = None;
    }

    /// Marks the candidates as complete within the margin while the bodies move by at most `skin` from
    /// their present pose. `at`: pose of b in a's space. `node_tests`: cost of the search.
    #[inline]
    pub fn keep_list(&mut self, at: Pose, skin: Skin, node_tests: u64) {
        self.list = Some(CandidateList {
            at,
            margin: self.margin,
            speculative: self.foreseen,
            corner: self.corner,
            skin,
            node_tests,
            candidates: self.candidates.len() as u64,
            passes: 1,
        });
    }
}
