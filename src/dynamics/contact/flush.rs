//! Contacts with the edges of flush neighbors, which must not stop a sliding body.
//!
//! A body at rest is up to a slop below the surface that bears it. At the seam between two flush parts
//! it therefore meets the side of the next part, its upper edge, or the border of the next sheet. Such
//! a contact is dropped if the face over the edge bears the body as the body is borne already: the face
//! looks along the bearing direction and lies in the same plane, within two slops.

use glam::DVec3;

use super::features::{Feature, nearest_on_lines};
use crate::arrays::MapEach;
use crate::mesh::{Edge, EdgeClass, Mesh, NONE};
use crate::pose::Pose;

/// Largest distance between two planes that count as flush, in slops. It includes the slop by which a
/// body is below the surface. Smaller values leave jolts at seams; larger values climb higher steps.
const FLUSH: f64 = 2.0;
/// Cosine of the least angle (60°) between the direction in which a body is borne and the normal of a
/// contact with a side.
const ASIDE: f64 = 0.5;
/// Cosine of the least angle (26°) between a level face and the face beyond its rim.
const ALONG: f64 = 0.9;
/// Cosine of the largest angle (0.8°) between two bearing directions that count as one, and between the
/// normal of a face and the direction in which a flush face bears a body. With a larger angle, a
/// tilted contact would give its height to the floor's bearing and then count as its flush neighbor.
const LEVEL: f64 = 0.9999;
/// Largest number of triangles that the path of a rising point may cross.
const MOST_STEPS: usize = 8;
/// Largest number of bearing directions of a body.
const MOST_BEARINGS: usize = 3;

/// Direction in which contacts bear a body.
#[derive(Clone, Copy, Debug, Default)]
struct Bearing {
    /// Unit vector, world, of the push on the body.
    direction: DVec3,
    /// Position of the bearing surface along the direction, m.
    height: f64,
    /// Depth of the body below that surface, m.
    depth: f64,
    /// Index of the body that has the surface, the last of several.
    by: u32,
}

/// Directions in which contacts bear a body: at most three; further ones are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bearings {
    bearings: [Bearing; MOST_BEARINGS],
    count: usize,
}

impl Bearings {
    /// Adds a loaded contact. `direction`: unit vector of the push on the body. `point`: contact point
    /// on the body with index `by`. Both in the world, m. `depth`: depth of the body below the surface, m.
    #[inline]
    pub fn add(&mut self, direction: DVec3, point: DVec3, depth: f64, by: u32) {
        let count = self.count;
        if let Some(bearing) = self.bearings[..count].iter_mut().find(|b| b.direction.dot(direction) > LEVEL)
        {
            bearing.height = bearing.height.max(bearing.direction.dot(point));
            bearing.depth = bearing.depth.max(depth);
            bearing.by = by;
        } else if count < MOST_BEARINGS {
            self.bearings[count] = Bearing { direction, height: direction.dot(point), depth, by };
            self.count += 1;
        }
    }

    /// Returns the greatest depth of the body below a surface that bears it, m.
    #[inline]
    pub fn depth(&self) -> f64 {
        self.iter().map(|bearing| bearing.depth).fold(0.0, f64::max)
    }

    fn iter(&self) -> impl Iterator<Item = &Bearing> {
        self.bearings[..self.count].iter()
    }
}

/// Two surfaces in the space of the first, and the plane in which one of their bodies is borne.
struct Seam<'a> {
    meshes: [&'a Mesh; 2],
    b_to_a: &'a Pose,
    /// True if b is the borne body, false for a.
    is_of_b: bool,
    /// Unit direction in which the body is borne, space of a.
    up: DVec3,
    /// Position of the bearing plane along `up`, m.
    height: f64,
    /// Largest distance of flush planes, m.
    flush: f64,
}

