//! Data of a query on a whole pair of surfaces, and the probability derived from it.

use crate::arrays::MapEach;

/// Number of features that [`Evidence::features`] returns.
pub const EVIDENCE_COUNT: usize = 6;

/// State of a query when it ends, is interrupted or checks its target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Sum of the rates λ, with p = 1 − exp(−λ), of all pairs of nodes that are still open or have
    /// ended, such as two leaves.
    pub rate_sum: f64,
    /// Largest of these rates.
    pub rate_max: f64,
    /// Number of pairs of nodes tested.
    pub test_count: u32,
    /// Number of tested pairs that are not apart.
    pub meeting_count: u32,
    /// Number of pairs that are still open.
    pub open_count: u32,
}

/// Least rate in the features; a smaller rate counts as this value.
const LEAST_RATE: f64 = 1e-6;

impl Evidence {
    /// Returns whether no pair is open and the sum of the rates is 0. If the model dropped no pair, the
    /// surfaces are then proven apart.
    pub fn is_proof(&self) -> bool {
        self.open_count == 0 && self.rate_sum == 0.0
    }

    /// Returns the features of the logistic regression for the whole query; its log-odds are a weighted
    /// sum of the features. They are: 1, ln of the sum of rates, ln of the largest rate, 1 if no pair
    /// is open (else 0), ln of the number of tests, and ln of the share of tests whose nodes were not
    /// apart. Both counts are increased by 1 before the logarithm.
    /// No feature is a product of two others. Products would fit the meshes of the calibration slightly
    /// better, but give overconfident answers for very different meshes.
    pub fn features(&self) -> [f64; EVIDENCE_COUNT] {
        let ln = |x: f64| libm::log(x);
        let [sum, max] = [self.rate_sum, self.rate_max].map_each(|rate| ln(rate.max(LEAST_RATE)));
        let tests = f64::from(self.test_count) + 1.0;
        let ended = if self.open_count == 0 { 1.0 } else { 0.0 };
        [1.0, sum, max, ended, ln(tests), ln((f64::from(self.meeting_count) + 1.0) / tests)]
    }

    /// Returns the probability that the surfaces intersect.
    pub(super) fn probability(&self, weights: &[f64; EVIDENCE_COUNT]) -> f64 {
        if self.is_proof() {
            return 0.0;
        }
        let score: f64 = self.features().iter().zip(weights).map(|(x, weight)| x * weight).sum();
        1.0 / (1.0 + libm::exp(-score))
    }
}
