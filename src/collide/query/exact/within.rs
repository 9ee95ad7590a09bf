//! Test of whether two surfaces are within a distance.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::scope::{PosedSurfaces, Side};
use super::triangles::gap;
use crate::arrays::MapEach;
use crate::mesh;
use crate::pose::Pose;
use crate::query::nearer::NearerFilter;
use crate::tree::{Counts, DescentScratch, Search, Surfaces, visit};

/// Returns whether any two triangles of the surfaces are within `distance` (m) of each other, or
/// intersect. The answer is the same for every kind of hierarchy. The search ends at the first such
/// pair. If the scratch's stop flag is set, the answer may be true regardless. `near` is a buffer.
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
    let stop = Arc::clone(&descent.stop);
    let is_near = |[a, b]: [u32; 2]| {
        let corners = [scope.corners(Side::A, a), scope.corners(Side::B, b)];
        gap(&corners[0], &corners[1]).square <= square || mesh::intersects(&corners[0], &corners[1])
    };
    visit(surfaces, &Search::all(b_to_a, distance), descent, counts, &mut |pairs| {
        near.clear();
        filter.keep(pairs, distance, near);
        if near.iter().any(|&pair| is_near(pair)) || stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
    .is_break()
}
