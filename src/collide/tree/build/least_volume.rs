//! Rule of the paper. Of nine divisions (three cases along each of three axes), it chooses the one
//! whose children's boxes have the least total volume. \[boxtree\] §4
//!
//! A division starts from the triangles nearest to the two borders (the seeds). Every other triangle
//! goes to the child that grows less by it; in a draw, to the child with fewer triangles. Triangles are
//! taken alternately from both ends of the array, so that neither child gradually grows over all of
//! them. Children differ from their parent's box along one axis only, so growth and volume are lengths
//! along it. The node's box is the tight one. A division makes six passes over the items, two per case;
//! look-ahead makes as many for each candidate that it examines.

use glam::{BVec3A, Vec3A};

use super::division::{Division, TriangleRange};
use super::item::Item;

use crate::arrays::MapEach;

/// Tolerance of comparisons and least side length, as a share of the longest side.
const EPSILON: f32 = 1e-6;
/// Largest difference of two growths that counts as a draw, as a share of the box; the value of the
/// code of the paper's author.
const NEAR: f32 = 0.1;
/// Number of best divisions whose grandchildren are examined.
const LOOK_AHEAD_COUNT: usize = 3;

/// Candidate divisions, and the measure that compares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    AllAxes,
    /// The axis of the longest side.
    LongestSide,
    /// All axes. For the best few divisions, the volumes of the grandchildren are added: the next terms
    /// of equation 2.
    LookAhead,
}

/// Differences of growth that count as draws, and the order in which triangles are assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Draws {
    /// Draws of equal growths only, in the order of the mesh, as in the paper's text. The trees are
    /// poor.
    Equal,
    /// Growths that differ by up to a tenth of the box, in the order of the centers along the axis. The
    /// trees are many times better.
    Near,
}

/// Sides that the two children move, per case (true: the upper side): the first's upper and the
/// second's lower, both upper, both lower.
const CASES: [[bool; 2]; 3] = [[true, false], [true, true], [false, false]];

#[derive(Clone, Copy)]
struct Candidate {
    case: [bool; 2],
    axis: usize,
    /// Sum of the children's volumes as a share of their parent's.
    share: f32,
}

/// Divides the items by the best candidate; `None` if no candidate separates them.
pub(super) fn divide(
    items: &mut [Item],
    region: &TriangleRange,
    choice: Choice,
    draws: Draws,
) -> Option<Division> {
    let node = NodeBox::around(region.bounds.min.into(), region.bounds.max.into(), draws);
    let mut candidates = candidates(items, &node, choice == Choice::LongestSide);
    let mut trial = Vec::with_capacity(items.len());
    if choice != Choice::LookAhead || items.len() < 4 {
        let best = candidates[0];
        let count = assign(items, &node, best, &mut trial);
        items.copy_from_slice(&trial);
        return division(best, count, items.len());
    }
    candidates.truncate(LOOK_AHEAD_COUNT);
    let mut best: Option<(f32, Candidate, usize, Vec<Item>)> = None;
    for candidate in candidates {
        let count = assign(items, &node, candidate, &mut trial);
        if division(candidate, count, items.len()).is_none() {
            continue;
        }
        let (first, second) = trial.split_at(count);
        let below: f32 =
            [first, second].map_each(|part| least_share(part, draws) * node.share(part)).iter().sum();
        let share = candidate.share + below;
        if best.as_ref().is_none_or(|(least, ..)| share < *least) {
            best = Some((share, candidate, count, std::mem::take(&mut trial)));
        }
    }
    let (_, candidate, count, order) = best?;
    items.copy_from_slice(&order);
    division(candidate, count, items.len())
}

fn division(Candidate { case, axis, .. }: Candidate, count: usize, item_count: usize) -> Option<Division> {
    (0 < count && count < item_count).then_some(Division { count, axis, upper_sides: case })
}

/// Box of the node: the unit of its children's volumes.
struct NodeBox {
    min: Vec3A,
    max: Vec3A,
    /// Side lengths, at least the tolerance of comparisons.
    extent: Vec3A,
    /// Largest difference of growths that counts as a draw, m.
    draw: Vec3A,
    draws: Draws,
}

impl NodeBox {
    fn around(min: Vec3A, max: Vec3A, draws: Draws) -> Self {
        let tolerance = Vec3A::splat(EPSILON * (max - min).max_element().max(f32::MIN_POSITIVE / EPSILON));
        let extent = (max - min).max(tolerance);
        let draw = if draws == Draws::Near { NEAR * extent } else { tolerance };
        Self { min, max, extent, draw, draws }
    }

    /// Returns the volume of the items' tight box as a share of this box.
    fn share(&self, items: &[Item]) -> f32 {
        let (bounds, _) = super::bounds(items);
        let inner = Self::around(bounds.min.into(), bounds.max.into(), self.draws);
        let ratio = inner.extent / self.extent;
        ratio.x * ratio.y * ratio.z
    }

