//! Islands: sets of dynamic bodies that touch or are joined. An island falls asleep as a whole once all
//! its bodies have been slow for a while and no force still moves them, and it wakes as a whole.

use glam::DVec3;

use super::doubts::{Doubts, Support};
use super::gears::GearRow;
use super::owed::Owed;
use super::settings::SolverSettings;
use super::speeds::Speeds;
use crate::arrays::MapEach;
use crate::body::{Activity, Bodies, BodyState, Joint, Motion, PoseDrive, WORLD};
use crate::contact::PairContacts;
use crate::unions::Unions;

/// Connections between bodies: contacts, joints and gears.
pub(super) struct Held<'a> {
    pub joints: &'a [Joint],
    pub gears: &'a [GearRow],
    pub pairs: &'a [PairContacts],
    /// Support that each pair gives; empty if all supports are certain.
    pub supports: &'a [Support],
}

/// Union–find over bodies, and data of each island by its root.
#[derive(Default)]
pub(super) struct Islands {
    sets: Unions,
    /// Shortest time for which a body of the island has been slow, s.
    calm: Vec<f64>,
    /// True if the island must not sleep: a kinematic body that moves touches or pulls it, or it lost a
    /// support; by root.
    disturbed: Vec<bool>,
    /// Number of pairs that push each body, now.
    held_by: Vec<u32>,
    /// Number of pairs that pushed each body when it fell asleep.
    slept_on: Vec<u32>,
    doubts: Doubts,
    owed: Owed,
    /// True if a force still moves a body of the island, however slowly, by root.
    is_owed: Vec<bool>,
}

impl Islands {
    /// Wakes, before a pass of `dt` seconds, each sleeping island that is hit in the pass, or that a
    /// joint connects to an awake or moving body. If the island stayed asleep, it would act as a wall,
    /// and the momentum of the hit would be lost.
    pub fn wake_what_is_hit(
        &mut self,
        dt: f64,
        speeds: &Speeds,
        bodies: &mut Bodies,
        (joints, pairs): (&[Joint], &[PairContacts]),
    ) {
        if self.sets.count() != bodies.states.len() {
            return;
        }
        let mut hit = false;
        self.disturbed.fill(false);
        for pair in pairs {
            let states = [pair.a, pair.b].map_each(|b| &bodies.states[b as usize]);
            let sleeps = states.map_each(|s| s.activity == Activity::Asleep);
            let radii = [pair.a, pair.b].map_each(|b| bodies.infos[b as usize].radius);
            let slow = speeds.at_rest(radii[0].min(radii[1]));
            if sleeps[0] == sleeps[1] || !is_hit(pair, states, dt, slow) {
                continue;
            }
            let root = self.sets.root(if sleeps[0] { pair.a } else { pair.b }) as usize;
            self.disturbed[root] = true;
            hit = true;
        }
        for pulled in joints.iter().filter_map(|joint| asleep_beside_awake(joint, bodies)) {
            let root = self.sets.root(pulled) as usize;
            self.disturbed[root] = true;
            hit = true;
        }
        for body in 0..if hit { bodies.states.len() } else { 0 } {
            let root = self.sets.root(body as u32) as usize;
            let state = &mut bodies.states[body];
            if self.disturbed[root] && state.activity == Activity::Asleep {
                state.activity = Activity::Awake { slow_for: 0.0 };
            }
        }
    }

