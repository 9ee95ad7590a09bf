//! Probability models of ADB-trees: that of a run, the same model with other weights, and the paper's
//! own. \[adb\] §3.4–3.6
//!
//! - `filled_bins.rs`: distribution of the bins that get both a blue and a red ball.
//! - `finer.rs`: the collision cells of the larger of two nodes within the smaller.
//! - `paper.rs`: the paper's model, its `computeProb`.
//! - `shared_volume.rs`: estimates of the volume that two boxes share, and the volume itself.

mod filled_bins;
mod finer;
mod paper;
mod shared_volume;

use crate::estimate::{AdbScratch, AdbTree, Estimate, Job, Limits, Target, Tested, Weights, estimate_by};
use crate::pose::Pose;
pub use filled_bins::{MAX_BINS, MAX_FILLED, largest_term, tails};
pub use paper::{Combination, Paper, Regions, SharedCells};
pub use shared_volume::VolumeEstimator;

/// Model that turns cell counts into probabilities of an intersection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AdbModel {
    /// Model with the weights of the program, for pairs of nodes and for the whole query; they were
    /// fitted to other meshes. The query ends once the probability of its answer, yes or no, is at
    /// least `p_min`, and at least `k_min` pairs have been opened.
    #[default]
    Fitted,
    /// Model of a run with other weights.
    Weighed(Weights),
    /// Model as printed in the paper. The query ends once `k_min` pairs of nodes have a probability of
    /// at least `p_min`, or no pair is left.
    Paper(Paper),
}

impl AdbModel {
    /// Estimates the probability that surfaces a and b intersect. `b_to_a` is the pose of b in a's
    /// space.
    pub fn estimate(
        self,
        trees: [&AdbTree; 2],
        b_to_a: &Pose,
        target: &Target,
        limits: &Limits,
        scratch: &mut AdbScratch,
    ) -> Estimate {
        self.observe(trees, b_to_a, target, limits, scratch, &mut |_| {})
    }

    /// Estimates as [`AdbModel::estimate`] does, and calls `watch` with every visited pair of nodes
    /// that is not disjoint.
    pub fn observe(
        self,
        trees: [&AdbTree; 2],
        b_to_a: &Pose,
        target: &Target,
        limits: &Limits,
        scratch: &mut AdbScratch,
        watch: &mut impl FnMut(&Tested),
    ) -> Estimate {
        let job = Job { b_to_a, margin: 0.0, target, limits };
        match self {
            Self::Fitted => estimate_by(&Weights::of(trees[0].kind()), trees, &job, scratch, watch),
            Self::Weighed(weights) => estimate_by(&weights, trees, &job, scratch, watch),
            Self::Paper(paper) => estimate_by(&paper, trees, &job, scratch, watch),
        }
    }
}
