//! What the numbers of cells of two nodes are taken to mean: a model of how likely surfaces meet.

use glam::Vec3A;

use super::evidence::Evidence;
use super::features::FEATURE_COUNT;
use super::nodes::CellNodes;
use super::pair::{CountedA, CountedB, NodePairs};
use super::target::Target;

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Collision,
    NoCollision,
    /// By its limit of node tests.
    Interrupted,
}

/// Two nodes that are not apart, and the way between them.
pub struct Meeting<'a, T: CellNodes> {
    pub two: &'a NodePairs<'a, T>,
    pub a: &'a CountedA<T>,
    pub b: &'a CountedB<T>,
    /// From the centre of a's box to that of b's, in the frame of each, m.
    pub way: [Vec3A; 2],
    pub features: &'a [f32; FEATURE_COUNT],
}

/// What becomes of a pair of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It waits to be opened.
    Wait,
    /// It counts as it is, and is not opened.
    End,
    /// Nothing is in it.
    Drop,
}

/// How numbers of cells become probabilities.
pub trait Model {
    /// Whether the query asks after every opening if it has found enough, or the less often the longer it
    /// takes.
    const ASKS_ALWAYS: bool;

    /// The more likely surfaces meet in a pair of nodes, the higher.
    fn score<T: CellNodes>(&self, meeting: &Meeting<T>) -> f32;

    /// Whether a pair of this score counts as one in which surfaces meet.
    fn counts(&self, score: f32, target: &Target) -> bool;

    fn fate(&self, score: f32, counts: bool) -> Fate;

    /// The rate at which surfaces cross in a pair of this score: p = 1 − exp(−rate).
    fn rate(&self, score: f32) -> f64;

    /// That surfaces meet in a pair of this score.
    fn probability(&self, score: f32) -> f32;

    /// That the surfaces meet at all.
    fn whole(&self, evidence: &Evidence) -> f64;

    /// Whether what is found is enough: `found` pairs that count, and the evidence if it is asked for.
    fn decides(&self, target: &Target, found: u32, evidence: impl FnOnce() -> Evidence) -> Option<Outcome>;

    /// When nothing is left to open and nothing was decided.
    fn ends(&self, evidence: &Evidence) -> Outcome;
}
