//! Topology whose top levels follow the shape's components. \[simplify\] §4.3
//!
//! The components, merged two by two, give divisions of the triangles from the root down. Unless
//! components are always used, each such division competes with the division by the rule: the surfaces
//! of the halves, weighted by triangle counts, are compared. A division by the rule may cut components
//! into pieces, which compete again below. The rule alone divides the last pieces. The paper always
//! uses the components, and compares volumes.

use std::ops::Range;
use std::time::Duration;

use glam::Vec3;

use super::division::TriangleRange;
use super::grow::Grower;
use super::item::{Item, bounds, items};
use super::merge::{Clusters, merge};
use super::rule::SplitRule;
use super::stats::{Measure, TriangleStats};
use super::sweep::{best_border, cost};
use super::topology::{Branch, Topology};
use crate::arrays::MapEach;
use crate::mesh::{ComponentTree, Mesh};
use crate::timing::timed;
use crate::volume::Aabb;

/// Number of triangles below which the rule alone divides a cluster.
const FEW_TRIANGLES: usize = 32;

/// Statistics of the top levels of a topology, and the times to build it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TopReport {
    /// Number of divisions between components above the last pieces.
    pub guided_count: u32,
    /// Number of divisions by the rule above the last pieces.
    pub plain_count: u32,
    /// Time to build the top levels.
    pub top: Duration,
    /// Time to build the levels below the last pieces.
    pub below: Duration,
}

/// Components merged two by two, from which topologies are built.
pub(crate) struct Merged<'a> {
    mesh: &'a Mesh,
    measure: Measure,
    sets: Clusters,
    root: u32,
    /// Triangles in the order of the pieces.
    items: Vec<Item>,
    pub took: Duration,
}

impl<'a> Merged<'a> {
    pub fn new(mesh: &'a Mesh, components: &ComponentTree, measure: Measure) -> Self {
        let (mut sets, mut took) = (Clusters::default(), Duration::ZERO);
        let (root, items) = timed(&mut took, || {
            let (root, order) = merge(mesh, components, measure, &mut sets);
            let by_triangle = items(mesh, Vec3::ZERO);
            (root, order.iter().map(|&t| by_triangle[t as usize]).collect())
        });
        Self { mesh, measure, sets, root, items, took }
    }

    /// Builds a topology on the current thread pool. If `always` is set, uses the components without
    /// comparing them with the rule.
    pub fn topology(&self, rule: SplitRule, always: bool) -> (Topology, TopReport) {
        let mut report = TopReport::default();
        let mut items = self.items.clone();
        let count = items.len();
        let mut guide = Guide {
            grower: Grower::new(self.mesh, rule),
            measure: self.measure,
            always,
            sets: self.sets.clone(),
            nodes: vec![Branch::leaf(Aabb::EMPTY); 2 * count - 1],
            pieces: Vec::new(),
            in_first: vec![false; count],
            counts: [0; 2],
        };
        timed(&mut report.top, || guide.divide_all(self.root, &mut items));
        timed(&mut report.below, || {
            for piece in &guide.pieces {
                let own = &mut items[piece.items.clone()];
                let nodes = &mut guide.nodes[piece.node..piece.node + 2 * own.len() - 1];
                guide.grower.grow(own, nodes, TriangleRange::of_root(own, None), 0);
            }
        });
        [report.guided_count, report.plain_count] = guide.counts;
        let order = items.iter().map(Item::triangle).collect();
        (Topology { nodes: guide.nodes, order }, report)
    }
}

struct Guide<'a> {
    grower: Grower<'a>,
    measure: Measure,
    always: bool,
    sets: Clusters,
    nodes: Vec<Branch>,
    /// Sets that only the rule divides.
    pieces: Vec<Piece>,
    /// Whether each triangle goes to the first half of the set that is being divided.
    in_first: Vec<bool>,
    counts: [u32; 2],
}

struct Piece {
    items: Range<usize>,
    node: usize,
}

/// A set that is still to be divided. `first`: index of its first item.
struct Open {
    set: u32,
    first: usize,
    node: usize,
    depth: u32,
}

/// Two sets of triangles, with their items in the order of their pieces.
struct Halves {
    sets: [u32; 2],
    items: Vec<Item>,
}

