//! Length by which the triangles of two crossing surfaces reach through each other. It replaces the
//! depth of sheets, which have no inside.

use super::curve::segment;
use super::inside::add_segments;
use super::scope::{PosedSurfaces, Side};
use crate::arrays::MapEach;

/// Returns the greatest length by which the triangles of any pair reach through each other, m. For one
/// pair, it is the minimum of two extents and a length: the smaller extent of each triangle to either
/// side of the other's plane, and the length of their intersection. If a triangle only touches the
/// other one, for example with an edge, its neighbors are included. 0 if all pairs only touch.
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
