//! Simultaneous descent of two wide boxtrees, deepest overlap first: of the overlapping pairs of
//! children, the pair that must move farthest to separate is opened next, so that a query for one
//! intersection finds it early. The descent ends in blocks of triangles against blocks, like the leaves
//! of ray tracers (Wald and others 2014, "Embree"), so that no nodes are opened for one or two triangle
//! pairs. Binary trees have their own descent, `descend`; the test `trees_agree` compares both.
//!
//! ```text
//! open pair ─▶ child packet of a × child packet of b ─▶ SIMD test ─▶ few triangles: block ─▶ `found`
//!     ▲                                                           └▶ more: open pair ─┐
//!     └──────────────────────────────── stack, deepest on top ◀───────────────────────┘
//! ```

use std::ops::ControlFlow;

use glam::DVec3;

use super::bounds::{Bounds, ChildBounds, Exact, Offsets};
use super::cones::{ChildCones, FacingReach};
use super::encode::encode;
use super::kernel::{Boxes, ChildPacket, OverlapMasks, PAIR, STEP, Transform, alone};
use super::lanes::Lanes;
use super::layout::{Child, WideTree};
use crate::arrays::MapEach;
use crate::mesh::{Cones, Mesh, PackedCone};
use crate::pose::Pose;
use crate::tree::build::Topology;
use crate::tree::kind::Kind;
use crate::tree::limit::{Start, Stop};
use crate::tree::search::{Counts, Goal, Search};
use crate::volume::Aabb;
use fearless_simd::{Level, dispatch};

/// Number of triangle pairs from which `found` is called.
const BATCH: usize = 8;
/// Largest number of triangle pairs below two nodes that are reported without testing their boxes. The
/// triangle test takes 8 pairs at once, and costs less than opening two nodes.
pub(super) const BLOCK: usize = 8;
/// Number of failed triangle pairs in one region after which another region is tried. A smaller number
/// leaves promising regions too soon. A larger one wastes time where long triangles cross each other's
/// boxes but do not intersect.
const PATIENCE: usize = 24 * BLOCK;

/// A pair of nodes, or a node and a leaf, whose children were tested against each other. Open pairs
/// refer to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion<const W: usize> {
    pub a: Child,
    pub b: Child,
    pub boxes_a: Boxes<W>,
    pub boxes_b: Boxes<W>,
    pub cones_a: [PackedCone; W],
    pub cones_b: [PackedCone; W],
}

/// A pair of overlapping children with more than a block of triangle pairs below, not yet opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub expansion: u32,
    pub lane_a: u8,
    pub lane_b: u8,
}

/// Memory of a descent. The caller keeps it, so that it grows only once.
pub struct Stack<const W: usize> {
    pub(super) expansions: Vec<Expansion<W>>,
    open: Vec<Open>,
    /// Open pairs of a search for the nearest triangles, each with a lower bound of its squared
    /// distance, m².
    pub(super) ranked: Vec<(f32, Open)>,
    pub(super) pairs: Vec<[u32; 2]>,
}

impl<const W: usize> Default for Stack<W> {
    fn default() -> Self {
        Self { expansions: Vec::new(), open: Vec::new(), ranked: Vec::new(), pairs: Vec::new() }
    }
}

macro_rules! traverse {
    ($arity:literal, $sides:ty) => {
        impl Kind for WideTree<$arity, $sides> {
            type Form = ();
            type Stack = Stack<$arity>;

            fn new(topology: &Topology, _: &Mesh, (): ()) -> Self {
                encode(topology)
            }

            fn visit(
                trees: [&Self; 2],
                search: &Search,
                stack: &mut Stack<$arity>,
                counts: &mut Counts,
                found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
            ) -> ControlFlow<Stop> {
                dispatch!(Level::new(), simd => down(simd, trees, search, stack, counts, found))
            }
        }
    };
}

traverse!(4, Offsets<4>);
traverse!(8, Offsets<8>);
traverse!(8, Exact<8>);

/// Transformations between the frames of two trees, in both directions. Each frame is about its tree's
/// center.
pub(super) struct Transforms {
    pub a_to_b: Transform,
    pub b_to_a: Transform,
}

/// A pair of nodes to be opened.
struct NodePair {
    parents: [Child; 2],
    boxes: [Bounds; 2],
    cones: [PackedCone; 2],
}

impl NodePair {
    /// Virtual parents of both roots.
    const ROOTS: Self = Self {
        parents: [Child::Root; 2],
        boxes: [Bounds { low: [0.0; 3], high: [0.0; 3] }; 2],
        cones: [PackedCone::ALL; 2],
    };
}

