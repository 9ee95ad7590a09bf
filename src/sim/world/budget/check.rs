//! Check of the reliability of guesses. A sample of the pairs that a step left unsearched is tested
//! exactly, outside the timed stages, at the pose of the guess. \[adb\] §4

use serde::Serialize;

/// Guesses of similar probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ReliabilityBin {
    pub count: u64,
    /// Sum of the guessed probabilities.
    pub predicted: f64,
    /// Number of pairs that intersected.
    pub collided: u64,
}

/// Comparison of guesses with exact tests, over a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Check {
    sample: u32,
    /// Guesses in ten equal ranges of probability.
    pub bins: [ReliabilityBin; 10],
}

impl Check {
    /// Makes an empty check that tests one of `sample` guesses on average, or none if `sample` is 0.
    pub fn new(sample: u32) -> Self {
        Self { sample, ..Self::default() }
    }

    pub(super) fn picks(&self, step: u32, (a, b): (u32, u32)) -> bool {
        self.sample > 0 && mixed(step, a, b).is_multiple_of(u64::from(self.sample))
    }

    pub(super) fn add(&mut self, probability: f64, collided: bool) {
        let bin = &mut self.bins[((probability * 10.0) as usize).min(9)];
        bin.count += 1;
        bin.predicted += probability;
        bin.collided += u64::from(collided);
    }

    /// Returns the expected calibration error: in each range of probability, the difference between the
    /// share of collisions and the mean guessed probability, averaged over all guesses.
    pub fn expected_calibration_error(&self) -> f64 {
        let count: u64 = self.bins.iter().map(|b| b.count).sum();
        let apart: f64 = self.bins.iter().map(|b| (b.predicted - b.collided as f64).abs()).sum();
        if count == 0 { 0.0 } else { apart / count as f64 }
    }
}

/// Returns a hash of a step and two bodies (the finalizer of MurmurHash3).
fn mixed(step: u32, a: u32, b: u32) -> u64 {
    let mut x = u64::from(a) << 32 | u64::from(b);
    for part in [0, u64::from(step)] {
        x ^= part.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ x >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        x = (x ^ x >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        x ^= x >> 33;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibrated_guesses_have_no_calibration_error() {
        let mut check = Check::new(1);
        for i in 0..100 {
            check.add(0.25, i % 4 == 0);
            check.add(1.0, true);
        }
        assert_eq!(check.expected_calibration_error(), 0.0);
        assert_eq!((check.bins[2].count, check.bins[9].collided), (100, 100));
        for _ in 0..200 {
            check.add(0.9, false);
        }
        assert!((check.expected_calibration_error() - 0.45).abs() < 1e-12);
    }

    #[test]
    fn a_sample_has_about_its_share() {
        let check = Check::new(16);
        let count = (0..16_000).filter(|&i| check.picks(i / 100, (i % 100, i % 100 + 1))).count();
        assert!((900..1100).contains(&count), "{count}");
    }
}
