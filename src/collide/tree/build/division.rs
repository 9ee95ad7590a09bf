//! The division of a set of triangles in two.

use glam::DMat3;

use super::item::{Item, bounds};
use crate::volume::Aabb;

/// Result of a rule. The rule reorders the items; the first `count` items go to the first child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Division {
    pub count: usize,
    pub axis: usize,
    pub upper_sides: [bool; 2],
}

/// Data of the node that a rule divides.
pub(super) struct TriangleRange {
    /// Tight box of the items.
    pub bounds: Aabb,
    /// Box that a boxtree node over the items has; it keeps most sides of its parent's box.
    pub restricted: Aabb,
    /// Tight box of the items' doubled centers.
    pub centers: Aabb,
    /// Principal axes of the items' surface, if known.
    pub axes: Option<DMat3>,
}

impl TriangleRange {
    /// Builds the range of all items of a tree, or of a piece that is built separately.
    pub fn of_root(items: &[Item], axes: Option<DMat3>) -> Self {
        let (bounds, centers) = bounds(items);
        Self { bounds, restricted: bounds, centers, axes }
    }
}

/// Divides the items into halves by center, then by index.
pub(super) fn halve(items: &mut [Item], region: &TriangleRange) -> Division {
    let axis = region.centers.size().max_position();
    let count = items.len() / 2;
    items.select_nth_unstable_by(count, |x, y| {
        let center = |i: &Item| i.doubled_center()[axis];
        center(x).total_cmp(&center(y)).then(x.triangle().cmp(&y.triangle()))
    });
    Division { count, axis, upper_sides: [true, false] }
}

/// Moves the items for which `below` returns true to the front, and returns their number.
pub(super) fn partition(items: &mut [Item], below: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if below(&items[i]) {
            items.swap(i, count);
            count += 1;
        }
    }
    count
}
