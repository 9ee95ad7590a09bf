//! Turns of contenders over blocks of the same work, repeated several times, so that disturbances of
//! the machine affect all contenders alike; and statistics of the times: median, interval and every
//! repeat.

use std::time::Duration;

use super::table::Cell;
use crate::arrays::MapEach;
use crate::random::Random;

/// Number of repeats of a measurement that is not a whole run of a scene. The median of the
/// distribution lies between the least and the greatest of five values in 94 of 100 cases.
pub const REPEATS: usize = 5;
/// Number of repeats of work that has many blocks or a costly setup.
pub const FEW_REPEATS: usize = 3;

/// Explanation of the columns with these times.
pub const NOTE: &str = "95 %: bootstrap interval of the time before it, from resampled repeats of each block; the \
                        CSV has every repeat";

/// One contender's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub repeat: usize,
    pub block: usize,
    pub contender: usize,
    /// Whether this contender is the first to run this block in this repeat.
    pub is_first: bool,
}

/// Returns the turns of all contenders over every block, `repeats` times. The first contender rotates
/// from block to block.
pub fn turns(repeats: usize, blocks: usize, contenders: usize) -> impl Iterator<Item = Turn> {
    let blocks = (0..repeats).flat_map(move |repeat| (0..blocks).map(move |block| (repeat, block)));
    blocks.flat_map(move |(repeat, block)| {
        (0..contenders).map(move |k| {
            let contender = (repeat + block + k) % contenders;
            Turn { repeat, block, contender, is_first: k == 0 }
        })
    })
}

/// Returns turns like [`turns`], but in every block draws the order of the contenders at random, so
/// that no contender always runs after the same other one.
pub fn drawn_turns(
    repeats: usize,
    blocks: usize,
    contenders: usize,
    seed: u64,
) -> impl Iterator<Item = Turn> {
    let mut random = Random::new(seed, 0);
    let blocks = (0..repeats).flat_map(move |repeat| (0..blocks).map(move |block| (repeat, block)));
    blocks.flat_map(move |(repeat, block)| {
        let mut order: Vec<usize> = (0..contenders).collect();
        for k in (1..contenders).rev() {
            order.swap(k, (random.uniform() * (k + 1) as f64) as usize);
        }
        order.into_iter().zip(0..).map(move |(contender, k)| Turn {
            repeat,
            block,
            contender,
            is_first: k == 0,
        })
    })
}

/// Times of one contender, s: per block, the time of each repeat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times {
    blocks: Vec<Vec<f64>>,
}

impl Times {
    /// Adds the time of one turn.
    pub fn add(&mut self, block: usize, took: Duration) {
        if self.blocks.len() <= block {
            self.blocks.resize(block + 1, Vec::new());
        }
        self.blocks[block].push(took.as_secs_f64());
    }

    /// Appends the blocks of `other`, which were measured on other work.
    pub fn append(&mut self, other: &Self) {
        self.blocks.extend_from_slice(&other.blocks);
    }

    /// Returns the median of the repeats of each block, s.
    pub fn medians(&self) -> impl Iterator<Item = f64> + '_ {
        self.blocks.iter().map(|repeats| median(&mut repeats.clone()))
    }

    /// Returns the total time, s: the sum over blocks of the median of the repeats.
    pub fn median(&self) -> f64 {
        self.medians().sum()
    }

    /// Returns the total time of each repeat, s. A repeat counts only if all its blocks were measured.
    pub fn repeats(&self) -> Vec<f64> {
        let count = self.blocks.iter().map(Vec::len).min().unwrap_or(0);
        (0..count).map(|repeat| self.blocks.iter().map(|repeats| repeats[repeat]).sum()).collect()
    }

    /// Returns the 95 % interval of the total median time, s, by the bootstrap: the repeats of each
    /// block are resampled with replacement. `None` if every block was measured at most once.
    pub fn interval(&self) -> Option<[f64; 2]> {
        const DRAWS: usize = 1000;
        if self.blocks.iter().all(|repeats| repeats.len() < 2) {
            return None;
        }
        let mut random = Random::new(0, 0);
        let mut drawn = Vec::new();
        let mut sum = || -> f64 {
            let draw = |repeats: &Vec<f64>| {
                let count = repeats.len();
                drawn.clear();
                drawn.extend((0..count).map(|_| repeats[(random.uniform() * count as f64) as usize]));
                median(&mut drawn)
            };
            self.blocks.iter().map(draw).sum()
        };
        let mut sums: Vec<f64> = (0..DRAWS).map(|_| sum()).collect();
        sums.sort_unstable_by(f64::total_cmp);
        Some([sums[DRAWS / 40], sums[DRAWS - 1 - DRAWS / 40]])
    }

    /// Returns the ratio of the time of `self` to that of `other` over the first `common` blocks, and
    /// its 95 % interval. The interval lies between two order statistics of the ratios of single
    /// repeats, which were measured side by side. It assumes no distribution of the times. `None` for
    /// fewer than six repeats, or if a ratio is not finite.
    pub fn ratio(&self, other: &Self, common: usize) -> (f64, Option<[f64; 2]>) {
        let both =
            [self, other].map(|times| Self { blocks: times.blocks.iter().take(common).cloned().collect() });
        let value = both[0].median() / both[1].median();
        let mut ratios: Vec<f64> = calm_repeats(&both).map(|[own, its]| own / its).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let ends = order_interval(ratios.len()).filter(|_| ratios.iter().all(|ratio| ratio.is_finite()));
        (value, ends.map(|[low, high]| [ratios[low].min(value), ratios[high].max(value)]))
    }

    /// Returns cells with the interval and the repeats, in a unit of which `per_second` make one
    /// second.
    pub fn cells(&self, per_second: f64) -> [Cell; 2] {
        let scaled = |s: f64| s * per_second;
        let interval = self.interval().map_or(Cell::Nothing, |ends| Cell::Interval(ends.map_each(scaled)));
        [interval, Cell::Repeats(self.repeats().into_iter().map(scaled).collect())]
    }
}

