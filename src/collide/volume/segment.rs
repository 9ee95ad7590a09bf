//! Test of whether a segment intersects a volume.

use glam::DVec3;

use super::aabb::Aabb;
use crate::arrays::MapEach;

/// Volume that can be tested against a segment.
pub trait Meets {
    /// Returns whether the closed segment, given by its ends (m), may intersect the volume. False
    /// proves that it does not.
    fn meets(&self, segment: [DVec3; 2]) -> bool;
}

impl Meets for Aabb {
    fn meets(&self, [from, to]: [DVec3; 2]) -> bool {
        meets_slabs(slabs(self, from, to))
    }
}

/// Returns the part of a segment, given by its ends (m), that is in a slightly enlarged box; `None` if
/// the closed segment misses that box.
#[inline]
pub(crate) fn clip(bounds: &Aabb, [from, to]: [DVec3; 2]) -> Option<[DVec3; 2]> {
    let (enter, leave) = within_slabs(slabs(bounds, from, to));
    (enter <= leave).then(|| [enter.max(0.0), leave.min(1.0)].map_each(|t| from + t * (to - from)))
}

fn slabs(bounds: &Aabb, from: DVec3, to: DVec3) -> impl Iterator<Item = Slab> {
    let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let pad = 1e-12 * min.abs().max(max.abs()).max_element().max(from.abs().max_element());
    let along = to - from;
    (0..3).map(move |k| Slab { from: from[k], along: along[k], low: min[k] - pad, high: max[k] + pad })
}

/// Space between two parallel planes, and the segment's coordinates along their normal.
pub(super) struct Slab {
    /// Coordinate of the segment's start along the normal.
    pub from: f64,
    /// Difference from the segment's start to its end along the normal.
    pub along: f64,
    pub low: f64,
    pub high: f64,
}

/// Returns whether some part of the segment is in all slabs at once.
#[inline]
pub(super) fn meets_slabs(slabs: impl Iterator<Item = Slab>) -> bool {
    let (enter, leave) = within_slabs(slabs);
    enter <= leave
}

/// Returns the range of segment parameters at which the segment is in all slabs. The range is enlarged
/// by more than the rounding errors of the quotients. It is empty if its end is less than its start.
fn within_slabs(slabs: impl Iterator<Item = Slab>) -> (f64, f64) {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for Slab { from, along, low, high } in slabs {
        let (low, high) = (low - from, high - from);
        if along == 0.0 {
            if low > 0.0 || high < 0.0 {
                return (1.0, 0.0);
            }
            continue;
        }
        let (a, b) = (low / along, high / along);
        enter = enter.max(a.min(b) - 1e-12);
        leave = leave.min(a.max(b) + 1e-12);
    }
    (enter, leave)
}
