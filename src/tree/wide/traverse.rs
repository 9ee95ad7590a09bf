//! Down a pair of wide boxtrees, deepest overlap first: of the pairs of children that overlap, the one that
//! would have to move farthest to come apart is looked at next, so that a pair of triangles that intersect is
//! found early. It ends in blocks of triangles against blocks, as leaves of ray tracers hold them (Wald and
//! others 2014, "Embree"): few nodes are opened for a pair or two. Beside the one `descend`, as its nodes
//! have many children; `trees_agree` compares the two.

use std::ops::ControlFlow;

use glam::DVec3;

use super::cones::{Reach, Ways};
use super::encode::encode;
use super::kernel::{Boxes, Carry, Family, Meeting, PAIR, STEP};
use super::lanes::Lanes;
use super::layout::{Child, WideTree};
use super::sides::{ChildSides, Exact, Offsets, Sides};
use crate::arrays::MapEach;
use crate::mesh::{Cones, Mesh, PackedCone};
use crate::pose::Pose;
use crate::tree::build::Topology;
use crate::tree::kind::Kind;
use crate::tree::limit::{Start, Stop};
use crate::tree::search::{Counts, Goal, Search};
use crate::volume::Aabb;
use fearless_simd::{Level, dispatch};

/// Pairs of triangles shown at once, if there are so many.
const BATCH: usize = 8;
/// Pairs of triangles below two nodes that are shown without a look at their boxes: what judges pairs takes
/// as many at once, and opening two nodes costs more than that.
pub(super) const BLOCK: usize = 8;
/// Pairs that may fail in one place before another is tried, two dozen blocks: fewer leave good places too
/// soon, more are lost where long triangles cross each other's boxes and do not meet.
const PATIENCE: usize = 24 * BLOCK;

/// Two nodes, or a node and a leaf, whose children were tested against each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion<const W: usize> {
    pub a: Child,
    pub b: Child,
    pub boxes_a: Boxes<W>,
    pub boxes_b: Boxes<W>,
    pub cones_a: [PackedCone; W],
    pub cones_b: [PackedCone; W],
}

/// A pair of children that overlap and are not both leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub expansion: u32,
    pub lane_a: u8,
    pub lane_b: u8,
}

