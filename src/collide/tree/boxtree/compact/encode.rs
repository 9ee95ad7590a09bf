//! Conversion of a binary topology into quantized nodes. For each child, the side that cuts off the
//! most steps moves, so the planes of two siblings may be perpendicular. Linear in the nodes.

use super::layout::{
    CompactBoxtree, CompactNode, CrownNode, Cuts, NodePlace, OFFSET_STEPS, SHRINK_STEPS, SMALL_COUNT, cut,
};
use crate::arrays::MapEach;
use crate::tree::build::Topology;
use crate::volume::Aabb;

/// A subtree still to be encoded.
struct Open {
    place: NodePlace,
    /// Index in the topology.
    branch: usize,
    own: Aabb,
    level: u32,
    /// Crown index of the parent if this is a second child; otherwise `None`.
    above: Option<usize>,
}

/// Encodes the boxes of `topology`.
pub(crate) fn encode(topology: &Topology) -> CompactBoxtree {
    let root = topology.nodes[0].bounds;
    let count = topology.order.len();
    let small = |branch: usize| topology.nodes[branch].count <= SMALL_COUNT;
    let crown_count = (0..topology.nodes.len()).filter(|&branch| !small(branch)).count();
    let mut tree = CompactBoxtree {
        root,
        nodes: vec![CompactNode::default(); count - 1],
        crown: Vec::with_capacity(crown_count),
        triangles: topology.order.clone(),
        depth: 0,
    };
    let top = tree.top();
    let mut stack = vec![Open { place: top, branch: 0, own: root, level: 0, above: None }];
    while let Some(Open { place, branch, own, level, above }) = stack.pop() {
        tree.depth = tree.depth.max(level);
        let node = topology.nodes[branch];
        let in_crown = place.count > SMALL_COUNT;
        let index = tree.crown.len();
        if let Some(parent) = above.filter(|_| in_crown) {
            // Only second children need their index stored.
            tree.crown[parent].second = index as u32;
        }
        if node.is_leaf() {
            continue;
        }
        let children = node.children(branch);
        let inner = children.map_each(|c| topology.nodes[c].bounds);
        let (side, offset) = deepest_cut(&own, &node.bounds, SHRINK_STEPS);
        let mut cuts = Cuts { shrink: side | offset << 3, ..Cuts::default() };
        let own = cuts.shrunk(&own).restrict(own);
        for (k, inner) in inner.iter().enumerate() {
            let (side, offset) = deepest_cut(&own, inner, OFFSET_STEPS);
            cuts.sides |= side << (3 * k);
            cuts.offsets[k] = offset;
        }
        if in_crown {
            tree.crown.push(CrownNode { cuts, first_count: node.first_count, second: 0 });
        } else {
            // The second child has at least one triangle, so the count fits in a byte.
            tree.nodes[place.node as usize] = CompactNode { cuts, first_count: node.first_count as u8 };
        }
        let counts = [node.first_count, node.count - node.first_count];
        let firsts = [place.first, place.first + node.first_count];
        // Depth first: the child pushed last is encoded next.
        for k in [1, 0] {
            let next = if in_crown { firsts[k] } else { [place.node + 1, place.node + counts[0]][k] };
            let below = NodePlace { node: next, first: firsts[k], count: counts[k] };
            let own = cuts.child(&own, k).restrict(own);
            let above = (in_crown && k == 1).then_some(index);
            stack.push(Open { place: below, branch: children[k], own, level: level + 1, above });
        }
    }
    tree
}

/// Returns the side that can move in by the most steps while `inner` stays inside, and this number of
/// steps.
fn deepest_cut(own: &Aabb, inner: &Aabb, steps: f32) -> (u8, u8) {
    let mut best = (0, 0);
    for side in 0..6 {
        let offset = offset_to(own, inner, side, steps);
        if offset > best.1 {
            best = (side, offset);
        }
    }
    best
}

/// Returns the largest number of steps by which a side can move in while `inner` stays inside.
fn offset_to(own: &Aabb, inner: &Aabb, side: u8, steps: f32) -> u8 {
    let axis = usize::from(side >> 1);
    let free = if side & 1 != 0 { own.max - inner.max } else { inner.min - own.min };
    // A flat box gives NaN, which converts to 0 steps.
    let share = free[axis] / (own.max[axis] - own.min[axis]);
    let mut offset = (share * steps) as u8;
    while offset > 0 && !cut(own, side, offset, steps).restrict(*own).contains(inner) {
        offset -= 1;
    }
    offset
}
