//! Box, sphere, ellipsoid, torus, cylinder and washer: solids of a known volume at any resolution.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3, Vec3};

use super::Triangles;
use super::shell::{Facing, Frame, Shell, polar};

/// Builds a box about the origin. `size` holds its full edge lengths, and `spacing` is the target edge
/// length of triangles, m.
pub fn cuboid(size: Vec3, spacing: f64) -> Triangles {
    let size = size.as_dvec3();
    let mut shell = Shell::new(spacing);
    let (x, y) = (size.x / 2.0, size.y / 2.0);
    let corners = [DVec2::new(-x, -y), DVec2::new(x, -y), DVec2::new(x, y), DVec2::new(-x, y)];
    let outline = shell.subdivide(&corners);
    shell.extrude(Frame::up(-size.z / 2.0), size.z, &outline, &[]);
    shell.finish(DVec3::ZERO)
}

/// Builds a sphere by latitude and longitude, with `segment_count` segments around and half as many
/// from pole to pole: about `segment_count²` triangles. `radius` is in m.
pub fn sphere(radius: f32, segment_count: usize) -> Triangles {
    ellipsoid(Vec3::splat(radius), segment_count)
}

/// Builds a sphere stretched to three radii (m); the resolution is as for [`sphere`].
pub fn ellipsoid(radii: Vec3, segment_count: usize) -> Triangles {
    let (around, rows) = (segment_count.max(3) as u32, (segment_count / 2).max(2) as u32);
    let mut positions = vec![Vec3::new(0.0, 0.0, -radii.z)];
    for row in 1..rows {
        let latitude = PI * f64::from(row) / f64::from(rows);
        for i in 0..around {
            let p = polar(libm::sin(latitude), TAU * f64::from(i) / f64::from(around));
            positions.push(DVec3::new(p.x, p.y, -libm::cos(latitude)).as_vec3() * radii);
        }
    }
    let top = positions.len() as u32;
    positions.push(Vec3::new(0.0, 0.0, radii.z));
    let mut triangles = Vec::new();
    let at = |row: u32, i: u32| 1 + (row - 1) * around + i % around;
    for i in 0..around {
        triangles.push([0, at(1, i + 1), at(1, i)]);
        triangles.push([top, at(rows - 1, i), at(rows - 1, i + 1)]);
        for row in 1..rows - 1 {
            let [a, b, c, d] = [at(row, i), at(row, i + 1), at(row + 1, i + 1), at(row + 1, i)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (positions, triangles)
}

/// Builds a torus about the z axis: `major` is the radius to the middle of the tube and `minor` the
/// tube's radius (m). It has `2 · around · across` triangles.
pub fn torus(major: f32, minor: f32, around: usize, across: usize) -> Triangles {
    let (around, across) = (around.max(3) as u32, across.max(3) as u32);
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..around {
        let direction = polar(1.0, TAU * f64::from(i) / f64::from(around));
        for j in 0..across {
            let p = polar(f64::from(minor), TAU * f64::from(j) / f64::from(across));
            let flat = direction * (f64::from(major) + p.x);
            positions.push(DVec3::new(flat.x, flat.y, p.y).as_vec3());
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (positions, triangles)
}

/// Builds a cylinder along z about the origin, m.
pub fn cylinder(radius: f64, height: f64, spacing: f64) -> Triangles {
    let mut shell = Shell::new(spacing);
    let outline = shell.circle(DVec2::ZERO, radius);
    shell.extrude(Frame::up(-height / 2.0), height, &outline, &[]);
    shell.finish(DVec3::ZERO)
}

/// Dimensions of a flat ring about z with chamfered outer edges, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Washer {
    pub inner_radius: f64,
    pub outer_radius: f64,
    pub thickness: f64,
    pub chamfer: f64,
    pub spacing: f64,
}

impl Washer {
    /// Washer for the 20 mm bolt.
    pub const M20: Self =
        Self { inner_radius: 0.011, outer_radius: 0.022, thickness: 0.004, chamfer: 0.001, spacing: 0.0026 };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        let half = self.thickness / 2.0;
        let bore = shell.circle(DVec2::ZERO, self.inner_radius);
        let rim = shell.circle(DVec2::ZERO, self.outer_radius);
        let scale = (self.outer_radius - self.chamfer) / self.outer_radius;
        let face: Vec<DVec2> = rim.iter().map(|p| *p * scale).collect();
        let (low, high) = (Frame::up(-half), Frame::up(half));
        shell.face(low, Facing::Back, &face, std::slice::from_ref(&bore));
        shell.face(high, Facing::Front, &face, std::slice::from_ref(&bore));
        shell.tube(&[
            low.ring(&face),
            Frame::up(-half + self.chamfer).ring(&rim),
            Frame::up(half - self.chamfer).ring(&rim),
            high.ring(&face),
        ]);
        shell.wall(&high.ring(&bore), &low.ring(&bore));
        shell.finish(DVec3::ZERO)
    }
}
