//! Links → nodes, with what collides and what is drawn below them.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DMat4, DQuat};

use super::draft::{Draft, parts};
use super::elements::{self, Description, Link, Surface};
use super::tree::LinkOrder;
use crate::import::error::LoadError;
use crate::import::model::{Collider, ColliderGeometry, LocalTransform, Node, Shape};
use crate::import::text;
use crate::pose::Pose;

impl Draft<'_, '_> {
    /// A node for each link, with its surfaces below it; returns them by the index of the link.
    pub fn links(&mut self, robot: &Description, tree: &LinkOrder) -> Result<Vec<u32>, LoadError> {
        let mut nodes = vec![0; robot.links.len()];
        for &at in &tree.order {
            let link = &robot.links[at];
            let local = tree.above[at].map_or(Pose::IDENTITY, |(joint, _)| robot.joints[joint].origin);
            let own = Node {
                name: text::name(&link.name).0,
                local: parts(local),
                in_scene: true,
                ..Node::default()
            };
            let parent = tree.above[at].map(|(_, parent)| nodes[parent]);
            nodes[at] = self.node(parent, own);
            if parent.is_none() {
                self.model.roots.push(nodes[at]);
            }
            self.surfaces(link, nodes[at])?;
        }
        Ok(nodes)
    }

    fn surfaces(&mut self, link: &Link, node: u32) -> Result<(), LoadError> {
        let name = text::name(&link.name).0;
        let own = Node { name, in_scene: true, ..Node::default() };
        for visual in &link.visuals {
            let elements::Shape::Mesh { .. } = &visual.shape else {
                self.not_drawn += 1;
                continue;
            };
            for (geometry, matrix) in self.pieces(link, visual)? {
                let geometry = Some(self.meshes.painted(geometry, visual.color));
                self.node(
                    Some(node),
                    Node { geometry, local: LocalTransform::Matrix(matrix), ..own.clone() },
                );
            }
        }
        for collision in &link.collisions {
            let collide = |builder: &mut Self, local, geometry| {
                let collider = Some(Collider { geometry, material: None, filter: None });
                builder.node(Some(node), Node { collider, local, ..own.clone() });
            };
            let (shape, turned) = match shape(&collision.shape) {
                Some(known) => known,
                None => {
                    // In the colour of the same mesh that is seen there, so that it is drawn once.
                    let same = |v: &&Surface| v.origin == collision.origin && v.shape == collision.shape;
                    let color = link.visuals.iter().find(same).and_then(|v| v.color);
                    for (geometry, matrix) in self.pieces(link, collision)? {
                        let geometry = self.meshes.painted(geometry, color);
                        let geometry = ColliderGeometry::Mesh { geometry, convex_hull: false };
                        collide(self, LocalTransform::Matrix(matrix), geometry);
                    }
                    continue;
                }
            };
            self.model.shapes.push(shape);
            let index = self.model.shapes.len() as u32 - 1;
            let Pose { rotation, position } = collision.origin;
            collide(self, parts(Pose::new(rotation * turned, position)), ColliderGeometry::Shape(index));
        }
        Ok(())
    }

    /// The surfaces of a mesh as geometries, each with what carries it to the link; none if it is missing.
    fn pieces(&mut self, link: &Link, surface: &Surface) -> Result<Vec<(u32, DMat4)>, LoadError> {
        let elements::Shape::Mesh { file, scale } = &surface.shape else { return Ok(Vec::new()) };
        match self.meshes.find(file)? {
            Ok(pieces) => {
                let Pose { rotation, position } = surface.origin;
                let place = DMat4::from_scale_rotation_translation(*scale, rotation, position);
                Ok(pieces.iter().map(|piece| (piece.geometry, place * piece.matrix)).collect())
            }
            Err(reason) => {
                let link = text::name(&link.name).0;
                self.missing
                    .entry(file.clone())
                    .or_insert(format!("{reason} ({}, link {link})", surface.place));
                Ok(Vec::new())
            }
        }
    }
}

/// A shape whose axis is y, and what turns that to z, where URDF has it; `None` for a mesh.
fn shape(shape: &elements::Shape) -> Option<(Shape, DQuat)> {
    let upright = DQuat::from_xyzw(FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2);
    Some(match *shape {
        elements::Shape::Box { size } => (Shape::Box { size }, DQuat::IDENTITY),
        elements::Shape::Sphere { radius } => (Shape::Sphere { radius }, DQuat::IDENTITY),
        elements::Shape::Cylinder { radius, length } => {
            (Shape::Cylinder { height: length, radius_top: radius, radius_bottom: radius }, upright)
        }
        elements::Shape::Capsule { radius, length } => {
            (Shape::Capsule { height: length, radius_top: radius, radius_bottom: radius }, upright)
        }
        elements::Shape::Mesh { .. } => return None,
    })
}
