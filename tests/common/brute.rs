//! The distance of two surfaces, and whether they cross, by all pairs of their triangles.

use glam::DVec3;

/// Returns how far apart two lists of triangles are that do not intersect.
pub fn distance(a: &[[DVec3; 3]], b: &[[DVec3; 3]]) -> f64 {
    let middle = |t: &[DVec3; 3]| (t[0] + t[1] + t[2]) / 3.0;
    let ball = |t: &[DVec3; 3]| {
        let center = middle(t);
        (center, t.iter().map(|p| p.distance(center)).fold(0.0, f64::max))
    };
    let balls: Vec<(DVec3, f64)> = b.iter().map(ball).collect();
    let mut least = f64::INFINITY;
    for s in a {
        let (center, radius) = ball(s);
        for (t, (other, reach)) in b.iter().zip(&balls) {
            if center.distance(*other) - radius - reach < least {
                least = least.min(of_triangles(s, t));
            }
        }
    }
    least
}

/// Returns whether an edge of one list of triangles goes through a triangle of the other.
pub fn cross(a: &[[DVec3; 3]], b: &[[DVec3; 3]]) -> bool {
    a.iter().any(|s| b.iter().any(|t| pierces(s, t) || pierces(t, s)))
}

fn pierces(s: &[DVec3; 3], &[a, b, c]: &[DVec3; 3]) -> bool {
    let volume = |p: DVec3, q: DVec3, r: DVec3, t: DVec3| (q - p).cross(r - p).dot(t - p);
    [[s[0], s[1]], [s[1], s[2]], [s[2], s[0]]].into_iter().any(|[p, q]| {
        let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
        let is_through = sides.iter().all(|v| *v > 0.0) || sides.iter().all(|v| *v < 0.0);
        is_through && volume(a, b, c, p) * volume(a, b, c, q) < 0.0
    })
}

fn of_triangles(s: &[DVec3; 3], t: &[DVec3; 3]) -> f64 {
    let corners = s.iter().map(|&p| to_triangle(p, t)).chain(t.iter().map(|&p| to_triangle(p, s)));
    let edges = |t: &[DVec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let crossings = edges(s).into_iter().flat_map(|e| edges(t).map(|f| of_segments(e, f)));
    corners.chain(crossings).fold(f64::INFINITY, f64::min)
}

/// Returns the distance of a point from a triangle: from its face if the point is above it, else from
/// its edges.
fn to_triangle(p: DVec3, &[a, b, c]: &[DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let is_inside =
        [[a, b], [b, c], [c, a]].iter().all(|[from, to]| normal.dot((*to - *from).cross(p - *from)) >= 0.0);
    let edges = || [[a, b], [b, c], [c, a]].into_iter().map(|edge| of_segments([p, p], edge));
    if is_inside && normal != DVec3::ZERO {
        return normal.normalize().dot(p - a).abs();
    }
    edges().fold(f64::INFINITY, f64::min)
}

/// Returns the distance of two segments: the least result of a clamped search from each of nine starts,
/// which is exact.
fn of_segments([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> f64 {
    let to_segment = |x: DVec3, [a, b]: [DVec3; 2]| {
        let way = b - a;
        let share =
            if way == DVec3::ZERO { 0.0 } else { ((x - a).dot(way) / way.length_squared()).clamp(0.0, 1.0) };
        x.distance(a + share * way)
    };
    let ends = [to_segment(p, [r, s]), to_segment(q, [r, s]), to_segment(r, [p, q]), to_segment(s, [p, q])];
    let least = ends.into_iter().fold(f64::INFINITY, f64::min);
    // The common perpendicular is shorter than all of these if it meets both segments inside.
    let (u, v, w) = (q - p, s - r, p - r);
    let across = u.cross(v);
    if across.length_squared() <= 1e-24 * u.length_squared() * v.length_squared() || across == DVec3::ZERO {
        return least;
    }
    let (a, b, c, d, e) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let denominator = a * c - b * b;
    let (x, y) = ((b * e - c * d) / denominator, (a * e - b * d) / denominator);
    let is_inside = (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y);
    if is_inside { least.min((across.dot(w) / across.length()).abs()) } else { least }
}
