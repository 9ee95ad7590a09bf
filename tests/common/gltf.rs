//! A surface as a glTF file of its own, for tests of what reads files.

use std::path::{Path, PathBuf};

use glam::Vec3;
use serde_json::json;
use tumble::generate::Triangles;

/// Writes `name.gltf` and its data; returns the path of the first.
pub fn write(folder: &Path, name: &str, (positions, triangles): &Triangles) -> PathBuf {
    let points: Vec<u8> = positions.iter().flat_map(|p| p.to_array()).flat_map(f32::to_le_bytes).collect();
    let corners: Vec<u8> = triangles.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
    let bound = |pick: fn(Vec3, Vec3) -> Vec3| positions.iter().copied().reduce(pick).unwrap().to_array();
    let document = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "name": name }],
        "meshes": [{ "name": name, "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "buffers": [{ "byteLength": points.len() + corners.len(), "uri": format!("{name}.bin") }],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": points.len() },
            { "buffer": 0, "byteOffset": points.len(), "byteLength": corners.len() },
        ],
        "accessors": [
            {
                "bufferView": 0, "componentType": 5126, "count": positions.len(), "type": "VEC3",
                "min": bound(Vec3::min), "max": bound(Vec3::max),
            },
            { "bufferView": 1, "componentType": 5125, "count": 3 * triangles.len(), "type": "SCALAR" },
        ],
    });
    std::fs::write(folder.join(format!("{name}.bin")), [points, corners].concat()).unwrap();
    let path = folder.join(format!("{name}.gltf"));
    std::fs::write(&path, document.to_string()).unwrap();
    path
}
