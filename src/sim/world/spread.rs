//! Points spread through the material of a body, so densely that no body of at least its thickness
//! passes between them.
//!
//! Every candidate is the middle of a wall: halfway between a point of the surface and the opposite
//! point. The candidate farthest from all chosen points is chosen next, until every candidate is closer
//! to a chosen point than its wall is thick. So a ball gets one point, a ring a circle of points, and
//! every connected part of a surface at least one. Cost: a few segments down the hierarchy per
//! candidate, once per mesh.

use std::sync::Arc;

use glam::DVec3;

use super::cores::Core;
use crate::body::Bodies;
use crate::mesh::Mesh;
use crate::query::{closest_point, first_crossing};
use crate::random::Random;
use crate::tree::{PointStack, SegmentStack, Tree};
use crate::unions::Unions;

/// Number of candidates of a mesh.
const CANDIDATES: u32 = 256;
/// Largest number of points of a mesh. A ring ten times as wide as its wire is thick needs 31 of them.
const MOST: usize = 32;
/// Least distance of a candidate from the surface, as a share of half its wall's thickness. A smaller
/// value allows points near edges, where bodies that merely touch overlap.
const LEAST_DEPTH: f64 = 0.8;
/// Distance of a candidate from all chosen points above which it must be chosen, as a multiple of its
/// distance from the surface. With 2, a body as thick as the candidate's wall cannot pass between the
/// points.
const SPACING: f64 = 2.0;

/// Finds the cores (interior sample points) of every body, by body. Bodies without a surface have none,
/// and bodies with the same mesh share theirs. `surface` returns the hierarchy and the surface of a
/// mesh. `mesh_count`: number of meshes.
pub fn find_cores<'a>(
    bodies: &Bodies,
    mesh_count: usize,
    surface: &dyn Fn(u32) -> (&'a Tree, &'a Mesh),
) -> Vec<Arc<[Core]>> {
    let mut stack = SegmentStack::default();
    let mut known: Vec<Option<Arc<[Core]>>> = vec![None; mesh_count];
    let none: Arc<[Core]> = Arc::default();
    let all = bodies.states.iter().zip(&bodies.infos);
    let cores = all.map(|(state, info)| {
        let Some(index) = info.mesh else { return Arc::clone(&none) };
        let cores = known[index as usize].get_or_insert_with(|| {
            let (tree, mesh) = surface(index);
            spread(tree, mesh, state.center, &mut stack).into()
        });
        Arc::clone(cores)
    });
    cores.collect()
}

/// Returns points in the material of a mesh; none if all triangles have zero area. The first is the
/// center of mass if it lies in the material, otherwise the middle of the wall nearest to it. If the
/// surface has no inside, the points lie on the surface.
fn spread(tree: &Tree, mesh: &Mesh, center: DVec3, stack: &mut SegmentStack) -> Vec<Core> {
    let mut walls = Walls { tree, mesh, stack, points: PointStack::default() };
    let Some(first) = walls.central(center) else { return Vec::new() };
    let mut cores = vec![first];
    cores.extend(largest_of_parts(mesh).into_iter().filter_map(|t| walls.middle(t, centroid(mesh, t))));
    let mut candidates = walls.candidates();
    let near = |core: &Core, cores: &[Core]| {
        cores.iter().map(|c| c.point.distance(core.point)).fold(f64::INFINITY, f64::min)
    };
    let mut distances: Vec<f64> = candidates.iter().map(|c| near(c, &cores)).collect();
    while cores.len() < MOST {
        let needed = |(core, &distance): (&Core, &f64)| {
            if distance > SPACING * core.depth { distance } else { 0.0 }
        };
        let all = candidates.iter().zip(&distances).map(needed).enumerate();
        let Some((farthest, _)) = all.filter(|(_, d)| *d > 0.0).max_by(|a, b| a.1.total_cmp(&b.1)) else {
            break;
        };
        let chosen = candidates.swap_remove(farthest);
        distances.swap_remove(farthest);
        for (candidate, distance) in candidates.iter().zip(&mut distances) {
            *distance = distance.min(candidate.point.distance(chosen.point));
        }
        cores.push(chosen);
    }
    cores
}

/// Search for walls of a mesh: pairs of opposite points of its surface with material between them.
struct Walls<'a> {
    tree: &'a Tree,
    mesh: &'a Mesh,
    stack: &'a mut SegmentStack,
    points: PointStack,
}

