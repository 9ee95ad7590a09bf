//! Seams between static parts: rims along which one part continues the surface of another. They are found
//! once, when a world is made.

use glam::DVec3;

use crate::arrays::MapEach;
use crate::body::{Motion, Seams};
use crate::broad::{BroadPhase, Pair};
use crate::check::{Pairing, Said};
use crate::mesh::{Edge, EdgeClass, Mesh, NONE};
use crate::order::Order;
use crate::pose::Pose;
use crate::query::closest_point;
use crate::tree::{PointStack, Tree};
use crate::volume::Aabb;

use super::World;

/// Cosine of the largest angle (60°) at which one surface continues another. At a larger angle the other
/// part is a wall, and its edges stop what slides against it.
const LEAST_ALIKE: f64 = 0.5;
/// Largest distance of two rims that meet, as a share of the farthest coordinate of either part: eight
/// roundings of `f32`.
const MEETING: f64 = 8.0 * f32::EPSILON as f64;
/// Positions along a rim that must all lie on the other surface. The first three are tried in turn for one
/// that lies on an edge of it, away from its vertices.
const SAMPLES: [f64; 7] = [0.5, 0.37, 0.61, 0.0, 0.2, 0.8, 1.0];

/// Static part with a surface.
struct Part<'a> {
    body: u32,
    tree: &'a Tree,
    mesh: &'a Mesh,
    pose: Pose,
}

impl World {
    /// Finds the seams between static parts that the scene does not keep apart, and stores them in the
    /// bodies.
    pub(super) fn find_seams(&mut self) {
        let bodies = self.bodies.states.iter().zip(&self.bodies.infos);
        let parts: Vec<Part> = (0..)
            .zip(bodies)
            .filter(|(_, (state, _))| state.motion == Motion::Static)
            .filter_map(|(body, (state, info))| {
                let mesh = info.mesh? as usize;
                Some(Part { body, tree: &self.trees[mesh], mesh: &self.meshes[mesh], pose: state.pose })
            })
            .collect();
        let found = seams_of(&parts, &self.pairs.pairing);
        for (body, seams) in found {
            self.bodies.infos[body as usize].seams = Some(seams.into());
        }
    }
}

/// Returns the seams of the parts that others continue, each with its body.
fn seams_of(parts: &[Part], pairing: &Pairing) -> Vec<(u32, Seams)> {
    let bounds: Vec<Aabb> = parts.iter().map(|part| part.mesh.bounds().transformed(&part.pose)).collect();
    let mut broad = BroadPhase::new(Default::default(), 1);
    broad.update(&bounds);
    let mut pairs = Vec::new();
    broad.pairs(&mut pairs);
    pairs.order();
    let mut leaving: Vec<Vec<(u32, DVec3)>> = vec![Vec::new(); parts.len()];
    let mut stack = PointStack::default();
    for Pair { a, b } in pairs {
        let [a, b] = [a, b].map_each(|at| at as usize);
        if pairing.said(parts[a].body, parts[b].body) == Said::Collide {
            for (of, other) in [(a, b), (b, a)] {
                add_leaving(&mut leaving[of], [&parts[of], &parts[other]], &mut stack);
            }
        }
    }
    let continued = leaving.into_iter().zip(parts).filter(|(directions, _)| !directions.is_empty());
    continued.map(|(directions, part)| (part.body, with_ends(part.mesh, directions))).collect()
}

