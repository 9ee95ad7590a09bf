//! The lengths a pair's contacts are judged by, all in proportion to its thinner body.

use glam::DVec3;

use crate::body::{BodyInfo, BodyState};

/// Two bodies' states with what does not change, a first.
pub type BodyPair<'a> = [(&'a BodyState, &'a BodyInfo); 2];

/// The time that is looked ahead, in which bodies go on with their velocities and fall.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    /// s
    pub dt: f64,
    /// World, m/s².
    pub gravity: DVec3,
}

impl Ahead {
    /// What gravity adds to the body's velocity, m/s.
    pub(super) fn fall(&self, state: &BodyState) -> DVec3 {
        let falls = state.inverse_mass > 0.0 && state.is_awake();
        if falls { self.dt * state.gravity_factor * self.gravity } else { DVec3::ZERO }
    }
}

/// Lengths in m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairSettings {
    /// Overlap that is not pushed out, so that contacts at rest persist. Larger sinks visibly, smaller
    /// flickers.
    pub slop: f64,
    /// Distance below which a contact is always foreseen.
    pub speculative: f64,
    /// Largest travel against each other between two looks at the geometry.
    pub travel: f64,
    /// Deepest overlap a feature pair may have. Smaller lets loaded thin parts fall through, larger finds the
    /// far side of thin parts.
    pub depth: f64,
    /// How deep overlap is looked for before any is known. On fine meshes a few edges: triangles within a
    /// larger distance of each other are too many to look at, and bodies do not get there unseen.
    pub search: f64,
    /// How far beside a face's edge a point may lie and still be on it: closes the cracks between faces.
    pub face_edge: f64,
    /// Distance within which an old contact passes its impulse on to a new one.
    pub matching: f64,
    /// Size of the smaller body.
    pub size: f64,
}

/// Edges of the finer mesh within which overlap is looked for.
const SEARCH_EDGES: f64 = 4.0;

impl PairSettings {
    pub fn new(a: &BodyInfo, b: &BodyInfo) -> Self {
        let thickness = thickness(a).min(thickness(b));
        let size = a.radius.min(b.radius).max(1e-9) * 2.0;
        let slop = slop(thickness);
        let speculative = 4.0 * slop;
        let depth = (30.0 * slop).max(0.25 * thickness);
        Self {
            slop,
            speculative,
            travel: (0.25 * thickness).min(0.05).max(speculative),
            depth,
            search: depth.min(SEARCH_EDGES * a.edge.min(b.edge)),
            face_edge: 0.5 * slop,
            matching: 0.02 * size,
            size,
        }
    }
}

/// A sheet has no thickness of its own; a share of its size stands in.
fn thickness(info: &BodyInfo) -> f64 {
    info.thickness.max(0.04 * info.radius)
}

/// A millimetre at most, so that large parts do not sink visibly; for tiny ones what `f32` vertices resolve.
fn slop(thickness: f64) -> f64 {
    (0.002 * thickness).clamp(1e-8, 1e-3)
}

/// How far a body's box must be grown so that no contact of the time ahead is missed, m.
pub fn reach(state: &BodyState, info: &BodyInfo, ahead: Ahead) -> f64 {
    4.0 * slop(thickness(info)) + (speed(state, info) + ahead.fall(state).length()) * ahead.dt
}

/// Upper bound of the speed of any point of the body, m/s.
fn speed(state: &BodyState, info: &BodyInfo) -> f64 {
    state.linear_velocity.length() + state.angular_velocity.length() * info.radius
}
