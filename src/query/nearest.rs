//! The triangles by which two surfaces are nearest to each other: branch and bound.
//!
//! The wide boxtrees go to what is nearest first and leave out what is farther than the best so far; the
//! other kinds only have candidates within a margin, the bound. What is measured, and so what is nearest, is
//! the caller's: every kind gives the same answer.

use std::ops::ControlFlow;

use crate::pose::Pose;
use crate::tree::wide::Approach;
use crate::tree::{Counts, DescentScratch, Search, Surfaces, Tree, visit};

/// Shows `measure` pairs of triangles (one of a, one of b), some at a time, among them every pair that is not
/// farther than both `bound` (m) and all that was measured before; `measure` says how far apart (m) the
/// nearest pair so far is; a negative distance ends the search. The smaller the bound, the less is shown; for
/// kinds other than the wide boxtrees an infinite one shows everything.
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
            // Whether the search broke off is known to the caller.
            let _ = visit(surfaces, &Search::all(b_to_a, bound), scratch, counts, &mut |pairs| {
                if measure(pairs) < 0.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
    }
}
