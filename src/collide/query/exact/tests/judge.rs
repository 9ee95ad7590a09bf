//! Independent brute-force references for the exact queries.

use glam::{DMat3, DVec3, Vec3};

use crate::generate;
use crate::mesh::{Mesh, intersects};
use crate::pose::Pose;
use crate::random::Random;

/// Returns the vertices of two meshes in the space of a, relative to the center of a's box.
fn placed([a, b]: [&Mesh; 2], b_to_a: &Pose) -> [Vec<DVec3>; 2] {
    let center = a.bounds().center().as_dvec3();
    let of_a = a.vertices().iter().map(|v| v.as_dvec3() - center).collect();
    let of_b = b.vertices().iter().map(|v| b_to_a.transform_point(v.as_dvec3()) - center).collect();
    [of_a, of_b]
}

/// Returns the distance that a must move along `normal` (a direction from b to a) to come free, m: the
/// extent by which b reaches beyond the start of a.
pub fn reach_along(meshes: [&Mesh; 2], b_to_a: &Pose, normal: DVec3) -> f64 {
    let [a, b] = placed(meshes, b_to_a);
    overlap(&a, &b, normal)
}

fn overlap(a: &[DVec3], b: &[DVec3], normal: DVec3) -> f64 {
    let low = a.iter().map(|v| v.dot(normal)).fold(f64::INFINITY, f64::min);
    let high = b.iter().map(|v| v.dot(normal)).fold(f64::NEG_INFINITY, f64::max);
    high - low
}

/// Returns the least overlap of two convex meshes along all face normals and cross products of edges
/// (the all-axes test), and its direction from b to a. The overlap is negative exactly if the meshes
/// are apart.
pub fn all_axes(meshes: [&Mesh; 2], b_to_a: &Pose) -> (f64, DVec3) {
    let points = placed(meshes, b_to_a);
    let rotations = [DMat3::IDENTITY, b_to_a.rotation_matrix()];
    let mut best = (f64::INFINITY, DVec3::ZERO);
    let mut try_axis = |axis: DVec3| {
        for normal in [axis, -axis] {
            let overlap = overlap(&points[0], &points[1], normal);
            if overlap < best.0 {
                best = (overlap, normal);
            }
        }
    };
    let mut edges = [Vec::new(), Vec::new()];
    for side in 0..2 {
        let topology = meshes[side].topology();
        for triangle in 0..meshes[side].triangles().len() as u32 {
            try_axis(rotations[side] * topology.normal(triangle));
        }
        for edge in topology.edges() {
            let [p, q] = edge.vertices.map(|v| points[side][v as usize]);
            edges[side].push((q - p).normalize());
        }
    }
    for p in &edges[0] {
        for q in &edges[1] {
            let axis = p.cross(*q);
            if axis.length() > 1e-6 {
                try_axis(axis.normalize());
            }
        }
    }
    best
}

pub fn mesh((positions, triangles): generate::Triangles) -> Mesh {
    Mesh::new("", &positions, &triangles).unwrap()
}

pub fn cuboid(size: Vec3) -> Mesh {
    mesh(generate::cuboid(size, 1e9))
}

/// Builds an ellipsoid; about 130 vertices for `around` = 18.
pub fn ellipsoid(radii: Vec3, around: usize) -> Mesh {
    mesh(generate::ellipsoid(radii, around))
}

/// Builds the hull of four points.
pub fn tetrahedron(corners: [Vec3; 4]) -> Mesh {
    mesh((corners.to_vec(), vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]))
}

pub fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed(), random.signed(), random.signed())
}

