//! Meeting of two bodies at the time of their impact: they collide, slide over each other, or stop.

use glam::DVec3;

use super::World;
use super::collision::{Material, Spot, collide};
use super::fast::{Impacts, TOUCH};
use super::flights::{bent, fallen, stopped};
use super::scratch::Scratch;
use crate::arrays::MapEach;
use crate::body::{Activity, BodyState};
use crate::contact::{PairContacts, Skin};
use crate::pose::Pose;
use crate::query::{self, FirstTouch, Motion, NearQuery, Nearest};
use crate::tree::Counts;

/// Largest number of touches at which the motion of a body is bent in a pass.
const MOST_BENDS: u32 = 16;
/// Largest number of seams over which two bodies slide in a pass before they stop.
const MOST_SLIDES: u32 = 16;
/// Distance below which two bodies that meet are moved apart, as a share of the touching distance.
const NEAR: f64 = 0.6;
/// Largest number of candidates of a collision; more give only the nearest points.
const MOST_CANDIDATES: usize = 1 << 18;
/// Largest approach of two bodies that slide over each other, as a share of their speeds.
const SLIDE: f64 = 1e-6;

/// Outcome of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// The bodies collided, and the fast ones go on with other velocities.
    Collides,
    /// The bodies do not approach, as where one slides over a seam of the other. They go on as before.
    Slides,
    /// The fast bodies stop for the rest of the pass.
    Stops,
}

impl World {
    /// Lets the bodies of a pair collide at a touch, and bends the motions of the fast ones.
    pub(super) fn meet(
        &mut self,
        impacts: &mut Impacts,
        met_at: usize,
        pair: &mut PairContacts,
        touch: FirstTouch,
        dt: f64,
    ) -> Met {
        let two = [pair.a, pair.b];
        let ends = two.map_each(|body| self.bodies.states[body as usize]);
        let motions = two.map_each(|body| self.motion_of(impacts, body, dt));
        for (&body, motion) in two.iter().zip(&motions) {
            self.bring_back(body, &motion.at(touch.share), impacts.fast(body).is_some());
        }
        let count = two.iter().filter_map(|&body| impacts.fast(body)).map(|fast| fast.bend_count).max();
        let mut met = Met::Stops;
        if touch.is_certain() && count < Some(MOST_BENDS) {
            self.find_spots(&mut impacts.spots, pair);
            met = self.collide(&mut impacts.spots, pair, &touch, &motions);
        }
        if met == Met::Slides && impacts.watched[met_at].slide_count == MOST_SLIDES {
            met = Met::Stops;
        }
        match met {
            Met::Slides => {
                for (side, body) in two.into_iter().enumerate() {
                    self.bodies.states[body as usize] = ends[side];
                }
                return met;
            }
            Met::Collides => self.counts.impacts += 1,
            Met::Stops => {
                self.counts.stops += 1;
                pair.clear = Some((self.b_to_a(pair), TOUCH * pair.settings.slop));
            }
        }
        self.move_apart(impacts, two, &touch, TOUCH * pair.settings.slop);
        let yields = two.map_each(|body| self.yields(body));
        for (side, body) in two.into_iter().enumerate() {
            if impacts.fast(body).is_none() {
                // Its motion goes on to the end of the pass. A collision has changed its velocity.
                let state = &mut self.bodies.states[body as usize];
                let after = if met == Met::Collides { *state } else { ends[side] };
                *state = BodyState { pose: ends[side].pose, ..after };
                continue;
            }
            let carrier = (!yields[1 - side]).then_some(&motions[1 - side]);
            self.bend(impacts, (body, side == 1), (met, touch.share, dt), carrier);
        }
        met
    }

