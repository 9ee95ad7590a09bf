//! Overlap tests by face axes. Axis alignment tests the three axes of a; SAT lite tests the six axes of
//! both boxes. \[boxtree\] §3.2.1, §3.2.4
//!
//! Each node has its box in its own frame, and the axis-aligned bounds of that box in the other tree's
//! frame. If one side moves by c along the axis b, three of the six bounds in the other frame move by
//! c·b. The margin is added to the roots' bounds in the other frame, so that every node inherits it.
//! Conservative: the roots are padded by more than the accumulated `f32` rounding of all moves down a
//! path.

use glam::{BVec3A, DMat3, Vec3A};

use super::node::BoxNode;
use super::overlap::{OverlapTest, TreeSide};
use crate::arrays::MapEach;
use crate::pose::Pose;
use crate::tree::search::Search;
use crate::volume::{Aabb, Operations};

const AXES: [BVec3A; 3] =
    [BVec3A::new(true, false, false), BVec3A::new(false, true, false), BVec3A::new(false, false, true)];

/// Boxes of a node in both trees' frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TumbledBox {
    /// Box in the node's own frame.
    pub min: Vec3A,
    pub max: Vec3A,
    /// Bounds of this box in the other tree's frame, enlarged by the margin.
    pub other_min: Vec3A,
    pub other_max: Vec3A,
}

/// Axes of one frame in the other frame, with positive and negative components separated.
struct Axes {
    positive: [Vec3A; 3],
    negative: [Vec3A; 3],
}

impl Axes {
    fn new(m: &DMat3) -> Self {
        let columns = [m.x_axis, m.y_axis, m.z_axis].map_each(|c| Vec3A::from(c.as_vec3()));
        Self {
            positive: columns.map_each(|c| c.max(Vec3A::ZERO)),
            negative: columns.map_each(|c| c.min(Vec3A::ZERO)),
        }
    }
}

/// Root box of a tree, and the largest number of moved sides below it.
pub(super) type Root = (Aabb, u32);

/// Returns the roots' boxes in both frames, a's first.
pub(super) fn roots(a: Root, b: Root, search: &Search) -> [TumbledBox; 2] {
    let pad = padding(a, b, search.b_to_a, search.margin);
    let root = |own: Aabb, pose: &Pose| {
        let other = own.transformed(pose).inflated(search.margin + pad);
        TumbledBox {
            min: own.min.into(),
            max: own.max.into(),
            other_min: other.min.into(),
            other_max: other.max.into(),
        }
    };
    [root(a.0, &search.b_to_a.inverse()), root(b.0, search.b_to_a)]
}

/// Returns a length greater than the accumulated `f32` rounding of all moves down a path, m.
pub(super) fn padding(a: Root, b: Root, b_to_a: &Pose, margin: f64) -> f64 {
    let size = f64::from(a.0.diagonal() + b.0.diagonal());
    let origin = |root: Aabb| f64::from(root.center().abs().max_element());
    let reach = b_to_a.position.abs().max_element() + size + origin(a.0) + origin(b.0);
    // A side moves at most once per level. Each move rounds the coordinate and the product: two units
    // in the last place of the largest coordinate. Eight more levels cover the set-up.
    2.0 * f64::from(f32::EPSILON) * f64::from(a.1 + b.1 + 8) * (reach + margin)
}

impl TumbledBox {
    /// Returns the box in the node's own frame.
    pub fn own(&self) -> Aabb {
        Aabb::new(self.min.into(), self.max.into())
    }

    /// Moves one side of the own box. Returns the result and the distance moved.
    #[inline(always)]
    pub fn restricted(&self, node: BoxNode) -> (Self, f32) {
        let (axis, plane) = (node.axis(), Vec3A::splat(node.plane));
        let mut own = *self;
        if node.upper_side() {
            own.max = Vec3A::select(AXES[axis], plane, own.max);
            (own, self.max[axis] - node.plane)
        } else {
            own.min = Vec3A::select(AXES[axis], plane, own.min);
            (own, node.plane - self.min[axis])
        }
    }

