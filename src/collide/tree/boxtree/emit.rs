//! Conversion of a topology into a restricted boxtree: chooses the side that each node moves, and its
//! plane.
//!
//! A node moves the side along which its parent was divided. Under a rule with `any_side`, it moves the
//! side that cuts off most. If a large share of a box is empty at one side, a shrink node moves that
//! side in first. Linear in the nodes.

use super::form::{BoxtreeForm, Shrink};
use super::node::{Below, BoxNode};
use super::restricted::Boxtree;
use crate::tree::build::{MovedSide, SHRINK_SHARE, Topology};
use crate::volume::Aabb;

/// A node whose subtree is still to be emitted.
struct Open {
    node: usize,
    /// Index in the topology.
    branch: usize,
    bounds: Aabb,
    depth: u32,
}

/// Builds the boxtree over `topology`, with shrink nodes unless `shrink` forbids them.
pub(crate) fn emit(topology: &Topology, shrink: Shrink) -> Boxtree {
    let root = topology.nodes[0].bounds;
    let mut tree = Boxtree {
        root,
        nodes: Vec::with_capacity(3 * topology.order.len()),
        depth: 0,
        steps: Vec::new(),
        form: BoxtreeForm::default(),
    };
    // At most one shrink node per other node, so that the links of `BoxNode` can hold every index.
    let mut shrink_budget = if shrink == Shrink::Never { 0 } else { topology.nodes.len() };
    tree.nodes.push(BoxNode::new(MovedSide::of(&root, 0, true), Below::Triangle(0)));
    let mut stack = vec![Open { node: 0, branch: 0, bounds: root, depth: 0 }];
    // Both the topology and this loop are depth first, so leaves come in the topology's order.
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
        let shrunk =
            MovedSide::emptiest(&open.bounds, &branch.bounds, SHRINK_SHARE).filter(|_| shrink_budget > 0);
        if let Some(side) = shrunk {
            shrink_budget -= 1;
            tree.nodes[open.node].set_below(Below::Shrink(first as u32));
            tree.nodes.push(BoxNode::new(side, Below::Triangle(0)));
            let bounds = side.restrict(open.bounds);
            stack.push(Open { node: first, bounds, depth, ..open });
            continue;
        }
        let axis = usize::from(branch.axis);
        let children = branch.children(open.branch);
        tree.nodes[open.node].set_below(Below::Pair(first as u32));
        let mut below = [0, 1].map(|k| {
            let inner = topology.nodes[children[k]].bounds;
            let cut = if branch.any_side { MovedSide::emptiest(&open.bounds, &inner, 0.0) } else { None };
            let side = cut.unwrap_or(MovedSide::of(&inner, axis, branch.upper_sides[k]));
            tree.nodes.push(BoxNode::new(side, Below::Triangle(0)));
            Open { node: first + k, branch: children[k], bounds: side.restrict(open.bounds), depth }
        });
        below.reverse();
        stack.extend(below);
    }
    tree.nodes.shrink_to_fit();
    tree
}
