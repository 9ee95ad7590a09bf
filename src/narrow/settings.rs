//! The lengths a pair's contacts are judged by, all in proportion to its thinner body, and how far apart the
//! bodies must be looked at: margins, reach, passes.

use glam::DVec3;

use crate::body::{BodyInfo, BodyState};

use super::PairContacts;

/// Two bodies' states with what does not change, a first.
pub type Two<'a> = [(&'a BodyState, &'a BodyInfo); 2];

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
    fn fall(&self, state: &BodyState) -> DVec3 {
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

/// Passes a step may take at most; faster pairs travel farther in each and are looked at from farther away.
const MAX_PASSES: f64 = 16.0;

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

impl PairContacts {
    /// Upper bound of how far the two move against each other in the time ahead, m. Of two that fall together one
    /// may be stopped, unless one bears the other.
    pub fn travel(&self, [(a, info_a), (b, info_b)]: Two, ahead: Ahead) -> f64 {
        let linear = (a.linear_velocity - b.linear_velocity).length();
        let turn = |s: &BodyState, i: &BodyInfo| s.angular_velocity.length() * i.radius;
        let bears = self.contacts.iter().any(|c| c.normal_impulse > 0.0);
        let [fall_a, fall_b] = [a, b].map(|state| ahead.fall(state));
        let fall = if bears { (fall_a - fall_b).length() } else { fall_a.length().max(fall_b.length()) };
        ahead.dt * (linear + fall + turn(a, info_a) + turn(b, info_b))
    }

    /// Passes that the time ahead needs so that the pair travels at most its share between two of them.
    pub fn pass_count(&self, bodies: Two, ahead: Ahead) -> u32 {
        // What is no number asks for one.
        let passes = (self.travel(bodies, ahead) / self.settings.travel).ceil().clamp(1.0, MAX_PASSES);
        (passes as u32).max(1)
    }

    /// Distance below which contacts are foreseen in a pass, m: all the way that the bodies can come in it, so
    /// that nothing gets past another between two looks.
    pub fn speculative(&self, bodies: Two, ahead: Ahead) -> f64 {
        self.settings.speculative + self.travel(bodies, ahead)
    }

    /// As [`PairContacts::search_margin`], for pairs that are not searched in every pass: depth of which nothing
    /// is known is looked for only where triangles reach through each other, as deep as they do.
    pub fn bounded_margin(&self, bodies: Two, ahead: Ahead) -> f64 {
        if self.standing.modelled_at.is_some() {
            return self.search_margin(bodies, ahead);
        }
        let speculative = self.speculative(bodies, ahead);
        let known = (1.5 * self.deepest + speculative).max(self.standing.depth_sought);
        speculative.max(known.min(self.settings.search))
    }

    /// The distance within which triangle pairs matter to a pass, m: what is foreseen, and
    /// the depth of what is already inside.
    pub fn search_margin(&self, bodies: Two, ahead: Ahead) -> f64 {
        let speculative = self.speculative(bodies, ahead);
        let known = if self.found_at.is_none() { f64::INFINITY } else { 1.5 * self.deepest + speculative };
        speculative.max(known.min(self.settings.search))
    }
}
