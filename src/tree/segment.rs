//! Whether a segment crosses a surface: down the hierarchy, then Möller–Trumbore in `f64` on the triangles
//! that are left. The answer does not depend on the kind of tree.

use glam::DVec3;

use super::Tree;
use super::boxtree::{Below, Boxtree};
use crate::mesh::Mesh;
use crate::volume::Aabb;

/// The stack of a query, kept so that it grows once.
pub type SegmentStack = Vec<(u32, Aabb)>;

/// Whether the open segment crosses any triangle of the mesh; body space, m. Triangles that it only touches
/// with its ends or runs along do not count.
pub fn crosses(tree: &Tree, mesh: &Mesh, from: DVec3, to: DVec3, stack: &mut SegmentStack) -> bool {
    match tree {
        Tree::Boxtree(tree) => crosses_boxtree(tree, mesh, from, to, stack),
        Tree::BruteForce => {
            (0..mesh.triangles().len() as u32).any(|t| crosses_triangle(from, to, &mesh.corners(t)))
        }
    }
}

fn crosses_boxtree(tree: &Boxtree, mesh: &Mesh, from: DVec3, to: DVec3, stack: &mut SegmentStack) -> bool {
    stack.clear();
    if !tree.nodes.is_empty() {
        stack.push((0, tree.root));
    }
    while let Some((index, parent)) = stack.pop() {
        let node = tree.nodes[index as usize];
        let own = node.restrict(parent);
        if !meets_box(from, to, &own) {
            continue;
        }
        match node.below() {
            Below::Triangle(triangle) => {
                if crosses_triangle(from, to, &mesh.corners(triangle)) {
                    return true;
                }
            }
            Below::Shrink(child) => stack.push((child, own)),
            Below::Pair(first) => stack.extend([(first, own), (first + 1, own)]),
        }
    }
    false
}

/// Slab test, padded by more than it rounds.
fn meets_box(from: DVec3, to: DVec3, bounds: &Aabb) -> bool {
    let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let pad = 1e-12 * min.abs().max(max.abs()).max_element().max(from.abs().max_element());
    let along = to - from;
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for k in 0..3 {
        let (low, high) = (min[k] - pad - from[k], max[k] + pad - from[k]);
        if along[k] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (a, b) = (low / along[k], high / along[k]);
        enter = enter.max(a.min(b) - 1e-12);
        leave = leave.min(a.max(b) + 1e-12);
    }
    enter <= leave
}

fn crosses_triangle(from: DVec3, to: DVec3, [a, b, c]: &[DVec3; 3]) -> bool {
    let (along, ab, ac) = (to - from, b - a, c - a);
    let p = along.cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return false;
    }
    let t = from - a;
    let u = t.dot(p) / determinant;
    let q = t.cross(ab);
    let v = along.dot(q) / determinant;
    let at = ac.dot(q) / determinant;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && at > 0.0 && at < 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;
    use crate::tree::TreeKind;

    #[test]
    fn every_kind_finds_the_same_crossings() {
        let (positions, triangles) = generate::torus(1.0, 0.3, 32, 16);
        let mesh = Mesh::new("torus", &positions, &triangles).unwrap();
        let trees = TreeKind::ALL.map(|kind| Tree::build(kind, &mesh));
        let mut stack = SegmentStack::new();
        let mut crossing_count = 0;
        for i in 0..2000 {
            let point = |k: f64| {
                let t = f64::from(i) * k;
                1.4 * DVec3::new(libm::sin(t), libm::cos(1.7 * t), 0.4 * libm::sin(2.3 * t))
            };
            let (from, to) = (point(0.37), point(0.91));
            let found: Vec<bool> =
                trees.iter().map(|tree| crosses(tree, &mesh, from, to, &mut stack)).collect();
            assert!(found.iter().all(|&f| f == found[0]), "segment {i}");
            crossing_count += u32::from(found[0]);
        }
        assert!((400..1800).contains(&crossing_count), "{crossing_count}");
    }
}