    /// Puts islands to sleep and wakes them after a step of `dt` seconds.
    pub fn update(
        &mut self,
        dt: f64,
        (settings, speeds): (&SolverSettings, &Speeds),
        bodies: &mut Bodies,
        held: &Held,
    ) {
        let &Held { joints, pairs, supports, .. } = held;
        self.find(bodies, held);
        self.find_doubts(bodies, pairs, supports);
        self.find_owed((dt, settings, speeds), bodies, joints);
        for (body, (state, info)) in bodies.states.iter_mut().zip(&bodies.infos).enumerate() {
            if !state.is_dynamic() {
                continue;
            }
            let root = self.sets.root(body as u32) as usize;
            // Speed of the fastest point, m/s.
            let speed = state.linear_velocity.length() + state.angular_velocity.length() * info.radius;
            let slow = self.doubts.patience(body) * speeds.at_rest(info.radius);
            if let Activity::Awake { slow_for } = &mut state.activity {
                *slow_for = if speed < slow { *slow_for + dt } else { 0.0 };
                self.calm[root] = self.calm[root].min(*slow_for);
            }
        }
        for body in 0..bodies.states.len() {
            let asleep = bodies.states[body].activity == Activity::Asleep;
            if asleep && self.held_by[body] < self.slept_on[body] {
                let root = self.sets.root(body as u32) as usize;
                self.disturbed[root] |= !self.doubts.explain_loss(root);
            }
        }
        for body in 0..bodies.states.len() {
            let root = self.sets.root(body as u32) as usize;
            let state = &mut bodies.states[body];
            if !state.is_dynamic() || state.activity == Activity::Quarantined {
                continue;
            }
            let calm = self.calm[root] >= settings.sleep_delay && !self.disturbed[root];
            match state.activity {
                Activity::Awake { .. } if calm && self.is_owed[root] => {}
                Activity::Awake { .. } if calm => {
                    fall_asleep(state);
                    self.slept_on[body] = self.held_by[body];
                }
                Activity::Asleep if !calm => {
                    let keeps_calm = self.doubts.concern(root) && !self.disturbed[root];
                    let slow_for = if keeps_calm { self.calm[root] } else { 0.0 };
                    state.activity = Activity::Awake { slow_for };
                }
                Activity::Asleep => {
                    if let Some(probation) = self.doubts.probation(root) {
                        state.activity = Activity::Awake { slow_for: settings.sleep_delay - probation };
                    }
                }
                _ => {}
            }
        }
    }

    /// Finds the islands in which a force still moves a body, however slowly.
    fn find_owed(
        &mut self,
        (dt, settings, speeds): (f64, &SolverSettings, &Speeds),
        bodies: &Bodies,
        joints: &[Joint],
    ) {
        self.owed.follow(dt, settings, bodies);
        self.is_owed.clear();
        self.is_owed.resize(bodies.states.len(), false);
        for (body, info) in bodies.infos.iter().enumerate() {
            let root = self.sets.root(body as u32) as usize;
            // Finding a guessed contact jolts the bodies on it, so their speed proves nothing.
            let is_certain = !self.doubts.concern(root);
            if is_certain && self.owed.gains_speed(body, info, speeds.at_rest(info.radius)) {
                self.is_owed[root] = true;
            }
        }
        for joint in joints {
            if self.owed.is_moved_by(joint, bodies, speeds) {
                for body in [joint.a, joint.b].into_iter().filter(|&body| body != WORLD) {
                    let root = self.sets.root(body) as usize;
                    self.is_owed[root] = true;
                }
            }
        }
    }

    /// Collects the doubts about islands.
    fn find_doubts(&mut self, bodies: &Bodies, pairs: &[PairContacts], supports: &[Support]) {
        self.doubts.clear(if supports.is_empty() { 0 } else { bodies.states.len() });
        for (pair, &support) in
            pairs.iter().zip(supports).filter(|(_, support)| **support != Support::CERTAIN)
        {
            for body in [pair.a, pair.b].into_iter().filter(|b| bodies.states[*b as usize].is_dynamic()) {
                let root = self.sets.root(body);
                self.doubts.add(body, root, support);
            }
        }
    }

