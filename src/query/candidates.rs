//! Triangle pairs of two surfaces that may touch, according to the hierarchies. Kinds differ in the
//! number of superfluous pairs.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::pose::Pose;
use crate::tree::{Allowance, Counts, DescentScratch, Goal, Limit, Near, Search, Start, Surfaces, visit};

/// Appends to `out` all pairs (triangle of a, triangle of b) that `near` accepts, each once, and others
/// that may only seem to. Trees of different kinds fall back to brute force. Returns whether the list
/// is complete: false if there are more than `most` pairs, or if `scratch.stop` is set.
pub fn find_candidates(
    surfaces: Surfaces,
    (b_to_a, near): (&Pose, Near),
    most: usize,
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) -> bool {
    let stretch = Cell::new(LOOKED_AFTER);
    let mut search = Search { limit: Limit::at(&stretch), ..Search::near(b_to_a, near) };
    loop {
        let end = visit(surfaces, &search, scratch, counts, &mut |pairs| {
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

/// Node tests between two checks of the stop flag: well below a millisecond.
const LOOKED_AFTER: u64 = 1 << 14;

/// Finds candidates like [`find_candidates`], but within an allowance; wide trees report the deepest
/// overlaps first. Returns whether the search is complete. Otherwise the same call with the same
/// scratch and [`Start::End`] continues it.
pub fn find_candidates_within(
    (start, allowance): (Start, Allowance),
    surfaces: Surfaces,
    (b_to_a, near): (&Pose, Near),
    scratch: &mut DescentScratch,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) -> bool {
    let left = Cell::new(allowance.node_tests);
    let search = Search { start, limit: Limit::at(&left), goal: Goal::Deepest, ..Search::near(b_to_a, near) };
    let end = visit(surfaces, &search, scratch, counts, &mut |pairs| {
        left.set(left.get().saturating_sub(allowance.per_candidate * pairs.len() as u64));
        out.extend_from_slice(pairs);
        ControlFlow::Continue(())
    });
    end.is_continue()
}

/// Returns whether the surfaces are proven to be farther apart than `margin` (m) by their volumes
/// within `node_tests` node tests. Stops at the first pair of triangles that may be nearer.
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
