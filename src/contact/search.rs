//! What the search of a pair looks for, and the triangle pairs that it has found.

use super::candidate_list::{CandidateList, Skin};
use crate::pose::Pose;

/// What *query* has to do for a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Due {
    /// Nothing: the contacts are up to date.
    #[default]
    Nothing,
    /// Judge the candidates.
    Candidates,
    /// Find candidates in parts, each to be judged before the next: they are more than are kept.
    Parts,
}

/// What becomes of overlap that is deeper than contacts are foreseen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// It is looked for, as deep as is known and a share more.
    #[default]
    Sought,
    /// The contacts that have it are carried along with the bodies.
    Recycled,
}

/// How far apart triangles are looked for, and which were found.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Within which triangles matter, m.
    pub margin: f64,
    /// Below which distance contacts are foreseen, m: for one pass or several.
    pub foreseen: f64,
    pub depth: Depth,
    /// Triangle pairs whose boxes came within the margin: written by *test*, read by *query*; the last of
    /// them where they come in parts.
    pub candidates: Vec<[u32; 2]>,
    /// For how long the candidates are all there are, if they are.
    pub list: Option<CandidateList>,
    pub due: Due,
}

impl Search {
    /// Forgets everything but its buffer.
    pub(super) fn clear(&mut self) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        *self = Self { candidates, ..Self::default() };
    }

    /// Forgets the candidates: they must be found anew.
    pub fn forget(&mut self) {
        self.candidates.clear();
        self.list = None;
    }

    /// Notes that the candidates are all there are within the margin while bodies move no farther than their
    /// room from where they were found, with b `at` in a's space, and what finding them took.
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