impl Walls<'_> {
    /// Returns the center of mass if it lies in the material, otherwise the middle of the wall nearest
    /// to it. `None` if all triangles have zero area.
    fn central(&mut self, center: DVec3) -> Option<Core> {
        // Directions that are unlikely to lie in a face or an edge of a modeled part.
        let ways = [DVec3::new(0.36, 0.48, 0.8), DVec3::new(-0.8, 0.36, -0.48)];
        if ways.iter().all(|&way| self.way_out(center, way).is_some()) {
            let depth = self.depth(center, f64::INFINITY);
            return Some(Core { point: center, depth });
        }
        let mesh = self.mesh;
        let triangles =
            (0..mesh.triangles().len() as u32).filter(|&t| mesh.topology().normal(t) != DVec3::ZERO);
        let square = |t: u32| centroid(mesh, t).distance_squared(center);
        let nearest = triangles.min_by(|&t, &u| square(t).total_cmp(&square(u)))?;
        self.middle(nearest, centroid(mesh, nearest))
    }

    /// Returns the middle of the wall behind the point `on` of a triangle, or the point itself if there
    /// is no wall. `None` if the triangle has zero area.
    fn middle(&mut self, triangle: u32, on: DVec3) -> Option<Core> {
        let inward = -self.mesh.topology().normal(triangle);
        if inward == DVec3::ZERO {
            return None;
        }
        let start = on + 0.5e-6 * self.far() * inward;
        Some(match self.way_out(start, inward) {
            Some(wall) if wall > 0.0 => {
                let point = on + (0.5 * wall) * inward;
                Core { point, depth: self.depth(point, 0.5 * wall) }
            }
            _ => Core { point: on, depth: 0.0 },
        })
    }

    /// Returns the middles of the walls behind points spread over the whole surface.
    fn candidates(&mut self) -> Vec<Core> {
        let mesh = self.mesh;
        let mut sum = 0.0;
        let sums: Vec<f64> = (0..mesh.triangles().len() as u32)
            .map(|t| {
                sum += area(mesh, t);
                sum
            })
            .collect();
        let mut random = Random::new(0, 0);
        let drawn = (0..CANDIDATES).filter_map(|k| {
            let place = (f64::from(k) + random.uniform()) / f64::from(CANDIDATES) * sum;
            let triangle = sums.partition_point(|&s| s <= place).min(sums.len().checked_sub(1)?) as u32;
            let (mut u, mut v) = (random.uniform(), random.uniform());
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let [a, b, c] = mesh.corners(triangle);
            let on = a + u * (b - a) + v * (c - a);
            let core = self.middle(triangle, on)?;
            let is_edge = core.depth > 0.0 && core.depth < LEAST_DEPTH * core.point.distance(on);
            (!is_edge).then_some(core)
        });
        drawn.collect()
    }

    /// Returns the distance from a point to the surface along the direction `way`, m; `None` if the
    /// point is not in the material.
    fn way_out(&mut self, from: DVec3, way: DVec3) -> Option<f64> {
        let far = self.far();
        let crossing = first_crossing(self.tree, self.mesh, from, from + far * way, self.stack)?;
        let leaves = self.mesh.topology().normal(crossing.triangle).dot(way) > 0.0;
        let is_solid = !self.mesh.surface().two_sided[crossing.triangle as usize];
        (leaves && is_solid).then_some(crossing.at * far)
    }

    /// Returns the distance of a point from the surface, m, at most `bound`.
    fn depth(&mut self, point: DVec3, bound: f64) -> f64 {
        closest_point(self.tree, self.mesh, point, bound, &mut self.points).map_or(bound, |c| c.distance)
    }

    /// Returns a length greater than any straight path within the mesh, m.
    fn far(&self) -> f64 {
        2.0 * f64::from(self.mesh.bounds().diagonal())
    }
}

