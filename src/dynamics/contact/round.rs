//! Vertices of round surfaces. A vertex of a fine mesh represents the smooth surface around it, and its
//! contact is at the point of that surface that is nearest to the other body.

use glam::DVec3;

use super::features::Feature;
use super::point::Round;
use crate::mesh::{Mesh, Outline, Rounding};
use crate::pose::Pose;

/// Cosine of the largest angle (20°) between the normals of a vertex's contact and of the contact that
/// replaces it. With a larger angle, contacts on different faces of a bowl would replace each other.
const SAME_DIRECTION: f64 = 0.94;
/// Cosine of the angle within which two faces count as one plane.
const SAME_PLANE: f64 = 1.0 - 1e-9;

/// A vertex of a smooth surface whose farthest point belongs to another vertex.
struct Beside {
    /// Index of the feature.
    at: usize,
    shift: DVec3,
    round: Round,
}

/// Buffer of vertices of smooth surfaces whose farthest point belongs to another vertex.
#[derive(Default)]
pub(super) struct Rounds {
    beside: Vec<Beside>,
}

impl Rounds {
    /// Moves contacts of fine meshes from their vertices to the smooth surfaces that the vertices
    /// represent. Drops a vertex beside the surface's farthest point if that point has its own contact.
    /// `features`: in a's space. `slop`: largest distance of facets behind the smooth surface, m.
    pub fn round_off(
        &mut self,
        features: &mut Vec<Feature>,
        [mesh_a, mesh_b]: [&Mesh; 2],
        b_to_a: &Pose,
        slop: f64,
    ) {
        self.beside.clear();
        for (at, feature) in features.iter_mut().enumerate() {
            let Some((vertex, is_of_a)) = feature.vertex() else { continue };
            let out = feature.out();
            let (mesh, outward) =
                if is_of_a { (mesh_a, out) } else { (mesh_b, b_to_a.inverse_transform_vector(out)) };
            let seen = |shift: DVec3| if is_of_a { shift } else { b_to_a.transform_vector(shift) };
            match mesh.outline(vertex, outward, slop) {
                Outline::Sharp => {}
                Outline::Beside(Rounding { radii, shift }) => {
                    let round = Round { radii, outward, point_is_of_a: is_of_a, ..Round::SHARP };
                    self.beside.push(Beside { at, shift: seen(shift), round });
                }
                Outline::Round(Rounding { radii, shift }) => {
                    feature.round = Round { radii, outward, point_is_of_a: is_of_a, ..Round::SHARP };
                    feature.shift(seen(shift));
                }
            }
        }
        self.leave_out(features);
    }

    /// Drops, moves or keeps the vertices in `beside`, depending on the other contacts near each.
    fn leave_out(&self, features: &mut Vec<Feature>) {
        let mut beside = self.beside.iter().peekable();
        let mut kept = 0;
        for at in 0..features.len() {
            let mut feature = features[at];
            if let Some(Beside { shift, round, .. }) = beside.next_if(|beside| beside.at == at) {
                let mut moved = Feature { round: *round, ..feature };
                moved.shift(*shift);
                // The kept features, then the features not yet visited, in their order.
                let all = || features[..kept].iter().chain(&features[at..]);
                let near = || all().filter(|other| moved.is_near(other, shift.length_squared()));
                let nearest = near().map(|other| other.separation).min_by(f64::total_cmp);
                match nearest {
                    // No other contact of this surface is near: the feature stays as it is.
                    None => {}
                    Some(_) if near().any(|other| other.normal.dot(moved.normal) > SAME_PLANE) => continue,
                    // The near contacts lie on other planes, as in a groove, and one is at least as
                    // deep. The point moves to the smooth surface, which may roll into the groove.
                    Some(nearest) if moved.separation >= nearest => feature = moved,
                    Some(_) => continue,
                }
            }
            features[kept] = feature;
            kept += 1;
        }
        features.truncate(kept);
    }
}

/// Methods for points of round surfaces.
impl Feature {
    /// Returns the direction out of the body of the vertex, space of a.
    fn out(&self) -> DVec3 {
        if self.key.has_vertex_of_a() { self.normal } else { -self.normal }
    }

    /// Returns the contact point on the body that has the vertex, space of a.
    fn of_vertex(&self) -> DVec3 {
        if self.key.has_vertex_of_a() { self.point_a } else { self.point_b }
    }

    /// Moves the contact from its vertex by `shift` to a point of the smooth surface.
    fn shift(&mut self, shift: DVec3) {
        let out = self.out();
        let rise = shift.dot(out);
        self.separation -= rise;
        let (own, other) = if self.key.has_vertex_of_a() {
            (&mut self.point_a, &mut self.point_b)
        } else {
            (&mut self.point_b, &mut self.point_a)
        };
        *own += shift;
        *other += shift - rise * out;
    }

    /// Returns whether `other` is a contact of a round surface of the same body with a similar normal,
    /// and its point is closer than the distance whose square is `distance` (m²).
    fn is_near(&self, other: &Self, distance: f64) -> bool {
        !other.round.is_sharp()
            && other.key.has_vertex_of_a() == self.key.has_vertex_of_a()
            && other.of_vertex().distance_squared(self.of_vertex()) < distance
            && other.normal.dot(self.normal) > SAME_DIRECTION
    }
}
