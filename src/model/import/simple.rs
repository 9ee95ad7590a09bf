//! Test whether a polygon crosses itself (is not simple).
//!
//! Ear clipping is fast for a polygon that does not cross itself, whatever its number of corners. For a
//! polygon that crosses itself it searches ears in vain, and its time grows with the cube of the number
//! of corners.

use rustc_hash::FxHashMap;
use spade::{ConstrainedDelaunayTriangulation, LineIntersectionIterator, Point2, Triangulation};

/// Number of edges per corner that the polygon's edges may cross while they are inserted into a
/// triangulation; this determines the time of the test. Outlines of real parts cross few edges; each
/// edge of a spiral crosses all earlier ones.
const CROSSED_PER_CORNER: usize = 64;

/// Returns whether no two edges of a polygon cross, and no edge is used more than twice. An edge from
/// the rim to a hole is used twice, in both directions. Also returns `false` if the test would take too
/// long.
pub(super) fn is_simple(corners: &[[f64; 2]]) -> bool {
    let mut plane = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    // Insertion fails for coordinates that are not finite, or too large or small.
    let insert = |&[x, y]: &[f64; 2]| plane.insert(Point2::new(x, y)).ok();
    let Some(vertices) = corners.iter().map(insert).collect::<Option<Vec<_>>>() else { return false };
    let mut left = CROSSED_PER_CORNER * corners.len();
    let mut uses: FxHashMap<[usize; 2], u32> = FxHashMap::default();
    let ends = vertices.iter().zip(vertices.iter().cycle().skip(1));
    for (&from, &to) in ends.filter(|(from, to)| from != to) {
        let [a, b] = [from.index(), to.index()];
        let count = uses.entry([a.min(b), a.max(b)]).or_default();
        *count += 1;
        if *count > 2 {
            return false;
        }
        if plane.exists_constraint(from, to) {
            continue;
        }
        let crossed = LineIntersectionIterator::new_from_handles(&plane, from, to).take(left).count();
        left -= crossed;
        if left == 0 || plane.try_add_constraint(from, to).is_empty() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_that_crosses_itself_is_not_simple() {
        let square = [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]];
        assert!(is_simple(&square));
        let bow_tie = [square[0], square[2], square[1], square[3]];
        assert!(!is_simple(&bow_tie));
        // Polygon with a hole, connected to the rim by an edge that is used twice.
        let hole = [[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0]];
        let rim = [square[0], square[1], square[2], square[3], square[0]];
        assert!(is_simple(&[&rim[..], &hole].concat()));
        // The rim is used three times, so the polygon is not simple.
        assert!(!is_simple(&square.repeat(3)));
        assert!(!is_simple(&[[0.0, 0.0], [f64::NAN, 0.0], [1.0, 1.0]]));
    }
}
