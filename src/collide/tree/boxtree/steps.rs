//! Offset of each node's side from its parent's side, as a number of steps of the root's extent. Each
//! node moves one side. \[boxtree\] §3.2.2
//!
//! The number is rounded down, so that boxes only grow. It counts from the parent's rounded side, which
//! a query knows, not from the exact one. So each side of a box is at most one step too wide, however
//! deep the box is.

use super::node::{Below, BoxNode};
use crate::volume::Aabb;

/// Returns the offset of each node's side from its parent's side, in steps. The root is `step_count` −
/// 1 steps wide.
pub fn offset_steps(root: Aabb, nodes: &[BoxNode], step_count: usize) -> Vec<u16> {
    let (min, max) = (root.min.as_dvec3(), root.max.as_dvec3());
    let step = (max - min) / (step_count - 1) as f64;
    let mut steps = vec![0; nodes.len()];
    let mut stack = vec![(0u32, [min, max])];
    while let Some((index, mut own)) = stack.pop() {
        let node = nodes[index as usize];
        let (axis, plane) = (node.axis(), f64::from(node.plane));
        let cut = if node.upper_side() { own[1][axis] - plane } else { plane - own[0][axis] };
        // The conversion saturates. No side moves farther than the root is wide, and 0/0 becomes 0.
        let count = (cut / step[axis] * (1.0 - 1e-12)) as u16;
        steps[index as usize] = count;
        let moved = f64::from(count) * step[axis];
        if node.upper_side() {
            own[1][axis] -= moved;
        } else {
            own[0][axis] += moved;
        }
        match node.below() {
            Below::Triangle(_) => {}
            Below::Shrink(only) => stack.push((only, own)),
            Below::Pair(first) => stack.extend([(first, own), (first + 1, own)]),
        }
    }
    steps
}