pub fn direction(random: &mut Random) -> DVec3 {
    loop {
        let v = vector(random);
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

/// Builds a boat hull: an ellipsoid, long along x, whose upper side is dented inward.
pub fn boat(radii: Vec3, around: usize) -> Mesh {
    let (mut positions, triangles) = generate::ellipsoid(radii, around);
    for p in &mut positions {
        if p.y > 0.0 {
            let along = 1.0 - (p.x / radii.x).powi(2);
            p.y -= 1.4 * p.y * along;
        }
    }
    mesh((positions, triangles))
}

/// Returns the least distance over all pairs of corners, edges and faces, m; 0 if any two triangles
/// intersect.
pub fn brute_distance([a, b]: [&Mesh; 2], b_to_a: &Pose) -> f64 {
    let of_b: Vec<[DVec3; 3]> =
        (0..b.triangles().len() as u32).map(|t| b.corners(t).map(|p| b_to_a.transform_point(p))).collect();
    let mut best = f64::INFINITY;
    for ta in 0..a.triangles().len() as u32 {
        let p = a.corners(ta);
        for q in &of_b {
            if intersects(&p, q) {
                return 0.0;
            }
            best = best.min(descended(&p, q));
        }
    }
    best
}

/// Returns the distance of two triangles by a search over their edges and corners: slow, and
/// independent of the tested code.
fn descended(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    let mut best = f64::INFINITY;
    for i in 0..3 {
        for j in 0..3 {
            let (p, u) = (a[i], a[(i + 1) % 3] - a[i]);
            let (q, v) = (b[j], b[(j + 1) % 3] - b[j]);
            // The distance as a function of the position on one segment is convex: ternary search over
            // this segment, clamped projection onto the other.
            let at = |s: f64| {
                let x = p + s * u;
                let t = ((x - q).dot(v) / v.length_squared()).clamp(0.0, 1.0);
                x.distance(q + t * v)
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..80 {
                let (s, t) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if at(s) < at(t) { high = t } else { low = s }
            }
            best = best.min(at(0.5 * (low + high)));
        }
    }
    let mut faces = |points: &[DVec3; 3], t: &[DVec3; 3]| {
        let normal = (t[1] - t[0]).cross(t[2] - t[0]).normalize();
        for p in points {
            let foot = *p - normal.dot(*p - t[0]) * normal;
            let turn = |k: usize| (t[(k + 1) % 3] - t[k]).cross(foot - t[k]).dot(normal) >= 0.0;
            if turn(0) && turn(1) && turn(2) {
                best = best.min(p.distance(foot));
            }
        }
    };
    faces(a, b);
    faces(b, a);
    best
}

/// Returns the depth of two solids from about `count` points sampled on each surface, m: the greatest
/// distance of a point inside the other solid from the other's triangles. 0 if no sampled point is
/// inside.
pub fn brute_depth(meshes: [&Mesh; 2], b_to_a: &Pose, count: usize) -> f64 {
    let of = |mesh: &Mesh, carry: &dyn Fn(DVec3) -> DVec3| -> Vec<[DVec3; 3]> {
        (0..mesh.triangles().len() as u32).map(|t| mesh.corners(t).map(carry)).collect()
    };
    let triangles = [of(meshes[0], &|p| p), of(meshes[1], &|p| b_to_a.transform_point(p))];
    let mut deepest: f64 = 0.0;
    for side in 0..2 {
        let (own, others) = (&triangles[side], &triangles[1 - side]);
        let area = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).length();
        let whole: f64 = own.iter().map(area).sum();
        for t in own {
            let rows = ((2.0 * count as f64 * area(t) / whole).sqrt().ceil() as u32).max(1);
            for i in 0..=rows {
                for k in 0..=rows - i {
                    let [x, y] = [i, k].map(|n| f64::from(n) / f64::from(rows));
                    let point = t[0] + x * (t[1] - t[0]) + y * (t[2] - t[0]);
                    let distance = |t: &[DVec3; 3]| point_to_triangle(point, t);
                    if winding(point, others) > 0.5 {
                        let nearest = others.iter().map(distance).fold(f64::INFINITY, f64::min);
                        deepest = deepest.max(nearest);
                    }
                }
            }
        }
    }
    deepest
}

/// Returns the winding number of triangles about a point: 1 inside a solid (van Oosterom and Strackee
/// 1983).
fn winding(point: DVec3, triangles: &[[DVec3; 3]]) -> f64 {
    let angle = |t: &[DVec3; 3]| {
        let [a, b, c] = t.map(|corner| corner - point);
        let [x, y, z] = [a, b, c].map(DVec3::length);
        let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * libm::atan2(a.dot(b.cross(c)), below)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// Returns the distance of a point from a triangle: from the face if the point projects into it,
/// otherwise from the edges.
fn point_to_triangle(point: DVec3, t: &[DVec3; 3]) -> f64 {
    let normal = (t[1] - t[0]).cross(t[2] - t[0]).normalize();
    let is_above = (0..3).all(|k| normal.cross(t[(k + 1) % 3] - t[k]).dot(point - t[k]) >= 0.0);
    if is_above {
        return normal.dot(point - t[0]).abs();
    }
    let to_edge = |k: usize| {
        let (from, along) = (t[k], t[(k + 1) % 3] - t[k]);
        let at = (along.dot(point - from) / along.length_squared()).clamp(0.0, 1.0);
        point.distance(from + at * along)
    };
    (0..3).map(to_edge).fold(f64::INFINITY, f64::min)
}