/// Adds the directions in which the other part's faces leave the rims of a part that lie along its edges.
/// Each has the index of the rim; unit, space of the part.
fn add_leaving(leaving: &mut Vec<(u32, DVec3)>, [part, other]: [&Part; 2], stack: &mut PointStack) {
    let (mesh, topology) = (part.mesh, part.mesh.topology());
    let to_other = part.pose.relative_to(&other.pose);
    let tolerance = MEETING * (farthest(mesh) + farthest(other.mesh));
    let [low, high] = other.mesh.bounds_at(&Pose::IDENTITY);
    let is_near = |p: &DVec3| (*p - low).min(high - *p).min_element() >= -tolerance;
    for (index, rim) in (0..).zip(topology.edges()) {
        if !is_rim(mesh, rim) {
            continue;
        }
        let ends =
            rim.vertices.map_each(|v| to_other.transform_point(mesh.vertices()[v as usize].as_dvec3()));
        if !ends.iter().all(is_near) {
            continue;
        }
        let Some(border) = edge_along(other, ends, tolerance, stack) else { continue };
        let continues = |t: u32| {
            let normal = to_other.transform_vector(topology.normal(t));
            faces(border).any(|u| normal.dot(other.mesh.topology().normal(u)) > LEAST_ALIKE)
        };
        if faces(rim).any(continues) {
            let beyond = other.mesh.asides(border).map(DVec3::normalize_or_zero);
            leaving.extend(beyond.map(|aside| (index, to_other.inverse_transform_vector(aside))));
        }
    }
}

/// Returns the edge of a part along which a segment lies; `None` if the segment does not lie on the part,
/// or not along an edge. `ends`: those of the segment, space of the part, m.
fn edge_along<'a>(
    part: &Part<'a>,
    ends: [DVec3; 2],
    tolerance: f64,
    stack: &mut PointStack,
) -> Option<&'a Edge> {
    let (mesh, topology) = (part.mesh, part.mesh.topology());
    let mut border = None;
    for (at, share) in SAMPLES.into_iter().enumerate() {
        let point = ends[0].lerp(ends[1], share);
        let found = closest_point(part.tree, mesh, point, tolerance, stack)?;
        if at < 3 && border.is_none() {
            let is_on = |edge: &&Edge| {
                let [from, to] = edge.vertices.map_each(|v| mesh.vertices()[v as usize].as_dvec3());
                let (along, length) = ((to - from).normalize_or_zero(), from.distance(to));
                let off = (point - from).reject_from_normalized(along).length();
                let inside = tolerance..length - tolerance;
                off <= tolerance && inside.contains(&along.dot(point - from))
            };
            let edges = topology.triangle_edges(found.triangle).map(|edge| &topology.edges()[edge as usize]);
            border = edges.into_iter().find(is_on);
        }
    }
    border
}

/// Returns the seams of a part from the directions in which other parts leave its rims. Adds the directions
/// of its own faces, and those at the ends of the rims.
fn with_ends(mesh: &Mesh, mut edges: Vec<(u32, DVec3)>) -> Seams {
    let topology = mesh.topology();
    let mut rims: Vec<u32> = edges.iter().map(|(rim, _)| *rim).collect();
    rims.order();
    rims.dedup();
    for &rim in &rims {
        let own = mesh.asides(&topology.edges()[rim as usize]);
        edges.extend(own.map(|aside| (rim, aside.normalize_or_zero())));
    }
    let ends = |rim: u32| topology.edges()[rim as usize].vertices;
    let mut vertices: Vec<(u32, DVec3)> =
        edges.iter().flat_map(|&(rim, aside)| ends(rim).map_each(|v| (v, aside))).collect();
    let mut own: Vec<u32> = rims.iter().flat_map(|&rim| ends(rim)).collect();
    own.order();
    own.dedup();
    let at = |v: u32| mesh.vertices()[v as usize].as_dvec3();
    for v in own {
        let along = topology.neighbors(v).iter().map(|&w| (v, (at(w) - at(v)).normalize_or_zero()));
        vertices.extend(along);
    }
    Seams::new(edges, vertices)
}

/// Returns whether a part can end at an edge: it has one face, or two at an angle.
fn is_rim(mesh: &Mesh, edge: &Edge) -> bool {
    edge.class == EdgeClass::Boundary || edge.class.is_active() && mesh.topology().is_sharp(edge)
}

/// Returns the triangles at an edge.
fn faces(edge: &Edge) -> impl Iterator<Item = u32> {
    edge.triangles.into_iter().filter(|&t| t != NONE)
}

/// Returns the largest coordinate of a mesh, m.
fn farthest(mesh: &Mesh) -> f64 {
    let bounds = mesh.bounds();
    f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
}
