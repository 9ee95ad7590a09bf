//! The overlap test of two boxtrees: SAT lite, the six face axes of both boxes. \[boxtree\] §3.2.4
//!
//! Each node carries its own box in its own frame and the axis-aligned box of that box in the other frame;
//! when one side moves by c, three of the six numbers in the other frame move by c·b (§3.2.1). Both are
//! computed once a child, when the parent pair is visited (§3.2.5). The margin is added to the roots' boxes
//! in the other frame and so is inherited by every node. Conservative: the roots are padded by more than the
//! `f32` rounding of all moves down a path can add up to, and a NaN overlaps.

use std::ops::ControlFlow;

use glam::{BVec3A, DMat3, Vec3A};

use super::{Below, Boxtree};
use crate::pose::Pose;
use crate::tree::descend::{Children, Descent, Found};
use crate::volume::{Aabb, Operations};

const AXES: [BVec3A; 3] =
    [BVec3A::new(true, false, false), BVec3A::new(false, true, false), BVec3A::new(false, false, true)];

/// A node and the boxes it inherits.
#[derive(Clone, Copy, Debug)]
pub(in crate::tree) struct TumbledBox {
    /// In its own frame.
    min: Vec3A,
    max: Vec3A,
    /// Around it in the other tree's frame, grown by the margin.
    other_min: Vec3A,
    other_max: Vec3A,
    node: u32,
}

/// The axes of one frame in the other, split by sign.
struct Axes {
    positive: [Vec3A; 3],
    negative: [Vec3A; 3],
}

impl Axes {
    fn new(m: &DMat3) -> Self {
        let columns = [m.x_axis, m.y_axis, m.z_axis].map(|c| Vec3A::from(c.as_vec3()));
        Self { positive: columns.map(|c| c.max(Vec3A::ZERO)), negative: columns.map(|c| c.min(Vec3A::ZERO)) }
    }
}

pub(in crate::tree) struct SatLite<'a> {
    a: &'a Boxtree,
    b: &'a Boxtree,
    root_a: TumbledBox,
    root_b: TumbledBox,
    a_in_b: Axes,
    b_in_a: Axes,
}

impl<'a> SatLite<'a> {
    /// `margin` in m.
    pub fn new(a: &'a Boxtree, b: &'a Boxtree, b_to_a: &Pose, margin: f64) -> Self {
        let a_to_b = b_to_a.inverse();
        let pad = padding(a, b, b_to_a, margin);
        let root = |own: Aabb, pose: &Pose| {
            let other = own.transformed(pose).inflated(margin + pad);
            TumbledBox {
                min: own.min.into(),
                max: own.max.into(),
                other_min: other.min.into(),
                other_max: other.max.into(),
                node: 0,
            }
        };
        Self {
            root_a: root(a.root, &a_to_b),
            root_b: root(b.root, b_to_a),
            a_in_b: Axes::new(&a_to_b.rotation_matrix()),
            b_in_a: Axes::new(&b_to_a.rotation_matrix()),
            a,
            b,
        }
    }
}

/// More than the `f32` rounding of all moves down a path can add up to, m.
fn padding(a: &Boxtree, b: &Boxtree, b_to_a: &Pose, margin: f64) -> f64 {
    let size = f64::from(a.root.diagonal() + b.root.diagonal());
    let origin = |root: Aabb| f64::from(root.center().abs().max_element());
    let reach = b_to_a.position.abs().max_element() + size + origin(a.root) + origin(b.root);
    // A side moves at most once a level, and each move rounds the number and the product: two units in the
    // last place of the largest coordinate. 8 more levels cover the set-up.
    2.0 * f64::from(f32::EPSILON) * f64::from(a.depth + b.depth + 8) * (reach + margin)
}

/// A child of `parent`: one side of its own box moved, and three numbers of the box in the other frame.
fn child(tree: &Boxtree, axes: &Axes, parent: &TumbledBox, index: u32) -> TumbledBox {
    let node = tree.nodes[index as usize];
    let axis = node.axis();
    let plane = Vec3A::splat(node.plane);
    let mut own = TumbledBox { node: index, ..*parent };
    if node.upper_side() {
        let cut = parent.max[axis] - node.plane;
        own.max = Vec3A::select(AXES[axis], plane, own.max);
        own.other_max -= cut * axes.positive[axis];
        own.other_min -= cut * axes.negative[axis];
    } else {
        let cut = node.plane - parent.min[axis];
        own.min = Vec3A::select(AXES[axis], plane, own.min);
        own.other_min += cut * axes.positive[axis];
        own.other_max += cut * axes.negative[axis];
    }
    own
}

fn children(tree: &Boxtree, axes: &Axes, parent: &TumbledBox) -> Option<Children<TumbledBox>> {
    match tree.nodes[parent.node as usize].below() {
        Below::Triangle(_) => None,
        Below::Shrink(index) => Some(Children::One(child(tree, axes, parent, index))),
        Below::Pair(first) => {
            Some(Children::Two([child(tree, axes, parent, first), child(tree, axes, parent, first + 1)]))
        }
    }
}

