//! What is asked of a pair of hierarchies: which triangle pairs may touch, which intersect, whether any does.
//!
//! Every kind gives the same answer to the last two, which are decided by the exact test; b's corners are
//! carried into a's space in `f64` first. Cost: a traversal, and an exact test for each candidate.

use std::ops::ControlFlow;

use glam::DVec3;

use super::boxtree::SatLite;
use super::brute_force;
use super::descend::{Found, descend};
use super::{Counts, DescentScratch, Tree};
use crate::mesh::{self, Mesh};
use crate::pose::Pose;

/// Two surfaces, each with the hierarchy over it.
pub type Surfaces<'a> = [(&'a Tree, &'a Mesh); 2];

/// Appends to `out` all pairs (triangle of a, triangle of b) that come within `margin` (m), each once, and
/// more that only might. Trees of different kinds fall back on brute force.
pub fn find_candidates(
    surfaces: Surfaces,
    b_to_a: &Pose,
    margin: f64,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) {
    // Never breaks: every candidate is wanted.
    let _ = visit(surfaces, b_to_a, margin, scratch, counts, &mut |a, b| {
        out.push([a, b]);
        ControlFlow::Continue(())
    });
}

/// Whether the surfaces intersect; stops at the first pair of triangles that do.
pub fn intersect(
    surfaces: Surfaces,
    b_to_a: &Pose,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
) -> bool {
    let mut tested = 0;
    let found = visit(surfaces, b_to_a, 0.0, scratch, counts, &mut |a, b| {
        tested += 1;
        if exactly(surfaces, b_to_a, a, b) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    counts.triangle_test_count += tested;
    found.is_break()
}

/// Appends to `out` all pairs of triangles that intersect, each once, in any order.
pub fn find_intersections(
    surfaces: Surfaces,
    b_to_a: &Pose,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) {
    let mut tested = 0;
    // Never breaks: every pair is wanted.
    let _ = visit(surfaces, b_to_a, 0.0, scratch, counts, &mut |a, b| {
        tested += 1;
        if exactly(surfaces, b_to_a, a, b) {
            out.push([a, b]);
        }
        ControlFlow::Continue(())
    });
    counts.triangle_test_count += tested;
}

fn exactly([(_, mesh_a), (_, mesh_b)]: Surfaces, b_to_a: &Pose, a: u32, b: u32) -> bool {
    let carried: [DVec3; 3] = mesh_b.corners(b).map(|c| b_to_a.transform_point(c));
    mesh::intersects(&mesh_a.corners(a), &carried)
}

/// Shows `found` every candidate pair until it breaks.
fn visit(
    [(tree_a, mesh_a), (tree_b, mesh_b)]: Surfaces,
    b_to_a: &Pose,
    margin: f64,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
    found: &mut impl Found,
) -> ControlFlow<()> {
    match (tree_a, tree_b) {
        (Tree::Boxtree(a), Tree::Boxtree(b)) => {
            descend(&SatLite::new(a, b, b_to_a, margin), &mut scratch.sat_lite, counts, found)
        }
        _ => brute_force::visit(mesh_a, mesh_b, b_to_a, margin, counts, found),
    }
}
