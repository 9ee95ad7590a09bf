//! Choice of the face through which a vertex leaves a solid (the way out), if the vertex lies under
//! several faces.

use super::features::{Feature, Place};

/// Largest distance, in slops, by which the exit point on one face may lie above another face of the
/// same vertex if the two faces count as convex. It covers rounding errors where both faces are in one
/// plane.
const CONVEX_SLOPS: f64 = 1e-5;

/// Drops the faces over a vertex that are not its way out. A vertex inside a corner lies under several
/// faces. If two of these faces form a convex edge, only the nearer one is the way out. If they form a
/// concave edge (an inside corner), both support the vertex.
///
/// Sorts `features` by vertex, then key. Features of one vertex are sorted by depth instead of key.
pub(super) fn drop_far_sides(features: &mut Vec<Feature>, group: &mut Vec<Feature>, slop: f64) {
    let mut kept = 0;
    let mut start = 0;
    group.clear();
    // In key order, the features of one vertex of b over several faces of a are not adjacent.
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

/// Returns whether `accepted`, a face kept for a vertex, makes another face of the same vertex
/// redundant.
fn hides(accepted: &Feature, other: &Feature, slop: f64) -> bool {
    let same_plane = accepted.outward().dot(other.outward()) > 0.999;
    if other.place == Place::InCorner {
        return same_plane;
    }
    let convex = accepted.outward().dot(other.exit() - accepted.exit()) < CONVEX_SLOPS * slop;
    same_plane || (other.separation < -slop && convex)
}
