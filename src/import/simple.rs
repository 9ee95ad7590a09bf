//! Test whether a polygon crosses itself.
//!
//! The triangulation of a polygon is fast, whatever its number of corners, if its edges do not cross.
//! In a polygon that crosses itself the cutter searches for ears in vain, and its time grows with the
//! cube of the corners.

use rustc_hash::FxHashMap;
use spade::{ConstrainedDelaunayTriangulation, LineIntersectionIterator, Point2, Triangulation};

/// Number of edges of the triangulation, per corner, that the edges of a polygon may cross while they
/// are inserted: they determine the time. Outlines of real parts cross few edges, a spiral crosses all
/// earlier ones.
const CROSSED_PER_CORNER: usize = 64;

/// Returns whether no two edges of a polygon cross, and none is used more than twice: a bridge edge
/// from the rim to a hole is used in both directions. Returns `false` too if the test would take long.
pub(super) fn is_simple(corners: &[[f64; 2]]) -> bool {
    let mut plane = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    // Insertion fails for numbers that are not finite, or too large or small to compute with.
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
        // A hole with a bridge edge to the rim.
        let hole = [[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0]];
        let rim = [square[0], square[1], square[2], square[3], square[0]];
        assert!(is_simple(&[&rim[..], &hole].concat()));
        // The rim is used three times.
        assert!(!is_simple(&square.repeat(3)));
        assert!(!is_simple(&[[0.0, 0.0], [f64::NAN, 0.0], [1.0, 1.0]]));
    }
}
