//! How far each node's side is from its parent's, as a number of steps of the root's extent, rounded down so
//! that boxes only grow. \[boxtree\] §3.2.2

use super::node::{Below, BoxNode};
use crate::volume::Aabb;

/// From none to all of the root's extent.
pub const STEP_COUNT: usize = 1000;

/// For each node, how far its side is from its parent's in steps of the root's extent.
pub fn offset_steps(root: Aabb, nodes: &[BoxNode]) -> Vec<u16> {
    let extent = root.max.as_dvec3() - root.min.as_dvec3();
    let mut steps = vec![0; nodes.len()];
    let mut stack = vec![(0u32, root)];
    while let Some((index, parent)) = stack.pop() {
        let node = nodes[index as usize];
        let axis = node.axis();
        let plane = f64::from(node.plane);
        let cut = if node.upper_side() {
            f64::from(parent.max[axis]) - plane
        } else {
            plane - f64::from(parent.min[axis])
        };
        // Saturates: nothing is moved farther than the root is wide, and 0/0 becomes no step.
        steps[index as usize] = (cut / extent[axis] * (STEP_COUNT - 1) as f64 * (1.0 - 1e-12)) as u16;
        let own = node.restrict(parent);
        match node.below() {
            Below::Triangle(_) => {}
            Below::Shrink(only) => stack.push((only, own)),
            Below::Pair(first) => stack.extend([(first, own), (first + 1, own)]),
        }
    }
    steps
}