/// Parameters of a descent that do not change during the descent.
struct Descent<'a, S, const W: usize, B> {
    simd: S,
    trees: [&'a WideTree<W, B>; 2],
    /// Transformations that enlarge boxes by the margin.
    grown: Transforms,
    /// Transformations that enlarge boxes only by the rounding error and the facing filter's motion.
    as_is: Transforms,
    /// Parameters of the facing filter, if both trees have valid normal cones.
    reach: Option<FacingReach>,
    /// Whether the new pair with the deepest overlap is opened next.
    deepest_first: bool,
}

/// Children of a pair of nodes.
struct Children<'a, S: Lanes<W>, const W: usize> {
    packets: &'a [ChildPacket<S, W>; 2],
    cones: &'a [[PackedCone; W]; 2],
    /// Whether the packets are not enlarged by the margin, because the boxes are wide.
    is_wide: bool,
}

/// Reports triangle pairs of two trees to `found` until the search's goal is reached.
#[inline(always)]
fn down<S: Lanes<W>, const W: usize, B: ChildBounds<W>>(
    simd: S,
    trees: [&WideTree<W, B>; 2],
    search: &Search,
    stack: &mut Stack<W>,
    counts: &mut Counts,
    found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
) -> ControlFlow<Stop> {
    let descent = Descent::new(simd, trees, search);
    let (mut masks, mut facing) = (OverlapMasks::none(simd), OverlapMasks::none(simd));
    stack.pairs.clear();
    let (mut test_count, mut step_count) = (0, 0);
    let mut failed_count = 0;
    let mut in_order = true;
    let mut stop = None;
    let mut allowed = search.limit.node_tests();
    let mut roots = None;
    if search.start == Start::Roots {
        stack.expansions.clear();
        stack.open.clear();
        roots = Some(NodePair::ROOTS);
    }
    loop {
        let next = match roots.take() {
            Some(roots) => roots,
            None if !stack.open.is_empty() && test_count as u64 >= allowed => {
                stop = Some(Stop::Limit { open_pairs: stack.open.len() as u64 });
                break;
            }
            None => match stack.pop(trees, in_order) {
                Some(next) => next,
                None => break,
            },
        };
        let is_wide = descent.is_wide(&next);
        let packets = descent.packets(&next, is_wide);
        let cones = descent.cones(&next);
        let children = Children { packets: &packets, cones: &cones, is_wide };
        let [count_a, count_b] = [packets[0].count(), packets[1].count()];
        test_count += count_a * count_b;
        step_count += count_a + count_b;
        descent.test(&next, &children, [&mut masks, &mut facing]);
        descent.push(next.parents, &children, &masks, stack);
        if stack.pairs.len() >= BATCH {
            if found(&stack.pairs).is_break() {
                stop = Some(Stop::Enough);
                stack.pairs.clear();
                break;
            }
            allowed = search.limit.node_tests();
            failed_count += stack.pairs.len();
            stack.pairs.clear();
            if matches!(search.goal, Goal::First(_)) && failed_count > PATIENCE && stack.open.len() > 1 {
                // The oldest open pair has the largest boxes.
                failed_count = 0;
                in_order = false;
                stack.open.rotate_left(1);
            }
        }
    }
    counts.node_test_count += test_count as u64;
    counts.node_step_count += step_count as u64;
    counts.operations.add(PAIR, test_count as u64);
    counts.operations.add(STEP, step_count as u64);
    if !stack.pairs.is_empty() && found(&stack.pairs).is_break() {
        stop = Some(Stop::Enough);
    }
    stop.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

impl<const W: usize> Stack<W> {
    /// Takes the pair on top of the stack. `in_order`: whether the stack was never rotated. If so,
    /// expansions after that of the new top have no open pairs left and are dropped.
    #[inline(always)]
    fn pop<B: ChildBounds<W>>(&mut self, [a, b]: [&WideTree<W, B>; 2], in_order: bool) -> Option<NodePair> {
        let pair = self.open.pop()?;
        let from = &self.expansions[pair.expansion as usize];
        let (lane_a, lane_b) = (usize::from(pair.lane_a), usize::from(pair.lane_b));
        let next = NodePair {
            parents: [a.child(from.a, lane_a), b.child(from.b, lane_b)],
            boxes: [from.boxes_a.sides(lane_a), from.boxes_b.sides(lane_b)],
            cones: [from.cones_a[lane_a], from.cones_b[lane_b]],
        };
        if in_order && let Some(top) = self.open.last() {
            self.expansions.truncate(top.expansion as usize + 1);
        }
        Some(next)
    }
}

impl<'a, S: Lanes<W>, const W: usize, B: ChildBounds<W>> Descent<'a, S, W, B> {
    #[inline(always)]
    fn new(simd: S, trees: [&'a WideTree<W, B>; 2], search: &Search) -> Self {
        let grown = transforms(trees, search.b_to_a, search.margin);
        let beside = search.margin - search.facing.map_or(0.0, |facing| facing.moved);
        let as_is = Transforms { a_to_b: grown.a_to_b.ungrown(beside), b_to_a: grown.b_to_a.ungrown(beside) };
        let reach = reach(trees, search);
        Self { simd, trees, grown, as_is, reach, deepest_first: search.goal != Goal::All }
    }

    /// Tests all children of one node against all children of the other. Writes the result to `masks`;
    /// `facing` is a buffer.
    #[inline(always)]
    fn test(
        &self,
        next: &NodePair,
        &Children { packets, cones, is_wide }: &Children<S, W>,
        [masks, facing]: [&mut OverlapMasks<S, W>; 2],
    ) {
        match &self.reach {
            Some(reach) if is_wide => self.facing(packets, cones, reach, masks),
            Some(reach) => {
                packets[0].meet(self.simd, &packets[1], self.grown.a_to_b.growth(), masks);
                // Flat faces of slivers are near each other in most pairs, but most of those pairs face
                // away from each other.
                if 2 * masks.count() > packets[0].count() * packets[1].count() {
                    self.facing(&self.packets(next, true), cones, reach, facing);
                    masks.keep(facing);
                }
            }
            None => packets[0].meet(self.simd, &packets[1], self.grown.a_to_b.growth(), masks),
        }
    }

    /// Returns whether the boxes of two nodes are so wide that the facing filter tests their children.
    #[inline(always)]
    fn is_wide(&self, next: &NodePair) -> bool {
        self.reach.as_ref().is_some_and(|reach| reach.is_wide(&next.boxes[0], &next.boxes[1]))
    }

    /// Returns the normal cones of the children of both nodes.
    #[inline(always)]
    fn cones(&self, next: &NodePair) -> [[PackedCone; W]; 2] {
        if self.reach.is_none() {
            return [[PackedCone::ALL; W]; 2];
        }
        let [a, b] = self.trees;
        [a.cones(next.parents[0], next.cones[0]), b.cones(next.parents[1], next.cones[1])]
    }

    /// Returns the children of both nodes, enlarged by the margin unless they are `wide`. A method and not a
    /// closure: a closure would be compiled without the instruction set that [`dispatch`] selects.
    #[inline(always)]
    fn packets(&self, next: &NodePair, wide: bool) -> [ChildPacket<S, W>; 2] {
        let transforms = if wide { &self.as_is } else { &self.grown };
        let [a, b] = self.trees;
        let ([parent_a, parent_b], [box_a, box_b]) = (next.parents, &next.boxes);
        [
            a.packet(self.simd, parent_a, box_a, &transforms.a_to_b),
            b.packet(self.simd, parent_b, box_b, &transforms.b_to_a),
        ]
    }

    /// Returns the pairs of children that face each other within reach. `packets` must not be enlarged
    /// by the margin.
    #[inline(always)]
    fn facing(
        &self,
        packets: &[ChildPacket<S, W>; 2],
        cones: &[[PackedCone; W]; 2],
        reach: &FacingReach,
        masks: &mut OverlapMasks<S, W>,
    ) {
        let child_cones_a = ChildCones::of(self.simd, &packets[0], &cones[0], &self.as_is.a_to_b, reach);
        let child_cones_b = ChildCones::of(self.simd, &packets[1], &cones[1], &self.as_is.b_to_a, reach);
        packets[0].meet_facing(self.simd, &child_cones_a, &packets[1], &child_cones_b, reach, masks);
    }

    /// Pushes the overlapping pairs of children. Pairs with few triangles below become blocks; the
    /// remaining pairs become open pairs.
    #[inline(always)]
    fn push(
        &self,
        parents: [Child; 2],
        &Children { packets, cones, .. }: &Children<S, W>,
        masks: &OverlapMasks<S, W>,
        stack: &mut Stack<W>,
    ) {
        let [a, b] = self.trees;
        let [parent_a, parent_b] = parents;
        let before = stack.open.len();
        let expansion = stack.expansions.len() as u32;
        let mut deepest = (f32::NEG_INFINITY, before);
        for (row, mut lanes) in masks.rows() {
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let (lane_a, lane_b) = if masks.is_swapped { (lane, row) } else { (row, lane) };
                let children = [a.child(parent_a, lane_a), b.child(parent_b, lane_b)];
                if a.add_block(b, children, &mut stack.pairs) {
                    continue;
                }
                if self.deepest_first && masks.depth(row, lane) > deepest.0 {
                    deepest = (masks.depth(row, lane), stack.open.len());
                }
                stack.open.push(Open { expansion, lane_a: lane_a as u8, lane_b: lane_b as u8 });
            }
        }
        if stack.open.len() > before {
            let (boxes_a, boxes_b) = (packets[0].boxes(), packets[1].boxes());
            let [cones_a, cones_b] = *cones;
            stack.expansions.push(Expansion { a: parent_a, b: parent_b, boxes_a, boxes_b, cones_a, cones_b });
            if self.deepest_first {
                let last = stack.open.len() - 1;
                stack.open.swap(deepest.1, last);
            }
        }
    }
}

/// Returns the facing filter's parameters if both trees have normal cones and these are valid at this
/// scale.
fn reach<const W: usize, B: ChildBounds<W>>(
    [a, b]: [&WideTree<W, B>; 2],
    search: &Search,
) -> Option<FacingReach> {
    let facing = search.facing.as_ref().filter(|_| !a.cones.is_empty() && !b.cones.is_empty())?;
    // Rounding of transformed vertices rotates edges that are short compared with their distance from
    // the origin.
    let far = |tree: &WideTree<W, B>| Aabb::from(tree.root).diagonal() + tree.center.abs().max_element();
    let size = f64::from(far(a) + far(b)) + search.b_to_a.position.abs().max_element();
    Cones::hold_at(a.finest.min(b.finest), size).then(|| FacingReach::new(facing, search.margin))
}

impl<const W: usize, B: ChildBounds<W>> WideTree<W, B> {
    /// Returns the children of a node, with their bounds in the other frame as well. A leaf counts as
    /// its own only child.
    #[inline(always)]
    pub(super) fn packet<S: Lanes<W>>(
        &self,
        simd: S,
        parent: Child,
        own: &Bounds,
        transform: &Transform,
    ) -> ChildPacket<S, W> {
        // Only the sides depend on the parent. Whole packets from each case would be copied.
        let (sides, count) = match parent {
            Child::Node(index) => {
                let node = &self.nodes[index as usize];
                (node.sides.rows(simd, own), usize::from(node.child_count))
            }
            Child::Leaf(_) => (alone(simd, own), 1),
            Child::Root => (alone(simd, &self.root), 1),
        };
        ChildPacket::carried(simd, sides, count, transform)
    }

    /// Appends the triangle pairs below two children, one of this tree and one of `other`, if there are
    /// at most [`BLOCK`]. Returns whether it did.
    #[inline(always)]
    pub(super) fn add_block(&self, other: &Self, [a, b]: [Child; 2], pairs: &mut Vec<[u32; 2]>) -> bool {
        let (Some(of_a), Some(of_b)) = (self.block(a), other.block(b)) else { return false };
        let is_small = of_a.len() * of_b.len() <= BLOCK;
        if is_small {
            for &ta in of_a {
                for &tb in of_b {
                    pairs.push([ta, tb]);
                }
            }
        }
        is_small
    }

    /// Returns a reference to the child of `parent` in a lane.
    #[inline(always)]
    pub(super) fn child(&self, parent: Child, lane: usize) -> Child {
        match parent {
            Child::Node(index) => self.nodes[index as usize].child(lane),
            Child::Leaf(_) => parent,
            Child::Root => self.top(),
        }
    }
}

/// Returns the transformations between two trees. They enlarge boxes by `margin` (m) and by a bound of
/// the rounding errors of `f32`.
pub(super) fn transforms<const W: usize, B>(
    [a, b]: [&WideTree<W, B>; 2],
    b_to_a: &Pose,
    margin: f64,
) -> Transforms {
    let rotation = b_to_a.rotation_matrix();
    let (center_a, center_b) = (a.center.as_dvec3(), b.center.as_dvec3());
    let carried = b_to_a.transform_point(center_b);
    let translation = carried - center_a;
    let reach = |s: &Bounds| {
        let [low, high] = [s.low, s.high].map_each(|v| DVec3::from(v.map_each(f64::from)).abs());
        2.0 * low.max(high).length()
    };
    // A coordinate is rounded about 8 times, each time by less than half a unit in the last place of
    // the largest intermediate value. 16 units are twice that. The translation was rounded in `f64`
    // before.
    let size = translation.abs().max_element() + reach(&a.root) + reach(&b.root) + margin;
    let far =
        center_a.abs().max_element() + center_b.abs().max_element() + b_to_a.position.abs().max_element();
    let growth = margin + 16.0 * f64::from(f32::EPSILON) * size + 16.0 * f64::EPSILON * far;
    let inverse = rotation.transpose();
    Transforms {
        a_to_b: Transform::new(&inverse, -(inverse * translation), growth),
        b_to_a: Transform::new(&rotation, translation, growth),
    }
}
