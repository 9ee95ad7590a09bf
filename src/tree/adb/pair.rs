//! Two counted hierarchies in one frame, and what a pair of their nodes is: whether it is apart, its features,
//! its probability as the paper has it. \[adb\] §3.4

use arrayvec::ArrayVec;
use glam::{Vec3, Vec3A};

use super::counted::Counted;
use super::fitted::{self, FEATURE_COUNT};
use super::intersection::{BoxPair, corner_share};
use super::nodes::{Nodes, Tight};
use super::paper::{Meeting, Paper, refined};
use super::query::{Job, LikelyPair};
use crate::tree::query::Search;
use crate::tree::volume_tree;
use crate::volume::aabb::{AabbFrames, Carried};
use crate::volume::{Aabb, Volume};

/// What probabilities need to know of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Half the sides of the box that was divided into cells.
    pub half: Vec3A,
    pub volume: f32,
    pub log_volume: f32,
    pub is_leaf: bool,
    pub cell_count: u16,
    /// ln of the share of cells that are possible collision cells.
    pub log_filled: f32,
}

/// A node where the query sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<N, V> {
    pub node: N,
    pub carried: Carried,
    pub tight: V,
    pub seen: Seen,
    pub level: u16,
}

pub(super) type PlacedA<T> = Placed<<T as Nodes>::Node, <<T as Nodes>::Tight as Tight>::A>;
pub(super) type PlacedB<T> = Placed<<T as Nodes>::Node, <<T as Nodes>::Tight as Tight>::B>;

/// Two counted hierarchies in one frame.
pub(super) struct Two<'a, T: Nodes> {
    pub a: &'a Counted<T>,
    pub b: &'a Counted<T>,
    frames: AabbFrames,
    tight: <T::Tight as Tight>::Frames,
    /// Of the levels of both.
    depth: u32,
}

