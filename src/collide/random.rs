//! Pseudo-random numbers that are the same on every platform for the same seed.

use glam::DQuat;

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same numbers on every platform.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the generator of `seed` and `stream`. Different streams of one seed give different
    /// numbers.
    #[inline]
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Returns a number uniform in [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number uniform in [−1, 1).
    #[inline]
    pub fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Returns a rotation drawn uniformly from all rotations, by rejection sampling in the
    /// four-dimensional ball.
    #[inline]
    pub fn rotation(&mut self) -> DQuat {
        loop {
            let q = DQuat::from_xyzw(self.signed(), self.signed(), self.signed(), self.signed());
            if (0.01..=1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }
}
