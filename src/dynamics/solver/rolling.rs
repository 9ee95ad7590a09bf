//! Resistance of a contact to rolling and spinning.
//!
//! A soft surface pushes back slightly ahead of the contact point of a rolling body, and rubs over an
//! area under a spinning body. Each effect is modeled as a torque: the normal force times a lever arm,
//! which is a property of the materials. One torque acts against rotation about axes in the tangent
//! plane (rolling), the other against rotation about the normal (spinning).

use glam::{DMat3, DVec3};

use super::moving::Moving;
use crate::contact::{Contact, PairContacts};

/// Resistance to rolling and spinning. It has no effect if both arms are zero.
pub(super) struct Resistance {
    /// Lever arm of the normal force against rolling, m.
    rolling: f64,
    /// Lever arm of the normal force against spinning, m.
    spinning: f64,
    /// Matrix from an angular velocity to the angular impulse that stops it, kg·m². It has no coupling
    /// between the normal and the tangent plane.
    mass: DMat3,
    /// Angular impulse in the tangent plane that acts on b, N·m·s.
    rolled: DVec3,
    /// Angular impulse along the normal that acts on b, N·m·s.
    spun: f64,
}

impl Resistance {
    pub fn new(pair: &PairContacts, contact: &Contact, bodies: [&Moving; 2]) -> Self {
        let (rolling, spinning) = (pair.rolling, pair.spinning);
        let mut resistance = Self { rolling, spinning, mass: DMat3::ZERO, rolled: DVec3::ZERO, spun: 0.0 };
        if resistance.acts() {
            let (normal, last) = (contact.normal, contact.turning_impulse);
            resistance.mass = mass(bodies[0].inverse_inertia + bodies[1].inverse_inertia, normal);
            resistance.spun = last.dot(normal);
            resistance.rolled = last - resistance.spun * normal;
        }
        resistance
    }

    fn acts(&self) -> bool {
        self.rolling > 0.0 || self.spinning > 0.0
    }

    /// Returns the angular impulse of the present sub-step so far, N·m·s.
    pub fn impulse(&self, normal: DVec3) -> DVec3 {
        self.rolled + self.spun * normal
    }

    /// Applies half the impulse of the last sub-step.
    pub fn warm_start(&self, normal: DVec3, bodies: [&mut Moving; 2]) {
        if self.acts() {
            twist(0.5 * self.impulse(normal), bodies);
        }
    }

    /// Resets the impulses.
    pub fn forget(&mut self) {
        (self.rolled, self.spun) = (DVec3::ZERO, 0.0);
    }

    /// Reduces rolling and spinning as far as the normal impulse allows. `pressed`: normal impulse,
    /// N·s.
    pub fn solve(&mut self, normal: DVec3, pressed: f64, [a, b]: [&mut Moving; 2]) {
        if !self.acts() {
            return;
        }
        // In further iterations over a load, the normal impulse may temporarily be negative.
        let pressed = pressed.max(0.0);
        let ends = self.mass * (b.angular - a.angular);
        let spun = ends.dot(normal);
        let before = self.impulse(normal);
        let most = self.spinning * pressed;
        self.rolled = (self.rolled - (ends - spun * normal)).clamp_length_max(self.rolling * pressed);
        self.spun = (self.spun - spun).min(most).max(-most);
        twist(self.impulse(normal) - before, [a, b]);
    }
}

fn twist(impulse: DVec3, [a, b]: [&mut Moving; 2]) {
    a.twist(-impulse);
    b.twist(impulse);
}

/// Returns the inverse of the angular response of two bodies, without the coupling between the normal
/// and the tangent plane, because the impulses along these two have separate bounds.
fn mass(response: DMat3, normal: DVec3) -> DMat3 {
    let along = DMat3::from_cols(normal.x * normal, normal.y * normal, normal.z * normal);
    let across = DMat3::IDENTITY - along;
    let apart = across * response * across + along * response * along;
    if apart.determinant() > 0.0 { apart.inverse() } else { DMat3::ZERO }
}