/// Returns the total times of two contenders per repeat, s, with disturbed blocks clamped. The slowness
/// of the machine in a repeat is the median, over the blocks of both contenders, of a block's time
/// divided by its median over the repeats. A block's time is clamped to its median at that slowness,
/// plus or minus the share `LITTLE`. A disturbance hits single blocks, so it cannot hide a difference.
fn calm_repeats(both: &[Times; 2]) -> impl Iterator<Item = [f64; 2]> + '_ {
    const LITTLE: f64 = 0.15;
    let middles = both.each_ref().map(|times| -> Vec<f64> {
        times.blocks.iter().map(|repeats| median(&mut repeats.clone())).collect()
    });
    let count = both.iter().flat_map(|times| &times.blocks).map(Vec::len).min().unwrap_or(0);
    (0..count).map(move |repeat| {
        let blocks = |k: usize| both[k].blocks.iter().map(|all| all[repeat]).zip(&middles[k]);
        let measured = blocks(0).chain(blocks(1)).filter(|&(_, middle)| *middle > 0.0);
        let mut speeds: Vec<f64> = measured.map(|(took, middle)| took / middle).collect();
        let speed = median(&mut speeds);
        let calm = |(took, middle): (f64, &f64)| {
            took.clamp((1.0 - LITTLE) * speed * middle, (1.0 + LITTLE) * speed * middle)
        };
        [0, 1].map_each(|k| blocks(k).map(calm).sum())
    })
}

/// Returns the ranks (from 0) of the two sorted samples, as close to the middle as possible, between
/// which the median of the distribution lies in at least 95 of 100 cases, by the binomial distribution.
/// `None` if `count` is less than six.
fn order_interval(count: usize) -> Option<[usize; 2]> {
    const OUTSIDE: f64 = 0.025;
    let mut below = 0.0;
    let mut chance = libm::pow(0.5, count as f64);
    let mut rank = 0;
    while below + chance <= OUTSIDE && 2 * rank < count {
        below += chance;
        chance *= (count - rank) as f64 / (rank + 1) as f64;
        rank += 1;
    }
    rank.checked_sub(1).map(|low| [low, count - 1 - low])
}

