//! A topology whose top follows the shape's components. \[simplify\] §4.3
//!
//! Components merged two by two → divisions of the triangles, from the root down. Where they are to prove
//! themselves, each stands against the division that the rule would make, by the surfaces of the halves weighted
//! by their triangles; a rule's division cuts components in pieces, and these compete on below. Under the last
//! pieces the rule goes on alone. The paper takes the components always, and compares volumes.

use std::ops::Range;
use std::time::Duration;

use glam::Vec3;

use super::bulk::{Bulk, Measure};
use super::merge::{Top, merge};
use super::sweep::{best_border, cost};
use super::{Branch, Grower, Item, Region, SplitRule, Topology, bounds, items};
use crate::mesh::{ComponentTree, Mesh};
use crate::timing::timed;
use crate::volume::Aabb;

/// Sets of fewer triangles are divided by the rule.
const FEW_TRIANGLES: usize = 32;

/// What the top of a topology was made of, and what that cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tree) struct TopReport {
    /// Divisions between components, and by the rule, that stand above the last pieces.
    pub guided_count: u32,
    pub plain_count: u32,
    pub top: Duration,
    pub below: Duration,
}

/// Components two by two, from which topologies are made.
pub(in crate::tree) struct Merged<'a> {
    mesh: &'a Mesh,
    measure: Measure,
    top: Top,
    /// In the order of the pieces of `top`.
    items: Vec<Item>,
    pub took: Duration,
}

impl<'a> Merged<'a> {
    pub fn new(mesh: &'a Mesh, components: &ComponentTree, measure: Measure) -> Self {
        let mut took = Duration::ZERO;
        let (top, items) = timed(&mut took, || {
            let (top, order) = merge(mesh, components, measure);
            let by_triangle = items(mesh, Vec3::ZERO);
            (top, order.iter().map(|&t| by_triangle[t as usize]).collect())
        });
        Self { mesh, measure, top, items, took }
    }

    /// Runs on the current thread pool. `always` takes the components as they are.
    pub fn topology(&self, rule: SplitRule, always: bool) -> (Topology, TopReport) {
        let mut report = TopReport::default();
        let mut items = self.items.clone();
        let count = items.len();
        let mut guide = Guide {
            grower: Grower::new(self.mesh, rule),
            measure: self.measure,
            always,
            nodes: vec![Branch::leaf(Aabb::EMPTY); 2 * count - 1],
            pieces: Vec::new(),
            in_first: vec![false; count],
            counts: [0; 2],
        };
        timed(&mut report.top, || guide.divide(self.top.clone(), &mut items, 0, 0, 0));
        timed(&mut report.below, || {
            for piece in &guide.pieces {
                let own = &mut items[piece.items.clone()];
                let nodes = &mut guide.nodes[piece.node..piece.node + 2 * own.len() - 1];
                let (bounds, centers) = bounds(own);
                guide.grower.grow(own, nodes, Region { bounds, centers, axes: None }, 0);
            }
        });
        [report.guided_count, report.plain_count] = guide.counts;
        let order = items.iter().map(Item::triangle).collect();
        (Topology { nodes: guide.nodes, order, any_side: true }, report)
    }
}

struct Guide<'a> {
    grower: Grower<'a>,
    measure: Measure,
    always: bool,
    nodes: Vec<Branch>,
    /// Where the rule is to go on alone.
    pieces: Vec<Piece>,
    /// Of each triangle, while a set is divided.
    in_first: Vec<bool>,
    counts: [u32; 2],
}

struct Piece {
    items: Range<usize>,
    node: usize,
}

/// Two sets of triangles, and their items in the order of their pieces.
struct Halves {
    tops: [Top; 2],
    items: Vec<Item>,
}

