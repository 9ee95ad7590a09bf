//! How far the triangles of two surfaces that cross reach through each other. It is what can be said of sheets,
//! which have no inside to be deep in.

use super::curve::segment;
use super::scope::{PosedSurfaces, Side};
use crate::arrays::MapEach;

/// Returns the farthest that two triangles of the pairs reach through each other, m: the least of how far each
/// has a corner on both sides of the other's plane, and of the length in which they cross. 0 if they only
/// touch.
pub(super) fn reach(scope: &PosedSurfaces, pairs: &[[u32; 2]]) -> f64 {
    let of_pair = |&[ta, tb]: &[u32; 2]| {
        let Some([from, to]) = segment(scope, [ta, tb]) else { return 0.0 };
        let through = |side: Side, triangle: u32, other: u32| {
            let normal = scope.normal(side.other(), other);
            let [origin, ..] = scope.corners(side.other(), other);
            let heights = scope.corners(side, triangle).map_each(|corner| normal.dot(corner - origin));
            let [low, high] = heights.into_iter().fold([0.0_f64; 2], |[l, h], x| [l.max(-x), h.max(x)]);
            low.min(high)
        };
        let across = from.point.distance(to.point);
        through(Side::A, ta, tb).min(through(Side::B, tb, ta)).min(across)
    };
    pairs.iter().map(of_pair).fold(0.0, f64::max)
}
