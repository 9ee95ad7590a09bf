//! Material that two solids share: whether one lies within the other, and a point deep inside both.

use glam::DVec3;

use super::placed::PlacedParts;
use crate::query::{PairMemory, Placed, closest_point, depth_in_solid, is_deeper, is_in_solid};
use crate::tree::{PointStack, SegmentStack};

/// Test of the material of two parts; reused from pair to pair for its buffers.
#[derive(Default)]
pub(super) struct Sharing {
    points: PointStack,
    segments: SegmentStack,
}

/// Point inside two solids.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedPoint {
    /// Distance from the nearer one of the two surfaces, m.
    pub depth: f64,
    /// Position in the world, m.
    pub point: DVec3,
}

impl Sharing {
    /// Returns the deepest of the sample points of both parts' shells that is deeper than `tolerance`
    /// (m) in both parts.
    ///
    /// If no point of either surface is deeper inside the other solid than the tolerance, and the two
    /// share thicker material than that, then this material is a component of both solids, and this
    /// function finds it.
    pub fn shared_point(
        &mut self,
        parts: &PlacedParts,
        pair: [u32; 2],
        tolerance: f64,
    ) -> Option<SharedPoint> {
        let [around, other] = pair.map(|part| parts.bounds(part));
        let thickness = around.max.min(other.max).as_dvec3() - around.min.max(other.min).as_dvec3();
        if thickness.min_element() <= tolerance {
            return None;
        }
        let mut deepest: Option<SharedPoint> = None;
        for [own, other] in [pair, [pair[1], pair[0]]] {
            let (own_pose, solid) = (parts.pose(own), parts.placed(other)?);
            for shell in parts.shells(own).iter().filter(|shell| shell.depth > tolerance) {
                let point = own_pose.transform_point(shell.sample);
                let stacks = (&mut self.points, &mut self.segments);
                let place = solid.pose.inverse_transform_point(point);
                let depth = depth_in_solid(solid.tree, solid.mesh, place, stacks);
                let depth = depth.map_or(0.0, |depth| depth.min(shell.depth));
                if depth > deepest.map_or(tolerance, |deepest| deepest.depth) {
                    deepest = Some(SharedPoint { depth, point });
                }
            }
        }
        deepest
    }

    /// Returns whether nothing of the part `inner` is outside the solid `outer`, apart from
    /// `tolerance` (m). The surfaces may coincide in places.
    ///
    /// A component of a solid that the other surface does not enter is either all inside the other
    /// solid or all outside, and one point decides which.
    pub fn is_within(
        &mut self,
        parts: &PlacedParts,
        [inner, outer]: [u32; 2],
        tolerance: f64,
        memory: &mut PairMemory,
    ) -> bool {
        let (Some(own), Some(solid)) = (parts.placed(inner), parts.placed(outer)) else { return false };
        let is_inside = |sample: DVec3, segments: &mut SegmentStack| {
            let place = solid.pose.inverse_transform_point(own.pose.transform_point(sample));
            is_in_solid(solid.tree, solid.mesh, place, segments)
        };
        is_in_box(&own, &solid, tolerance)
            && parts.shells(inner).iter().all(|shell| is_inside(shell.sample, &mut self.segments))
            && !is_deeper(&solid, &own, tolerance, memory)
            && !self.sticks_out(&own, &solid, tolerance)
    }

    /// Returns whether a vertex of one surface is outside the other solid, farther than `tolerance` (m)
    /// from it. Where the solid is convex, no other point of the surface is farther.
    fn sticks_out(&mut self, inner: &Placed, solid: &Placed, tolerance: f64) -> bool {
        let to_solid = inner.pose.relative_to(&solid.pose);
        inner.mesh.vertices().iter().any(|vertex| {
            let place = to_solid.transform_point(vertex.as_dvec3());
            closest_point(solid.tree, solid.mesh, place, tolerance, &mut self.points).is_none()
                && !is_in_solid(solid.tree, solid.mesh, place, &mut self.segments)
        })
    }
}

/// Returns whether all vertices of one surface are in the other's box, apart from `slack`, m.
fn is_in_box(inner: &Placed, outer: &Placed, slack: f64) -> bool {
    let bounds = outer.mesh.bounds();
    let [min, max] = [bounds.min.as_dvec3() - slack, bounds.max.as_dvec3() + slack];
    let to_outer = inner.pose.relative_to(&outer.pose);
    inner.mesh.vertices().iter().all(|vertex| {
        let place = to_outer.transform_point(vertex.as_dvec3());
        place.cmpge(min).all() && place.cmple(max).all()
    })
}
