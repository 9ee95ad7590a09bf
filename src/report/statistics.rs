//! Statistics of a value per step. A percentile is the nearest-rank one: the smallest value that at least
//! that share of the steps does not exceed, so it is always a value that occurred. Without steps all are 0.

use serde::Serialize;

/// How a cost is spread over the steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distribution {
    pub mean: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

impl Distribution {
    /// Sorts the values.
    pub fn of(values: &mut [f64]) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let Some(&max) = values.last() else { return Self::default() };
        Self {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            p50: percentile(values, 50),
            p95: percentile(values, 95),
            p99: percentile(values, 99),
            max,
        }
    }
}

/// `sorted` is not empty; `percent` in 1..=100.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted[(sorted.len() * percent).div_ceil(100) - 1]
}

/// How many of something a step met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Extent {
    pub mean: f64,
    pub max: u64,
}

impl Extent {
    pub fn of(values: impl ExactSizeIterator<Item = u64> + Clone) -> Self {
        let Some(max) = values.clone().max() else { return Self::default() };
        let count = values.len() as f64;
        Self { mean: values.map(|v| v as f64).sum::<f64>() / count, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_the_nearest_rank() {
        // The five values for which the definition is usually shown.
        let mut values = [40.0, 15.0, 50.0, 20.0, 35.0];
        let d = Distribution::of(&mut values);
        assert_eq!((d.mean, d.p50, d.p95, d.max), (32.0, 35.0, 50.0, 50.0));
        assert_eq!([5, 30, 40, 41, 100].map(|p| percentile(&values, p)), [15.0, 20.0, 20.0, 35.0, 50.0]);

        let mut hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let d = Distribution::of(&mut hundred);
        assert_eq!((d.mean, d.p50, d.p95, d.p99, d.max), (50.5, 50.0, 95.0, 99.0, 100.0));
    }

    #[test]
    fn one_step_is_its_own_distribution_and_none_is_zero() {
        let one = Distribution { mean: 7.0, p50: 7.0, p95: 7.0, p99: 7.0, max: 7.0 };
        assert_eq!(Distribution::of(&mut [7.0]), one);
        assert_eq!(Distribution::of(&mut []), Distribution::default());
        assert_eq!(Extent::of([0; 0].into_iter()), Extent::default());
        assert_eq!(Extent::of([1, 5, 0].into_iter()), Extent { mean: 2.0, max: 5 });
    }

    proptest::proptest! {
        #[test]
        fn a_percentile_occurred_and_is_exceeded_by_no_more_than_its_share(
            mut values in proptest::collection::vec(0.0..1e3, 1..300),
        ) {
            let d = Distribution::of(&mut values);
            for (percent, p) in [(50, d.p50), (95, d.p95), (99, d.p99)] {
                let above = values.iter().filter(|&&v| v > p).count();
                assert!(values.contains(&p));
                assert!(above * 100 <= values.len() * (100 - percent));
            }
            assert!(d.p50 <= d.p95 && d.p95 <= d.p99 && d.p99 <= d.max);
        }
    }
}
