//! Limit on the distance that bodies may travel in a pass before the pass must end.
//!
//! Contacts are found for the velocities at the start of a pass. Impulses and drives change velocities
//! within the pass, and a body that becomes faster may reach surfaces that were not searched. So,
//! before poses advance, the new velocities are compared with the distance known to be free, and the
//! pass ends where this distance ends.

use super::integrate::rotation_vector;
use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::Bodies;
use crate::contact::{self, Ahead, MovingBall, PairContacts, greatest_speed};

/// Least share of a sub-step that is taken. It ensures that every pass makes progress.
const LEAST_SHARE: f64 = 0.05;

/// Free distances of bodies and pairs in a pass.
#[derive(Default)]
pub(super) struct Foresight {
    /// Relative distance that each pair may travel, m; infinite if neither body is movable.
    pairs: Vec<f64>,
    /// Distance that each body may travel, m. Beyond its enlarged box there may be bodies with which it
    /// has no pair.
    bodies: Vec<f64>,
    /// Upper bound of the speed of each body's points, m/s.
    speeds: Vec<f64>,
    /// Indices of bodies that traveled farther than their free distance since the pass began.
    outran: Vec<u32>,
}

impl Foresight {
    /// Stores the free distances of bodies and pairs at the start of a pass. `step`: the time for which
    /// the boxes are enlarged.
    pub fn begin(&mut self, bodies: &Bodies, pairs: &[PairContacts], moving: &[Moving], step: Ahead) {
        let two = |pair: &PairContacts| [pair.a, pair.b].map_each(|i| bodies.both(i));
        self.outran.clear();
        self.pairs.clear();
        self.pairs.extend(pairs.iter().map(|pair| {
            let yields = [pair.a, pair.b].iter().any(|&body| moving[body as usize].inverse_mass > 0.0);
            if yields && !pair.is_swept { pair.room_to_travel(two(pair)) } else { f64::INFINITY }
        }));
        let all = bodies.states.iter().zip(&bodies.infos).zip(moving);
        self.bodies.clear();
        self.bodies.extend(all.map(|((state, info), moving)| {
            let can_meet = moving.inverse_mass > 0.0 && info.mesh.is_some();
            if can_meet { contact::room_of_body(state, info, step) } else { f64::INFINITY }
        }));
    }

    /// Returns the share of a sub-step that bodies can take with their present velocities. The sub-step
    /// lasts `h` seconds and begins `spent` seconds into the pass. The share is 1 if the pass must not
    /// end early. Records the bodies that nevertheless travel farther than their free distance.
    pub fn share(
        &mut self,
        (spent, h): (f64, f64),
        may_end_early: bool,
        moving: &[Moving],
        bodies: &Bodies,
        pairs: &[PairContacts],
    ) -> f64 {
        self.speeds.clear();
        self.speeds
            .extend((0..bodies.states.len()).map(|body| moving_ball(body as u32, moving, bodies).speed()));
        let time = spent + h;
        let longest = self.limits(time, moving, bodies, pairs).fold(time, |least, (at, _)| least.min(at));
        if longest >= time {
            return 1.0;
        }
        let share = (longest - spent) / h;
        let taken = if may_end_early { share.max(LEAST_SHARE) } else { 1.0 };
        if taken > share {
            self.note_late((spent, spent + taken * h), moving, bodies, pairs);
        }
        taken
    }

    /// Records the bodies that travel farther than their free distance by the time `until`. `spent`:
    /// present time. Both in s since the pass began.
    fn note_late(
        &mut self,
        (spent, until): (f64, f64),
        moving: &[Moving],
        bodies: &Bodies,
        pairs: &[PairContacts],
    ) {
        let mut outran = std::mem::take(&mut self.outran);
        // The body may have been slower earlier in the pass, so its actual path decides.
        let is_late = |&(_, body): &(f64, u32)| {
            let ahead = self.speeds[body as usize] * (until - spent);
            travelled(body, moving, bodies) + ahead > self.bodies[body as usize]
        };
        let alone = self.of_bodies().filter(|(at, _)| *at < until).filter(is_late);
        let late = self.of_pairs(until, moving, bodies, pairs).filter(|(at, _)| *at < until);
        outran.extend(alone.chain(late).map(|(_, body)| body));
        self.outran = outran;
    }

    /// Returns the times, s since the pass began, at which a free distance ends, each with the body
    /// that reaches the end. Pairs whose distance does not end before `time` may be omitted.
    fn limits(
        &self,
        time: f64,
        moving: &[Moving],
        bodies: &Bodies,
        pairs: &[PairContacts],
    ) -> impl Iterator<Item = (f64, u32)> {
        self.of_bodies().chain(self.of_pairs(time, moving, bodies, pairs))
    }

    /// Returns the part of [`Self::limits`] that concerns single bodies.
    fn of_bodies(&self) -> impl Iterator<Item = (f64, u32)> {
        let speed = |body: u32| self.speeds[body as usize];
        (0..).zip(&self.bodies).map(move |(body, room)| (room / speed(body), body))
    }

    /// Returns the part of [`Self::limits`] that concerns pairs. The body is the faster one of the
    /// pair.
    fn of_pairs(
        &self,
        time: f64,
        moving: &[Moving],
        bodies: &Bodies,
        pairs: &[PairContacts],
    ) -> impl Iterator<Item = (f64, u32)> {
        let speed = |body: u32| self.speeds[body as usize];
        pairs.iter().zip(&self.pairs).filter_map(move |(pair, room)| {
            // The sum of the two speeds is a bound that is cheaper to compute.
            if (speed(pair.a) + speed(pair.b)) * time <= *room {
                return None;
            }
            let both = [pair.a, pair.b].map_each(|body| moving_ball(body, moving, bodies));
            let faster = if speed(pair.a) > speed(pair.b) { pair.a } else { pair.b };
            Some((room / greatest_speed(both, time), faster))
        })
    }

    /// Returns the distance that a body may travel in the pass, m.
    pub fn room_of(&self, body: u32) -> f64 {
        self.bodies[body as usize]
    }

    pub fn outran(&self) -> &[u32] {
        &self.outran
    }
}

/// Returns the largest distance that a body's points have traveled since the pass began, m.
fn travelled(body: u32, moving: &[Moving], bodies: &Bodies) -> f64 {
    let (state, info) = bodies.both(body);
    let moving = &moving[body as usize];
    let turned = rotation_vector(moving.rotation * state.pose.rotation.conjugate());
    moving.center.distance(state.world_center()) + turned.length() * info.radius
}

fn moving_ball(body: u32, moving: &[Moving], bodies: &Bodies) -> MovingBall {
    let (moving, info) = (&moving[body as usize], &bodies.infos[body as usize]);
    let Moving { center, linear, angular, .. } = *moving;
    MovingBall { center, linear, angular, radius: info.radius }
}