impl Guide<'_> {
    /// Divides `set` down to the last pieces. `items`: the items of the set, in the order of its
    /// pieces; they stay in this order.
    fn divide_all(&mut self, set: u32, items: &mut [Item]) {
        let mut stack = vec![Open { set, first: 0, node: 0, depth: 0 }];
        while let Some(Open { set, first, node, depth }) = stack.pop() {
            let own = &mut items[first..first + self.sets.count(set)];
            let count = own.len();
            let is_few = !self.always && count < FEW_TRIANGLES;
            let Some(merged) = self.sets.get(set).halves.filter(|_| !is_few) else {
                self.pieces.push(Piece { items: first..first + count, node });
                continue;
            };
            let (bounds, centers) = bounds(own);
            let is_open = !self.always && depth < self.grower.limit;
            let better = if is_open {
                let axes = Some(self.sets.get(set).stats.axes());
                self.better(set, merged, own, &TriangleRange { bounds, restricted: bounds, centers, axes })
            } else {
                self.counts[0] += 1;
                None
            };
            let [a, b] = match better {
                Some(Halves { sets, items }) => {
                    own.copy_from_slice(&items);
                    sets
                }
                None => merged,
            };
            let of_a = self.sets.count(a);
            self.nodes[node] = Branch {
                bounds,
                count: count as u32,
                first_count: of_a as u32,
                axis: 0,
                upper_sides: [true, false],
                any_side: true,
            };
            let below = depth + 1;
            stack.push(Open { set: b, first: first + of_a, node: node + 2 * of_a, depth: below });
            stack.push(Open { set: a, first, node: node + 1, depth: below });
        }
    }

    /// Returns halves that cost less than the merged ones, if there are any: from a border between
    /// pieces, or from the division by the rule, which may cut pieces.
    fn better(&mut self, set: u32, merged: [u32; 2], own: &[Item], region: &TriangleRange) -> Option<Halves> {
        let pieces = self.sets.pieces(&merged);
        let counts: Vec<usize> = pieces.iter().map(|piece| piece.count as usize).collect();
        let border = best_border(&pieces, &self.sets.get(set).stats, self.measure);
        let plain = self.plain(merged, own, region);
        let merged_cost = self.cost(merged);
        let border_cost = border.as_ref().map_or(f64::INFINITY, |border| border.cost);
        let guided_cost = merged_cost.min(border_cost);
        if let Some(plain) = plain.filter(|plain| self.cost(plain.sets) < guided_cost) {
            self.counts[1] += 1;
            return Some(plain);
        }
        self.counts[0] += 1;
        let border = border.filter(|_| border_cost < merged_cost)?;
        let mut items = own.iter();
        for (count, in_first) in counts.into_iter().zip(border.in_first) {
            for item in items.by_ref().take(count) {
                self.in_first[item.triangle() as usize] = in_first;
            }
        }
        self.marked(merged, own)
    }

    /// Returns the division by the rule; `None` if the rule cannot separate the items.
    fn plain(&mut self, merged: [u32; 2], own: &[Item], region: &TriangleRange) -> Option<Halves> {
        let mut items = own.to_vec();
        let count = self.grower.divide(&mut items, region)?.count;
        for (place, item) in items.iter().enumerate() {
            self.in_first[item.triangle() as usize] = place < count;
        }
        self.marked(merged, own)
    }

    /// Returns the two halves that `in_first` specifies, as sets of pieces.
    fn marked(&mut self, merged: [u32; 2], own: &[Item]) -> Option<Halves> {
        let [mut items, mut second] = [(); 2].map(|()| Vec::with_capacity(own.len()));
        let (of_a, of_b) = own.split_at(self.sets.count(merged[0]));
        let [a0, a1] = self.cut(merged[0], of_a, &mut items, &mut second);
        let [b0, b1] = self.cut(merged[1], of_b, &mut items, &mut second);
        items.append(&mut second);
        Some(Halves { sets: [self.either(a0, b0)?, self.either(a1, b1)?], items })
    }

    /// Splits a set by `in_first` and returns its part in each half. Appends its items to `first` and
    /// `second`. The recursion is as deep as the set was merged: 127 merges for each of at most four
    /// levels of components.
    fn cut(
        &mut self,
        set: u32,
        own: &[Item],
        first: &mut Vec<Item>,
        second: &mut Vec<Item>,
    ) -> [Option<u32>; 2] {
        let is_first = |item: &&Item| self.in_first[item.triangle() as usize];
        let first_count = own.iter().filter(is_first).count();
        if first_count == own.len() {
            first.extend_from_slice(own);
            return [Some(set), None];
        }
        if first_count == 0 {
            second.extend_from_slice(own);
            return [None, Some(set)];
        }
        if let Some([a, b]) = self.sets.get(set).halves {
            let (of_a, of_b) = own.split_at(self.sets.count(a));
            let [a0, a1] = self.cut(a, of_a, first, second);
            let [b0, b1] = self.cut(b, of_b, first, second);
            return [self.either(a0, b0), self.either(a1, b1)];
        }
        let (from_first, from_second) = (first.len(), second.len());
        first.extend(own.iter().filter(is_first));
        second.extend(own.iter().filter(|item| !is_first(item)));
        [&first[from_first..], &second[from_second..]].map_each(|items| Some(self.piece(items)))
    }

    fn piece(&mut self, items: &[Item]) -> u32 {
        self.sets.piece(TriangleStats::new(self.grower.mesh, items.iter().map(Item::triangle)))
    }

    fn either(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.sets.pair([a, b])),
            (a, b) => a.or(b),
        }
    }

    fn cost(&self, halves: [u32; 2]) -> f64 {
        halves.iter().map(|&set| cost(&self.sets.get(set).stats, self.measure)).sum()
    }
}
