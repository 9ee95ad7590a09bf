//! Directions along which a vertex or an edge is extremal among its neighbors (supports its surface).

use glam::DVec3;

use super::surface::Surface;
use super::topology::{EdgeClass, NONE, Topology};

/// Sine of the angle by which a neighbor may rise above a supporting vertex or edge, so that contacts
/// survive the tilt of a body at rest. A smaller value loses contacts on curved surfaces; a larger
/// value finds contacts that do not carry load.
pub(super) const SUPPORT_SLACK: f64 = 0.06;

/// Returns whether no neighbor of the vertex reaches farther along `direction` (unit, body space) than
/// the vertex, within the slack.
#[inline]
pub(super) fn supports(surface: &Surface, topology: &Topology, vertex: u32, direction: DVec3) -> bool {
    let point = surface.vertices[vertex as usize].as_dvec3();
    topology.neighbors(vertex).iter().all(|&w| {
        let to = surface.vertices[w as usize].as_dvec3() - point;
        let rise = direction.dot(to);
        rise <= 0.0 || rise * rise <= SUPPORT_SLACK * SUPPORT_SLACK * to.length_squared()
    })
}

/// Returns whether no face at the edge rises along `direction` (unit, body space), within the slack.
#[inline]
pub(super) fn edge_supports(surface: &Surface, topology: &Topology, edge: u32, direction: DVec3) -> bool {
    let edge = topology.edges()[edge as usize];
    debug_assert!(edge.class != EdgeClass::Flat);
    let [start, end] = edge.vertices.map(|v| surface.vertices[v as usize].as_dvec3());
    let along = (end - start).normalize_or_zero();
    edge.triangles.iter().filter(|&&t| t != NONE).all(|&triangle| {
        let corners = surface.triangles[triangle as usize];
        let opposite = corners.iter().find(|v| !edge.vertices.contains(v));
        opposite.is_none_or(|&v| {
            let to = surface.vertices[v as usize].as_dvec3() - start;
            let across = to - to.dot(along) * along;
            let rise = direction.dot(across);
            rise <= 0.0 || rise * rise <= SUPPORT_SLACK * SUPPORT_SLACK * across.length_squared()
        })
    })
}
