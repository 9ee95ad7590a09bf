//! Islands: dynamic bodies that touch or are joined. An island falls asleep as a whole once every body in it
//! has been slow for a while, and wakes as a whole.

use glam::DVec3;

use super::settings::SolverSettings;
use crate::body::{Activity, Bodies, BodyState, Joint, Motion, WORLD};
use crate::narrow::PairContacts;

/// Union–find over bodies, and what is known of each island by its root.
#[derive(Default)]
pub(super) struct Islands {
    parent: Vec<u32>,
    /// The shortest time any body of the island has been slow, s.
    calm: Vec<f64>,
    /// Whether something that moves by itself touches the island.
    disturbed: Vec<bool>,
}

impl Islands {
    /// Puts islands to sleep and wakes them after a step of `dt` seconds.
    pub fn update(
        &mut self,
        dt: f64,
        settings: &SolverSettings,
        bodies: &mut Bodies,
        joints: &[Joint],
        pairs: &[PairContacts],
    ) {
        self.find(bodies, joints, pairs);
        for (body, (state, info)) in bodies.states.iter_mut().zip(&bodies.infos).enumerate() {
            if !state.is_dynamic() {
                continue;
            }
            let root = self.root(body as u32) as usize;
            // Of the fastest point, m/s.
            let speed = state.linear_velocity.length() + state.angular_velocity.length() * info.radius;
            if let Activity::Awake { slow_for } = &mut state.activity {
                *slow_for = if speed < settings.sleep_speed { *slow_for + dt } else { 0.0 };
                self.calm[root] = self.calm[root].min(*slow_for);
            }
        }
        for body in 0..bodies.states.len() {
            let root = self.root(body as u32) as usize;
            let state = &mut bodies.states[body];
            if !state.is_dynamic() || state.activity == Activity::Quarantined {
                continue;
            }
            let calm = self.calm[root] >= settings.sleep_delay && !self.disturbed[root];
            match state.activity {
                Activity::Awake { .. } if calm => fall_asleep(state),
                Activity::Asleep if !calm => state.activity = Activity::Awake { slow_for: 0.0 },
                _ => {}
            }
        }
    }

    fn find(&mut self, bodies: &Bodies, joints: &[Joint], pairs: &[PairContacts]) {
        let count = bodies.states.len();
        self.parent.clear();
        self.parent.extend(0..count as u32);
        self.calm.clear();
        self.calm.resize(count, f64::INFINITY);
        self.disturbed.clear();
        self.disturbed.resize(count, false);
        let dynamic = |b: u32| b != WORLD && bodies.states[b as usize].is_dynamic();
        for joint in joints.iter().filter(|j| dynamic(j.a) && dynamic(j.b)) {
            self.join(joint.a, joint.b);
        }
        let touches = |p: &&PairContacts| p.contacts.iter().any(|c| c.normal_impulse > 0.0);
        for pair in pairs.iter().filter(touches).filter(|p| dynamic(p.a) && dynamic(p.b)) {
            self.join(pair.a, pair.b);
        }
        let moves = |b: u32| {
            let s = &bodies.states[b as usize];
            s.motion == Motion::Kinematic
                && (s.linear_velocity != DVec3::ZERO || s.angular_velocity != DVec3::ZERO)
        };
        for pair in pairs.iter().filter(|p| !p.contacts.is_empty()) {
            for (mover, touched) in [(pair.a, pair.b), (pair.b, pair.a)] {
                if moves(mover) && dynamic(touched) {
                    let root = self.root(touched) as usize;
                    self.disturbed[root] = true;
                }
            }
        }
    }

    fn root(&mut self, body: u32) -> u32 {
        let mut at = body;
        while self.parent[at as usize] != at {
            // Halving the path keeps later look-ups short.
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// The smaller index becomes the root, so that the result does not depend on the order of joining.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
    }
}

fn fall_asleep(state: &mut BodyState) {
    state.activity = Activity::Asleep;
    state.linear_velocity = DVec3::ZERO;
    state.angular_velocity = DVec3::ZERO;
}
