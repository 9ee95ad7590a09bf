//! Whether a polygon crosses itself.
//!
//! Cutting a polygon into triangles takes about as long as its corners tell, however many there are, if its
//! edges do not cross. Of one that crosses itself the cutter looks for ears in vain, and its time grows with
//! the cube of the corners.

use rustc_hash::FxHashMap;
use spade::{ConstrainedDelaunayTriangulation, LineIntersectionIterator, Point2, Triangulation};

/// Edges of the triangulation that all edges of a polygon may cross while they are put in, for each corner:
/// the time goes with their number. Outlines of real parts have few, a spiral has all before it.
const CROSSED_PER_CORNER: usize = 64;

/// Whether no two edges of a polygon cross, and none is run through more than twice: a hole is joined to the
/// rim by an edge that is run through in both directions. `false` too where that takes long to find out.
pub(super) fn is_simple(corners: &[[f64; 2]]) -> bool {
    let mut plane = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    // Numbers that are not finite, or too large or small to compute with, are an error.
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
        // A hole, joined to the rim by an edge.
        let hole = [[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0]];
        let rim = [square[0], square[1], square[2], square[3], square[0]];
        assert!(is_simple(&[&rim[..], &hole].concat()));
        // Three times round.
        assert!(!is_simple(&square.repeat(3)));
        assert!(!is_simple(&[[0.0, 0.0], [f64::NAN, 0.0], [1.0, 1.0]]));
    }
}