    /// Finds the islands, the number of pairs that push each body, and the islands disturbed by a
    /// kinematic body or a moving drive.
    fn find(&mut self, bodies: &Bodies, &Held { joints, gears, pairs, .. }: &Held) {
        let count = bodies.states.len();
        self.sets.begin(count);
        self.calm.clear();
        self.calm.resize(count, f64::INFINITY);
        self.disturbed.clear();
        self.disturbed.resize(count, false);
        let dynamic = |b: u32| bodies.is_dynamic(b);
        for joint in joints.iter().filter(|j| dynamic(j.a) && dynamic(j.b)) {
            self.sets.unite(joint.a, joint.b);
        }
        for [own, other] in gears.iter().map(|gear| gear.joints().map(|joint| &joints[joint as usize])) {
            let ends = [own.a, own.b, other.a, other.b];
            let mut moved = ends.into_iter().filter(|&body| dynamic(body));
            if let Some(first) = moved.next() {
                moved.for_each(|body| self.sets.unite(first, body));
            }
        }
        self.held_by.clear();
        self.held_by.resize(count, 0);
        self.slept_on.resize(count, 0);
        let present = |b: u32| bodies.states[b as usize].activity != Activity::Quarantined;
        let touches = |p: &&PairContacts| {
            present(p.a) && present(p.b) && p.contacts.iter().any(|c| c.normal_impulse > 0.0)
        };
        for pair in pairs.iter().filter(touches) {
            self.held_by[pair.a as usize] += 1;
            self.held_by[pair.b as usize] += 1;
            if dynamic(pair.a) && dynamic(pair.b) {
                self.sets.unite(pair.a, pair.b);
            }
        }
        for pulled in joints.iter().filter_map(|joint| pulled_by_mover(joint, bodies)) {
            let root = self.sets.root(pulled) as usize;
            self.disturbed[root] = true;
        }
        for joint in joints.iter().filter(|j| j.pose_drive.is_some_and(|d| moves_on(&d))) {
            for driven in [joint.a, joint.b].into_iter().filter(|b| dynamic(*b)) {
                let root = self.sets.root(driven) as usize;
                self.disturbed[root] = true;
            }
        }
        for pair in pairs.iter().filter(|p| !p.contacts.is_empty()) {
            for (mover, touched) in [(pair.a, pair.b), (pair.b, pair.a)] {
                if moves(mover, bodies) && dynamic(touched) {
                    let root = self.sets.root(touched) as usize;
                    self.disturbed[root] = true;
                }
            }
        }
    }
}

/// Returns whether a body is kinematic and moves or changes its shape.
fn moves(body: u32, bodies: &Bodies) -> bool {
    let state = &bodies.states[body as usize];
    let is_still = state.linear_velocity == DVec3::ZERO && state.angular_velocity == DVec3::ZERO;
    state.motion == Motion::Kinematic && (!is_still || bodies.is_reshaped(body))
}

/// Returns the dynamic body of a joint whose other body is kinematic and moves; `None` for other
/// joints.
fn pulled_by_mover(joint: &Joint, bodies: &Bodies) -> Option<u32> {
    let is_mover = |body: u32| body != WORLD && moves(body, bodies);
    let ends = [[joint.a, joint.b], [joint.b, joint.a]];
    ends.into_iter()
        .find(|&[mover, pulled]| is_mover(mover) && bodies.is_dynamic(pulled))
        .map(|[_, pulled]| pulled)
}

/// Returns the sleeping body of a joint whose other body is awake, or is kinematic and moves; `None`
/// for other joints.
fn asleep_beside_awake(joint: &Joint, bodies: &Bodies) -> Option<u32> {
    let is_awake = |body: u32| bodies.is_dynamic(body) && bodies.states[body as usize].is_awake();
    let is_asleep =
        |body: &u32| bodies.is_dynamic(*body) && bodies.states[*body as usize].activity == Activity::Asleep;
    let beside_awake = [[joint.a, joint.b], [joint.b, joint.a]].into_iter().find(|&[one, _]| is_awake(one));
    pulled_by_mover(joint, bodies).or(beside_awake.map(|[_, other]| other)).filter(is_asleep)
}

/// Returns whether the target of a pose drive moves.
fn moves_on(drive: &PoseDrive) -> bool {
    drive.linear_velocity != DVec3::ZERO || drive.angular_velocity != DVec3::ZERO
}

/// Returns whether any contact may close within `dt` seconds at a speed above `slow` (m/s).
fn is_hit(pair: &PairContacts, [a, b]: [&BodyState; 2], dt: f64, slow: f64) -> bool {
    if !(a.is_finite() && b.is_finite()) {
        return false;
    }
    pair.contacts.iter().any(|c| {
        let at_a = a.velocity_at(a.pose.transform_point(c.point_a));
        let at_b = b.velocity_at(b.pose.transform_point(c.point_b));
        let closing = (at_a - at_b).dot(c.normal);
        // The test allows twice the time: forces may increase the speed, and waking too early costs
        // nothing.
        closing > slow && c.separation < 2.0 * dt * closing
    })
}

fn fall_asleep(state: &mut BodyState) {
    state.activity = Activity::Asleep;
    state.linear_velocity = DVec3::ZERO;
    state.angular_velocity = DVec3::ZERO;
}