/// Drops the features of flush neighbors. `bodies`: indices of a and b. `bearings`: those of a and b. `slop`
/// and `most_depth` (the largest depth of a body that still counts as borne) in m.
///
/// A body may be as deep below its neighbor as below the part that bears it. Below that part itself, only a
/// shallow feature can be that of a flush face: the tilted edges of two faces that rest on each other are
/// no neighbors. And that part must still bear the body: a peg that tilts on the rim of a hole leaves the
/// face beside the hole, and then stands on the rim.
pub(super) fn drop_flush(
    features: &mut Vec<Feature>,
    bodies: [u32; 2],
    meshes: [&Mesh; 2],
    (a_to_world, b_to_a): (&Pose, &Pose),
    [of_a, of_b]: [&Bearings; 2],
    (slop, most_depth): (f64, f64),
) {
    let all = of_a.iter().map(|bearing| (bearing, false)).chain(of_b.iter().map(|bearing| (bearing, true)));
    for (bearing, is_of_b) in all {
        let up = a_to_world.inverse_transform_vector(bearing.direction);
        let height = bearing.height - bearing.direction.dot(a_to_world.position);
        let is_neighbor = bearing.by != bodies[usize::from(!is_of_b)];
        let depth = if is_neighbor { (bearing.depth + slop).min(most_depth) } else { 0.0 };
        let flush = depth.max(FLUSH * slop);
        let seam = Seam { meshes, b_to_a, is_of_b, up, height, flush };
        if !is_neighbor && !features.iter().any(|feature| seam.bears(feature)) {
            continue;
        }
        features.retain(|feature| !seam.is_flush(feature));
    }
}

impl Seam<'_> {
    /// Returns the share of a feature's push on the borne body along the bearing direction.
    fn along(&self, feature: &Feature) -> f64 {
        let push = if self.is_of_b { feature.normal } else { -feature.normal };
        push.dot(self.up)
    }

    /// Returns whether a feature bears the body in the bearing direction.
    fn bears(&self, feature: &Feature) -> bool {
        self.along(feature) > LEVEL
    }

    /// Returns whether a feature is that of a flush neighbor.
    fn is_flush(&self, feature: &Feature) -> bool {
        let along = self.along(feature);
        if !self.is_at_level(feature) {
            return false;
        }
        if along.abs() < ASIDE {
            return self.ends(feature);
        }
        (ASIDE..LEVEL).contains(&along) && self.is_on_rim(feature)
    }

    /// Returns the feature's index in the other surface, the surface itself, and `up` in its space.
    fn other(&self, feature: &Feature) -> (u32, &Mesh, DVec3) {
        let [of_a, of_b] = feature.indices();
        if self.is_of_b {
            (of_a, self.meshes[0], self.up)
        } else {
            (of_b, self.meshes[1], self.b_to_a.inverse_transform_vector(self.up))
        }
    }

    /// Returns whether the other body's point is in the bearing plane, and the borne body's point not
    /// below it.
    fn is_at_level(&self, feature: &Feature) -> bool {
        let heights = [feature.point_a, feature.point_b].map_each(|p| self.up.dot(p) - self.height);
        let [own, other] = if self.is_of_b { [heights[1], heights[0]] } else { heights };
        other.abs() < self.flush && own > -self.flush
    }

    /// Returns whether the other body's vertex or edge is on the rim of a level face, which bears the
    /// borne body. False for a vertex of the borne body.
    fn is_on_rim(&self, feature: &Feature) -> bool {
        let (index, mesh, up) = self.other(feature);
        match feature.vertex() {
            None => is_rim(mesh, index, up),
            Some((_, is_of_a)) => is_of_a == self.is_of_b && is_corner(mesh, index, up),
        }
    }

    /// Returns whether a feature ends when the borne body rises by the flush distance.
    fn ends(&self, feature: &Feature) -> bool {
        // Motion of b relative to a.
        let motion = if self.is_of_b { self.up } else { -self.up };
        if feature.is_edge_edge() {
            return self.edges_end(feature, self.flush * motion);
        }
        // The side of the borne body rises past a vertex only if the other body ends at that vertex.
        if feature.face_is_on_a() != self.is_of_b && !self.is_on_rim(feature) {
            return false;
        }
        let [of_a, of_b] = feature.indices();
        if feature.face_is_on_a() {
            return rises_over_rim(self.meshes[0], of_a, feature.point_b + self.flush * motion, motion);
        }
        let point = self.b_to_a.inverse_transform_point(feature.point_a);
        let motion = self.b_to_a.inverse_transform_vector(-motion);
        rises_over_rim(self.meshes[1], of_b, point + self.flush * motion, motion)
    }

    /// Returns whether two edges no longer cross when b moves by `motion` (m, space of a).
    fn edges_end(&self, feature: &Feature, motion: DVec3) -> bool {
        let [edge_a, edge_b] = feature.indices();
        let ends = |mesh: &Mesh, edge: u32| {
            mesh.topology().edges()[edge as usize].vertices.map(|v| mesh.vertices()[v as usize].as_dvec3())
        };
        let moved = |p: DVec3| self.b_to_a.transform_point(p) + motion;
        let (ends_a, ends_b) = (ends(self.meshes[0], edge_a), ends(self.meshes[1], edge_b).map_each(moved));
        let Some(at) = nearest_on_lines(ends_a, ends_b) else { return false };
        let motion_b = self.b_to_a.inverse_transform_vector(-motion);
        let ends_at = |mesh: &Mesh, edge: u32, at: f64, beyond: DVec3| {
            let is_beyond = (-at).max(at - 1.0) > 0.0;
            let end = mesh.topology().edges()[edge as usize].vertices[usize::from(at > 0.5)];
            is_beyond && is_corner(mesh, end, beyond.normalize_or_zero())
        };
        let ends = [
            ends_at(self.meshes[0], edge_a, at[0], motion),
            ends_at(self.meshes[1], edge_b, at[1], motion_b),
        ];
        let [own, other] = if self.is_of_b { [ends[1], ends[0]] } else { ends };
        // The lower end of an edge of the borne body rises past an edge only if the other body ends there.
        other || own && self.is_on_rim(feature)
    }
}

