//! What pairs of nodes say, weighed by what was found on other meshes: the paper's quantities, corrected where
//! its promise is badly kept. \[adb\] §3.3, and where this leaves it
//!
//! Two surfaces cross in a pair of nodes at a rate λ, so that p = 1 − exp(−λ), and ln λ is a sum of weighted
//! [features](FEATURE_COUNT). Over all pairs that are still open the rates add up; how sure the answer of a
//! whole query is follows from [`Evidence`] by a logistic law. The weights of each kind are fitted to
//! generated meshes by `tumble bench adb-calibration`, which also says how well they hold on others.

use super::AdbKind;
use super::pair::Seen;

/// One, ln of the share of the smaller box that both fill (estimated), how far apart the logarithms of the
/// boxes' volumes are, how many of the two are leaves, and ln of the shares of cells that are possible collision
/// cells, of the smaller box and of the larger.
///
/// How deep two nodes are is not one, other than in the paper: what a tree's longest branch is says nothing
/// of the others.
pub const FEATURE_COUNT: usize = 6;

/// See [`Evidence::features`].
pub const EVIDENCE_COUNT: usize = 6;

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

    /// What the law of a whole query is linear in: one, ln of the sum of rates and of the largest, whether the
    /// query has come to an end, and ln of the number of tests and of the share of them that were not apart.
    ///
    /// No product of two of them: it would fit the meshes that weights are fitted to a little better, and
    /// answer with confidence where none of them has been.
    pub fn features(&self) -> [f64; EVIDENCE_COUNT] {
        let ln = |x: f64| libm::log(x);
        let [sum, max] = [self.rate_sum, self.rate_max].map(|rate| ln(rate.max(LEAST_RATE)));
        let tests = f64::from(self.test_count) + 1.0;
        let ended = if self.open_count == 0 { 1.0 } else { 0.0 };
        [1.0, sum, max, ended, ln(tests), ln((f64::from(self.meeting_count) + 1.0) / tests)]
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

/// Cells that a node has beside those counted: one that has none may still hold slivers.
const UNCOUNTED_CELLS: f32 = 8.0;

pub(super) fn log_filled(cell_count: u16) -> f32 {
    libm::logf((f32::from(cell_count) + UNCOUNTED_CELLS) / 512.0)
}

/// The features of two nodes whose boxes share `share` of the smaller one. Which comes first does not matter.
pub(super) fn features([a, b]: [&Seen; 2], share: f32) -> [f32; FEATURE_COUNT] {
    let leaf_count = u8::from(a.is_leaf) + u8::from(b.is_leaf);
    let larger = a.log_volume - b.log_volume;
    let a_is_small = larger < 0.0 || (larger == 0.0 && a.log_filled < b.log_filled);
    let (small, large) = if a_is_small { (a, b) } else { (b, a) };
    [
        1.0,
        libm::logf(share.max(1e-6)),
        larger.abs(),
        f32::from(leaf_count),
        small.log_filled,
        large.log_filled,
    ]
}

impl Weights {
    /// ln λ.
    pub(super) fn log_rate(&self, features: &[f32; FEATURE_COUNT]) -> f32 {
        features.iter().zip(&self.pair).map(|(x, weight)| x * weight).sum()
    }

    /// Fitted to generated meshes: `tumble bench adb-calibration`. Single triangles, and sheets of a few, are
    /// thought to meet too often, by a quarter and more: flat boxes that overlap hold triangles that miss.
    ///
    /// Octrees know least after as many tests: one opening takes up to 64. Their cells, and the boxes of
    /// boxtrees, stick out from what they hold, so that the share two of them have in common says less, and the
    /// numbers of cells more, than with boxes that fit.
    pub fn of(kind: AdbKind) -> Self {
        match kind {
            AdbKind::Aabb => Self {
                pair: [2.256, 1.158, -0.270, 0.145, 0.368, 0.623],
                query: [1.233, 0.776, 1.213, -0.165, 0.058, 1.471],
            },
            AdbKind::Octree => Self {
                pair: [3.807, 1.273, -0.549, 0.190, 0.747, 0.931],
                query: [1.939, 1.243, 0.423, -0.425, -0.299, 1.243],
            },
            AdbKind::Boxtree => Self {
                pair: [2.471, 1.262, -0.321, 0.292, 0.415, 0.712],
                query: [1.368, 1.293, 0.611, -0.183, -0.401, 0.384],
            },
            AdbKind::Dop24 => Self {
                pair: [1.892, 0.847, -0.145, 0.214, 0.352, 0.551],
                query: [1.279, 0.517, 1.876, -0.606, 0.380, 2.420],
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3A;

    use super::*;
    use crate::random::Random;

    fn node(random: &mut Random) -> Seen {
        let cell_count = (512.99 * random.uniform()) as u16;
        Seen {
            half: Vec3A::ONE,
            volume: 8.0,
            log_volume: (20.0 * random.signed()) as f32,
            is_leaf: random.uniform() < 0.5,
            cell_count,
            log_filled: log_filled(cell_count),
        }
    }

    #[test]
    fn probabilities_are_from_zero_to_one_and_zero_for_a_proof() {
        for weights in AdbKind::ALL.map(Weights::of) {
            for rate in [0.0, f64::MIN_POSITIVE, 1e-3, 1.0, 1e6, f64::MAX, f64::INFINITY] {
                for count in [0, 1, 100, u32::MAX] {
                    let evidence = Evidence {
                        rate_sum: rate,
                        rate_max: rate,
                        test_count: count,
                        meeting_count: count,
                        open_count: count,
                    };
                    let p = evidence.probability(&weights);
                    assert!((0.0..=1.0).contains(&p), "{evidence:?}: {p}");
                    assert_eq!(evidence.is_proof(), rate == 0.0 && count == 0);
                    assert!(!evidence.is_proof() || p == 0.0);
                }
            }
        }
    }

    #[test]
    fn more_to_share_more_cells_and_higher_rates_make_nothing_less_likely() {
        let mut random = Random::new(1, 0);
        for weights in AdbKind::ALL.map(Weights::of) {
            for _ in 0..200 {
                let (a, b) = (node(&mut random), node(&mut random));
                let rate = |a: &Seen, share: f32| weights.log_rate(&features([a, &b], share));
                let share = random.uniform() as f32;
                assert!(rate(&a, share) <= rate(&a, (1.5 * share).min(1.0)));
                assert!(rate(&a, share) >= rate(&a, 0.0));
                let fuller = Seen { log_filled: a.log_filled + 0.5, ..a };
                assert!(rate(&a, share) <= rate(&fuller, share));
                let test_count = 1 + (1000.0 * random.uniform()) as u32;
                let (meeting_count, open_count) = (test_count / 2, test_count / 4);
                let rate_max = 3.0 * random.uniform();
                let few =
                    Evidence { rate_sum: 2.0 * rate_max, rate_max, test_count, meeting_count, open_count };
                let p = few.probability(&weights);
                assert!(Evidence { rate_sum: 3.0 * rate_max, ..few }.probability(&weights) >= p);
                assert!(Evidence { rate_max: 1.5 * rate_max, ..few }.probability(&weights) >= p);
            }
        }
    }

    #[test]
    fn which_node_comes_first_does_not_matter() {
        let mut random = Random::new(2, 0);
        for _ in 0..200 {
            let (a, b) = (node(&mut random), node(&mut random));
            let level = Seen { log_volume: a.log_volume, ..b };
            for other in [b, level] {
                assert_eq!(features([&a, &other], 0.3), features([&other, &a], 0.3));
            }
        }
    }
}
