//! Tests of whether a point lies in the solid that a closed surface bounds, by rays from the point.
//!
//! [`is_inside`] wants every ray to hit a triangle from behind first. So a cavity is outside: rays in it
//! hit its walls from the front. [`is_in_solid`] counts crossings, so it holds for solids that overlap
//! and beside open parts too.

use glam::DVec3;

use super::closest::closest_point;
use super::segment::{first_crossing, leaves};
use crate::mesh::Mesh;
use crate::tree::{PointStack, SegmentStack, Tree};

/// Ray directions in opposite pairs: a point on the surface leaves the solid at once along one of two
/// opposite rays. Modeled edges are unlikely to be parallel to any of them.
const WAYS: [DVec3; 4] = [
    DVec3::new(0.36, 0.48, 0.8),
    DVec3::new(-0.36, -0.48, -0.8),
    DVec3::new(-0.8, 0.36, -0.48),
    DVec3::new(0.8, -0.36, 0.48),
];

/// Returns whether a point (body space, m) lies in the solid, farther than `depth` (m) from its surface
/// along every ray. A surface with any two-sided triangle (an open part) has no inside.
pub fn is_inside(tree: &Tree, mesh: &Mesh, point: DVec3, depth: f64, stack: &mut SegmentStack) -> bool {
    let bounds = mesh.bounds();
    let is_within = point.cmpge(bounds.min.as_dvec3()).all() && point.cmple(bounds.max.as_dvec3()).all();
    if !is_within || mesh.surface().flaws.two_sided_triangle_count > 0 {
        return false;
    }
    let far = 2.0 * f64::from(bounds.diagonal());
    WAYS.iter().all(|&way| {
        let out = first_crossing(tree, mesh, point, point + far * way, stack);
        out.is_some_and(|out| out.at * far > depth && mesh.topology().normal(out.triangle).dot(way) > 0.0)
    })
}

/// Unit ray directions out of a solid. Modeled faces and edges are unlikely to have these directions.
const COUNTED: [DVec3; 3] = [
    DVec3::new(0.845, 0.507, 0.170_076_453_397),
    DVec3::new(-0.267, 0.802, -0.534_328_550_613),
    DVec3::new(0.312, -0.441, -0.841_531_342_256),
];

/// Returns whether a point (body space, m) is inside any of the solids of a surface, which may overlap.
/// The majority of three rays decides, so that a single ray through an edge or a crack has no effect.
pub fn is_in_solid(tree: &Tree, mesh: &Mesh, point: DVec3, stack: &mut SegmentStack) -> bool {
    if !mesh.bounds().contains_point(point.as_vec3()) {
        return false;
    }
    let far = 2.0 * f64::from(mesh.bounds().diagonal());
    let mut is_out = |way: DVec3| leaves(tree, mesh, point, point + far * way, stack) > 0;
    let [first, second] = [is_out(COUNTED[0]), is_out(COUNTED[1])];
    if first == second { first } else { is_out(COUNTED[2]) }
}

/// Returns the distance of a point (body space, m) from the surface of the solid that contains it, m;
/// `None` if the point is not inside a solid of the surface.
pub fn depth_in_solid(
    tree: &Tree,
    mesh: &Mesh,
    point: DVec3,
    (points, segments): (&mut PointStack, &mut SegmentStack),
) -> Option<f64> {
    let is_inside = is_in_solid(tree, mesh, point, segments);
    let closest = is_inside.then(|| closest_point(tree, mesh, point, f64::INFINITY, points))?;
    closest.map(|closest| closest.distance)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::generate;
    use crate::tree::{SplitRule, TreeKind};

    #[test]
    fn a_cavity_and_what_is_round_an_open_box_are_outside() {
        let (mut positions, mut triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let inside = |positions: &[Vec3], triangles: &[[u32; 3]], x: f64| {
            let mesh = Mesh::new("box", positions, triangles).unwrap();
            let tree = Tree::build(TreeKind::Boxtree8, SplitRule::default(), &mesh);
            is_inside(&tree, &mesh, DVec3::new(x, 0.01, 0.02), 1e-6, &mut SegmentStack::default())
        };
        assert!(inside(&positions, &triangles, 0.0) && inside(&positions, &triangles, 0.4));
        assert!(!inside(&positions, &triangles, 0.6) && !inside(&positions, &triangles, 0.5));
        assert!(!inside(&positions, &triangles[2..], 0.0), "an open box");
        let start = positions.len() as u32;
        positions.extend(positions.clone().iter().map(|&p| 0.6 * p));
        triangles.extend(triangles.clone().iter().map(|&[a, b, c]| [c + start, b + start, a + start]));
        assert!(!inside(&positions, &triangles, 0.0), "its cavity");
        assert!(inside(&positions, &triangles, 0.4), "its wall");
    }
}