    /// Brings a body back to its pose at a touch. A fast body gets the velocities of that moment: those
    /// at the end of its motion, with its height changed back. The velocities of the motion itself would
    /// be a mean over the pass, which may have another energy.
    fn bring_back(&mut self, body: u32, to: &Pose, is_fast: bool) {
        let state = &mut self.bodies.states[body as usize];
        let (gravity, end) = (state.gravity_factor * self.gravity, state.world_center());
        let turned_back = state.pose.rotation.conjugate();
        state.pose = *to;
        if is_fast {
            state.linear_velocity = fallen(state.linear_velocity, gravity, state.world_center() - end);
            state.angular_velocity = to.rotation * (turned_back * state.angular_velocity);
        }
        if state.is_dynamic() && state.activity == Activity::Asleep {
            state.activity = Activity::Awake { slow_for: 0.0 };
        }
    }

    /// Moves a fast body out to a part of the touching distance (m) if the two are much nearer. A body
    /// that rolls over its contact point comes nearer at each touch, until rounding lets it through.
    fn move_apart(&mut self, impacts: &Impacts, [a, b]: [u32; 2], touch: &FirstTouch, distance: f64) {
        let is_near = |nearest: &Nearest| nearest.distance < NEAR * distance;
        let Some(nearest) = touch.nearest.filter(is_near) else { return };
        let [p, q] = nearest.points;
        let out = 0.5 * (distance - nearest.distance) * (q - p).normalize_or_zero();
        let (body, shift) = if impacts.fast(b).is_some() { (b, out) } else { (a, -out) };
        self.bodies.states[body as usize].pose.position += shift;
    }

    /// Bends the motion of a fast body at a touch at `share` of a pass of `dt` seconds. `carrier`: motion
    /// of the other body, if that does not yield.
    fn bend(
        &mut self,
        impacts: &mut Impacts,
        (body, is_of_b): (u32, bool),
        (met, share, dt): (Met, f64, f64),
        carrier: Option<&Motion>,
    ) {
        let before = self.motion_of(impacts, body, dt);
        if let Some(fast) = impacts.fast_mut(body) {
            fast.room -= before.speed() * (share - fast.since);
            fast.since = share;
            fast.bend_count += 1;
        }
        let motion = if met == Met::Collides {
            self.go_on(impacts, body, (share, dt), is_of_b)
        } else {
            let (state, info) = self.bodies.both(body);
            stopped(state, info.radius, share, carrier)
        };
        impacts.motions[body as usize] = Some(motion);
        self.bodies.states[body as usize].pose = motion.at(1.0);
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
        let Some(nearest) = touch.nearest else { return Met::Stops };
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
            Met::Stops
        } else {
            Met::Slides
        }
    }

    /// Returns the motion of a body for the rest of a pass after a collision, and sets its velocity at the
    /// end. A body that was kicked may be too fast for its room, and then moves as far as that.
    fn go_on(&mut self, impacts: &Impacts, body: u32, (share, dt): (f64, f64), is_of_b: bool) -> Motion {
        let (state, info) = self.bodies.both(body);
        let (is_free, room) = impacts.fast(body).map_or((false, 0.0), |fast| (fast.is_free, fast.room));
        let gravity = state.gravity_factor * self.gravity;
        let mut fall = if is_free { (1.0 - share) * dt * gravity } else { DVec3::ZERO };
        let mut velocity = state.linear_velocity;
        // A contact from which the body does not bounce bears it.
        for spot in &impacts.spots {
            let out = if is_of_b { spot.normal } else { -spot.normal };
            let into = out.dot(fall);
            if into < 0.0 && out.dot(state.velocity_at(spot.point)) < -2.0 * into {
                fall -= into * out;
                velocity -= out.dot(velocity).max(0.0) * out;
            }
        }
        let (shift, turn) = (dt * (velocity + 0.5 * fall), dt * state.angular_velocity);
        let way = (1.0 - share) * bent(state, info.radius, share, shift, turn).speed();
        let taken = if way > room { room.max(0.0) / way } else { 1.0 };
        let motion = bent(state, info.radius, share, taken * shift, taken * turn);
        self.counts.stops += u64::from(taken < 1.0);
        self.bodies.states[body as usize].linear_velocity = if is_free {
            velocity + taken * fall
        } else {
            fallen(velocity, gravity, (1.0 - share) * motion.shift)
        };
        motion
    }
}
