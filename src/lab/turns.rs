//! Contenders take turns over blocks of the same work, several times over, so that whatever else the machine
//! does falls on all of them alike; and what their times come to: a middle, how sure it is, and every repeat.

use std::time::Duration;

use super::table::Cell;
use crate::random::Random;

/// How often everything is measured, where it is not a whole run of a scene: the middle of five lies between
/// the least and the greatest of them in 94 of 100 cases.
pub const REPEATS: usize = 5;
/// How often work is measured whose blocks are many, or whose start costs much.
pub const FEW_REPEATS: usize = 3;

/// What the columns with these times hold.
pub const NOTE: &str = "95 %: interval of the time before it, by drawing repeats of each block anew; the CSV has every \
    repeat";

/// One contender's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub repeat: usize,
    pub block: usize,
    pub contender: usize,
    /// Whether it is the first with this block in this repeat.
    pub is_first: bool,
}

/// All contenders over every block, the whole as often as there are repeats. Who is first goes round.
pub fn turns(repeats: usize, blocks: usize, contenders: usize) -> impl Iterator<Item = Turn> {
    let blocks = (0..repeats).flat_map(move |repeat| (0..blocks).map(move |block| (repeat, block)));
    blocks.flat_map(move |(repeat, block)| {
        (0..contenders).map(move |k| {
            let contender = (repeat + block + k) % contenders;
            Turn { repeat, block, contender, is_first: k == 0 }
        })
    })
}

/// What one contender took, s: for every block the time of each repeat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times {
    blocks: Vec<Vec<f64>>,
}

impl Times {
    /// Adds one turn.
    pub fn add(&mut self, block: usize, took: Duration) {
        if self.blocks.len() <= block {
            self.blocks.resize(block + 1, Vec::new());
        }
        self.blocks[block].push(took.as_secs_f64());
    }

    /// Goes on with what was measured of other work.
    pub fn append(&mut self, other: &Self) {
        self.blocks.extend_from_slice(&other.blocks);
    }

    /// The whole, s: of each block the middle repeat.
    pub fn median(&self) -> f64 {
        self.blocks.iter().map(|repeats| median(&mut repeats.clone())).sum()
    }

    /// Each repeat of the whole, s; only those of which all blocks were measured.
    pub fn repeats(&self) -> Vec<f64> {
        let count = self.blocks.iter().map(Vec::len).min().unwrap_or(0);
        (0..count).map(|repeat| self.blocks.iter().map(|repeats| repeats[repeat]).sum()).collect()
    }

    /// Where the middle lies in 95 of 100 cases, s, by the bootstrap: repeats are drawn anew, with
    /// replacement, block by block. `None` of what was measured once.
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
        sums.sort_by(f64::total_cmp);
        Some([sums[DRAWS / 40], sums[DRAWS - 1 - DRAWS / 40]])
    }

    /// The interval and the repeats, in units of which a second has `per_second`.
    pub fn cells(&self, per_second: f64) -> [Cell; 2] {
        let scaled = |s: f64| s * per_second;
        let interval = self.interval().map_or(Cell::Nothing, |ends| Cell::Interval(ends.map(scaled)));
        [interval, Cell::Repeats(self.repeats().into_iter().map(scaled).collect())]
    }
}

/// The middle value, or the mean of two middle ones; 0 of nothing.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
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
