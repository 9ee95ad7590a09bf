//! Test of a vertex for lying over a face, or its smooth surface for lying over it.

use glam::DVec3;

use super::features::{FeatureSearch, OverFace};
use super::ratios::DEEP_SLOPS;
use crate::mesh::Outline;

impl FeatureSearch<'_> {
    /// Returns whether a vertex, of a or of b, is the local extremum along `out` and lies over a face,
    /// or the smooth surface around the vertex does. `out` is in the space of the vertex's body.
    pub fn meets(&self, is_of_a: bool, vertex: u32, out: DVec3, over: &OverFace) -> bool {
        let &OverFace { point, separation, corners, normal } = over;
        let mesh = if is_of_a { self.mesh_a } else { self.mesh_b };
        if self.is_over(over) {
            return mesh.vertex_supports(vertex, out);
        }
        // A deep vertex beside a face is behind another face, and far inside the solid there.
        if separation <= -DEEP_SLOPS * self.settings.slop {
            return false;
        }
        // The vertex's own triangles must be near enough for every hierarchy to find them.
        let is_beside = || {
            let beside = beside_face(point, corners, normal, self.margin);
            beside.is_some_and(|beside| self.is_within_margin(separation * separation + beside * beside))
        };
        if !mesh.vertex_is_curved(vertex) || !is_beside() || !mesh.vertex_supports(vertex, out) {
            return false;
        }
        let Outline::Round(rounding) = mesh.outline(vertex, out, self.settings.slop) else { return false };
        let shift = if is_of_a { rounding.shift } else { self.rotation * rounding.shift };
        beside_face(point + shift, corners, normal, self.settings.face_edge).is_some()
    }

    /// Returns whether a point at `separation` (m) from the face's plane lies over the face, or in the
    /// crack beside it. The crack counts only for shallow points: a deep point beside a face is not
    /// inside it.
    fn is_over(&self, &OverFace { point, separation, corners, normal }: &OverFace) -> bool {
        let shallow = separation > -DEEP_SLOPS * self.settings.slop;
        let tolerance = if shallow { self.settings.face_edge } else { 0.0 };
        beside_face(point, corners, normal, tolerance)
            .is_some_and(|beside| self.is_within_margin(separation * separation + beside * beside))
    }

    /// Returns whether triangles with features this far apart (m², squared distance) are found by every
    /// hierarchy: they intersect, or these features are within the margin. The boxes and planes of two
    /// triangles can be within the margin where the triangles are not. Loose volumes find such pairs
    /// and tight ones do not, so their features must not count.
    pub fn is_within_margin(&self, distance_squared: f64) -> bool {
        self.is_crossing || distance_squared <= self.margin * self.margin
    }
}

/// Returns how far (m) a point lies beside a face, seen along its normal: 0 over it, `None` beyond
/// `tolerance` (m). The tolerance is a length: a share of the triangle's size would widen long
/// triangles by far more than a crack.
///
/// No point lies over a face of zero area, which a skin can have in some poses.
fn beside_face(point: DVec3, [a, b, c]: &[DVec3; 3], normal: DVec3, tolerance: f64) -> Option<f64> {
    if normal == DVec3::ZERO {
        return None;
    }
    let mut beside: Option<f64> = None;
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let (along, to) = (*q - *p, point - *p);
        let inward = normal.cross(along).dot(to);
        if inward < -tolerance * along.length() {
            return None;
        }
        if inward < 0.0 {
            // At a sharp corner a point near both edges' lines may be far from their ends.
            let t = (to.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let off = to - t * along;
            let distance = (off - off.dot(normal) * normal).length();
            beside = Some(beside.map_or(distance, |nearest| nearest.min(distance)));
        }
    }
    Some(beside.unwrap_or(0.0)).filter(|&distance| distance <= tolerance)
}
