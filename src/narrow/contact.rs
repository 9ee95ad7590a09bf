//! One contact between two bodies, and all contacts of a pair kept from step to step.

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
    /// `normal · (point_b − point_a)` in world space when the contact was found, m; negative when the
    /// bodies overlap.
    pub separation: f64,
    /// Accumulated by the solver in its last sub-step, N·s; never negative.
    pub normal_impulse: f64,
    /// Accumulated by the solver, world space, tangential, N·s; acts on b.
    pub friction_impulse: DVec3,
    /// Collision passes since it was first found.
    pub age: u32,
}

impl Contact {
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
    /// Known to touch or overlap as modelled (press fits, threads): collides, but the overlap it starts
    /// with is accepted and not counted as penetration.
    Permanent,
}

/// Everything known of two bodies near each other; lives as long as their boxes overlap.
#[derive(Clone, Debug, Default)]
pub struct PairContacts {
    /// Body indices, `a < b`.
    pub a: u32,
    pub b: u32,
    pub rule: PairRule,
    /// Combined for the pair.
    pub friction: f64,
    pub restitution: f64,
    /// Triangle pairs whose boxes came within the margin: written by *test*, read by *query*.
    pub candidates: Vec<[u32; 2]>,
    /// What *query* left for *solve*; the order is part of the state.
    pub contacts: Vec<Contact>,
}
