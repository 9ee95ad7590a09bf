//! Volume, center of mass and inertia for a density of one.
//!
//! The parts of a surface that have an inside are integrated by the divergence theorem, as signed
//! tetrahedra from the center of the bounding box, in `f64`. Cavities are subtracted; a solid inside
//! another one counts twice. A mesh that is mostly sheets has no such volume; its mass is that of its
//! surface with a fixed relative thickness. The computation never fails: the mass is positive, and the
//! inertia is that of a physical body.

use glam::{DMat3, DVec3, Vec3};

use super::surface::{VolumeMethod, VolumeProperties};

use crate::arrays::MapEach;

/// Thickness of a sheet as a share of the bounding box's diagonal: 1 cm for a meter of cloth or car
/// body. The mass of an open mesh is proportional to it; specify the body's mass where it matters.
const SHELL_THICKNESS: f64 = 0.01;

/// Largest share of two-sided area in a mesh whose mass is still that of a solid.
const SHEET_SHARE: f64 = 0.5;

/// Returns the volume properties of a surface: those of a solid, or of sheets if it is mostly
/// two-sided.
pub(super) fn properties(vertices: &[Vec3], triangles: &[[u32; 3]], two_sided: &[bool]) -> VolumeProperties {
    let (min, max) = vertices
        .iter()
        .map(|v| v.as_dvec3())
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), v| (min.min(v), max.max(v)));
    let origin = 0.5 * (min + max);
    let (mut solid, mut shell) = (Moments::ZERO, Moments::ZERO);
    let (mut area, mut sheet_area) = (0.0, 0.0);
    for (corners, &two_sided) in triangles.iter().zip(two_sided) {
        let [a, b, c] = corners.map_each(|v| vertices[v as usize].as_dvec3() - origin);
        let triangle_area = 0.5 * (b - a).cross(c - a).length();
        shell.add_triangle(a, b, c, triangle_area);
        area += triangle_area;
        if two_sided {
            sheet_area += triangle_area;
        } else {
            solid.add_tetrahedron(a, b, c);
        }
    }
    if sheet_area <= SHEET_SHARE * area
        && let Some(found) = solid.properties(origin, VolumeMethod::Divergence)
    {
        return found;
    }
    let size = max - min;
    let thickness = SHELL_THICKNESS * size.length();
    // The mass of many layers of sheets is at most that of the box that they fill.
    let volume = (area * thickness).min((size + thickness).element_product());
    shell.scale(volume / area);
    shell.thicken(thickness);
    shell.properties(origin, VolumeMethod::Shell).unwrap_or_else(|| ball(origin, volume))
}

/// Integrals of 1, x and x xᵀ over a volume or a surface.
struct Moments {
    volume: f64,
    first: DVec3,
    second: DMat3,
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

impl Moments {
    const ZERO: Self = Self { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    /// Adds the signed tetrahedron between the origin and the triangle.
    fn add_tetrahedron(&mut self, a: DVec3, b: DVec3, c: DVec3) {
        let (volume, sum) = (a.dot(b.cross(c)) / 6.0, a + b + c);
        self.volume += volume;
        self.first += volume / 4.0 * sum;
        self.second += volume / 20.0 * (outer(a) + outer(b) + outer(c) + outer(sum));
    }

    fn add_triangle(&mut self, a: DVec3, b: DVec3, c: DVec3, area: f64) {
        let sum = a + b + c;
        self.volume += area;
        self.first += area / 3.0 * sum;
        self.second += area / 12.0 * (outer(a) + outer(b) + outer(c) + outer(sum));
    }

    fn scale(&mut self, factor: f64) {
        self.volume *= factor;
        self.first *= factor;
        self.second *= factor;
    }

    /// Spreads every point uniformly over a cube of side `thickness`, which adds the variance
    /// thickness²/12 along each axis.
    fn thicken(&mut self, thickness: f64) {
        self.second += DMat3::from_diagonal(DVec3::splat(self.volume * thickness * thickness / 12.0));
    }

    /// Returns the properties; `None` if no body has these moments, because the volume or a principal
    /// second moment is not positive. Positive second moments are equivalent to the triangle inequality
    /// of the inertia.
    fn properties(&self, origin: DVec3, method: VolumeMethod) -> Option<VolumeProperties> {
        if self.volume.is_nan() || self.volume <= 0.0 {
            return None;
        }
        let center = self.first / self.volume;
        let m = self.second - self.volume * outer(center);
        let minor = m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x;
        let positive = m.x_axis.x > 0.0 && minor > 0.0 && m.determinant() > 0.0;
        let inertia = DMat3::from_diagonal(DVec3::splat(m.x_axis.x + m.y_axis.y + m.z_axis.z)) - m;
        let found = VolumeProperties { volume: self.volume, center: origin + center, inertia, method };
        (positive && inertia.is_finite()).then_some(found)
    }
}

/// Returns a ball of the given volume. It is the last resort, if even the moments of the sheets
/// overflow or underflow.
fn ball(center: DVec3, volume: f64) -> VolumeProperties {
    let volume = volume.clamp(f64::MIN_POSITIVE, f64::MAX);
    let radius = libm::cbrt(0.75 * volume / std::f64::consts::PI);
    let inertia = DMat3::from_diagonal(DVec3::splat(0.4 * volume * radius * radius));
    VolumeProperties { volume, center, inertia, method: VolumeMethod::Shell }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;

    fn close(found: f64, expected: f64, share: f64) {
        assert!((found - expected).abs() <= share * expected.abs(), "{found} instead of {expected}");
    }

    fn box_mesh(size: Vec3, center: Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let corner = |k: u32| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32) - 0.5;
        let vertices = (0..8).map(|k| center + corner(k) * size).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        (vertices, quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect())
    }

