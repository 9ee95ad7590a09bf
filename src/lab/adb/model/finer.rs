//! Possible collision cells that the larger of two nodes has within the smaller. They are counted at
//! descendants of the larger node that are about as small as the smaller node, in units of the smaller
//! node's cells. \[adb\] §3.4.2, equations 3 and 4

use arrayvec::ArrayVec;

use super::shared_volume::{BoxPair, VolumeEstimator};
use crate::estimate::{CellNodes, CountedA, CountedB, NodePairs, Seen};

/// Returns the cells that a, the larger node, has in b; `None` if a has no smaller descendants.
pub fn of_a<T: CellNodes>(
    two: &NodePairs<T>,
    a: &CountedA<T>,
    b: &CountedB<T>,
    estimator: VolumeEstimator,
) -> Option<f32> {
    let children =
        |p: &CountedA<T>| two.a.tree.children(&p.node).into_iter().map(|n| two.place_a(n, 0)).collect();
    cells(*a, b.seen.volume, |p| p.seen, children, |p| shared(two, p, b, estimator))
}

/// Returns the cells that b, the larger node, has in a; `None` if b has no smaller descendants.
pub fn of_b<T: CellNodes>(
    two: &NodePairs<T>,
    a: &CountedA<T>,
    b: &CountedB<T>,
    estimator: VolumeEstimator,
) -> Option<f32> {
    let children =
        |p: &CountedB<T>| two.b.tree.children(&p.node).into_iter().map(|n| two.place_b(n, 0)).collect();
    cells(*b, a.seen.volume, |p| p.seen, children, |p| shared(two, a, p, estimator))
}

/// Returns the volume (m³) that the boxes of two nodes share.
fn shared<T: CellNodes>(
    two: &NodePairs<T>,
    a: &CountedA<T>,
    b: &CountedB<T>,
    estimator: VolumeEstimator,
) -> f32 {
    let way = b.carried.center - a.carried.center;
    let boxes = BoxPair {
        half: [a.seen.half, b.seen.half],
        reach: [two.frames.absolute_inverse * a.seen.half, two.frames.absolute * b.seen.half],
        apart: [way, two.frames.inverse * way],
    };
    estimator.volume(&boxes, &two.frames.rotation)
}

/// Capacity of the stack of descendants that are still to be visited.
const FINER_COUNT: usize = 64;

/// Descends from `top` to nodes that are not larger than `volume`, and sums their possible collision
/// cells in units of cells of a node of that volume. Returns `None` if `top` has no such descendants.
fn cells<P: Copy>(
    top: P,
    volume: f32,
    seen: impl Fn(&P) -> Seen,
    children: impl Fn(&P) -> ArrayVec<P, 8>,
    shared: impl Fn(&P) -> f32,
) -> Option<f32> {
    if seen(&top).is_leaf || seen(&top).volume <= volume {
        return None;
    }
    let mut sum = 0.0;
    let mut open: ArrayVec<P, FINER_COUNT> = ArrayVec::new();
    open.push(top);
    while let Some(node) = open.pop() {
        let Seen { volume: own, cell_count, is_leaf, .. } = seen(&node);
        // Replacing a node by its eight children adds seven to the stack.
        if own > volume && !is_leaf && open.remaining_capacity() >= 8 {
            open.extend(children(&node).into_iter().filter(|child| shared(child) > 0.0));
            continue;
        }
        // Here the node may still be larger, because it is a leaf or the stack is full. Its cells are
        // then divided.
        let ratio = own / volume;
        let divided = if ratio > 1.0 { refined(ratio) } else { 1.0 };
        sum += shared(&node) / own * f32::from(cell_count) * divided;
    }
    Some(sum)
}

/// Returns the factor by which the number of filled cells grows if cells are divided so that there are
/// `ratio` times as many. A plane passes through `ratio`^(2/3) parts of a cell. Equation 5
pub fn refined(ratio: f32) -> f32 {
    ratio / libm::cbrtf(ratio)
}
