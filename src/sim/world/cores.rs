//! Interior sample points of each body (cores), and tests whether a core has crossed the surface of
//! another body.
//!
//! Cores show whether a body passed through a surface. They are independent of contacts, which cannot
//! report what they missed. The tunneling guard of a world tests them after every pass, and a
//! comparison of engines after every step. Cost per core: a box test; if the core is near the box, the
//! nearest point of the surface; if it may have crossed, a segment down the hierarchy. No allocation
//! once the stacks have grown.

use glam::DVec3;

use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::{Crossing, closest_point, first_crossing};
use crate::tree::{PointStack, SegmentStack, Tree};
use crate::volume::Aabb;

/// Distance beyond a surface, in slops, from which a core that lies on its body's surface counts as
/// having crossed.
pub const CORE_TOLERANCE: f64 = 4.0;

/// An interior sample point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Core {
    /// Position, body space, m.
    pub point: DVec3,
    /// Distance from the surface of its body, m. 0 for a point on a surface without an inside; such a
    /// point may rest on another body with an overlap of up to the slop.
    pub depth: f64,
}

/// Buffers for the tests of cores.
#[derive(Default)]
pub struct CoreStacks {
    pub segments: SegmentStack,
    pub points: PointStack,
}

/// A crossing of a surface by a core.
#[derive(Clone, Copy, Debug)]
pub struct CoreCrossing {
    /// Position of the core, in the space of its body, m.
    pub core: DVec3,
    /// Share of the core's path at which the crossing lies, 0 to 1.
    pub at: f64,
    /// Distance of the core beyond the plane of the crossed triangle, m.
    pub beyond: f64,
    /// Unit normal of the surface on the side from which the core came, in the space of the surface's
    /// body.
    pub back: DVec3,
}

/// Returns the first crossing (along the core's path) of any core through the surface of another body.
/// `poses`: before and after the motion, each of the cores' body and of the other body. `tolerance`:
/// distance (m) by which a core that lies on its body's surface may be beyond the other surface.
///
/// A core crosses if it enters a solid or passes through a sheet. A core that is inside a solid may
/// leave it.
pub fn first_crossed(
    cores: &[Core],
    surface: (&Tree, &Mesh),
    poses: [[&Pose; 2]; 2],
    tolerance: f64,
    stacks: &mut CoreStacks,
) -> Option<CoreCrossing> {
    let [before, after] = poses.map_each(|[own, other]| own.relative_to(other));
    let moved = |core: &Core| [&before, &after].map_each(|pose| pose.transform_point(core.point));
    let bounds = surface.1.bounds();
    let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let mut first: Option<CoreCrossing> = None;
    for core in cores {
        let [from, to] = moved(core);
        if from.max(to).cmplt(min).any() || from.min(to).cmpgt(max).any() || from == to {
            continue;
        }
        if !is_past(core, &bounds, poses)
            && let Some(crossing) = core.crossing(surface, [from, to], tolerance, stacks)
            && first.is_none_or(|first| crossing.at < first.at)
        {
            first = Some(crossing);
        }
    }
    first
}

/// Distance of the cores of one body from a surface.
#[derive(Clone, Copy, Debug)]
pub struct Clearance {
    /// Least distance of a core, m, at most the bound of the query. No core crosses the surface until
    /// the bodies have moved this far relative to each other.
    pub distance: f64,
    /// True if a core is so near that it may have crossed the surface on its path in this pass.
    pub is_near: bool,
}

/// Returns the distance of cores from a surface after a pass. The poses `before` and `after` transform
/// from the space of the cores' body to that of the surface. `tolerance` as in
/// [`first_crossed`]. `bound`: largest distance that is searched, m.
pub fn clearance_of_cores(
    cores: &[Core],
    (tree, mesh): (&Tree, &Mesh),
    [before, after]: [&Pose; 2],
    (tolerance, bound): (f64, f64),
    stack: &mut PointStack,
) -> Clearance {
    let bounds = mesh.bounds();
    let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let mut clearance = Clearance { distance: bound, is_near: false };
    for core in cores {
        let [from, to] = [before, after].map_each(|pose| pose.transform_point(core.point));
        let way = from.distance(to);
        let beyond = if core.depth == 0.0 { tolerance } else { 0.0 };
        let sought = clearance.distance.max(beyond).max(way);
        if to.distance_squared(to.clamp(min, max)) >= sought * sought {
            continue;
        }
        let Some(closest) = closest_point(tree, mesh, to, sought, stack) else { continue };
        // A core that lies on its body's surface may be slightly on either side of another surface.
        let free = if closest.distance < beyond { beyond - closest.distance } else { closest.distance };
        clearance.distance = clearance.distance.min(free);
        clearance.is_near |= closest.distance <= way;
    }
    clearance
}

