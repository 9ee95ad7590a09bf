//! Impacts within a pass: fast bodies collide at the time of impact.
//!
//! A pair that would need more passes than a step may take is *swept*: it asks for no passes, and gets
//! contacts only for what is near. After the solver, the motions of its bodies in the pass are searched
//! for their first touch. There the two bodies collide, and the fast ones go on from there for the rest
//! of the pass, while all other bodies keep their motions. The earliest touch comes first. A body that
//! collides too often stops at the last touch until the next pass; it keeps its velocity.

use glam::DVec3;

use super::World;
use super::fast::{Fast, Impacts, TOUCH, Watched};
use super::flights::{bent, flown};
use super::meetings::Met;
use super::scratch::Scratch;
use crate::arrays::MapEach;
use crate::body::{Bodies, Joint, Motion as Kind, WORLD};
use crate::contact::{PairContacts, PairRule};
use crate::query::{FirstTouch, Motion, TouchSearch, first_touch};
use crate::tree::Counts;

/// Share of a pair's relative speed from which one of its bodies counts as fast itself.
const FAST: f64 = 0.25;

/// Returns whether contacts bear a body.
fn is_borne(pairs: &[PairContacts], body: u32) -> bool {
    let of_body = pairs.iter().filter(|pair| pair.a == body || pair.b == body);
    of_body.flat_map(|pair| &pair.contacts).any(|contact| contact.normal_impulse > 0.0)
}

/// Returns for each body whether a joint connects it.
pub(super) fn are_joined(bodies: usize, joints: &[Joint]) -> Vec<bool> {
    let mut is_joined = vec![false; bodies];
    for body in joints.iter().flat_map(|joint| [joint.a, joint.b]).filter(|&body| body != WORLD) {
        is_joined[body as usize] = true;
    }
    is_joined
}

impl World {
    /// Returns whether a pair may be swept: its bodies collide as wholes, keep their shapes, and move
    /// freely, at least one of them by forces. Contacts that hold the bodies do so better than collisions.
    pub(super) fn may_be_swept(&self, pair: &PairContacts) -> bool {
        let two = [pair.a, pair.b];
        pair.rule == PairRule::Collide
            && !pair.is_in_parts
            && !self.pairs.is_sensor_pair(pair)
            && !pair.judged.is_intersecting
            && !pair.is_held(self.two(pair), self.config.dt)
            && !two.iter().any(|&body| {
                let index = body as usize;
                self.is_joined[index] || self.figure_links[index].is_some() || self.bodies.is_reshaped(body)
            })
            && two.iter().any(|&body| self.bodies.is_dynamic(body))
    }

    /// Lets fast bodies collide at the times of their impacts in the pass of `dt` seconds that the
    /// solver has just ended.
    pub(super) fn sweep_pass(&mut self, dt: f64) {
        if !self.pairs.active.iter().any(|pair| pair.is_swept) {
            return;
        }
        let mut impacts = std::mem::take(&mut self.impacts);
        let mut pairs = std::mem::take(&mut self.pairs.active);
        self.find_fast(&mut impacts, &pairs, dt);
        for at in 0..impacts.watched.len() {
            let pair = &mut pairs[impacts.watched[at].pair as usize];
            if pair.is_swept {
                impacts.watched[at].touch = self.first_touch(&mut impacts, at, pair, dt);
            }
        }
        while let Some((met_at, touch)) = impacts.first() {
            if self.is_stopped() {
                break;
            }
            self.add_kicked(&mut impacts, &pairs, met_at);
            let pair = &mut pairs[impacts.watched[met_at].pair as usize];
            let met = self.meet(&mut impacts, met_at, pair, touch, dt);
            let watched = &mut impacts.watched[met_at];
            watched.is_over |= met == Met::Stops;
            if met == Met::Slides {
                (watched.slid_at, watched.slide_count) = (touch.share, watched.slide_count + 1);
                impacts.watched[met_at].touch = self.first_touch(&mut impacts, met_at, pair, dt);
                continue;
            }
            let two = [pair.a, pair.b];
            for at in 0..impacts.watched.len() {
                let pair = &mut pairs[impacts.watched[at].pair as usize];
                let is_bent = |body: &u32| two.contains(body) && impacts.fast(*body).is_some();
                if [pair.a, pair.b].iter().any(is_bent) {
                    impacts.watched[at].touch = self.first_touch(&mut impacts, at, pair, dt);
                }
            }
        }
        self.land(&impacts);
        (self.impacts, self.pairs.active) = (impacts, pairs);
    }

