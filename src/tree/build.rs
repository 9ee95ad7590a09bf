//! Top-down construction of the restricted boxtree. \[boxtree\] §4
//!
//! Each split minimises the expected cost of the paper's criterion, the volumes of the two restricted
//! children, here weighted by how many triangles each holds (the literal least volume peels single
//! triangles off overlapping soups and grows trees thousands of levels deep). Candidates are the borders of
//! [`BIN_COUNT`] bins of triangle centres on each axis; one lower and one upper child. Where much of a box is
//! empty at one side, a shrink node moves that side in first. Explicit stack, depth bounded; O(n log n).

use glam::Vec3;

use super::boxtree::{Below, BoxNode, Boxtree};
use crate::mesh::Mesh;
use crate::volume::Aabb;

/// Bins of centres an axis: more find better splits, fewer build faster.
const BIN_COUNT: usize = 16;
/// Share of a box's extent that must be empty at one side before a shrink node is worth its test.
const SHRINK_SHARE: f32 = 0.15;

#[derive(Clone, Copy)]
struct Item {
    bounds: Aabb,
    /// Twice the centre, to spare a rounding.
    center: Vec3,
    triangle: u32,
}

/// A node whose subtree is still to be built.
struct Open {
    node: usize,
    start: usize,
    end: usize,
    bounds: Aabb,
    depth: u32,
}

pub(super) fn build(mesh: &Mesh) -> Boxtree {
    let mut items: Vec<Item> = mesh
        .triangles()
        .iter()
        .enumerate()
        .map(|(triangle, corners)| {
            let bounds = Aabb::from_points(corners.map(|v| mesh.vertices()[v as usize]));
            Item { bounds, center: bounds.min + bounds.max, triangle: triangle as u32 }
        })
        .collect();
    let root = union(&items);
    let mut tree = Boxtree { root, nodes: Vec::with_capacity(3 * items.len()), depth: 0 };
    if items.is_empty() {
        return tree;
    }
    // A balanced tree is log₂ n deep; shrink nodes and uneven shapes take a few times that.
    let depth_limit = 4 * (items.len() as u32).ilog2() + 16;
    // What a link can name, see `BoxNode`: a shrink node for each other one.
    let mut shrink_budget = 2 * items.len();
    tree.nodes.push(BoxNode::new(0, true, root.max.x, Below::Triangle(0)));
    let mut stack = vec![Open { node: 0, start: 0, end: items.len(), bounds: root, depth: 0 }];
    while let Some(open) = stack.pop() {
        tree.depth = tree.depth.max(open.depth);
        let range = &mut items[open.start..open.end];
        if let [item] = range {
            tree.nodes[open.node].set_below(Below::Triangle(item.triangle));
            continue;
        }
        let tight = union(range);
        let first = tree.nodes.len();
        let may_shrink = open.depth < depth_limit && shrink_budget > 0;
        if let Some(child) = emptiest_side(&open.bounds, &tight).filter(|_| may_shrink) {
            shrink_budget -= 1;
            tree.nodes[open.node].set_below(Below::Shrink(first as u32));
            tree.nodes.push(child);
            let bounds = child.restrict(open.bounds);
            stack.push(Open { node: first, bounds, depth: open.depth + 1, ..open });
            continue;
        }
        let balanced = open.depth >= depth_limit;
        let (axis, count) = split(range, &open.bounds, balanced);
        let lower = BoxNode::new(axis, true, union(&range[..count]).max[axis], Below::Triangle(0));
        let upper = BoxNode::new(axis, false, union(&range[count..]).min[axis], Below::Triangle(0));
        tree.nodes[open.node].set_below(Below::Pair(first as u32));
        tree.nodes.extend([lower, upper]);
        let middle = open.start + count;
        let depth = open.depth + 1;
        let below = |node, start, end, child: BoxNode| Open {
            node,
            start,
            end,
            bounds: child.restrict(open.bounds),
            depth,
        };
        stack.push(below(first + 1, middle, open.end, upper));
        stack.push(below(first, open.start, middle, lower));
    }
    tree.nodes.shrink_to_fit();
    tree
}

fn union(items: &[Item]) -> Aabb {
    items.iter().fold(Aabb::EMPTY, |sum, item| sum.union(&item.bounds))
}

