//! Which of the children of two wide nodes may face each other: a cone of directions for each child, in four
//! bytes, and how far each box must be grown along it.
//!
//! What can touch lies opposite: from the point on one surface to that on the other leads a direction of
//! both cones. So a child is grown along the directions of its cone instead of by the margin all round, and
//! children whose cones are not opposite are only kept if their boxes overlap as they are: what is in them
//! can intersect, but not make a contact from afar.

use fearless_simd::prelude::*;

use super::kernel::{Carry, Family, Meeting};
use super::lanes::{Lanes, splat, zero};
use super::layout::{Child, WideTree};
use super::sides::{ChildSides, Sides};
use crate::arrays::MapEach;
use crate::mesh::{Cone, Mesh, PackedCone};
use crate::tree::search::Facing;
use crate::volume::round_up;

/// The margin, as a share of the longest side of a box, from which on it is asked where children face.
/// Smaller asks where it changes nothing, larger opens what cannot touch.
const WIDE: f32 = 0.25;
/// By how much the cosine between two axes may be off.
const ROUNDING: f32 = 1e-5;

impl<const W: usize, B: ChildSides<W>> WideTree<W, B> {
    /// Notes in which directions the triangles of the mesh may carry contacts. Fitting the hierarchy to
    /// another shape forgets it.
    pub(super) fn set_cones(&mut self, mesh: &Mesh) {
        let cones = mesh.cones();
        let of_triangles = &cones.of_triangles;
        if of_triangles.is_empty() {
            return self.cones.clear();
        }
        let mut joined = vec![Cone::ALL; self.nodes.len()];
        self.cones = vec![[PackedCone::ALL; W]; self.nodes.len()];
        // Children stand behind their parents.
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

    /// The cones of the children of a node; `own` is that of a leaf, which stands for itself.
    #[inline(always)]
    pub(super) fn cones(&self, parent: Child, own: PackedCone) -> [PackedCone; W] {
        match parent {
            Child::Node(index) => self.cones[index as usize],
            Child::Leaf(_) => [own; W],
            Child::Root => [PackedCone::ALL; W],
        }
    }
}

/// How far what faces may be apart, as [`Facing`] has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    ahead: f32,
    inside: f32,
    aside: f32,
    /// With what grown sides are rounded by.
    crack: f32,
    margin: f32,
    of_size: f32,
    /// By how much a direction may have turned until it is judged, rad.
    turned: f32,
}

impl Reach {
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

    /// Whether the margin is wide beside one of the boxes: growing children by it is dearer than asking where
    /// they face.
    #[inline(always)]
    pub fn is_wide(&self, a: &Sides, b: &Sides) -> bool {
        self.margin > WIDE * a.longest().min(b.longest())
    }

    /// How far what faces leads along an axis at most, given the shares of a length ahead, and of one inside,
    /// that do.
    #[inline(always)]
    fn along<S: Lanes<W>, const W: usize>(&self, simd: S, ahead: S::Vector, inside: S::Vector) -> S::Vector {
        let most = (ahead * self.ahead).max(inside * self.inside + self.aside);
        most.max(zero::<S, W>(simd)).min(splat::<S, W>(simd, self.margin))
    }
}

/// The largest share of a length along one of a cone's directions that leads along an axis, which has a
/// cosine with the cone's.
#[inline(always)]
fn along<S: Lanes<W>, const W: usize>(simd: S, axis: S::Vector, [cosine, sine]: [S::Vector; 2]) -> S::Vector {
    let within = axis.min(cosine);
    within * cosine + (splat::<S, W>(simd, 1.0) - within * within).max(zero::<S, W>(simd)).sqrt() * sine
}

/// The cones of a node's children, and their boxes grown along them.
pub(super) struct Ways<S: Lanes<W>, const W: usize> {
    /// The axes in their own frame and in the other.
    own: [S::Vector; 3],
    other: [S::Vector; 3],
    sine: S::Vector,
    cosine: S::Vector,
    /// One where the cone is double, else zero.
    double: S::Vector,
    /// Around the children in their own frame, as far as edges may be passed.
    spread_low: [S::Vector; 3],
    spread_high: [S::Vector; 3],
    /// Around them in the other frame, grown along their directions.
    grown_low: [S::Vector; 3],
    grown_high: [S::Vector; 3],
}

