//! Friction of flat faces that lie on each other.
//!
//! The solver bears a face by the few contacts that span it, and these are near its rim. Under even pressure,
//! friction acts over the whole face: it turns a disc by two thirds of the torque that friction at the rim
//! has. So the friction of such contacts acts nearer to the middle of the face, at the mean distance of its
//! area. The face must touch as a whole: its contacts reach to its rim in every direction. Otherwise
//! friction acts at the contacts. The other body is not looked at, so a block on a frame counts as one on
//! a plate.

use glam::DVec3;

use super::features::Feature;
use super::point::Contact;
use crate::mesh::{FlatFace, MOST_TRIANGLES, Mesh};
use crate::pose::Pose;

/// Cosine of the largest angle (0.8°) between the normals of contacts of one face.
const LEVEL: f64 = 0.9999;
/// Share of the reach of a face within which contacts must be found in every direction for the face to touch
/// as a whole.
const WHOLE: f64 = 0.9;
/// Least number of contacts of a face that lies.
const LEAST_COUNT: usize = 3;
/// Largest number of faces of a pair that are tried.
const MOST_TRIES: usize = 4;
/// Number of faces that are kept from query to query.
const KEPT: usize = 64;

/// Face that touches as a whole.
struct Patch {
    /// Unit normal of the contacts, space of a.
    normal: DVec3,
    /// Middle of the face, space of a, m.
    middle: DVec3,
    /// Mean distance of the face's area from its middle, m.
    spread: f64,
}

/// Buffers of the faces of a pair that touch as a whole.
pub(super) struct Patches {
    found: Vec<Patch>,
    members: Vec<u32>,
    /// Table by the last digits of the vertex.
    kept: Vec<Option<Known>>,
}

/// Face at a vertex.
#[derive(Clone, Copy)]
struct Known {
    /// Shape of the mesh.
    shape: u64,
    vertex: u32,
    /// Unit normal of the face, space of the mesh.
    normal: DVec3,
    /// The face, if it was measured.
    face: Option<FlatFace>,
}

impl Default for Patches {
    fn default() -> Self {
        let [found, members] = [MOST_TRIES, MOST_TRIANGLES];
        let kept = vec![None; KEPT];
        Self { found: Vec::with_capacity(found), members: Vec::with_capacity(members), kept }
    }
}

impl Patches {
    /// Finds the faces that touch as a whole. `features`: in a's space. `slop`: largest gap of a contact that
    /// touches, m.
    pub fn find(&mut self, features: &[Feature], meshes: [&Mesh; 2], b_to_a: &Pose, slop: f64) {
        self.found.clear();
        if features.len() < LEAST_COUNT {
            return;
        }
        let mut tried = [(DVec3::ZERO, false); MOST_TRIES];
        let mut tries = 0;
        let touching = || features.iter().filter(|feature| feature.separation <= slop);
        for feature in touching() {
            let Some((vertex, is_of_a)) = feature.vertex() else { continue };
            let is_known =
                |(normal, side): &(DVec3, bool)| *side == is_of_a && normal.dot(feature.normal) > LEVEL;
            if tries == MOST_TRIES || tried[..tries].iter().any(is_known) {
                continue;
            }
            tried[tries] = (feature.normal, is_of_a);
            tries += 1;
            let on_face = || touching().filter(|other| other.normal.dot(feature.normal) > LEVEL);
            if on_face().count() < LEAST_COUNT {
                continue;
            }
            let to_a = if is_of_a { &Pose::IDENTITY } else { b_to_a };
            let out = to_a.inverse_transform_vector(-feature.outward());
            let Some(face) = self.face_at(meshes[usize::from(!is_of_a)], vertex, out) else { continue };
            if spans(&face, on_face().map(|other| to_a.inverse_transform_point(other.middle()))) {
                let middle = to_a.transform_point(face.middle);
                self.found.push(Patch { normal: feature.normal, middle, spread: face.spread });
            }
        }
    }

    /// Returns the face at a vertex along `out`, space of the mesh.
    fn face_at(&mut self, mesh: &Mesh, vertex: u32, out: DVec3) -> Option<FlatFace> {
        let place =
            &mut self.kept[(mesh.shape() as usize).wrapping_mul(37).wrapping_add(vertex as usize) % KEPT];
        let is_it = |known: &&Known| {
            known.shape == mesh.shape() && known.vertex == vertex && known.normal.dot(out) > LEVEL
        };
        if let Some(known) = place.as_ref().filter(is_it) {
            return known.face;
        }
        let triangle = mesh.facing_triangle(vertex, out)?;
        let normal = mesh.topology().normal(triangle);
        if normal.dot(out) < LEVEL {
            return None;
        }
        let face = mesh.flat_face(triangle, &mut self.members);
        *place = Some(Known { shape: mesh.shape(), vertex, normal, face });
        face
    }

    /// Places the friction of contacts of the faces found. If the search found all contacts (`is_whole`), the
    /// friction of all others acts at the contact.
    pub fn place_friction(&self, contacts: &mut [Contact], a: &Pose, is_whole: bool) {
        if is_whole {
            contacts.iter_mut().for_each(|contact| contact.inset = DVec3::ZERO);
        }
        for patch in &self.found {
            let (normal, middle) = (a.transform_vector(patch.normal), a.transform_point(patch.middle));
            let bears = |contact: &Contact| contact.normal.dot(normal) > LEVEL;
            let inward = |contact: &Contact| {
                let way = middle - a.transform_point(contact.point_a);
                way - way.dot(contact.normal) * contact.normal
            };
            let on_face = contacts.iter().filter(|contact| bears(contact));
            let (count, sum) =
                on_face.fold((0, 0.0), |(count, sum), contact| (count + 1, sum + inward(contact).length()));
            let mean = sum / f64::from(count.max(1));
            for contact in contacts.iter_mut().filter(|contact| bears(contact)) {
                contact.inset = (1.0 - patch.spread / mean).max(0.0) * inward(contact);
            }
        }
    }
}

/// Returns whether points (space of the face's mesh) reach as far as the face in every direction.
fn spans(face: &FlatFace, points: impl Iterator<Item = DVec3> + Clone) -> bool {
    face.directions().into_iter().zip(face.reach).all(|(direction, reach)| {
        points.clone().any(|point| direction.dot(point - face.middle) >= WHOLE * reach)
    })
}
