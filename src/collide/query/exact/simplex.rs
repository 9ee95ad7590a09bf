//! Point of a simplex that is nearest to the origin, by signed volumes (Montanari, Petrinic and
//! Barbieri 2017, "Improving the GJK algorithm for faster and more reliable distance queries", section
//! 4).
//!
//! The signs of the volumes that the origin forms with the corners show onto which faces it projects.
//! Only faces beyond which the origin lies are tested. Volumes are computed relative to a corner, so
//! that a simplex far from the origin loses no more digits than necessary. For a flat simplex, all its
//! faces are tested.

use glam::DVec3;

use crate::arrays::MapEach;

/// Nearest point and its barycentric coordinates, which are zero for corners without weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub point: DVec3,
    pub shares: [f64; 4],
}

/// Returns the point of the hull of the first `count` (1 to 4) corners that is nearest to the origin.
/// If a tetrahedron contains the origin, all four weights are positive.
#[inline]
pub(super) fn nearest(corners: &[DVec3; 4], count: usize) -> Nearest {
    match count {
        1 => Nearest { point: corners[0], shares: [1.0, 0.0, 0.0, 0.0] },
        2 => of_segment(corners, [0, 1]),
        3 => of_triangle(corners, [0, 1, 2]),
        _ => of_tetrahedron(corners),
    }
}

/// Relative magnitude of a product of lengths below which it is only rounding error.
const FLAT: f64 = 1e-15;

fn of_segment(corners: &[DVec3; 4], [i, j]: [usize; 2]) -> Nearest {
    let (p, q) = (corners[i], corners[j]);
    let along = q - p;
    let share = -p.dot(along) / along.length_squared();
    let mut shares = [0.0; 4];
    // A segment of length 0 gives NaN, which fails both comparisons.
    if share > 0.0 && share < 1.0 {
        shares[i] = 1.0 - share;
        shares[j] = share;
        return Nearest { point: p + share * along, shares };
    }
    let end = if share >= 1.0 { j } else { i };
    shares[end] = 1.0;
    Nearest { point: corners[end], shares }
}

fn of_triangle(corners: &[DVec3; 4], [i, j, k]: [usize; 3]) -> Nearest {
    let (p, q, r) = (corners[i], corners[j], corners[k]);
    let (pq, pr, qr) = (q - p, r - p, r - q);
    let normal = pq.cross(pr);
    let size = normal.length_squared();
    // For each corner: twice the area of the triangle between the projected origin and the opposite
    // edge, times the normal's length.
    let areas = [normal.dot(q.cross(qr)), normal.dot(pr.cross(p)), normal.dot(p.cross(pq))];
    let is_flat = size <= FLAT * FLAT * pq.length_squared() * pr.length_squared();
    if !is_flat && areas.iter().all(|&a| a > 0.0) {
        let mut shares = [0.0; 4];
        let total = areas[0] + areas[1] + areas[2];
        shares[i] = areas[0] / total;
        shares[j] = areas[1] / total;
        shares[k] = areas[2] / total;
        return Nearest { point: normal * (p.dot(normal) / size), shares };
    }
    let edges = [[j, k], [k, i], [i, j]];
    least((0..3).filter(|&n| is_flat || areas[n] <= 0.0).map(|n| of_segment(corners, edges[n])))
        .unwrap_or_else(|| of_segment(corners, [i, j]))
}

/// Returns the nearest point of the tetrahedron to the origin.
fn of_tetrahedron(corners: &[DVec3; 4]) -> Nearest {
    let [p, q, r, s] = *corners;
    let triple = |a: DVec3, b: DVec3, c: DVec3| a.dot((b - a).cross(c - a));
    let volumes = [triple(q, r, s), -triple(p, r, s), triple(p, q, s), -triple(p, q, r)];
    let (pq, pr, ps) = (q - p, r - p, s - p);
    let total = pq.dot(pr.cross(ps));
    let lengths = pq.length_squared() * pr.length_squared() * ps.length_squared();
    let is_flat = total * total <= FLAT * FLAT * lengths;
    if !is_flat && volumes.iter().all(|&v| v * total > 0.0) {
        return Nearest { point: DVec3::ZERO, shares: volumes.map_each(|v| v / total) };
    }
    let faces = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
    least((0..4).filter(|&n| is_flat || volumes[n] * total <= 0.0).map(|n| of_triangle(corners, faces[n])))
        .unwrap_or_else(|| of_triangle(corners, faces[3]))
}

/// Returns the nearest of the candidates; among equally near ones, the first.
fn least(candidates: impl Iterator<Item = Nearest>) -> Option<Nearest> {
    let mut best: Option<(f64, Nearest)> = None;
    for candidate in candidates {
        let distance = candidate.point.length_squared();
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, nearest)| nearest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Returns the distance of the hull from the origin by the Frank–Wolfe method, which is slow and
    /// robust: it moves towards the best corner repeatedly.
    fn descended(corners: &[DVec3]) -> f64 {
        let mut at = corners[0];
        for _ in 0..20_000 {
            let corner = corners.iter().copied().min_by(|x, y| at.dot(*x).total_cmp(&at.dot(*y))).unwrap();
            let along = corner - at;
            let step = (-at.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            if step.is_nan() || step == 0.0 {
                break;
            }
            at += step * along;
        }
        at.length()
    }

    #[test]
    fn the_nearest_point_is_inside_and_as_near_as_a_descent_gets() {
        let mut random = Random::new(1, 0);
        for case in 0..400 {
            let offset = DVec3::new(random.signed(), random.signed(), random.signed());
            let corners =
                [(); 4].map(|()| DVec3::new(random.signed(), random.signed(), random.signed()) + offset);
            let count = 1 + case % 4;
            let nearest = nearest(&corners, count);
            let combined: DVec3 = (0..4).map(|k| nearest.shares[k] * corners[k]).sum();
            assert!(combined.distance(nearest.point) < 1e-12);
            assert!((nearest.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(
                nearest.shares.iter().all(|&s| s >= 0.0) && nearest.shares[count..].iter().all(|&s| s == 0.0)
            );
            let slow = descended(&corners[..count]);
            assert!(
                nearest.point.length() <= slow + 1e-12 && slow < nearest.point.length() + 1e-2,
                "case {case}"
            );
        }
    }

    #[test]
    fn flat_simplices_have_a_nearest_point() {
        let p = DVec3::new(1.0, 2.0, 0.5);
        let line = [p, p + DVec3::X, p - 3.0 * DVec3::X, p + 2.0 * DVec3::X];
        let on_plane = [p, p + DVec3::X, p + DVec3::Y, p - DVec3::splat(1.0).with_z(0.0)];
        for corners in [[p; 4], line, on_plane] {
            for count in 1..=4 {
                let nearest = nearest(&corners, count);
                assert!(nearest.point.is_finite() && nearest.shares.iter().all(|s| (0.0..=1.0).contains(s)));
            }
        }
        assert_eq!(nearest(&line, 4).point, DVec3::new(0.0, 2.0, 0.5));
    }
}