    fn weigh((vertices, triangles): &(Vec<Vec3>, Vec<[u32; 3]>)) -> VolumeProperties {
        Mesh::new("", vertices, triangles).unwrap().surface().volume
    }

    #[test]
    fn a_box_near_and_far() {
        for center in [Vec3::ZERO, Vec3::new(1e4, -1e4, 5e3)] {
            let found = weigh(&box_mesh(Vec3::new(1.0, 2.0, 4.0), center));
            assert_eq!(found.method, VolumeMethod::Divergence);
            close(found.volume, 8.0, 1e-12);
            assert!(found.center.distance(center.as_dvec3()) < 1e-9);
            let expected = DVec3::new(20.0, 17.0, 5.0) * 8.0 / 12.0;
            assert!((found.inertia - DMat3::from_diagonal(expected)).abs_diff_eq(DMat3::ZERO, 1e-9));
        }
    }

    #[test]
    fn a_mirrored_tetrahedron_weighs_the_same() {
        for mirror in [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0), Vec3::NEG_ONE] {
            let vertices = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|v| v * mirror);
            let found = weigh(&(vertices.into(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]));
            close(found.volume, 1.0 / 6.0, 1e-12);
            assert!(found.center.distance(mirror.as_dvec3() / 4.0) < 1e-12);
            // ∫x² = 1/60 and ∫xy = 1/120 about the corner; shifted to the center 1/160 and −1/480.
            close(found.inertia.x_axis.x, 1.0 / 80.0, 1e-12);
            let sign = f64::from(mirror.x * mirror.y);
            close(found.inertia.x_axis.y, sign / 480.0, 1e-12);
        }
    }

    #[test]
    fn a_torus() {
        let (n, large, small) = (300_u32, 2.0_f64, 0.5_f64);
        let point = |i: u32, j: u32| {
            let angle = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(n);
            let out = large + small * angle(j).cos();
            DVec3::new(out * angle(i).cos(), small * angle(j).sin(), out * angle(i).sin()).as_vec3()
        };
        let vertices = (0..n * n).map(|k| point(k / n, k % n)).collect();
        let at = |i: u32, j: u32| i % n * n + j % n;
        let triangles = (0..n * n)
            .flat_map(|k| {
                let (i, j) = (k / n, k % n);
                [[at(i, j), at(i, j + 1), at(i + 1, j)], [at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]]
            })
            .collect();
        let found = weigh(&(vertices, triangles));
        let volume = 2.0 * std::f64::consts::PI.powi(2) * large * small * small;
        close(found.volume, volume, 1e-3);
        close(found.inertia.y_axis.y, volume * (large * large + 0.75 * small * small), 1e-3);
        close(found.inertia.x_axis.x, volume * (0.5 * large * large + 0.625 * small * small), 1e-3);
    }

    #[test]
    fn sheets_and_soups_weigh_something_sane() {
        let sheet = (vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X + Vec3::Z], vec![[0, 1, 2], [2, 1, 3]]);
        let found = weigh(&sheet);
        assert_eq!(found.method, VolumeMethod::Shell);
        close(found.volume, SHELL_THICKNESS * 2.0_f64.sqrt(), 1e-6);
        assert!(found.center.distance(DVec3::new(0.5, 0.0, 0.5)) < 1e-9);
        close(found.inertia.y_axis.y, found.volume / 6.0, 1e-2);
        // A box that lacks a face, and a sheet at extreme scales.
        let (vertices, triangles) = box_mesh(Vec3::new(1.0, 2.0, 4.0), Vec3::ZERO);
        let open = weigh(&(vertices, triangles[2..].into()));
        assert_eq!(open.method, VolumeMethod::Shell);
        assert!(open.volume > 0.0 && open.volume < 8.0);
        for scale in [1e-12, 1e12] {
            let found = weigh(&(sheet.0.iter().map(|v| v * scale).collect(), sheet.1.clone()));
            assert!(found.volume > 0.0 && found.inertia.is_finite(), "{scale}");
        }
    }
}