    /// Finds the fast bodies of the swept pairs, and their pairs.
    fn find_fast(&self, impacts: &mut Impacts, pairs: &[PairContacts], dt: f64) {
        let Bodies { states, infos, .. } = &self.bodies;
        impacts.begin(states.len());
        let way = |body: u32| {
            let (index, before) = (body as usize, &self.watch.guard.before[body as usize]);
            let state = &states[index];
            let slide = state.world_center().distance(before.transform_point(state.center));
            slide + state.angular_velocity.length() * dt * infos[index].radius
        };
        for pair in pairs.iter().filter(|pair| pair.is_swept) {
            let two = [pair.a, pair.b];
            let (ways, can) = (two.map_each(way), two.map_each(|body| self.yields(body)));
            for side in 0..2 {
                let is_fast = !can[1 - side] || ways[side] >= FAST * (ways[0] + ways[1]);
                if can[side] && is_fast && impacts.fast(two[side]).is_none() {
                    self.add_fast(impacts, pairs, two[side]);
                }
            }
        }
    }

    /// Adds those bodies of a pair to the fast ones that are free to go on after they meet. A body that
    /// contacts bear keeps its motion until the next pass, in which its contacts are solved.
    fn add_kicked(&self, impacts: &mut Impacts, pairs: &[PairContacts], met_at: usize) {
        let pair = &pairs[impacts.watched[met_at].pair as usize];
        for body in [pair.a, pair.b] {
            if self.yields(body) && impacts.fast(body).is_none() && !is_borne(pairs, body) {
                self.add_fast(impacts, pairs, body);
            }
        }
    }

    pub(super) fn yields(&self, body: u32) -> bool {
        let state = &self.bodies.states[body as usize];
        state.is_dynamic() && state.is_awake()
    }

    /// Adds a body to the fast ones, and its pairs to those that are watched.
    fn add_fast(&self, impacts: &mut Impacts, pairs: &[PairContacts], body: u32) {
        impacts.fast_of[body as usize] = impacts.fast.len() as u32;
        let is_free = !is_borne(pairs, body);
        let room = self.solver.room_of(body);
        impacts.fast.push(Fast { body, since: 0.0, bend_count: 0, room, is_free });
        for (index, pair) in (0..).zip(pairs).filter(|(_, pair)| pair.a == body || pair.b == body) {
            let other = if pair.a == body { pair.b } else { pair.a };
            // A pair of two fast bodies is watched already.
            if impacts.fast(other).is_none() && (pair.is_swept || self.may_be_swept(pair)) {
                impacts.watched.push(Watched {
                    pair: index,
                    touch: None,
                    slid_at: -1.0,
                    slide_count: 0,
                    is_over: pair.judged.is_intersecting,
                });
            }
        }
    }

    /// Returns the motion of a body in this pass.
    pub(super) fn motion_of(&self, impacts: &mut Impacts, body: u32, dt: f64) -> Motion {
        let index = body as usize;
        *impacts.motions[index].get_or_insert_with(|| {
            let (state, info) = self.bodies.both(body);
            let before = &self.watch.guard.before[index];
            let moves = state.motion != Kind::Static && state.is_awake();
            if moves {
                flown(before, state, info.radius, dt)
            } else {
                bent(state, info.radius, 0.0, DVec3::ZERO, DVec3::ZERO)
            }
        })
    }

    /// Returns the first touch of the watched pair `at` after the last collisions of its bodies. If there
    /// is none and the two were apart before, the guard need not test the pair.
    fn first_touch(
        &self,
        impacts: &mut Impacts,
        at: usize,
        pair: &mut PairContacts,
        dt: f64,
    ) -> Option<FirstTouch> {
        let two = [pair.a, pair.b];
        let Watched { slid_at, is_over, .. } = impacts.watched[at];
        let fast = || two.iter().filter_map(|&body| impacts.fast(body));
        // Contacts and the guard part bodies that intersect.
        if is_over {
            return None;
        }
        let since = fast().map(|fast| fast.since).fold(0.0, f64::max);
        let start = since.max(slid_at);
        let surfaces = self.surfaces(pair)?;
        let motions = two.map_each(|body| self.motion_of(impacts, body, dt));
        let touch = TOUCH * pair.settings.slop;
        let search =
            TouchSearch { surfaces, motions: [&motions[0], &motions[1]], start, touch, ignored: 0.0 };
        let mut counts = Counts::default();
        let (found, is_whole) = {
            let scratch = &mut *self.scratch(0);
            let Scratch { descent, touch, .. } = scratch;
            let found = first_touch(&search, descent, touch, &mut counts);
            (found, !touch.has_ignored())
        };
        pair.cost.node_tests += counts.node_test_count;
        pair.clear = (found.is_none() && is_whole).then(|| (self.b_to_a(pair), touch));
        found
    }

    /// Tells the guard from where the fast bodies came last.
    fn land(&mut self, impacts: &Impacts) {
        for fast in impacts.fast.iter().filter(|fast| fast.bend_count > 0) {
            if let Some(motion) = &impacts.motions[fast.body as usize] {
                self.watch.guard.before[fast.body as usize] = motion.at(fast.since);
            }
        }
    }
}
