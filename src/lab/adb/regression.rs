//! Regression for probabilities: maximum-likelihood weights, with a small penalty on large weights.
//!
//! Newton's method with expected second derivatives (Fisher scoring). Each step is halved until the
//! likelihood rises. The penalty keeps weights finite if the features separate the outcomes perfectly.

use crate::arrays::from_each;

/// Function that turns a score s, the weighted sum of the features, into a probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// 1 / (1 + exp(−s)).
    Logistic,
    /// 1 − exp(−exp(s)): the probability of at least one event if events have the rate exp(s).
    Rate,
}

/// One observation: features and outcome.
#[derive(Clone, Copy, Debug)]
pub struct Observation<const N: usize> {
    /// Values of the features; the first is 1.
    pub features: [f64; N],
    pub happened: bool,
    /// Weight of the observation in the likelihood.
    pub weight: f64,
}

/// Penalty per square of a weight. The weight of the constant feature has none.
const PENALTY: f64 = 1e-4;
const STEPS: usize = 60;
const HALVINGS: usize = 20;
/// Gain of likelihood in a step below which the search stops.
const ENOUGH: f64 = 1e-9;
/// Absolute score beyond which probabilities are practically 0 or 1.
const MOST_SCORE: f64 = 30.0;
const LEAST_PROBABILITY: f64 = 1e-12;

