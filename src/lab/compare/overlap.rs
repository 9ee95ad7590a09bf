//! How deep bodies are in each other, by one measure for all engines, asked of the poses that an engine
//! gives: how far one would have to be moved along the best of some directions until the exact test of two
//! surfaces finds them apart (of convex bodies the least of all directions). It shares nothing with contacts.

use std::sync::Arc;

use glam::DVec3;

use super::surfaces::Surfaces;
use crate::arrays::MapEach;
use crate::body::Bodies;
use crate::broad::{BroadPhase, BroadPhaseKind, Pair};
use crate::mesh::Mesh;
use crate::order::Order;
use crate::pose::Pose;
use crate::query::{Convex, PairMemory, Placed, Seed, find_intersections, intersect, way_out};
use crate::tree::{Counts, DescentScratch};
use crate::volume::Aabb;

/// Normals of faces along which a way out is tried, and the cosine from which two of them are one.
const MOST_NORMALS: usize = 12;
const ALIKE: f64 = 0.98;
/// The first length of a way that is tried, as a share of the longest, and how much longer each next one is.
const FIRST: f64 = 1e-3;
const LONGER: f64 = 1.4;
/// How often the length of a way is halved between too short and long enough: to a hundredth of it.
const HALVINGS: usize = 7;

/// The surfaces of a scene, and what the exact test of two keeps.
pub struct OverlapMeter {
    surfaces: Arc<Surfaces>,
    /// One a mesh.
    convex: Vec<Option<Convex>>,
    memory: PairMemory,
    descent: DescentScratch,
    broad: BroadPhase,
    pairs: Vec<Pair>,
}

/// The deepest overlap of any two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    pub bodies: [u32; 2],
    /// m; 0 where the two only touch.
    pub depth: f64,
}

impl OverlapMeter {
    pub fn new(surfaces: Arc<Surfaces>) -> Self {
        Self {
            convex: surfaces.meshes.iter().map(|m| Convex::new(m)).collect(),
            surfaces,
            memory: PairMemory::default(),
            descent: DescentScratch::default(),
            broad: BroadPhase::new(BroadPhaseKind::default(), 1),
            pairs: Vec::new(),
        }
    }

    /// The deepest overlap of bodies of the scene, if any two meet. A body whose pose is not finite meets
    /// none.
    pub fn deepest(&mut self, bodies: &Bodies) -> Option<Overlap> {
        let states = bodies.states.iter().enumerate();
        let boxes: Vec<Aabb> = states.map(|(body, state)| self.surfaces.bounds(body, &state.pose)).collect();
        self.broad.update(&boxes);
        let mut pairs = std::mem::take(&mut self.pairs);
        self.broad.pairs(&mut pairs);
        let mut deepest: Option<Overlap> = None;
        for &Pair { a, b } in &pairs {
            let known = deepest.map_or(0.0, |d| d.depth);
            if let Some(depth) = self.depth(bodies, [a, b], known)
                && deepest.is_none_or(|d| depth > d.depth)
            {
                deepest = Some(Overlap { bodies: [a, b], depth });
            }
        }
        self.pairs = pairs;
        deepest
    }

    /// How deep a and b are in each other, m; `None` if they are apart, may overlap, or are surely not deeper
    /// than `known`.
    fn depth(&mut self, bodies: &Bodies, [a, b]: [u32; 2], known: f64) -> Option<f64> {
        let surfaces = &*self.surfaces;
        if surfaces.are_excused(a, b) {
            return None;
        }
        let [i, j] = [a, b].map_each(|body| body as usize);
        let meshes = [surfaces.mesh_of(i)?, surfaces.mesh_of(j)?];
        let places = [(i, meshes[0]), (j, meshes[1])].map_each(|(body, mesh)| Placed {
            convex: self.convex[mesh].as_ref(),
            ..Placed::new(&surfaces.trees[mesh], &surfaces.meshes[mesh], bodies.states[body].pose)
        });
        let [first, second] = &places;
        self.memory.seed = Seed::default();
        if !intersect(first, second, &mut self.memory) {
            return None;
        }
        if places.iter().all(|placed| placed.convex.is_some()) {
            return Some(way_out(first, second, &mut self.memory).depth);
        }
        let directions = directions(&places, &mut self.descent);
        // b moves; bodies are where they are, so one test is one move.
        let mut is_free = |way: DVec3| {
            let pose = Pose::new(second.pose.rotation, second.pose.position + way);
            !intersect(first, &Placed { pose, ..*second }, &mut self.memory)
        };
        shortest_way(&directions, longest(&places), known, &mut is_free)
    }
}

