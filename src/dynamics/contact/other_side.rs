//! Side of a sheet on which a solid is, where a vertex of the solid reaches through the sheet.
//!
//! A sheet bears on both sides, so each vertex near it could be pushed to either. The material around
//! the vertex decides: a solid is on the side on which most of it is. Without this rule, a plate that
//! lies on a sheet is pressed down at its upper face as hard as it is borne at its lower face.

use glam::DVec3;

use super::collider::Surface;
use super::features::Feature;
use crate::arrays::MapEach;
use crate::mesh::NONE;
use crate::pose::Pose;
use crate::query::crosses;
use crate::tree::SegmentStack;

/// Length of the tested line, as a multiple of the way from the vertex to the sheet.
const BEYOND: f64 = 2.0;
/// Distance from the vertex at which the line starts, as a share of the distance to the middle of the
/// vertex's neighbors. It keeps the line clear of the faces and edges at the vertex.
const INSIDE: f64 = 1e-3;

/// Returns whether the solid to which the vertex of a feature belongs is on the other side of the sheet
/// than the feature assumes: a line from the vertex through the sheet leaves the solid before it is as
/// far beyond the sheet as the vertex is before it. False for features without a vertex of a solid, and
/// for faces of solids, which bear on one side only.
pub(super) fn is_on_other_side(
    feature: &Feature,
    surfaces: [Surface; 2],
    b_to_a: &Pose,
    stack: &mut SegmentStack,
) -> bool {
    let Some((vertex, is_of_a)) = feature.vertex() else { return false };
    let [(tree, mesh), (_, sheet)] = if is_of_a { surfaces } else { [surfaces[1], surfaces[0]] };
    let (face, owner) = (feature.indices()[usize::from(is_of_a)], mesh.topology().vertex_owner(vertex));
    let is_sheet = owner == NONE || mesh.surface().two_sided[owner as usize];
    if is_sheet || !sheet.surface().two_sided[face as usize] {
        return false;
    }
    let at = |v: u32| mesh.vertices()[v as usize].as_dvec3();
    let neighbors = mesh.topology().neighbors(vertex);
    let middle = neighbors.iter().map(|&v| at(v)).sum::<DVec3>() / neighbors.len() as f64;
    let ends = [feature.point_a, feature.point_b];
    let [corner, exit] =
        if is_of_a { ends } else { [ends[1], ends[0]].map_each(|p| b_to_a.inverse_transform_point(p)) };
    let from = corner.lerp(middle, INSIDE);
    crosses(tree, mesh, from, from + BEYOND * (exit - corner), stack)
}
