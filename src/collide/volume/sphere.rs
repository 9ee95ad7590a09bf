//! Bounding sphere. \[boxtree\] Table 1
//!
//! Fitted by Ritter's method (1990): a sphere over two distant points is enlarged until it contains
//! every point. The result is the smaller of this sphere and the smallest sphere about the center of
//! the bounding box.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};

use super::{Aabb, Meets, Operations, Transit, Volume, round_up};

/// Closed ball; center and radius in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    pub center: Vec3,
    pub radius: f32,
}

const _: () = assert!(size_of::<Sphere>() == 16);

/// Rotation and translation from b to a, and the enlargement.
pub struct SphereFrames {
    rotation: glam::Mat3,
    translation: Vec3,
    growth: f32,
}

impl Sphere {
    /// Returns the smallest sphere with the given center around all triangles.
    fn around(center: DVec3, triangles: &[[Vec3; 3]]) -> Self {
        let center = center.as_vec3();
        let squared = |p: &Vec3| p.as_dvec3().distance_squared(center.as_dvec3());
        let radius = triangles.iter().flatten().map(squared).fold(0.0, f64::max).sqrt();
        Self { center, radius: round_up(radius * (1.0 + 1e-15)) }
    }
}

impl Volume for Sphere {
    type Choice = ();
    type Shared = ();
    type Frames = SphereFrames;
    type A = Self;
    type B = Self;
    const CARRY_A: Operations = Operations::new(0, 0, 0);
    const CARRY_B: Operations = Operations::new(9, 10, 0);
    /// Squared distance, and its comparison with the squared sum of the radii.
    const OVERLAP: Operations = Operations::new(4, 6, 1);

    fn shared((): ()) {}

    fn fit(triangles: &[[Vec3; 3]], (): &()) -> Self {
        let points = || triangles.iter().flatten().map(|p| p.as_dvec3());
        let farthest =
            |from: DVec3| {
                points().fold(from, |far, p| {
                    if p.distance_squared(from) > far.distance_squared(from) { p } else { far }
                })
            };
        let first = farthest(triangles[0][0].as_dvec3());
        let second = farthest(first);
        let (mut center, mut radius) = (0.5 * (first + second), 0.5 * first.distance(second));
        for point in points() {
            let distance = point.distance(center);
            if distance > radius {
                let grown = 0.5 * (radius + distance);
                center += (point - center) * ((distance - grown) / distance);
                radius = grown;
            }
        }
        let ritter = Self::around(center, triangles);
        let bounds = Aabb::from_points(triangles.iter().flatten().copied());
        let centered = Self::around(bounds.center().as_dvec3(), triangles);
        if centered.radius < ritter.radius { centered } else { ritter }
    }

    fn contains(&self, point: Vec3, (): &()) -> bool {
        point.as_dvec3().distance(self.center.as_dvec3()) <= f64::from(self.radius) * (1.0 + 1e-14)
    }

    fn bounds(&self) -> Aabb {
        Aabb::new(self.center, self.center).inflated(self.radius.into())
    }

    fn volume(&self) -> f64 {
        let radius = f64::from(self.radius);
        4.0 / 3.0 * PI * radius * radius * radius
    }

    fn frames(transit: &Transit, (): &()) -> SphereFrames {
        SphereFrames {
            rotation: transit.rotation.as_mat3(),
            translation: transit.translation.as_vec3(),
            growth: round_up(transit.growth),
        }
    }

    fn carry_a(&self, _: &SphereFrames) -> Self {
        *self
    }

    fn carry_b(&self, frames: &SphereFrames) -> Self {
        let center = frames.rotation * self.center + frames.translation;
        Self { center, radius: self.radius + frames.growth }
    }

    fn overlap(a: &Self, b: &Self, _: &SphereFrames) -> bool {
        let reach = a.radius + b.radius;
        let apart = a.center.distance_squared(b.center) > reach * reach;
        !apart
    }

    fn depth(a: &Self, b: &Self, _: &SphereFrames) -> f32 {
        a.radius + b.radius - a.center.distance(b.center)
    }
}

impl Meets for Sphere {
    fn meets(&self, [from, to]: [DVec3; 2]) -> bool {
        let (center, along) = (self.center.as_dvec3(), to - from);
        let length_squared = along.length_squared();
        let at = if length_squared > 0.0 { (center - from).dot(along) / length_squared } else { 0.0 };
        let nearest = from + along * at.clamp(0.0, 1.0);
        let pad = 1e-12 * (center.abs().max_element() + from.abs().max_element() + along.abs().max_element());
        nearest.distance(center) <= f64::from(self.radius) + pad
    }
}
