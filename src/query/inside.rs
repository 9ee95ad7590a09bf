//! Test of whether a point lies in the solid that a closed surface bounds. A ray in each of several
//! directions must first hit a triangle from behind. So a cavity is outside: rays in it hit its walls
//! from the front.

use glam::DVec3;

use super::segment::first_crossing;
use crate::mesh::Mesh;
use crate::tree::{SegmentStack, Tree};

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
