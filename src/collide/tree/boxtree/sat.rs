//! Full separating axis test, incremental, on the six face axes and the nine cross products of edges.
//! \[boxtree\] §3.2.3
//!
//! A node has its interval along each of the fifteen axes. If one side moves by c along the axis b, one
//! end of the interval on axis s moves by c (b · s). Cross products of nearly parallel edges are
//! skipped, because they separate nothing that the face axes do not. No overlapping pair is missed. A
//! separated pair is kept only if its gap is within rounding.

use glam::DVec3;

use super::face_axes::{TumbledBox, depth, padding, roots};
use super::node::BoxNode;
use super::overlap::{OverlapTest, TreeSide};
use super::restricted::Boxtree;
use crate::arrays::MapEach;
use crate::tree::search::Search;
use crate::volume::{Operations, round_up};

/// Length of the cross product of unit vectors below which edges count as parallel.
const PARALLEL: f64 = 1e-6;

/// Boxes of a node in both trees' frames, and its intervals along the nine cross products.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intervals {
    boxes: TumbledBox,
    low: [f32; 9],
    high: [f32; 9],
}

pub(crate) struct Sat {
    roots: [Intervals; 2],
    /// Components of the unit vector along each axis of each tree's frame (a first) on the three axes
    /// of the other frame.
    faces: [[[f32; 3]; 3]; 2],
    /// Components of the unit vector along each axis of each tree's frame (a first) on the nine cross
    /// products.
    crosses: [[[f32; 9]; 3]; 2],
}

impl Sat {
    pub fn new(a: &Boxtree, b: &Boxtree, search: &Search) -> Self {
        let rotation = search.b_to_a.rotation_matrix();
        let own_axes = [[DVec3::X, DVec3::Y, DVec3::Z], [rotation.x_axis, rotation.y_axis, rotation.z_axis]];
        let mut cross_axes = [DVec3::ZERO; 9];
        for (i, slot) in cross_axes.iter_mut().enumerate() {
            let cross = own_axes[0][i / 3].cross(own_axes[1][i % 3]);
            // An axis of length zero separates nothing.
            *slot = if cross.length() > PARALLEL { cross } else { DVec3::ZERO };
        }
        let crosses =
            own_axes.map_each(|axes| axes.map_each(|axis| cross_axes.map_each(|s| axis.dot(s) as f32)));
        let turned = [rotation.transpose(), rotation];
        let faces = turned.map_each(|m| [m.x_axis, m.y_axis, m.z_axis].map_each(|c| c.as_vec3().to_array()));
        let growth = search.margin + padding(a.extent(), b.extent(), search.b_to_a, search.margin);
        let boxes = roots(a.extent(), b.extent(), search);
        let origins = [DVec3::ZERO, search.b_to_a.position];
        let root = |side: usize, tree: &Boxtree| {
            let center = 0.5 * (tree.root.min.as_dvec3() + tree.root.max.as_dvec3());
            let half = 0.5 * (tree.root.max.as_dvec3() - tree.root.min.as_dvec3());
            let mut own = Intervals { boxes: boxes[side], low: [0.0; 9], high: [0.0; 9] };
            for (i, s) in cross_axes.iter().enumerate() {
                let along = own_axes[side].map_each(|axis| axis.dot(*s));
                let middle = origins[side].dot(*s) + DVec3::from(along).dot(center);
                // It is enough to add the margin and the padding to both trees' intervals.
                let reach = DVec3::from(along).abs().dot(half) + growth;
                own.low[i] = -round_up(-(middle - reach));
                own.high[i] = round_up(middle + reach);
            }
            own
        };
        Self { roots: [root(0, a), root(1, b)], faces, crosses }
    }
}

/// Moves one end of an interval in. `moved`: the side's motion along the interval's axis.
fn cut_interval(low: &mut f32, high: &mut f32, upper_side: bool, moved: f32) {
    // A moved upper side cuts off the upper end of the interval; along a negative axis, the lower end.
    if upper_side == (moved > 0.0) {
        *high -= moved.abs();
    } else {
        *low += moved.abs();
    }
}

impl OverlapTest for Sat {
    type Carried = Intervals;
    /// Operations of a moved side: its distance, three bounds in the other frame, and six cross
    /// products. The other three cross products are perpendicular to the side's own axis.
    const STEP_A: Operations = Operations::new(3 + 6, 1 + 3 + 6, 0);
    const STEP_B: Operations = Self::STEP_A;
    /// Fifteen axes, two ends each.
    const PAIR: Operations = Operations::new(0, 0, 30);

    fn root(&self, side: TreeSide) -> Intervals {
        self.roots[side as usize]
    }

    #[inline(always)]
    fn step(&self, side: TreeSide, parent: &Intervals, node: BoxNode, _: u32) -> Intervals {
        let (axis, upper_side) = (node.axis(), node.upper_side());
        let (boxes, cut) = parent.boxes.restricted(node);
        let mut own = Intervals { boxes, ..*parent };
        let TumbledBox { other_min, other_max, .. } = &mut own.boxes;
        for (k, along) in self.faces[side as usize][axis].iter().enumerate() {
            let (mut low, mut high) = (other_min[k], other_max[k]);
            cut_interval(&mut low, &mut high, upper_side, cut * along);
            (other_min[k], other_max[k]) = (low, high);
        }
        for (i, along) in self.crosses[side as usize][axis].iter().enumerate() {
            cut_interval(&mut own.low[i], &mut own.high[i], upper_side, cut * along);
        }
        own
    }

