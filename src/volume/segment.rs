//! Whether a segment meets a volume.

use glam::DVec3;

use super::aabb::Aabb;
use crate::arrays::MapEach;

/// A volume that can be asked whether a segment meets it.
pub trait Meets {
    /// Conservative: may only say no if the closed segment, given by its ends (m), keeps off the volume.
    fn meets(&self, segment: [DVec3; 2]) -> bool;
}

impl Meets for Aabb {
    fn meets(&self, [from, to]: [DVec3; 2]) -> bool {
        meets_slabs(slabs(self, from, to))
    }
}

/// The part of a segment, given by its ends (m), that is in a box, and a little more; `None` if the closed
/// segment keeps off it.
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

/// The part of space between two parallel planes, and how a segment runs across it.
pub(super) struct Slab {
    /// Where the segment starts and how far it goes, along the slab's normal.
    pub from: f64,
    pub along: f64,
    pub low: f64,
    pub high: f64,
}

/// Whether some part of the segment is in all slabs at once.
pub(super) fn meets_slabs(slabs: impl Iterator<Item = Slab>) -> bool {
    let (enter, leave) = within_slabs(slabs);
    enter <= leave
}

/// Which share of the segment is in all slabs at once, padded by more than the quotients round; none if it
/// ends before it begins.
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
