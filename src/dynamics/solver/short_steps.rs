//! Sub-steps that end early, because a body would otherwise travel farther than is known to be free.
//!
//! The first half of the sub-step was solved for its whole duration. Joints prescribe positions at the end
//! of a sub-step, so mechanisms are solved again for the earlier end. Without it a mechanism would gain or
//! lose energy whenever a sub-step ends early. A mechanism that touches something is not solved again:
//! contacts hold it, and they bear the gravity of the whole first half.

use glam::DVec3;

use super::Solver;
use super::contact_rows::RowContext;
use super::joint_impulses::{Joined, JoinedMut};
use super::spring_law::Half;
use crate::body::{Bodies, Joint};

impl Solver {
    /// Shortens the present sub-step to `h` seconds before the bodies advance.
    pub(super) fn shorten(&mut self, h: f64, joints: &[Joint], bodies: &Bodies, context: &mut RowContext) {
        self.find_alone();
        self.accelerate_alone(context.gravity, 0.5 * (h - context.h));
        context.h = h;
        let all = self.moving.iter_mut().zip(&self.alone).enumerate();
        for (index, (body, _)) in all.filter(|(_, (_, is_alone))| **is_alone) {
            body.reset_inertia(&self.welds.inertia(index, &bodies.states)[1]);
        }
        let joined = JoinedMut { joints, impulses: &mut self.joint_impulses };
        self.mechanisms.make_rows(&mut self.moving, joined, context);
        self.mechanisms.bend(&self.moving, joints);
        self.mechanisms.begin(Half::Push, &self.joint_impulses);
        let joined = Joined { joints, impulses: &self.joint_impulses };
        for index in 0..self.mechanisms.count() {
            if self.alone[self.mechanisms.bodies(index)[0]] {
                self.mechanisms.solve(index, &mut self.moving);
                self.mechanisms.look_ahead(index, &mut self.moving, joined, &self.welds);
            }
        }
        self.mechanisms.end(&mut self.joint_impulses);
    }

    /// Finds the bodies of mechanisms that touch nothing.
    fn find_alone(&mut self) {
        let Self { alone, rows, mechanisms, .. } = self;
        alone.clear();
        alone.resize(self.moving.len(), false);
        (0..mechanisms.count())
            .flat_map(|index| mechanisms.bodies(index))
            .for_each(|&body| alone[body] = true);
        for body in rows.iter().filter(|row| row.normal_impulse() > 0.0).flat_map(|row| row.bodies()) {
            alone[body] = false;
        }
        for index in 0..mechanisms.count() {
            let bodies = mechanisms.bodies(index);
            if bodies.iter().any(|&body| !alone[body]) {
                bodies.iter().for_each(|&body| alone[body] = false);
            }
        }
    }

    /// Applies gravity for `seconds` to the bodies of mechanisms that touch nothing.
    pub(super) fn accelerate_alone(&mut self, gravity: DVec3, seconds: f64) {
        for (body, _) in self.moving.iter_mut().zip(&self.alone).filter(|(_, is_alone)| **is_alone) {
            body.accelerate(gravity, seconds);
        }
    }
}
