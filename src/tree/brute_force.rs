//! No hierarchy: every triangle's box against every other's. The judge of the trees.

use glam::DVec3;

use super::Counts;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::volume::Aabb;

/// Appends all pairs whose boxes, b's taken in a's frame, come within `margin` (m) of each other.
pub(super) fn find_candidates(
    a: &Mesh,
    b: &Mesh,
    b_to_a: &Pose,
    margin: f64,
    out: &mut Vec<[u32; 2]>,
    counts: &mut Counts,
) {
    for tb in 0..b.triangles().len() as u32 {
        let own = b.corners(tb);
        let corners = own.map(|c| b_to_a.transform_point(c));
        // The transformation rounds the rotated corner and the sum, which may cancel: what it can lose is far
        // below this share of what is added.
        let reach = own.iter().fold(b_to_a.position.abs().max_element(), |m, c| m.max(c.length()));
        let pad = DVec3::splat(margin + 1e-14 * reach);
        let min = corners[0].min(corners[1]).min(corners[2]) - pad;
        let max = corners[0].max(corners[1]).max(corners[2]) + pad;
        let box_b = Aabb::from_f64(min, max);
        for (ta, triangle) in a.triangles().iter().enumerate() {
            counts.node_test_count += 1;
            let box_a = Aabb::from_points(triangle.map(|v| a.vertices()[v as usize]));
            if box_a.overlaps(&box_b) {
                out.push([ta as u32, tb]);
            }
        }
    }
}
