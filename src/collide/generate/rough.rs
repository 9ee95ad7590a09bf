//! Surfaces that are hard on hierarchies: a sphere with bumps and noise, and random triangles. Neither
//! is meant to be simulated: the soup is not closed.

use std::f32::consts::TAU;

use glam::Vec3;

use super::{Triangles, sphere};

/// Small random generator of numbers in [0, 1), the same on every platform.
struct Noise(u32);

impl Noise {
    fn new(seed: u32) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9) | 1)
    }

    fn uniform(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    /// Returns a normally distributed number with mean 0 and deviation 1.
    fn normal(&mut self) -> f32 {
        let radius = (-2.0 * libm::logf(1.0 - self.uniform())).sqrt();
        radius * libm::cosf(TAU * self.uniform())
    }
}

/// Builds a sphere of about unit radius with waves of 8 % and noise of 2 %. `segment_count` is as for
/// [`sphere`].
pub fn bumpy_sphere(segment_count: usize) -> Triangles {
    let (mut positions, triangles) = sphere(1.0, segment_count);
    let mut noise = Noise::new(1);
    for p in &mut positions {
        let waves = 0.08 * libm::sinf(9.0 * p.x) * libm::sinf(7.0 * p.y);
        *p *= 1.0 + waves + 0.02 * noise.normal();
    }
    (positions, triangles)
}

/// Builds `count` triangles. Their centers are uniform in the cube from −1 m to 1 m, and their corners
/// are normally distributed about the centers with a deviation of `size` (m) per axis.
pub fn soup(count: u32, size: f32, seed: u32) -> Triangles {
    let mut noise = Noise::new(seed);
    let mut positions = Vec::with_capacity(3 * count as usize);
    for _ in 0..count {
        let center = 2.0 * Vec3::new(noise.uniform(), noise.uniform(), noise.uniform()) - Vec3::ONE;
        positions.extend(
            (0..3).map(|_| center + size * Vec3::new(noise.normal(), noise.normal(), noise.normal())),
        );
    }
    (positions, (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect())
}