    /// Moves three of the six bounds in the other frame. `positive` and `negative`: the positive and
    /// negative components of the side's motion in that frame.
    #[inline(always)]
    pub fn cut_other(&mut self, node: BoxNode, positive: Vec3A, negative: Vec3A) {
        if node.upper_side() {
            self.other_max -= positive;
            self.other_min -= negative;
        } else {
            self.other_min += positive;
            self.other_max += negative;
        }
    }
}

/// Returns whether one box lies strictly beyond the other on some axis. Touching boxes and NaN count as
/// overlapping.
#[inline(always)]
pub(super) fn apart(min_a: Vec3A, max_a: Vec3A, min_b: Vec3A, max_b: Vec3A) -> bool {
    (min_a.cmpgt(max_b) | min_b.cmpgt(max_a)).any()
}

/// Returns the overlap of two boxes along the axis on which it is smallest, m.
#[inline(always)]
pub(super) fn depth(min_a: Vec3A, max_a: Vec3A, min_b: Vec3A, max_b: Vec3A) -> f32 {
    (max_a - min_b).min(max_b - min_a).min_element()
}

/// Test on the six face axes of both boxes.
pub(crate) struct SatLite {
    roots: [TumbledBox; 2],
    a_in_b: Axes,
    b_in_a: Axes,
}

impl SatLite {
    pub fn new(a: Root, b: Root, search: &Search) -> Self {
        let rotation = search.b_to_a.rotation_matrix();
        Self {
            roots: roots(a, b, search),
            a_in_b: Axes::new(&rotation.transpose()),
            b_in_a: Axes::new(&rotation),
        }
    }
}

impl OverlapTest for SatLite {
    type Carried = TumbledBox;
    /// The distance that the side moved, and three bounds in the other frame.
    const STEP_A: Operations = Operations::new(3, 4, 0);
    const STEP_B: Operations = Self::STEP_A;
    /// Six axes, two ends each.
    const PAIR: Operations = Operations::new(0, 0, 12);

    fn root(&self, side: TreeSide) -> TumbledBox {
        self.roots[side as usize]
    }

    #[inline(always)]
    fn step(&self, side: TreeSide, parent: &TumbledBox, node: BoxNode, _: u32) -> TumbledBox {
        let (mut own, cut) = parent.restricted(node);
        let axes = if side == TreeSide::A { &self.a_in_b } else { &self.b_in_a };
        own.cut_other(node, cut * axes.positive[node.axis()], cut * axes.negative[node.axis()]);
        own
    }

    #[inline(always)]
    fn overlap(&self, a: &TumbledBox, b: &TumbledBox) -> bool {
        !apart(a.min, a.max, b.other_min, b.other_max) && !apart(b.min, b.max, a.other_min, a.other_max)
    }

    #[inline(always)]
    fn depth(&self, a: &TumbledBox, b: &TumbledBox) -> f32 {
        let in_a = depth(a.min, a.max, b.other_min, b.other_max);
        in_a.min(depth(b.min, b.max, a.other_min, a.other_max))
    }
}

/// Test on the three axes of a's frame: half of SAT lite.
pub(crate) struct Alignment {
    roots: [TumbledBox; 2],
    b_in_a: Axes,
}

impl Alignment {
    pub fn new(a: Root, b: Root, search: &Search) -> Self {
        Self { roots: roots(a, b, search), b_in_a: Axes::new(&search.b_to_a.rotation_matrix()) }
    }
}

impl OverlapTest for Alignment {
    type Carried = TumbledBox;
    /// A step of a node of a only replaces one plane.
    const STEP_A: Operations = Operations::new(0, 0, 0);
    const STEP_B: Operations = SatLite::STEP_B;
    /// Three axes, two ends each.
    const PAIR: Operations = Operations::new(0, 0, 6);

    fn root(&self, side: TreeSide) -> TumbledBox {
        self.roots[side as usize]
    }

    #[inline(always)]
    fn step(&self, side: TreeSide, parent: &TumbledBox, node: BoxNode, _: u32) -> TumbledBox {
        let (mut own, cut) = parent.restricted(node);
        if side == TreeSide::B {
            let axis = node.axis();
            own.cut_other(node, cut * self.b_in_a.positive[axis], cut * self.b_in_a.negative[axis]);
        }
        own
    }

