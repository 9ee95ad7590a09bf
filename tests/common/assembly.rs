//! An assembly as a glTF file, for tests of what makes a tree of its parts.

use std::path::{Path, PathBuf};

use glam::Vec3;
use serde_json::{Value, json};
use tumble::generate;

use crate::gltf;

/// Writes a frame with two sides of one name, each with two bolts of one name, and a lid. `order` is
/// that of its nodes in the file.
pub fn assembly(folder: &Path, order: &[usize]) -> PathBuf {
    let path = gltf::write(folder, "assembly", &generate::cuboid(Vec3::splat(0.2), 1.0));
    let mut file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let at = |node: usize| order.iter().position(|&o| o == node).unwrap();
    let group = |name: &str, children: &[usize], x: f64| {
        let children: Vec<usize> = children.iter().map(|&child| at(child)).collect();
        json!({ "name": name, "children": children, "translation": [x, 0.0, 0.0] })
    };
    let leaf = |name: &str, x: f64| json!({ "name": name, "mesh": 0, "translation": [x, 0.5, 0.0] });
    let nodes = [
        group("frame", &[1, 2, 7], 0.0),
        group("side", &[3, 4], 1.0),
        group("side", &[5, 6], 2.0),
        leaf("bolt", 0.0),
        leaf("bolt", 0.3),
        leaf("bolt", 0.0),
        leaf("bolt", 0.3),
        leaf("lid", 4.0),
    ];
    file["nodes"] = order.iter().map(|&node| nodes[node].clone()).collect();
    file["scenes"] = json!([{ "nodes": [at(0)] }]);
    std::fs::write(&path, file.to_string()).unwrap();
    path
}