/// Where to try to come free, b seen from a: along the normals of faces that cross, those alike once, and
/// all over.
fn directions([a, b]: &[Placed; 2], descent: &mut DescentScratch) -> Vec<DVec3> {
    let b_to_a = &b.pose.relative_to(&a.pose);
    let mut crossing = Vec::new();
    let surfaces = [(a.tree, a.mesh), (b.tree, b.mesh)];
    find_intersections(surfaces, b_to_a, descent, &mut crossing, &mut Counts::default());
    crossing.order();
    let normal = |mesh: &Mesh, triangle: u32| {
        let [p, q, r] =
            mesh.triangles()[triangle as usize].map_each(|v| mesh.vertices()[v as usize].as_dvec3());
        (q - p).cross(r - p).normalize_or_zero()
    };
    let of_faces = crossing
        .iter()
        .flat_map(|&[ta, tb]| [normal(a.mesh, ta), -b_to_a.transform_vector(normal(b.mesh, tb))]);
    let mut all: Vec<DVec3> = Vec::new();
    for direction in of_faces.filter(|n| *n != DVec3::ZERO) {
        if all.len() < MOST_NORMALS && all.iter().all(|other| other.dot(direction) < ALIKE) {
            all.push(direction);
        }
    }
    let steps = [-1.0, 0.0, 1.0];
    let grid = steps
        .into_iter()
        .flat_map(|x| steps.into_iter().flat_map(move |y| steps.map_each(|z| DVec3::new(x, y, z))));
    all.extend(grid.filter(|way| *way != DVec3::ZERO).map(DVec3::normalize));
    all.iter().map(|direction| a.pose.transform_vector(*direction)).collect()
}

/// No way out is longer than the smaller part: an open surface has no far side to be deep in.
fn longest(places: &[Placed; 2]) -> f64 {
    places
        .map_each(|placed| f64::from(placed.mesh.bounds().diagonal()))
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}

/// The shortest way found along any of the directions after which two that meet are apart, m, at most
/// `longest`; `None` if one no longer than `known` is enough.
fn shortest_way(
    directions: &[DVec3],
    longest: f64,
    known: f64,
    is_free: &mut dyn FnMut(DVec3) -> bool,
) -> Option<f64> {
    if known > 0.0 && directions.iter().any(|&direction| is_free(known * direction)) {
        return None;
    }
    let mut shortest = longest;
    for &direction in directions {
        let (mut short, mut long) = (0.0, FIRST * longest);
        while long < shortest && !is_free(long * direction) {
            (short, long) = (long, LONGER * long);
        }
        if long >= shortest {
            if !is_free(shortest * direction) {
                continue;
            }
            long = shortest;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (short + long);
            if is_free(middle * direction) {
                long = middle;
            } else {
                short = middle;
            }
        }
        shortest = long;
    }
    Some(shortest)
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::generate;
    use crate::scene::{BodyDef, Scene};
    use crate::world::bodies_at_start;

    /// A plate of 1 m, 10 mm thick, its top at y = 0, and shapes at places.
    fn deepest(shape: &generate::Triangles, places: &[DVec3]) -> Option<Overlap> {
        let mut scene = Scene::new("overlaps");
        let mut add = |(positions, triangles): &generate::Triangles, name: &str| {
            scene.add_mesh(Mesh::new(name, positions, triangles).unwrap())
        };
        let plate = add(&generate::cuboid(Vec3::new(1.0, 0.01, 1.0), 1.0), "plate");
        let part = add(shape, "part");
        let fixed = BodyDef::fixed(&scene, plate).at(DVec3::new(0.0, -0.005, 0.0));
        scene.add_body(fixed);
        for &place in places {
            let body = BodyDef::dynamic(&scene, part, 1000.0).at(place);
            scene.add_body(body);
        }
        OverlapMeter::new(Arc::new(Surfaces::new(&scene))).deepest(&bodies_at_start(&scene))
    }

    #[test]
    fn the_deepest_of_all_pairs_is_as_deep_as_it_was_put() {
        let cube = generate::cuboid(Vec3::splat(0.2), 0.2);
        let at = |x: f64, y: f64| DVec3::new(x, 0.1 + y, 0.0);
        assert_eq!(deepest(&cube, &[at(0.0, 0.001), at(0.3, 0.001)]), None);
        let overlap = deepest(&cube, &[at(0.0, -0.001), at(0.3, -0.002)]).unwrap();
        assert_eq!(overlap.bodies, [0, 2]);
        assert!((overlap.depth - 0.002).abs() < 1e-6, "{}", overlap.depth);
        let overlap = deepest(&cube, &[at(0.0, 0.001), at(0.197, 0.001)]).unwrap();
        assert_eq!(overlap.bodies, [1, 2]);
        assert!((overlap.depth - 0.003).abs() < 1e-6, "{}", overlap.depth);
    }

    #[test]
    fn surfaces_that_are_not_convex_are_measured_too() {
        // Its tube is 0.2 m thick, and lies flat on the plate.
        let torus = generate::torus(0.3, 0.1, 64, 32);
        let turned = |depth: f64| {
            let upright = torus.0.iter().map(|v| Vec3::new(v.x, v.z, v.y)).collect();
            let inside_out = torus.1.iter().map(|t| [t[0], t[2], t[1]]).collect();
            deepest(&(upright, inside_out), &[DVec3::new(0.0, 0.1 - depth, 0.0)])
        };
        assert_eq!(turned(-0.001), None);
        let depth = turned(0.004).unwrap().depth;
        assert!((depth - 0.004).abs() < 1e-4, "{depth}");
    }
}
