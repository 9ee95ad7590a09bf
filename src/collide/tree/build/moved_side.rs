//! One side of a box that moves in, and the choice of the emptiest side.

use crate::volume::Aabb;

/// Least share of a box's extent that must be empty at one side for a boxtree to get a shrink node
/// there.
pub(crate) const SHRINK_SHARE: f32 = 0.15;

/// One side of a box and its new coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovedSide {
    pub axis: usize,
    /// Whether the box's maximum along the axis moves; otherwise its minimum moves.
    pub is_upper: bool,
    /// Coordinate, body space, m.
    pub plane: f32,
}

impl MovedSide {
    /// Returns the side, moved to the tight box of the content.
    pub fn of(tight: &Aabb, axis: usize, is_upper: bool) -> Self {
        let plane = if is_upper { tight.max[axis] } else { tight.min[axis] };
        Self { axis, is_upper, plane }
    }

    /// Returns the side with the largest empty share of the box's extent, moved to the tight box;
    /// `None` if this share is not more than `least`.
    pub fn emptiest(bounds: &Aabb, tight: &Aabb, least: f32) -> Option<Self> {
        let extent = bounds.size();
        let mut best = (least, None);
        for axis in 0..3 {
            let above = (bounds.max[axis] - tight.max[axis]) / extent[axis];
            let under = (tight.min[axis] - bounds.min[axis]) / extent[axis];
            for (share, is_upper) in [(above, true), (under, false)] {
                // The share of a flat box is 0/0, a NaN, which compares false.
                if share > best.0 {
                    best = (share, Some(Self::of(tight, axis, is_upper)));
                }
            }
        }
        best.1
    }

    /// Returns `bounds` with this side moved.
    pub fn restrict(self, mut bounds: Aabb) -> Aabb {
        let end = if self.is_upper { &mut bounds.max } else { &mut bounds.min };
        end[self.axis] = self.plane;
        bounds
    }
}
