//! How a set of triangles is divided in two.

use glam::DMat3;

use super::item::{Item, bounds};
use crate::volume::Aabb;

/// A rule's answer: the first `count` of the items, as it left them ordered, go to the first child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Division {
    pub count: usize,
    pub axis: usize,
    pub upper_sides: [bool; 2],
}

/// What a rule may know of the node it divides.
pub(super) struct TriangleRange {
    /// Tight box of the items.
    pub bounds: Aabb,
    /// The box of a boxtree's node over them, which keeps most sides of its parent's.
    pub restricted: Aabb,
    /// Tight box of their centres, doubled.
    pub centers: Aabb,
    /// Principal axes of their surface, if they are known.
    pub axes: Option<DMat3>,
}

impl TriangleRange {
    /// The range of all items of a tree, or of a piece of it that is built by itself.
    pub fn of_root(items: &[Item], axes: Option<DMat3>) -> Self {
        let (bounds, centers) = bounds(items);
        Self { bounds, restricted: bounds, centers, axes }
    }
}

/// Halves, by centre and then by index.
pub(super) fn halve(items: &mut [Item], region: &TriangleRange) -> Division {
    let axis = region.centers.size().max_position();
    let count = items.len() / 2;
    items.select_nth_unstable_by(count, |x, y| {
        let center = |i: &Item| i.doubled_center()[axis];
        center(x).total_cmp(&center(y)).then(x.triangle().cmp(&y.triangle()))
    });
    Division { count, axis, upper_sides: [true, false] }
}

/// Moves the items for which `below` holds to the front; returns their count.
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
