//! glTF files as texts with their data in them.

use base64::Engine;
use serde_json::{Value, json};

/// Returns a file of one triangle, with only the required keys.
pub fn triangle(corners: [[f32; 3]; 3]) -> String {
    file(&[("VEC3", 5126, floats(corners.as_flattened()))], |file| {
        file["nodes"] = json!([{ "name": "n", "mesh": 0 }]);
        file["meshes"] = json!([{ "primitives": [{ "attributes": { "POSITION": 0 } }] }]);
    })
}

/// Returns a binary file of a text, followed by bytes.
pub fn binary(text: &str, bytes: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, data, filler) in [(b"JSON", text.as_bytes(), b' '), (b"BIN\0", bytes, 0)] {
        if data.is_empty() {
            continue;
        }
        let mut data = data.to_vec();
        data.resize(data.len().next_multiple_of(4), filler);
        chunks.extend((data.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(data);
    }
    let mut file = b"glTF".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend((12 + chunks.len() as u32).to_le_bytes());
    file.extend(chunks);
    file
}

pub fn floats(all: &[f32]) -> Vec<u8> {
    all.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Returns a file whose accessors have these types, component kinds and bytes, one after the other in
/// one buffer; `more` adds the rest.
pub fn file(accessors: &[(&str, u32, Vec<u8>)], more: impl FnOnce(&mut Value)) -> String {
    let mut document = json!({ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }] });
    let (mut bytes, mut views, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, component, data) in accessors {
        let width = match component {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let parts = match *kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        views.push(json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": data.len() }));
        let count = data.len() / (width * parts);
        let mut accessor =
            json!({ "bufferView": all.len(), "componentType": component, "count": count, "type": kind });
        if (*kind, *component) == ("VEC3", 5126) {
            // Positions need bounds; the reader ignores them.
            (accessor["min"], accessor["max"]) = (json!([0, 0, 0]), json!([1, 1, 1]));
        }
        all.push(accessor);
        bytes.extend(data);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    let uri =
        format!("data:application/octet-stream;base64,{}", base64::prelude::BASE64_STANDARD.encode(&bytes));
    document["buffers"] = json!([{ "byteLength": bytes.len(), "uri": uri }]);
    (document["bufferViews"], document["accessors"]) = (views.into(), all.into());
    more(&mut document);
    document.to_string()
}