/// Kept by the caller so that it grows once.
pub struct Stack<const W: usize> {
    pub(super) expansions: Vec<Expansion<W>>,
    open: Vec<Open>,
    /// With the square of how far each pair is apart at least, m².
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

#[inline(always)]
fn down<S: Lanes<W>, const W: usize, B: ChildSides<W>>(
    simd: S,
    trees: [&WideTree<W, B>; 2],
    search: &Search,
    stack: &mut Stack<W>,
    counts: &mut Counts,
    found: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
) -> ControlFlow<Stop> {
    let [a, b] = trees;
    let reach = reach(trees, search);
    let (a_to_b, b_to_a) = carries(trees, search.b_to_a, search.margin);
    let beside = search.margin - search.facing.map_or(0.0, |facing| facing.moved);
    let (a_to_b_as_is, b_to_a_as_is) = (a_to_b.ungrown(beside), b_to_a.ungrown(beside));
    let knows_cones = reach.is_some();
    let goal = search.goal;
    let Stack { expansions, open, pairs, .. } = stack;
    pairs.clear();
    let (mut test_count, mut step_count) = (0, 0);
    let mut failed_count = 0;
    let mut in_order = true;
    let mut stop = None;
    let mut allowed = search.limit.node_tests();
    let deepest_first = goal != Goal::All;
    // The roots are the only children of nothing.
    let mut first = None;
    if search.start == Start::Roots {
        expansions.clear();
        open.clear();
        first = Some((
            (Child::Root, Child::Root),
            (Sides::default(), Sides::default()),
            (PackedCone::ALL, PackedCone::ALL),
        ));
    }
    loop {
        let ((parent_a, parent_b), (box_a, box_b), (cone_a, cone_b)) = match (first.take(), open.last()) {
            (Some(roots), _) => roots,
            (None, None) => break,
            (None, Some(_)) if test_count as u64 >= allowed => {
                stop = Some(Stop::Limit { open_pairs: open.len() as u64 });
                break;
            }
            (None, Some(&pair)) => {
                open.pop();
                let Expansion { a: parent_a, b: parent_b, boxes_a, boxes_b, cones_a, cones_b } =
                    &expansions[pair.expansion as usize];
                let (lane_a, lane_b) = (usize::from(pair.lane_a), usize::from(pair.lane_b));
                let (child_a, child_b) = (a.child(*parent_a, lane_a), b.child(*parent_b, lane_b));
                let boxes = (boxes_a.sides(lane_a), boxes_b.sides(lane_b));
                let next = ((child_a, child_b), boxes, (cones_a[lane_a], cones_b[lane_b]));
                if in_order && let Some(top) = open.last() {
                    // Later expansions have no pairs left.
                    expansions.truncate(top.expansion as usize + 1);
                }
                next
            }
        };
        let is_wide = reach.as_ref().is_some_and(|reach| reach.is_wide(&box_a, &box_b));
        let as_is = (&a_to_b_as_is, &b_to_a_as_is);
        let (into_b, into_a) = if is_wide { as_is } else { (&a_to_b, &b_to_a) };
        let family_a = a.family(simd, parent_a, &box_a, into_b);
        let family_b = b.family(simd, parent_b, &box_b, into_a);
        test_count += family_a.count() * family_b.count();
        step_count += family_a.count() + family_b.count();
        let (mut cones_a, mut cones_b) = ([PackedCone::ALL; W], [PackedCone::ALL; W]);
        if knows_cones {
            (cones_a, cones_b) = (a.cones(parent_a, cone_a), b.cones(parent_b, cone_b));
        }
        let meeting = match &reach {
            Some(reach) if is_wide => {
                facing(simd, [&family_a, &family_b], [&cones_a, &cones_b], as_is, reach)
            }
            Some(reach) => {
                let mut meeting = family_a.meet(simd, &family_b);
                // Where most come near each other, as slivers of flat faces do, many face another way.
                if 2 * meeting.count() > family_a.count() * family_b.count() {
                    let family_a = a.family(simd, parent_a, &box_a, as_is.0);
                    let family_b = b.family(simd, parent_b, &box_b, as_is.1);
                    let families = [&family_a, &family_b];
                    meeting.keep(&facing(simd, families, [&cones_a, &cones_b], as_is, reach));
                }
                meeting
            }
            None => family_a.meet(simd, &family_b),
        };
        let before = open.len();
        let expansion = expansions.len() as u32;
        let mut deepest = (f32::NEG_INFINITY, before);
        for (row, mut lanes) in meeting.rows() {
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let (lane_a, lane_b) = if meeting.is_turned { (lane, row) } else { (row, lane) };
                let children = [a.child(parent_a, lane_a), b.child(parent_b, lane_b)];
                if a.add_block(b, children, pairs) {
                    continue;
                }
                if deepest_first && meeting.depth(row, lane) > deepest.0 {
                    deepest = (meeting.depth(row, lane), open.len());
                }
                open.push(Open { expansion, lane_a: lane_a as u8, lane_b: lane_b as u8 });
            }
        }
        if open.len() > before {
            let (boxes_a, boxes_b) = (family_a.boxes(), family_b.boxes());
            expansions.push(Expansion { a: parent_a, b: parent_b, boxes_a, boxes_b, cones_a, cones_b });
            if deepest_first {
                let last = open.len() - 1;
                open.swap(deepest.1, last);
            }
        }
        if pairs.len() >= BATCH {
            if found(pairs).is_break() {
                stop = Some(Stop::Enough);
                pairs.clear();
                break;
            }
            allowed = search.limit.node_tests();
            failed_count += pairs.len();
            pairs.clear();
            if matches!(goal, Goal::First(_)) && failed_count > PATIENCE && open.len() > 1 {
                // The pair that has waited longest is the largest.
                failed_count = 0;
                in_order = false;
                open.rotate_left(1);
            }
        }
    }
    counts.node_test_count += test_count as u64;
    counts.node_step_count += step_count as u64;
    counts.operations.add(PAIR, test_count as u64);
    counts.operations.add(STEP, step_count as u64);
    if !pairs.is_empty() && found(pairs).is_break() {
        stop = Some(Stop::Enough);
    }
    stop.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

/// Which children face each other within reach, of families that were not grown.
#[inline(always)]
fn facing<S: Lanes<W>, const W: usize>(
    simd: S,
    [family_a, family_b]: [&Family<S, W>; 2],
    [cones_a, cones_b]: [&[PackedCone; W]; 2],
    (a_to_b, b_to_a): (&Carry, &Carry),
    reach: &Reach,
) -> Meeting<S, W> {
    let ways_a = Ways::of(simd, family_a, cones_a, a_to_b, reach);
    let ways_b = Ways::of(simd, family_b, cones_b, b_to_a, reach);
    family_a.meet_facing(simd, &ways_a, (family_b, &ways_b), reach)
}

/// How near what faces must be, where it matters and both trees know.
fn reach<const W: usize, B: ChildSides<W>>([a, b]: [&WideTree<W, B>; 2], search: &Search) -> Option<Reach> {
    let facing = search.facing.as_ref().filter(|_| !a.cones.is_empty() && !b.cones.is_empty())?;
    // Where edges are so short that carrying their ends turns them, nothing is known of their directions.
    let far = |tree: &WideTree<W, B>| Aabb::from(tree.root).diagonal() + tree.center.abs().max_element();
    let size = f64::from(far(a) + far(b)) + search.b_to_a.position.abs().max_element();
    Cones::hold_at(a.finest.min(b.finest), size).then(|| Reach::new(facing, search.margin))
}

impl<const W: usize, B: ChildSides<W>> WideTree<W, B> {
    /// The children of a node; a leaf stands for itself.
    #[inline(always)]
    pub(super) fn family<S: Lanes<W>>(
        &self,
        simd: S,
        parent: Child,
        own: &Sides,
        carry: &Carry,
    ) -> Family<S, W> {
        match parent {
            Child::Node(index) => Family::of(simd, &self.nodes[index as usize], own, carry),
            Child::Leaf(_) => Family::alone(simd, own, carry),
            Child::Root => Family::alone(simd, &self.root, carry),
        }
    }