/// The side with the largest empty share, as a node that moves it in, if the share is worth it.
fn emptiest_side(bounds: &Aabb, tight: &Aabb) -> Option<BoxNode> {
    let extent = bounds.size();
    let mut best = (SHRINK_SHARE, None);
    for axis in 0..3 {
        let above = (bounds.max[axis] - tight.max[axis]) / extent[axis];
        let under = (tight.min[axis] - bounds.min[axis]) / extent[axis];
        for (share, upper_side, plane) in [(above, true, tight.max[axis]), (under, false, tight.min[axis])] {
            // A flat box has no share to give: 0/0 is NaN and compares false.
            if share > best.0 {
                best = (share, Some(BoxNode::new(axis, upper_side, plane, Below::Triangle(0))));
            }
        }
    }
    best.1
}

/// Orders `items` so that the first `count` go below; returns the axis and the count, `0 < count < len`.
fn split(items: &mut [Item], bounds: &Aabb, balanced: bool) -> (usize, usize) {
    let (low, high) = items
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), i| (l.min(i.center), h.max(i.center)));
    let widest = (high - low).max_position();
    if !balanced && let Some((axis, bin)) = best_border(items, bounds, low, high) {
        let scale = bin_scale(low, high, axis);
        let count = partition(items, |item| bin_of(item.center[axis], low[axis], scale) <= bin);
        if count > 0 && count < items.len() {
            return (axis, count);
        }
    }
    // Centres that cannot be told apart, or a path already too long: halves, by centre and then by index.
    let count = items.len() / 2;
    items.select_nth_unstable_by(count, |x, y| {
        x.center[widest].total_cmp(&y.center[widest]).then(x.triangle.cmp(&y.triangle))
    });
    (widest, count)
}

/// The axis and last lower bin of the cheapest border; `None` if all centres fall into one bin.
fn best_border(items: &[Item], bounds: &Aabb, low: Vec3, high: Vec3) -> Option<(usize, usize)> {
    let extent = bounds.size();
    // Flat boxes still have an area to save.
    let extent = extent.max(Vec3::splat(1e-3 * extent.max_element()));
    let mut best: Option<(f32, usize, usize)> = None;
    for axis in 0..3 {
        let scale = bin_scale(low, high, axis);
        if !scale.is_finite() {
            continue;
        }
        let mut bins = [(0u32, f32::INFINITY, f32::NEG_INFINITY); BIN_COUNT];
        for item in items {
            let bin = &mut bins[bin_of(item.center[axis], low[axis], scale)];
            bin.0 += 1;
            bin.1 = bin.1.min(item.bounds.min[axis]);
            bin.2 = bin.2.max(item.bounds.max[axis]);
        }
        let mut above = [(0u32, f32::INFINITY); BIN_COUNT];
        let mut sum = (0, f32::INFINITY);
        for (slot, bin) in above.iter_mut().zip(&bins).rev() {
            sum = (sum.0 + bin.0, sum.1.min(bin.1));
            *slot = sum;
        }
        let area = extent[(axis + 1) % 3] * extent[(axis + 2) % 3];
        let (mut count, mut top) = (0u32, f32::NEG_INFINITY);
        for bin in 0..BIN_COUNT - 1 {
            count += bins[bin].0;
            top = top.max(bins[bin].2);
            let (rest, bottom) = above[bin + 1];
            if count == 0 || rest == 0 {
                continue;
            }
            let lower = count as f32 * (top - bounds.min[axis]);
            let upper = rest as f32 * (bounds.max[axis] - bottom);
            let cost = area * (lower + upper);
            if best.is_none_or(|b| cost < b.0) {
                best = Some((cost, axis, bin));
            }
        }
    }
    best.map(|(_, axis, bin)| (axis, bin))
}

/// Bins a unit of (doubled) centre coordinate; infinite if the centres coincide.
fn bin_scale(low: Vec3, high: Vec3, axis: usize) -> f32 {
    BIN_COUNT as f32 * (1.0 - f32::EPSILON) / (high[axis] - low[axis])
}

fn bin_of(center: f32, low: f32, scale: f32) -> usize {
    (((center - low) * scale) as usize).min(BIN_COUNT - 1)
}

/// Moves the items for which `below` holds to the front; returns their count.
fn partition(items: &mut [Item], below: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if below(&items[i]) {
            items.swap(i, count);
            count += 1;
        }
    }
    count
}
