//! The table of near pairs: which bodies may touch this pass, what is known of them from the last one, and
//! which pairs never collide. Sorted by body indices; entries that end hand their buffers to new ones.

use crate::arrays::MapEach;
use crate::body::{Bodies, Joint, Motion};
use crate::contact::{PairContacts, PairRule};
use crate::order::Order;
use crate::scene::{BodyFilters, FigureKind, Scene};

pub(super) struct PairTable {
    /// Sorted by `(a, b)`.
    pub active: Vec<PairContacts>,
    previous: Vec<PairContacts>,
    spare: Vec<PairContacts>,
    /// Sorted by `(a, b)`: what differs from plain collision.
    rules: Vec<(u32, u32, PairRule)>,
    filters: BodyFilters,
    /// One a body.
    trigger: Vec<bool>,
    /// The kinematic figure a body belongs to, if any, and whether it is watched for self-collision: its
    /// links never push each other.
    figure: Vec<Option<(u32, bool)>>,
}

impl PairTable {
    pub fn new(scene: &Scene) -> Self {
        let mut rules = scene.pair_rules.clone();
        rules.extend(scene.joints.iter().filter_map(unjoined));
        // A scene's own word on a pair stands before the joint's.
        rules.order_by_key(|r| (r.0, r.1));
        rules.dedup_by_key(|r| (r.0, r.1));
        let mut figure = vec![None; scene.bodies.len()];
        for (index, skeleton) in scene.skeletons.iter().enumerate() {
            if skeleton.kind == FigureKind::Kinematic {
                let first = skeleton.first_body as usize;
                let own = Some((index as u32, skeleton.self_collision));
                figure[first..first + skeleton.link_count as usize].fill(own);
            }
        }
        Self {
            active: Vec::new(),
            previous: Vec::new(),
            spare: Vec::new(),
            rules,
            filters: scene.filters.clone(),
            trigger: scene.bodies.iter().map(|b| b.trigger).collect(),
            figure,
        }
    }

    /// Whether the pair is only asked if it intersects: one of the two is a trigger, or both are links of one
    /// kinematic figure.
    pub fn is_watched(&self, pair: &PairContacts) -> bool {
        self.is_trigger(pair.a) || self.is_trigger(pair.b) || self.is_within_figure(pair)
    }

    /// Whether both are links of one kinematic figure.
    pub fn is_within_figure(&self, pair: &PairContacts) -> bool {
        self.related(pair.a, pair.b).is_some()
    }

    /// `Some` if both are links of one kinematic figure: whether it is watched.
    fn related(&self, a: u32, b: u32) -> Option<bool> {
        let [own, other] = [a, b].map_each(|i| self.figure[i as usize]);
        own.filter(|_| own == other).map(|(_, is_watched)| is_watched)
    }

    /// Returns the trigger and the other body, if one of the pair is a trigger.
    pub fn trigger_and_body(&self, pair: &PairContacts) -> Option<(u32, u32)> {
        match [pair.a, pair.b].map_each(|body| self.is_trigger(body)) {
            [true, _] => Some((pair.a, pair.b)),
            [_, true] => Some((pair.b, pair.a)),
            _ => None,
        }
    }

    fn is_trigger(&self, body: u32) -> bool {
        self.trigger[body as usize]
    }

    /// How two bodies meet; [`PairRule::Ignore`] also for those that can never move against each other.
    pub fn rule(&self, a: u32, b: u32, bodies: &Bodies) -> PairRule {
        let (sa, sb) = (&bodies.states[a as usize], &bodies.states[b as usize]);
        let related = self.related(a, b);
        let both_triggers = self.is_trigger(a) && self.is_trigger(b);
        let watched = self.is_trigger(a) || self.is_trigger(b);
        let unmoved = sa.motion == Motion::Static && sb.motion == Motion::Static && !watched;
        let surfaceless = bodies.infos[a as usize].mesh.is_none() || bodies.infos[b as usize].mesh.is_none();
        if related == Some(false) || both_triggers || unmoved || surfaceless {
            return PairRule::Ignore;
        }
        match self.rules.binary_search_by_key(&(a, b), |r| (r.0, r.1)) {
            Ok(at) => self.rules[at].2,
            Err(_) if self.filters.keep_apart(a, b) => PairRule::Ignore,
            Err(_) => PairRule::Collide,
        }
    }

    /// At the start of a step: nothing was done for any pair, and none given up.
    pub fn begin_step(&mut self) {
        self.active.iter_mut().for_each(|pair| (pair.cost, pair.judged.crowding) = Default::default());
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
                std::cmp::Ordering::Less => self.spare.push(old),
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
        let room = |pair: &PairContacts| pair.search.candidates.capacity();
        if searches(&self.active, room) + searches(&self.spare, room) > 2 * most {
            self.spare.clear();
            self.active.iter_mut().for_each(|pair| pair.search.candidates.shrink_to_fit());
        }
        kept
    }

    /// Ends the pass's table: entries that nobody kept are over.
    pub fn finish(&mut self) {
        self.spare.append(&mut self.previous);
    }
}

/// Bodies joined directly do not collide unless the joint says so.
fn unjoined(joint: &Joint) -> Option<(u32, u32, PairRule)> {
    let (a, b) = (joint.a.min(joint.b), joint.a.max(joint.b));
    let both_bodies = b != crate::body::WORLD && a != b;
    (both_bodies && !joint.collide).then_some((a, b, PairRule::Ignore))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Room;
    use crate::pose::Pose;

    fn empty() -> PairTable {
        PairTable {
            active: vec![],
            previous: vec![],
            spare: vec![],
            rules: vec![],
            filters: BodyFilters::default(),
            trigger: vec![],
            figure: vec![],
        }
    }

    #[test]
    fn candidates_of_all_pairs_together_keep_within_their_bound() {
        let pair = |count: usize, room: usize| {
            let mut pair = PairContacts::default();
            pair.search.candidates = Vec::with_capacity(room);
            pair.search.candidates.resize(count, [0, 0]);
            pair.search.keep_look(Pose::IDENTITY, Room::default(), 1);
            pair
        };
        let room = |table: &PairTable| {
            table.active.iter().chain(&table.spare).map(|p| p.search.candidates.capacity()).sum::<usize>()
        };
        let mut table =
            PairTable { active: vec![pair(40, 60), pair(60, 60)], spare: vec![pair(0, 80)], ..empty() };
        assert_eq!((table.bound_candidates(100), room(&table)), (100, 200), "all within the bound");
        table.spare.push(pair(0, 1));
        assert_eq!((table.bound_candidates(100), room(&table)), (100, 100), "room for too many");
        table.active.push(pair(1, 1));
        assert_eq!(table.bound_candidates(100), 0, "too many");
        assert!(table.active.iter().all(|p| p.search.look.is_none() && p.search.candidates.is_empty()));
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
