//! Impacts within a pass: fast bodies collide at the time of impact.
//!
//! A pair that would need more passes than a step may take is *swept*: it asks for no passes, and gets
//! contacts only for what is near. After the solver, the motions of its bodies in the pass are searched
//! for their first touch. There the two bodies collide, and the fast ones go on from there for the rest
//! of the pass, while all other bodies keep their motions. The earliest touch comes first. A body that
//! collides too often waits at the last touch until the next pass.

use glam::DVec3;

use super::World;
use super::collision::{Material, Spot, collide};
use super::flights::{bent, carried, flown};
use super::scratch::Scratch;
use crate::arrays::MapEach;
use crate::body::{Activity, Bodies, Joint, Motion as Kind, WORLD};
use crate::contact::{PairContacts, PairRule, Skin};
use crate::query::{self, FirstTouch, Motion, NearQuery, TouchSearch, first_touch};
use crate::tree::Counts;

/// Distance that counts as touching, in slops of the pair. Smaller values leave less room for the
/// motion after a collision; larger values let bodies collide visibly early.
const TOUCH: f64 = 0.25;
/// Largest number of collisions of a body in a pass.
const MOST_IMPACTS: u32 = 16;
/// Largest number of seams over which two bodies slide in a pass before the search for their touch ends.
const MOST_SLIDES: u32 = 16;
/// Share of a pair's relative speed from which one of its bodies counts as fast itself.
const FAST: f64 = 0.25;
/// Largest number of candidates of a collision; more give only the nearest points.
const MOST_CANDIDATES: usize = 1 << 18;
/// Largest approach of two bodies that slide over each other, as a share of their speeds.
const SLIDE: f64 = 1e-6;
/// Index that stands for no fast body.
const NONE: u32 = u32::MAX;

/// Outcome of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    /// The bodies collided, and the fast ones go on with other velocities.
    Collides,
    /// The bodies do not approach, as where one slides over a seam of the other. They go on as before.
    Slides,
    /// The fast bodies wait for the next pass.
    Waits,
}

/// Fast body of a pass.
#[derive(Clone, Copy, Debug)]
struct Fast {
    body: u32,
    /// Share of the pass at which it collided last.
    since: f64,
    /// Number of its collisions in this pass.
    impact_count: u32,
    /// True if it waits for the next pass.
    is_waiting: bool,
    /// True if no contact bears it, so that only gravity changed its velocity in the pass.
    is_free: bool,
}

/// Pair of a fast body.
#[derive(Clone, Copy, Debug)]
struct Watched {
    /// Index among the active pairs.
    pair: u32,
    touch: Option<FirstTouch>,
    /// Share of the pass at which the bodies slid over each other last; negative if they did not.
    slid_at: f64,
    /// Number of times that they slid over each other in this pass.
    slide_count: u32,
    /// True if the search for their touch is over in this pass.
    is_over: bool,
}

/// Fast bodies of a pass, their pairs, and the motions of all bodies concerned.
#[derive(Default)]
pub(super) struct Impacts {
    /// Index among the fast bodies, by body.
    fast_of: Vec<u32>,
    fast: Vec<Fast>,
    watched: Vec<Watched>,
    /// Motions of the bodies in this pass, by body, where they were needed.
    motions: Vec<Option<Motion>>,
    spots: Vec<Spot>,
}

impl Impacts {
    fn begin(&mut self, bodies: usize) {
        self.fast.clear();
        self.watched.clear();
        self.fast_of.clear();
        self.fast_of.resize(bodies, NONE);
        self.motions.clear();
        self.motions.resize(bodies, None);
    }

    fn fast_mut(&mut self, body: u32) -> Option<&mut Fast> {
        let at = self.fast_of[body as usize];
        (at != NONE).then(|| &mut self.fast[at as usize])
    }

    fn fast(&self, body: u32) -> Option<&Fast> {
        let at = self.fast_of[body as usize];
        (at != NONE).then(|| &self.fast[at as usize])
    }

