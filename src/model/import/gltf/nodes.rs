//! The node tree: names, transforms, parents and children; cameras.

use glam::{DMat4, DQuat, DVec3, DVec4};
use gltf::json;
use gltf::json::camera::Type as CameraType;
use gltf::json::validation::Checked as Known;
use serde::Deserialize;

use super::reader::Reader;
use crate::import::fault::{Checked, fault};
use crate::import::limits::{COORDINATE, NODE_DEPTH};
use crate::import::model::{Camera, LocalTransform, Node, NoteKind};
use crate::import::text;

/// Numbers of a node's transform with all digits of the file. The types of the `gltf` crate round them to
/// `f32`, which moves a part at 1 km by 0.03 mm.
#[derive(Default, Deserialize)]
struct Digits {
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

/// Returns whether numbers are finite as `f32`, which surfaces have.
fn fit(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| (*number as f32).is_finite())
}

/// Reads the transforms of all nodes from the JSON of a file.
fn digits(text: &[u8], node_count: usize) -> Checked<Vec<Digits>> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        nodes: Vec<Digits>,
    }
    let file: File =
        serde_json::from_slice(text).or_else(|e| fault("nodes", format!("cannot be parsed: {e}")))?;
    if file.nodes.len() == node_count { Ok(file.nodes) } else { fault("nodes", "cannot be parsed") }
}

