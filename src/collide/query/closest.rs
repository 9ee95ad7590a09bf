//! Point of a surface that is nearest to a given point. A descent visits nearer boxes first; the
//! remaining triangles are measured in `f64`. The result does not depend on the kind of tree.

use glam::DVec3;

use crate::mesh::Mesh;
use crate::tree::{PointStack, Tree};

/// Nearest point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Distance, m.
    pub distance: f64,
    /// Position, body space, m.
    pub point: DVec3,
    pub triangle: u32,
}

/// Squared sine of the angle between two edges up to which a triangle counts as degenerate.
const THIN: f64 = 1e-20;
/// Relative rounding error of the distance of a box.
const SLACK: f64 = 1e-12;

/// Returns the point of a surface that is nearest to `point` (body space, m), or `None` if none is
/// within `bound` (m). Among equally near triangles it returns the one with the lowest index. Takes
/// about a microsecond with a boxtree; a tight bound saves most of it.
///
/// ```
/// use glam::{DVec3, Vec3};
/// use tumble_collide::generate;
/// use tumble_collide::mesh::Mesh;
/// use tumble_collide::query::closest_point;
/// use tumble_collide::tree::{PointStack, SplitRule, Tree, TreeKind};
///
/// let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
/// let mesh = Mesh::new("box", &positions, &triangles)?;
/// let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
/// let mut stack = PointStack::default();
/// let closest = closest_point(&tree, &mesh, DVec3::new(0.1, 0.2, 2.0), f64::INFINITY, &mut stack);
/// let closest = closest.ok_or("no triangle")?;
/// assert_eq!(closest.distance, 1.5);
/// assert!(closest.point.distance(DVec3::new(0.1, 0.2, 0.5)) < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_point(
    tree: &Tree,
    mesh: &Mesh,
    point: DVec3,
    bound: f64,
    stack: &mut PointStack,
) -> Option<Closest> {
    let mut best: Option<(f64, u32, DVec3)> = None;
    let mut measure = |triangle: u32| {
        let foot = closest_of_triangle(point, &mesh.corners(triangle));
        let square = foot.distance_squared(point);
        if best.is_none_or(|(least, lowest, _)| (square, triangle) < (least, lowest)) {
            best = Some((square, triangle, foot));
        }
        best.map_or(square, |b| b.0) * (1.0 + SLACK)
    };
    tree.approach_point(mesh, (point, bound * (1.0 + SLACK)), stack, &mut measure);
    let (square, triangle, foot) = best?;
    let distance = square.sqrt();
    (distance <= bound).then_some(Closest { distance, point: foot, triangle })
}

/// Returns the point of a triangle that is nearest to a point (Ericson 2005, "Real-time collision
/// detection", 5.1.5). A degenerate triangle is treated as its edges.
pub(super) fn closest_of_triangle(point: DVec3, corners: &[DVec3; 3]) -> DVec3 {
    let &[a, b, c] = corners;
    let (ab, ac) = (b - a, c - a);
    if ab.cross(ac).length_squared() <= THIN * ab.length_squared() * ac.length_squared() {
        return closest_of_edges(point, corners);
    }
    let from_a = point - a;
    let (d1, d2) = (ab.dot(from_a), ac.dot(from_a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let from_b = point - b;
    let (d3, d4) = (ab.dot(from_b), ac.dot(from_b));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let beyond_ab = d1 * d4 - d3 * d2;
    if beyond_ab <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * share(d1, d1 - d3);
    }
    let from_c = point - c;
    let (d5, d6) = (ab.dot(from_c), ac.dot(from_c));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let beyond_ac = d5 * d2 - d1 * d6;
    if beyond_ac <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * share(d2, d2 - d6);
    }
    let beyond_bc = d3 * d6 - d5 * d4;
    if beyond_bc <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * share(d4 - d3, (d4 - d3) + (d5 - d6));
    }
    let whole = beyond_ab + beyond_ac + beyond_bc;
    a + ab * share(beyond_ac, whole) + ac * share(beyond_ab, whole)
}

fn closest_of_edges(point: DVec3, corners: &[DVec3; 3]) -> DVec3 {
    let of_edge = |k: usize| {
        let (from, along) = (corners[k], corners[(k + 1) % 3] - corners[k]);
        from + along * share(along.dot(point - from), along.length_squared())
    };
    let nearer = |x: &DVec3, y: &DVec3| x.distance_squared(point).total_cmp(&y.distance_squared(point));
    (0..3).map(of_edge).min_by(nearer).unwrap_or(corners[0])
}

/// Returns part / whole clamped to 0..=1; 0 if `whole` is 0.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::random::Random;
    use crate::tree::{SplitRule, TreeKind};

    fn vector(random: &mut Random) -> DVec3 {
        DVec3::new(random.signed(), random.signed(), random.signed())
    }

    #[test]
    fn no_point_of_a_triangle_is_nearer_and_slivers_have_one() {
        let mut random = Random::new(5, 0);
        for round in 0..2000 {
            let mut corners = [(); 3].map(|()| vector(&mut random));
            match round % 5 {
                0 => corners[2] = corners[0].lerp(corners[1], 1.7),
                1 => corners[1] = corners[0],
                2 => corners = [corners[0]; 3],
                _ => {}
            }
            let point = 2.0 * vector(&mut random);
            let foot = closest_of_triangle(point, &corners);
            let nearest = foot.distance(point);
            for _ in 0..100 {
                let (x, y) = (random.uniform(), random.uniform());
                let (x, y) = if x + y > 1.0 { (1.0 - x, 1.0 - y) } else { (x, y) };
                let other = corners[0] + x * (corners[1] - corners[0]) + y * (corners[2] - corners[0]);
                assert!(other.distance(point) >= nearest - 1e-9, "{round}: {corners:?}");
            }
        }
    }

    #[test]
    fn every_kind_finds_the_same_point_and_none_beyond_the_bound() {
        let (positions, triangles) = generate::torus(1.0, 0.3, 32, 16);
        let positions: Vec<_> = positions.iter().map(|p| *p + glam::Vec3::new(300.0, -7.0, 0.3)).collect();
        let mesh = Mesh::new("torus", &positions, &triangles).unwrap();
        let trees = TreeKind::ALL.map(|kind| Tree::build(kind, SplitRule::default(), &mesh));
        let (mut random, mut stack, mut found_count) = (Random::new(6, 0), PointStack::default(), 0);
        for round in 0..300 {
            let point = DVec3::new(300.0, -7.0, 0.3) + 1.6 * vector(&mut random);
            let bound = [f64::INFINITY, 0.3, 0.05][round % 3];
            let brute = (0..mesh.triangles().len() as u32).map(|triangle| {
                let foot = closest_of_triangle(point, &mesh.corners(triangle));
                (foot.distance_squared(point).sqrt(), triangle)
            });
            let (least, lowest) = brute.min_by(|x, y| x.partial_cmp(y).unwrap()).unwrap();
            for tree in &trees {
                let found = closest_point(tree, &mesh, point, bound, &mut stack);
                assert_eq!(found.is_some(), least <= bound, "{point} within {bound}");
                if let Some(found) = found {
                    assert_eq!((found.distance, found.triangle), (least, lowest), "{point}");
                }
            }
            found_count += usize::from(least <= bound);
        }
        assert!(found_count > 100, "{found_count}");
    }
}