/// Sorts the values and returns their median; the mean of the two middle values if the count is even, 0
/// if there are none.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let count = values.len();
    if count == 0 { 0.0 } else { 0.5 * (values[(count - 1) / 2] + values[count / 2]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(blocks: &[&[u64]]) -> Times {
        let mut times = Times::default();
        for (block, repeats) in blocks.iter().enumerate() {
            repeats.iter().for_each(|&ms| times.add(block, Duration::from_millis(ms)));
        }
        times
    }

    #[test]
    fn everybody_has_every_block_in_every_repeat_and_is_first_as_often_as_others() {
        let all: Vec<Turn> = turns(3, 4, 2).collect();
        assert_eq!(all.len(), 24);
        for contender in 0..2 {
            let own: Vec<_> =
                all.iter().filter(|t| t.contender == contender).map(|t| (t.repeat, t.block)).collect();
            assert_eq!(own, (0..3).flat_map(|r| (0..4).map(move |b| (r, b))).collect::<Vec<_>>());
            assert_eq!(all.iter().filter(|t| t.contender == contender && t.is_first).count(), 6);
        }
        assert_eq!(turns(3, 4, 0).count(), 0);
    }

    #[test]
    fn drawn_turns_give_everybody_every_block_in_an_order_that_the_seed_decides() {
        let of = |seed| drawn_turns(4, 50, 3, seed).collect::<Vec<Turn>>();
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
        let mut firsts = [0; 3];
        for block in of(7).chunks(3) {
            let mut who: Vec<usize> = block.iter().map(|t| t.contender).collect();
            firsts[who[0]] += 1;
            who.sort_unstable();
            assert_eq!(who, [0, 1, 2]);
            assert!(block[0].is_first && !block[1].is_first && !block[2].is_first);
        }
        assert!(firsts.iter().all(|&count| (50..84).contains(&count)), "{firsts:?}");
    }

    #[test]
    fn the_middle_lies_between_the_least_and_the_greatest_of_six() {
        // The median lies outside all six samples with a chance of 2 · 0.5⁶ = 3.1 %; outside five it
        // would be 6.3 %.
        assert_eq!(
            [0, 1, 5, 6, 8, 9, 12].map(order_interval),
            [None, None, None, Some([0, 5]), Some([0, 7]), Some([1, 7]), Some([2, 9])]
        );
    }

    #[test]
    fn a_ratio_is_of_repeats_side_by_side_and_a_disturbed_block_counts_for_little() {
        // Both contenders slow down to twice their time; `own` takes a tenth longer throughout.
        let drift = [100, 120, 140, 160, 180, 200];
        let own = times(&[&drift.map(|t| t * 11), &drift.map(|t| t * 11)]);
        let other = times(&[&drift.map(|t| t * 10), &drift.map(|t| t * 10)]);
        let (value, interval) = own.ratio(&other, 9);
        let [low, high] = interval.unwrap();
        assert!((value - 1.1).abs() < 1e-12 && (low - 1.1).abs() < 1e-9 && (high - 1.1).abs() < 1e-9);
        let mut disturbed = [100, 100, 100, 100, 100, 5000];
        let other = times(&[&[100; 6], &[100; 6], &[100; 6], &[100; 6]]);
        let own = times(&[&disturbed, &[100; 6], &[100; 6], &[100; 6]]);
        let [low, high] = own.ratio(&other, 9).1.unwrap();
        assert!(low == 1.0 && (high - 1.0375).abs() < 1e-9, "{high}");
        disturbed[5] = 100;
        assert_eq!(times(&[&disturbed]).ratio(&times(&[&[100; 6]]), 9), (1.0, Some([1.0, 1.0])));
        assert_eq!(times(&[&[0; 6]]).ratio(&times(&[&[0; 6]]), 9).1, None, "nothing was measured");
        let longer = times(&[&[100; 6], &[700; 6]]);
        assert_eq!(longer.ratio(&times(&[&[100; 6]]), 1).0, 1.0);
        assert_eq!(times(&[&[100; 5]]).ratio(&times(&[&[100; 5]]), 9), (1.0, None));
    }

    /// Measures two contenders in turns on a machine whose speed drifts and that is sometimes
    /// disturbed; the second takes `slower` times as long as the first.
    fn measured(slower: f64, seed: u64) -> Option<[f64; 2]> {
        let mut random = Random::new(seed, 0);
        let mut both = [Times::default(), Times::default()];
        let mut speed = 1.0;
        for _ in 0..6 {
            for block in 0..40 {
                speed *= 1.0 + 0.02 * random.signed();
                for (k, times) in both.iter_mut().enumerate() {
                    let disturbed = if random.uniform() < 0.03 { 3.0 } else { 1.0 };
                    let own = if k == 1 { slower } else { 1.0 };
                    let ms = 5.0 * speed * own * disturbed * (1.0 + 0.03 * random.signed());
                    times.add(block, Duration::from_secs_f64(1e-3 * ms));
                }
            }
        }
        both[1].ratio(&both[0], 40).1
    }

    #[test]
    fn ratio_interval_detects_3_percent_in_19_of_20() {
        let contains_one = |slower: f64| {
            let holds =
                |seed: &u64| measured(slower, *seed).is_some_and(|[low, high]| low <= 1.0 && high >= 1.0);
            (0..20).filter(holds).count()
        };
        assert!(contains_one(1.0) >= 19, "{} of 20", contains_one(1.0));
        assert!(contains_one(1.03) <= 1, "{} of 20", contains_one(1.03));
    }

    #[test]
    fn one_slow_repeat_of_a_block_changes_neither_the_middle_nor_what_is_shown_of_it() {
        let own = times(&[&[10, 11, 12, 13, 500], &[20, 20, 20, 20, 20]]);
        assert!((own.median() - 0.032).abs() < 1e-12);
        assert!((own.repeats()[4] - 0.52).abs() < 1e-12);
        let [low, high] = own.interval().unwrap();
        assert!((low - 0.03).abs() < 1e-12 && (0.033..=0.52).contains(&high), "{low} {high}");
    }

    #[test]
    fn an_interval_narrows_with_the_blocks_and_there_is_none_of_one_repeat() {
        let width = |count: usize| {
            let noisy: Vec<&[u64]> = vec![&[90, 95, 100, 105, 110]; count];
            let own = times(&noisy);
            let [low, high] = own.interval().unwrap();
            assert!(low < own.median() && own.median() < high);
            (high - low) / own.median()
        };
        assert!(width(100) < 0.25 * width(1), "{} {}", width(100), width(1));
        assert_eq!(times(&[&[7]]).interval(), None);
        assert_eq!(Times::default().median(), 0.0);
    }
}
