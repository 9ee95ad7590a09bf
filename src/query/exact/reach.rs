//! How far the triangles of two surfaces that cross reach through each other. It is what can be said of
//! sheets, which have no inside to be deep in.

use super::curve::segment;
use super::inside::add_segments;
use super::scope::{PosedSurfaces, Side};
use crate::arrays::MapEach;

/// Returns the farthest that two triangles of the pairs reach through each other, m: the least of how far
/// each reaches to both sides of the other's plane, and of the length in which they meet. Where a triangle
/// only touches the other, as with an edge, its neighbours count with it. 0 if they only touch.
pub(super) fn reach(scope: &PosedSurfaces, pairs: &[[u32; 2]]) -> f64 {
    let mut outline = Vec::new();
    let mut of_pair = |&[ta, tb]: &[u32; 2]| {
        let crossing = segment(scope, [ta, tb]);
        outline.clear();
        add_segments(scope, Side::A, [ta, tb], &mut outline);
        let across = outline.iter().map(|[from, to]| from.distance(*to)).fold(0.0, f64::max);
        let through = |side: Side, triangle: u32, other: u32| {
            let normal = scope.normal(side.other(), other);
            let [origin, ..] = scope.corners(side.other(), other);
            let beside = scope.across(side, triangle).map_each(|t| t.filter(|_| crossing.is_none()));
            let triangles = [Some(triangle), beside[0], beside[1], beside[2]].into_iter().flatten();
            let heights = triangles.flat_map(|t| scope.corners(side, t)).map(|c| normal.dot(c - origin));
            let [low, high] = heights.fold([0.0_f64; 2], |[l, h], x| [l.max(-x), h.max(x)]);
            low.min(high)
        };
        through(Side::A, ta, tb).min(through(Side::B, tb, ta)).min(across)
    };
    pairs.iter().map(&mut of_pair).fold(0.0, f64::max)
}
