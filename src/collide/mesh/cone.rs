//! Normal cones, and their encoding in four bytes.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use crate::arrays::MapEach;

/// Normal cone: all directions within an angle of an axis or, for a double cone, of the line through
/// the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Unit axis.
    pub axis: DVec3,
    /// Cosine of the angle. The cone contains every direction if it is 0 or less.
    pub cosine: f64,
    /// Whether the opposite directions also belong to the cone.
    pub is_double: bool,
}

impl Cone {
    pub const ALL: Self = Self { axis: DVec3::Z, cosine: 0.0, is_double: true };

    pub fn is_all(&self) -> bool {
        self.cosine <= 0.0
    }

    /// Returns a cone that contains all of `cones`.
    pub fn around(cones: impl Iterator<Item = Self> + Clone) -> Self {
        let is_double = cones.clone().any(|c| c.is_double);
        let mut sum = DVec3::ZERO;
        for cone in cones.clone() {
            if cone.is_all() {
                return Self::ALL;
            }
            sum += if is_double && sum.dot(cone.axis) < 0.0 { -cone.axis } else { cone.axis };
        }
        let Some(axis) = sum.try_normalize() else { return Self::ALL };
        let widest = cones.map(|cone| {
            let cosine = cone.axis.dot(axis);
            angle(if is_double { cosine.abs() } else { cosine }) + angle(cone.cosine)
        });
        let widest = widest.fold(0.0, f64::max);
        if widest < FRAC_PI_2 { Self { axis, cosine: widest.cos(), is_double } } else { Self::ALL }
    }
}

impl From<PackedCone> for Cone {
    fn from(packed: PackedCone) -> Self {
        let [x, y, z, sine, double] = packed.parts().map_each(f64::from);
        let axis = DVec3::new(x, y, z).try_normalize();
        let sine = sine / STEPS;
        let cone =
            axis.map(|axis| Self { axis, cosine: (1.0 - sine * sine).sqrt(), is_double: double > 0.0 });
        cone.unwrap_or(Self::ALL)
    }
}

/// Cone in four bytes, never narrower than the original. It has one byte per coordinate of the axis, in
/// steps, then seven bits for the sine of the angle in steps of 1/127. The highest bit is set if the
/// cone is double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedCone(u32);

/// Number of steps of a coordinate or sine of 1.
const STEPS: f64 = 127.0;

impl PackedCone {
    /// Cone of all directions: a zero axis, and a sine of one.
    pub const ALL: Self = Self(0xff << 24);
    /// Size of a step.
    pub const STEP: f32 = 1.0 / STEPS as f32;

    /// Returns the axis (not of unit length) and the sine of the angle, both in steps, and 1 for a
    /// double cone, otherwise 0.
    #[inline(always)]
    pub fn parts(self) -> [f32; 5] {
        let [x, y, z, w] = self.0.to_le_bytes();
        let [x, y, z] = [x.cast_signed(), y.cast_signed(), z.cast_signed()];
        [f32::from(x), f32::from(y), f32::from(z), f32::from(w & 127), f32::from(w >> 7)]
    }
}

impl From<Cone> for PackedCone {
    fn from(cone: Cone) -> Self {
        let steps = (cone.axis * STEPS).round();
        let Some(axis) = steps.try_normalize().filter(|_| !cone.is_all()) else { return Self::ALL };
        let widest = angle(cone.cosine) + angle(axis.dot(cone.axis));
        let sine = (widest.min(FRAC_PI_2).sin() * STEPS).ceil();
        if widest >= FRAC_PI_2 || sine >= STEPS {
            return Self::ALL;
        }
        let [x, y, z] = [steps.x, steps.y, steps.z].map_each(|s| (s as i8).cast_unsigned());
        Self(u32::from_le_bytes([x, y, z, sine as u8 | u8::from(cone.is_double) << 7]))
    }
}

fn angle(cosine: f64) -> f64 {
    cosine.clamp(-1.0, 1.0).acos()
}
