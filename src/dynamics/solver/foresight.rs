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
use crate::pose::Pose;

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
        let path = Path { spent, moving, bodies };
        let late = self.limits_of_path(until, &path, pairs).filter(|(at, _)| *at < until);
        outran.extend(late.map(|(_, body)| body));
        self.outran = outran;
    }

    /// Returns the same [`limits`](Self::limits), but no earlier than where the way that the bodies have
    /// already traveled leaves a rest of their free distance. Bodies that were slower before have more of it
    /// left than their present speed suggests.
    fn limits_of_path(
        &self,
        time: f64,
        path: &Path,
        pairs: &[PairContacts],
    ) -> impl Iterator<Item = (f64, u32)> {
        let of_body = move |(at, body): (f64, u32)| {
            if at >= time {
                return (at, body);
            }
            let left = self.bodies[body as usize] - path.travelled(body);
            (at.max(path.spent + left / self.speeds[body as usize]), body)
        };
        let of_pair = move |(pair, room): (&PairContacts, &f64)| {
            let (at, faster) = self.of_pair(pair, *room, time, path.moving, path.bodies)?;
            let both = [pair.a, pair.b].map_each(|body| moving_ball(body, path.moving, path.bodies));
            let speed = greatest_speed(both, time - path.spent);
            let left = room - path.moved(pair);
            Some((at.max(path.spent + left / speed), faster))
        };
        self.of_bodies().map(of_body).chain(pairs.iter().zip(&self.pairs).filter_map(of_pair))
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
        let all = pairs.iter().zip(&self.pairs);
        all.filter_map(move |(pair, room)| self.of_pair(pair, *room, time, moving, bodies))
    }

    /// Returns the limit of a pair, or `None` if its free distance does not end before `time`.
    fn of_pair(
        &self,
        pair: &PairContacts,
        room: f64,
        time: f64,
        moving: &[Moving],
        bodies: &Bodies,
    ) -> Option<(f64, u32)> {
        let speed = |body: u32| self.speeds[body as usize];
        // The sum of the two speeds is a bound that is cheaper to compute.
        if (speed(pair.a) + speed(pair.b)) * time <= room {
            return None;
        }
        let both = [pair.a, pair.b].map_each(|body| moving_ball(body, moving, bodies));
        let faster = if speed(pair.a) > speed(pair.b) { pair.a } else { pair.b };
        Some((room / greatest_speed(both, time), faster))
    }

    /// Returns the distance that a body may travel in the pass, m.
    pub fn room_of(&self, body: u32) -> f64 {
        self.bodies[body as usize]
    }

    pub fn outran(&self) -> &[u32] {
        &self.outran
    }
}

/// Way of the bodies since the pass began, `spent` seconds ago.
struct Path<'a> {
    spent: f64,
    moving: &'a [Moving],
    /// Bodies at the start of the pass.
    bodies: &'a Bodies,
}

impl Path<'_> {
    /// Returns the largest distance that a body's points have traveled, m.
    fn travelled(&self, body: u32) -> f64 {
        let (state, info) = self.bodies.both(body);
        let moving = &self.moving[body as usize];
        let turned = rotation_vector(moving.rotation * state.pose.rotation.conjugate());
        moving.center.distance(state.world_center()) + turned.length() * info.radius
    }

    /// Returns an upper bound of the distance that two bodies have traveled relative to each other, m.
    fn moved(&self, pair: &PairContacts) -> f64 {
        let two = [pair.a, pair.b].map_each(|body| self.bodies.both(body));
        let before = two[1].0.pose.relative_to(&two[0].0.pose);
        let [a, b] = [pair.a, pair.b].map_each(|body| {
            let (moving, state) = (&self.moving[body as usize], &self.bodies.states[body as usize]);
            Pose::new(moving.rotation, moving.center - moving.rotation * state.center)
        });
        PairContacts::moved([&before, &b.relative_to(&a)], two)
    }
}

fn moving_ball(body: u32, moving: &[Moving], bodies: &Bodies) -> MovingBall {
    let (moving, info) = (&moving[body as usize], &bodies.infos[body as usize]);
    let Moving { center, linear, angular, .. } = *moving;
    MovingBall { center, linear, angular, radius: info.radius }
}
