//! Shells of a surface: its components, each with a point deep in the material below it.
//!
//! Two solids can share all material of a component without any point of one surface lying inside the
//! other solid: the surfaces coincide there. The shared material is then a whole component of both
//! solids, so one point of each component tells whether the solids share it.

use glam::DVec3;

use crate::mesh::{Mesh, NONE};
use crate::query::{closest_point, depth_in_solid, first_crossing};
use crate::tree::{PointStack, SegmentStack, Tree};

/// Component of a surface: triangles that are connected by edges of two triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shell {
    /// Point of the solid below the component, body space, m: the deepest of a few. A point on the
    /// component if it is a sheet, or if none of the few is inside the solid.
    pub sample: DVec3,
    /// Distance of the sample from the whole surface, m; 0 if it lies on the component.
    pub depth: f64,
}

/// Number of triangles of a component below which a deep point is sought.
const MOST_TRIED: usize = 4;
/// Number of moves from the deepest of these points to the middle of the material around it.
const MOST_MOVES: usize = 4;
/// Distance from a triangle at which a ray into the material starts, as a share of the largest
/// coordinate. It exceeds the rounding of the crossing with the triangle itself.
const START: f64 = 1e-12;

/// Returns the components of a surface.
pub(super) fn shells(tree: &Tree, mesh: &Mesh) -> Vec<Shell> {
    let mut is_seen = vec![false; mesh.triangles().len()];
    let (mut shells, mut members) = (Vec::new(), Vec::new());
    let stacks = &mut (PointStack::default(), SegmentStack::default());
    for first in 0..mesh.triangles().len() as u32 {
        if is_seen[first as usize] {
            continue;
        }
        flood(mesh, first, &mut is_seen, &mut members);
        shells.push(shell((tree, mesh), &members, stacks));
    }
    shells
}

/// Collects the triangles that are connected to `first` by edges of two triangles.
fn flood(mesh: &Mesh, first: u32, is_seen: &mut [bool], members: &mut Vec<u32>) {
    members.clear();
    members.push(first);
    is_seen[first as usize] = true;
    let mut next = 0;
    while let Some(&triangle) = members.get(next) {
        next += 1;
        for edge in mesh.topology().triangle_edges(triangle) {
            for neighbor in mesh.topology().edges()[edge as usize].triangles {
                if neighbor != NONE && !std::mem::replace(&mut is_seen[neighbor as usize], true) {
                    members.push(neighbor);
                }
            }
        }
    }
}

/// Describes the component of the triangles `members`.
fn shell(
    (tree, mesh): (&Tree, &Mesh),
    members: &[u32],
    (points, segments): &mut (PointStack, SegmentStack),
) -> Shell {
    let middle = |triangle: u32| mesh.corners(triangle).into_iter().sum::<DVec3>() / 3.0;
    let mut best = Shell { sample: middle(members[0]), depth: 0.0 };
    if mesh.surface().two_sided[members[0] as usize] {
        return best;
    }
    let bounds = mesh.bounds();
    let far = 2.0 * f64::from(bounds.diagonal());
    let start = START * f64::from(bounds.min.abs().max(bounds.max.abs()).max_element());
    for &triangle in members.iter().step_by(members.len().div_ceil(MOST_TRIED)) {
        let down = -mesh.topology().normal(triangle);
        let from = middle(triangle) + start * down;
        let to = from + far * down;
        let Some(out) = first_crossing(tree, mesh, from, to, segments) else { continue };
        let point = from.lerp(to, 0.5 * out.at);
        let depth = depth_in_solid(tree, mesh, point, (points, segments));
        if let Some(depth) = depth.filter(|depth| *depth > best.depth) {
            best = Shell { sample: point, depth };
        }
    }
    let mut moved = best;
    for _ in 0..MOST_MOVES {
        let Some(shell) = middle_below((tree, mesh), moved, (points, segments)) else { break };
        moved = shell;
        if moved.depth > best.depth {
            best = moved;
        }
    }
    best
}

/// Returns the middle of the solid along the line from the nearest point of the surface through the
/// sample; `None` if it is not inside.
fn middle_below(
    (tree, mesh): (&Tree, &Mesh),
    shell: Shell,
    (points, segments): (&mut PointStack, &mut SegmentStack),
) -> Option<Shell> {
    let nearest = closest_point(tree, mesh, shell.sample, f64::INFINITY, points)?.point;
    let way = (shell.sample - nearest).try_normalize()?;
    let to = shell.sample + 2.0 * f64::from(mesh.bounds().diagonal()) * way;
    let out = first_crossing(tree, mesh, shell.sample, to, segments)?;
    let sample = 0.5 * (nearest + shell.sample.lerp(to, out.at));
    let depth = depth_in_solid(tree, mesh, sample, (points, segments))?;
    Some(Shell { sample, depth })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::generate;
    use crate::tree::{SplitRule, TreeKind};

    #[test]
    fn each_component_has_a_point_in_the_material_below_it() {
        let (mut positions, mut triangles) = generate::cuboid(Vec3::splat(2.0), 2.0);
        let mut add = |size: f32, at: Vec3, is_cavity: bool| {
            let (corners, faces) = generate::cuboid(Vec3::splat(size), size.into());
            let start = positions.len() as u32;
            positions.extend(corners.iter().map(|&corner| corner + at));
            let wound = |[a, b, c]: [u32; 3]| if is_cavity { [c, b, a] } else { [a, b, c] };
            triangles.extend(faces.iter().map(|&face| wound(face).map(|vertex| vertex + start)));
        };
        add(1.0, Vec3::ZERO, true);
        add(0.5, Vec3::X * 3.0, false);
        let mesh = Mesh::new("three", &positions, &triangles).unwrap();
        let tree = Tree::build(TreeKind::default(), SplitRule::default(), &mesh);
        let found = shells(&tree, &mesh);
        assert_eq!(found.len(), 3);
        for shell in &found {
            assert!(shell.depth > 0.2 && shell.depth < 0.26, "{shell:?}");
            let deep = shell.sample.abs();
            let is_in_wall = deep.max_element() > 0.5 && deep.max_element() < 1.0;
            assert!(is_in_wall || (deep - 3.0 * DVec3::X).abs().max_element() < 0.25, "{shell:?}");
        }
    }
}
