//! A tree of parts as a binary glTF file: shared surfaces, under named nodes with their own positions.

use std::path::Path;

use glam::{DQuat, DVec3};
use serde_json::{Value, json};
use tumble::generate::Triangles;

/// A node. Lengths in m.
pub struct Node {
    pub name: String,
    /// Index of its surface in the file.
    pub mesh: Option<usize>,
    pub position: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    pub children: Vec<Node>,
    /// The node's KHR_physics_rigid_bodies extension.
    pub physics: Option<Value>,
}

impl Node {
    /// Returns a node at the origin of its parent.
    pub fn new(name: impl Into<String>, mesh: Option<usize>) -> Self {
        Self {
            name: name.into(),
            mesh,
            position: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
            children: Vec::new(),
            physics: None,
        }
    }

    pub fn at(self, position: DVec3) -> Self {
        Self { position, ..self }
    }

    pub fn turned(self, rotation: DQuat) -> Self {
        Self { rotation, ..self }
    }

    /// Adds a child; returns it.
    pub fn add(&mut self, child: Self) -> &mut Self {
        self.children.push(child);
        self.children.last_mut().unwrap()
    }

    /// Returns the descendant at the end of a path.
    pub fn find(&mut self, path: &str) -> &mut Self {
        path.split('/').fold(self, |node, name| {
            let child = node.children.iter_mut().find(|child| child.name == name);
            child.unwrap_or_else(|| panic!("no {name} of {path}"))
        })
    }

    fn count(&self) -> usize {
        1 + self.children.iter().map(Self::count).sum::<usize>()
    }
}

/// The placement of a file's nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    InOrder,
    /// Rotated and shifted at every level, with children in reverse order.
    Shuffled,
}

/// The surfaces, and the tree of nodes that use them.
pub struct PartsFile {
    pub meshes: Vec<(String, Triangles)>,
    pub root: Node,
    /// The file's KHR_physics_rigid_bodies extension.
    pub physics: Option<Value>,
}

impl PartsFile {
    pub fn new(root: Node) -> Self {
        Self { meshes: Vec::new(), root, physics: None }
    }

    /// Adds a surface; returns its index.
    pub fn mesh(&mut self, name: &str, surface: Triangles) -> usize {
        self.meshes.push((name.to_owned(), surface));
        self.meshes.len() - 1
    }

    pub fn write(&self, path: &Path, stored: Stored) {
        let mut bytes = Vec::new();
        let (mut views, mut accessors, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
        for (name, (positions, triangles)) in &self.meshes {
            let corners = triangles.as_flattened();
            let parts: [Vec<u8>; 2] = [
                positions.iter().flat_map(|p| p.to_array()).flat_map(f32::to_le_bytes).collect(),
                corners.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ];
            let first = accessors.len();
            let low = positions.iter().copied().reduce(|a, b| a.min(b)).unwrap().to_array();
            let high = positions.iter().copied().reduce(|a, b| a.max(b)).unwrap().to_array();
            accessors.push(json!({ "bufferView": first, "componentType": 5126, "count": positions.len(),
                                   "type": "VEC3", "min": low, "max": high }));
            accessors.push(json!({ "bufferView": first + 1, "componentType": 5125, "count": corners.len(),
                                   "type": "SCALAR" }));
            for part in parts {
                views.push(json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": part.len() }));
                bytes.extend(part);
            }
            let primitive = json!({ "attributes": { "POSITION": first }, "indices": first + 1 });
            meshes.push(json!({ "name": name, "primitives": [primitive] }));
        }
        let mut nodes = vec![Value::Null; self.root.count()];
        let places = places(nodes.len(), stored);
        let root = put(&self.root, &mut 0, &places, stored, &mut nodes);
        let mut document = json!({
            "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [root] }], "nodes": nodes,
            "meshes": meshes, "accessors": accessors, "bufferViews": views,
            "buffers": [{ "byteLength": bytes.len() }],
        });
        if let Some(physics) = &self.physics {
            document["extensionsUsed"] = json!(["KHR_physics_rigid_bodies"]);
            document["extensions"] = json!({ "KHR_physics_rigid_bodies": physics });
        }
        std::fs::write(path, binary(document.to_string().into_bytes(), bytes)).unwrap();
    }
}

/// Returns the index of each node in the file, in the order in which the tree is walked.
fn places(count: usize, stored: Stored) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if stored == Stored::Shuffled {
        order.sort_by_key(|&node| (node as u32 + 1).wrapping_mul(2_654_435_761));
    }
    let mut places = vec![0; count];
    order.iter().enumerate().for_each(|(place, &node)| places[node] = place);
    places
}

/// Places a node and all below it; returns the index of the node.
fn put(node: &Node, next: &mut usize, places: &[usize], stored: Stored, nodes: &mut [Value]) -> usize {
    let place = places[*next];
    *next += 1;
    let mut children: Vec<usize> =
        node.children.iter().map(|child| put(child, next, places, stored, nodes)).collect();
    if stored == Stored::Shuffled {
        children.reverse();
    }
    let mut own = json!({
        "name": node.name, "translation": node.position.to_array(),
        "rotation": node.rotation.to_array(), "scale": node.scale.to_array(),
    });
    if let Some(mesh) = node.mesh {
        own["mesh"] = mesh.into();
    }
    if !children.is_empty() {
        own["children"] = children.into();
    }
    if let Some(physics) = &node.physics {
        own["extensions"] = json!({ "KHR_physics_rigid_bodies": physics });
    }
    nodes[place] = own;
    place
}

fn binary(mut text: Vec<u8>, mut bytes: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let word = |n: usize| (n as u32).to_le_bytes();
    let head = [*b"glTF", word(2), word(28 + text.len() + bytes.len())].concat();
    let chunk = |kind: &[u8; 4], body: Vec<u8>| [&word(body.len()), &kind[..], &body].concat();
    [head, chunk(b"JSON", text), chunk(b"BIN\0", bytes)].concat()
}
