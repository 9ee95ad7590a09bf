//! Choice among several faces above one vertex: the way out.

use super::features::Feature;

/// Distance, in slops, by which the exit of one face may lie above another face of the same vertex for
/// the two to count as convex: covers the rounding where both are flat.
const CONVEX_SLOPS: f64 = 1e-5;

/// Drops the faces above a vertex that are not its way out. A vertex inside a corner lies under several
/// faces. If two of them meet convexly, only the nearest is the way out. If they meet concavely (an
/// inside corner), both hold the vertex.
///
/// Sorts `features` by vertex, then key; within one vertex the kept features follow by depth.
pub(super) fn drop_far_sides(features: &mut Vec<Feature>, group: &mut Vec<Feature>, slop: f64) {
    let mut kept = 0;
    let mut start = 0;
    group.clear();
    // Sorted by key, the features of one vertex over several faces of a are not adjacent.
    features.sort_unstable_by(|x, y| x.vertex_group().cmp(&y.vertex_group()).then(x.key.cmp(&y.key)));
    while start < features.len() {
        let vertex = features[start].vertex_group();
        let end = start + features[start..].iter().take_while(|f| f.vertex_group() == vertex).count();
        if vertex.is_none() || end - start == 1 {
            features.copy_within(start..end, kept);
            kept += end - start;
        } else {
            group.clear();
            group.extend_from_slice(&features[start..end]);
            group.sort_unstable_by(|x, y| {
                x.separation.abs().total_cmp(&y.separation.abs()).then(x.key.cmp(&y.key))
            });
            let first = kept;
            for feature in group.iter() {
                let accepted: &[Feature] = &features[first..kept];
                if !accepted.iter().any(|k| hides(k, feature, slop)) {
                    features[kept] = *feature;
                    kept += 1;
                }
            }
        }
        start = end;
    }
    features.truncate(kept);
}

/// Returns whether an accepted face makes another face of the same vertex redundant.
fn hides(accepted: &Feature, other: &Feature, slop: f64) -> bool {
    let same_plane = accepted.outward().dot(other.outward()) > 0.999;
    let convex = accepted.outward().dot(other.exit() - accepted.exit()) < CONVEX_SLOPS * slop;
    same_plane || (other.separation < -slop && convex)
}