/// Returns whether a face that looks along `up` (unit, space of the mesh) ends at the edge: the other
/// face is steep, or there is none. A sheet looks both ways.
fn is_rim(mesh: &Mesh, edge: u32, up: DVec3) -> bool {
    let along = |t: u32| {
        let along = mesh.topology().normal(t).dot(up);
        if mesh.surface().two_sided[t as usize] { along.abs() } else { along }
    };
    match mesh.topology().edges()[edge as usize].triangles {
        [t, NONE] => along(t) > LEVEL,
        two => two.iter().any(|&t| along(t) > LEVEL) && two.iter().any(|&t| along(t) < ALONG),
    }
}

/// Returns whether the vertex is a corner of a face that looks along `up` (unit, space of the mesh): at
/// least two of its neighbors are level with it, none is higher, and the surface falls steeply to one
/// of them, or ends as a sheet. A vertex of a smooth surface is no corner.
fn is_corner(mesh: &Mesh, vertex: u32, up: DVec3) -> bool {
    let at = |v: u32| mesh.vertices()[v as usize].as_dvec3();
    let [level, steep] = [LEVEL, ALONG].map_each(|cosine| (1.0 - cosine * cosine).sqrt());
    let owner = mesh.topology().vertex_owner(vertex);
    let (mut level_count, mut is_highest) = (0, true);
    let mut ends = owner != NONE && mesh.surface().two_sided[owner as usize];
    for &w in mesh.topology().neighbors(vertex) {
        let to = at(w) - at(vertex);
        let rise = up.dot(to) / to.length();
        is_highest &= rise < level;
        level_count += u32::from(rise.abs() < level);
        ends |= rise < -steep;
    }
    is_highest && level_count >= 2 && ends
}

