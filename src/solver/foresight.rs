//! Foresight: how far bodies may travel in a pass before it must end.
//!
//! Contacts are found for the velocities with which a pass begins. Impulses and drives change velocities within
//! the pass, and a body that they make faster travels into surfaces at which nobody looked. So the new
//! velocities are compared, before poses advance, with the room that is known to be free, and the pass ends
//! where that room ends.

use super::moving::Moving;
use crate::arrays::MapEach;
use crate::body::Bodies;
use crate::contact::{self, Ahead, Course, PairContacts, greatest_speed};

/// The share of a sub-step that is taken at least, so that a step ends.
const LEAST_SHARE: f64 = 0.05;

/// The room of a pass.
#[derive(Default)]
pub(super) struct Foresight {
    /// How far each pair may travel against each other, m; infinite where nothing yields.
    pairs: Vec<f64>,
    /// How far each body may travel, m: beyond its box there may be bodies with which it has no pair.
    bodies: Vec<f64>,
    /// Upper bound of the speed of each body's points, m/s.
    speeds: Vec<f64>,
}

impl Foresight {
    /// Notes the room that bodies and pairs have when a pass begins. `step` is the time for which their boxes
    /// are grown.
    pub fn begin(&mut self, bodies: &Bodies, pairs: &[PairContacts], moving: &[Moving], step: Ahead) {
        let two = |pair: &PairContacts| [pair.a, pair.b].map_each(|i| bodies.both(i));
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

    /// Returns the share of a sub-step of `h` seconds, begun `spent` seconds into the pass, that bodies may
    /// take with the velocities they have now.
    pub fn share(
        &mut self,
        (spent, h): (f64, f64),
        moving: &[Moving],
        bodies: &Bodies,
        pairs: &[PairContacts],
    ) -> f64 {
        let course = |body: u32| {
            let (moving, info) = (&moving[body as usize], &bodies.infos[body as usize]);
            let Moving { center, linear, angular, .. } = *moving;
            Course { center, linear, angular, radius: info.radius }
        };
        let time = spent + h;
        let mut longest = time;
        self.speeds.clear();
        self.speeds.extend((0..bodies.states.len() as u32).map(|body| course(body).speed()));
        for (speed, room) in self.speeds.iter().zip(&self.bodies) {
            longest = longest.min(room / speed);
        }
        for (pair, room) in pairs.iter().zip(&self.pairs) {
            // The sum of the two speeds is a bound as well, and costs less.
            let of_both = self.speeds[pair.a as usize] + self.speeds[pair.b as usize];
            if of_both * longest > *room {
                let speed = greatest_speed([pair.a, pair.b].map_each(course), time);
                longest = longest.min(room / speed);
            }
        }
        if longest < time { ((longest - spent) / h).max(LEAST_SHARE) } else { 1.0 }
    }
}
