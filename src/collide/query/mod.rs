//! Queries on a pair of surfaces, each with its hierarchy: intersection, pairs within a margin,
//! distance and depth. Also segment, point and section queries on one surface. Every kind of hierarchy
//! gives the same answers.
//!
//! - `apart.rs`: lower bounds of the distance of two triangles along a direction.
//! - `candidates.rs`: triangle pairs within a margin: all, in parts, or within an allowance.
//! - `closest.rs`: the point of a surface that is nearest to a point.
//! - `coherent.rs`: repeated intersection tests of two surfaces that move a little.
//! - `exact/`: the distance or the penetration depth of two links.
//! - `filter.rs`: the exact test of many pairs, used by `intersect.rs` and `coherent.rs`.
//! - `first_touch/`: the time of impact of two moving surfaces.
//! - `inside.rs`: the test of whether a point is in the solid that a closed surface bounds.
//! - `intersect.rs`: the test of whether two surfaces intersect, and the triangle pairs that do.
//! - `lanes.rs`: several pairs of triangles in SIMD lanes, and their error bound.
//! - `nearer.rs`: a filter for pairs that may be nearer than a distance, used by distance queries.
//! - `nearest.rs`: the nearest triangles of two surfaces, by branch and bound.
//! - `pair.rs`: intersection, distance and depth of two posed surfaces.
//! - `section/`: the section of a surface by a plane: its lines, their length and its area.
//! - `segment.rs`: the crossings of a segment with a surface.
//! - `shapes.rs`: planes and edges of the triangles in the lanes.
//! - `touching.rs`: a filter for pairs that may touch, used by contact generation.

mod apart;
mod candidates;
mod closest;
mod coherent;
mod exact;
mod filter;
mod first_touch;
mod inside;
mod intersect;
mod lanes;
mod nearer;
mod nearest;
mod pair;
mod section;
mod segment;
mod shapes;
mod touching;

pub use candidates::{NearQuery, are_apart, find_candidates, find_candidates_within};
pub use closest::{Closest, closest_point};
pub use coherent::{Coherence, intersect_coherently};
pub use exact::{Convex, Nearest, Penetration, WayOut, are_within, coordinate_error};
pub use first_touch::{FirstTouch, Motion, TouchBuffers, TouchSearch, first_touch};
pub use inside::{depth_in_solid, is_in_solid, is_inside};
pub use intersect::{
    Verdict, find_intersections, find_intersections_within, intersect_within, surfaces_intersect,
};
pub use nearest::approach;
pub use pair::{
    PairMemory, Placed, Seed, crossing_reach, distance, intersect, is_deeper, penetration, way_out,
};
pub use section::{Plane, Section, SectionLoop, section};
pub use segment::{Crossing, crosses, first_crossing};
pub use touching::TouchFilter;