/// Returns whether a point that rose along `up` (unit) is beyond the rim of a face: beyond a convex edge
/// whose other face looks along `up`, or beyond the border of a sheet. Follows the point over triangles
/// that continue the face. All in the space of the mesh, m.
fn rises_over_rim(mesh: &Mesh, face: u32, point: DVec3, up: DVec3) -> bool {
    let topology = mesh.topology();
    let mut triangle = face;
    for _ in 0..MOST_STEPS {
        let (corners, normal) = (mesh.corners(triangle), topology.normal(triangle));
        let outside = |k: usize| {
            let along = corners[(k + 1) % 3] - corners[k];
            let aside = along.cross(normal).normalize_or_zero();
            (aside, aside.dot(point - corners[k]))
        };
        let farthest = (0..3).map(|k| (k, outside(k))).max_by(|x, y| x.1.1.total_cmp(&y.1.1));
        let Some((k, (aside, distance))) = farthest else { return false };
        if distance <= 0.0 {
            return false;
        }
        let Edge { class, triangles, .. } = topology.edges()[topology.triangle_edges(triangle)[k] as usize];
        if class == EdgeClass::Boundary {
            return aside.dot(up) > ALONG;
        }
        let next = if triangles[0] == triangle { triangles[1] } else { triangles[0] };
        let beyond = topology.normal(next);
        if class == EdgeClass::Convex && beyond.dot(up) > ALONG {
            return true;
        }
        if class == EdgeClass::Concave || beyond.dot(normal) < ALONG {
            return false;
        }
        triangle = next;
    }
    false
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::features::Place;
    use super::super::point::{FeatureKey, Round};
    use super::*;
    use crate::generate;

    /// Tests a part that lies on the floor and leans on the rim of a nut. The floor's bearing must not
    /// rise to the rim, or the rim counts as the upper edge of a flush neighbor and bears nothing.
    #[test]
    fn a_contact_with_a_tilted_normal_does_not_raise_the_floor() {
        let tilted = DVec3::new(0.2, 1.0, 0.0).normalize();
        let mut bearings = Bearings::default();
        bearings.add(DVec3::Y, DVec3::ZERO, 0.0, 0);
        bearings.add(tilted, DVec3::new(0.0, 0.1, 0.0), 0.0, 1);
        bearings.add(DVec3::Y, DVec3::new(1.0, 0.01, 0.0), 0.002, 0);
        let found: Vec<_> = bearings.iter().map(|b| (b.direction, b.height, b.depth)).collect();
        assert_eq!(found, [(DVec3::Y, 0.01, 0.002), (tilted, tilted.y * 0.1, 0.0)]);
    }

    /// Returns a cube, and the contact of its upper edge with the same edge of another cube, `depth` (m)
    /// below it, with a tilted normal.
    fn edge_on_edge(depth: f64) -> (Mesh, Feature) {
        let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let cube = Mesh::new("cube", &positions, &triangles).unwrap();
        let height = |v: u32| f64::from(cube.vertices()[v as usize].y);
        let is_upper =
            |edge: &Edge| edge.class.is_active() && edge.vertices.iter().all(|&v| height(v) == 0.5);
        let edge = cube.topology().edges().iter().position(is_upper).unwrap() as u64;
        let ends = cube.topology().edges()[edge as usize].vertices;
        let middle = ends.iter().map(|&v| cube.vertices()[v as usize].as_dvec3()).sum::<DVec3>() / 2.0;
        let feature = Feature {
            key: FeatureKey(2 << 61 | edge << 30 | edge),
            point_a: middle,
            point_b: middle - depth * DVec3::Y,
            normal: DVec3::new(0.05, 1.0, 0.0).normalize(),
            separation: -depth,
            approach: 0.0,
            place: Place::Over,
            round: Round::SHARP,
        };
        (cube, feature)
    }

    /// Tests an edge of a cube on the upper edge of another, 40 mm below it, with a tilted normal. It is an
    /// edge of a flush neighbor if a third part bears the cube as deep, but not if the other cube bears it.
    #[test]
    fn deep_edges_of_the_part_that_bears_a_body_are_no_neighbors() {
        let (cube, feature) = edge_on_edge(0.04);
        let on_face = Feature { normal: DVec3::Y, ..feature };
        let kept = |by: u32| {
            let mut bearings = Bearings::default();
            bearings.add(DVec3::Y, feature.point_a, 0.04, by);
            let (mut features, at) = (vec![feature, on_face], Pose::IDENTITY);
            let none = Bearings::default();
            drop_flush(&mut features, [3, 4], [&cube; 2], (&at, &at), [&none, &bearings], (0.002, 0.25));
            features.len()
        };
        assert_eq!([kept(3), kept(5)], [2, 1]);
    }

    /// Tests an edge just below the upper edge of the cube that bears its body. While a face of that cube
    /// bears the body, the edge is that of a flush face. A peg that tilts on the rim of a hole leaves the
    /// face, and then stands on the rim; it used to fall in by its overlap.
    #[test]
    fn a_body_that_has_left_a_face_stands_on_its_rim() {
        let (cube, edge) = edge_on_edge(0.001);
        let on_face = Feature { normal: DVec3::Y, separation: 0.0, ..edge };
        let stays = |mut features: Vec<Feature>| {
            let mut bearings = Bearings::default();
            bearings.add(DVec3::Y, edge.point_a, 0.0, 3);
            let (at, none) = (Pose::IDENTITY, Bearings::default());
            drop_flush(&mut features, [3, 4], [&cube; 2], (&at, &at), [&none, &bearings], (0.002, 0.25));
            features.iter().any(|feature| feature.normal == edge.normal)
        };
        assert!(!stays(vec![edge, on_face]));
        assert!(stays(vec![edge]));
    }
}