impl Reader<'_> {
    /// Reads all nodes. `text`: the JSON of the file.
    pub(super) fn read_nodes(&mut self, text: &[u8]) -> Checked<()> {
        let digits = digits(text, self.root.nodes.len())?;
        for ((index, node), digits) in self.root.nodes.iter().enumerate().zip(&digits) {
            let node = self.read_node(index, node, digits)?;
            self.model.nodes.push(node);
        }
        self.read_instances()?;
        self.link_children()?;
        self.model.roots = self.scene_roots()?;
        self.walk()
    }

    fn read_node(&mut self, index: usize, node: &json::Node, digits: &Digits) -> Checked<Node> {
        let place = node_place(self.root, index);
        let known = |what: &str, index: Option<usize>, count: usize| match index {
            Some(i) if i >= count => fault(&place, format!("there is no {what} {i}")),
            _ => Ok(index.map(|i| i as u32)),
        };
        let geometry = known("mesh", node.mesh.map(|m| m.value()), self.root.meshes.len())?;
        let skin = known("skin", node.skin.map(|s| s.value()), self.root.skins.len())?;
        let camera = known("camera", node.camera.map(|c| c.value()), self.root.cameras.len())?;
        let children = node.children.iter().flatten().map(|c| c.value() as u32).collect();
        let local = self.local_transform(&place, digits)?;
        let own_weights = node.weights.clone();
        let mesh_weights = || geometry.and_then(|m| self.root.meshes[m as usize].weights.clone());
        let weights = own_weights.or_else(mesh_weights).unwrap_or_default();
        if weights.iter().any(|w| !w.is_finite()) {
            return fault(&place, "a morph weight is not finite");
        }
        let extras = node.extras.as_ref().and_then(|raw| serde_json::from_str(raw.get()).ok());
        Ok(Node {
            name: self.name(&place, node.name.as_deref()),
            children,
            local,
            geometry,
            skin,
            camera,
            weights,
            extras,
            ..Node::default()
        })
    }

    /// Returns the transform of a node from the numbers of the file.
    fn local_transform(&mut self, place: &str, own: &Digits) -> Checked<LocalTransform> {
        if let Some(numbers) = &own.matrix {
            if !fit(numbers) {
                return fault(place, "its matrix is not finite");
            }
            let matrix = DMat4::from_cols_array(numbers);
            if matrix.row(3) != DVec4::W {
                return fault(place, "its matrix is not affine: the last row is not 0 0 0 1");
            }
            return Ok(LocalTransform::Matrix(matrix));
        }
        let translation = own.translation.map_or(DVec3::ZERO, DVec3::from_array);
        let scale = own.scale.map_or(DVec3::ONE, DVec3::from_array);
        let raw = own.rotation.map_or(DQuat::IDENTITY, DQuat::from_array);
        if !(fit(&translation.to_array()) && fit(&scale.to_array()) && fit(&raw.to_array())) {
            return fault(place, "its transform is not finite");
        }
        let length = raw.length();
        if length < 1e-6 {
            return fault(place, "its rotation is a zero quaternion");
        }
        if (length - 1.0).abs() > 1e-3 {
            self.note(NoteKind::Repaired, place, format!("its rotation had length {length:.3}, now 1"));
        }
        Ok(LocalTransform::Parts { translation, rotation: raw.normalize(), scale })
    }

    /// Sets the parent of every node from the lists of children. Fails if a node has more than one
    /// parent.
    fn link_children(&mut self) -> Checked<()> {
        for parent in 0..self.model.nodes.len() {
            for at in 0..self.model.nodes[parent].children.len() {
                let child = self.model.nodes[parent].children[at];
                let Some(node) = self.model.nodes.get_mut(child as usize) else {
                    return fault(node_place(self.root, parent), format!("there is no node {child}"));
                };
                if node.parent.replace(parent as u32).is_some() {
                    return fault(node_place(self.root, child as usize), "has more than one parent");
                }
            }
        }
        Ok(())
    }

    /// Returns the roots of the default scene, else of the first scene. A file without scenes has all
    /// parentless nodes as roots.
    fn scene_roots(&mut self) -> Checked<Vec<u32>> {
        let chosen = self.root.scene.map(|s| s.value());
        if chosen.is_some_and(|s| s >= self.root.scenes.len()) {
            return fault("scene", "the default scene does not exist");
        }
        let Some(scene) = self.root.scenes.get(chosen.unwrap_or(0)) else {
            let parentless = |n: &u32| self.model.nodes[*n as usize].parent.is_none();
            return Ok((0..self.model.nodes.len() as u32).filter(parentless).collect());
        };
        if self.root.scenes.len() > 1 {
            let text = format!("only the default of {} scenes is used", self.root.scenes.len());
            self.note(NoteKind::Ignored, "scenes", text);
        }
        let mut roots = Vec::new();
        for index in scene.nodes.iter().map(|n| n.value()) {
            let place = format!("scene {}", chosen.unwrap_or(0));
            match self.model.nodes.get(index) {
                None => return fault(place, format!("there is no node {index}")),
                Some(n) if n.parent.is_some() => {
                    return fault(place, format!("node {index} is a child and cannot be a root"));
                }
                Some(_) => roots.push(index as u32),
            }
        }
        Ok(roots)
    }

    /// Walks the tree from all parentless nodes. Fails for cycles, too deep trees and infinite world
    /// transforms, and marks the nodes in the scene.
    fn walk(&mut self) -> Checked<()> {
        let nodes = &mut self.model.nodes;
        let mut in_scene = vec![false; nodes.len()];
        for &root in &self.model.roots {
            if std::mem::replace(&mut in_scene[root as usize], true) {
                return fault("scene", format!("node {root} is named twice"));
            }
        }
        let parentless = (0..nodes.len() as u32).filter(|&n| nodes[n as usize].parent.is_none());
        let mut stack: Vec<(u32, DMat4, u32)> = parentless.map(|n| (n, DMat4::IDENTITY, 0)).collect();
        let mut seen = 0;
        while let Some((index, above, depth)) = stack.pop() {
            seen += 1;
            let node = &mut nodes[index as usize];
            let world = above * node.local.matrix();
            let place = || node_place(self.root, index as usize);
            if depth > NODE_DEPTH {
                return fault(place(), format!("lies more than {NODE_DEPTH} levels deep"));
            }
            let finite = world.is_finite() && world.w_axis.abs().max_element() <= COORDINATE;
            if !finite {
                return fault(place(), format!("its place is not finite or beyond {COORDINATE:e} m"));
            }
            node.in_scene = in_scene[index as usize];
            for &child in &node.children {
                in_scene[child as usize] |= in_scene[index as usize];
                stack.push((child, world, depth + 1));
            }
        }
        if seen != nodes.len() {
            // Every node has at most one parent. So nodes that the walk did not reach form cycles or
            // hang below cycles.
            let lost = nodes.len() - seen;
            return fault("nodes", format!("{lost} nodes are their own ancestors or hang below such nodes"));
        }
        Ok(())
    }

    pub(super) fn read_cameras(&mut self) {
        for camera in &self.root.cameras {
            let fov = match (&camera.type_, &camera.perspective) {
                (Known::Valid(CameraType::Perspective), Some(p)) => Some(f64::from(p.yfov)),
                _ => None,
            };
            let name = self.name("cameras", camera.name.as_deref());
            self.model.cameras.push(Camera { name, vertical_fov: fov });
        }
    }
}

/// Returns the text by which messages name a node.
pub(super) fn node_place(root: &json::Root, index: usize) -> String {
    match root.nodes.get(index).and_then(|n| n.name.as_deref()) {
        Some(name) => format!("node {index} {:?}", text::name(name).0),
        None => format!("node {index}"),
    }
}
