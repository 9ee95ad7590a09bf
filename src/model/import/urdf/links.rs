//! Links as nodes, with colliders and drawn surfaces below them.

use std::collections::HashMap;
use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DMat3, DMat4, DQuat, DVec3};

use super::description::{self, Description, Link, LinkGeometry};
use super::draft::{Draft, parts};
use super::meshes::Piece;
use super::tree::LinkOrder;
use crate::arrays::MapEach;
use crate::digits::short;
use crate::import::error::LoadError;
use crate::import::limits::{ROBOT_PIECES, at_most};
use crate::import::lines::line_place;
use crate::import::model::{Collider, ColliderGeometry, LocalTransform, Node, NoteKind, Shape};
use crate::import::text;
use crate::pose::Pose;

/// Extent of a mesh above which its link is implausibly large, m.
const LARGEST_LINK: f64 = 20.0;

impl Draft<'_, '_> {
    /// Adds a node for the robot and one for each link, with the link's surfaces below it. Returns the
    /// nodes of the links.
    pub fn links(&mut self, robot: &Description, tree: &LinkOrder) -> Result<Vec<u32>, LoadError> {
        let mut nodes = vec![0; robot.links.len()];
        let whole = Node { name: text::name(&robot.name).0, in_scene: true, ..Node::default() };
        let whole = self.model.add_node(None, whole);
        self.model.roots.push(whole);
        for &at in &tree.order {
            let link = &robot.links[at];
            let local = tree.above[at].map_or(Pose::IDENTITY, |(joint, _)| robot.joints[joint].origin);
            let own = Node {
                name: text::name(&link.name).0,
                local: parts(local),
                in_scene: true,
                ..Node::default()
            };
            let parent = tree.above[at].map_or(whole, |(_, parent)| nodes[parent]);
            nodes[at] = self.model.add_node(Some(parent), own);
            self.surfaces(link, nodes[at])?;
        }
        Ok(nodes)
    }

    /// Adds the visual and collision surfaces of a link below its node.
    fn surfaces(&mut self, link: &Link, node: u32) -> Result<(), LoadError> {
        let name = text::name(&link.name).0;
        let own = Node { name, in_scene: true, ..Node::default() };
        for visual in &link.visuals {
            for (geometry, matrix) in self.pieces(link, visual, visual.color)? {
                let (geometry, local) = (Some(geometry), LocalTransform::Matrix(matrix));
                self.model.add_node(Some(node), Node { geometry, local, ..own.clone() });
            }
        }
        let mut seen = HashMap::new();
        for visual in link.visuals.iter().filter(|_| !link.collisions.is_empty()) {
            seen.entry(key(visual)).or_insert(visual.color);
        }
        for collision in &link.collisions {
            // A collider takes the color of an equal visual surface, so that the surface is drawn once.
            let color = seen.get(&key(collision)).copied().flatten();
            for (geometry, matrix) in self.pieces(link, collision, color)? {
                let geometry = ColliderGeometry::Mesh { geometry, convex_hull: false };
                let collider = Some(Collider { geometry, material: None, filter: None });
                let local = LocalTransform::Matrix(matrix);
                self.model.add_node(Some(node), Node { collider, local, ..own.clone() });
            }
            if let description::Shape::Mesh { file, .. } = &collision.shape {
                self.lacks_colliders |= self.missing.contains_key(file);
            }
        }
        Ok(())
    }

