//! Compressed glTF: an octahedron packed by Google's Draco and by meshoptimizer (through glTF-Transform
//! 4.5) is unpacked to the octahedron, and damage to packed data is an error with its position.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tumble::import::load_model_bytes;
use tumble::import::model::Geometry;

const DRACO: &str = "RFJBQ08CAgEBAAAABggABwAAAm8VAQEQAf8AAAEACQMAAAIBAQEADzOtClU1Aw2Yg/8/AAgAAID/DwD/fwAQAPj/AUAAAAAAAP+f/h8AAIAA\
                     AAAAAP8/AAAAAIC/AAAAvwAAgL4AAABADg==";
const MESHOPT: &str = "4fAgMBEgEiUSAHaHVmd4qYZliWiYAWkAAAAAAKAAAAEw8AAA////ATDwAAB9gYIAAAABPDAAAH59gQAAAQzAAAD//wEPwAAAfP+EAAAAAAAA\
                       AAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAA";

fn uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", STANDARD.encode(bytes))
}

fn file(extension: &str, buffers: &Value, views: &Value, of_views: [Value; 2], primitive: &Value) -> Value {
    let mut accessors = [
        json!({ "type": "SCALAR", "componentType": 5123, "count": 24 }),
        json!({ "type": "VEC3", "componentType": 5126, "count": 6, "max": [1, 0.5, 0.25], "min": [-1, -0.5, -0.25] }),
    ];
    for (accessor, view) in accessors.iter_mut().zip(of_views).filter(|(_, view)| !view.is_null()) {
        accessor["bufferView"] = view;
    }
    json!({
        "asset": { "version": "2.0" }, "extensionsRequired": [extension], "extensionsUsed": [extension],
        "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": [primitive] }],
        "accessors": accessors, "bufferViews": views, "buffers": buffers,
    })
}

fn draco(bytes: &[u8]) -> Value {
    let extension =
        json!({ "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": { "POSITION": 0 } } });
    file(
        "KHR_draco_mesh_compression",
        &json!([{ "byteLength": bytes.len(), "uri": uri(bytes) }]),
        &json!([{ "buffer": 0, "byteLength": bytes.len() }]),
        [Value::Null, Value::Null],
        &json!({ "attributes": { "POSITION": 1 }, "indices": 0, "extensions": extension }),
    )
}

fn meshopt(bytes: &[u8]) -> Value {
    let packed = |start: u32, length: u32, mode: &str, stride: u32, count: u32| {
        json!({ "EXT_meshopt_compression": {
            "buffer": 0, "byteOffset": start, "byteLength": length, "mode": mode, "byteStride": stride, "count": count, "filter": "NONE",
        } })
    };
    file(
        "EXT_meshopt_compression",
        &json!([
            { "byteLength": bytes.len(), "uri": uri(bytes) },
            { "byteLength": 120, "extensions": { "EXT_meshopt_compression": { "fallback": true } } },
        ]),
        &json!([
            { "buffer": 1, "byteLength": 48, "extensions": packed(0, 25, "TRIANGLES", 2, 24) },
            { "buffer": 1, "byteOffset": 48, "byteLength": 72, "byteStride": 12,
              "extensions": packed(28, 79, "ATTRIBUTES", 12, 6) },
        ]),
        [json!(0), json!(1)],
        &json!({ "attributes": { "POSITION": 1 }, "indices": 0 }),
    )
}

/// Returns the octahedron, packed by Draco.
pub fn draco_file() -> String {
    draco(&STANDARD.decode(DRACO).unwrap()).to_string()
}

/// Returns the octahedron, packed by meshoptimizer.
pub fn meshopt_file() -> String {
    meshopt(&STANDARD.decode(MESHOPT).unwrap()).to_string()
}

fn read(file: &Value) -> Result<Geometry, String> {
    let model = load_model_bytes("case", file.to_string().as_bytes()).map_err(|e| e.to_string())?;
    Ok(model.geometries[0].clone())
}

/// Returns the faces by the signs of their corners' coordinates, which identify an octahedron's
/// corners.
fn faces(geometry: &Geometry) -> BTreeSet<Vec<String>> {
    let turned = |corners: [String; 3]| {
        let first = (0..3).min_by_key(|&k| &corners[k]).unwrap();
        (0..3).map(|k| corners[(first + k) % 3].clone()).collect()
    };
    let name =
        |v: u32| format!("{:?}", geometry.positions[v as usize].to_array().map(|x| (x * 8.0).round() as i32));
    geometry.triangles.iter().map(|t| turned(t.map(name))).collect()
}

#[test]
fn packed_surfaces_are_what_was_packed() {
    let corners = [[8, 0, 0], [-8, 0, 0], [0, 4, 0], [0, -4, 0], [0, 0, 2], [0, 0, -2]];
    let wanted = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
        .map(|t: [u32; 3]| t);
    let octahedron = Geometry {
        positions: corners.map(|c| glam::Vec3::from_array(c.map(|x: i32| x as f32 / 8.0))).to_vec(),
        triangles: wanted.to_vec(),
        ..Geometry::default()
    };
    for packed in [draco(&STANDARD.decode(DRACO).unwrap()), meshopt(&STANDARD.decode(MESHOPT).unwrap())] {
        let geometry = read(&packed).unwrap();
        assert_eq!(faces(&geometry), faces(&octahedron));
        // Draco rounds to 14 bits of the size, meshoptimizer not at all.
        let near = |p: &glam::Vec3| octahedron.positions.iter().any(|q| p.distance(*q) < 3e-4);
        assert!(
            geometry.positions.len() == 6 && geometry.positions.iter().all(near),
            "{:?}",
            geometry.positions
        );
    }
}

#[test]
fn damage_to_what_is_packed_is_an_error_with_its_place() {
    type Pack = fn(&[u8]) -> Value;
    let all: [(&str, Pack); 2] = [(DRACO, draco), (MESHOPT, meshopt)];
    for (text, pack) in all {
        let bytes = STANDARD.decode(text).unwrap();
        for at in 0..bytes.len() {
            for value in [0, 0x7f, 0xff, bytes[at] ^ 1] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                if let Err(error) = read(&pack(&damaged)) {
                    assert!(
                        error.contains("mesh 0")
                            || error.contains("buffer view")
                            || error.contains("accessor"),
                        "{error}"
                    );
                }
            }
            let cut = read(&pack(&bytes[..at]));
            assert!(cut.is_err() || at > bytes.len() - 8, "cut at {at} of {}", bytes.len());
        }
    }
    let bytes = STANDARD.decode(DRACO).unwrap();
    for (pointer, value, says) in [
        ("/accessors/1/count", json!(7), "POSITION has 6 elements of 7"),
        ("/accessors/0/count", json!(21), "has 24 corners of 21"),
        ("/accessors/1/type", json!("VEC2"), "has no POSITION of 2 numbers"),
        (
            "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression/bufferView",
            json!(9),
            "bufferView is 9, there are 1",
        ),
    ] {
        let mut file = draco(&bytes);
        *file.pointer_mut(pointer).unwrap() = value;
        let error = read(&file).unwrap_err();
        assert!(error.contains(says), "{error}, not {says}");
    }
    let mut file = meshopt(&STANDARD.decode(MESHOPT).unwrap());
    *file.pointer_mut("/bufferViews/1/extensions/EXT_meshopt_compression/mode").unwrap() = json!("POINTS");
    let error = read(&file).unwrap_err();
    assert!(error.contains("buffer view 1, EXT_meshopt_compression: cannot be unpacked"), "{error}");
}
