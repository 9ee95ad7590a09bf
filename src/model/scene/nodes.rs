//! Nodes of a model: which body a node belongs to, and its mesh as part of that body's surface.

use glam::{DMat3, DMat4};

use super::builder::{Patch, Soup};
use super::figure::rest_positions;
use crate::import::model::{Model, Node};

/// Returns per node the nearest node with motion: itself or an ancestor.
pub(super) fn owners(model: &Model) -> Vec<Option<u32>> {
    nearest_above(model, |node| model.nodes[node as usize].motion.is_some())
}

/// Returns per node the nearest node that satisfies `is`: itself or an ancestor. One sweep without
/// recursion, because trees may be deep.
pub(super) fn nearest_above(model: &Model, is: impl Fn(u32) -> bool) -> Vec<Option<u32>> {
    let mut nearest = vec![None; model.nodes.len()];
    let parentless = (0..model.nodes.len() as u32).filter(|&n| model.nodes[n as usize].parent.is_none());
    let mut stack: Vec<(u32, Option<u32>)> = parentless.map(|n| (n, None)).collect();
    while let Some((node, above)) = stack.pop() {
        let own = if is(node) { Some(node) } else { above };
        nearest[node as usize] = own;
        stack.extend(model.nodes[node as usize].children.iter().map(|&child| (child, own)));
    }
    nearest
}

/// Appends triangles, transformed by a matrix, to a soup.
pub(super) fn append(soup: &mut Soup, name: &str, patch: Patch, matrix: &DMat4) {
    soup.append(name, patch, DMat3::from_mat4(*matrix), matrix.w_axis.truncate());
}

/// Appends a node's mesh with its rest morph weights, transformed by a matrix, to a soup.
pub(super) fn append_mesh(soup: &mut Soup, name: &str, model: &Model, node: &Node, matrix: &DMat4) {
    let Some(geometry) = node.geometry.map(|g| &model.geometries[g as usize]) else { return };
    let positions = rest_positions(geometry, &node.weights);
    let patch = Patch { positions: &positions, triangles: &geometry.triangles, colors: &geometry.colors };
    append(soup, name, patch, matrix);
}
