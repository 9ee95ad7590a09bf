//! Normal cones of the children of wide nodes, four bytes each. They decide which children of two nodes
//! may face each other, and the enlargement of each child's box along its cone.
//!
//! Two features face each other along a direction d if d is in the normal cone of one and −d in that of
//! the other, see `mesh/facing.rs`. So a child is enlarged along the directions of its cone, instead of
//! by the margin on all sides. Children whose cones are not opposed are kept only if their boxes
//! overlap without enlargement: their triangles may intersect, but cannot form a contact at a distance.

use fearless_simd::prelude::*;

use super::bounds::{Bounds, ChildBounds};
use super::kernel::{ChildPacket, OverlapMasks, Transform};
use super::lanes::{Lanes, splat, zero};
use super::layout::{Child, WideTree};
use crate::arrays::MapEach;
use crate::mesh::{Cone, Mesh, PackedCone};
use crate::tree::search::Facing;
use crate::volume::round_up;

/// Ratio of the margin to a box's longest side above which the cone test is used. A smaller value tests
/// cones where it changes nothing; a larger value opens nodes that cannot touch.
const WIDE: f32 = 0.25;
/// Largest error of the cosine of the angle between two axes.
const ROUNDING: f32 = 1e-5;

impl<const W: usize, B: ChildBounds<W>> WideTree<W, B> {
    /// Computes the normal cones of all children from the cones of the mesh's triangles.
    pub(super) fn set_cones(&mut self, mesh: &Mesh) {
        let cones = mesh.cones();
        let of_triangles = &cones.of_triangles;
        if of_triangles.is_empty() {
            return self.cones.clear();
        }
        let mut joined = vec![Cone::ALL; self.nodes.len()];
        self.cones = vec![[PackedCone::ALL; W]; self.nodes.len()];
        // Children come after their parents.
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            let children = (0..usize::from(node.child_count)).map(|lane| match node.child(lane) {
                Child::Node(below) => joined[below as usize],
                Child::Leaf(leaf) => of_triangles[self.triangles[leaf as usize] as usize].into(),
                Child::Root => Cone::ALL,
            });
            for (packed, cone) in self.cones[index].iter_mut().zip(children.clone()) {
                *packed = cone.into();
            }
            joined[index] = Cone::around(children);
        }
        self.finest = cones.finest;
    }

    /// Returns the cones of the children of a node. A leaf counts as its own only child, with the cone
    /// `own`.
    #[inline(always)]
    pub(super) fn cones(&self, parent: Child, own: PackedCone) -> [PackedCone; W] {
        match parent {
            Child::Node(index) => self.cones[index as usize],
            Child::Leaf(_) => [own; W],
            Child::Root => [PackedCone::ALL; W],
        }
    }
}

/// Largest distances between features that face each other, from [`Facing`], rounded up.
#[derive(Clone, Copy, Debug)]
pub(super) struct FacingReach {
    ahead: f32,
    inside: f32,
    aside: f32,
    /// Largest distance beside faces, m. It includes the rotation of directions and the rounding of the
    /// enlarged bounds.
    crack: f32,
    margin: f32,
    /// Largest distance of an edge's contact beyond its end, as a share of the edge's length.
    of_size: f32,
    /// Largest rotation of b relative to a before the pair is tested, rad.
    turned: f32,
}

impl FacingReach {
    pub fn new(facing: &Facing, margin: f64) -> Self {
        let Facing { ahead, insides: [in_b, in_a], inside_edges, wedge, .. } = *facing;
        let inside = in_b.max(in_a).max(inside_edges).min(margin);
        let [ahead, inside, aside, margin] =
            [ahead, inside, 2.0 * wedge * inside_edges, margin].map_each(round_up);
        let astray = facing.turned * f64::from(margin);
        let crack = round_up(facing.crack + astray + 8.0 * f64::from(f32::EPSILON) * f64::from(margin));
        let turned = round_up(facing.turned);
        Self { ahead, inside, aside, crack, margin, of_size: round_up(facing.of_length), turned }
    }

    /// Returns whether the margin is wide compared with one of the boxes. If so, enlarging children by
    /// the margin costs more than testing their cones.
    #[inline(always)]
    pub fn is_wide(&self, a: &Bounds, b: &Bounds) -> bool {
        self.margin > WIDE * a.longest().min(b.longest())
    }

