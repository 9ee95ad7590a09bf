//! Contact between two bodies, and the rule of a scene for a pair of bodies.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// Identity of the pair of features of a contact. The key stays the same while the features stay in
/// contact, so that a new contact can inherit impulses. Keys are ordered so that ties are broken
/// equally on every run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureKey(pub u64);

/// Point at which two surfaces touch, nearly touch, or overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub key: FeatureKey,
    /// Point on a's surface, body space of a, m.
    pub point_a: DVec3,
    /// Point on b's surface, body space of b, m.
    pub point_b: DVec3,
    /// Unit normal from a to b, world.
    pub normal: DVec3,
    /// Distance of the surfaces along the normal, m. Negative if the bodies overlap by more than the
    /// pair's accepted overlap.
    pub separation: f64,
    /// Normal impulse accumulated by the solver in its last sub-step, N·s; never negative.
    pub normal_impulse: f64,
    /// Friction impulse accumulated by the solver, world space, tangential, N·s; acts on b.
    pub friction_impulse: DVec3,
    /// Vector from the contact to where its friction acts, world, tangential, m. The friction of a face that
    /// lies on another acts inside it, while the contacts that span it are at its rim.
    pub inset: DVec3,
    /// Impulse accumulated by the solver against rolling and spinning, world space, N·m·s; acts on b.
    pub turning_impulse: DVec3,
    /// Number of collision passes since the contact was first found.
    pub age: u32,
    /// Number of passes for which the contact was kept although its features are gone; 0 for a contact
    /// just found.
    pub orphaned_for: u32,
    /// True if the contact comes from an earlier search than the pair's last one and is recycled since,
    /// or stands for a region.
    pub is_held: bool,
    /// Smooth surfaces of the bodies at the contact.
    pub round: Round,
}

/// Smooth surfaces of the two bodies at a contact. The point of one body moves over its surface as the
/// direction of the contact turns. The normal of the other body's face turns along that face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Motion of the point per rotation of the contact direction, space of its body, m/rad; zero for a
    /// point that does not move, negative on concave surfaces.
    pub radii: DMat3,
    /// Unit direction out of the body at the point, in the space of that body.
    pub outward: DVec3,
    /// Curvature of the face: derivative of its normal along the face, space of its body, 1/m.
    pub bend: DMat3,
    /// True if a has the point and b the face.
    pub point_is_of_a: bool,
    /// True if the point is a sharp corner of its body, and moves with it.
    pub is_corner: bool,
}

impl Round {
    /// Surfaces of a point that does not move on its body, over a flat face.
    pub const SHARP: Self = Self {
        radii: DMat3::ZERO,
        outward: DVec3::ZERO,
        bend: DMat3::ZERO,
        point_is_of_a: false,
        is_corner: false,
    };

    /// Returns whether the contact stays at one point of the body, and keeps its normal.
    #[inline]
    pub fn is_sharp(&self) -> bool {
        self.radii == DMat3::ZERO && self.bend == DMat3::ZERO
    }

    /// Returns the shift of the point when the direction out of the body becomes `outward`, body space,
    /// m. Exact for spheres and cylinders.
    #[inline]
    pub fn roll(&self, outward: DVec3) -> DVec3 {
        let shift = self.radii * (outward - self.outward);
        shift + (self.rise(outward) - shift.dot(outward)) * outward
    }

    /// Returns the distance by which the surface then reaches farther along `outward` than the old
    /// point, m.
    #[inline]
    pub fn rise(&self, outward: DVec3) -> f64 {
        let turn = outward - self.outward;
        turn.dot(self.radii * turn) / (1.0 + self.outward.dot(outward).max(0.0))
    }
}

impl Contact {
    /// Sorts by key.
    #[inline]
    pub(super) fn sort(contacts: &mut [Self]) {
        contacts.sort_unstable_by_key(|c| c.key);
    }

    /// Returns the depth of the overlap at this contact, m; 0 if the surfaces are apart.
    #[inline]
    pub fn depth(&self) -> f64 {
        (-self.separation).max(0.0)
    }
}

/// Rule of a scene for the contacts of a pair of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairRule {
    /// The pair collides.
    #[default]
    Collide,
    /// No contacts: the pair is never tested.
    Ignore,
    /// The pair is modeled touching or overlapping (press fits, threads). It collides, but its overlap
    /// does not count as penetration.
    Permanent,
    /// The pair is a fit of faceted surfaces: one surface is moved inward, so that the pair collides as
    /// if there was a clearance.
    Fit {
        /// Distance by which the surface is moved, m.
        clearance: f64,
    },
}

impl PairRule {
    /// Returns the distance by which one surface of the pair is moved inward, m.
    #[inline]
    pub fn clearance(self) -> f64 {
        if let Self::Fit { clearance } = self { clearance } else { 0.0 }
    }
}
