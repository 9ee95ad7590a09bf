//! Table of near pairs: bodies that may touch in this pass, and their data kept from the last pass,
//! sorted by body indices. Pairs that are no longer near leave their buffers to new pairs.

use super::touching::Parted;
use crate::check::Pairing;
use crate::contact::PairContacts;
use crate::scene::Scene;

/// Near pairs of the present pass. An entry moves between three lists:
///
/// ```text
///                       keep: still near
///    active --begin--> previous -------> active (contacts and candidates are kept)
///                         |
///                         | finish, keep: no longer near
///                         v
///                       spare ---------> active (keep: a new pair takes over the buffers)
/// ```
pub(super) struct PairTable {
    /// Pairs of this pass, sorted by `(a, b)`.
    pub active: Vec<PairContacts>,
    previous: Vec<PairContacts>,
    spare: Vec<PairContacts>,
    /// Pairs that pushed each other in this step and are no longer active.
    pub parted: Vec<Parted>,
    /// Table of how each two bodies may meet.
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

    /// Returns whether the pair only reports intersections and gets no contacts.
    pub fn is_sensor_pair(&self, pair: &PairContacts) -> bool {
        self.pairing.is_sensor_pair(pair.a, pair.b)
    }

    /// Returns whether both bodies are links of the same figure that follows a clip.
    pub fn is_within_figure(&self, pair: &PairContacts) -> bool {
        self.pairing.is_within_figure(pair.a, pair.b)
    }

    /// Begins a step: resets the cost, the crowding and the impulses of every pair.
    pub fn begin_step(&mut self) {
        let begin =
            |pair: &mut PairContacts| (pair.cost, pair.judged.crowding, pair.push) = Default::default();
        self.active.iter_mut().for_each(begin);
        self.parted.clear();
    }

    /// Begins the table of a pass: moves the active pairs to `previous`. [`PairTable::keep`] then takes
    /// them from there.
    pub fn begin(&mut self) {
        std::mem::swap(&mut self.active, &mut self.previous);
        // With the list reversed, entries are taken from its end without moving elements.
        self.previous.reverse();
    }

    /// Keeps the entry of a pair from the last pass, or initializes a new one with `start`. Must be
    /// called for the pairs in sorted order.
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

    /// Drops all stored candidates if there are more than `most`. Frees memory if the capacity exceeds
    /// twice `most`. Returns the number of candidates kept.
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

    /// Ends the table of a pass: the entries that were not kept become spare.
    pub fn finish(&mut self) {
        let previous = std::mem::take(&mut self.previous);
        previous.iter().for_each(|old| self.part(old));
        self.previous = previous;
        self.spare.append(&mut self.previous);
    }

    /// Stores the impulses between the two bodies of an ending pair, if they pushed each other in this
    /// step.
    fn part(&mut self, old: &PairContacts) {
        if old.push.normal > 0.0 {
            self.parted.push(Parted::new(old));
        }
    }

    /// Sorts the separated pairs by body, and merges entries of the same bodies.
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
