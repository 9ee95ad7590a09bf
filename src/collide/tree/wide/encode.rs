//! Conversion of a binary topology into wide nodes: the largest child is replaced by its two children
//! until the node is full, and bounds become offsets.

use glam::Vec3;

use super::bounds::{Bounds, ChildBounds, Grid};
use super::layout::{Child, WideNode, WideTree};
use crate::mesh::Mesh;
use crate::tree::build::Topology;
use crate::tree::nodes::RefitScratch;
use crate::volume::Aabb;

/// A node whose children are still to be encoded.
struct Open {
    node: usize,
    /// Index in the topology.
    branch: usize,
    own: Bounds,
    depth: u32,
}

/// A child of the node that is being encoded.
#[derive(Clone, Copy, Default)]
struct Gathered {
    /// Index in the topology.
    branch: usize,
    /// Index of its first leaf in the topology's order.
    first_leaf: usize,
    /// Half the surface of its box; negative for a leaf, which has no children.
    surface: f32,
}

/// Encodes the boxes of `topology`.
pub(crate) fn encode<const W: usize, B: ChildBounds<W>>(topology: &Topology) -> WideTree<W, B> {
    let bounds = topology.nodes[0].bounds;
    let center = bounds.center();
    let center = if center.length() < bounds.diagonal() { Vec3::ZERO } else { center };
    let root = Bounds::around(&bounds, center);
    let empty = WideNode { sides: B::NONE, first_node: 0, first_triangle: 0, inner_count: 0, child_count: 0 };
    let leaf_count = topology.order.len();
    let mut triangles = Vec::with_capacity(leaf_count);
    let mut nodes = Vec::with_capacity(2 * leaf_count / W + 1);
    let mut depth = 0;
    if leaf_count == 1 {
        triangles.push(topology.order[0]);
        return WideTree { center, root, nodes, triangles, depth, cones: Vec::new(), finest: 0.0 };
    }
    nodes.push(empty);
    let mut stack = vec![(Open { node: 0, branch: 0, own: root, depth: 1 }, 0)];
    while let Some((open, first_leaf)) = stack.pop() {
        depth = depth.max(open.depth);
        let mut children = [Gathered::default(); W];
        let children = gather(topology, open.branch, first_leaf, &mut children);
        let inner_count = children.iter().filter(|c| c.surface >= 0.0).count();
        let first_node = nodes.len();
        let mut node = WideNode {
            first_node: first_node as u32,
            first_triangle: triangles.len() as u32,
            inner_count: inner_count as u8,
            child_count: children.len() as u8,
            ..empty
        };
        let grid = Grid::new(&open.own);
        let (mut inner_lane, mut leaf_lane) = (0, inner_count);
        for &Gathered { branch, first_leaf, surface } in children.iter() {
            let is_inner = surface >= 0.0;
            let next = if is_inner { &mut inner_lane } else { &mut leaf_lane };
            let lane = *next;
            *next += 1;
            let tight = Bounds::around(&topology.nodes[branch].bounds, center);
            node.sides.set(lane, &tight, &grid);
            if is_inner {
                let own = node.sides.decode(lane, &open.own);
                stack
                    .push((Open { node: first_node + lane, branch, own, depth: open.depth + 1 }, first_leaf));
            } else {
                triangles.push(topology.order[first_leaf]);
            }
        }
        nodes.resize(first_node + inner_count, empty);
        nodes[open.node] = node;
    }
    nodes.shrink_to_fit();
    WideTree { center, root, nodes, triangles, depth, cones: Vec::new(), finest: 0.0 }
}

/// Re-encodes all bounds around the moved triangles of a mesh. Discards the cones.
pub(super) fn refit<const W: usize, B: ChildBounds<W>>(
    tree: &mut WideTree<W, B>,
    mesh: &Mesh,
    scratch: &mut RefitScratch,
) {
    tree.cones.clear();
    let leaf = |leaf: u32| mesh.triangle_bounds(tree.triangles[leaf as usize]);
    // Children come after their parents.
    let RefitScratch { tight, own } = scratch;
    tight.clear();
    tight.resize(tree.nodes.len(), Aabb::EMPTY);
    let bounds_of = |tight: &[Aabb], child: Child| match child {
        Child::Node(index) => tight[index as usize],
        Child::Leaf(index) => leaf(index),
        Child::Root => Aabb::EMPTY,
    };
    for index in (0..tree.nodes.len()).rev() {
        let node = &tree.nodes[index];
        let lanes = 0..usize::from(node.child_count);
        tight[index] = lanes
            .map(|lane| bounds_of(tight, node.child(lane)))
            .fold(Aabb::EMPTY, |all, one| all.union(&one));
    }
    let root = Bounds::around(&bounds_of(tight, tree.top()), tree.center);
    own.clear();
    own.resize(tree.nodes.len(), root.into());
    for index in 0..tree.nodes.len() {
        let mut node = tree.nodes[index];
        let parent = Bounds::from(own[index]);
        for lane in 0..usize::from(node.child_count) {
            let child = node.child(lane);
            let around = Bounds::around(&bounds_of(tight, child), tree.center);
            node.sides.set(lane, &around, &Grid::new(&parent));
            if let Child::Node(below) = child {
                own[below as usize] = node.sides.decode(lane, &parent).into();
            }
        }
        tree.nodes[index] = node;
    }
    tree.root = root;
}

/// Collects the branches that become the children of one node: replaces the largest branch by its two
/// children until there are `W`.
fn gather<'a, const W: usize>(
    topology: &Topology,
    branch: usize,
    first_leaf: usize,
    out: &'a mut [Gathered; W],
) -> &'a [Gathered] {
    let node = |branch: usize, first_leaf: usize| {
        let branch_node = &topology.nodes[branch];
        let surface = if branch_node.is_leaf() { -1.0 } else { half_surface(&branch_node.bounds) };
        Gathered { branch, first_leaf, surface }
    };
    let open = |branch: usize, first_leaf: usize| {
        let [first, second] = topology.nodes[branch].children(branch);
        let middle = first_leaf + topology.nodes[branch].first_count as usize;
        (node(first, first_leaf), node(second, middle))
    };
    (out[0], out[1]) = open(branch, first_leaf);
    let mut count = 2;
    while count < W {
        let mut largest = 0;
        for at in 1..count {
            if out[at].surface > out[largest].surface {
                largest = at;
            }
        }
        let Gathered { branch, first_leaf, surface } = out[largest];
        if surface < 0.0 {
            break;
        }
        (out[largest], out[count]) = open(branch, first_leaf);
        count += 1;
    }
    &out[..count]
}

fn half_surface(bounds: &Aabb) -> f32 {
    let d = bounds.max - bounds.min;
    // The maximum turns NaN into 0, so that a huge box does not count as a leaf.
    (d.x * d.y + d.y * d.z + d.z * d.x).max(0.0)
}