    /// Returns the earliest touch and its index among the watched pairs; of equally early ones, the
    /// first.
    fn first(&self) -> Option<(usize, FirstTouch)> {
        let mut first: Option<(usize, FirstTouch)> = None;
        for (at, watched) in self.watched.iter().enumerate() {
            if let Some(touch) = watched.touch.filter(|t| first.is_none_or(|(_, f)| t.share < f.share)) {
                first = Some((at, touch));
            }
        }
        first
    }
}

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
    /// freely, at least one of them by forces.
    pub(super) fn may_be_swept(&self, pair: &PairContacts) -> bool {
        let two = [pair.a, pair.b];
        self.budget_state.is_none()
            && pair.rule == PairRule::Collide
            && !pair.is_in_parts
            && !self.pairs.is_sensor_pair(pair)
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
            let met = self.meet(&mut impacts, pair, touch, dt);
            let watched = &mut impacts.watched[met_at];
            watched.is_over |= met == Met::Waits;
            if met == Met::Slides {
                (watched.slid_at, watched.slide_count) = (touch.share, watched.slide_count + 1);
                watched.is_over |= watched.slide_count > MOST_SLIDES;
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

    /// Adds those bodies of a pair to the fast ones that are free to go on after they meet. A body that contacts bear keeps its motion until the next pass, in which its contacts are
    /// solved.
    fn add_kicked(&self, impacts: &mut Impacts, pairs: &[PairContacts], met_at: usize) {
        let pair = &pairs[impacts.watched[met_at].pair as usize];
        for body in [pair.a, pair.b] {
            if self.yields(body) && impacts.fast(body).is_none() && !is_borne(pairs, body) {
                self.add_fast(impacts, pairs, body);
            }
        }
    }

    fn yields(&self, body: u32) -> bool {
        let state = &self.bodies.states[body as usize];
        state.is_dynamic() && state.is_awake()
    }

    /// Adds a body to the fast ones, and its pairs to those that are watched.
    fn add_fast(&self, impacts: &mut Impacts, pairs: &[PairContacts], body: u32) {
        impacts.fast_of[body as usize] = impacts.fast.len() as u32;
        let is_free = !is_borne(pairs, body);
        impacts.fast.push(Fast { body, since: 0.0, impact_count: 0, is_waiting: false, is_free });
        for (index, pair) in (0..).zip(pairs).filter(|(_, pair)| pair.a == body || pair.b == body) {
            let other = if pair.a == body { pair.b } else { pair.a };
            // A pair of two fast bodies is watched already.
            if impacts.fast(other).is_none() && self.may_be_swept(pair) {
                impacts.watched.push(Watched {
                    pair: index,
                    touch: None,
                    slid_at: -1.0,
                    slide_count: 0,
                    is_over: false,
                });
            }
        }
    }

    /// Returns the motion of a body in this pass.
    fn motion_of(&self, impacts: &mut Impacts, body: u32, dt: f64) -> Motion {
        let index = body as usize;
        *impacts.motions[index].get_or_insert_with(|| {
            let (state, info) = self.bodies.both(body);
            let before = &self.watch.guard.before[index];
            let moves = state.motion != Kind::Static && state.is_awake();
            if moves {
                flown(before, state, info, dt)
            } else {
                bent(state, info, 0.0, DVec3::ZERO, DVec3::ZERO)
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
        // The guard tests pairs that slide over many seams; bodies that wait are left to the next pass.
        if is_over || fast().all(|fast| fast.is_waiting) {
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

    /// Lets the bodies of a pair collide at a touch, and bends the motions of the fast ones.
    fn meet(&mut self, impacts: &mut Impacts, pair: &mut PairContacts, touch: FirstTouch, dt: f64) -> Met {
        let two = [pair.a, pair.b];
        let share = touch.share;
        let left = (1.0 - share) * dt;
        let ends = two.map_each(|body| self.bodies.states[body as usize]);
        let motions = two.map_each(|body| self.motion_of(impacts, body, dt));
        for (&body, motion) in two.iter().zip(&motions) {
            let since = impacts.fast(body).map(|fast| fast.since);
            let is_waiting = impacts.fast(body).is_some_and(|fast| fast.is_waiting);
            // The motion has the mean velocity of its time.
            let later = since.map_or(0.0, |since| share - 0.5 * (since + 1.0));
            let fall = self.gravity_on(impacts, body, later * dt);
            let state = &mut self.bodies.states[body as usize];
            state.pose = motion.at(share);
            // A body that waits moves with another, not with its velocity.
            if since.is_some() && !is_waiting {
                (state.linear_velocity, state.angular_velocity) =
                    (motion.shift / dt + fall, motion.turn / dt);
            }
            if state.is_dynamic() && state.activity == Activity::Asleep {
                state.activity = Activity::Awake { slow_for: 0.0 };
            }
        }
        let count = two.iter().filter_map(|&body| impacts.fast(body)).map(|fast| fast.impact_count).max();
        let met = if touch.is_certain() && count < Some(MOST_IMPACTS) {
            self.find_spots(&mut impacts.spots, pair);
            self.collide(&mut impacts.spots, pair, &touch, &motions)
        } else {
            Met::Waits
        };
        // Of two fast bodies, the lighter one waits.
        let inverse = two.map_each(|body| self.bodies.states[body as usize].inverse_mass);
        let is_fast = two.map_each(|body| impacts.fast(body).is_some());
        let waiting = usize::from(is_fast[1] && (!is_fast[0] || inverse[1] > inverse[0]));
        for (side, &body) in two.iter().enumerate() {
            let fall = self.gravity_on(impacts, body, left);
            let goes_on = match met {
                Met::Collides => impacts.fast(body).is_some(),
                Met::Slides => false,
                Met::Waits => side == waiting,
            };
            if !goes_on {
                let state = &mut self.bodies.states[body as usize];
                state.pose = ends[side].pose;
                if met != Met::Collides {
                    *state = ends[side];
                }
                continue;
            }
            let motion = if met == Met::Collides {
                self.go_on(impacts, body, (share, dt), fall, side == 1)
            } else {
                let (state, info) = self.bodies.both(body);
                carried(state, info, share, &motions[1 - side])
            };
            impacts.motions[body as usize] = Some(motion);
            if let Some(fast) = impacts.fast_mut(body) {
                (fast.since, fast.is_waiting) = (share, met == Met::Waits);
                fast.impact_count += 1;
            }
            self.bodies.states[body as usize].pose = motion.at(1.0);
        }
        if met == Met::Waits {
            // The two keep their relative pose from the touch on.
            pair.clear = Some((self.b_to_a(pair), TOUCH * pair.settings.slop));
        }
        self.counts.impacts += u64::from(met == Met::Collides);
        self.counts.waits += u64::from(met == Met::Waits);
        met
    }

    /// Returns the velocity that gravity adds to a fast body in `seconds`, m/s; zero for bodies that
    /// contacts bear, and for others.
    fn gravity_on(&self, impacts: &Impacts, body: u32, seconds: f64) -> DVec3 {
        let factor = self.bodies.states[body as usize].gravity_factor;
        let falls = impacts.fast(body).is_some_and(|fast| fast.is_free);
        if falls { seconds * factor * self.gravity } else { DVec3::ZERO }
    }

    /// Finds the contacts of a pair at its present poses.
    fn find_spots(&self, spots: &mut Vec<Spot>, pair: &mut PairContacts) {
        spots.clear();
        let Some(surfaces) = self.surfaces(pair) else { return };
        let b_to_a = self.b_to_a(pair);
        let reach = pair.settings.speculative + TOUCH * pair.settings.slop;
        pair.search.list = None;
        (pair.search.margin, pair.search.foreseen) = (reach, reach);
        pair.search.candidates.clear();
        let mut counts = Counts::default();
        let near = pair.near(reach, reach, Skin::default());
        let Scratch { descent, query, .. } = &mut *self.scratch(0);
        let of_near = NearQuery { surfaces, b_to_a: &b_to_a, near };
        let candidates = &mut pair.search.candidates;
        let is_whole = query::find_candidates(&of_near, MOST_CANDIDATES, descent, candidates, &mut counts);
        pair.cost.node_tests += counts.node_test_count;
        if is_whole {
            pair.find_contacts(query, &self.query_of(pair, surfaces, false), |_| false);
            let [a, b] = [pair.a, pair.b].map_each(|body| &self.bodies.states[body as usize].pose);
            spots.extend(pair.contacts.iter().filter(|contact| contact.separation <= reach).map(|contact| {
                let [on_a, on_b] = [a.transform_point(contact.point_a), b.transform_point(contact.point_b)];
                Spot::new(0.5 * (on_a + on_b), contact.normal)
            }));
        }
    }

    /// Lets the bodies of a pair collide. If their contacts do not end the approach, the nearest points
    /// do.
    fn collide(
        &mut self,
        spots: &mut Vec<Spot>,
        pair: &mut PairContacts,
        touch: &FirstTouch,
        motions: &[Motion; 2],
    ) -> Met {
        let Some(nearest) = touch.nearest else { return Met::Waits };
        let [p, q] = nearest.points;
        let (middle, across) = (0.5 * (p + q), (q - p).normalize_or_zero());
        let [a, b] = [pair.a, pair.b].map_each(|body| body as usize);
        let material = Material { friction: pair.friction, restitution: pair.restitution };
        let mut has_met = false;
        for is_last in [false, true] {
            let states = &mut self.bodies.states;
            if is_last {
                if across.dot(states[b].velocity_at(middle) - states[a].velocity_at(middle)) >= 0.0 {
                    break;
                }
                spots.clear();
                spots.push(Spot::new(middle, across));
            }
            let (low, high) = states.split_at_mut(a.max(b));
            let two = if a < b { [&mut low[a], &mut high[0]] } else { [&mut high[0], &mut low[b]] };
            if let Some(push) = collide(two, spots, material) {
                pair.push += push;
                has_met = true;
            }
        }
        if has_met {
            return Met::Collides;
        }
        // A body that contacts bear keeps its motion even after a kick, so the motions may still approach.
        let speeds = motions.map_each(|motion| across.dot(motion.velocity_at(touch.share, middle)));
        if speeds[1] < speeds[0] && speeds[0] - speeds[1] > SLIDE * (motions[0].speed() + motions[1].speed())
        {
            Met::Waits
        } else {
            Met::Slides
        }
    }

    /// Returns the motion of a body for the rest of a pass after a collision. `fall`: velocity that
    /// gravity adds in that time.
    fn go_on(
        &mut self,
        impacts: &Impacts,
        body: u32,
        (share, dt): (f64, f64),
        mut fall: DVec3,
        is_of_b: bool,
    ) -> Motion {
        let state = &self.bodies.states[body as usize];
        // A contact from which the body does not bounce bears it.
        for spot in &impacts.spots {
            let out = if is_of_b { spot.normal } else { -spot.normal };
            let into = out.dot(fall);
            if into < 0.0 && out.dot(state.velocity_at(spot.point)) < -2.0 * into {
                fall -= into * out;
            }
        }
        let (shift, turn) = (dt * (state.linear_velocity + 0.5 * fall), dt * state.angular_velocity);
        let motion = bent(state, &self.bodies.infos[body as usize], share, shift, turn);
        let state = &mut self.bodies.states[body as usize];
        state.linear_velocity += fall;
        // The angular momentum stays the same as the body turns.
        let rotation = state.pose.rotation;
        let momentum = rotation * (state.inertia * (rotation.conjugate() * state.angular_velocity));
        let end = motion.at(1.0).rotation;
        if state.is_dynamic() {
            state.angular_velocity = end * (state.inverse_inertia * (end.conjugate() * momentum));
        }
        motion
    }

    /// Tells the guard from where the fast bodies came last.
    fn land(&mut self, impacts: &Impacts) {
        for fast in impacts.fast.iter().filter(|fast| fast.impact_count > 0) {
            if let Some(motion) = &impacts.motions[fast.body as usize] {
                self.watch.guard.before[fast.body as usize] = motion.at(fast.since);
            }
        }
    }
}
