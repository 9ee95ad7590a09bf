//! Model with calibrated weights: the paper's quantities, with weights that correct the paper's model.
//! \[adb\] §3.3, and departures from it
//!
//! For a pair of nodes, λ is the expected number of intersections of their surfaces, so that they
//! intersect with p = 1 − exp(−λ). ln λ is a weighted sum of the pair's
//! [features](super::FEATURE_COUNT). The rates of all pairs that were not opened further are added. A
//! logistic model derives the probability for the whole surfaces from [`Evidence`]. `tumble bench
//! adb-calibration` fits the weights of each kind to generated meshes and reports their quality on
//! other meshes.

use super::evidence::{EVIDENCE_COUNT, Evidence};
use super::features::FEATURE_COUNT;
use super::kind::AdbKind;
use super::model::{Fate, Meeting, Model, Outcome};
use super::nodes::CellNodes;
use super::target::Target;

/// Weights fitted to one kind of hierarchy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub pair: [f32; FEATURE_COUNT],
    pub query: [f64; EVIDENCE_COUNT],
}

impl Weights {
    /// Returns ln λ for the features of a pair.
    pub(super) fn log_rate(&self, features: &[f32; FEATURE_COUNT]) -> f32 {
        features.iter().zip(&self.pair).map(|(x, weight)| x * weight).sum()
    }

    /// Returns the weights of a kind, which `tumble bench adb-calibration` fitted to generated meshes.
    /// For single triangles and sheets of a few triangles, the probability is too high by a quarter or
    /// more, because two flat boxes often overlap although the triangles in them miss each other.
    ///
    /// After equally many tests, octrees are the least certain, because opening one pair takes up to 64
    /// tests. The cells of octrees and the boxes of boxtrees extend beyond their content. Compared with
    /// tight boxes, their shared volume therefore matters less, and their occupancy counts matter more.
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

/// Largest ln λ; a larger one is clamped to it. At this value an intersection is practically certain.
const MOST_LOG_RATE: f32 = 3.0;

/// Score of a pair with a probability of one half: ln λ = ln ln 2.
const EVEN_SCORE: f32 = -0.366_512_9;

/// Model with ln λ as the score of a pair.
impl Model for Weights {
    const ASKS_ALWAYS: bool = false;

    fn score<T: CellNodes>(&self, meeting: &Meeting<T>) -> f32 {
        self.log_rate(meeting.features)
    }

    fn counts(&self, score: f32, _: &Target) -> bool {
        score >= EVEN_SCORE
    }

    fn fate(&self, _: f32, _: bool) -> Fate {
        Fate::Wait
    }

    fn rate(&self, score: f32) -> f64 {
        f64::from(libm::expf(score.min(MOST_LOG_RATE)))
    }

    fn probability(&self, score: f32) -> f32 {
        -libm::expm1(-self.rate(score)) as f32
    }

    fn whole(&self, evidence: &Evidence) -> f64 {
        evidence.probability(&self.query)
    }

    fn decides(&self, target: &Target, _: u32, evidence: impl FnOnce() -> Evidence) -> Option<Outcome> {
        let p = evidence().probability(&self.query);
        let sure = (p >= target.p_min()).then_some(Outcome::Collision);
        sure.or((p <= 1.0 - target.p_min()).then_some(Outcome::NoCollision))
    }

    fn ends(&self, evidence: &Evidence) -> Outcome {
        if self.whole(evidence) >= 0.5 { Outcome::Collision } else { Outcome::NoCollision }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3A;

    use super::*;
    use crate::estimate::features::{Seen, features, log_filled};
    use crate::random::Random;

    fn node(random: &mut Random) -> Seen {
        let cell_count = (512.99 * random.uniform()) as u16;
        Seen {
            half: Vec3A::ONE,
            volume: 8.0,
            log_volume: (20.0 * random.signed()) as f32,
            is_leaf: random.uniform() < 0.5,
            cell_count,
            log_filled: log_filled(cell_count, 512),
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
                    let p = evidence.probability(&weights.query);
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
                let p = few.probability(&weights.query);
                assert!(Evidence { rate_sum: 3.0 * rate_max, ..few }.probability(&weights.query) >= p);
                assert!(Evidence { rate_max: 1.5 * rate_max, ..few }.probability(&weights.query) >= p);
            }
        }
    }

    #[test]
    fn weights_are_symmetric_in_the_two_nodes() {
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
