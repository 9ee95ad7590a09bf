//! Trait of a model, which derives the probability of an intersection from the occupancy counts of two
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
    /// The limit on node tests was reached first.
    Interrupted,
}

/// Two nodes that are not apart, with the data from which a model computes the score of the pair.
pub struct Meeting<'a, T: CellNodes> {
    pub two: &'a NodePairs<'a, T>,
    pub a: &'a CountedA<T>,
    pub b: &'a CountedB<T>,
    /// Vector from the center of a's box to the center of b's box, m: in the frame of a, and in the
    /// frame of b.
    pub way: [Vec3A; 2],
    pub features: &'a [f32; FEATURE_COUNT],
}

/// Decision of the model about a tested pair of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The pair is queued and opened later. A pair of leaves ends instead.
    Wait,
    /// The pair is not opened, and its rate counts in the evidence.
    End,
    /// The pair is discarded, and its rate does not count.
    Drop,
}

/// Model that derives probabilities from occupancy counts.
pub trait Model {
    /// Whether the query checks the target after every opened pair. If false, the intervals between
    /// checks grow with the number of tests.
    const ASKS_ALWAYS: bool;

    /// Returns a score that increases with the probability that the surfaces intersect within a pair of
    /// nodes.
    fn score<T: CellNodes>(&self, meeting: &Meeting<T>) -> f32;

    /// Returns whether a pair with this score counts in [`Estimate::found`](super::Estimate::found).
    fn counts(&self, score: f32, target: &Target) -> bool;

    fn fate(&self, score: f32, counts: bool) -> Fate;

    /// Returns the rate λ of a pair with this score, where the probability of an intersection is 1 −
    /// exp(−λ).
    fn rate(&self, score: f32) -> f64;

    /// Returns the probability that the surfaces intersect in a pair with this score.
    fn probability(&self, score: f32) -> f32;

    /// Returns the probability that the two whole surfaces intersect.
    fn whole(&self, evidence: &Evidence) -> f64;

    /// Returns the outcome if the target is met; `None` if the query must go on. A model decides by the
    /// number `found` of counted pairs, or by the evidence, which is computed only when called.
    fn decides(&self, target: &Target, found: u32, evidence: impl FnOnce() -> Evidence) -> Option<Outcome>;

    /// Returns the outcome of a query that has no open pair left and did not meet its target.
    fn ends(&self, evidence: &Evidence) -> Outcome;
}
