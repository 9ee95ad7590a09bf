//! Directions along which a vertex or an edge is extremal among its neighbors (supports its surface).

use glam::DVec3;

use super::surface::Surface;
use super::topology::{Edge, EdgeClass, NONE, Topology};

/// Sine of the angle by which a neighbor may rise above a supporting vertex or edge, so that contacts
/// survive the tilt of a body at rest. A smaller value loses contacts on curved surfaces; a larger
/// value finds contacts that do not carry load.
pub const SUPPORT_SLACK: f64 = 0.06;

/// Cosine of the angle between a face and a direction beyond which the face looks the opposite way. A
/// smaller angle than the slack would let both sides of a fine surface support one contact.
const OPPOSITE: f64 = -0.99;
/// Cosine of the largest angle between two successive edges that count as one row (20°), as along the
/// rim of a cylinder.
const IN_A_ROW: f64 = 0.94;

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

/// Returns whether no face at the edge rises along `direction` (unit, body space), within the `slack` (the
/// sine of an angle), and the solid ends there.
#[inline]
pub(super) fn edge_supports(
    surface: &Surface,
    topology: &Topology,
    edge: u32,
    direction: DVec3,
    slack: f64,
) -> bool {
    let edge = &topology.edges()[edge as usize];
    debug_assert!(edge.class != EdgeClass::Flat);
    let is_solid = |t: u32| t != NONE && !surface.two_sided[t as usize];
    if edge.triangles.iter().all(|&t| is_solid(t))
        && edge.triangles.iter().map(|&t| topology.normal(t)).sum::<DVec3>().dot(direction) <= 0.0
    {
        return false;
    }
    asides(surface, edge).all(|aside| {
        let rise = direction.dot(aside);
        rise <= 0.0 || rise * rise <= slack * slack * aside.length_squared()
    })
}

/// Returns the directions in which the faces at an edge leave it, perpendicular to the edge, body space.
/// Their lengths are the heights of the triangles, m.
pub(super) fn asides<'a>(surface: &'a Surface, edge: &'a Edge) -> impl Iterator<Item = DVec3> {
    let at = |v: u32| surface.vertices[v as usize].as_dvec3();
    let start = at(edge.vertices[0]);
    let along = (at(edge.vertices[1]) - start).normalize_or_zero();
    edge.triangles.iter().filter(|&&t| t != NONE).filter_map(move |&triangle| {
        let corners = &surface.triangles[triangle as usize];
        let opposite = corners.iter().find(|v| !edge.vertices.contains(v))?;
        let to = at(*opposite) - start;
        Some(to - to.dot(along) * along)
    })
}

/// Returns whether the solid ends at the vertex along `direction` (unit, body space): the vertex is not
/// part of a face that looks the opposite way. Always true for a sheet, which has no inside.
pub(super) fn vertex_faces(surface: &Surface, topology: &Topology, vertex: u32, direction: DVec3) -> bool {
    let owner = topology.vertex_owner(vertex);
    owner == NONE || surface.two_sided[owner as usize] || topology.normal(owner).dot(direction) > OPPOSITE
}

/// Returns whether the surface goes on beyond an end of an edge with another edge, nearly straight
/// ahead. `end`: 0 for the edge's first vertex, 1 for its second.
pub(super) fn edge_goes_on(surface: &Surface, topology: &Topology, edge: u32, end: usize) -> bool {
    let vertices = topology.edges()[edge as usize].vertices;
    let at = |v: u32| surface.vertices[v as usize].as_dvec3();
    let [from, to] = [1 - end, end].map(|k| at(vertices[k]));
    let ahead = (to - from).normalize_or_zero();
    let is_ahead = |&w: &u32| ahead.dot(at(w) - to) > IN_A_ROW * at(w).distance(to);
    topology.neighbors(vertices[end]).iter().any(is_ahead)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::generate;
    use crate::mesh::{Mesh, NONE, SUPPORT_SLACK};

    fn mesh((positions, triangles): &generate::Triangles) -> Mesh {
        Mesh::new("shape", positions, triangles).unwrap()
    }

    /// Tests a ball so fine that each of its vertices and edges is level within the slack. It ends
    /// outward only; the open half of it, a sheet, ends on both sides.
    #[test]
    fn a_fine_ball_ends_outward_only() {
        let (positions, triangles) = generate::sphere(1.0, 64);
        let is_upper = |t: &&[u32; 3]| t.iter().all(|&v| positions[v as usize].z > 0.1);
        let half: Vec<_> = triangles.iter().filter(is_upper).copied().collect();
        let (ball, dome) = (mesh(&(positions.clone(), triangles)), mesh(&(positions, half)));
        let mut edges = 0;
        for (mesh, is_sheet) in [(&ball, false), (&dome, true)] {
            for (edge, of) in (0..).zip(mesh.topology().edges()) {
                if of.triangles[1] == NONE || !of.class.is_active() {
                    continue;
                }
                edges += 1;
                let out: DVec3 = of.triangles.iter().map(|&t| mesh.topology().normal(t)).sum();
                let out = out.normalize();
                assert!(mesh.edge_supports(edge, out, SUPPORT_SLACK));
                assert_eq!(mesh.edge_supports(edge, -out, SUPPORT_SLACK), is_sheet, "edge {edge}");
                let [vertex, _] = of.vertices;
                assert!(mesh.vertex_faces(vertex, out));
                assert_eq!(mesh.vertex_faces(vertex, -out), is_sheet, "vertex {vertex}");
            }
        }
        assert!(edges > 1000, "{edges}");
    }

    #[test]
    fn edges_go_on_around_a_rim_but_not_at_a_corner() {
        let goes_on = |mesh: &Mesh| {
            let edges = (0..).zip(mesh.topology().edges()).filter(|(_, edge)| edge.class.is_active());
            let ends: Vec<_> =
                edges.flat_map(|(edge, _)| [0, 1].map(|end| mesh.edge_goes_on(edge, end))).collect();
            [ends.iter().filter(|&&on| on).count(), ends.len()]
        };
        assert_eq!(goes_on(&mesh(&generate::cuboid(glam::Vec3::ONE, 1.0))), [0, 24]);
        let [on, all] = goes_on(&mesh(&generate::cylinder(1.0, 3.0, 0.3)));
        assert!(on > all / 2 && on < all, "{on} of {all}");
    }
}