    /// Appends the pairs of triangles below two children (one of this tree, one of another), unless there are
    /// too many to be shown without a look at what is between; whether it did.
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

    #[inline(always)]
    pub(super) fn child(&self, parent: Child, lane: usize) -> Child {
        match parent {
            Child::Node(index) => self.nodes[index as usize].child(lane),
            Child::Leaf(_) => parent,
            Child::Root => self.top(),
        }
    }
}

/// From a's frame to b's and back, each about the trees' centres, grown by the margin and by more than `f32`
/// rounds in a family.
pub(super) fn carries<const W: usize, B>(
    [a, b]: [&WideTree<W, B>; 2],
    b_to_a: &Pose,
    margin: f64,
) -> (Carry, Carry) {
    let rotation = b_to_a.rotation_matrix();
    let (center_a, center_b) = (a.center.as_dvec3(), b.center.as_dvec3());
    let carried = b_to_a.transform_point(center_b);
    let translation = carried - center_a;
    let reach = |s: &Sides| {
        let [low, high] = [s.low, s.high].map_each(|v| DVec3::from(v.map_each(f64::from)).abs());
        2.0 * low.max(high).length()
    };
    // A coordinate passes some 8 roundings, each below half a unit in the last place of the largest number
    // on its way; twice that. The translation itself was rounded in `f64`.
    let size = translation.abs().max_element() + reach(&a.root) + reach(&b.root) + margin;
    let far =
        center_a.abs().max_element() + center_b.abs().max_element() + b_to_a.position.abs().max_element();
    let growth = margin + 16.0 * f64::from(f32::EPSILON) * size + 16.0 * f64::EPSILON * far;
    let inverse = rotation.transpose();
    (Carry::new(&inverse, -(inverse * translation), growth), Carry::new(&rotation, translation, growth))
}