impl<'a, T: Nodes> Two<'a, T> {
    pub fn new([a, b]: [&'a Counted<T>; 2], job: &Job) -> Self {
        let search = Search::all(job.b_to_a, job.margin);
        let transit = volume_tree::transit([a, b].map(|c| c.tree.center()), [a.radius, b.radius], &search);
        let depth = a.tree.depth() + b.tree.depth();
        Self { a, b, frames: Aabb::frames(&transit, &()), tight: a.tree.frames(&transit), depth }
    }

    pub fn place_a(&self, node: T::Node, level: u16) -> PlacedA<T> {
        let bounds = self.a.tree.bounds(&node);
        let tight = self.a.tree.tight(&node).carry_a(&self.tight);
        Placed {
            node,
            carried: bounds.carry_a(&self.frames),
            tight,
            seen: seen(self.a, &node, &bounds),
            level,
        }
    }

    pub fn place_b(&self, node: T::Node, level: u16) -> PlacedB<T> {
        let bounds = self.b.tree.bounds(&node);
        let tight = self.b.tree.tight(&node).carry_b(&self.tight);
        Placed {
            node,
            carried: bounds.carry_b(&self.frames),
            tight,
            seen: seen(self.b, &node, &bounds),
            level,
        }
    }

    /// From a to b in the frame of each, unless the two are apart.
    pub fn way(&self, a: &PlacedA<T>, b: &PlacedB<T>) -> Option<[Vec3A; 2]> {
        let way = b.carried.center - a.carried.center;
        let way_in_b = self.frames.inverse * way;
        let apart = way.abs().cmpgt(a.carried.half + b.carried.reach)
            | way_in_b.abs().cmpgt(b.carried.half + a.carried.reach);
        let meets = !apart.any() && T::Tight::meet(&a.tight, &b.tight, &self.tight);
        meets.then_some([way, way_in_b])
    }

    /// \[adb\] §3.5.3: of both nodes' levels over both trees' depths.
    fn depth(&self, a: &PlacedA<T>, b: &PlacedB<T>) -> f32 {
        if self.depth == 0 { 1.0 } else { f32::from(a.level + b.level) / self.depth as f32 }
    }

    pub fn features(&self, a: &PlacedA<T>, b: &PlacedB<T>, way: Vec3A) -> [f32; FEATURE_COUNT] {
        fitted::features([&a.seen, &b.seen], corner_share([a.seen.half, b.seen.half], way))
    }

    pub fn paper_probability(&self, a: &PlacedA<T>, b: &PlacedB<T>, apart: [Vec3A; 2], paper: &Paper) -> f32 {
        let [half_a, half_b] = [a.seen.half, b.seen.half];
        let reach = [self.frames.absolute_inverse * half_a, self.frames.absolute * half_b];
        let boxes = BoxPair { half: [half_a, half_b], reach, apart };
        let regions =
            [(self.a, T::index(&a.node)), (self.b, T::index(&b.node))].map(|(c, n)| c.regions.get(n));
        let meeting = Meeting {
            seen: [&a.seen, &b.seen],
            regions,
            boxes,
            rotation: &self.frames.rotation,
            bound: self.depth(a, b),
        };
        meeting.probability(paper, |larger| match larger {
            0 => self.finer_a(a, b, paper),
            _ => self.finer_b(a, b, paper),
        })
    }

    /// Possible collision cells that a, the larger, has in b, counted below at nodes of b's size, in cells of b's. \[adb\]
    /// equations 3 and 4
    fn finer_a(&self, a: &PlacedA<T>, b: &PlacedB<T>, paper: &Paper) -> Option<f32> {
        let children =
            |p: &PlacedA<T>| self.a.tree.children(&p.node).into_iter().map(|n| self.place_a(n, 0)).collect();
        let shared = |p: &PlacedA<T>| {
            let way = b.carried.center - p.carried.center;
            let apart = [way, self.frames.inverse * way];
            let reach = [self.frames.absolute_inverse * p.seen.half, self.frames.absolute * b.seen.half];
            let boxes = BoxPair { half: [p.seen.half, b.seen.half], reach, apart };
            paper.estimator.volume(&boxes, &self.frames.rotation)
        };
        finer(*a, b.seen.volume, |p| p.seen, children, shared)
    }

    fn finer_b(&self, a: &PlacedA<T>, b: &PlacedB<T>, paper: &Paper) -> Option<f32> {
        let children =
            |p: &PlacedB<T>| self.b.tree.children(&p.node).into_iter().map(|n| self.place_b(n, 0)).collect();
        let shared = |p: &PlacedB<T>| {
            let way = p.carried.center - a.carried.center;
            let apart = [way, self.frames.inverse * way];
            let reach = [self.frames.absolute_inverse * a.seen.half, self.frames.absolute * p.seen.half];
            let boxes = BoxPair { half: [a.seen.half, p.seen.half], reach, apart };
            paper.estimator.volume(&boxes, &self.frames.rotation)
        };
        finer(*b, a.seen.volume, |p| p.seen, children, shared)
    }

    pub fn likely(&self, (a, b): &(PlacedA<T>, PlacedB<T>), probability: f32) -> LikelyPair {
        let nodes = [&a.node, &b.node].map(|n| T::index(n) as u32);
        let way = b.carried.center - a.carried.center;
        // What b's box reaches of a's, along the axes of a.
        let low = (-a.carried.half).max(way - b.carried.reach);
        let high = a.carried.half.min(way + b.carried.reach);
        let center = a.carried.center + 0.5 * (low + high);
        let overlaps = a.carried.half + b.carried.reach - way.abs();
        let center = Vec3::from(center) + self.a.tree.center();
        LikelyPair { nodes, probability, center, overlap: overlaps.into() }
    }
}

fn seen<T: Nodes>(counted: &Counted<T>, node: &T::Node, bounds: &Aabb) -> Seen {
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

/// Nodes that are looked at below a larger one.
const FINER_COUNT: usize = 64;

/// Goes down from a node while what is below is larger than `volume`, and adds up the possible collision cells
/// of what is there, in cells of a node of that volume. `None` if there is nothing to go down to.
fn finer<P: Copy>(
    top: P,
    volume: f32,
    seen: impl Fn(&P) -> Seen,
    children: impl Fn(&P) -> ArrayVec<P, 8>,
    shared: impl Fn(&P) -> f32,
) -> Option<f32> {
    if seen(&top).is_leaf || seen(&top).volume <= volume {
        return None;
    }
    let mut cells = 0.0;
    let mut open: ArrayVec<P, FINER_COUNT> = ArrayVec::new();
    open.push(top);
    while let Some(node) = open.pop() {
        let Seen { volume: own, cell_count, is_leaf, .. } = seen(&node);
        // Seven more than was popped at most.
        if own > volume && !is_leaf && open.remaining_capacity() >= 8 {
            open.extend(children(&node).into_iter().filter(|child| shared(child) > 0.0));
            continue;
        }
        // What is still larger, at a leaf or for want of places, has its cells divided.
        let ratio = own / volume;
        let divided = if ratio > 1.0 { refined(ratio) } else { 1.0 };
        cells += shared(&node) / own * f32::from(cell_count) * divided;
    }
    Some(cells)
}
