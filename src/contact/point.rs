//! One contact between two bodies, and how a scene wants a pair of them treated.

use glam::DVec3;
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
