//! Two counted hierarchies in a common frame, and the computations for a pair of their nodes: whether
//! the nodes are apart, and the features of the pair. \[adb\] §3.4

use glam::{Vec3, Vec3A};

use super::counted::Counted;
use super::features::{self, FEATURE_COUNT, Seen};
use super::nodes::{CellNodes, Tight};
use super::share::corner_share;
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::tree::{Nodes, Search};
use crate::volume::{Aabb, AabbFrames, Carried, Volume};

/// Pair of nodes in which the surfaces are likely to intersect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LikelyPair {
    /// Index of the node of a, and of the node of b.
    pub nodes: [u32; 2],
    pub probability: f32,
    /// Center of the intersection of a's box with the box around b's, in body space of a, m.
    pub center: Vec3,
    /// Overlap of a's box and the box around b's along each axis of a, m: a move by it along that axis
    /// would separate them.
    pub overlap: Vec3,
}

/// Node with its volumes transformed into the frame of the query.
#[derive(Clone, Copy, Debug)]
pub struct CountedNode<N, V> {
    pub node: N,
    pub carried: Carried,
    pub tight: V,
    pub seen: Seen,
    pub level: u16,
}

pub type CountedA<T> = CountedNode<<T as Nodes>::Node, <<T as CellNodes>::Tight as Tight>::A>;
pub type CountedB<T> = CountedNode<<T as Nodes>::Node, <<T as CellNodes>::Tight as Tight>::B>;

/// Two counted hierarchies in a common frame.
pub struct NodePairs<'a, T: CellNodes> {
    pub a: &'a Counted<T>,
    pub b: &'a Counted<T>,
    pub frames: AabbFrames,
    tight: <T::Tight as Tight>::Frames,
    /// Sum of both hierarchies' depths.
    depth: u32,
}

impl<'a, T: CellNodes> NodePairs<'a, T> {
    pub(super) fn new([a, b]: [&'a Counted<T>; 2], b_to_a: &Pose, margin: f64) -> Self {
        let search = Search::all(b_to_a, margin);
        let transit = search.transit([a, b].map_each(|c| c.tree.center()), [a.radius, b.radius]);
        let depth = a.tree.depth() + b.tree.depth();
        Self { a, b, frames: Aabb::frames(&transit, &()), tight: a.tree.frames(&transit), depth }
    }

    pub fn place_a(&self, node: T::Node, level: u16) -> CountedA<T> {
        let bounds = self.a.tree.local_bounds(&node);
        let tight = self.a.tree.tight(&node).carry_a(&self.tight);
        CountedNode {
            node,
            carried: bounds.carry_a(&self.frames),
            tight,
            seen: seen(self.a, &node, &bounds),
            level,
        }
    }

    pub fn place_b(&self, node: T::Node, level: u16) -> CountedB<T> {
        let bounds = self.b.tree.local_bounds(&node);
        let tight = self.b.tree.tight(&node).carry_b(&self.tight);
        CountedNode {
            node,
            carried: bounds.carry_b(&self.frames),
            tight,
            seen: seen(self.b, &node, &bounds),
            level,
        }
    }

    /// Returns the vector from the center of a's box to that of b's box, m, in the frame of a and in
    /// the frame of b; `None` if the two nodes are apart.
    pub fn way(&self, a: &CountedA<T>, b: &CountedB<T>) -> Option<[Vec3A; 2]> {
        let way = b.carried.center - a.carried.center;
        let way_in_b = self.frames.inverse * way;
        let apart = way.abs().cmpgt(a.carried.half + b.carried.reach)
            | way_in_b.abs().cmpgt(b.carried.half + a.carried.reach);
        let meets = !apart.any() && T::Tight::meet(&a.tight, &b.tight, &self.tight);
        meets.then_some([way, way_in_b])
    }

    /// Returns the sum of both nodes' levels, divided by the sum of both trees' depths (1 if both
    /// depths are 0). \[adb\] §3.5.3
    pub fn depth(&self, a: &CountedA<T>, b: &CountedB<T>) -> f32 {
        if self.depth == 0 { 1.0 } else { f32::from(a.level + b.level) / self.depth as f32 }
    }

    pub fn features(&self, a: &CountedA<T>, b: &CountedB<T>, way: Vec3A) -> [f32; FEATURE_COUNT] {
        features::features([&a.seen, &b.seen], corner_share([a.seen.half, b.seen.half], way))
    }

    pub fn likely(&self, (a, b): &(CountedA<T>, CountedB<T>), probability: f32) -> LikelyPair {
        let nodes = [&a.node, &b.node].map_each(|n| T::index(n) as u32);
        let way = b.carried.center - a.carried.center;
        // Intersection of a's box with the box around b's, along the axes of a.
        let low = (-a.carried.half).max(way - b.carried.reach);
        let high = a.carried.half.min(way + b.carried.reach);
        let center = a.carried.center + 0.5 * (low + high);
        let overlaps = a.carried.half + b.carried.reach - way.abs();
        let center = Vec3::from(center) + self.a.tree.center();
        LikelyPair { nodes, probability, center, overlap: overlaps.into() }
    }
}

fn seen<T: CellNodes>(counted: &Counted<T>, node: &T::Node, bounds: &Aabb) -> Seen {
    let half = counted.half(bounds);
    let index = T::index(node);
    let cell_count = counted.totals[index];
    Seen {
        half: half.into(),
        volume: 8.0 * half.element_product(),
        log_volume: counted.log_volumes[index],
        is_leaf: counted.tree.is_leaf(node),
        cell_count,
        log_filled: counted.log_filled[usize::from(cell_count)],
    }
}
