//! Sorting of pairs: a counting sort by the second box, then one by the first box. O(n + k).

use super::method::Pair;

/// Buffers for sorting pairs.
#[derive(Debug, Default)]
pub(super) struct PairSort {
    /// Position of the next pair of each box.
    slots: Vec<u32>,
    by_second: Vec<Pair>,
}

impl PairSort {
    /// Sorts pairs of boxes with indices below `box_count`.
    pub fn sort(&mut self, pairs: &mut [Pair], box_count: usize) {
        if u32::try_from(pairs.len()).is_err() {
            return pairs.sort_unstable();
        }
        self.by_second.clear();
        self.by_second.resize(pairs.len(), Pair::default());
        self.slots.resize(box_count, 0);
        scatter(pairs, &mut self.by_second, &mut self.slots, |pair| pair.b);
        scatter(&self.by_second, pairs, &mut self.slots, |pair| pair.a);
    }
}

/// Sorts by `key`, with a stable counting sort.
fn scatter(from: &[Pair], to: &mut [Pair], slots: &mut [u32], key: impl Fn(&Pair) -> u32) {
    slots.fill(0);
    for pair in from {
        slots[key(pair) as usize] += 1;
    }
    let mut sum = 0;
    for slot in &mut *slots {
        sum += std::mem::replace(slot, sum);
    }
    for pair in from {
        let slot = &mut slots[key(pair) as usize];
        to[*slot as usize] = *pair;
        *slot += 1;
    }
}
