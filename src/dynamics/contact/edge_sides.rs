//! False depths of two edges beside a corner: the edges pass each other far behind a face, but one of
//! them ends there, or is outside the solid that has the other.
//!
//! The directions that an edge supports have a slack of 0.06 rad, so that contacts at rest survive a
//! small tilt. For a shallow contact this is harmless. But an edge that stands just above the rim of a
//! hole passes the rim far behind the wall, in a direction that is within the slack. And the lower edge
//! of a peg in the hole ends at the wall: it passes the rim as deep as the peg is in the hole, although
//! its corner is only a little behind the wall.

use glam::DVec3;

use super::features::Feature;
use super::ratios::DEEP_SLOPS;
use crate::arrays::MapEach;
use crate::mesh::{Mesh, NONE, SHARP, SUPPORT_SLACK};
use crate::pose::Pose;

/// Cosine of the least angle (60°) between the normal of two edges and that of the face through which
/// the end of one of them leaves.
const ASIDE: f64 = 0.5;

/// Drops the deep contacts of two edges in which a face at a sharp edge rises above the normal, so that the
/// other edge is outside the solid, or an end of an edge leaves through another face.
///
/// `features`: in the space of a, sorted by vertex, as [`drop_far_sides`](super::sides::drop_far_sides)
/// leaves them. `b_to_a`: pose of b in a's space. `slop` in m.
pub(super) fn drop_false_edges(features: &mut Vec<Feature>, meshes: [&Mesh; 2], b_to_a: &Pose, slop: f64) {
    // Contacts of edges have no vertex and come first.
    let edge_count = features.partition_point(|feature| feature.vertex_group().is_none());
    let (edges, vertices) = features.split_at_mut(edge_count);
    let mut kept = 0;
    for at in 0..edge_count {
        let edge = edges[at];
        let is_false = edge.separation < -DEEP_SLOPS * slop
            && (height(&edge, meshes, b_to_a) > SUPPORT_SLACK * DEEP_SLOPS * slop
                || leaves_at_an_end(&edge, vertices, meshes, b_to_a, slop));
        if !is_false {
            edges[kept] = edge;
            kept += 1;
        }
    }
    features.drain(kept..edge_count);
}

/// Returns the height (m) by which a face at either edge, followed as far as the edges are deep, rises above
/// their normal: the largest. Minus infinity if no edge is sharp.
fn height(edges: &Feature, meshes: [&Mesh; 2], b_to_a: &Pose) -> f64 {
    let out = [edges.normal, b_to_a.inverse_transform_vector(-edges.normal)];
    let rises = [0, 1].map_each(|side: usize| {
        let (topology, surface) = (meshes[side].topology(), meshes[side].surface());
        let edge = &topology.edges()[edges.indices()[side] as usize];
        let is_solid = |t: u32| t != NONE && !surface.two_sided[t as usize];
        let normals = edge.triangles.map_each(|t| if is_solid(t) { topology.normal(t) } else { DVec3::ZERO });
        let rise = |aside: DVec3| out[side].dot(aside.normalize_or_zero());
        let steepest = meshes[side].asides(edge).map(rise).fold(f64::NEG_INFINITY, f64::max);
        if normals[0].dot(normals[1]) < SHARP { steepest } else { f64::NEG_INFINITY }
    });
    rises[0].max(rises[1]) * -edges.separation
}

/// Returns whether an edge ends less than the depth of the two edges from the point at which they pass,
/// and the vertex at the end touches a face that looks aside of their normal, or is less deep behind it.
/// `vertices`: contacts of vertices and faces, sorted by vertex. `slop` in m.
fn leaves_at_an_end(
    edges: &Feature,
    vertices: &[Feature],
    meshes: [&Mesh; 2],
    b_to_a: &Pose,
    slop: f64,
) -> bool {
    let depth = -edges.separation;
    let points = [edges.point_a, b_to_a.inverse_transform_point(edges.point_b)];
    [0, 1].into_iter().any(|side: usize| {
        let mesh = meshes[side];
        let ends = mesh.topology().edges()[edges.indices()[side] as usize].vertices;
        ends.into_iter().any(|vertex| {
            let is_near = mesh.vertices()[vertex as usize].as_dvec3().distance(points[side]) < depth;
            let group = Some(Feature::group_of(vertex, side == 0));
            let first = vertices.partition_point(|feature| feature.vertex_group() < group);
            is_near
                && vertices[first..].iter().take_while(|feature| feature.vertex_group() == group).any(|end| {
                    let is_aside = end.normal.dot(edges.normal).abs() < ASIDE;
                    is_aside && end.separation < slop && end.separation > edges.separation
                })
        })
    })
}
