//! What is asked of a pair of surfaces, each with its hierarchy: whether they intersect and where, what comes
//! near what, how far apart they are, what a segment goes through. Every kind of hierarchy gives the same
//! answers.
//!
//! - `apart.rs`: how far two triangles are apart at least, along a direction.
//! - `candidates.rs`: triangle pairs within a margin: whole, in parts or under an allowance.
//! - `closest.rs`: the point of a surface that is nearest to a point.
//! - `coherent.rs`: whether two surfaces intersect, asked again and again while they move a little.
//! - `exact/`: how far apart two links are, or how deep in each other.
//! - `filter.rs`: the exact test of many pairs, by which `intersect.rs` and `coherent.rs` judge.
//! - `inside.rs`: whether a point is in the solid that a closed surface bounds.
//! - `intersect.rs`: whether two surfaces intersect, and which pairs of triangles do.
//! - `lanes.rs`: several pairs of triangles at once, in vectors, and what is rounded in them.
//! - `nearer.rs`: which pairs may be nearer than a distance, by which the nearest is sought.
//! - `nearest.rs`: the triangles by which two surfaces are nearest, by branch and bound.
//! - `pair.rs`: whether two surfaces at their places intersect, how far apart and how deep they are.
//! - `section/`: the section of a surface by a plane: its lines, their length and its area.
//! - `segment.rs`: where a segment crosses a surface.
//! - `shapes.rs`: planes and edges of the triangles in the lanes.
//! - `touching.rs`: which pairs may touch, by which contacts judge.

mod apart;
mod candidates;
mod closest;
mod coherent;
mod exact;
mod filter;
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
pub use exact::{Convex, Nearest, Penetration, WayOut, are_within};
pub use inside::is_inside;
pub use intersect::{
    Verdict, find_intersections, find_intersections_within, intersect_within, surfaces_intersect,
};
pub use nearest::approach;
pub use pair::{PairMemory, Placed, Seed, crossing_reach, distance, intersect, penetration, way_out};
pub use section::{Plane, Section, SectionLoop, section};
pub use segment::{Crossing, crosses, first_crossing};
pub use touching::TouchFilter;