    /// Returns the enlargement (m) of a child along a coordinate axis, from 0 to the margin. `ahead`
    /// and `inside`: largest components, along the axis, of a direction in the cone and of the opposite
    /// of such a direction.
    #[inline(always)]
    fn along<S: Lanes<W>, const W: usize>(&self, simd: S, ahead: S::Vector, inside: S::Vector) -> S::Vector {
        let most = (ahead * self.ahead).max(inside * self.inside + self.aside);
        most.max(zero::<S, W>(simd)).min(splat::<S, W>(simd, self.margin))
    }
}

/// Returns the largest component along a coordinate axis of any unit vector in a cone: cos(max(θ − α,
/// 0)). `axis` = cos θ is the component of the cone's axis, and α is the half angle.
#[inline(always)]
fn along<S: Lanes<W>, const W: usize>(simd: S, axis: S::Vector, [cosine, sine]: [S::Vector; 2]) -> S::Vector {
    let within = axis.min(cosine);
    within * cosine + (splat::<S, W>(simd, 1.0) - within * within).max(zero::<S, W>(simd)).sqrt() * sine
}

/// Normal cones of a node's children, and the children's boxes enlarged along their cones.
pub(super) struct ChildCones<S: Lanes<W>, const W: usize> {
    /// Cone axes in the node's own frame.
    own: [S::Vector; 3],
    /// Cone axes in the other frame.
    other: [S::Vector; 3],
    sine: S::Vector,
    cosine: S::Vector,
    /// 1 for a double cone (both directions), otherwise 0.
    double: S::Vector,
    /// Boxes of the children in their own frame, enlarged by the distance beyond edge ends.
    spread_low: [S::Vector; 3],
    spread_high: [S::Vector; 3],
    /// Bounds of the children in the other frame, enlarged along their cones.
    grown_low: [S::Vector; 3],
    grown_high: [S::Vector; 3],
}

impl<S: Lanes<W>, const W: usize> ChildCones<S, W> {
    /// Computes the cones of the children in `packet`, and enlarges the children's boxes along them.
    #[inline(always)]
    pub fn of(
        simd: S,
        packet: &ChildPacket<S, W>,
        cones: &[PackedCone; W],
        transform: &Transform,
        reach: &FacingReach,
    ) -> Self {
        let (mut axes, mut sines, mut doubles) = ([[0.0; W]; 3], [0.0; W], [0.0; W]);
        for lane in 0..W {
            [axes[0][lane], axes[1][lane], axes[2][lane], sines[lane], doubles[lane]] = cones[lane].parts();
        }
        let (one, none) = (splat::<S, W>(simd, 1.0), zero::<S, W>(simd));
        let [x, y, z] = axes;
        let (x, y, z) =
            (S::Vector::simd_from(simd, x), S::Vector::simd_from(simd, y), S::Vector::simd_from(simd, z));
        // The cone of all directions has a zero axis, which the maximum with 1 keeps zero.
        let scale = one / (x * x + y * y + z * z).max(one).sqrt();
        let own = [x * scale, y * scale, z * scale];
        let sine = S::Vector::simd_from(simd, sines) * PackedCone::STEP;
        let cosine = (one - sine * sine).max(none).sqrt();
        let double = S::Vector::simd_from(simd, doubles);
        let mut ways = Self {
            own,
            other: [none; 3],
            sine,
            cosine,
            double,
            spread_low: packet.own_low,
            spread_high: packet.own_high,
            grown_low: packet.other_low,
            grown_high: packet.other_high,
        };
        let sides = (packet.own_high[0] - packet.own_low[0])
            + (packet.own_high[1] - packet.own_low[1])
            + (packet.own_high[2] - packet.own_low[2]);
        let spread = sides * reach.of_size;
        let aside = spread + reach.crack;
        for k in 0..3 {
            ways.spread_low[k] -= spread;
            ways.spread_high[k] += spread;
            let [x, y, z] = transform.matrix[k];
            let axis = own[0] * x + own[1] * y + own[2] * z;
            ways.other[k] = axis;
            let (up, down) = (along(simd, axis, [cosine, sine]), along(simd, -axis, [cosine, sine]));
            let either = up.max(down);
            let (up, down) = (up + double * (either - up), down + double * (either - down));
            ways.grown_high[k] += reach.along(simd, up, down) + aside;
            ways.grown_low[k] -= reach.along(simd, down, up) + aside;
        }
        ways
    }
}