    /// Returns the coordinate from which a child's reach is measured: the lower side of the box if
    /// `upper_side` is set (the upper side moves), otherwise the negated upper side.
    fn origin(&self, upper_side: bool) -> Vec3A {
        if upper_side { self.min } else { -self.max }
    }
}

/// Returns the nine divisions, or the three along the longest side, ordered from best to worst.
fn candidates(items: &[Item], node: &NodeBox, longest_only: bool) -> Vec<Candidate> {
    let longest = node.extent.max_position();
    let mut all = Vec::with_capacity(9);
    let mut shares = |items: &[Item], axes: &[usize]| {
        for case in CASES {
            let reach = scan(items, node, case, |_, _| {});
            let length = reach[0] - node.origin(case[0]) + reach[1] - node.origin(case[1]);
            let share = length / node.extent;
            all.extend(axes.iter().map(|&axis| Candidate { case, axis, share: share[axis] }));
        }
    };
    let axes = if longest_only { &[longest][..] } else { &[0, 1, 2] };
    match node.draws {
        Draws::Equal => shares(items, axes),
        Draws::Near => {
            let mut sorted = items.to_vec();
            for &axis in axes {
                sort_by_center(&mut sorted, axis);
                shares(&sorted, &[axis]);
            }
        }
    }
    // The sort is stable, so among equally good divisions the first case comes first.
    all.sort_by(|x, y| x.share.total_cmp(&y.share));
    all
}

/// Sorts by center, then by index.
fn sort_by_center(items: &mut [Item], axis: usize) {
    items.sort_unstable_by(|x, y| {
        let center = |item: &Item| item.doubled_center()[axis];
        center(x).total_cmp(&center(y)).then(x.triangle().cmp(&y.triangle()))
    });
}

/// Returns the least volume share of any division of the items.
fn least_share(items: &[Item], draws: Draws) -> f32 {
    if items.len() < 2 {
        return 0.0;
    }
    let (bounds, _) = super::bounds(items);
    candidates(items, &NodeBox::around(bounds.min.into(), bounds.max.into(), draws), false)[0].share
}

/// Fills `order` with the items of the first child, followed by those of the second. Returns the number
/// of items of the first child.
fn assign(items: &[Item], node: &NodeBox, candidate: Candidate, order: &mut Vec<Item>) -> usize {
    let lane = 1 << candidate.axis;
    order.clear();
    let mut second = Vec::with_capacity(items.len());
    let mut sorted = items.to_vec();
    if node.draws == Draws::Near {
        sort_by_center(&mut sorted, candidate.axis);
    }
    scan(&sorted, node, candidate.case, |item, to_second| {
        if to_second.bitmask() & lane != 0 { second.push(*item) } else { order.push(*item) }
    });
    let count = order.len();
    order.append(&mut second);
    count
}

/// Returns the coordinate to which an item reaches from the side that the child keeps; negated if the
/// child keeps its upper side.
fn reach_of(item: &Item, upper_side: bool) -> Vec3A {
    if upper_side { item.max() } else { -item.min() }
}

/// Assigns all items for one case, along all axes at once. Calls `given` with each item, and the axes
/// along which it goes to the second child. Returns the reaches of the two children.
fn scan(items: &[Item], node: &NodeBox, case: [bool; 2], mut given: impl FnMut(&Item, BVec3A)) -> [Vec3A; 2] {
    // The seed of the first child is the item that makes it smallest; the seed of the second child is
    // the same from the other border. If both children keep the same side, the second's seed is the
    // item that reaches farthest, because one child must contain it.
    let mut reach = [Vec3A::INFINITY, Vec3A::INFINITY];
    let mut farthest = Vec3A::NEG_INFINITY;
    for item in items {
        reach[0] = reach[0].min(reach_of(item, case[0]));
        reach[1] = reach[1].min(reach_of(item, case[1]));
        farthest = farthest.max(reach_of(item, case[1]));
    }
    if case[0] == case[1] {
        reach[1] = farthest;
    }
    // Number of items by which the first child leads.
    let mut lead = Vec3A::ZERO;
    for i in 0..items.len() {
        let item = &items[if i % 2 == 0 { i / 2 } else { items.len() - 1 - i / 2 }];
        let own = [reach_of(item, case[0]), reach_of(item, case[1])];
        let growth = [0, 1].map_each(|k| (own[k] - reach[k]).max(Vec3A::ZERO));
        let difference = growth[0] - growth[1];
        // A draw goes to the child with fewer items.
        let draw = difference.abs().cmple(node.draw);
        let to_second = (draw & lead.cmpgt(Vec3A::ZERO)) | (!draw & difference.cmpgt(Vec3A::ZERO));
        reach[0] = Vec3A::select(to_second, reach[0], reach[0].max(own[0]));
        reach[1] = Vec3A::select(to_second, reach[1].max(own[1]), reach[1]);
        lead += Vec3A::select(to_second, Vec3A::NEG_ONE, Vec3A::ONE);
        given(item, to_second);
    }
    reach
}