    #[inline(always)]
    fn overlap(&self, a: &Intervals, b: &Intervals) -> bool {
        use super::face_axes::apart;
        let (box_a, box_b) = (&a.boxes, &b.boxes);
        if apart(box_a.min, box_a.max, box_b.other_min, box_b.other_max)
            || apart(box_b.min, box_b.max, box_a.other_min, box_a.other_max)
        {
            return false;
        }
        let mut separated = false;
        for i in 0..9 {
            separated |= (a.high[i] < b.low[i]) | (b.high[i] < a.low[i]);
        }
        !separated
    }

    /// Returns the overlap depth on the face axes alone, m.
    #[inline(always)]
    fn depth(&self, a: &Intervals, b: &Intervals) -> f32 {
        let (a, b) = (&a.boxes, &b.boxes);
        let in_a = depth(a.min, a.max, b.other_min, b.other_max);
        in_a.min(depth(b.min, b.max, a.other_min, a.other_max))
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat, Vec3};

    use super::*;
    use crate::pose::Pose;
    use crate::tree::BoxtreeForm;
    use crate::tree::boxtree::node::Below;
    use crate::tree::build::MovedSide;
    use crate::volume::Aabb;

    /// Returns the largest gap of two boxes along any of the fifteen axes, by an independent test in
    /// `f64`.
    fn gap(a: &Aabb, b: &Aabb, b_to_a: &Pose) -> f64 {
        let corners = |own: &Aabb, pose: &Pose| {
            let pick = |low: f32, high: f32, bit: bool| f64::from(if bit { high } else { low });
            let corner = |k: u32| {
                let at = DVec3::new(
                    pick(own.min.x, own.max.x, k & 1 != 0),
                    pick(own.min.y, own.max.y, k & 2 != 0),
                    pick(own.min.z, own.max.z, k & 4 != 0),
                );
                pose.transform_point(at)
            };
            (0..8).map(corner).collect::<Vec<_>>()
        };
        let identity = Pose::from_position(DVec3::ZERO);
        let (in_a, in_b) = (corners(a, &identity), corners(b, b_to_a));
        let (m, unit) = (b_to_a.rotation_matrix(), DMat3::IDENTITY);
        let axes = |m: &DMat3| [m.x_axis, m.y_axis, m.z_axis];
        let crosses = axes(&unit).into_iter().flat_map(|p| axes(&m).map(|q| p.cross(q)));
        let all = axes(&unit).into_iter().chain(axes(&m)).chain(crosses);
        all.filter(|s| s.length() > 1e-3)
            .map(|s| {
                let s = s.normalize();
                let range = |points: &[DVec3]| {
                    let along = points.iter().map(|p| p.dot(s));
                    (along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max))
                };
                let ((la, ha), (lb, hb)) = (range(&in_a), range(&in_b));
                (lb - ha).max(la - hb)
            })
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Tests boxes of all shapes and rotations, each of a node six levels below its root. No
    /// overlapping pair may be missed, and no pair with a gap beyond rounding may be kept.
    #[test]
    fn incremental_intervals_decide_as_boxes_do() {
        let tree = |low: Vec3, high: Vec3| Boxtree {
            root: Aabb::new(low - Vec3::splat(1.0), high + Vec3::splat(0.5)),
            nodes: (0..3)
                .flat_map(|k| {
                    [true, false].map(|upper| {
                        let plane = if upper { high[k] } else { low[k] };
                        BoxNode::new(MovedSide { axis: k, is_upper: upper, plane }, Below::Triangle(0))
                    })
                })
                .collect(),
            depth: 6,
            steps: Vec::new(),
            form: BoxtreeForm::default(),
        };
        let mut state = 7u32;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let (mut overlapping, mut separate) = (0, 0);
        for i in 0..20_000 {
            let mut one = || {
                let low = Vec3::new(next(), next(), next());
                (low, low + Vec3::new(next(), next(), next()))
            };
            let ((low_a, high_a), (low_b, high_b)) = (one(), one());
            let mut angle = || 6.3 * f64::from(next());
            let rotation = match i % 4 {
                0 => DQuat::IDENTITY,
                1 => DQuat::from_rotation_z(angle()),
                _ => DQuat::from_euler(glam::EulerRot::XYZ, angle(), angle(), angle()),
            };
            // Rotated about a point near most boxes.
            let (pivot, offset) = (DVec3::splat(0.8), 0.05 * DVec3::new(angle(), angle(), angle()));
            let b_to_a = Pose::new(rotation, offset + pivot - rotation * pivot);
            let (a, b) = (tree(low_a, high_a), tree(low_b, high_b));
            let sat = Sat::new(&a, &b, &Search::all(&b_to_a, 0.0));
            let leaf = |side: TreeSide, tree: &Boxtree| {
                tree.nodes.iter().fold(sat.root(side), |own, &node| sat.step(side, &own, node, 0))
            };
            let says = sat.overlap(&leaf(TreeSide::A, &a), &leaf(TreeSide::B, &b));
            let gap = gap(&Aabb::new(low_a, high_a), &Aabb::new(low_b, high_b), &b_to_a);
            assert!(says || gap > 0.0, "{i}: missed, {gap:e}");
            assert!(!says || gap < 1e-3, "{i}: kept, {gap:e}");
            if says {
                overlapping += 1;
            } else {
                separate += 1;
            }
        }
        assert!(overlapping > 3000 && separate > 3000, "{overlapping} {separate}");
    }
}
