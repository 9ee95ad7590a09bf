//! Whether a segment meets a volume.

use glam::DVec3;

use super::aabb::Aabb;

/// A volume that can be asked whether a segment meets it.
pub trait Meets {
    /// Conservative: may only say no if the closed segment, given by its ends (m), keeps off the volume.
    fn meets(&self, segment: [DVec3; 2]) -> bool;
}

impl Meets for Aabb {
    fn meets(&self, [from, to]: [DVec3; 2]) -> bool {
        let (min, max) = (self.min.as_dvec3(), self.max.as_dvec3());
        let pad = 1e-12 * min.abs().max(max.abs()).max_element().max(from.abs().max_element());
        let along = to - from;
        meets_slabs((0..3).map(|k| Slab {
            from: from[k],
            along: along[k],
            low: min[k] - pad,
            high: max[k] + pad,
        }))
    }
}

/// The part of space between two parallel planes, and how a segment runs across it.
pub(super) struct Slab {
    /// Where the segment starts and how far it goes, along the slab's normal.
    pub from: f64,
    pub along: f64,
    pub low: f64,
    pub high: f64,
}

/// Whether some part of the segment is in all slabs at once, padded by more than the quotients round.
pub(super) fn meets_slabs(slabs: impl Iterator<Item = Slab>) -> bool {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for Slab { from, along, low, high } in slabs {
        let (low, high) = (low - from, high - from);
        if along == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (a, b) = (low / along, high / along);
        enter = enter.max(a.min(b) - 1e-12);
        leave = leave.min(a.max(b) + 1e-12);
    }
    enter <= leave
}
