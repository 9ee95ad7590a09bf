//! The runs of a sweep: every combination of the values of its keys, rows of a table, or samples.

use serde::{Deserialize, Serialize};

use super::axis::{Axis, Values};
use crate::random::Random;

/// Largest number of runs of a sweep. A result is a file of some ten kilobytes.
pub const RUN_LIMIT: u64 = 1_000_000;

/// Runs of a sweep. A run has one row of each block, in every combination.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    blocks: Vec<Block>,
}

/// Keys that vary together, and their values in each row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    pub keys: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Plan {
    /// Creates the plan of all combinations of the rows of its blocks. Runs count up in the last block
    /// first.
    ///
    /// # Errors
    /// Returns an error if a key is there twice, a block has no row, a row has not one value per key, or
    /// there are more than [`RUN_LIMIT`] runs.
    pub fn new(blocks: Vec<Block>) -> Result<Self, String> {
        let plan = Self { blocks };
        plan.check()?;
        Ok(plan)
    }

    /// Checks a plan that was read from a file.
    ///
    /// # Errors
    /// Returns the errors of [`Plan::new`].
    pub fn check(&self) -> Result<(), String> {
        let keys: Vec<&str> = self.keys().collect();
        if let Some(key) = (1..keys.len()).find(|&k| keys[..k].contains(&keys[k])) {
            return Err(format!("the key {} is varied twice", keys[key]));
        }
        if let Some(block) = self.blocks.iter().find(|block| block.rows.is_empty()) {
            return Err(format!("there is no value of {}", block.keys.join(", ")));
        }
        let is_ragged = |block: &&Block| block.rows.iter().any(|row| row.len() != block.keys.len());
        if let Some(block) = self.blocks.iter().find(is_ragged) {
            return Err(format!("not every run has one value of each of {}", block.keys.join(", ")));
        }
        let count =
            self.blocks.iter().fold(1_u128, |count, one| count.saturating_mul(one.rows.len() as u128));
        if count > u128::from(RUN_LIMIT) {
            return Err(format!(
                "these are {count} runs, the limit is {RUN_LIMIT}: give fewer values, or take samples of all \
                 combinations with --samples N"
            ));
        }
        Ok(())
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> + Clone {
        self.blocks.iter().flat_map(|block| &block.keys).map(String::as_str)
    }

    pub fn run_count(&self) -> u64 {
        self.blocks.iter().map(|block| block.rows.len() as u64).product()
    }

    /// Returns the values of a run, in the order of [`Plan::keys`].
    pub fn values(&self, run: u64) -> Vec<&str> {
        let mut rows = Vec::with_capacity(self.blocks.len());
        let mut rest = run;
        for block in self.blocks.iter().rev() {
            let count = block.rows.len() as u64;
            rows.push(&block.rows[(rest % count) as usize]);
            rest /= count;
        }
        rows.into_iter().rev().flatten().map(String::as_str).collect()
    }

    /// Returns each key with all of its values, in the order of [`Plan::keys`].
    pub fn columns(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        self.blocks.iter().flat_map(|block| {
            let values = |k: usize| block.rows.iter().map(|row| row[k].as_str()).collect();
            block.keys.iter().enumerate().map(move |(k, key)| (key.as_str(), values(k)))
        })
    }
}

impl Block {
    /// Creates the block of the values of one key.
    ///
    /// # Errors
    /// Returns an error for a range without a number of values.
    pub fn of(axis: Axis) -> Result<Self, String> {
        match axis.values {
            Values::List(values) => {
                Ok(Self { keys: vec![axis.key], rows: values.into_iter().map(|value| vec![value]).collect() })
            }
            Values::Range(range) => Err(format!(
                "{}: the range has no number of values: write {:?}..{:?}:N, or take samples with --samples N",
                axis.key, range.from, range.to
            )),
        }
    }

