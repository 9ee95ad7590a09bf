//! Which triangle pairs of two surfaces may touch, as far as their hierarchies tell. Kinds differ in how many
//! more than necessary they find.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::pose::Pose;
use crate::tree::{Allowance, Counts, DescentScratch, Goal, Limit, Near, Search, Start, Surfaces, visit};

/// The question which triangle pairs of two placed surfaces are near each other.
#[derive(Clone, Copy)]
pub struct NearQuery<'a> {
    pub surfaces: Surfaces<'a>,
    /// Pose of b in a's space.
    pub b_to_a: &'a Pose,
    /// The margin, and the filter of pairs that matter within it.
    pub near: Near,
}

/// Appends to `out` all pairs (triangle of a, triangle of b) that come within the margin and matter, each
/// once, and more that only might. Trees of different kinds fall back on brute force. Returns whether they
/// are all: not if there are more than `most`, or if the scratch says to stop.
pub fn find_candidates(
    query: &NearQuery,
    most: usize,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) -> bool {
    let stretch = Cell::new(LOOKED_AFTER);
    let mut search = Search { limit: Limit::at(&stretch), ..Search::near(query.b_to_a, query.near) };
    loop {
        let end = visit(query.surfaces, &search, scratch, counts, &mut |pairs| {
            out.extend_from_slice(pairs);
            if out.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if end.is_continue() && out.len() <= most {
            return true;
        }
        if out.len() > most || scratch.stop.load(Ordering::Relaxed) {
            return false;
        }
        search.start = Start::End;
    }
}

/// Node tests between two looks at whether to stop: well below a millisecond.
const LOOKED_AFTER: u64 = 1 << 14;

/// As [`find_candidates`], up to an allowance, and where it is wide trees the deepest overlaps first. Returns
/// whether it ended by itself: if not, pairs are missing, which the same call with the same scratch finds
/// from [`Start::End`] on.
pub fn find_candidates_within(
    query: &NearQuery,
    start: Start,
    allowance: Allowance,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) -> bool {
    let left = Cell::new(allowance.node_tests);
    let search = Search {
        start,
        limit: Limit::at(&left),
        goal: Goal::Deepest,
        ..Search::near(query.b_to_a, query.near)
    };
    let end = visit(query.surfaces, &search, scratch, counts, &mut |pairs| {
        left.set(left.get().saturating_sub(allowance.per_candidate * pairs.len() as u64));
        out.extend_from_slice(pairs);
        ControlFlow::Continue(())
    });
    end.is_continue()
}

/// Whether the surfaces are farther apart than `margin` (m), as far as their volumes can tell within so many
/// node tests; stops at the first pair of triangles that may not be.
pub fn are_apart(
    node_tests: u64,
    surfaces: Surfaces,
    b_to_a: &Pose,
    margin: f64,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
) -> bool {
    let left = Cell::new(node_tests);
    let search = Search { limit: Limit::at(&left), goal: Goal::Deepest, ..Search::all(b_to_a, margin) };
    visit(surfaces, &search, scratch, counts, &mut |_| ControlFlow::Break(())).is_continue()
}
