//! Triangle pairs of two surfaces that may touch, according to the hierarchies. Kinds of hierarchies
//! differ only in the number of superfluous pairs.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::pose::Pose;
use crate::tree::{Allowance, Counts, DescentScratch, Goal, Limit, Near, Search, Start, Surfaces, visit};

/// Query for the triangle pairs of two placed surfaces that are near each other.
#[derive(Clone, Copy)]
pub struct NearQuery<'a> {
    pub surfaces: Surfaces<'a>,
    /// Pose of b in a's space.
    pub b_to_a: &'a Pose,
    /// Margin and optional facing filter of the pairs.
    pub near: Near,
}

/// Appends to `out` all pairs (triangle of a, triangle of b) that `query` accepts, each once, and some
/// further pairs whose volumes are near but whose triangles are not. Trees of different kinds fall back
/// to brute force. Returns whether the list is complete: false if there are more than `most` pairs, or
/// if `scratch.stop` is set.
pub fn find_candidates(
    query: &NearQuery,
    most: usize,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) -> bool {
    let stretch = Cell::new(STOP_CHECK_INTERVAL);
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

/// Number of node tests between two checks of the stop flag. They take well below a millisecond.
const STOP_CHECK_INTERVAL: u64 = 1 << 14;

/// Finds candidates like [`find_candidates`], but within an allowance. Wide trees report the deepest
/// overlaps first. Returns whether the search is complete. If it is not, the same call with the same
/// scratch and [`Start::End`] continues it.
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

/// Returns whether the volumes of the surfaces prove, within `node_tests` node tests, that the surfaces
/// are farther apart than `margin` (m). Stops at the first pair of triangles that may be nearer.
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
