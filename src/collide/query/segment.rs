//! Crossings of a segment with a surface: a descent of the hierarchy, then Möller–Trumbore in `f64` on
//! the remaining triangles. The result does not depend on the kind of tree.

use std::ops::ControlFlow;

use glam::DVec3;

use crate::mesh::Mesh;
use crate::tree::{SegmentStack, Tree};

/// Returns whether the open segment (body space, m) crosses any triangle of the mesh. A triangle does
/// not count if the segment only touches it with an end, or runs in its plane.
pub fn crosses(tree: &Tree, mesh: &Mesh, from: DVec3, to: DVec3, stack: &mut SegmentStack) -> bool {
    visit(tree, mesh, from, to, stack, |_| ControlFlow::Break(())).is_break()
}

/// Crossing of a segment with a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    pub triangle: u32,
    /// Position of the crossing as a share of the segment's length, from its start.
    pub at: f64,
}

/// Returns the first triangle that the open segment crosses, as seen from its start; `None` if it
/// crosses none. If several triangles are crossed at the same point, returns the one with the lowest
/// index.
pub fn first_crossing(
    tree: &Tree,
    mesh: &Mesh,
    from: DVec3,
    to: DVec3,
    stack: &mut SegmentStack,
) -> Option<Crossing> {
    let mut first: Option<Crossing> = None;
    let keep_first = |c: Crossing| {
        if first.is_none_or(|f| (c.at, c.triangle) < (f.at, f.triangle)) {
            first = Some(c);
        }
        ControlFlow::Continue(())
    };
    // The visit never ends early, because every crossing is compared.
    let _ = visit(tree, mesh, from, to, stack, keep_first);
    first
}

/// Returns the number of times a segment leaves the solids of a surface, minus the number of times it
/// enters one. The result is positive from inside to far outside, even if solids overlap. Two-sided
/// triangles bound no solid and are not counted.
pub(super) fn leaves(tree: &Tree, mesh: &Mesh, from: DVec3, to: DVec3, stack: &mut SegmentStack) -> i32 {
    let mut sum = 0;
    let count = |crossing: Crossing| {
        if !mesh.surface().two_sided[crossing.triangle as usize] {
            let is_exit = mesh.topology().normal(crossing.triangle).dot(to - from) > 0.0;
            sum += if is_exit { 1 } else { -1 };
        }
        ControlFlow::Continue(())
    };
    // The visit never ends early, because every crossing is counted.
    let _ = visit(tree, mesh, from, to, stack, count);
    sum
}

/// Passes every crossing to `found` until it breaks.
fn visit(
    tree: &Tree,
    mesh: &Mesh,
    from: DVec3,
    to: DVec3,
    stack: &mut SegmentStack,
    mut found: impl FnMut(Crossing) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut try_triangle = |triangle: u32| match crossing(from, to, &mesh.corners(triangle)) {
        Some(at) => found(Crossing { triangle, at }),
        None => ControlFlow::Continue(()),
    };
    tree.visit_segment(mesh, [from, to], stack, &mut try_triangle)
}

/// Returns the share of the open segment's length at which it crosses a triangle; `None` if it does
/// not.
fn crossing(from: DVec3, to: DVec3, [a, b, c]: &[DVec3; 3]) -> Option<f64> {
    let (along, ab, ac) = (to - from, b - a, c - a);
    let p = along.cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let t = from - a;
    let u = t.dot(p) / determinant;
    let q = t.cross(ab);
    let v = along.dot(q) / determinant;
    let at = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && at > 0.0 && at < 1.0).then_some(at)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::generate;
    use crate::tree::{SplitRule, TreeKind};

    #[test]
    fn every_kind_finds_the_same_crossings() {
        let (positions, triangles) = generate::torus(1.0, 0.3, 32, 16);
        let mesh = Mesh::new("torus", &positions, &triangles).unwrap();
        let trees = TreeKind::ALL.map(|kind| Tree::build(kind, SplitRule::default(), &mesh));
        let mut stack = SegmentStack::default();
        let mut crossing_count = 0;
        for i in 0..2000 {
            let point = |k: f64| {
                let t = f64::from(i) * k;
                1.4 * DVec3::new(libm::sin(t), libm::cos(1.7 * t), 0.4 * libm::sin(2.3 * t))
            };
            let (from, to) = (point(0.37), point(0.91));
            let found: Vec<bool> =
                trees.iter().map(|tree| crosses(tree, &mesh, from, to, &mut stack)).collect();
            assert!(found.iter().all(|&f| f == found[0]), "segment {i}");
            let first: Vec<Option<Crossing>> =
                trees.iter().map(|tree| first_crossing(tree, &mesh, from, to, &mut stack)).collect();
            assert!(first.iter().all(|&f| f == first[0] && f.is_some() == found[0]), "segment {i}");
            crossing_count += u32::from(found[0]);
        }
        assert!((400..1800).contains(&crossing_count), "{crossing_count}");
    }

    /// Tests segments from a thousand kilometers away, parallel to an axis through vertices or in the
    /// planes of faces, and segments so short that half their length underflows `f32`.
    #[test]
    fn long_short_and_axis_parallel_segments_far_from_the_origin_cross_alike_under_every_kind() {
        let (positions, triangles) = generate::cuboid(Vec3::new(0.4, 0.2, 0.3), 0.05);
        let place = Vec3::new(300.0, -7.0, 0.3);
        let positions: Vec<Vec3> = positions.iter().map(|p| *p + place).collect();
        let mesh = Mesh::new("box", &positions, &triangles).unwrap();
        let trees = TreeKind::ALL.map(|kind| Tree::build(kind, SplitRule::default(), &mesh));
        let (mut stack, mut crossing_count) = (SegmentStack::default(), 0);
        for (i, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            for (k, vertex) in mesh.vertices().iter().enumerate() {
                let aside = axis.any_orthogonal_vector() * [0.0, 1e-3, 1e-9][k % 3];
                let middle = vertex.as_dvec3() + aside;
                let reach = axis * [1e6, 1.0, 1e-3, 1e-12, 1e-46][(k + i) % 5];
                let (from, to) = (middle - reach, middle + reach * [1.0, 0.5][k % 2]);
                let first: Vec<Option<Crossing>> =
                    trees.iter().map(|tree| first_crossing(tree, &mesh, from, to, &mut stack)).collect();
                assert!(first.iter().all(|&f| f == first[0]), "{from} {to}: {first:?}");
                crossing_count += usize::from(first[0].is_some());
            }
        }
        assert!(crossing_count > 100, "{crossing_count}");
    }
}
