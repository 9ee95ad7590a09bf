//! What a query knows of a whole pair of surfaces, and how sure its answer is by it.

use crate::arrays::MapEach;

/// See [`Evidence::features`].
pub const EVIDENCE_COUNT: usize = 6;

/// What a query knows when it ends or is interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The sum of the rates of all pairs of nodes that are open or of two leaves, and the largest.
    pub rate_sum: f64,
    pub rate_max: f64,
    /// Pairs of nodes tested, those of them that are not apart, and those still open.
    pub test_count: u32,
    pub meeting_count: u32,
    pub open_count: u32,
}

/// Rates below are as good as none.
const LEAST_RATE: f64 = 1e-6;

impl Evidence {
    /// Whether nothing is left that could meet: the surfaces are apart for sure.
    pub fn is_proof(&self) -> bool {
        self.open_count == 0 && self.rate_sum == 0.0
    }

    /// What the law of a whole query is linear in: one, ln of the sum of rates and of the largest, whether
    /// the query has come to an end, and ln of the number of tests and of the share of them that were not
    /// apart.
    ///
    /// No product of two of them: it would fit the meshes that weights are fitted to a little better, and
    /// answer with confidence where none of them has been.
    pub fn features(&self) -> [f64; EVIDENCE_COUNT] {
        let ln = |x: f64| libm::log(x);
        let [sum, max] = [self.rate_sum, self.rate_max].map_each(|rate| ln(rate.max(LEAST_RATE)));
        let tests = f64::from(self.test_count) + 1.0;
        let ended = if self.open_count == 0 { 1.0 } else { 0.0 };
        [1.0, sum, max, ended, ln(tests), ln((f64::from(self.meeting_count) + 1.0) / tests)]
    }

    /// How likely the surfaces intersect.
    pub(super) fn probability(&self, weights: &[f64; EVIDENCE_COUNT]) -> f64 {
        if self.is_proof() {
            return 0.0;
        }
        let score: f64 = self.features().iter().zip(weights).map(|(x, weight)| x * weight).sum();
        1.0 / (1.0 + libm::exp(-score))
    }
}
