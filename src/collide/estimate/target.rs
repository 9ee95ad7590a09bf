//! The certainty at which a query ends, and the limits of its work.

/// Certainty that ends a query. In the paper: `k_min` pairs of nodes, each with a probability of at
/// least `p_min`. \[adb\] §3.1
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    p_min: f64,
    k_min: u32,
}

/// Limits of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest number of node pairs tested. The children of the last opened pair may exceed it.
    pub node_tests: u32,
    /// Number of the most likely pairs to keep for [`AdbScratch::likely`](super::AdbScratch::likely).
    pub likely_pairs: usize,
}

impl Default for Limits {
    /// Returns limits without a bound on tests and without likely pairs.
    fn default() -> Self {
        Self { node_tests: u32::MAX, likely_pairs: 0 }
    }
}

/// Reason why a target is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TargetError {
    #[error("p_min must be above 0 and at most 1, not {0}")]
    Probability(f64),
    #[error("k_min must be at least 1, not 0")]
    NoPairs,
}

impl Target {
    /// Builds a target.
    ///
    /// # Errors
    /// Fails if `p_min` is not in (0, 1] or `k_min` is 0.
    pub fn new(p_min: f64, k_min: u32) -> Result<Self, TargetError> {
        if !(p_min > 0.0 && p_min <= 1.0) {
            return Err(TargetError::Probability(p_min));
        }
        if k_min == 0 {
            return Err(TargetError::NoPairs);
        }
        Ok(Self { p_min, k_min })
    }

    pub fn p_min(&self) -> f64 {
        self.p_min
    }

    pub fn k_min(&self) -> u32 {
        self.k_min
    }
}

impl Default for Target {
    /// Returns the target of the paper: `p_min` = 0.99 and `k_min` = 10. \[adb\] §4.3
    fn default() -> Self {
        Self { p_min: 0.99, k_min: 10 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_that_mean_nothing_are_refused() {
        for p_min in [0.0, -0.5, 1.0 + 1e-12, f64::INFINITY, f64::NAN] {
            assert!(matches!(Target::new(p_min, 1), Err(TargetError::Probability(_))), "{p_min}");
        }
        assert_eq!(Target::new(0.5, 0), Err(TargetError::NoPairs));
        assert!(Target::new(1.0, 1).is_ok() && Target::new(f64::MIN_POSITIVE, u32::MAX).is_ok());
    }
}
