//! From a topology to a restricted boxtree: which one side each node moves, and by how much.
//!
//! A node moves the side along which its parent was divided, or under a rule that leaves it free whichever
//! cuts off most. Where much of a box is then still empty at one side, a shrink node moves that side in
//! first. Linear in the nodes.

use super::node::{Below, BoxNode};
use super::restricted::Boxtree;
use super::test::BoxtreeTest;
use crate::tree::build::Topology;
use crate::volume::Aabb;

/// Share of a box's extent that must be empty at one side before a shrink node is worth its test.
const SHRINK_SHARE: f32 = 0.15;

/// A node whose subtree is still to be emitted.
struct Open {
    node: usize,
    /// In the topology.
    branch: usize,
    bounds: Aabb,
    depth: u32,
}

pub(crate) fn emit(topology: &Topology) -> Boxtree {
    let root = topology.nodes[0].bounds;
    let mut tree = Boxtree {
        root,
        nodes: Vec::with_capacity(3 * topology.order.len()),
        depth: 0,
        steps: Vec::new(),
        test: BoxtreeTest::default(),
    };
    // What a link can name, see `BoxNode`: a shrink node for each other one.
    let mut shrink_budget = topology.nodes.len();
    tree.nodes.push(BoxNode::new(0, true, root.max.x, Below::Triangle(0)));
    let mut stack = vec![Open { node: 0, branch: 0, bounds: root, depth: 0 }];
    // Leaves come in the order of the topology, as it is depth first.
    let mut leaves = topology.order.iter();
    while let Some(open) = stack.pop() {
        tree.depth = tree.depth.max(open.depth);
        let branch = topology.nodes[open.branch];
        if branch.is_leaf() {
            let triangle = *leaves.next().unwrap_or(&0);
            tree.nodes[open.node].set_below(Below::Triangle(triangle));
            continue;
        }
        let first = tree.nodes.len();
        let depth = open.depth + 1;
        let shrunk = emptiest_side(&open.bounds, &branch.bounds, SHRINK_SHARE).filter(|_| shrink_budget > 0);
        if let Some(child) = shrunk {
            shrink_budget -= 1;
            tree.nodes[open.node].set_below(Below::Shrink(first as u32));
            tree.nodes.push(child);
            let bounds = child.restrict(open.bounds);
            stack.push(Open { node: first, bounds, depth, ..open });
            continue;
        }
        let axis = usize::from(branch.axis);
        let children = branch.children(open.branch);
        tree.nodes[open.node].set_below(Below::Pair(first as u32));
        let mut below = [0, 1].map(|k| {
            let (inner, upper_side) = (topology.nodes[children[k]].bounds, branch.upper_sides[k]);
            let plane = if upper_side { inner.max[axis] } else { inner.min[axis] };
            let divided = BoxNode::new(axis, upper_side, plane, Below::Triangle(0));
            let cut = if branch.any_side { emptiest_side(&open.bounds, &inner, 0.0) } else { None };
            let child = cut.unwrap_or(divided);
            tree.nodes.push(child);
            Open { node: first + k, branch: children[k], bounds: child.restrict(open.bounds), depth }
        });
        below.reverse();
        stack.extend(below);
    }
    tree.nodes.shrink_to_fit();
    tree
}

/// The side with the largest empty share, as a node that moves it in, if that is more than `least`.
fn emptiest_side(bounds: &Aabb, tight: &Aabb, least: f32) -> Option<BoxNode> {
    let extent = bounds.size();
    let mut best = (least, None);
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
