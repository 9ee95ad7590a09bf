//! Volume, centre and inertia at density one.
//!
//! The parts of a surface that have an inside are integrated by the divergence theorem, as tetrahedra from
//! the centre of the bounding box, in `f64`: cavities subtract, solids inside each other count twice. A mesh
//! that is mostly sheets has no such volume and weighs as its surface, of a stated thickness. Never fails:
//! the result is positive and its inertia is that of some real body.

use glam::{DMat3, DVec3, Vec3};

use super::{VolumeMethod, VolumeProperties};

/// Share of the bounding box's diagonal that is the thickness of a sheet: 1 cm for a meter of cloth or car
/// body. The mass of an open mesh is proportional to it; say the mass of the body where it matters.
const SHELL_THICKNESS: f64 = 0.01;

/// Largest share of two-sided area in a mesh that weighs as the solid it is otherwise.
const SHEET_SHARE: f64 = 0.5;

pub(super) fn properties(vertices: &[Vec3], triangles: &[[u32; 3]], two_sided: &[bool]) -> VolumeProperties {
    let (min, max) = vertices
        .iter()
        .map(|v| v.as_dvec3())
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), v| (min.min(v), max.max(v)));
    let origin = 0.5 * (min + max);
    let (mut solid, mut shell) = (Moments::default(), Moments::default());
    let (mut area, mut sheet_area) = (0.0, 0.0);
    for (corners, &two_sided) in triangles.iter().zip(two_sided) {
        let [a, b, c] = corners.map(|v| vertices[v as usize].as_dvec3() - origin);
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
    // Many layers of sheet do not weigh more than the box they fill.
    let volume = (area * thickness).min((size + thickness).element_product());
    shell.scale(volume / area);
    shell.thicken(thickness);
    shell.properties(origin, VolumeMethod::Shell).unwrap_or_else(|| ball(origin, volume))
}

/// Integrals of 1, x and x xᵀ.
#[derive(Default)]
struct Moments {
    volume: f64,
    first: DVec3,
    second: DMat3,
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

impl Moments {
    /// The tetrahedron from the origin to the triangle, signed.
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

    /// Spreads every point evenly over a cube's worth of directions: variance t²/12 along each axis.
    fn thicken(&mut self, thickness: f64) {
        self.second += DMat3::from_diagonal(DVec3::splat(self.volume * thickness * thickness / 12.0));
    }

    /// None if no body has these moments: the volume or a principal second moment is not positive. Positive
    /// second moments are the triangle inequality of the inertia.
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

/// The last resort, where even the sheet's moments over- or underflow.
fn ball(center: DVec3, volume: f64) -> VolumeProperties {
    let volume = volume.clamp(f64::MIN_POSITIVE, f64::MAX);
    let radius = libm::cbrt(0.75 * volume / std::f64::consts::PI);
    let inertia = DMat3::from_diagonal(DVec3::splat(0.4 * volume * radius * radius));
    VolumeProperties { volume, center, inertia, method: VolumeMethod::Shell }
}
