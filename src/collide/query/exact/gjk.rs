//! Intersection and distance of two convex links (Gilbert, Johnson and Keerthi 1988). The algorithm
//! moves a simplex inside the difference A − B towards the origin.
//!
//! The iteration ends when no point of the difference reduces the squared distance by more than a share
//! of 1e-10, when the same point occurs twice, or when rounding prevents progress. A repeated query for
//! a pair starts from its last simplex.

use glam::DVec3;

use super::difference::{Difference, Vertex};
use super::simplex::nearest;

use crate::arrays::MapEach;

/// Result of the last query for a pair, from which the next query starts. It affects only the run time,
/// so any value is valid.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    /// Vector from b to a, body space of a; zero if unknown.
    axis: DVec3,
    corners: [[u32; 2]; 4],
    corner_count: u8,
}

/// Corners of the difference, and the weight of each in the point nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    pub corners: [Vertex; 4],
    pub shares: [f64; 4],
    pub count: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum GjkVerdict {
    /// The links are apart. The vector from b to a is longer than the rounding error. It is the
    /// shortest one from [`measure`], and the normal of any separating plane from [`separate`].
    Apart(DVec3),
    Touching,
}

/// Relative decrease of the squared distance below which the iteration ends.
const GAP: f64 = 1e-10;
const MAX_STEP_COUNT: usize = 64;

impl Simplex {
    pub fn used(&self) -> impl Iterator<Item = (&Vertex, f64)> {
        self.corners.iter().zip(self.shares).take(self.count)
    }

    fn has(&self, vertex: &Vertex) -> bool {
        self.corners[..self.count].iter().any(|c| c.of == vertex.of)
    }

    /// Drops the corners without weight in the nearest point, and returns that point.
    fn reduce(&mut self) -> DVec3 {
        let nearest = nearest(&self.corners.map_each(|c| c.point), self.count);
        let mut kept = 0;
        for corner in 0..self.count {
            if nearest.shares[corner] > 0.0 {
                self.corners[kept] = self.corners[corner];
                self.shares[kept] = nearest.shares[corner];
                kept += 1;
            }
        }
        self.count = kept;
        nearest.point
    }
}

impl Start {
    fn keep(&mut self, axis: DVec3, simplex: &Simplex) {
        self.axis = axis;
        self.corners = simplex.corners.map_each(|c| c.of);
        self.corner_count = simplex.count as u8;
    }

    /// Rebuilds the simplex of the last query.
    fn simplex(&self, difference: &Difference) -> Simplex {
        let mut simplex = Simplex::default();
        for of in &self.corners[..usize::from(self.corner_count).min(4)] {
            if let Some(vertex) = difference.vertex(*of)
                && !simplex.has(&vertex)
            {
                simplex.corners[simplex.count] = vertex;
                simplex.count += 1;
            }
        }
        simplex
    }

    /// Returns the vector of the last query as the first search direction, or a guess if there is none.
    fn axis(&self, difference: &Difference) -> DVec3 {
        let guess = if self.axis == DVec3::ZERO { -difference.translation } else { self.axis };
        if guess == DVec3::ZERO { DVec3::X } else { guess }
    }
}

/// Returns whether the links share a point. Stops as soon as a plane separates them.
pub(super) fn separate(difference: &Difference, start: &mut Start) -> GjkVerdict {
    let axis = start.axis(difference);
    let ahead = difference.support(-axis, start.corners[0]);
    if is_behind(difference, axis, &ahead) {
        if start.corner_count == 0 {
            (start.axis, start.corner_count) = (axis, 1);
        }
        if start.corner_count == 1 {
            start.corners[0] = ahead.of;
        }
        return GjkVerdict::Apart(axis);
    }
    descend(difference, start, ahead, true).0
}

/// Returns the shortest vector between the links, and the simplex that contains its point of the
/// difference.
pub(super) fn measure(difference: &Difference, start: &mut Start) -> (GjkVerdict, Simplex) {
    let ahead = difference.support(-start.axis(difference), start.corners[0]);
    descend(difference, start, ahead, false)
}

/// Returns whether a plane normal to `axis` separates the origin from the whole difference. `ahead`:
/// the point of the difference farthest against `axis`.
fn is_behind(difference: &Difference, axis: DVec3, ahead: &Vertex) -> bool {
    let height = axis.dot(ahead.point);
    height > 0.0 && height * height > difference.rounding() * difference.rounding() * axis.length_squared()
}

/// Runs GJK from the simplex in `start`, or from the point `first` if `start` is empty. If `any_plane`
/// is set, ends as soon as a plane separates the links.
fn descend(
    difference: &Difference,
    start: &mut Start,
    first: Vertex,
    any_plane: bool,
) -> (GjkVerdict, Simplex) {
    let mut simplex = start.simplex(difference);
    if simplex.count == 0 {
        (simplex.corners[0], simplex.count) = (first, 1);
    }
    let mut way = simplex.reduce();
    let touching = difference.rounding() * difference.rounding();
    for _ in 0..MAX_STEP_COUNT {
        let square = way.length_squared();
        if simplex.count == 4 || square <= touching {
            break;
        }
        let ahead = difference.support(-way, simplex.corners[simplex.count - 1].of);
        if any_plane && is_behind(difference, way, &ahead) {
            start.keep(way, &simplex);
            return (GjkVerdict::Apart(way), simplex);
        }
        if square - way.dot(ahead.point) <= GAP * square || simplex.has(&ahead) {
            break;
        }
        let mut next = simplex;
        next.corners[next.count] = ahead;
        next.count += 1;
        let shorter = next.reduce();
        if shorter.length_squared() >= square {
            break;
        }
        (simplex, way) = (next, shorter);
    }
    start.keep(if way == DVec3::ZERO { start.axis } else { way }, &simplex);
    let is_apart = simplex.count < 4 && way.length_squared() > touching;
    (if is_apart { GjkVerdict::Apart(way) } else { GjkVerdict::Touching }, simplex)
}
