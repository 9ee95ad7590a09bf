//! The trait of a model: the probability that surfaces intersect, given the occupancy counts of two
//! nodes.

use glam::Vec3A;

use super::evidence::Evidence;
use super::features::FEATURE_COUNT;
use super::nodes::CellNodes;
use super::pair::{CountedA, CountedB, NodePairs};
use super::target::Target;

/// Outcome of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Collision,
    NoCollision,
    /// The limit of node tests was reached.
    Interrupted,
}

/// Two nodes that are not apart, and the vector between them.
pub struct Meeting<'a, T: CellNodes> {
    pub two: &'a NodePairs<'a, T>,
    pub a: &'a CountedA<T>,
    pub b: &'a CountedB<T>,
    /// Vector from the center of a's box to that of b's, in the frame of each, m.
    pub way: [Vec3A; 2],
    pub features: &'a [f32; FEATURE_COUNT],
}

/// Further treatment of a pair of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The pair is queued to be opened.
    Wait,
    /// The pair counts as it is, and is not opened.
    End,
    /// The pair is discarded.
    Drop,
}

/// Model that derives probabilities from occupancy counts.
pub trait Model {
    /// Whether the query checks the target after every opening. Otherwise the checks become rarer as
    /// the query proceeds.
    const ASKS_ALWAYS: bool;

    /// Returns a score that increases with the probability that surfaces intersect in a pair of nodes.
    fn score<T: CellNodes>(&self, meeting: &Meeting<T>) -> f32;

    /// Returns whether a pair of this score counts as an intersection.
    fn counts(&self, score: f32, target: &Target) -> bool;

    fn fate(&self, score: f32, counts: bool) -> Fate;

    /// Returns the rate at which surfaces cross in a pair of this score: p = 1 − exp(−rate).
    fn rate(&self, score: f32) -> f64;

    /// Returns the probability that surfaces intersect in a pair of this score.
    fn probability(&self, score: f32) -> f32;

    /// Returns the probability that the surfaces intersect at all.
    fn whole(&self, evidence: &Evidence) -> f64;

    /// Returns the outcome if the target is met by `found` counted pairs or by the evidence, which is
    /// computed on demand.
    fn decides(&self, target: &Target, found: u32, evidence: impl FnOnce() -> Evidence) -> Option<Outcome>;

    /// Returns the outcome if no pair is left to open and no outcome was decided.
    fn ends(&self, evidence: &Evidence) -> Outcome;
}
