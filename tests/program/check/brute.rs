//! Brute-force comparison of two surfaces, which tests all triangles of one with all triangles of the
//! other, in f64. It finds the distance of the surfaces and their depth in each other. It is slow, and
//! as simple as possible.

use glam::DVec3;
use tumble::pose::Pose;
use tumble::scene::Scene;

/// The triangles of a part, in the axes of the scene's first part. Most parts share these axes.
pub struct Surface {
    pub path: String,
    triangles: Vec<[DVec3; 3]>,
    /// The bounding box of each triangle.
    boxes: Vec<[DVec3; 2]>,
    low: DVec3,
    high: DVec3,
    is_closed: bool,
}

/// The relation of two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Distance of the surfaces. It is 0 if they intersect.
    pub distance: f64,
    /// Depth of the deepest sampled point of either part in the other. It is 0 if no sampled point is
    /// inside.
    pub depth: f64,
}

/// Depth, m, up to which surfaces count as touching. Surfaces that lie on each other stay below it.
const ROUNDING: f64 = 1e-7;
/// Number of points on an edge of a triangle at which the depth is sampled.
const SAMPLES: i32 = 6;

impl Surface {
    /// Returns the surfaces of a scene's parts at these poses.
    pub fn all(scene: &Scene, poses: &[Pose]) -> Vec<Self> {
        let axes = poses[0].rotation.inverse();
        let parts = scene.bodies.iter().zip(poses).filter(|(body, _)| !body.is_ground && !body.trigger);
        let surface = |(body, pose): (&tumble::scene::BodyDef, &Pose)| {
            let mesh = &scene.meshes[body.mesh? as usize];
            let corner = |v: u32| axes * pose.transform_point(mesh.vertices()[v as usize].as_dvec3());
            let triangles: Vec<_> = mesh.triangles().iter().map(|t| t.map(corner)).collect();
            let [low, high] = [DVec3::min, DVec3::max].map(|pick| bound(triangles.as_flattened(), pick));
            let boxes = triangles.iter().map(|t| [bound(t, DVec3::min), bound(t, DVec3::max)]).collect();
            let is_closed = mesh.surface().flaws.two_sided_triangle_count == 0;
            Some(Self { path: body.path.clone(), triangles, boxes, low, high, is_closed })
        };
        parts.filter_map(surface).collect()
    }

    /// Returns the relation of two parts, or `None` if they are farther apart than `most`.
    pub fn beside(&self, other: &Self, most: f64) -> Option<Answer> {
        if gap([self.low, self.high], [other.low, other.high]) > most {
            return None;
        }
        let mut distance = f64::INFINITY;
        for (s, &around) in self.triangles.iter().zip(&self.boxes) {
            if gap(around, [other.low, other.high]) > most {
                continue;
            }
            for (t, &beside) in other.triangles.iter().zip(&other.boxes) {
                if gap(around, beside) <= most.min(distance) {
                    distance = distance.min(between_triangles(s, t));
                }
            }
        }
        // Two surfaces that do not intersect can overlap only if one part is fully inside the other.
        let may_be_in = distance == 0.0 || self.nests(other) || other.nests(self);
        let depth = if may_be_in { self.depth_in(other).max(other.depth_in(self)) } else { 0.0 };
        (distance <= most || depth > 0.0).then_some(Answer { distance, depth })
    }

    /// Returns the depth of the deepest sampled point of this surface in the solid `other`.
    fn depth_in(&self, other: &Self) -> f64 {
        if !other.is_closed {
            return 0.0;
        }
        let mut deepest = ROUNDING;
        for [a, b, c] in &self.triangles {
            for i in 0..=SAMPLES {
                for j in 0..=SAMPLES - i {
                    let [u, v] = [i, j].map(|n| f64::from(n) / f64::from(SAMPLES));
                    let point = *a + u * (*b - *a) + v * (*c - *a);
                    // A point cannot be deeper than its distance to the sides of the box around the
                    // solid.
                    if (point - other.low).min(other.high - point).min_element() > deepest {
                        let depth = other.distance_to(point);
                        if depth > deepest && other.has_inside(point) {
                            deepest = depth;
                        }
                    }
                }
            }
        }
        if deepest > ROUNDING { deepest } else { 0.0 }
    }