impl<S: Lanes<W>, const W: usize> Ways<S, W> {
    #[inline(always)]
    pub fn of(simd: S, family: &Family<S, W>, cones: &[PackedCone; W], carry: &Carry, reach: &Reach) -> Self {
        let (mut axes, mut sines, mut doubles) = ([[0.0; W]; 3], [0.0; W], [0.0; W]);
        for lane in 0..W {
            [axes[0][lane], axes[1][lane], axes[2][lane], sines[lane], doubles[lane]] = cones[lane].parts();
        }
        let (one, none) = (splat::<S, W>(simd, 1.0), zero::<S, W>(simd));
        let [x, y, z] = axes;
        let (x, y, z) =
            (S::Vector::simd_from(simd, x), S::Vector::simd_from(simd, y), S::Vector::simd_from(simd, z));
        // The axis of all directions is none.
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
            spread_low: family.own_low,
            spread_high: family.own_high,
            grown_low: family.other_low,
            grown_high: family.other_high,
        };
        let sides = (family.own_high[0] - family.own_low[0])
            + (family.own_high[1] - family.own_low[1])
            + (family.own_high[2] - family.own_low[2]);
        let spread = sides * reach.of_size;
        let aside = spread + reach.crack;
        for k in 0..3 {
            ways.spread_low[k] -= spread;
            ways.spread_high[k] += spread;
            let [x, y, z] = carry.matrix[k];
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

impl<S: Lanes<W>, const W: usize> Family<S, W> {
    /// As [`Family::meet`] without a margin, and with those that come near each other facing.
    #[inline(always)]
    pub fn meet_facing(
        &self,
        simd: S,
        ways: &Ways<S, W>,
        other: &Self,
        other_ways: &Ways<S, W>,
        reach: &Reach,
    ) -> Meeting<S, W> {
        let is_turned = self.count() > other.count();
        let (rows, row_ways) = if is_turned { (other, other_ways) } else { (self, ways) };
        let (lanes, lane_ways) = if is_turned { (self, ways) } else { (other, other_ways) };
        let valid = (1u64 << lanes.count()) - 1;
        let mut meeting = Meeting::none(simd, rows.count(), is_turned);
        let none = zero::<S, W>(simd);
        for row in 0..rows.count() {
            let mut depth = splat(simd, f32::INFINITY);
            for k in 0..3 {
                let (low, high) = (
                    splat::<S, W>(simd, row_ways.spread_low[k][row]),
                    splat::<S, W>(simd, row_ways.spread_high[k][row]),
                );
                depth = depth.min((high - lane_ways.grown_low[k]).min(lane_ways.grown_high[k] - low));
            }
            if depth.simd_lt(none).to_bitmask() & valid == valid {
                continue;
            }
            for k in 0..3 {
                let (low, high) = (
                    splat::<S, W>(simd, row_ways.grown_low[k][row]),
                    splat::<S, W>(simd, row_ways.grown_high[k][row]),
                );
                depth = depth.min((high - lane_ways.spread_low[k]).min(lane_ways.spread_high[k] - low));
            }
            let mut near = !depth.simd_lt(none).to_bitmask() & valid;
            if near == 0 {
                continue;
            }
            let mut turned = none;
            for k in 0..3 {
                turned += splat::<S, W>(simd, row_ways.own[k][row]) * lane_ways.other[k];
            }
            let opposed = -turned;
            let double = splat::<S, W>(simd, row_ways.double[row]).max(lane_ways.double);
            let opposed = opposed + double * (turned.abs() - opposed);
            let (sine, cosine) =
                (splat::<S, W>(simd, row_ways.sine[row]), splat::<S, W>(simd, row_ways.cosine[row]));
            let least = cosine * lane_ways.cosine - sine * lane_ways.sine - (ROUNDING + reach.turned);
            let astray = opposed.simd_lt(least).to_bitmask();
            if near & astray != 0 {
                near &= !astray | rows.overlap(simd, lanes, row);
            }
            meeting.set(row, near, depth);
        }
        meeting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A direction that turns by an angle leads aside by that share of its length, at most the margin.
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
            let reach = Reach::new(&facing(turned), 0.2);
            near(reach.turned, turned);
            near(reach.crack, 0.001 + 0.2 * turned);
            // Twice, as each of two edges may be passed by a share of how deep they are.
            near(reach.aside, 2.0 * 0.1 * 0.05);
            near(reach.inside, 0.05);
            near(reach.ahead, 0.02);
            near(reach.margin, 0.2);
            near(reach.of_size, 0.002);
        }
        // Nothing is looked for that is deeper than the margin.
        near(Reach::new(&facing(0.0), 0.045).inside, 0.045);
    }
}