impl Law {
    /// Returns the probability for a score, and its derivative.
    fn at(self, score: f64) -> (f64, f64) {
        let (p, slope) = match self {
            Self::Logistic => {
                let p = 1.0 / (1.0 + libm::exp(-score.clamp(-MOST_SCORE, MOST_SCORE)));
                (p, p * (1.0 - p))
            }
            Self::Rate => {
                let rate = libm::exp(score.clamp(-MOST_SCORE, 3.0));
                (-libm::expm1(-rate), rate * libm::exp(-rate))
            }
        };
        (p.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY), slope)
    }

    /// Returns the maximum-likelihood weights. Weights of the features in `rising` are at least 0, so
    /// that the event never becomes less likely as such a feature grows.
    pub fn fit<const N: usize>(self, seen: &[Observation<N>], rising: &[usize]) -> [f64; N] {
        let mut free = [true; N];
        loop {
            let weights = self.climb(seen, &free);
            let mut falls = rising.iter().filter(|&&k| weights[k] < 0.0).peekable();
            if falls.peek().is_none() {
                return weights;
            }
            falls.for_each(|&k| free[k] = false);
        }
    }

    /// Climbs to the maximum of the likelihood. Weights that are not `free` stay zero.
    fn climb<const N: usize>(self, seen: &[Observation<N>], free: &[bool; N]) -> [f64; N] {
        let mut weights = [0.0; N];
        let mut best = self.likelihood(seen, &weights);
        for _ in 0..STEPS {
            let step = self.step(seen, &weights, free);
            let mut factor = 1.0;
            let next = (0..HALVINGS).find_map(|_| {
                let next: [f64; N] = from_each(|k| weights[k] + factor * step[k]);
                let likelihood = self.likelihood(seen, &next);
                factor *= 0.5;
                (likelihood > best).then_some((next, likelihood))
            });
            let Some((next, likelihood)) = next else { break };
            let gain = likelihood - best;
            (weights, best) = (next, likelihood);
            if gain < ENOUGH {
                break;
            }
        }
        weights
    }

    fn likelihood<const N: usize>(self, seen: &[Observation<N>], weights: &[f64; N]) -> f64 {
        let one = |o: &Observation<N>| {
            let (p, _) = self.at(dot(&o.features, weights));
            o.weight * libm::log(if o.happened { p } else { 1.0 - p })
        };
        seen.iter().map(one).sum::<f64>() - 0.5 * PENALTY * weights[1..].iter().map(|w| w * w).sum::<f64>()
    }

    /// Returns the step of Fisher scoring at the given weights.
    fn step<const N: usize>(self, seen: &[Observation<N>], weights: &[f64; N], free: &[bool; N]) -> [f64; N] {
        let (mut slope, mut curvature) = ([0.0; N], [[0.0; N]; N]);
        for o in seen {
            let (p, growth) = self.at(dot(&o.features, weights));
            let scale = o.weight * growth / (p * (1.0 - p));
            let (first, second) = (scale * (f64::from(u8::from(o.happened)) - p), scale * growth);
            for (i, x) in o.features.iter().enumerate() {
                slope[i] += first * x;
                for (j, y) in o.features[..=i].iter().enumerate() {
                    curvature[i][j] += second * x * y;
                }
            }
        }
        for k in 0..N {
            if !free[k] {
                (slope[k], curvature[k]) = (0.0, [0.0; N]);
                curvature.iter_mut().for_each(|row| row[k] = 0.0);
            }
            let penalty = if k == 0 { 0.0 } else { PENALTY };
            slope[k] -= penalty * weights[k];
            // Without a minimum the matrix is singular if a feature is constant.
            curvature[k][k] += penalty.max(1e-9);
        }
        solve(&curvature, slope)
    }
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Solves a linear system by Cholesky factorization. Only the lower half of the matrix is read; the
/// matrix must be positive definite.
fn solve<const N: usize>(matrix: &[[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    let mut factor = *matrix;
    for i in 0..N {
        for j in 0..=i {
            let rest = matrix[i][j] - (0..j).map(|k| factor[i][k] * factor[j][k]).sum::<f64>();
            factor[i][j] = if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / factor[j][j] };
        }
    }
    for i in 0..N {
        right[i] = (right[i] - (0..i).map(|k| factor[i][k] * right[k]).sum::<f64>()) / factor[i][i];
    }
    for i in (0..N).rev() {
        right[i] = (right[i] - (i + 1..N).map(|k| factor[k][i] * right[k]).sum::<f64>()) / factor[i][i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn drawn(law: Law, weights: [f64; 3]) -> Vec<Observation<3>> {
        let mut random = Random::new(1, 0);
        let one = |_| {
            let features = [1.0, 2.0 * random.signed(), random.signed() - 1.0];
            let happened = random.uniform() < law.at(dot(&features, &weights)).0;
            Observation { features, happened, weight: 0.01 }
        };
        (0..20_000).map(one).collect()
    }

    #[test]
    fn the_weights_that_outcomes_were_drawn_from_are_found_again() {
        for law in [Law::Logistic, Law::Rate] {
            let right = [-0.4, 1.3, -0.7];
            let found = law.fit(&drawn(law, right), &[]);
            for (found, right) in found.iter().zip(right) {
                assert!((found - right).abs() < 0.12, "{law:?}: {found} for {right}");
            }
        }
    }

    #[test]
    fn a_weight_that_must_not_fall_is_zero_where_it_would() {
        for law in [Law::Logistic, Law::Rate] {
            let found = law.fit(&drawn(law, [-0.4, 1.3, -0.7]), &[1, 2]);
            assert!(found[1] > 1.0 && found[2] == 0.0, "{law:?}: {found:?}");
        }
    }

    #[test]
    fn weights_stay_finite_for_outcomes_that_can_be_told_apart_and_features_that_cannot() {
        for law in [Law::Logistic, Law::Rate] {
            let one = |k: i32| {
                let x = f64::from(k) - 9.5;
                Observation { features: [1.0, x, x, 0.0], happened: k >= 10, weight: 1.0 }
            };
            let seen: Vec<_> = (0..20).map(one).collect();
            let found = law.fit(&seen, &[1]);
            assert!(found.iter().all(|w| w.is_finite() && w.abs() < 100.0), "{law:?}: {found:?}");
            for o in &seen {
                let p = law.at(dot(&o.features, &found)).0;
                assert_eq!(p > 0.5, o.happened, "{law:?}: {p}");
            }
            let always = [Observation { features: [1.0, 2.0], happened: true, weight: 1.0 }; 3];
            assert!(law.fit(&always, &[]).iter().all(|w| w.is_finite()));
            assert_eq!(law.fit::<2>(&[], &[1]), [0.0; 2]);
        }
    }
}
