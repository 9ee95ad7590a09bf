//! The lengths a pair's contacts are judged by, in proportion to its thinner body but for the depth of a
//! vertex, which is a matter of the body that it is in.

use glam::DVec3;

use super::ratios::{
    DEPTH_OF_THICKNESS, DEPTH_SLOPS, FACE_EDGE_SLOPS, FINE_ACROSS, FINE_EDGES, MATCHING_OF_SIZE,
    PATIENCE_SLOPS, SEARCH_EDGES, SHEET_OF_RADIUS, SLOP_OF_RADIUS, SLOP_OF_THICKNESS, SPECULATIVE_SLOPS,
    TRAVEL_OF_THICKNESS, UNFORESEEN, VERTEX_DEPTH_OF_SIZE,
};
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

/// Share of the depth that is looked for, up to which what is found is not cut off by it.
const SURE: f64 = 0.95;

/// Lengths in m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairSettings {
    /// Overlap that is not pushed out, so that contacts at rest persist. Larger sinks visibly, smaller
    /// flickers.
    pub slop: f64,
    /// Distance below which a contact is always foreseen.
    pub speculative: f64,
    /// For how much travel contacts are foreseen at least.
    pub patience: f64,
    /// Largest travel against each other between two looks at the geometry.
    pub travel: f64,
    /// The travel beyond which so many triangles of a fine mesh are near that more looks are cheaper.
    pub fine_travel: f64,
    /// Deepest overlap two edges may have. Smaller lets loaded thin parts fall through, larger finds the far
    /// side of thin parts.
    pub depth: f64,
    /// Deepest that vertices of a may be in b, and those of b in a: how thick the body is that a vertex is in
    /// bounds it, so that a thin part which a heap presses into a thick one finds its way out.
    pub vertex_depths: [f64; 2],
    /// How deep overlap is looked for before any is known. On fine meshes a few edges: triangles within a
    /// larger distance of each other are too many to look at, and bodies do not get there unseen.
    pub search: f64,
    /// How deep it is looked for at most once some is known: as deep as vertices may be, in as few
    /// edges as [`search`](Self::search).
    pub most_sought: f64,
    /// How far beside a face's edge a point may lie and still be on it: closes the cracks between faces.
    pub face_edge: f64,
    /// Distance within which an old contact passes its impulse on to a new one.
    pub matching: f64,
    /// Thickness of the thinner body.
    pub thickness: f64,
    /// Size of the smaller body.
    pub size: f64,
}

impl PairSettings {
    pub fn new(a: &BodyInfo, b: &BodyInfo) -> Self {
        let thickness = thickness(a).min(thickness(b));
        let size = a.radius.min(b.radius).max(1e-9) * 2.0;
        let slop = slop(a).min(slop(b));
        let speculative = SPECULATIVE_SLOPS * slop;
        let depth = (DEPTH_SLOPS * slop).max(DEPTH_OF_THICKNESS * thickness);
        let depth_in =
            |body| (DEPTH_OF_THICKNESS * self::thickness(body)).min(VERTEX_DEPTH_OF_SIZE * size).max(depth);
        let vertex_depths = [depth_in(b), depth_in(a)];
        let edge = a.edge.min(b.edge);
        let few_edges = SEARCH_EDGES * edge;
        Self {
            slop,
            speculative,
            patience: (PATIENCE_SLOPS * slop).min(edge),
            travel: (TRAVEL_OF_THICKNESS * thickness).max(speculative),
            fine_travel: (edge * FINE_EDGES.max(FINE_ACROSS * edge / size)).max(speculative),
            depth,
            vertex_depths,
            search: depth.min(few_edges),
            most_sought: vertex_depths[0].max(vertex_depths[1]).min(few_edges),
            face_edge: FACE_EDGE_SLOPS * slop,
            matching: MATCHING_OF_SIZE * size,
            thickness,
            size,
        }
    }
}

impl PairSettings {
    /// Returns the depth up to which every overlap is found, m: what is found deeper is a lower bound.
    pub fn surely_found(&self) -> f64 {
        SURE * self.depth.min(self.most_sought)
    }
}

/// A sheet has no thickness of its own; a share of its size stands in.
fn thickness(info: &BodyInfo) -> f64 {
    info.thickness.max(SHEET_OF_RADIUS * info.radius)
}

fn slop(info: &BodyInfo) -> f64 {
    (SLOP_OF_THICKNESS * thickness(info)).max(SLOP_OF_RADIUS * info.radius)
}

/// How far a body's box must be grown so that no contact of the time ahead is missed, m.
pub fn reach(state: &BodyState, info: &BodyInfo, ahead: Ahead) -> f64 {
    SPECULATIVE_SLOPS * slop(info) + (speed(state, info) + ahead.fall(state).length()) * ahead.dt
}

/// How far a body may travel before it may touch what is outside its box, m, with `step` the time for which
/// the box is grown. Beyond it, it may go as far as overlap is undone.
pub fn room_of_body(state: &BodyState, info: &BodyInfo, step: Ahead) -> f64 {
    reach(state, info, step) + UNFORESEEN * TRAVEL_OF_THICKNESS * thickness(info)
}

/// Upper bound of the speed of any point of the body, m/s.
fn speed(state: &BodyState, info: &BodyInfo) -> f64 {
    state.linear_velocity.length() + state.angular_velocity.length() * info.radius
}