    #[inline(always)]
    fn overlap(&self, a: &TumbledBox, b: &TumbledBox) -> bool {
        !apart(a.min, a.max, b.other_min, b.other_max)
    }

    #[inline(always)]
    fn depth(&self, a: &TumbledBox, b: &TumbledBox) -> f32 {
        depth(a.min, a.max, b.other_min, b.other_max)
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3, Vec3};

    use super::*;
    use crate::generate;
    use crate::mesh::Mesh;
    use crate::tree::boxtree::node::Below;
    use crate::tree::boxtree::{Boxtree, Shrink, emit};
    use crate::tree::build::{self, SplitRule};

    /// Tests every node of one tree. The bounds in the other frame must contain the node's own box,
    /// transformed in `f64` and enlarged by the margin, and exceed it by no more than the padding.
    /// Returns the number of nodes.
    fn walk(tree: &Boxtree, side: TreeSide, test: &SatLite, search: &Search, pad: f64) -> usize {
        let pose = if side == TreeSide::A { search.b_to_a.inverse() } else { *search.b_to_a };
        let m = pose.rotation_matrix();
        let mut stack = vec![(0, test.root(side))];
        let mut met = 0;
        while let Some((index, own)) = stack.pop() {
            met += 1;
            let (min, max) = (Vec3::from(own.min).as_dvec3(), Vec3::from(own.max).as_dvec3());
            let center = pose.transform_point(0.5 * (min + max));
            let half = 0.5 * (max - min);
            let reach = m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z;
            let reach = reach + search.margin;
            let spare_below = center - reach - Vec3::from(own.other_min).as_dvec3();
            let spare_above = Vec3::from(own.other_max).as_dvec3() - (center + reach);
            let spare = spare_below.min(spare_above).min_element();
            let excess = spare_below.max(spare_above).max_element();
            assert!(spare > 0.0, "node {index}: {spare:e} of {pad:e} left");
            assert!(excess < 2.0 * pad, "node {index}: {excess:e} beyond, padded {pad:e}");
            let mut child = |i: u32| stack.push((i, test.step(side, &own, tree.nodes[i as usize], i)));
            match tree.nodes[index as usize].below() {
                Below::Triangle(_) => {}
                Below::Shrink(only) => child(only),
                Below::Pair(first) => {
                    child(first);
                    child(first + 1);
                }
            }
        }
        met
    }

    /// Tests \[boxtree\] §3.2.1: the moves down a path give bounds of the rotated node, wherever the
    /// bodies are.
    #[test]
    fn moved_sides_hold_the_tumbled_box_at_every_node() {
        let (positions, triangles) = generate::torus(1.0, 0.3, 40, 20);
        let near = Mesh::new("near", &positions, &triangles).unwrap();
        let shift = Vec3::new(148_376.0, 1_234.0, -223_423.0);
        let moved: Vec<Vec3> = positions.iter().map(|&p| p + shift).collect();
        let far = Mesh::new("far", &moved, &triangles).unwrap();
        let build = |mesh: &Mesh| emit(&build::build(mesh, SplitRule::default(), true), Shrink::Tested);
        let (near, far) = (build(&near), build(&far));
        let offsets = [DVec3::new(0.7, 0.2, -0.4), DVec3::new(-9.1e4, 2.0e5, 1.5e5), 1e-3 * DVec3::ONE];
        for (a, b) in [(&near, &near), (&near, &far), (&far, &near), (&far, &far)] {
            for (i, &offset) in offsets.iter().enumerate() {
                for (j, margin) in [0.0, 1e-4, 0.5].into_iter().enumerate() {
                    let turn = (1 + 3 * i + j) as f64;
                    let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.7 * turn, turn, -1.9 * turn);
                    let b_to_a = Pose::new(rotation, offset);
                    let search = Search::all(&b_to_a, margin);
                    let test = SatLite::new(a.extent(), b.extent(), &search);
                    let pad = padding(a.extent(), b.extent(), &b_to_a, margin);
                    assert_eq!(walk(b, TreeSide::B, &test, &search, pad), b.nodes.len());
                    assert_eq!(walk(a, TreeSide::A, &test, &search, pad), a.nodes.len());
                }
            }
        }
    }
}