/// Returns the largest triangle of each connected part of a surface, those with the largest area first,
/// at most `MOST` − 1. Returns none for a surface in one piece.
fn largest_of_parts(mesh: &Mesh) -> Vec<u32> {
    let mut parts = Unions::default();
    parts.begin(mesh.vertices().len());
    for &[a, b, c] in mesh.triangles() {
        parts.unite(a, b);
        parts.unite(a, c);
    }
    let mut largest: Vec<Option<(f64, u32)>> = vec![None; mesh.vertices().len()];
    for (triangle, &[a, _, _]) in (0..).zip(mesh.triangles()) {
        let area = area(mesh, triangle);
        let part = &mut largest[parts.root(a) as usize];
        if part.is_none_or(|(other, _)| area > other) {
            *part = Some((area, triangle));
        }
    }
    let mut found: Vec<(f64, u32)> = largest.into_iter().flatten().collect();
    if found.len() < 2 {
        return Vec::new();
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().take(MOST - 1).map(|(_, triangle)| triangle).collect()
}

fn centroid(mesh: &Mesh, triangle: u32) -> DVec3 {
    mesh.corners(triangle).iter().sum::<DVec3>() / 3.0
}

/// Returns twice the area of a triangle, m².
fn area(mesh: &Mesh, triangle: u32) -> f64 {
    let [a, b, c] = mesh.corners(triangle);
    (b - a).cross(c - a).length()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::generate::{self, Triangles};
    use crate::tree::{SplitRule, TreeKind};

    /// Returns the cores of a mesh with its center of mass at `center`.
    fn cores_of((positions, triangles): &Triangles, center: DVec3) -> Vec<Core> {
        let mesh = Mesh::new("part", positions, triangles).unwrap();
        let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
        spread(&tree, &mesh, center, &mut SegmentStack::default())
    }

    #[test]
    fn a_ball_has_one_core_and_a_ring_cores_all_round_with_no_gap_wider_than_its_wire() {
        let ball = cores_of(&generate::sphere(0.1, 16), DVec3::ZERO);
        let [core] = ball[..] else { panic!("{ball:?}") };
        assert!(core.point.length() < 1e-9 && core.depth > 0.09, "{core:?}");

        let (major, minor) = (0.1, 0.02);
        let ring = cores_of(&generate::torus(major, minor, 48, 16), DVec3::ZERO);
        let axis = ring
            .iter()
            .map(|c| c.point.length())
            .fold([f64::INFINITY, 0.0], |[l, m], r| [l.min(r), m.max(r)]);
        assert!(axis[0] > 0.09 && axis[1] < 0.11, "not in the wire: {axis:?}");
        // Every point of the circle within the wire is closer to a core than the wire is thick.
        let on_circle = |k: u32| {
            let angle = f64::from(k) * std::f64::consts::TAU / 360.0;
            f64::from(major) * (angle.cos() * DVec3::X + angle.sin() * DVec3::Y)
        };
        let gap = |at: DVec3| ring.iter().map(|c| c.point.distance(at)).fold(f64::INFINITY, f64::min);
        let widest = (0..360).map(|k| gap(on_circle(k))).fold(0.0, f64::max);
        assert!(widest < f64::from(2.0 * minor), "{widest} m of {} cores", ring.len());
    }

    #[test]
    fn every_part_of_a_surface_that_hangs_together_has_a_core_in_it() {
        let (mut positions, mut triangles) = generate::cuboid(Vec3::ONE, 1.0);
        let single = (positions.clone(), triangles.clone());
        for k in 1..4u32 {
            let start = positions.len() as u32;
            positions.extend(single.0.iter().map(|p| *p * 0.1 + 3.0 * k as f32 * Vec3::X));
            triangles.extend(single.1.iter().map(|t| t.map(|v| v + start)));
        }
        let cores = cores_of(&(positions, triangles), DVec3::ZERO);
        for k in 0..4u32 {
            let near = |c: &&Core| (c.point.x - 3.0 * f64::from(k)).abs() < 0.5;
            assert!(cores.iter().find(near).is_some_and(|c| c.depth > 0.0), "part {k}: {cores:?}");
        }
    }

    #[test]
    fn the_cores_of_a_sheet_lie_on_it_and_reach_its_corners() {
        let corners =
            [[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]].map(Vec3::from);
        let sheet = (corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]);
        let cores = cores_of(&sheet, DVec3::ZERO);
        assert!(cores.iter().all(|c| c.depth == 0.0 && c.point.y.abs() < 1e-9), "{cores:?}");
        for corner in corners {
            let near =
                cores.iter().map(|c| c.point.distance(corner.as_dvec3())).fold(f64::INFINITY, f64::min);
            assert!(near < 0.4, "none within {near} m of {corner}");
        }
    }
}
