//! Nearest triangles of two surfaces, by branch and bound.
//!
//! Wide boxtrees visit near nodes first and skip nodes that are farther than the best pair so far.
//! Other kinds only enumerate the candidates within the bound. The caller measures the pairs and
//! decides which is nearest, so every kind gives the same answer.

use std::ops::ControlFlow;

use crate::pose::Pose;
use crate::tree::wide::Approach;
use crate::tree::{Counts, DescentScratch, Search, Surfaces, Tree, visit};

/// Passes batches of triangle pairs (one of a, one of b) to `measure`. Skips a pair only if it is
/// farther than `bound` (m), or than the nearest pair measured so far. `measure` returns the distance
/// (m) of the nearest pair so far; a negative value ends the search. With a smaller bound, fewer pairs
/// are passed. With an infinite bound, kinds other than the wide boxtrees pass all pairs.
pub fn approach(
    surfaces: Surfaces,
    b_to_a: &Pose,
    bound: f64,
    scratch: &mut DescentScratch,
    counts: &mut Counts,
    measure: &mut impl FnMut(&[[u32; 2]]) -> f64,
) {
    match [surfaces[0].0, surfaces[1].0] {
        [Tree::Boxtree8(a), Tree::Boxtree8(b)] => {
            Approach::approach([a, b], b_to_a, bound, &mut scratch.boxtree8, counts, measure);
        }
        [Tree::Boxtree4(a), Tree::Boxtree4(b)] => {
            Approach::approach([a, b], b_to_a, bound, &mut scratch.boxtree4, counts, measure);
        }
        _ => {
            // The caller knows whether the search ended early.
            let _ = visit(surfaces, &Search::all(b_to_a, bound), scratch, counts, &mut |pairs| {
                if measure(pairs) < 0.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
    }
}
