//! Brute force without a hierarchy: tests the box of every triangle against every other. It is the
//! reference for testing the trees.

use std::ops::ControlFlow;

use glam::DVec3;

use super::descend::Found;
use super::limit::{Start, Stop};
use super::search::{Counts, Search};
use crate::arrays::MapEach;
use crate::mesh::Mesh;
use crate::volume::Aabb;

/// Passes all triangle pairs whose boxes, in a's frame, come within the margin of each other to
/// `found`, until `found` breaks or the search reaches its limit. `next`: the triangle of b at which a
/// limited search resumes.
pub(super) fn visit(
    [a, b]: [&Mesh; 2],
    search: &Search,
    next: &mut u32,
    counts: &mut Counts,
    found: &mut impl Found,
) -> ControlFlow<Stop> {
    let &Search { b_to_a, margin, .. } = search;
    let first = counts.node_test_count;
    if search.start == Start::Roots {
        *next = 0;
    }
    for tb in *next..b.triangles().len() as u32 {
        let own = b.corners(tb);
        let corners = own.map_each(|c| b_to_a.transform_point(c));
        // The transformation rounds the rotated corner and the sum, which may cancel. The error is far
        // below this share of the largest summand.
        let reach = own.iter().fold(b_to_a.position.abs().max_element(), |m, c| m.max(c.length()));
        let pad = DVec3::splat(margin + 1e-14 * reach);
        let min = corners[0].min(corners[1]).min(corners[2]) - pad;
        let max = corners[0].max(corners[1]).max(corners[2]) + pad;
        let box_b = Aabb::from_f64(min, max);
        if counts.node_test_count - first >= search.limit.node_tests() {
            *next = tb;
            let left = b.triangles().len() as u64 - u64::from(tb);
            return ControlFlow::Break(Stop::Limit { open_pairs: left * a.triangles().len() as u64 });
        }
        for (ta, triangle) in a.triangles().iter().enumerate() {
            counts.node_test_count += 1;
            let box_a = Aabb::from_points(triangle.map_each(|v| a.vertices()[v as usize]));
            if box_a.overlaps(&box_b) && found(ta as u32, tb).is_break() {
                return ControlFlow::Break(Stop::Enough);
            }
        }
    }
    ControlFlow::Continue(())
}
