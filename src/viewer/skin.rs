//! A skin in a pose. Every vertex is transformed by its joints, on the processor.
//!
//! Rest shape + poses of the joints → vertices relative to an origin near the articulated character.
//! For a hundred thousand vertices, this takes a few milliseconds. Thanks to this, a click hits exactly
//! the visible surface.

use std::ops::Range;

use glam::{DAffine3, DMat3, DVec3, Mat3, Vec3};

use super::gpu::{ShapeId, Tint};
use super::shading::{Shape, Vertex};
use crate::import::model::Influence;
use crate::pose::Pose;
use crate::record::Frame;
use crate::scene::looks::{Carrier, DrawnSurface, SkinJoint, Skinning};
use crate::scene::{Scene, SkeletonDef};

pub struct Skin {
    pub shape: ShapeId,
    rest: Vec<Vertex>,
    indices: Vec<u32>,
    /// The triangles again, but each corner is the first vertex at its position. With these, shared
    /// edges are recognized.
    welded: Vec<[u32; 3]>,
    /// Influences of each vertex of the shape.
    influences: Vec<Influence>,
    /// Link of each triangle. The next field is the link of each vertex, which is that of the vertex's
    /// last triangle.
    owners: Vec<u32>,
    vertex_owners: Vec<u32>,
    joints: Vec<SkinJoint>,
    skeleton: u32,
    /// The origin (world, m), which is the position of the first link.
    pub origin: DVec3,
    /// Vertices relative to the origin.
    pub vertices: Vec<Vertex>,
}

impl Skin {
    pub fn new(
        shape: ShapeId,
        rest: &Shape,
        surface: &DrawnSurface,
        skinning: &Skinning,
        scene: &Scene,
    ) -> Self {
        debug_assert_eq!(surface.triangles.len(), skinning.owners.len());
        let first = scene.skeletons[skinning.skeleton as usize].first_body;
        let mut vertex_owners = vec![first; rest.vertices.len()];
        for (corners, &owner) in rest.indices.chunks_exact(3).zip(&skinning.owners) {
            corners.iter().for_each(|&v| vertex_owners[v as usize] = owner);
        }
        Self {
            shape,
            influences: rest.source.iter().map(|&v| skinning.influences[v as usize]).collect(),
            rest: rest.vertices.clone(),
            indices: rest.indices.clone(),
            welded: welded(rest),
            owners: skinning.owners.clone(),
            vertex_owners,
            joints: skinning.joints.clone(),
            skeleton: skinning.skeleton,
            origin: DVec3::ZERO,
            vertices: rest.vertices.clone(),
        }
    }

    /// Moves the vertices to a frame. `time` (s) is the time of the frame. Vertices of selected links
    /// are highlighted. Vertices of links in `intersecting` (ascending) are red.
    pub fn pose(
        &mut self,
        scene: &Scene,
        frame: &Frame,
        time: f64,
        (selected, intersecting): (&[u32], &[u32]),
    ) {
        let skeleton = &scene.skeletons[self.skeleton as usize];
        self.origin = frame.poses[skeleton.first_body as usize].position;
        let origin = DAffine3::from_translation(-self.origin);
        let matrices: Vec<(Mat3, Vec3)> = self
            .joints
            .iter()
            .map(|joint| {
                let pose = carrier_pose(skeleton, joint.carrier, frame, time);
                let place = DAffine3::from_rotation_translation(pose.rotation, pose.position);
                let m = origin * place * joint.bind;
                (DMat3::as_mat3(&m.matrix3), m.translation.as_vec3())
            })
            .collect();
        let vertices = self.rest.iter().zip(&self.influences).zip(&self.vertex_owners);
        for (slot, ((rest, influence), &owner)) in self.vertices.iter_mut().zip(vertices) {
            let (mut linear, mut offset) = (Mat3::ZERO, Vec3::ZERO);
            for (&joint, &weight) in influence.joints.iter().zip(&influence.weights) {
                if weight > 0.0 {
                    let (m, t) = &matrices[usize::from(joint)];
                    linear += weight * *m;
                    offset += weight * *t;
                }
            }
            let normal = (linear * rest.normal()).normalize_or_zero();
            let color = match intersecting.binary_search(&owner) {
                Ok(_) => Tint::INTERSECTING.over(rest.color()),
                Err(_) => rest.color(),
            };
            let vertex = Vertex::new(linear * rest.position() + offset, normal, color);
            *slot = if selected.contains(&owner) { vertex.picked_out() } else { vertex };
        }
    }

    /// Returns the visible vertices (relative to the origin, m), and the triangles. Neighboring
    /// triangles share their vertices.
    pub fn welded(&self) -> (Vec<Vec3>, &[[u32; 3]]) {
        (self.vertices.iter().map(Vertex::position).collect(), &self.welded)
    }

    /// Returns the bodies of the articulated character over which the skin is drawn.
    pub fn links(&self, scene: &Scene) -> Range<u32> {
        let skeleton = &scene.skeletons[self.skeleton as usize];
        skeleton.first_body..skeleton.first_body + skeleton.link_count
    }

    /// Returns the visible triangles (world, m), each with its link.
    pub fn triangles(&self) -> impl Iterator<Item = ([DVec3; 3], u32)> {
        let corner = |v: &u32| self.origin + self.vertices[*v as usize].position().as_dvec3();
        let triangles = self.indices.chunks_exact(3).zip(&self.owners);
        triangles.map(move |(c, &owner)| ([corner(&c[0]), corner(&c[1]), corner(&c[2])], owner))
    }
}

/// Returns the triangles of a shape, with the first vertex at each position as corners. Sources are in
/// ascending order, so equal sources are adjacent.
fn welded(shape: &Shape) -> Vec<[u32; 3]> {
    let mut first: Vec<u32> = (0..shape.source.len() as u32).collect();
    for at in 1..first.len() {
        if shape.source[at] == shape.source[at - 1] {
            first[at] = first[at - 1];
        }
    }
    let corner = |v: u32| first[v as usize];
    shape.indices.chunks_exact(3).map(|t| [corner(t[0]), corner(t[1]), corner(t[2])]).collect()
}

/// Returns the pose of a joint. A joint that has no link of its own follows the motion of the skeleton,
/// or it stays at rest.
fn carrier_pose(skeleton: &SkeletonDef, carrier: Carrier, frame: &Frame, time: f64) -> Pose {
    match carrier {
        Carrier::Body(body) => frame.poses[body as usize],
        Carrier::Joint(joint) => {
            let column = skeleton.link_count as usize + joint as usize;
            skeleton.motion.pose(column, time).unwrap_or(skeleton.joints[joint as usize])
        }
    }
}