    fn nests(&self, other: &Self) -> bool {
        other.low.cmpge(self.low).all() && other.high.cmple(self.high).all()
    }

    fn distance_to(&self, point: DVec3) -> f64 {
        let all = self.triangles.iter().zip(&self.boxes);
        all.fold(f64::INFINITY, |nearest, (t, &around)| {
            if gap(around, [point; 2]) < nearest { nearest.min(to_triangle(point, t)) } else { nearest }
        })
    }

    /// Returns whether a point is inside the solid. Uses the winding number of the surface.
    fn has_inside(&self, point: DVec3) -> bool {
        let angle = |t: &[DVec3; 3]| {
            let [a, b, c] = t.map(|corner| corner - point);
            let [x, y, z] = [a.length(), b.length(), c.length()];
            let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
            2.0 * a.dot(b.cross(c)).atan2(below)
        };
        self.triangles.iter().map(angle).sum::<f64>() > std::f64::consts::TAU
    }
}

/// Returns all pairs that are within `most` of each other or inside each other, as indices.
pub fn all_pairs(parts: &[Surface], most: f64) -> Vec<([usize; 2], Answer)> {
    let pairs = (0..parts.len()).flat_map(|i| (i + 1..parts.len()).map(move |j| [i, j]));
    pairs.filter_map(|[i, j]| Some(([i, j], parts[i].beside(&parts[j], most)?))).collect()
}

fn bound(points: &[DVec3], pick: fn(DVec3, DVec3) -> DVec3) -> DVec3 {
    points.iter().copied().reduce(pick).unwrap()
}

fn gap([low, high]: [DVec3; 2], [other_low, other_high]: [DVec3; 2]) -> f64 {
    (other_low - high).max(low - other_high).max(DVec3::ZERO).length()
}

fn between_triangles(s: &[DVec3; 3], t: &[DVec3; 3]) -> f64 {
    let edges = |t: &[DVec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    if edges(s).iter().any(|e| pierces(e, t)) || edges(t).iter().any(|e| pierces(e, s)) {
        return 0.0;
    }
    let corners = s.iter().map(|&p| to_triangle(p, t)).chain(t.iter().map(|&p| to_triangle(p, s)));
    let sides = edges(s).into_iter().flat_map(|e| edges(t).map(|f| between_edges(e, f)));
    corners.chain(sides).fold(f64::INFINITY, f64::min)
}

/// Returns whether an edge passes through the interior of a triangle.
fn pierces(&[p, q]: &[DVec3; 2], &[a, b, c]: &[DVec3; 3]) -> bool {
    let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).cross(c - a).dot(d - a);
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| volume(p, q, from, to));
    volume(a, b, c, p) * volume(a, b, c, q) < 0.0
        && (sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0))
}

fn to_triangle(point: DVec3, &[a, b, c]: &[DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let is_above =
        [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| normal.cross(to - from).dot(point - from) >= 0.0);
    if is_above && normal != DVec3::ZERO {
        return (point - a).dot(normal.normalize()).abs();
    }
    [[a, b], [b, c], [c, a]].iter().map(|edge| to_edge(point, edge)).fold(f64::INFINITY, f64::min)
}

fn to_edge(point: DVec3, &[p, q]: &[DVec3; 2]) -> f64 {
    let along = q - p;
    let share = ((point - p).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    point.distance(p + share * along)
}

/// Returns the distance of two edges. It is the least distance of an end to the other edge. If both
/// edges are nearest at inner points, it is the distance of their lines.
fn between_edges(e: [DVec3; 2], f: [DVec3; 2]) -> f64 {
    let ends = e.iter().map(|&p| to_edge(p, &f)).chain(f.iter().map(|&p| to_edge(p, &e)));
    let nearest = ends.fold(f64::INFINITY, f64::min);
    let (u, v, w) = (e[1] - e[0], f[1] - f[0], e[0] - f[0]);
    let (a, b, c, d, g) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let below = a * c - b * b;
    if below <= 1e-12 * a * c {
        return nearest;
    }
    let [s, t] = [(b * g - c * d) / below, (a * g - b * d) / below];
    let is_inside = |share: f64| (0.0..=1.0).contains(&share);
    if is_inside(s) && is_inside(t) { nearest.min((w + s * u - t * v).length()) } else { nearest }
}