    /// Returns a surface of a link as geometries in a color, each with its transform to the link.
    /// Returns none if its mesh is missing.
    fn pieces(
        &mut self,
        link: &Link,
        surface: &LinkGeometry,
        color: Option<[u8; 3]>,
    ) -> Result<Vec<(u32, DMat4)>, LoadError> {
        let Pose { rotation, position } = surface.origin;
        let (file, line) = (self.file.display().to_string(), line_place(surface.line));
        let wrong = |reason| LoadError::Invalid { file: file.clone(), place: line.clone(), reason };
        let description::Shape::Mesh { file: name, scale } = &surface.shape else {
            let Some((shape, turned)) = shape(&surface.shape) else { return Ok(Vec::new()) };
            let Some(geometry) = self.meshes.shaped(&shape, color).map_err(wrong)? else {
                self.thin.push(text::name(&link.name).0);
                return Ok(Vec::new());
            };
            return Ok(vec![(geometry, DMat4::from_rotation_translation(rotation * turned, position))]);
        };
        match self.meshes.find(name)? {
            Ok(pieces) => {
                let place = DMat4::from_scale_rotation_translation(*scale, rotation, position);
                self.note_size(name, &place, &pieces);
                let count = self.model.nodes.len() + pieces.len();
                at_most(
                    ROBOT_PIECES,
                    count,
                    "links and parts of meshes, each counted as often as it is used",
                )
                .map_err(wrong)?;
                let painted = |piece: &Piece| {
                    let geometry = self.meshes.painted(piece.geometry, color).map_err(wrong)?;
                    Ok((geometry, place * piece.matrix))
                };
                pieces.iter().map(painted).collect()
            }
            Err(reason) => {
                let link = text::name(&link.name).0;
                self.missing.entry(name.clone()).or_insert_with(|| format!("{reason} ({line}, link {link})"));
                Ok(Vec::new())
            }
        }
    }

    /// Adds a note if a mesh is larger than any plausible link: its file may be in millimeters.
    fn note_size(&mut self, file: &str, place: &DMat4, pieces: &[Piece]) {
        let across = |Piece { matrix, ends: [min, max], .. }: &Piece| {
            // Half extents of the piece's box, here before the transform.
            let half = 0.5 * (max.as_dvec3() - min.as_dvec3()).max(DVec3::ZERO);
            let DMat3 { x_axis, y_axis, z_axis } = DMat3::from_mat4(*place * *matrix);
            2.0 * (x_axis.abs() * half.x + y_axis.abs() * half.y + z_axis.abs() * half.z).max_element()
        };
        let across = pieces.iter().map(across).fold(0.0, f64::max);
        if across > LARGEST_LINK && self.large.insert(file.to_owned()) {
            let across = if across < 1e6 { format!("{across:.1}") } else { short(across) };
            let text =
                format!("{file} is {across} m across: scale=\"0.001 0.001 0.001\" if it is in millimeters");
            self.note(NoteKind::Warning, text);
        }
    }
}

/// Returns a key of the pose and shape of a surface, which finds equal surfaces of a link. Zeros of
/// both signs are equal.
fn key(surface: &LinkGeometry) -> ([u64; 7], String) {
    let Pose { rotation, position } = surface.origin;
    let [x, y, z, w] = rotation.to_array();
    let numbers = [x, y, z, w, position.x, position.y, position.z];
    (numbers.map_each(|number| (number + 0.0).to_bits()), format!("{:?}", surface.shape))
}

/// Converts a shape whose axis is z, as in URDF, to a shape whose axis is y, and the rotation between
/// the two; `None` for a mesh.
fn shape(shape: &description::Shape) -> Option<(Shape, DQuat)> {
    let upright = DQuat::from_xyzw(FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2);
    Some(match *shape {
        description::Shape::Box { size } => (Shape::Box { size }, DQuat::IDENTITY),
        description::Shape::Sphere { radius } => (Shape::Sphere { radius }, DQuat::IDENTITY),
        description::Shape::Cylinder { radius, length } => {
            (Shape::Cylinder { height: length, radius_top: radius, radius_bottom: radius }, upright)
        }
        description::Shape::Capsule { radius, length } => {
            (Shape::Capsule { height: length, radius_top: radius, radius_bottom: radius }, upright)
        }
        description::Shape::Plane { normal } => {
            let shape = Shape::Plane { size_x: None, size_z: None, double_sided: false };
            (shape, DQuat::from_rotation_arc(DVec3::Y, normal))
        }
        description::Shape::Mesh { .. } => return None,
    })
}
