//! Test whether a vertex, or the smooth surface around it, lies over a face.

use glam::DVec3;

use super::features::{FeatureSearch, OverFace};
use super::ratios::DEEP_SLOPS;
use crate::mesh::Outline;

impl FeatureSearch<'_> {
    /// Returns whether the vertex of a or b is the local extremum along `out`, and the vertex or the
    /// smooth surface around it lies over a face. `out`: unit direction out of the vertex's body, in
    /// the space of that body.
    pub fn meets(&self, is_of_a: bool, vertex: u32, out: DVec3, over: &OverFace) -> bool {
        let &OverFace { point, separation, corners, normal } = over;
        let mesh = if is_of_a { self.mesh_a } else { self.mesh_b };
        if self.is_over(over) {
            return mesh.vertex_supports(vertex, out);
        }
        // A deep vertex beside this face is behind another face, where it may be far inside the solid.
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

    /// Returns whether the point lies over the face, or in the crack beside it. The crack counts only
    /// for shallow points, because a deep point beside a face is not inside the solid below that face.
    fn is_over(&self, &OverFace { point, separation, corners, normal }: &OverFace) -> bool {
        let shallow = separation > -DEEP_SLOPS * self.settings.slop;
        let tolerance = if shallow { self.settings.face_edge } else { 0.0 };
        beside_face(point, corners, normal, tolerance)
            .is_some_and(|beside| self.is_within_margin(separation * separation + beside * beside))
    }

    /// Returns whether every hierarchy finds triangles that have points at this squared distance (m²):
    /// the triangles intersect, or the distance is within the margin. Where the triangles are farther
    /// apart than the margin, their boxes and planes may still be within it. Loose bounding volumes
    /// report such triangle pairs and tight ones do not, so their features must not count.
    pub fn is_within_margin(&self, distance_squared: f64) -> bool {
        self.is_crossing || distance_squared <= self.margin * self.margin
    }
}

/// Returns the distance (m) of a point beside a face, seen along the face's normal: 0 over the face,
/// `None` beyond `tolerance` (m). The tolerance is a length, because a share of the triangle's size
/// would widen long triangles by much more than a crack.
///
/// No point lies over a face of zero area, which a deformable surface (skin) can have in some poses.
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
            // At a sharp corner, a point close to the lines of both edges may be far from the edges
            // themselves.
            let t = (to.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let off = to - t * along;
            let distance = (off - off.dot(normal) * normal).length();
            beside = Some(beside.map_or(distance, |nearest| nearest.min(distance)));
        }
    }
    Some(beside.unwrap_or(0.0)).filter(|&distance| distance <= tolerance)
}
