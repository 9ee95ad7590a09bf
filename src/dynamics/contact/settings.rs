//! Lengths of a pair's contact tests, from the thickness, size and mesh edges of its bodies. The
//! greatest depth of a vertex depends on the body that it penetrates.

use glam::DVec3;

use super::ratios::{
    BORDER_OF_RADIUS, CORNER_SLOPS, CRACK_SLOPS, DEPTH_OF_THICKNESS, DEPTH_SLOPS, FINE_ACROSS, FINE_EDGES,
    MATCHING_OF_SIZE, PATIENCE_SLOPS, SEARCH_EDGES, SHEET_OF_RADIUS, SLOP_OF_RADIUS, SLOP_OF_THICKNESS,
    SPECULATIVE_SLOPS, TRAVEL_OF_THICKNESS, UNFORESEEN, VERTEX_DEPTH_OF_SIZE,
};
use crate::body::{BodyInfo, BodyState};

/// States and constant properties of two bodies, a first.
pub type BodyPair<'a> = [(&'a BodyState, &'a BodyInfo); 2];

/// Time ahead during which bodies keep their velocities, apart from what gravity adds.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    /// Duration, s.
    pub dt: f64,
    /// World, m/s².
    pub gravity: DVec3,
}

impl Ahead {
    /// Returns the velocity that gravity adds to the body in this time, m/s; zero for a static or
    /// sleeping body.
    #[inline]
    pub(super) fn fall(&self, state: &BodyState) -> DVec3 {
        let falls = state.inverse_mass > 0.0 && state.is_awake();
        if falls { self.dt * state.gravity_factor * self.gravity } else { DVec3::ZERO }
    }
}

/// Share of the searched depth below which a found depth is sure to be the deepest.
const SURE: f64 = 0.95;

/// Lengths of a pair, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairSettings {
    /// Overlap that is not pushed out, so that contacts at rest persist. Larger values let bodies sink
    /// visibly; smaller values make contacts flicker.
    pub slop: f64,
    /// Constant part of the speculative distance; the travel, at least `patience`, is added.
    pub speculative: f64,
    /// Least travel covered by speculative contacts.
    pub patience: f64,
    /// Largest relative travel between two tests of the geometry, if the number of passes allows it.
    pub travel: f64,
    /// Travel beyond which so many triangles of a fine mesh are near each other that more passes are
    /// cheaper.
    pub fine_travel: f64,
    /// Deepest overlap of two edges. Smaller values let loaded thin parts fall through; larger values
    /// find the far side of thin parts.
    pub depth: f64,
    /// Deepest overlap of vertices of a in b, and of vertices of b in a. The thickness of the
    /// penetrated body bounds it, so a thin part that a heap presses into a thick part still finds its
    /// way out.
    pub vertex_depths: [f64; 2],
    /// Depth searched for overlap before any is known: at most a few edges of the finer mesh. Within a
    /// larger distance there are too many triangles to test, and overlap is noticed before it becomes
    /// that deep.
    pub search: f64,
    /// Largest depth that is searched once overlap is known: the larger of `vertex_depths`, but at most
    /// as many edges of the finer mesh as in [`search`](Self::search).
    pub most_sought: f64,
    /// Distance beside a face within which a point still counts as over the face, where the surface goes
    /// on. It closes the wedges behind concave edges.
    pub crack: f64,
    /// Largest distance behind a sharp concave edge, beside both of its faces, within which a vertex counts
    /// as over them; 0 if neither body has such an edge.
    pub corner: f64,
    /// Distance beside a face within which a point still counts as over the face, where the surface ends,
    /// and distance beyond an edge's end within which a point still counts as on the edge. It covers
    /// rounding only: with a larger distance, parts touch across the clearance of a fit.
    pub border: f64,
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
            crack: CRACK_SLOPS * slop,
            corner: if a.has_corners || b.has_corners { CORNER_SLOPS * slop } else { 0.0 },
            border: (BORDER_OF_RADIUS * (a.radius + b.radius)).min(CRACK_SLOPS * slop),
            matching: MATCHING_OF_SIZE * size,
            thickness,
            size,
        }
    }
}

impl PairSettings {
    /// Returns the depth up to which the search finds every overlap completely, m. A greater depth
    /// found is only a lower bound.
    #[inline]
    pub fn surely_found(&self) -> f64 {
        SURE * self.depth.min(self.most_sought)
    }

    /// Returns the depth up to which the first search, before any overlap is known, finds every overlap
    /// completely, m.
    #[inline]
    pub fn surely_sought(&self) -> f64 {
        SURE * self.search
    }
}

/// Returns the thickness of a body, m. A sheet has none, so a share of its radius replaces it.
fn thickness(info: &BodyInfo) -> f64 {
    info.thickness.max(SHEET_OF_RADIUS * info.radius)
}

/// Returns the slop of a body, m.
fn slop(info: &BodyInfo) -> f64 {
    (SLOP_OF_THICKNESS * thickness(info)).max(SLOP_OF_RADIUS * info.radius)
}

/// Returns the distance by which a body's box must be enlarged so that no contact in the time `ahead`
/// is missed, m.
#[inline]
pub fn reach(state: &BodyState, info: &BodyInfo, ahead: Ahead) -> f64 {
    SPECULATIVE_SLOPS * slop(info) + (speed(state, info) + ahead.fall(state).length()) * ahead.dt
}

/// Returns the distance that a body may travel before it may touch anything outside its enlarged box,
/// m. `step`: the time for which the box was enlarged. The result allows in addition for an overlap
/// that contacts can undo.
#[inline]
pub fn room_of_body(state: &BodyState, info: &BodyInfo, step: Ahead) -> f64 {
    reach(state, info, step) + UNFORESEEN * TRAVEL_OF_THICKNESS * thickness(info)
}

/// Returns an upper bound of the speed of any point of the body, m/s.
fn speed(state: &BodyState, info: &BodyInfo) -> f64 {
    state.linear_velocity.length() + state.angular_velocity.length() * info.radius
}
