//! Whether two surfaces come near each other.

use std::ops::ControlFlow;

use super::scope::{PosedSurfaces, Side};
use super::triangles::gap;
use crate::arrays::MapEach;
use crate::mesh;
use crate::pose::Pose;
use crate::query::nearer::NearerFilter;
use crate::tree::{Counts, DescentScratch, Search, Surfaces, visit};

/// Triangle pairs that hierarchies show at a time, as a rule at most.
const AT_ONCE: usize = 256;

/// Returns whether any two triangles of the surfaces are within `distance` (m) of each other, or intersect.
/// The same for every kind of hierarchy. Ends at the first two that are found; `near` is a buffer.
pub fn are_within(
    surfaces: Surfaces,
    b_to_a: &Pose,
    distance: f64,
    (descent, near): (&mut DescentScratch, &mut Vec<[u32; 2]>),
    counts: &mut Counts,
) -> bool {
    let scope = PosedSurfaces::new(surfaces, b_to_a);
    let filter = NearerFilter::new(surfaces.map_each(|(_, mesh)| mesh), b_to_a);
    let square = distance * distance;
    // Grown by the first question, not by the first that finds something.
    near.reserve(AT_ONCE);
    let is_near = |[a, b]: [u32; 2]| {
        let corners = [scope.corners(Side::A, a), scope.corners(Side::B, b)];
        gap(&corners[0], &corners[1]).square <= square || mesh::intersects(&corners[0], &corners[1])
    };
    visit(surfaces, &Search::all(b_to_a, distance), descent, counts, &mut |pairs| {
        near.clear();
        filter.keep(pairs, distance, near);
        if near.iter().any(|&pair| is_near(pair)) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
    .is_break()
}
