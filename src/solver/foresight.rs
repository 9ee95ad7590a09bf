//! Foresight: the distance that bodies may travel in a pass before it must end.
//!
//! Contacts are found for the velocities at the start of a pass. Impulses and drives change velocities
//! within the pass, and a body that becomes faster reaches surfaces that were not searched. So the new
//! velocities are compared with the known free distance before poses advance, and the pass ends where
//! that distance ends.

use super::integrate::rotation_vector;
use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::Bodies;
use crate::contact::{self, Ahead, Course, PairContacts, greatest_speed};

/// Least share of a sub-step that is taken, so that a step ends.
const LEAST_SHARE: f64 = 0.05;

/// Free distances of a pass.
#[derive(Default)]
pub(super) struct Foresight {
    /// Distance that each pair may travel relative to each other, m; infinite if neither body can be
    /// moved.
    pairs: Vec<f64>,
    /// Distance that each body may travel, m: beyond its box there may be bodies with which it has no
    /// pair.
    bodies: Vec<f64>,
    /// Upper bound of the speed of each body's points, m/s.
    speeds: Vec<f64>,
    /// Bodies that have traveled farther since the pass began.
    outran: Vec<u32>,
}

impl Foresight {
    /// Notes the free distances of bodies and pairs at the start of a pass. `step` is the time for
    /// which their boxes are grown.
    pub fn begin(&mut self, bodies: &Bodies, pairs: &[PairContacts], moving: &[Moving], step: Ahead) {
        let two = |pair: &PairContacts| [pair.a, pair.b].map_each(|i| bodies.both(i));
        self.outran.clear();
        self.pairs.clear();
        self.pairs.extend(pairs.iter().map(|pair| {
            let yields = [pair.a, pair.b].iter().any(|&body| moving[body as usize].inverse_mass > 0.0);
            if yields { pair.room_to_travel(two(pair)) } else { f64::INFINITY }
        }));
        let all = bodies.states.iter().zip(&bodies.infos).zip(moving);
        self.bodies.clear();
        self.bodies.extend(all.map(|((state, info), moving)| {
            let can_meet = moving.inverse_mass > 0.0 && info.mesh.is_some();
            if can_meet { contact::room_of_body(state, info, step) } else { f64::INFINITY }
        }));
    }

    /// Returns the share of a sub-step of `h` seconds, begun `spent` seconds into the pass, that bodies
    /// can take with their present velocities. Notes the bodies that nevertheless travel farther than
    /// is free.
    pub fn share(
        &mut self,
        (spent, h): (f64, f64),
        may_end_early: bool,
        moving: &[Moving],
        bodies: &Bodies,
        pairs: &[PairContacts],
    ) -> f64 {
        self.speeds.clear();
        self.speeds.extend((0..bodies.states.len()).map(|body| course(body as u32, moving, bodies).speed()));
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

    /// Notes the bodies that will have traveled farther than is free when `until` seconds of the pass
    /// are over; `spent` are over now.
    fn note_late(
        &mut self,
        (spent, until): (f64, f64),
        moving: &[Moving],
        bodies: &Bodies,
        pairs: &[PairContacts],
    ) {
        let mut outran = std::mem::take(&mut self.outran);
        // A body was not always as fast as it is now.
        let is_late = |&(_, body): &(f64, u32)| {
            let ahead = self.speeds[body as usize] * (until - spent);
            travelled(body, moving, bodies) + ahead > self.bodies[body as usize]
        };
        let alone = self.of_bodies().filter(|(at, _)| *at < until).filter(is_late);
        let late = self.of_pairs(until, moving, bodies, pairs).filter(|(at, _)| *at < until);
        outran.extend(alone.chain(late).map(|(_, body)| body));
        self.outran = outran;
    }

    /// Returns the times, s, since the pass began, at which a free distance ends, each with the body
    /// that ends it. Pairs whose distance does not end before `time` may be left out.
    fn limits(
        &self,
        time: f64,
        moving: &[Moving],
        bodies: &Bodies,
        pairs: &[PairContacts],
    ) -> impl Iterator<Item = (f64, u32)> {
        self.of_bodies().chain(self.of_pairs(time, moving, bodies, pairs))
    }

    /// Returns [`Self::limits`] of bodies alone.
    fn of_bodies(&self) -> impl Iterator<Item = (f64, u32)> {
        let speed = |body: u32| self.speeds[body as usize];
        (0..).zip(&self.bodies).map(move |(body, room)| (room / speed(body), body))
    }

    /// Returns [`Self::limits`] of pairs alone.
    fn of_pairs(
        &self,
        time: f64,
        moving: &[Moving],
        bodies: &Bodies,
        pairs: &[PairContacts],
    ) -> impl Iterator<Item = (f64, u32)> {
        let speed = |body: u32| self.speeds[body as usize];
        pairs.iter().zip(&self.pairs).filter_map(move |(pair, room)| {
            // The sum of the two speeds is a cheaper bound.
            if (speed(pair.a) + speed(pair.b)) * time <= *room {
                return None;
            }
            let both = [pair.a, pair.b].map_each(|body| course(body, moving, bodies));
            let faster = if speed(pair.a) > speed(pair.b) { pair.a } else { pair.b };
            Some((room / greatest_speed(both, time), faster))
        })
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

fn course(body: u32, moving: &[Moving], bodies: &Bodies) -> Course {
    let (moving, info) = (&moving[body as usize], &bodies.infos[body as usize]);
    let Moving { center, linear, angular, .. } = *moving;
    Course { center, linear, angular, radius: info.radius }
}
