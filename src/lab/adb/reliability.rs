//! Reliability of predicted probabilities: comparison of predictions with observed frequencies.

use super::data::Answer;

/// Number of bins of equal width for probabilities from 0 to 1.
const BINS: usize = 10;
/// Total weight of a bin's answers below which the diagram omits the bin.
const LEAST_ANSWERS: f64 = 20.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bin {
    weight: f64,
    said: f64,
    so: f64,
    /// Variance of the number of collisions if predictions are calibrated.
    variance: f64,
}

/// Answers binned by predicted probability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reliability {
    bins: [Bin; BINS],
    pub count: u64,
    colliding: f64,
    false_alarms: f64,
    missed: f64,
}

impl Reliability {
    pub fn of(answers: &[Answer]) -> Self {
        let mut all = Self::default();
        for Answer { estimate, meets } in answers {
            all.add(estimate.probability, estimate.is_collision(), *meets);
        }
        all
    }

    pub fn add(&mut self, probability: f64, says: bool, is_so: bool) {
        let bin = &mut self.bins[((probability * BINS as f64) as usize).min(BINS - 1)];
        let so = f64::from(u8::from(is_so));
        bin.weight += 1.0;
        bin.said += probability;
        bin.so += so;
        bin.variance += probability * (1.0 - probability);
        self.count += 1;
        self.colliding += so;
        self.false_alarms += f64::from(u8::from(says && !is_so));
        self.missed += f64::from(u8::from(!says && is_so));
    }

    pub fn merge(&mut self, other: &Self) {
        for (own, other) in self.bins.iter_mut().zip(&other.bins) {
            own.weight += other.weight;
            own.said += other.said;
            own.so += other.so;
            own.variance += other.variance;
        }
        self.count += other.count;
        self.colliding += other.colliding;
        self.false_alarms += other.false_alarms;
        self.missed += other.missed;
    }

    /// Returns the expected calibration error: the mean absolute difference of prediction and frequency
    /// per bin, weighted by the bins' answers.
    pub fn calibration_error(&self) -> f64 {
        self.share(self.bins.iter().map(|bin| (bin.said - bin.so).abs()).sum())
    }

    /// Returns the calibration error to expect by chance from the same number of answers if predictions
    /// are perfectly calibrated.
    pub fn chance_error(&self) -> f64 {
        self.share(self.bins.iter().map(|bin| (bin.variance * std::f64::consts::FRAC_2_PI).sqrt()).sum())
    }

    /// Returns the share of false collisions among all answers. The error rate is the sum of this share
    /// and the missed share.
    pub fn false_share(&self) -> f64 {
        self.share(self.false_alarms)
    }

    pub fn missed_share(&self) -> f64 {
        self.share(self.missed)
    }

    pub fn colliding_share(&self) -> f64 {
        self.share(self.colliding)
    }

    fn share(&self, part: f64) -> f64 {
        part / self.count.max(1) as f64
    }

    /// Returns the points of a reliability diagram: mean prediction and observed frequency per bin.
    pub fn points(&self) -> Vec<(f64, f64)> {
        let enough = self.bins.iter().filter(|bin| bin.weight >= LEAST_ANSWERS);
        enough.map(|bin| (bin.said / bin.weight, bin.so / bin.weight)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn promises_that_are_kept_have_no_error_and_others_theirs() {
        let mut all = Reliability::default();
        for k in 0..100 {
            all.add(0.25, false, k % 4 == 0);
        }
        assert!(all.calibration_error() < 1e-12 && all.false_share() == 0.0);
        assert!((all.missed_share() - 0.25).abs() < 1e-12);
        for _ in 0..100 {
            all.add(1.0, true, false);
        }
        assert!((all.calibration_error() - 0.5).abs() < 1e-12, "{}", all.calibration_error());
        assert!((all.false_share() - 0.5).abs() < 1e-12);
        assert_eq!(all.points(), [(0.25, 0.25), (1.0, 0.0)]);
        let mut twice = all.clone();
        twice.merge(&all);
        assert_eq!(twice.calibration_error(), all.calibration_error());
        assert_eq!(Reliability::default().calibration_error(), 0.0);
    }

    #[test]
    fn few_answers_are_off_by_chance() {
        let mut random = Random::new(2, 0);
        let (mut found, mut expected) = (0.0, 0.0);
        for _ in 0..100 {
            let mut few = Reliability::default();
            for _ in 0..100 {
                let p = random.uniform();
                few.add(p, p >= 0.5, random.uniform() < p);
            }
            (found, expected) = (found + few.calibration_error(), expected + few.chance_error());
        }
        assert!((found / expected - 1.0).abs() < 0.1, "{found} {expected}");
    }
}