impl Core {
    /// Returns the crossing of a surface by the core's path from `from` to `to`; `None` if there is
    /// none. All in the space of the surface.
    fn crossing(
        &self,
        (tree, mesh): (&Tree, &Mesh),
        [from, to]: [DVec3; 2],
        tolerance: f64,
        CoreStacks { segments, points }: &mut CoreStacks,
    ) -> Option<CoreCrossing> {
        let Crossing { triangle, at } = first_crossing(tree, mesh, from, to, segments)?;
        let (way, normal) = (to - from, mesh.topology().normal(triangle));
        let is_entering = normal.dot(way) < 0.0;
        let back = if is_entering { normal } else { -normal };
        let is_solid = !mesh.surface().two_sided[triangle as usize];
        // A core that lies on its body's surface may be slightly inside a solid without having crossed.
        let tolerance = if self.depth == 0.0 { tolerance } else { 0.0 };
        // At the edge of the face on which it rests, it enters or leaves beside that face.
        let mut rests = |point: DVec3| closest_point(tree, mesh, point, tolerance, points).is_some();
        let may_leave = !is_entering && is_solid && (self.depth > 0.0 || rests(from));
        let beyond = (1.0 - at) * way.dot(back).abs();
        let is_through = !may_leave && beyond > tolerance && (self.depth > 0.0 || !rests(to));
        is_through.then_some(CoreCrossing { core: self.point, at, beyond, back })
    }
}

/// Returns whether a core misses the bounding sphere of another body's box. In the frame of a spinning
/// body, the path around the body is curved, and its chord may pass through the body. So the path is
/// tested in a frame that does not spin.
fn is_past(core: &Core, bounds: &Aabb, [before, after]: [[&Pose; 2]; 2]) -> bool {
    let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let middle = 0.5 * (min + max);
    let [start, end] = [before, after]
        .map_each(|[own, other]| own.transform_point(core.point) - other.transform_point(middle));
    distance_of_origin(start, end) > 0.5 * (max - min).length()
}

/// Returns the distance of a segment from the origin, m.
fn distance_of_origin(from: DVec3, to: DVec3) -> f64 {
    let way = to - from;
    let along = (-from.dot(way) / way.length_squared()).clamp(0.0, 1.0);
    // A segment of length 0 gives NaN.
    if along.is_nan() { from.length() } else { (from + along * way).length() }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, Vec3};

    use super::*;
    use crate::generate;
    use crate::tree::{SplitRule, TreeKind};

    /// Spins a cube of 1 m at the origin while a core flies past it or into it. The cube rotates so far
    /// that the chord of the path past it, in its space, passes through its middle.
    #[test]
    fn path_past_a_spinning_body_is_no_crossing() {
        let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let mesh = Mesh::new("cube", &positions, &triangles).unwrap();
        let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
        let core = [Core { point: DVec3::ZERO, depth: 0.1 }];
        let crosses = |from: DVec3, to: DVec3, turn: f64| {
            let other = [Pose::IDENTITY, Pose::new(DQuat::from_rotation_z(turn), DVec3::ZERO)];
            let own = [from, to].map(Pose::from_position);
            let poses = [[&own[0], &other[0]], [&own[1], &other[1]]];
            first_crossed(&core, (&tree, &mesh), poses, 1e-3, &mut CoreStacks::default()).is_some()
        };
        let [left, right] = [DVec3::new(-1.0, 1.2, 0.0), DVec3::new(1.0, 1.2, 0.0)];
        let turn = 2.0 * f64::atan2(1.2, 1.0);
        assert!(!crosses(left, right, turn));
        assert!(crosses(left, right - 2.4 * DVec3::Y, 0.0));
        assert!(crosses(-2.0 * DVec3::X, DVec3::ZERO, turn), "what ends inside has crossed");
        assert!(!crosses(DVec3::ZERO, 2.0 * DVec3::X, 0.0), "what is inside may leave");
    }
}
