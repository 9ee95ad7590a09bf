//! Part of two surfaces that may contain a point deeper than the deepest found: a group of triangles
//! inside, or a piece of a triangle that crosses. The queue is ordered by greatest upper bound first.

use std::cmp::Ordering;
use std::ops::Range;

use arrayvec::ArrayVec;
use glam::DVec3;

use super::piece::{MOST_CORNERS, Piece};
use super::scope::{PosedSurfaces, Side};

/// Part that may contain a deeper point.
pub(super) struct Part {
    /// Upper bound of its depth, m.
    pub at_most: f64,
    /// Serial number. Among parts with equal bounds, the older one comes first.
    pub number: u32,
    pub side: Side,
    /// Triangle of the other side whose face last gave the bound.
    pub near: u32,
    pub content: Content,
}

pub(super) enum Content {
    /// Triangles wholly inside, as a range of the list of such triangles.
    Group(Range<u32>),
    Piece(Box<Piece>),
}

/// Points that bound a part, and a sample point.
pub(super) struct Outline {
    /// Points whose convex hull contains the part.
    pub corners: ArrayVec<DVec3, MOST_CORNERS>,
    /// Point of the part, on `triangle`.
    pub sample: DVec3,
    pub triangle: u32,
}

/// Returns the corners of the box around the triangles.
pub(super) fn box_around(
    scope: &PosedSurfaces,
    side: Side,
    triangles: &[u32],
) -> ArrayVec<DVec3, MOST_CORNERS> {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for corner in triangles.iter().flat_map(|&triangle| scope.corners(side, triangle)) {
        (low, high) = (low.min(corner), high.max(corner));
    }
    let pick = |bit: u32, k: usize| if bit >> k & 1 == 0 { low[k] } else { high[k] };
    (0..8).map(|bits| DVec3::new(pick(bits, 0), pick(bits, 1), pick(bits, 2))).collect()
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Part {}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at_most.total_cmp(&other.at_most).then(other.number.cmp(&self.number))
    }
}
