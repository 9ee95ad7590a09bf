//! Extent to which two intersecting triangles reach through each other.

use glam::DVec3;

use crate::arrays::MapEach;

/// Returns how far (m) two intersecting triangles reach through each other: the smaller of the depth
/// and the length of their intersection. 0 for surfaces that only touch. Small for one box resting on
/// another: side faces reach through the plane of a horizontal face, but the intersection segments are
/// short.
pub(super) fn extent_of_crossing(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    depth_of_crossing(a, b).min(length_of_crossing(a, b))
}

/// Returns the length (m) of the segment in which two triangles intersect; 0 if they lie in one plane.
fn length_of_crossing(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    let normal = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero();
    let line = normal(a).cross(normal(b)).normalize_or_zero();
    // Interval along the line in which a triangle intersects the other's plane.
    let span = |of: &[DVec3; 3], plane: &[DVec3; 3]| {
        let normal = normal(plane);
        let ends = of.map_each(|p| (normal.dot(p - plane[0]), line.dot(p)));
        let edges = [[0, 1], [1, 2], [2, 0]].map_each(|[i, j]| [ends[i], ends[j]]);
        let crossed = edges.into_iter().filter(|[(from, _), (to, _)]| (*from <= 0.0) != (*to <= 0.0));
        let at = crossed.map(|[(from, start), (to, end)]| start + (end - start) * from / (from - to));
        at.fold([f64::INFINITY, f64::NEG_INFINITY], |[min, max], t| [min.min(t), max.max(t)])
    };
    let ([min_a, max_a], [min_b, max_b]) = (span(a, b), span(b, a));
    (max_a.min(max_b) - min_a.max(min_b)).max(0.0)
}

/// Returns the depth (m) of the intersection of two triangles. For each triangle, it takes the greatest
/// distance of the other triangle's corners behind its plane, and returns the smaller of the two.
pub fn depth_of_crossing(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    let through = |of: &[DVec3; 3], points: &[DVec3; 3]| {
        let normal = (of[1] - of[0]).cross(of[2] - of[0]).normalize_or_zero();
        points.iter().map(|p| -normal.dot(*p - of[0])).fold(0.0, f64::max)
    };
    through(a, b).min(through(b, a))
}
