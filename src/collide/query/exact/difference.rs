//! Minkowski difference of two convex links, A − B: the set of all vectors from a point of b to a point
//! of a. It contains the origin exactly if the links share a point. Its point nearest to the origin is
//! the shortest vector between the links.
//!
//! Directions are in the body space of a. Points are relative to a's center, so that the coordinates of
//! links far from the origin lose no further digits.

use glam::{DMat3, DVec3};

use super::hull::Convex;
use crate::pose::Pose;

/// Point of the difference, and the vertices that generate it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vertex {
    pub point: DVec3,
    /// Vertex of a and vertex of b.
    pub of: [u32; 2],
}

pub(super) struct Difference<'a> {
    a: &'a Convex,
    b: &'a Convex,
    rotation: DMat3,
    inverse: DMat3,
    /// Vector from a's center to b's.
    pub translation: DVec3,
    /// Upper bound of the distance of any point of the difference from the origin, m.
    pub reach: f64,
}

impl<'a> Difference<'a> {
    pub fn new(a: &'a Convex, b: &'a Convex, b_to_a: &Pose) -> Self {
        let rotation = b_to_a.rotation_matrix();
        let translation = b_to_a.transform_point(b.center()) - a.center();
        let reach = a.radius() + b.radius() + translation.length();
        Self { a, b, rotation, inverse: rotation.transpose(), translation, reach }
    }

    /// Returns the rounding error of a point, m. Links nearer than this count as touching.
    pub fn rounding(&self) -> f64 {
        16.0 * f64::EPSILON * self.reach
    }

    /// Returns the point of the difference farthest in a direction. The search starts at the vertices
    /// `near`.
    #[inline]
    pub fn support(&self, direction: DVec3, near: [u32; 2]) -> Vertex {
        let of = [self.a.support(direction, near[0]), self.b.support(self.inverse * -direction, near[1])];
        self.vertex(of).unwrap_or_default()
    }

    /// Returns the point of the difference for a vertex of a and one of b; `None` if either does not
    /// exist.
    #[inline]
    pub fn vertex(&self, of: [u32; 2]) -> Option<Vertex> {
        let point_a = self.a.points().get(of[0] as usize)?;
        let point_b = self.b.points().get(of[1] as usize)?;
        Some(Vertex { point: *point_a - self.carried(*point_b), of })
    }

    /// Transforms a point of b to a's axes, relative to a's center.
    fn carried(&self, point_b: DVec3) -> DVec3 {
        self.rotation * point_b + self.translation
    }

    /// Returns the points of a and of b that correspond to a weighted sum of corners of the difference,
    /// in the body space of a.
    pub fn points<'v>(&self, corners: impl Iterator<Item = (&'v Vertex, f64)>) -> [DVec3; 2] {
        let mut points = [DVec3::ZERO; 2];
        for (vertex, share) in corners {
            points[0] += share * self.a.points()[vertex.of[0] as usize];
            points[1] += share * self.b.points()[vertex.of[1] as usize];
        }
        [points[0] + self.a.center(), self.carried(points[1]) + self.a.center()]
    }
}
