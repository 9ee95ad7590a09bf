//! Search for triangles of a wide boxtree near a point. It computes SIMD distances to all children of a
//! node, and visits the nearest child first.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};
use glam::DVec3;

use super::bounds::{Bounds, ChildBounds, Exact, Offsets};
use super::lanes::{Lanes, splat, zero};
use super::layout::{Child, WideTree};
use crate::volume::round_up;

/// A child still to be visited, with a lower bound of its squared distance, m².
pub(super) type Open = (f64, (Child, Bounds));

/// Point search of a tree; see [`crate::tree::Nodes::approach_point`].
pub(super) trait ApproachPoint {
    fn approach(&self, point: DVec3, bound: f64, open: &mut Vec<Open>, measure: &mut dyn FnMut(u32) -> f64);
}

macro_rules! approach_point {
    ($arity:literal, $sides:ty) => {
        impl ApproachPoint for WideTree<$arity, $sides> {
            fn approach(
                &self,
                point: DVec3,
                bound: f64,
                open: &mut Vec<Open>,
                measure: &mut dyn FnMut(u32) -> f64,
            ) {
                dispatch!(Level::new(), simd => down(simd, self, point, bound, open, measure));
            }
        }
    };
}

approach_point!(4, Offsets<4>);
approach_point!(8, Offsets<8>);
approach_point!(8, Exact<8>);

/// Runs the search with the given instruction set.
#[inline(always)]
fn down<S: Lanes<W>, const W: usize, B: ChildBounds<W>>(
    simd: S,
    tree: &WideTree<W, B>,
    point: DVec3,
    bound: f64,
    open: &mut Vec<Open>,
    measure: &mut dyn FnMut(u32) -> f64,
) {
    let center = tree.center.as_dvec3();
    let at = point - center;
    // The bounds of a box undergo about 4 roundings, the point one, and the difference another one. The
    // subtraction of the center was rounded in `f64`.
    let Bounds { low, high } = tree.root;
    let largest = low.iter().chain(&high).fold(0.0_f32, |most, side| most.max(side.abs()));
    let size = f64::from(largest) + at.abs().max_element();
    let far = center.abs().max_element() + point.abs().max_element();
    let growth = round_up(16.0 * f64::from(f32::EPSILON) * size + 16.0 * f64::EPSILON * far);
    let at: [f32; 3] = at.as_vec3().into();
    let mut least = bound * bound;
    open.push((0.0, (tree.top(), tree.root)));
    while let Some((square, (child, own))) = open.pop() {
        if square > least {
            continue;
        }
        let index = match child {
            Child::Node(index) => index,
            Child::Leaf(leaf) => {
                least = measure(tree.triangles[leaf as usize]).min(least);
                continue;
            }
            Child::Root => continue,
        };
        let node = &tree.nodes[index as usize];
        let (low, high) = node.sides.rows(simd, &own);
        let mut squares = zero(simd);
        for k in 0..3 {
            let beyond = (low[k] - at[k]).max(splat(simd, at[k]) - high[k]) - growth;
            let beyond = beyond.max(zero(simd));
            squares += beyond * beyond;
        }
        let first = open.len();
        for lane in 0..usize::from(node.child_count) {
            // The square and the sums undergo three roundings.
            let square = f64::from(squares[lane]) * (1.0 - 4.0 * f64::from(f32::EPSILON));
            if square <= least {
                let child = node.child(lane);
                // A leaf is measured without decoding its box, so any box serves here.
                let sides = if matches!(child, Child::Leaf(_)) { own } else { node.sides.decode(lane, &own) };
                open.push((square, (child, sides)));
            }
        }
        farthest_first(&mut open[first..]);
    }
}

/// Sorts at most eight children, farthest first, by insertion. Not generic, so it is compiled once
/// although its caller is monomorphized per tree and instruction set.
fn farthest_first(open: &mut [Open]) {
    for at in 1..open.len() {
        let mut place = at;
        while place > 0 && open[place - 1].0 < open[place].0 {
            open.swap(place - 1, place);
            place -= 1;
        }
    }
}
