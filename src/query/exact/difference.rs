//! The difference of two convex links, A − B: the set of all ways from a point of b to a point of a. It
//! contains the origin exactly if the links share a point, and its point nearest to the origin is the way
//! between them.
//!
//! Directions are in the body space of a; points are relative to a's centre, so that links far from the
//! origin lose no more digits than their poses do.

use glam::{DMat3, DVec3};

use super::hull::Convex;
use crate::pose::Pose;

/// A point of the difference and the vertices that make it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vertex {
    pub point: DVec3,
    /// One of a, one of b.
    pub of: [u32; 2],
}

pub(super) struct Difference<'a> {
    a: &'a Convex,
    b: &'a Convex,
    rotation: DMat3,
    inverse: DMat3,
    /// From a's centre to b's.
    pub translation: DVec3,
    /// No point of the difference is farther from the origin, m.
    pub reach: f64,
}

impl<'a> Difference<'a> {
    pub fn new(a: &'a Convex, b: &'a Convex, b_to_a: &Pose) -> Self {
        let rotation = b_to_a.rotation_matrix();
        let translation = b_to_a.transform_point(b.center()) - a.center();
        let reach = a.radius() + b.radius() + translation.length();
        Self { a, b, rotation, inverse: rotation.transpose(), translation, reach }
    }

    /// Roundings of a point, m: nearer than this is touching.
    pub fn rounding(&self) -> f64 {
        16.0 * f64::EPSILON * self.reach
    }

    /// The point farthest in a direction; the search begins at the vertices `near`.
    #[inline]
    pub fn support(&self, direction: DVec3, near: [u32; 2]) -> Vertex {
        let of = [self.a.support(direction, near[0]), self.b.support(self.inverse * -direction, near[1])];
        self.vertex(of).unwrap_or_default()
    }

    /// `None` if one of the two has no such vertex.
    #[inline]
    pub fn vertex(&self, of: [u32; 2]) -> Option<Vertex> {
        let point_a = self.a.points().get(of[0] as usize)?;
        let point_b = self.b.points().get(of[1] as usize)?;
        Some(Vertex { point: *point_a - self.carried(*point_b), of })
    }

    /// A point of b relative to a's centre.
    fn carried(&self, point_b: DVec3) -> DVec3 {
        self.rotation * point_b + self.translation
    }

    /// The points of a and of b that corners of the difference with these shares stand for, body space of a.
    pub fn points<'v>(&self, corners: impl Iterator<Item = (&'v Vertex, f64)>) -> [DVec3; 2] {
        let mut points = [DVec3::ZERO; 2];
        for (vertex, share) in corners {
            points[0] += share * self.a.points()[vertex.of[0] as usize];
            points[1] += share * self.b.points()[vertex.of[1] as usize];
        }
        [points[0] + self.a.center(), self.carried(points[1]) + self.a.center()]
    }
}
