//! Two surfaces in one space, the body space of a.

use glam::{DMat3, DVec3};

use crate::arrays::MapEach;
use crate::mesh::{Mesh, NONE};
use crate::pose::Pose;
use crate::query::closest::{Closest, closest_point};
use crate::query::inside::is_in_solid;
use crate::query::segment::first_crossing;
use crate::tree::{PointStack, SegmentStack, Surfaces};

/// One of the two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    A,
    B,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// Returns the direction in which this side separates from the other, given the direction in which
    /// a separates from b.
    pub fn out(self, normal: DVec3) -> DVec3 {
        match self {
            Self::A => normal,
            Self::B => -normal,
        }
    }
}

pub(super) struct PosedSurfaces<'a> {
    surfaces: Surfaces<'a>,
    b_to_a: &'a Pose,
    rotation: DMat3,
    /// Length of a ray that is certain to leave both surfaces, m.
    size: f64,
}

impl<'a> PosedSurfaces<'a> {
    pub fn new(surfaces: Surfaces<'a>, b_to_a: &'a Pose) -> Self {
        let size = surfaces.iter().map(|(_, mesh)| 2.0 * f64::from(mesh.bounds().diagonal())).sum();
        Self { surfaces, b_to_a, rotation: b_to_a.rotation_matrix(), size }
    }

    pub fn mesh(&self, side: Side) -> &'a Mesh {
        self.surfaces[side as usize].1
    }

    fn placed(&self, side: Side, point: DVec3) -> DVec3 {
        match side {
            Side::A => point,
            Side::B => self.rotation * point + self.b_to_a.position,
        }
    }

    fn own(&self, side: Side, point: DVec3) -> DVec3 {
        match side {
            Side::A => point,
            Side::B => self.rotation.transpose() * (point - self.b_to_a.position),
        }
    }

    pub fn point(&self, side: Side, vertex: u32) -> DVec3 {
        self.placed(side, self.mesh(side).vertices()[vertex as usize].as_dvec3())
    }

    pub fn corners(&self, side: Side, triangle: u32) -> [DVec3; 3] {
        self.mesh(side).corners(triangle).map_each(|p| self.placed(side, p))
    }

    /// Returns the unit normal of a triangle; zero for a triangle without area.
    pub fn normal(&self, side: Side, triangle: u32) -> DVec3 {
        let normal = self.mesh(side).topology().normal(triangle);
        if side == Side::B { self.rotation * normal } else { normal }
    }

    /// Returns the vector from the center of a's box to that of b's box.
    pub fn between(&self) -> DVec3 {
        let [a, b] =
            Side::BOTH.map_each(|side| self.placed(side, self.mesh(side).bounds().center().as_dvec3()));
        b - a
    }

    /// Returns the distance at which a ray from a point leaves a surface, and the triangle there.
    /// `direction` is a unit vector. `None` if the point is not inside: the ray hits no triangle, a
    /// two-sided one, or the front of one first.
    pub fn exit(
        &self,
        side: Side,
        from: DVec3,
        direction: DVec3,
        stack: &mut SegmentStack,
    ) -> Option<(f64, u32)> {
        let (tree, mesh) = self.surfaces[side as usize];
        let to = from + self.size * direction;
        let first = first_crossing(tree, mesh, self.own(side, from), self.own(side, to), stack)?;
        let leaves = self.normal(side, first.triangle).dot(direction) > 0.0;
        (leaves && !mesh.surface().two_sided[first.triangle as usize])
            .then_some((first.at * self.size, first.triangle))
    }

    /// Returns the point of a surface that is nearest to a given point, or `None` if none is within
    /// `bound` (m).
    pub fn closest(&self, side: Side, point: DVec3, bound: f64, stack: &mut PointStack) -> Option<Closest> {
        let (tree, mesh) = self.surfaces[side as usize];
        let found = closest_point(tree, mesh, self.own(side, point), bound, stack)?;
        Some(Closest { point: self.placed(side, found.point), ..found })
    }

    /// Returns whether a point is inside any of the solids of a surface, which may overlap.
    pub fn surely_contains(&self, side: Side, point: DVec3, stack: &mut SegmentStack) -> bool {
        let (tree, mesh) = self.surfaces[side as usize];
        is_in_solid(tree, mesh, self.own(side, point), stack)
    }

    /// Returns whether a point is inside a surface, based on a single ray.
    pub fn contains(&self, side: Side, point: DVec3, stack: &mut SegmentStack) -> bool {
        // Modeled faces and edges are unlikely to have this direction.
        let direction = DVec3::new(0.845, 0.507, 0.169).normalize();
        self.contains_in_bounds(side, point, 0.0) && self.exit(side, point, direction, stack).is_some()
    }

    /// Returns whether a point is in the box around a surface, or within `margin` (m) of it.
    pub fn contains_in_bounds(&self, side: Side, point: DVec3, margin: f64) -> bool {
        self.mesh(side).bounds().inflated(margin).contains_point(self.own(side, point).as_vec3())
    }

    /// Returns whether a surface that does not cross the other surface lies inside it, based on one
    /// vertex.
    pub fn is_inside(&self, side: Side, stack: &mut SegmentStack) -> bool {
        let vertex = self.mesh(side).triangles().first().map(|t| t[0]);
        vertex.is_some_and(|v| self.contains(side.other(), self.point(side, v), stack))
    }

    /// Returns the neighbor across each edge of a triangle, if any. Edge k leads from corner k to the
    /// next corner.
    pub fn across(&self, side: Side, triangle: u32) -> [Option<u32>; 3] {
        let topology = self.mesh(side).topology();
        topology.triangle_edges(triangle).map_each(|edge| {
            let [first, second] = topology.edges()[edge as usize].triangles;
            let other = if first == triangle { second } else { first };
            (other != NONE).then_some(other)
        })
    }

    /// Returns the neighbors of a triangle across its edges.
    pub fn neighbors(&self, side: Side, triangle: u32) -> impl Iterator<Item = u32> {
        self.across(side, triangle).into_iter().flatten()
    }
}
