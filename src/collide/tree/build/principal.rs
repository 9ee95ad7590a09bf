//! Split rule of OBB trees: a plane through the mean of the triangles' centers, normal to the longest
//! side of the box along the surface's principal axes. If all triangles lie on one side of the plane,
//! the next longest side is used. Gottschalk, Lin, Manocha 1996, "OBBTree", section 4

use glam::{DMat3, DVec3, Vec3};

use super::division::{Division, partition};
use super::item::Item;
use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::volume::Spread;

/// Divides the items; `None` if no axis separates them. `axes`: the principal axes if known.
pub(super) fn divide(items: &mut [Item], mesh: &Mesh, axes: Option<DMat3>) -> Option<Division> {
    let origin = mesh.bounds().center();
    let corners = |item: &Item| mesh.corners_about(item.triangle(), origin);
    let axes = axes.unwrap_or_else(|| {
        let mut spread = Spread::default();
        items.iter().for_each(|item| spread.add(&corners(item)));
        spread.axes()
    });
    let to_axes = axes.transpose();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for corner in items.iter().flat_map(corners) {
        let at = to_axes * corner.as_dvec3();
        (low, high) = (low.min(at), high.max(at));
    }
    let sides = high - low;
    let mut by_length = [0, 1, 2];
    by_length.sort_by(|&i, &j| sides[j].total_cmp(&sides[i]));
    for axis in by_length {
        let along = axes.col(axis);
        let at = |item: &Item| corners(item).map_each(Vec3::as_dvec3).iter().sum::<DVec3>().dot(along);
        let mean = items.iter().map(at).sum::<f64>() / items.len() as f64;
        let count = partition(items, |item| at(item) <= mean);
        if count > 0 && count < items.len() {
            // Boxtrees cut along the coordinate axis nearest to the principal one.
            let axis = along.abs().max_position();
            return Some(Division { count, axis, upper_sides: [true, false] });
        }
    }
    None
}
