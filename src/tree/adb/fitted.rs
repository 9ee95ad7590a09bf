//! What pairs of nodes say, weighed by what was found on other meshes: the paper's quantities, corrected where
//! its promise is badly kept. \[adb\] §3.3, and where this leaves it
//!
//! Two surfaces cross in a pair of nodes at a rate λ, so that p = 1 − exp(−λ), and ln λ is a sum of weighted
//! [features](FEATURE_COUNT). Over all pairs that are still open the rates add up; how sure the answer of a
//! whole query is follows from [`Evidence`] by a logistic law. The weights of each kind are fitted to
//! generated meshes by `tumble bench adb-calibration`, which also says how well they hold on others.

use super::AdbKind;
use super::pair::Seen;

/// One, ln of the share of the smaller box that both fill (estimated), the mean depth of the two nodes
/// in their trees (0 to 1), how far apart the logarithms of the boxes' volumes are, how many of the two are leaves,
/// and the sum of ln of the shares of cells that are possible collision cells.
pub const FEATURE_COUNT: usize = 6;

/// See [`Evidence::features`].
pub const EVIDENCE_COUNT: usize = 8;

/// Fitted to one kind of hierarchy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub pair: [f32; FEATURE_COUNT],
    pub query: [f64; EVIDENCE_COUNT],
}

/// What a query knows when it ends or is interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Of the rates of all pairs of nodes that are open or of two leaves, and the largest.
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

    /// What the law of a whole query is linear in: logarithms of the rates and counts, and two products, as
    /// rates say the more the longer the query has looked.
    pub fn features(&self) -> [f64; EVIDENCE_COUNT] {
        let ln = |x: f64| libm::log(x);
        let [sum, max] = [self.rate_sum, self.rate_max].map(|rate| ln(rate.max(LEAST_RATE)));
        let tests = ln(f64::from(self.test_count.max(1)));
        let ended = if self.open_count == 0 { 1.0 } else { 0.0 };
        let meeting = (f64::from(self.meeting_count) + 1.0) / (f64::from(self.test_count) + 1.0);
        [1.0, sum, max, ended, tests, tests * sum, tests * max, ln(meeting)]
    }

    /// How likely the surfaces intersect.
    pub(super) fn probability(&self, weights: &Weights) -> f64 {
        if self.is_proof() {
            return 0.0;
        }
        let score: f64 = self.features().iter().zip(&weights.query).map(|(x, weight)| x * weight).sum();
        1.0 / (1.0 + libm::exp(-score))
    }
}

pub(super) fn log_filled(cell_count: u16) -> f32 {
    libm::logf((f32::from(cell_count) + 0.5) / 512.0)
}

/// The features of two nodes, `depth` of the way down their trees, whose boxes share `share` of the smaller one.
pub(super) fn features([a, b]: [&Seen; 2], depth: f32, share: f32) -> [f32; FEATURE_COUNT] {
    let leaf_count = u8::from(a.is_leaf) + u8::from(b.is_leaf);
    [
        1.0,
        libm::logf(share.max(1e-6)),
        depth,
        (a.log_volume - b.log_volume).abs(),
        f32::from(leaf_count),
        a.log_filled + b.log_filled,
    ]
}

impl Weights {
    /// ln λ.
    pub(super) fn log_rate(&self, features: &[f32; FEATURE_COUNT]) -> f32 {
        features.iter().zip(&self.pair).map(|(x, weight)| x * weight).sum()
    }

    /// Fitted to generated meshes: `tumble bench adb-calibration`.
    pub fn of(kind: AdbKind) -> Self {
        match kind {
            AdbKind::Aabb => Self {
                pair: [2.599, 1.589, -1.002, -0.455, -0.082, 0.273],
                query: [4.3, 2.142, -3.347, -0.827, -1.079, -0.034, 0.927, 1.415],
            },
            AdbKind::Octree => Self {
                pair: [4.322, 1.736, -0.795, -0.674, -0.049, 0.711],
                query: [7.834, -0.512, -5.99, 1.371, -1.423, 0.384, 1.382, 1.601],
            },
            AdbKind::Boxtree => Self {
                pair: [2.455, 1.627, -0.612, -0.484, -0.013, 0.345],
                query: [3.255, 1.78, -1.67, 0.296, -1.647, 0.182, 0.4, 0.446],
            },
            AdbKind::Dop24 => Self {
                pair: [2.342, 1.296, -0.835, -0.364, -0.024, 0.269],
                query: [5.634, 0.65, -0.479, -1.489, -0.378, 0.097, 0.212, 4.953],
            },
        }
    }
}
