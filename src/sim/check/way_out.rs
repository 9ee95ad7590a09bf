//! Way out of an overlap: the distance that one of two parts would have to move until the exact test
//! finds the solids apart. It is the shortest one found along a limited set of directions. For convex
//! parts it is the least over all directions.

use glam::DVec3;

use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::order::Order;
use crate::pose::Pose;
use crate::query::{PairMemory, Placed, Seed, find_intersections, intersect, way_out};
use crate::tree::{Counts, DescentScratch};

/// Largest number of face normals along which a way out is tried.
const MOST_NORMALS: usize = 12;
/// Cosine from which two normals count as one direction.
const ALIKE: f64 = 0.98;
/// First length tried along a direction, as a share of the longest allowed one.
const FIRST: f64 = 1e-3;
/// Ratio of each length that is tried to the one before.
const LONGER: f64 = 1.4;
/// Number of bisections between a length that is too short and one that is long enough. The result is
/// off by at most a hundredth.
const HALVINGS: usize = 7;

/// Search for ways out; reused from pair to pair for its buffers.
#[derive(Default)]
pub struct WayOutSearch {
    memory: PairMemory,
    descent: DescentScratch,
}

impl WayOutSearch {
    /// Returns the length of the shortest way out found, m; `None` if the solids are apart. For parts
    /// that are not both convex it is at most the diagonal of the smaller one's bounding box.
    pub fn shortest(&mut self, a: &Placed, b: &Placed) -> Option<f64> {
        self.longer_than(a, b, 0.0)
    }

    /// Does the same as [`WayOutSearch::shortest`], but for parts that are not both convex also returns
    /// `None` if a move by `known` (m, if above 0) along one of the directions separates them.
    pub fn longer_than(&mut self, a: &Placed, b: &Placed, known: f64) -> Option<f64> {
        self.memory.seed = Seed::default();
        if !intersect(a, b, &mut self.memory) {
            return None;
        }
        if [a, b].iter().all(|placed| placed.convex.is_some()) {
            return Some(way_out(a, b, &mut self.memory).depth);
        }
        let directions = directions([a, b], &mut self.descent);
        // b moves; one test per move.
        let mut is_free = |way: DVec3| {
            let pose = Pose::new(b.pose.rotation, b.pose.position + way);
            !intersect(a, &Placed { pose, ..*b }, &mut self.memory)
        };
        shortest_way(&directions, longest([a, b]), known, &mut is_free)
    }
}

/// Returns directions in the world in which b may come free of a: the distinct normals of intersecting
/// faces, at most [`MOST_NORMALS`], and 26 directions spread over the sphere.
fn directions([a, b]: [&Placed; 2], descent: &mut DescentScratch) -> Vec<DVec3> {
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

/// Returns the upper limit of a way out, m: the diagonal of the smaller part's bounding box. An open
/// surface has no far side, so its depth sets no limit.
fn longest(places: [&Placed; 2]) -> f64 {
    places
        .map_each(|placed| f64::from(placed.mesh.bounds().diagonal()))
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}

/// Returns the length of the shortest move found along any of the directions that separates the two, m;
/// `longest` if none up to that length does. `None` if a move by `known` (m, if above 0) along one
/// direction separates them.
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
