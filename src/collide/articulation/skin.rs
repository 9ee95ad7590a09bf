//! Surface of a link, deformed like its drawn skin by linear blend skinning, in the link's body space.
//!
//! The input is the rest positions of vertices and the poses of the joints to which they are bound. The
//! output is the present vertices relative to the link. So the drawn surface itself collides, while
//! links remain bodies with a pose, a velocity and contacts. The cost is one matrix per joint, and a
//! sum of at most eight transformed positions per vertex.

use glam::{DAffine3, Mat3, Vec3};
use serde::{Deserialize, Serialize};

use crate::pose::Pose;

/// Surface with which a skinned character collides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SkinKind {
    /// Surfaces of rigid links: each triangle is attached to the joint that influences it most.
    #[default]
    Rigid,
    /// The deformed skin as it is drawn. Hierarchies are refitted to it in every collision pass.
    Exact,
}

impl SkinKind {
    pub const ALL: [Self; 2] = [Self::Rigid, Self::Exact];

    pub fn name(self) -> &'static str {
        match self {
            Self::Rigid => "rigid",
            Self::Exact => "exact",
        }
    }
}

/// Vertex of a skin at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SkinVertex {
    /// Position in the space of the skin's surface, m.
    pub position: Vec3,
    /// Indices of the skin's joints that move the vertex; unused slots have weight 0.
    pub joints: [u16; 8],
    /// Weights of the joints; their sum is one.
    pub weights: [f32; 8],
}

/// Part of a skin that belongs to one link.
#[derive(Clone, Debug)]
pub struct LinkSkin {
    /// Transformation from the space of the surface to the space of each joint, at rest.
    binds: Vec<DAffine3>,
    vertices: Vec<SkinVertex>,
    /// Present transformation from the space of the surface to the body space of the link, for each
    /// joint.
    matrices: Vec<(Mat3, Vec3)>,
}

/// Distance between the vertices of a skin and those of its link's rigid surface, m.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Deviation {
    /// Mean over all vertices and, if there are several poses, over the poses.
    pub mean: f64,
    pub worst: f64,
}

impl LinkSkin {
    pub fn new(binds: Vec<DAffine3>, vertices: Vec<SkinVertex>) -> Self {
        Self { matrices: vec![(Mat3::IDENTITY, Vec3::ZERO); binds.len()], binds, vertices }
    }

    /// Returns the present vertices in the body space of the link, whose pose is `link`. `joint`
    /// returns the present pose of each joint.
    pub fn deform(&mut self, link: &Pose, joint: impl Fn(usize) -> Pose) -> impl Iterator<Item = Vec3> {
        for (index, (bind, matrix)) in self.binds.iter().zip(&mut self.matrices).enumerate() {
            let seen = joint(index).relative_to(link);
            let place = DAffine3::from_rotation_translation(seen.rotation, seen.position) * *bind;
            *matrix = (place.matrix3.as_mat3(), place.translation.as_vec3());
        }
        self.vertices.iter().map(|vertex| {
            let mut place = Vec3::ZERO;
            for (&joint, &weight) in vertex.joints.iter().zip(&vertex.weights) {
                if weight > 0.0 {
                    let (linear, offset) = &self.matrices[usize::from(joint)];
                    place += weight * (*linear * vertex.position + *offset);
                }
            }
            place
        })
    }
}

impl Deviation {
    /// Compares two lists of vertices by index, up to the length of the shorter list.
    pub fn between(a: &[Vec3], b: &[Vec3]) -> Self {
        let mut deviation = Self::default();
        for (p, q) in a.iter().zip(b) {
            let distance = f64::from(p.distance(*q));
            deviation.mean += distance / a.len().min(b.len()) as f64;
            deviation.worst = deviation.worst.max(distance);
        }
        deviation
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;

    fn vertex(position: Vec3, joints: &[(u16, f32)]) -> SkinVertex {
        let mut vertex = SkinVertex { position, ..SkinVertex::default() };
        for (slot, &(joint, weight)) in joints.iter().enumerate() {
            (vertex.joints[slot], vertex.weights[slot]) = (joint, weight);
        }
        vertex
    }

    #[test]
    fn a_vertex_of_one_joint_is_carried_by_it_and_one_between_two_lies_halfway() {
        let upper = Pose::new(DQuat::from_rotation_y(0.3), DVec3::new(2.0, 1.0, -1.0));
        let lower = Pose::new(DQuat::from_rotation_z(-1.2), DVec3::new(2.5, 1.5, -1.0));
        let binds = vec![DAffine3::from_translation(DVec3::X), DAffine3::IDENTITY];
        let p = Vec3::new(0.3, -0.2, 0.9);
        let vertices = vec![vertex(p, &[(0, 1.0)]), vertex(p, &[(1, 1.0)]), vertex(p, &[(1, 0.5), (0, 0.5)])];
        let mut skin = LinkSkin::new(binds, vertices);
        let found: Vec<Vec3> = skin.deform(&upper, |j| [upper, lower][j]).collect();
        let own = p.as_dvec3() + DVec3::X;
        let other = upper.inverse_transform_point(lower.transform_point(p.as_dvec3()));
        for (found, expected) in found.iter().zip([own, other, 0.5 * (own + other)]) {
            assert!(found.as_dvec3().distance(expected) < 1e-6, "{found} for {expected}");
        }
        // Far away, where `f32` world coordinates no longer resolve millimeters.
        let far = Pose::from_position(DVec3::splat(1e6));
        let again: Vec<Vec3> = skin.deform(&(far * upper), |j| far * [upper, lower][j]).collect();
        assert!(again.iter().zip(&found).all(|(a, b)| a.distance(*b) < 1e-6));
    }

    #[test]
    fn the_deviation_is_the_mean_and_the_worst_distance() {
        let found = Deviation::between(&[Vec3::ZERO, Vec3::X], &[Vec3::ZERO, Vec3::new(1.0, 3.0, 4.0)]);
        assert_eq!(found, Deviation { mean: 2.5, worst: 5.0 });
    }
}
