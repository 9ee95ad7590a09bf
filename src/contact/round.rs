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

/// Cosine of the angle within which a point of a round surface stands for a vertex beside it (20°): the faces
/// of a bowl lean towards each other.
const SAME_DIRECTION: f64 = 0.94;

/// Vertices beside the farthest point of the smooth surface that they are part of.
#[derive(Default)]
pub(super) struct Beside {
    /// By vertex: where it is among the features, the farthest point that it tells, space of a, and how far
    /// it is from there, squared, m².
    list: Vec<(usize, DVec3, f64)>,
}

impl Beside {
    /// Replaces the vertices of fine meshes by points of the smooth surfaces that they stand for, and leaves
    /// out those beside such points, if these are nearer to where the surface stands out farthest. `features`
    /// in a's space; `slop`: how far facets may lie behind the smooth surface, m.
    pub fn round_off(
        &mut self,
        features: &mut Vec<Feature>,
        [mesh_a, mesh_b]: [&Mesh; 2],
        b_to_a: &Pose,
        slop: f64,
    ) {
        self.list.clear();
        for (at, feature) in features.iter_mut().enumerate() {
            let Some((vertex, is_of_a)) = feature.vertex() else { continue };
            let out = if is_of_a { feature.normal } else { -feature.normal };
            let (mesh, outward) =
                if is_of_a { (mesh_a, out) } else { (mesh_b, b_to_a.inverse_transform_vector(out)) };
            let seen = |shift: DVec3| if is_of_a { shift } else { b_to_a.transform_vector(shift) };
            match mesh.outline(vertex, outward, slop) {
                Outline::Sharp => {}
                Outline::Beside(Rounding { shift, .. }) => {
                    let own = if is_of_a { feature.point_a } else { feature.point_b };
                    self.list.push((at, own + seen(shift), shift.length_squared()));
                }
                Outline::Round(Rounding { radii, shift }) => {
                    feature.round = Round { radii, outward };
                    move_to(feature, is_of_a, seen(shift), out);
                }
            }
        }
        self.leave_out(features);
    }

    fn leave_out(&self, features: &mut Vec<Feature>) {
        let mut beside = self.list.iter().peekable();
        let mut kept = 0;
        for at in 0..features.len() {
            let feature = features[at];
            if let Some(&(_, point, distance)) = beside.next_if(|(of, ..)| *of == at) {
                let is_of_a = feature.key.has_vertex_of_a();
                let stands_for = |other: &Feature| {
                    let own = if is_of_a { other.point_a } else { other.point_b };
                    !other.round.is_sharp()
                        && other.key.has_vertex_of_a() == is_of_a
                        && own.distance_squared(point) < distance
                        && other.normal.dot(feature.normal) > SAME_DIRECTION
                };
                // Those before are in place already, in the order that they had.
                if features[..kept].iter().chain(&features[at..]).any(stands_for) {
                    continue;
                }
            }
            features[kept] = feature;
            kept += 1;
        }
        features.truncate(kept);
    }
}

/// Moves a feature from its vertex to a point of the smooth surface.
fn move_to(feature: &mut Feature, is_of_a: bool, shift: DVec3, out: DVec3) {
    let rise = shift.dot(out);
    feature.separation -= rise;
    let (own, other) = if is_of_a {
        (&mut feature.point_a, &mut feature.point_b)
    } else {
        (&mut feature.point_b, &mut feature.point_a)
    };
    *own += shift;
    *other += shift - rise * out;
}
