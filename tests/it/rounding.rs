//! Smooth surfaces of fine meshes, compared with the round bodies that the meshes were made from.

use glam::{DVec3, Vec3};
use tumble::generate::{self, Triangles};
use tumble::mesh::{Mesh, Outline, Rounding};

const RADIUS: f64 = 0.1;
/// Largest distance of facets behind the smooth surface, m.
const TOLERANCE: f64 = 4e-4;

fn mesh((positions, triangles): &Triangles) -> Mesh {
    Mesh::new("part", positions, triangles).unwrap()
}

/// Returns the number of sharp vertices that are extremal along a direction, and the farthest points
/// from the round ones.
fn outlines(mesh: &Mesh, out: DVec3) -> (usize, Vec<(DVec3, Rounding)>) {
    let (mut sharp, mut round) = (0, Vec::new());
    for vertex in (0..mesh.vertices().len() as u32).filter(|&v| mesh.vertex_supports(v, out)) {
        let place = mesh.vertices()[vertex as usize].as_dvec3();
        match mesh.outline(vertex, out, TOLERANCE) {
            Outline::Sharp => sharp += 1,
            Outline::Beside(_) => {}
            Outline::Round(rounding) => round.push((place + rounding.shift, rounding)),
        }
    }
    (sharp, round)
}

/// Checks that the farthest point is below the middle, whichever vertex is near it, and that all radii
/// are the sphere's.
#[test]
fn a_ball_of_triangles_touches_below_its_middle() {
    let ball = mesh(&generate::sphere(RADIUS as f32, 64));
    for k in 0..40 {
        let angle = 0.37 * f64::from(k);
        // Not over the poles, where more triangles meet than a vertex may have.
        let out = DVec3::new(angle.cos(), angle.sin(), 0.5 * (0.7 * f64::from(k)).sin()).normalize();
        let (_, round) = outlines(&ball, out);
        assert!(!round.is_empty(), "{out}: no vertex is nearest");
        for (point, rounding) in round {
            assert!(point.distance(RADIUS * out) < 5e-5, "{out}: {point}");
            let across = out.any_orthonormal_vector();
            let radius = across.dot(rounding.radii * across);
            assert!((radius / RADIUS - 1.0).abs() < 0.02, "{out}: a radius of {radius} m");
        }
    }
}

/// Checks that a farthest point lies among the neighbors of its vertex.
#[test]
fn no_surface_is_continued_beyond_its_rim() {
    let mut count = 0;
    for part in [generate::Bolt::M20.triangles(), generate::Nut::M20.triangles(), generate::sphere(0.1, 32)] {
        let part = mesh(&part);
        for k in 0..200 {
            let angle = 2.4 * f64::from(k);
            let height = f64::from(k) / 100.0 - 0.995;
            let level = (1.0 - height * height).sqrt();
            let out = DVec3::new(level * angle.cos(), level * angle.sin(), height);
            for vertex in (0..part.vertices().len() as u32).filter(|&v| part.vertex_supports(v, out)) {
                let Outline::Round(Rounding { shift, .. }) = part.outline(vertex, out, TOLERANCE) else {
                    continue;
                };
                let at = |v: u32| part.vertices()[v as usize].as_dvec3();
                let to = |&v: &u32| at(v).distance(at(vertex));
                let reach = part.topology().neighbors(vertex).iter().map(to).fold(0.0, f64::max);
                count += 1;
                assert!(shift.length() <= reach, "{vertex} along {out}: {shift}, {reach} m to a neighbor");
            }
        }
    }
    assert!(count > 200, "{count} vertices are round");
}

#[test]
fn boxes_and_coarse_prisms_are_not_rounded() {
    let cube = mesh(&generate::cuboid(Vec3::splat(0.2), 0.05));
    // Its facets lie 1.2 mm behind a circle.
    let prism = mesh(&generate::cylinder(RADIUS, 0.2, 0.031));
    for part in [cube, prism] {
        for k in 0..30 {
            let angle = 0.2 * f64::from(k);
            let out = DVec3::new(angle.cos(), angle.sin(), 0.3 * angle.sin()).normalize();
            let (sharp, round) = outlines(&part, out);
            assert!(sharp > 0 && round.is_empty(), "{out}: {sharp} sharp, {round:?}");
        }
    }
}