/// Disjoint only if a side lies strictly beyond the opposite one, so that touching and NaN overlap.
fn apart(min_a: Vec3A, max_a: Vec3A, min_b: Vec3A, max_b: Vec3A) -> bool {
    (min_a.cmpgt(max_b) | min_b.cmpgt(max_a)).any()
}

impl Descent for SatLite<'_> {
    /// The distance of the plane, and six products and sums at most three of which change a number.
    const STEP: Operations = Operations { multiplications: 3, additions: 4, comparisons: 0 };
    /// Six face axes, two ends each.
    const PAIR: Operations = Operations { multiplications: 0, additions: 0, comparisons: 12 };

    type A = TumbledBox;
    type B = TumbledBox;

    fn roots(&self) -> (TumbledBox, TumbledBox) {
        (self.root_a, self.root_b)
    }

    fn overlaps(&self, a: &TumbledBox, b: &TumbledBox) -> bool {
        !apart(a.min, a.max, b.other_min, b.other_max) && !apart(b.min, b.max, a.other_min, a.other_max)
    }

    fn children_a(&self, a: &TumbledBox) -> Option<Children<TumbledBox>> {
        children(self.a, &self.a_in_b, a)
    }

    fn children_b(&self, b: &TumbledBox) -> Option<Children<TumbledBox>> {
        children(self.b, &self.b_in_a, b)
    }

    fn leaves(&self, a: &TumbledBox, b: &TumbledBox, found: &mut impl Found) -> ControlFlow<()> {
        let triangle = |tree: &Boxtree, node: u32| match tree.nodes[node as usize].below() {
            Below::Triangle(triangle) => Some(triangle),
            Below::Shrink(_) | Below::Pair(_) => None,
        };
        match (triangle(self.a, a.node), triangle(self.b, b.node)) {
            (Some(ta), Some(tb)) => found(ta, tb),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3, Vec3};

    use super::*;
    use crate::mesh::{Mesh, generate};
    use crate::tree::Hierarchy;
    use crate::tree::boxtree::emit;
    use crate::tree::build::{self, SplitRule};

    /// Walks down one tree: the box in the other frame must hold the node's own box carried there in `f64`
    /// and grown by the margin, and exceed it by no more than the padding. Returns how many nodes it met.
    fn walk(tree: &Boxtree, axes: &Axes, root: TumbledBox, pose: &Pose, margin: f64, pad: f64) -> usize {
        let m = pose.rotation_matrix();
        let mut stack = vec![root];
        let mut met = 0;
        while let Some(own) = stack.pop() {
            met += 1;
            let (min, max) = (Vec3::from(own.min).as_dvec3(), Vec3::from(own.max).as_dvec3());
            let center = pose.transform_point(0.5 * (min + max));
            let half = 0.5 * (max - min);
            let reach = m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z + margin;
            let spare_below = center - reach - Vec3::from(own.other_min).as_dvec3();
            let spare_above = Vec3::from(own.other_max).as_dvec3() - (center + reach);
            let spare = spare_below.min(spare_above).min_element();
            let excess = spare_below.max(spare_above).max_element();
            assert!(spare > 0.0, "node {}: {spare:e} of {pad:e} left", own.node);
            assert!(excess < 2.0 * pad, "node {}: {excess:e} beyond, padded {pad:e}", own.node);
            match children(tree, axes, &own) {
                None => {}
                Some(Children::One(only)) => stack.push(only),
                Some(Children::Two(two)) => stack.extend(two),
            }
        }
        met
    }

    /// \[boxtree\] §3.2.1: the moves down a path give the box of the tumbled node, wherever the bodies are.
    #[test]
    fn moved_sides_hold_the_tumbled_box_at_every_node() {
        let (positions, triangles) = generate::torus(1.0, 0.3, 40, 20);
        let near = Mesh::new("near", &positions, &triangles).unwrap();
        let shift = Vec3::new(148_376.0, 1_234.0, -223_423.0);
        let moved: Vec<Vec3> = positions.iter().map(|&p| p + shift).collect();
        let far = Mesh::new("far", &moved, &triangles).unwrap();
        let build = |mesh: &Mesh| emit(&build::build(mesh, SplitRule::default()));
        let (near, far) = (build(&near), build(&far));
        let offsets = [DVec3::new(0.7, 0.2, -0.4), DVec3::new(-9.1e4, 2.0e5, 1.5e5), 1e-3 * DVec3::ONE];
        for (a, b) in [(&near, &near), (&near, &far), (&far, &near), (&far, &far)] {
            for (i, &offset) in offsets.iter().enumerate() {
                for (j, margin) in [0.0, 1e-4, 0.5].into_iter().enumerate() {
                    let turn = (1 + 3 * i + j) as f64;
                    let rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.7 * turn, turn, -1.9 * turn);
                    let b_to_a = Pose::new(rotation, offset);
                    let pair = SatLite::new(a, b, &b_to_a, margin);
                    let pad = padding(a, b, &b_to_a, margin);
                    let (in_a, in_b) = (&pair.b_in_a, &pair.a_in_b);
                    assert_eq!(walk(b, in_a, pair.root_b, &b_to_a, margin, pad), b.node_count());
                    assert_eq!(walk(a, in_b, pair.root_a, &b_to_a.inverse(), margin, pad), a.node_count());
                }
            }
        }
    }
}
