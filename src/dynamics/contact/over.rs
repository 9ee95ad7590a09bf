//! Test whether a vertex, or the smooth surface around it, lies over a face.

use glam::DVec3;

use super::features::{FeatureSearch, OverFace, Place};
use super::ratios::DEEP_SLOPS;
use crate::arrays::MapEach;
use crate::mesh::{EdgeClass, Outline};

impl FeatureSearch<'_> {
    /// Returns the place of a vertex of a or b, or of the smooth surface around it, over a face; `None` if
    /// the vertex is beside the face, or not the local extremum along `out` (unit, out of the vertex's body,
    /// in the space of that body).
    pub fn place(&self, is_of_a: bool, vertex: u32, out: DVec3, over: &OverFace) -> Option<Place> {
        let &OverFace { point, separation, corners, normal, .. } = over;
        let (mesh, seams) = self.side(is_of_a);
        if seams.is_some_and(|seams| !seams.vertex_supports(vertex, out)) {
            return None;
        }
        let shallow = separation > -DEEP_SLOPS * self.settings.slop;
        let is_near = |beside: f64| self.is_within_margin(separation * separation + beside * beside);
        let mut place = Place::Over;
        let tolerance = |side: usize| {
            let tolerance = self.tolerance(is_of_a, over, side);
            place = if tolerance > self.settings.crack { Place::InCorner } else { place };
            // A deep point in the crack beside a face is not inside the solid below that face.
            if shallow || place == Place::InCorner { tolerance } else { 0.0 }
        };
        if beside_face(point, corners, normal, tolerance).is_some_and(is_near) {
            return mesh.vertex_supports(vertex, out).then_some(place);
        }
        // A deep vertex beside this face is behind another face, where it may be far inside the solid.
        // The vertex's own triangles must be near enough for every hierarchy to find them.
        let is_beside = || beside_face(point, corners, normal, |_| self.margin).is_some_and(is_near);
        if !shallow || !mesh.vertex_is_curved(vertex) || !is_beside() || !mesh.vertex_supports(vertex, out) {
            return None;
        }
        let Outline::Round(rounding) = mesh.outline(vertex, out, self.settings.slop) else { return None };
        let shift = if is_of_a { rounding.shift } else { self.rotation * rounding.shift };
        let tolerance = |side: usize| self.tolerance(is_of_a, over, side).min(self.settings.crack);
        beside_face(point + shift, corners, normal, tolerance).map(|_| Place::Over)
    }

    /// Returns the distance beside a side of a face within which the point counts as over the face, m. It
    /// is larger where the surface goes on: at all edges except borders and sharp convex edges. Behind a
    /// sharp concave edge, beside both of its faces, it grows with the known overlap.
    fn tolerance(&self, is_of_a: bool, over: &OverFace, side: usize) -> f64 {
        let (mesh, _) = self.side(!is_of_a);
        let topology = mesh.topology();
        let edge = &topology.edges()[topology.triangle_edges(over.face)[side] as usize];
        let is_sheet = mesh.surface().two_sided[over.face as usize];
        let goes_on = match edge.class {
            EdgeClass::Concave | EdgeClass::Flat => true,
            EdgeClass::Convex => is_sheet || !topology.is_sharp(edge),
            EdgeClass::Boundary => false,
        };
        if edge.class == EdgeClass::Concave && topology.is_sharp(edge) {
            let [s, t] = edge.triangles;
            let other = topology.normal(if s == over.face { t } else { s });
            let normal = if is_of_a { self.rotation * other } else { other };
            let [from, to] = [side, (side + 1) % 3].map_each(|k| over.corners[k]);
            if normal.cross(from - to).dot(over.point - from) < 0.0 {
                return self.settings.crack + self.corner;
            }
        }
        if goes_on { self.settings.crack } else { self.settings.border }
    }

    /// Returns whether every hierarchy finds triangles that have points at this squared distance (m²):
    /// the triangles intersect, or the distance is within the margin. Where the triangles are farther
    /// apart than the margin, their boxes and planes may still be within it. Loose bounding volumes
    /// report such triangle pairs and tight ones do not, so their features must not count.
    pub fn is_within_margin(&self, distance_squared: f64) -> bool {
        self.is_crossing || distance_squared <= self.margin * self.margin
    }
}

/// Returns the distance (m) of a point beside a face, seen along the face's normal: 0 over the face, `None`
/// beyond the tolerance of a side. `tolerance` returns it (m) from the corner at which the side starts. The
/// tolerances are lengths, because a share of the triangle's size would widen long triangles by much more
/// than a crack.
///
/// No point lies over a face of zero area, which a deformable surface (skin) can have in some poses.
fn beside_face(
    point: DVec3,
    corners: &[DVec3; 3],
    normal: DVec3,
    mut tolerance: impl FnMut(usize) -> f64,
) -> Option<f64> {
    if normal == DVec3::ZERO {
        return None;
    }
    let mut beside: Option<f64> = None;
    for side in 0..3 {
        let (along, to) = (corners[(side + 1) % 3] - corners[side], point - corners[side]);
        let inward = normal.cross(along).dot(to);
        if inward < 0.0 {
            let tolerance = tolerance(side);
            if inward < -tolerance * along.length() {
                return None;
            }
            // At a sharp corner, a point close to the lines of both edges may be far from the edges
            // themselves.
            let t = (to.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let off = to - t * along;
            let distance = (off - off.dot(normal) * normal).length();
            if distance > tolerance {
                return None;
            }
            beside = Some(beside.map_or(distance, |nearest| nearest.min(distance)));
        }
    }
    Some(beside.unwrap_or(0.0))
}
