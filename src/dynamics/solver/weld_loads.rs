//! Forces and moments in welds. The bodies of a compound move as one, so no row has these impulses. They
//! follow from Newton's law: a weld gives the bodies beyond it their change of momentum, less what gravity,
//! contacts and other joints give them.
//!
//! A weld that closes a loop of welds has no load: rigid bodies do not determine how it shares the load.

use glam::{DMat3, DVec3};

use super::joint_frames::Frames;
use super::moving::Moving;
use super::weld_groups::Link;
use super::welds::Welds;
use crate::body::{Bodies, BodyState, Joint};

/// Linear impulse, N·s, and angular impulse, N·m·s; world.
type Wrench = [DVec3; 2];

/// Impulses of welds, with their buffers.
#[derive(Default)]
pub(super) struct WeldLoads {
    /// Impulses since the step began, by joint: the angular one about the origin of frame b. `None` for
    /// joints that do not weld.
    sums: Vec<Option<Wrench>>,
    /// Momentum of each body, and angular momentum about its center.
    momenta: Vec<Wrench>,
    /// Impulses on each body that no load explains so far, about its center.
    unexplained: Vec<Wrench>,
}

impl WeldLoads {
    pub fn begin_step(&mut self) {
        self.sums.fill(None);
    }

    /// Begins a pass.
    pub fn begin(&mut self, welds: &Welds, joints: usize, bodies: &Bodies) {
        self.momenta.clear();
        if welds.links().is_empty() {
            return;
        }
        self.sums.resize(joints, None);
        let momentum = |state: &BodyState| momentum(state, &Moving::new(0, state));
        self.momenta.extend(bodies.states.iter().map(momentum));
    }

    /// Returns the impulses of a weld since the step began.
    pub fn sum(&self, joint: usize) -> Option<Wrench> {
        self.sums.get(joint).copied().flatten()
    }

    /// Computes the impulses on each body, without those of gravity, since the last call. `fall`: velocity
    /// that gravity added, m/s.
    pub fn find_unexplained(&mut self, moving: &[Moving], bodies: &Bodies, fall: DVec3) {
        self.unexplained.clear();
        for (state, (own, before)) in bodies.states.iter().zip(moving.iter().zip(&mut self.momenta)) {
            let now = momentum(state, own);
            let mass = if state.inverse_mass > 0.0 { 1.0 / state.inverse_mass } else { 0.0 };
            let weight = mass * state.gravity_factor * fall;
            self.unexplained.push([now[0] - before[0] - weight, now[1] - before[1]]);
            *before = now;
        }
    }

    /// Subtracts an impulse on a body at the end of `arm` (from its center, m), and an angular impulse.
    pub fn explain(&mut self, body: u32, arm: DVec3, [push, twist]: Wrench) {
        if let Some(left) = self.unexplained.get_mut(body as usize) {
            left[0] -= push;
            left[1] -= twist + arm.cross(push);
        }
    }

    /// Assigns what is left to the welds, from the ends of the trees on.
    pub fn assign(&mut self, links: &[Link], joints: &[Joint], moving: &[Moving]) {
        for link in links.iter().rev() {
            let [push, twist] = self.unexplained[link.child];
            let [_, body_b] = Frames::own_slots(&joints[link.joint], moving);
            let anchor = moving[body_b].carry_point(joints[link.joint].frame_b.position);
            let center = moving[link.child].center;
            let sum = self.sums[link.joint].get_or_insert_default();
            sum[0] += push;
            sum[1] += twist + (center - anchor).cross(push);
            if let Some(parent) = link.parent {
                let arm = center - moving[parent].center;
                let above = &mut self.unexplained[parent];
                above[0] += push;
                above[1] += twist + arm.cross(push);
            }
        }
    }
}

/// Returns the momentum of a body, and its angular momentum about its center, world.
fn momentum(state: &BodyState, own: &Moving) -> Wrench {
    if state.inverse_mass <= 0.0 {
        return [DVec3::ZERO; 2];
    }
    let rotation = DMat3::from_quat(own.rotation);
    let turning = rotation * (state.inertia * (rotation.transpose() * own.angular));
    [own.linear / state.inverse_mass, turning]
}
