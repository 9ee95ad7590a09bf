//! The table of near pairs: which bodies may touch this pass, and what is known of them from the last one.
//! Sorted by body indices; entries that end hand their buffers to new ones.

use super::touching::Parted;
use crate::check::Pairing;
use crate::contact::PairContacts;
use crate::scene::Scene;

pub(super) struct PairTable {
    /// Sorted by `(a, b)`.
    pub active: Vec<PairContacts>,
    previous: Vec<PairContacts>,
    spare: Vec<PairContacts>,
    /// The pairs that pushed in this step and are not active any more.
    pub parted: Vec<Parted>,
    /// The table of which bodies meet.
    pub pairing: Pairing,
}

impl PairTable {
    pub fn new(scene: &Scene) -> Self {
        Self {
            active: Vec::new(),
            previous: Vec::new(),
            spare: Vec::new(),
            parted: Vec::new(),
            pairing: Pairing::new(scene),
        }
    }

    /// Whether the pair is only asked if it intersects.
    pub fn is_sensor_pair(&self, pair: &PairContacts) -> bool {
        self.pairing.is_sensor_pair(pair.a, pair.b)
    }

    /// Whether both are links of one figure that follows a clip.
    pub fn is_within_figure(&self, pair: &PairContacts) -> bool {
        self.pairing.is_within_figure(pair.a, pair.b)
    }

    /// At the start of a step: nothing was done for any pair, and none given up.
    pub fn begin_step(&mut self) {
        let begin =
            |pair: &mut PairContacts| (pair.cost, pair.judged.crowding, pair.push) = Default::default();
        self.active.iter_mut().for_each(begin);
        self.parted.clear();
    }

    /// Starts the pass's table: what was active becomes what [`PairTable::keep`] finds.
    pub fn begin(&mut self) {
        std::mem::swap(&mut self.active, &mut self.previous);
        // Reversed, the previous table is consumed from its end without moving anything.
        self.previous.reverse();
    }

    /// Takes over the entry of a pair from the last pass or starts one. Pairs come sorted.
    pub fn keep(&mut self, a: u32, b: u32, start: impl FnOnce(&mut PairContacts)) {
        while let Some(old) = self.previous.pop() {
            match (old.a, old.b).cmp(&(a, b)) {
                std::cmp::Ordering::Less => {
                    self.part(&old);
                    self.spare.push(old);
                }
                std::cmp::Ordering::Equal => return self.active.push(old),
                std::cmp::Ordering::Greater => {
                    self.previous.push(old);
                    break;
                }
            }
        }
        let mut fresh = self.spare.pop().unwrap_or_default();
        start(&mut fresh);
        self.active.push(fresh);
    }

    /// Forgets candidates that were kept if they are more than `most`, and gives back their memory if there
    /// is room for more than twice as many. Returns how many are kept.
    pub fn bound_candidates(&mut self, most: usize) -> usize {
        let searches = |table: &[PairContacts], measure: fn(&PairContacts) -> usize| -> usize {
            table.iter().map(measure).sum()
        };
        let mut kept = searches(&self.active, |pair| pair.search.candidates.len());
        if kept > most {
            self.active.iter_mut().for_each(|pair| pair.search.forget());
            kept = 0;
        }
        let capacity = |pair: &PairContacts| pair.search.candidates.capacity();
        if searches(&self.active, capacity) + searches(&self.spare, capacity) > 2 * most {
            self.spare.clear();
            self.active.iter_mut().for_each(|pair| pair.search.candidates.shrink_to_fit());
        }
        kept
    }

    /// Ends the pass's table: entries that nobody kept are over.
    pub fn finish(&mut self) {
        let previous = std::mem::take(&mut self.previous);
        previous.iter().for_each(|old| self.part(old));
        self.previous = previous;
        self.spare.append(&mut self.previous);
    }

    /// Keeps how hard the two of a pair that ends pushed each other in this step.
    fn part(&mut self, old: &PairContacts) {
        if old.push.normal > 0.0 {
            self.parted.push(Parted::new(old));
        }
    }

    /// Sorts the pairs that parted by body, and makes one of those of the same bodies.
    pub fn sort_parted(&mut self) {
        self.parted.sort_unstable_by_key(Parted::bodies);
        self.parted.dedup_by(|later, first| {
            let is_same = later.bodies() == first.bodies();
            if is_same {
                first.push += later.push;
            }
            is_same
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Skin;
    use crate::pose::Pose;

    fn empty() -> PairTable {
        PairTable::new(&Scene::new("empty"))
    }

    #[test]
    fn candidates_of_all_pairs_together_keep_within_their_bound() {
        let pair = |count: usize, capacity: usize| {
            let mut pair = PairContacts::default();
            pair.search.candidates = Vec::with_capacity(capacity);
            pair.search.candidates.resize(count, [0, 0]);
            pair.search.keep_list(Pose::IDENTITY, Skin::default(), 1);
            pair
        };
        let capacity = |table: &PairTable| {
            table.active.iter().chain(&table.spare).map(|p| p.search.candidates.capacity()).sum::<usize>()
        };
        let mut table =
            PairTable { active: vec![pair(40, 60), pair(60, 60)], spare: vec![pair(0, 80)], ..empty() };
        assert_eq!((table.bound_candidates(100), capacity(&table)), (100, 200), "all within the bound");
        table.spare.push(pair(0, 1));
        assert_eq!((table.bound_candidates(100), capacity(&table)), (100, 100), "capacity for too many");
        table.active.push(pair(1, 1));
        assert_eq!(table.bound_candidates(100), 0, "too many");
        assert!(table.active.iter().all(|p| p.search.list.is_none() && p.search.candidates.is_empty()));
    }

    #[test]
    fn entries_live_as_long_as_their_pair_is_kept() {
        let mut table = empty();
        let mut pass = |pairs: &[(u32, u32)]| {
            table.begin();
            let mut started = Vec::new();
            for &(a, b) in pairs {
                table.keep(a, b, |p| {
                    (p.a, p.b) = (a, b);
                    started.push((a, b));
                });
            }
            table.finish();
            let active: Vec<_> = table.active.iter().map(|p| (p.a, p.b)).collect();
            assert_eq!(active, pairs);
            started
        };
        assert_eq!(pass(&[(0, 1), (1, 2), (2, 5)]), [(0, 1), (1, 2), (2, 5)]);
        assert_eq!(pass(&[(0, 1), (0, 3), (2, 5)]), [(0, 3)]);
        assert_eq!(pass(&[]), []);
        assert_eq!(pass(&[(1, 2)]), [(1, 2)]);
    }
}