    /// Creates a Latin hypercube over the axes: each range is divided into `count` equal parts, and each
    /// part has one sample. Values of a list appear equally often, as far as `count` allows.
    pub fn latin_hypercube(axes: &[Axis], count: usize, seed: u64) -> Self {
        let column = |(place, axis): (usize, &Axis)| -> Vec<String> {
            let mut random = Random::new(seed, place as u64);
            let parts = shuffled(count, &mut random);
            let share = |part: usize| (part as f64 + random.uniform()) / count as f64;
            parts.into_iter().map(share).map(|share| value_at(&axis.values, share)).collect()
        };
        let columns: Vec<Vec<String>> = axes.iter().enumerate().map(column).collect();
        let row = |k: usize| columns.iter().map(|column| column[k].clone()).collect();
        Self { keys: axes.iter().map(|axis| axis.key.clone()).collect(), rows: (0..count).map(row).collect() }
    }
}

/// Returns the value at a share (0 to 1) of all values.
fn value_at(values: &Values, share: f64) -> String {
    match values {
        Values::Range(range) => range.at(share),
        Values::List(list) => {
            let place = (share * list.len() as f64) as usize;
            list.get(place.min(list.len().saturating_sub(1))).cloned().unwrap_or_default()
        }
    }
}

/// Returns the numbers from 0 to `count` in a random order (Fisher and Yates).
fn shuffled(count: usize, random: &mut Random) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let other = ((random.uniform() * (last + 1) as f64) as usize).min(last);
        all.swap(last, other);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(text: &str) -> Axis {
        Axis::parse(text).unwrap()
    }

    #[test]
    fn the_grid_has_every_combination_and_the_last_key_counts_first() {
        let block = |text| Block::of(axis(text)).unwrap();
        let plan = Plan::new(vec![block("a=1,2"), block("b=x,y,z")]).unwrap();
        assert_eq!(plan.run_count(), 6);
        let all: Vec<String> = (0..6).map(|run| plan.values(run).join("")).collect();
        assert_eq!(all, ["1x", "1y", "1z", "2x", "2y", "2z"]);
        assert_eq!(plan.columns().last().unwrap(), ("b", vec!["x", "y", "z"]));
    }

    #[test]
    fn too_many_runs_and_repeated_keys_are_refused() {
        let block = |text| Block::of(axis(text)).unwrap();
        let huge = vec![block("a=0..1:1000"), block("b=0..1:1000"), block("c=0..1:1000")];
        let reason = Plan::new(huge).unwrap_err();
        assert!(reason.starts_with("these are 1000000000 runs, the limit is 1000000"), "{reason}");
        let reason = Plan::new(vec![block("a=1"), block("a=2")]).unwrap_err();
        assert_eq!(reason, "the key a is varied twice");
        let ragged = Block { keys: vec!["a".into(), "b".into()], rows: vec![vec!["1".into()]] };
        assert_eq!(Plan::new(vec![ragged]).unwrap_err(), "not every run has one value of each of a, b");
        assert_eq!(
            Plan::new(vec![Block { keys: vec!["a".into()], rows: Vec::new() }]).unwrap_err(),
            "there is no value of a"
        );
        assert!(Block::of(axis("a=0..1")).unwrap_err().contains("--samples N"));
    }

    #[test]
    fn a_latin_hypercube_has_one_sample_in_each_part_of_each_range() {
        let axes = [axis("a=10.0..20.0"), axis("b=x,y,z,w"), axis("c=0..39"), axis("d=5.0..-5.0")];
        let block = Block::latin_hypercube(&axes, 40, 7);
        let plan = Plan::new(vec![block.clone()]).unwrap();
        let column = |k: usize| block.rows.iter().map(move |row| row[k].as_str());
        for (k, low, width) in [(0, 10.0, 0.25), (2, 0.0, 1.0), (3, -5.0, 0.25)] {
            let part = |text: &str| ((text.parse::<f64>().unwrap() - low) / width) as usize;
            let mut parts: Vec<usize> = column(k).map(part).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..40).collect::<Vec<_>>(), "column {k}");
        }
        assert!(["x", "y", "z", "w"].iter().all(|word| column(1).filter(|own| own == word).count() == 10));
        assert!(column(2).all(|text| text.parse::<u32>().is_ok()));
        assert_eq!(plan.run_count(), 40);
        assert_eq!(Block::latin_hypercube(&axes, 40, 7), block);
        assert_ne!(Block::latin_hypercube(&axes, 40, 8), block);
        // The order of one column says nothing about the next.
        let in_order = column(0).zip(block.rows.iter().skip(1)).filter(|(one, next)| *one < next[0].as_str());
        assert!((8..=32).contains(&in_order.count()));
    }
}
