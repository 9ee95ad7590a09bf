//! The way out of an overlap: how far one of two parts would have to move along the best of some directions
//! until the exact test of the surfaces finds them apart. Of convex parts it is the least of all directions.

use glam::DVec3;

use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::order::Order;
use crate::pose::Pose;
use crate::query::{PairMemory, Placed, Seed, find_intersections, intersect, way_out};
use crate::tree::{Counts, DescentScratch};

/// Normals of faces along which a way out is tried, and the cosine from which two of them are one.
const MOST_NORMALS: usize = 12;
const ALIKE: f64 = 0.98;
/// The first length of a way that is tried, as a share of the longest, and how much longer each next one is.
const FIRST: f64 = 1e-3;
const LONGER: f64 = 1.4;
/// How often the length of a way is halved between too short and long enough: to a hundredth of it.
const HALVINGS: usize = 7;

/// Searches for ways out; kept from pair to pair for its buffers.
#[derive(Default)]
pub struct WayOutSearch {
    memory: PairMemory,
    descent: DescentScratch,
}

impl WayOutSearch {
    /// Returns the length of the shortest way out that is found, m, at most the diagonal of the smaller part;
    /// `None` if the two are apart.
    pub fn shortest(&mut self, a: &Placed, b: &Placed) -> Option<f64> {
        self.longer_than(a, b, 0.0)
    }

    /// As [`WayOutSearch::shortest`]; `None` as well if the way is surely no longer than `known` (m).
    pub fn longer_than(&mut self, a: &Placed, b: &Placed, known: f64) -> Option<f64> {
        self.memory.seed = Seed::default();
        if !intersect(a, b, &mut self.memory) {
            return None;
        }
        if [a, b].iter().all(|placed| placed.convex.is_some()) {
            return Some(way_out(a, b, &mut self.memory).depth);
        }
        let directions = directions([a, b], &mut self.descent);
        // b moves; parts are where they are, so one test is one move.
        let mut is_free = |way: DVec3| {
            let pose = Pose::new(b.pose.rotation, b.pose.position + way);
            !intersect(a, &Placed { pose, ..*b }, &mut self.memory)
        };
        shortest_way(&directions, longest([a, b]), known, &mut is_free)
    }
}

/// Returns directions in which b may come free of a: along the normals of faces that cross, those alike once,
/// and all over.
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

/// No way out is longer than the smaller part: an open surface has no far side to be deep in.
fn longest(places: [&Placed; 2]) -> f64 {
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
