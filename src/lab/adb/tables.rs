//! The paper's look-up tables of Pr\[# filled bins >= x\], one table for each x from 1 to 10, for
//! comparison with the formula of [`tails`]. \[adb\] §4.2.3, Fig. 15
//!
//! For u bins, v balls of one color and w balls of the other color, the row of (u, v) holds the values
//! for w = v, v + 1, …; swapping the colors covers smaller w. A row ends at w = u, or at the first
//! value that reaches [`CUT_OFF`]; later values count as 1. Values are `f32`, with which a full table
//! has the 256 MB that the paper states.

use super::model::{MAX_BINS, MAX_FILLED, tails};

/// Threshold that the paper calls "close to 1": 1 − 0.9·10⁻⁵.
const CUT_OFF: f64 = 1.0 - 0.9e-5;

/// Number of entries of a table without the cut-off: for every u, all pairs v <= w up to `MAX_BINS`,
/// even pairs above u.
pub const FULL_ENTRIES: usize = MAX_BINS as usize * (MAX_BINS as usize * (MAX_BINS as usize + 1) / 2);

/// Table of one x.
pub struct Table {
    /// Start of the row of each (u, v), ordered by u, then by v from 1 to u. The last element is the
    /// end of the last row.
    rows: Vec<u32>,
    values: Vec<f32>,
}

fn row(u: u32, v: u32) -> usize {
    (u * (u - 1) / 2 + v - 1) as usize
}

impl Table {
    /// Builds the ten tables, for x = 1 to 10.
    pub fn build() -> [Self; MAX_FILLED as usize] {
        let mut tables = [const { Self { rows: Vec::new(), values: Vec::new() } }; MAX_FILLED as usize];
        for u in 1..=MAX_BINS {
            for v in 1..=u {
                fill_row(&mut tables, u, v);
            }
        }
        tables.iter_mut().for_each(Self::begin_row);
        tables
    }

    fn begin_row(&mut self) {
        self.rows.push(self.values.len() as u32);
    }

    /// Returns Pr\[# filled bins >= x\], with an error of up to 1e-5. v and w are at most u, and u at
    /// most `MAX_BINS`: a bin takes at most one ball of each color.
    pub fn get(&self, u: u32, v: u32, w: u32) -> f32 {
        let (v, w) = (v.min(w), v.max(w));
        if v == 0 {
            return 0.0;
        }
        let row = row(u, v);
        let [begin, end] = [self.rows[row], self.rows[row + 1]];
        let at = begin + (w - v);
        if at < end { self.values[at as usize] } else { 1.0 }
    }

    pub fn entries(&self) -> usize {
        self.values.len()
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.rows[..]) + size_of_val(&self.values[..])
    }
}

/// Adds the row of (u, v) to every table. The value for a larger x reaches the cut-off at a larger w,
/// so the rows end in the order of x.
fn fill_row(tables: &mut [Table; MAX_FILLED as usize], u: u32, v: u32) {
    tables.iter_mut().for_each(Table::begin_row);
    let mut complete = 0;
    for w in v..=u {
        for (table, tail) in tables.iter_mut().zip(&tails(u, v, w)[1..]).skip(complete) {
            table.values.push(*tail as f32);
            complete += usize::from(*tail >= CUT_OFF);
        }
        if complete == tables.len() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_off_leaves_one_entry_in_seventeen() {
        let tables = Table::build();
        let kept: Vec<usize> = tables.iter().map(Table::entries).collect();
        assert!(kept.is_sorted(), "{kept:?}");
        let mean = kept.iter().map(|&k| FULL_ENTRIES as f64 / k as f64).sum::<f64>() / kept.len() as f64;
        assert!((17.0..18.0).contains(&mean), "{mean}");
    }

    #[test]
    fn look_up_tables_match_the_formula() {
        let tables = Table::build();
        for u in (1..=MAX_BINS).step_by(7) {
            for v in (0..=u).step_by(5) {
                for w in (0..=u).step_by(11) {
                    for (table, tail) in tables.iter().zip(&tails(u, v, w)[1..]) {
                        let error = f64::from(table.get(u, v, w)) - tail;
                        assert!((-1e-7..1e-5).contains(&error), "{u} {v} {w}: {error}");
                    }
                }
            }
        }
    }
}