impl<S: Lanes<W>, const W: usize> ChildPacket<S, W> {
    /// Tests all child pairs like [`ChildPacket::meet`], for packets that are not enlarged by the
    /// margin. Returns the pairs that overlap, or come near each other and face each other.
    #[inline(always)]
    pub fn meet_facing(
        &self,
        simd: S,
        ways: &ChildCones<S, W>,
        other: &Self,
        other_cones: &ChildCones<S, W>,
        reach: &FacingReach,
        masks: &mut OverlapMasks<S, W>,
    ) {
        let is_swapped = self.count() > other.count();
        let (rows, row_cones) = if is_swapped { (other, other_cones) } else { (self, ways) };
        let (lanes, lane_cones) = if is_swapped { (self, ways) } else { (other, other_cones) };
        let valid = (1u64 << lanes.count()) - 1;
        masks.begin(rows.count(), is_swapped);
        let none = zero::<S, W>(simd);
        for row in 0..rows.count() {
            let mut depth = splat(simd, f32::INFINITY);
            for k in 0..3 {
                let (low, high) = (
                    splat::<S, W>(simd, row_cones.spread_low[k][row]),
                    splat::<S, W>(simd, row_cones.spread_high[k][row]),
                );
                depth = depth.min((high - lane_cones.grown_low[k]).min(lane_cones.grown_high[k] - low));
            }
            if depth.simd_lt(none).to_bitmask() & valid == valid {
                continue;
            }
            for k in 0..3 {
                let (low, high) = (
                    splat::<S, W>(simd, row_cones.grown_low[k][row]),
                    splat::<S, W>(simd, row_cones.grown_high[k][row]),
                );
                depth = depth.min((high - lane_cones.spread_low[k]).min(lane_cones.spread_high[k] - low));
            }
            let mut near = !depth.simd_lt(none).to_bitmask() & valid;
            if near == 0 {
                continue;
            }
            let mut turned = none;
            for k in 0..3 {
                turned += splat::<S, W>(simd, row_cones.own[k][row]) * lane_cones.other[k];
            }
            let opposed = -turned;
            let double = splat::<S, W>(simd, row_cones.double[row]).max(lane_cones.double);
            let opposed = opposed + double * (turned.abs() - opposed);
            let (sine, cosine) =
                (splat::<S, W>(simd, row_cones.sine[row]), splat::<S, W>(simd, row_cones.cosine[row]));
            let least = cosine * lane_cones.cosine - sine * lane_cones.sine - (ROUNDING + reach.turned);
            let astray = opposed.simd_lt(least).to_bitmask();
            if near & astray != 0 {
                near &= !astray | rows.overlap(simd, lanes, row);
            }
            masks.set(row, near, depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the reach for directions that rotate before the pair is tested. A rotating direction moves
    /// sideways by the angle times its length, which is at most the margin.
    #[test]
    fn a_reach_allows_for_directions_that_turn_until_they_are_judged() {
        let facing = |turned: f64| Facing {
            ahead: 0.02,
            insides: [0.03, 0.04],
            inside_edges: 0.05,
            wedge: 0.1,
            crack: 0.001,
            of_length: 0.002,
            moved: 0.0,
            turned,
        };
        let near = |found: f32, wanted: f64| {
            let (found, least) = (f64::from(found), wanted);
            assert!(found >= least && found < least + 1e-6, "{found} for {least}");
        };
        for turned in [0.0, 0.1, 0.5] {
            let reach = FacingReach::new(&facing(turned), 0.2);
            near(reach.turned, turned);
            near(reach.crack, 0.001 + 0.2 * turned);
            // Twice, because each of two edges may extend beyond its end by this share of the depth.
            near(reach.aside, 2.0 * 0.1 * 0.05);
            near(reach.inside, 0.05);
            near(reach.ahead, 0.02);
            near(reach.margin, 0.2);
            near(reach.of_size, 0.002);
        }
        // The search does not look deeper than the margin.
        near(FacingReach::new(&facing(0.0), 0.045).inside, 0.045);
    }
}
