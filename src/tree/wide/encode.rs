//! From a binary topology to wide nodes: the largest child is opened until a node is full, and sides become
//! offsets.

use glam::Vec3;

use super::{Sides, WideNode, WideTree, lower, raise, unit};
use crate::tree::build::Topology;
use crate::volume::Aabb;

/// A node whose children are still to be encoded.
struct Open {
    node: usize,
    /// In the topology.
    branch: usize,
    own: Sides,
    depth: u32,
}

pub(in crate::tree) fn encode<const W: usize>(topology: &Topology) -> WideTree<W> {
    let bounds = topology.nodes.first().map_or(Aabb::new(Vec3::ZERO, Vec3::ZERO), |n| n.bounds);
    let center = bounds.center();
    let root = Sides::around(&bounds, center);
    let empty = WideNode {
        low: [[0; W]; 3],
        high: [[0; W]; 3],
        first_node: 0,
        first_triangle: 0,
        inner_count: 0,
        child_count: 0,
    };
    let triangles = Vec::with_capacity(topology.order.len());
    let mut tree = WideTree { center, root, nodes: Vec::new(), triangles, depth: 0 };
    if topology.order.len() < 2 {
        tree.triangles.extend(&topology.order);
        return tree;
    }
    // Where each branch's leaves begin in the order: a depth-first topology needs only the first's.
    tree.nodes.push(empty);
    let mut stack = vec![(Open { node: 0, branch: 0, own: root, depth: 1 }, 0usize)];
    while let Some((open, first_leaf)) = stack.pop() {
        tree.depth = tree.depth.max(open.depth);
        let mut children = Vec::with_capacity(W);
        gather::<W>(topology, open.branch, first_leaf, &mut children);
        let inner_count = children.iter().filter(|c| !topology.nodes[c.0].is_leaf()).count();
        // Inner children first.
        children.sort_by_key(|c| topology.nodes[c.0].is_leaf());
        let first_node = tree.nodes.len();
        let mut node = WideNode {
            first_node: first_node as u32,
            first_triangle: tree.triangles.len() as u32,
            inner_count: inner_count as u8,
            child_count: children.len() as u8,
            ..empty
        };
        for (lane, &(branch, leaf)) in children.iter().enumerate() {
            let tight = Sides::around(&topology.nodes[branch].bounds, center);
            for k in 0..3 {
                (node.low[k][lane], node.high[k][lane]) = offsets(&open.own, &tight, k);
            }
            if lane < inner_count {
                let own = node.decode(lane, &open.own);
                stack.push((Open { node: first_node + lane, branch, own, depth: open.depth + 1 }, leaf));
            } else {
                tree.triangles.push(topology.order[leaf]);
            }
        }
        tree.nodes.resize(first_node + inner_count, empty);
        tree.nodes[open.node] = node;
    }
    tree.nodes.shrink_to_fit();
    tree
}

/// The branches that become the children of one node, each with the place of its first leaf.
fn gather<const W: usize>(
    topology: &Topology,
    branch: usize,
    first_leaf: usize,
    out: &mut Vec<(usize, usize)>,
) {
    let open = |out: &mut Vec<(usize, usize)>, at: usize, leaf: usize| {
        let node = &topology.nodes[at];
        let [first, second] = node.children(at);
        out.extend([(first, leaf), (second, leaf + node.first_count as usize)]);
    };
    open(out, branch, first_leaf);
    while out.len() < W {
        let largest = (0..out.len())
            .filter(|&i| !topology.nodes[out[i].0].is_leaf())
            .max_by(|&i, &j| size(topology, out[i].0).total_cmp(&size(topology, out[j].0)));
        let Some(at) = largest else { break };
        let (branch, leaf) = out.swap_remove(at);
        open(out, branch, leaf);
    }
}

/// Half the surface of a branch's box.
fn size(topology: &Topology, branch: usize) -> f32 {
    let d = topology.nodes[branch].bounds.size();
    d.x * d.y + d.y * d.z + d.z * d.x
}

/// The largest offsets on one axis whose decoded sides still contain `inner`.
fn offsets(parent: &Sides, inner: &Sides, k: usize) -> (u8, u8) {
    let unit = unit(parent.low[k], parent.high[k]);
    let steps = |distance: f32| if unit > 0.0 { (distance / unit) as u8 } else { 0 };
    let mut low = steps(inner.low[k] - parent.low[k]);
    while low > 0 && raise(parent.low[k], low, unit) > inner.low[k] {
        low -= 1;
    }
    let mut high = steps(parent.high[k] - inner.high[k]);
    while high > 0 && lower(parent.high[k], high, unit) < inner.high[k] {
        high -= 1;
    }
    (low, high)
}
