//! One of several equal shares of the runs of a sweep.

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh3::xxh3_64;

use crate::order::Order;

/// Share `number` of `count`, counted from 1. Written as `2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    count: u64,
}

impl Shard {
    /// The share that has all runs.
    pub const WHOLE: Self = Self { number: 1, count: 1 };

    /// Returns all shares of a division into `count`.
    pub fn all(count: u64) -> impl Iterator<Item = Self> {
        (1..=count).map(move |number| Self { number, count })
    }

    /// Returns the runs of this share, in ascending order, out of `run_count` runs.
    ///
    /// Runs are dealt in a shuffled order. If they were dealt in their own order, one share could get
    /// all runs of the slowest value of a key.
    pub fn runs(self, run_count: u64) -> Vec<u64> {
        if self == Self::WHOLE {
            return (0..run_count).collect();
        }
        let mut dealt: Vec<u64> = (0..run_count).collect();
        dealt.order_by_key(|run| (xxh3_64(&run.to_le_bytes()), *run));
        let own = dealt.into_iter().skip(self.number as usize - 1).step_by(self.count as usize);
        let mut own: Vec<u64> = own.collect();
        own.order();
        own
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            Some((number.trim().parse::<u64>().ok()?, count.trim().parse::<u64>().ok()?))
        });
        let Some((number, count)) = numbers else {
            return Err("must be NUMBER/COUNT, as in 2/4".to_owned());
        };
        if count == 0 || count > u64::from(u32::MAX) || !(1..=count).contains(&number) {
            return Err(format!(
                "there is no shard {number} of {count}: shards count from 1 to their number"
            ));
        }
        Ok(Self { number, count })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_in_exactly_one_shard_and_shards_are_even() {
        for (run_count, count) in [(0, 1), (1, 4), (200, 4), (1000, 7), (64, 64)] {
            let mut all = Vec::new();
            for shard in Shard::all(count) {
                let own = shard.runs(run_count);
                let fair = run_count / count..=run_count.div_ceil(count);
                assert!(fair.contains(&(own.len() as u64)), "{shard}: {}", own.len());
                assert!(own.is_sorted());
                all.extend(own);
            }
            all.sort_unstable();
            assert_eq!(all, (0..run_count).collect::<Vec<_>>());
        }
    }

    /// Guards against dealing in order: with 4 trees as the last key, each of 4 shards would get one tree.
    #[test]
    fn no_shard_gets_all_runs_of_one_value() {
        for number in 1..=4 {
            let own = Shard { number, count: 4 }.runs(400);
            for value in 0..4 {
                let share = own.iter().filter(|run| *run % 4 == value).count();
                assert!((10..=40).contains(&share), "shard {number} has {share} of value {value}");
            }
        }
    }

    #[test]
    fn a_shard_that_is_none_is_refused() {
        for text in ["5/4", "0/4", "1/0", "1", "a/b", "-1/4", "1/99999999999"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
    }
}
