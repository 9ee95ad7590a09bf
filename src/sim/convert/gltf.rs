//! GLB files: one node per part, at the part's pose. Parts with equal surfaces share a mesh.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};
use serde_json::{Value, json};

use super::parts::Parts;
use crate::arrays::MapEach;
use crate::import::srgb::linear;
use crate::mesh::Mesh;

const F32: u32 = 5126;
const U32: u32 = 5125;

/// Writes the parts as a GLB file, relative to `origin`.
pub(super) fn write(parts: &Parts, origin: DVec3) -> Result<Vec<u8>, String> {
    let mut file = File::default();
    for part in &parts.all {
        let material = part.color.map(|color| file.material(color));
        let mesh = file.mesh(part.mesh_index, part.mesh, material);
        let (position, rotation) = (part.pose.position.to_array(), part.pose.rotation.to_array());
        let mut node = json!({ "name": part.name, "mesh": mesh });
        if position != [0.0; 3] {
            node["translation"] = json!(position);
        }
        if rotation != [0.0, 0.0, 0.0, 1.0] {
            node["rotation"] = json!(rotation);
        }
        file.nodes.push(node);
    }
    file.pack(origin)
}

#[derive(Default)]
struct File {
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    accessors: Vec<Value>,
    views: Vec<Value>,
    materials: Vec<Value>,
    data: Vec<u8>,
    /// Index of each mesh's first accessor, which has the positions. The accessor after it has the
    /// corners.
    shapes: BTreeMap<u32, usize>,
    /// Index of a mesh in the file, by the scene's mesh and the material.
    made: BTreeMap<(u32, Option<usize>), usize>,
    by_color: BTreeMap<[u8; 3], usize>,
}

impl File {
    fn material(&mut self, color: [u8; 3]) -> usize {
        let next = self.materials.len();
        let at = *self.by_color.entry(color).or_insert(next);
        if at == next {
            let [r, g, b] = color.map_each(|code| linear(f64::from(code)));
            let look =
                json!({ "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8 });
            self.materials.push(json!({ "pbrMetallicRoughness": look }));
        }
        at
    }

    /// Returns the file's index of a mesh with a material. Adds the mesh if it is new.
    fn mesh(&mut self, index: u32, mesh: &Mesh, material: Option<usize>) -> usize {
        let next = self.meshes.len();
        let at = *self.made.entry((index, material)).or_insert(next);
        if at == next {
            let positions = self.shape(index, mesh);
            let mut primitive = json!({ "attributes": { "POSITION": positions }, "indices": positions + 1 });
            if let Some(material) = material {
                primitive["material"] = json!(material);
            }
            self.meshes.push(json!({ "name": mesh.name(), "primitives": [primitive] }));
        }
        at
    }

    /// Returns the index of a mesh's first accessor. Adds the mesh's accessors if they are new.
    fn shape(&mut self, index: u32, mesh: &Mesh) -> usize {
        if let Some(&known) = self.shapes.get(&index) {
            return known;
        }
        let at = self.accessors.len();
        self.shapes.insert(index, at);
        let vertices = mesh.vertices();
        let bound = |pick: fn(Vec3, Vec3) -> Vec3| vertices.iter().copied().reduce(pick).unwrap_or_default();
        let view = self.view(vertices.iter().flat_map(|v| v.to_array()).flat_map(f32::to_le_bytes));
        self.accessors.push(json!({
            "bufferView": view, "componentType": F32, "count": vertices.len(), "type": "VEC3",
            "min": bound(Vec3::min).to_array(), "max": bound(Vec3::max).to_array(),
        }));
        let corners = mesh.triangles().as_flattened();
        let view = self.view(corners.iter().flat_map(|v| v.to_le_bytes()));
        self.accessors.push(json!({
            "bufferView": view, "componentType": U32, "count": corners.len(), "type": "SCALAR",
        }));
        at
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>) -> usize {
        let start = self.data.len();
        self.data.extend(bytes);
        let length = self.data.len() - start;
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": length }));
        self.views.len() - 1
    }

    /// Packs the document and its data into one binary file.
    fn pack(self, origin: DVec3) -> Result<Vec<u8>, String> {
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "tumble" },
            "scene": 0,
            "scenes": [{ "nodes": (0..self.nodes.len()).collect::<Vec<_>>() }],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.data.len() }],
        });
        if origin != DVec3::ZERO {
            document["asset"]["extras"] = json!({ "origin": origin.to_array() });
        }
        if !self.materials.is_empty() {
            document["materials"] = Value::Array(self.materials);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut data = self.data;
        data.resize(data.len().next_multiple_of(4), 0);
        let total = 12 + 8 + text.len() + 8 + data.len();
        let length = |count: usize| {
            u32::try_from(count)
                .map_err(|_| "a GLB has at most four gigabytes, and these surfaces take more".to_owned())
        };
        let mut bytes = b"glTF".to_vec();
        bytes.extend(2_u32.to_le_bytes());
        bytes.extend(length(total)?.to_le_bytes());
        for (kind, chunk) in [(b"JSON", text), (b"BIN\0", data)] {
            bytes.extend(length(chunk.len())?.to_le_bytes());
            bytes.extend(kind);
            bytes.extend(chunk);
        }
        Ok(bytes)
    }
}
