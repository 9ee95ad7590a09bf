//! Contacts of round surfaces: a vertex of a fine mesh stands for the smooth surface around it, and its
//! contact moves along that surface as the body rolls.

use glam::DVec3;

use super::features::Feature;
use super::point::{Contact, Round};
use crate::mesh::{Mesh, Outline, Rounding};
use crate::pose::Pose;

impl Contact {
    /// Returns the direction out of the body of the vertex, in its space.
    pub(super) fn outward(&self, a: &Pose, b: &Pose) -> DVec3 {
        if self.key.has_vertex_of_a() {
            a.inverse_transform_vector(self.normal)
        } else {
            b.inverse_transform_vector(-self.normal)
        }
    }

    /// Moves the point of a round body to where it stands out farthest along the normal.
    pub fn roll(&mut self, a: &Pose, b: &Pose) {
        if !self.round.is_sharp() {
            self.roll_to(self.outward(a, b));
        }
    }

    /// As [`Self::roll`], to where it does along a direction in the space of that body.
    pub fn roll_to(&mut self, outward: DVec3) {
        let shift = self.round.roll(outward);
        self.round.outward = outward;
        if self.key.has_vertex_of_a() {
            self.point_a += shift;
        } else {
            self.point_b += shift;
        }
    }
}

/// Replaces the vertices of fine meshes by points of the smooth surfaces that they stand for, and leaves out
/// those beside these points. `features` in a's space; `tolerance`: how far facets may lie behind the smooth
/// surface, m.
pub(super) fn round_off(
    features: &mut Vec<Feature>,
    [mesh_a, mesh_b]: [&Mesh; 2],
    b_to_a: &Pose,
    tolerance: f64,
) {
    features.retain_mut(|feature| {
        let Some((vertex, is_of_a)) = feature.vertex() else { return true };
        let out = if is_of_a { feature.normal } else { -feature.normal };
        let (mesh, outward) =
            if is_of_a { (mesh_a, out) } else { (mesh_b, b_to_a.inverse_transform_vector(out)) };
        match mesh.outline(vertex, outward, tolerance) {
            Outline::Sharp => true,
            Outline::Beside => false,
            Outline::Round(Rounding { radii, shift }) => {
                let shift = if is_of_a { shift } else { b_to_a.transform_vector(shift) };
                let rise = shift.dot(out);
                feature.separation -= rise;
                feature.round = Round { radii, outward };
                let (own, other) = if is_of_a {
                    (&mut feature.point_a, &mut feature.point_b)
                } else {
                    (&mut feature.point_b, &mut feature.point_a)
                };
                *own += shift;
                *other += shift - rise * out;
                true
            }
        }
    });
}
