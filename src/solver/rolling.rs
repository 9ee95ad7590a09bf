//! Resistance of a contact to rolling and spinning.
//!
//! Surfaces that give way push back a little ahead of the point that rolls over them, and rub over an area
//! where they spin. Each comes to a torque of the normal force at an arm, a length that belongs to the
//! materials: against turning about an axis in the tangent plane, and against turning about the normal.

use glam::{DMat3, DVec3};

use super::moving::Moving;
use crate::contact::{Contact, PairContacts};

/// Nothing is computed for a pair without arms.
pub(super) struct Resistance {
    /// Arms of the normal force, m.
    rolling: f64,
    spinning: f64,
    /// Turns an angular velocity into the impulse that ends it, along the normal and across it apart, kg·m².
    mass: DMat3,
    /// Angular impulses, across the normal and along it, that act on b, N·m·s.
    rolled: DVec3,
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

    /// The angular impulse of the sub-step so far, N·m·s.
    pub fn impulse(&self, normal: DVec3) -> DVec3 {
        self.rolled + self.spun * normal
    }

    /// Applies half the impulse of the sub-step before.
    pub fn warm_start(&self, normal: DVec3, bodies: [&mut Moving; 2]) {
        if self.acts() {
            twist(0.5 * self.impulse(normal), bodies);
        }
    }

    /// Begins with nothing.
    pub fn forget(&mut self) {
        (self.rolled, self.spun) = (DVec3::ZERO, 0.0);
    }

    /// Slows rolling and spinning by as much as the impulse along the normal (N·s) allows.
    pub fn solve(&mut self, normal: DVec3, pressed: f64, [a, b]: [&mut Moving; 2]) {
        if !self.acts() {
            return;
        }
        // While a load is solved an impulse may be on its way from below nothing.
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

/// The inverse of how two bodies answer to angular impulses, without what couples the normal with the plane
/// across it: each of the two has a bound of its own.
fn mass(response: DMat3, normal: DVec3) -> DMat3 {
    let along = DMat3::from_cols(normal.x * normal, normal.y * normal, normal.z * normal);
    let across = DMat3::IDENTITY - along;
    let apart = across * response * across + along * response * along;
    if apart.determinant() > 0.0 { apart.inverse() } else { DMat3::ZERO }
}
