//! Distance of two triangles: all pairs of edges, and each corner against the other triangle's face.
//!
//! Valid for triangles that do not intersect; the exact intersection test comes first. All in `f64`;
//! about 150 ns.

use glam::DVec3;

/// Nearest points of two triangles and their squared distance, m².
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct Gap {
    pub square: f64,
    pub points: [DVec3; 2],
}

/// Returns the nearest points of two triangles that do not intersect.
pub(in crate::query) fn gap(a: &[DVec3; 3], b: &[DVec3; 3]) -> Gap {
    let mut best = Gap { square: f64::INFINITY, points: [a[0], b[0]] };
    let mut offer = |p: DVec3, q: DVec3| {
        let square = p.distance_squared(q);
        if square < best.square {
            best = Gap { square, points: [p, q] };
        }
    };
    for i in 0..3 {
        for j in 0..3 {
            let [p, q] = nearest_of_segments([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]);
            offer(p, q);
        }
    }
    for corner in a {
        if let Some(foot) = foot(*corner, b) {
            offer(*corner, foot);
        }
    }
    for corner in b {
        if let Some(foot) = foot(*corner, a) {
            offer(foot, *corner);
        }
    }
    best
}

/// Returns the projection of a point onto a triangle's plane, if the projection lies inside the
/// triangle.
fn foot(point: DVec3, [p, q, r]: &[DVec3; 3]) -> Option<DVec3> {
    let normal = (q - p).cross(r - p);
    let inside = [(p, q), (q, r), (r, p)]
        .iter()
        .all(|(from, to)| normal.dot((*to - *from).cross(point - *from)) > 0.0);
    inside.then(|| point - normal * (normal.dot(point - p) / normal.length_squared()))
}

/// Returns the nearest points of two segments, which may be degenerate (Ericson 2005, "Real-time
/// collision detection", 5.1.9).
fn nearest_of_segments(a: [DVec3; 2], b: [DVec3; 2]) -> [DVec3; 2] {
    let (u, v, between) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let (ub, vb) = (u.dot(between), v.dot(between));
    let share = |x: f64, of: f64| if of > 0.0 { (x / of).clamp(0.0, 1.0) } else { 0.0 };
    // For parallel segments, any point of a is a valid start.
    let at_a = share(uv * vb - ub * vv, uu * vv - uv * uv);
    let at_b = share(uv * at_a + vb, vv);
    let at_a = share(uv * at_b - ub, uu);
    [a[0] + at_a * u, b[0] + at_b * v]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::exact::tests::judge::vector;
    use crate::random::Random;

    #[test]
    fn no_pair_of_points_is_nearer_and_the_order_does_not_matter() {
        let mut random = Random::new(3, 0);
        for _ in 0..500 {
            let scale = [1.0, 1e-3][usize::from(random.uniform() < 0.2)];
            let a = [(); 3].map(|()| vector(&mut random));
            let b = [(); 3].map(|()| scale * vector(&mut random) + 1.5 * DVec3::Z);
            let (gap, back) = (gap(&a, &b), gap(&b, &a));
            assert!((gap.square - back.square).abs() < 1e-12);
            assert!((gap.points[0].distance_squared(gap.points[1]) - gap.square).abs() < 1e-12);
            for _ in 0..200 {
                let inside = |t: &[DVec3; 3], random: &mut Random| {
                    let (x, y) = (random.uniform(), random.uniform());
                    let (x, y) = if x + y > 1.0 { (1.0 - x, 1.0 - y) } else { (x, y) };
                    t[0] + x * (t[1] - t[0]) + y * (t[2] - t[0])
                };
                let (p, q) = (inside(&a, &mut random), inside(&b, &mut random));
                if crate::mesh::intersects(&a, &b) {
                    break;
                }
                assert!(p.distance_squared(q) >= gap.square - 1e-12);
            }
        }
    }
}
