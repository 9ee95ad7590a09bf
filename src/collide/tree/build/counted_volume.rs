//! Rule of the code that the boxtree's author released. It sorts the triangles by their lower ends
//! along each of the three axes. Of all borders, it takes the one with the least sum over both children
//! of volume times triangle count.
//!
//! The first child keeps the lower sides of the box, and the second child the upper ones. The volumes
//! are those of restricted boxes, which differ from their parent's along one axis only. The text of
//! \[boxtree\] §4.2 omits the triangle counts; they are in `Boxtree.cpp` of the CollDet library. O(n
//! log n) for a node of n triangles.

use super::division::Division;
use super::item::Item;
use crate::volume::Aabb;

/// A border in the sorted triangles: `count` of them lie below it.
struct Border {
    cost: f32,
    axis: usize,
    count: usize,
}

/// Divides the items at the best border; `None` if the box has no extent along any axis. `own`: the
/// node's restricted box.
pub(super) fn divide(items: &mut [Item], own: &Aabb) -> Option<Division> {
    let mut best: Option<Border> = None;
    let mut sorted = 0;
    for axis in (0..3).filter(|&axis| own.size()[axis] > 0.0) {
        sort_by_lower_end(items, axis);
        sorted = axis;
        let border = cheapest(items, own, axis)?;
        if best.as_ref().is_none_or(|best| border.cost < best.cost) {
            best = Some(border);
        }
    }
    let Border { axis, count, .. } = best?;
    if sorted != axis {
        sort_by_lower_end(items, axis);
    }
    Some(Division { count, axis, upper_sides: [true, false] })
}

/// Sorts by lower end, then by index.
fn sort_by_lower_end(items: &mut [Item], axis: usize) {
    items.sort_unstable_by(|x, y| {
        x.min()[axis].total_cmp(&y.min()[axis]).then(x.triangle().cmp(&y.triangle()))
    });
}

/// Returns the border of least cost between two or more sorted triangles. The cost is in units of the
/// volume of the node's box.
fn cheapest(items: &[Item], own: &Aabb, axis: usize) -> Option<Border> {
    let (low, high, extent) = (own.min[axis], own.max[axis], own.size()[axis]);
    let mut best: Option<Border> = None;
    let mut reach = low;
    for (k, two) in items.windows(2).enumerate() {
        reach = reach.max(two[0].max()[axis]);
        let (below, above) = (reach - low, high - two[1].min()[axis]);
        let count = k + 1;
        let cost = (count as f32 * below + (items.len() - count) as f32 * above) / extent;
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            best = Some(Border { cost, axis, count });
        }
    }
    best
}