impl Guide<'_> {
    /// `own` are the items of `top` in the order of its pieces, the first of them the `first`th of all.
    /// Recursion is as deep as the merged components, and the rule's limit.
    fn divide(&mut self, top: Top, own: &mut [Item], first: usize, node: usize, depth: u32) {
        let count = own.len();
        let is_few = !self.always && count < FEW_TRIANGLES;
        let Some(halves) = top.halves.filter(|_| !is_few) else {
            self.pieces.push(Piece { items: first..first + count, node });
            return;
        };
        let (bounds, centers) = bounds(own);
        let is_open = !self.always && depth < self.grower.limit;
        let better = if is_open {
            let axes = Some(top.bulk.axes());
            self.better(&top.bulk, &halves, own, &Region { bounds, centers, axes })
        } else {
            self.counts[0] += 1;
            None
        };
        let [a, b] = match better {
            Some(Halves { tops, items }) => {
                own.copy_from_slice(&items);
                tops
            }
            None => *halves,
        };
        let first_count = a.bulk.count;
        self.nodes[node] =
            Branch { bounds, count: count as u32, first_count, axis: 0, upper_sides: [true, false] };
        let (of_a, of_b) = own.split_at_mut(first_count as usize);
        let second_node = node + 2 * of_a.len();
        let second = first + of_a.len();
        self.divide(a, of_a, first, node + 1, depth + 1);
        self.divide(b, of_b, second, second_node, depth + 1);
    }

    /// Halves that cost less than the merged ones, if there are any: a border between pieces, or the rule's
    /// division, which may cut them.
    fn better(&mut self, whole: &Bulk, merged: &[Top; 2], own: &[Item], region: &Region) -> Option<Halves> {
        let mut pieces = Vec::new();
        merged.iter().for_each(|half| half.pieces(&mut pieces));
        let border = best_border(&pieces, whole, self.measure);
        let plain = self.plain(merged, own, region);
        let merged_cost = self.cost(merged);
        let border_cost = border.as_ref().map_or(f64::INFINITY, |border| border.cost);
        let guided_cost = merged_cost.min(border_cost);
        if let Some(plain) = plain.filter(|plain| self.cost(&plain.tops) < guided_cost) {
            self.counts[1] += 1;
            return Some(plain);
        }
        self.counts[0] += 1;
        let border = border.filter(|_| border_cost < merged_cost)?;
        let mut items = own.iter();
        for (piece, in_first) in pieces.iter().zip(border.in_first) {
            for item in items.by_ref().take(piece.count as usize) {
                self.in_first[item.triangle() as usize] = in_first;
            }
        }
        self.marked(merged, own)
    }

    /// By the rule; `None` if it cannot tell the items apart.
    fn plain(&mut self, merged: &[Top; 2], own: &[Item], region: &Region) -> Option<Halves> {
        let mut items = own.to_vec();
        let count = self.grower.divide(&mut items, region)?.count;
        for (place, item) in items.iter().enumerate() {
            self.in_first[item.triangle() as usize] = place < count;
        }
        self.marked(merged, own)
    }

    /// What is marked as the first half's, and the rest.
    fn marked(&self, merged: &[Top; 2], own: &[Item]) -> Option<Halves> {
        let [mut items, mut second] = [(); 2].map(|()| Vec::with_capacity(own.len()));
        let (of_a, of_b) = own.split_at(merged[0].bulk.count as usize);
        let [a0, a1] = self.cut(&merged[0], of_a, &mut items, &mut second);
        let [b0, b1] = self.cut(&merged[1], of_b, &mut items, &mut second);
        items.append(&mut second);
        Some(Halves { tops: [either(a0, b0)?, either(a1, b1)?], items })
    }

    /// What of a set lies in the first and in the second half of a division.
    fn cut(
        &self,
        top: &Top,
        own: &[Item],
        first: &mut Vec<Item>,
        second: &mut Vec<Item>,
    ) -> [Option<Top>; 2] {
        let is_first = |item: &Item| self.in_first[item.triangle() as usize];
        let first_count = own.iter().filter(|item| is_first(item)).count();
        if first_count == own.len() {
            first.extend_from_slice(own);
            return [Some(top.clone()), None];
        }
        if first_count == 0 {
            second.extend_from_slice(own);
            return [None, Some(top.clone())];
        }
        if let Some(halves) = &top.halves {
            let (of_a, of_b) = own.split_at(halves[0].bulk.count as usize);
            let [a0, a1] = self.cut(&halves[0], of_a, first, second);
            let [b0, b1] = self.cut(&halves[1], of_b, first, second);
            return [either(a0, b0), either(a1, b1)];
        }
        let (from_first, from_second) = (first.len(), second.len());
        own.iter().for_each(|item| if is_first(item) { first.push(*item) } else { second.push(*item) });
        let piece =
            |items: &[Item]| Some(Top::piece(Bulk::new(self.grower.mesh, items.iter().map(Item::triangle))));
        [piece(&first[from_first..]), piece(&second[from_second..])]
    }

    fn cost(&self, halves: &[Top; 2]) -> f64 {
        halves.iter().map(|top| cost(&top.bulk, self.measure)).sum()
    }
}

fn either(a: Option<Top>, b: Option<Top>) -> Option<Top> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Top::pair(a, b)),
        (a, b) => a.or(b),
    }
}
