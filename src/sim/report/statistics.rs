//! Statistics of a value per step. A percentile is by nearest rank: the smallest value that at least
//! the given share of the steps does not exceed. Memory does not grow with the number of steps, because
//! values that differ by less than 0.4 % may count as the larger of them. A percentile is always a
//! value that occurred. Without steps, all statistics are 0.

use std::collections::BTreeMap;

use serde::Serialize;

/// Distribution of a value over all steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distribution {
    pub mean: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

impl Distribution {
    /// Returns the distribution of values, which must not be negative.
    pub fn of(values: &[f64]) -> Self {
        let mut spread = Spread::default();
        values.iter().for_each(|&value| spread.add(value));
        spread.distribution()
    }
}

/// Accumulator of values that are not negative.
#[derive(Clone, Debug, Default)]
pub struct Spread {
    count: u64,
    sum: f64,
    /// Count of values, and largest value, per bucket of equal leading bits.
    buckets: BTreeMap<u64, (u64, f64)>,
}

/// Number of leading bits of an `f64` that select a bucket: sign, exponent and eight bits of the
/// mantissa, which give 256 buckets per doubling. Fewer bits would blur percentiles, more bits would
/// take more memory. With this number there are at most about 10,000 buckets from nanoseconds to hours.
const BUCKET_BITS: u32 = 1 + 11 + 8;

impl Spread {
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        let (count, largest) = self.buckets.entry(value.to_bits() >> (64 - BUCKET_BITS)).or_default();
        *count += 1;
        *largest = largest.max(value);
    }

    pub fn distribution(&self) -> Distribution {
        let Some((_, &(_, max))) = self.buckets.last_key_value() else { return Distribution::default() };
        Distribution {
            mean: self.sum / self.count as f64,
            p50: self.percentile(50),
            p95: self.percentile(95),
            p99: self.percentile(99),
            max,
        }
    }

    /// Returns a percentile, `percent` of 1 to 100; 0 without values.
    fn percentile(&self, percent: u64) -> f64 {
        let mut left = (self.count * percent).div_ceil(100);
        for &(count, largest) in self.buckets.values() {
            if count >= left {
                return largest;
            }
            left -= count;
        }
        0.0
    }
}

/// Mean and maximum of a count per step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Extent {
    pub mean: f64,
    pub max: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_the_nearest_rank() {
        // Values of the usual textbook example of nearest-rank percentiles.
        let values = [40.0, 15.0, 50.0, 20.0, 35.0];
        let d = Distribution::of(&values);
        assert_eq!((d.mean, d.p50, d.p95, d.max), (32.0, 35.0, 50.0, 50.0));
        let mut spread = Spread::default();
        values.iter().for_each(|&v| spread.add(v));
        assert_eq!([5, 30, 40, 41, 100].map(|p| spread.percentile(p)), [15.0, 20.0, 20.0, 35.0, 50.0]);

        let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let d = Distribution::of(&hundred);
        assert_eq!((d.mean, d.p50, d.p95, d.p99, d.max), (50.5, 50.0, 95.0, 99.0, 100.0));
    }

    #[test]
    fn one_step_is_its_own_distribution_and_none_is_zero() {
        let one = Distribution { mean: 7.0, p50: 7.0, p95: 7.0, p99: 7.0, max: 7.0 };
        assert_eq!(Distribution::of(&[7.0]), one);
        assert_eq!(Distribution::of(&[]), Distribution::default());
    }

    #[test]
    fn memory_does_not_grow_with_the_steps() {
        let mut spread = Spread::default();
        let mut sizes = Vec::new();
        for step in 0..200_000_u32 {
            // Values from 1 to 3 ms in scattered order.
            spread.add(1.0 + f64::from(step.wrapping_mul(2_654_435_761)) / f64::from(u32::MAX) * 2.0);
            if step % 50_000 == 49_999 {
                sizes.push(spread.buckets.len());
            }
        }
        assert!(sizes.iter().all(|&s| s == sizes[0] && s <= 512), "{sizes:?}");
    }

    proptest::proptest! {
        #[test]
        fn a_percentile_occurred_and_is_less_than_half_a_percent_off(
            mut values in proptest::collection::vec(0.0..1e3, 1..300),
        ) {
            let d = Distribution::of(&values);
            values.sort_unstable_by(f64::total_cmp);
            for (percent, p) in [(50, d.p50), (95, d.p95), (99, d.p99)] {
                let above = values.iter().filter(|&&v| v > p).count();
                assert!(values.contains(&p));
                assert!(above * 100 <= values.len() * (100 - percent));
                let exact = values[(values.len() * percent).div_ceil(100) - 1];
                assert!((exact..=exact * 1.004).contains(&p), "{p} for {exact}");
            }
            assert!(d.p50 <= d.p95 && d.p95 <= d.p99 && d.p99 <= d.max);
            assert_eq!(d.max, values[values.len() - 1]);
        }
    }
}
