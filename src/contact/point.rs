//! One contact between two bodies, and how a scene wants a pair of them treated.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// Which feature of a meets which feature of b: stable while they stay in contact, so that impulses can be
/// carried over. Ordered, to make every choice between equals the same on every run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureKey(pub u64);

/// A point where two surfaces touch, nearly touch, or overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub key: FeatureKey,
    /// On a's surface, body space of a, m.
    pub point_a: DVec3,
    /// On b's surface, body space of b, m.
    pub point_b: DVec3,
    /// World, unit, from a to b.
    pub normal: DVec3,
    /// How far the surfaces are apart along the normal, m; negative when the bodies overlap by more than the
    /// pair's accepted overlap.
    pub separation: f64,
    /// Accumulated by the solver in its last sub-step, N·s; never negative.
    pub normal_impulse: f64,
    /// Accumulated by the solver, world space, tangential, N·s; acts on b.
    pub friction_impulse: DVec3,
    /// Accumulated by the solver against rolling and spinning, world space, N·m·s; acts on b.
    pub turning_impulse: DVec3,
    /// Collision passes since it was first found.
    pub age: u32,
    /// Kept although the features that made it are gone, for so many passes; 0 for a contact just found.
    pub orphaned_for: u32,
    /// Whether it is of an earlier search than the pair's last, and carried along since.
    pub is_held: bool,
    /// How the point moves as the body of the contact's vertex rolls.
    pub round: Round,
}

/// The surface on which a contact rolls: that of the body of its vertex, in whose space all of it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// By how much the point moves as the direction turns, m/rad; zero for a point that stays where it is.
    pub radii: DMat3,
    /// Out of the body at the point, unit.
    pub outward: DVec3,
}

impl Round {
    /// A point that stays where it is on its body.
    pub const SHARP: Self = Self { radii: DMat3::ZERO, outward: DVec3::ZERO };

    /// Whether the contact stays at one point of the body.
    pub fn is_sharp(&self) -> bool {
        self.radii == DMat3::ZERO
    }

    /// Returns by how much the point moves when the direction out of the body becomes `outward`, body space,
    /// m. Exact for spheres and cylinders.
    pub fn roll(&self, outward: DVec3) -> DVec3 {
        let shift = self.radii * (outward - self.outward);
        shift + (self.rise(outward) - shift.dot(outward)) * outward
    }

    /// Returns how much farther out, m, the surface then reaches than the old point does.
    pub fn rise(&self, outward: DVec3) -> f64 {
        let turn = outward - self.outward;
        turn.dot(self.radii * turn) / (1.0 + self.outward.dot(outward).max(0.0))
    }
}

impl Contact {
    /// By key.
    pub(super) fn sort(contacts: &mut [Self]) {
        contacts.sort_unstable_by_key(|c| c.key);
    }

    /// How deep the bodies overlap here, m; zero when apart.
    pub fn depth(&self) -> f64 {
        (-self.separation).max(0.0)
    }
}

/// How a scene wants a pair of bodies treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairRule {
    #[default]
    Collide,
    /// Never tested.
    Ignore,
    /// Known to touch or overlap as modelled (press fits, threads): collides, but its overlap is not counted
    /// as penetration.
    Permanent,
}
