//! Files from other programs, mainly broken and hostile ones: a model, or an error with its position;
//! never a panic, and no file outside the model's folder is opened.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};
use tumble::import::{ReadAs, load_model, load_model_bytes};

/// Returns the data of one triangle: three positions, three indices.
fn payload() -> Vec<u8> {
    let positions = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut bytes: Vec<u8> = positions.iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2].iter().flat_map(|i| i.to_le_bytes()));
    bytes
}

fn data_uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", STANDARD.encode(bytes))
}

fn valid() -> Value {
    json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "buffers": [{ "byteLength": 42, "uri": data_uri(&payload()) }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }, { "buffer": 0, "byteOffset": 36, "byteLength": 6 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR" }
        ]
    })
}

/// Returns the valid file with the value at a JSON pointer replaced (or added).
fn with(pointer: &str, value: Value) -> Value {
    let mut file = valid();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match file.pointer_mut(parent).unwrap() {
        Value::Object(map) => drop(map.insert(key.to_owned(), value)),
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        other => panic!("{parent} is {other}"),
    }
    file
}

fn message(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

fn load(file: &Value) -> Result<tumble::import::model::Model, String> {
    load_model_bytes("case", file.to_string().as_bytes()).map_err(|e| message(&e))
}

/// Returns files to refuse: (pointer, value, expected error).
fn refused() -> Vec<(&'static str, Value, &'static str)> {
    let sparse = |count: u64, component: u32| {
        json!({ "count": count, "indices": { "bufferView": 1, "componentType": component },
                "values": { "bufferView": 0 } })
    };
    let track = |input: u32, sampler: u32| {
        json!([{ "samplers": [{ "input": input, "output": 0 }],
                 "channels": [{ "sampler": sampler, "target": { "node": 0, "path": "translation" } }] }])
    };
    vec![
        ("/accessors/0/count", json!(1_000_000_000), "beyond"),
        ("/accessors/0/count", json!(1u64 << 63), "beyond"),
        ("/accessors/0/count", json!(3 + (1u64 << 62)), "beyond"),
        ("/accessors/0/count", json!(-1), "JSON"),
        ("/accessors/0/count", json!(0), "empty"),
        ("/accessors/0/byteOffset", json!(u64::MAX - 3), "beyond"),
        ("/bufferViews/0/byteOffset", json!(u64::MAX - 7), "buffer view 0"),
        ("/bufferViews/0/byteLength", json!(1_000_000_000_000u64), "buffer view 0"),
        ("/bufferViews/0/byteLength", json!(u64::MAX), "buffer view 0"),
        ("/bufferViews/0/byteStride", json!(0), "stride"),
        ("/bufferViews/0/byteStride", json!(1), "stride"),
        ("/bufferViews/0/byteStride", json!(252), "beyond"),
        ("/bufferViews/0/buffer", json!(9), "no buffer 9"),
        ("/nodes", json!([{ "children": [1] }, { "children": [0], "mesh": 0 }]), "node"),
        ("/nodes", json!([{ "children": [0], "mesh": 0 }]), "node"),
        ("/nodes", json!([{ "children": [1, 1] }, { "mesh": 0 }]), "more than one parent"),
        ("/nodes", json!([{ "mesh": 0 }, { "children": [2] }, { "children": [1] }]), "ancestors"),
        ("/nodes/0/translation", json!([1e39, 0, 0]), "out of range"),
        ("/nodes/0/translation", json!([1e11, 0, 0]), "beyond"),
        ("/nodes/0/rotation", json!([0, 0, 0, 0]), "zero quaternion"),
        ("/nodes/0/matrix", json!([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), "affine"),
        ("/nodes/0/matrix", json!([1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2]), "affine"),
        ("/nodes/0/matrix", json!([1, 1, 1]), "JSON"),
        ("/nodes/0/mesh", json!(9), "no mesh 9"),
        ("/nodes/0/children", json!([9]), "no node 9"),
        ("/nodes/0/skin", json!(3), "no skin 3"),
        ("/scene", json!(5), "default scene"),
        ("/scenes", json!([{ "nodes": [7] }]), "no node 7"),
        ("/scenes", json!([{ "nodes": [0, 0, 0] }]), "twice"),
        ("/accessors/1/componentType", json!(5126), "accessor 1"),
        ("/accessors/0/componentType", json!(9999), "component type"),
        ("/accessors/0/type", json!("SCALAR"), "accessor 0"),
        ("/accessors/0/sparse", sparse(1_000_000_000, 5123), "sparse"),
        ("/accessors/0/sparse", sparse(1, 5126), "sparse"),
        (
            "/accessors/0",
            json!({ "componentType": 5126, "count": 1_000_000_000_000u64, "type": "VEC3" }),
            "limit",
        ),
        ("/meshes/0/primitives/0/attributes", json!({}), "POSITION"),
        ("/meshes/0/primitives/0/attributes", json!({ "POSITION": 77 }), "accessor 77"),
        ("/meshes/0/primitives/0/indices", json!(9), "accessor 9"),
        ("/meshes/0/primitives/0/targets", json!([{ "POSITION": 9 }]), "accessor 9"),
        ("/meshes/0/primitives/0/mode", json!(7), "mode"),
        ("/buffers/0", json!({ "byteLength": 42 }), "URI"),
        ("/buffers/0/byteLength", json!(1_000_000), "42 bytes"),
        ("/buffers/0/uri", json!("missing.bin"), "missing.bin"),
        ("/buffers/0/uri", json!("data:application/octet-stream;base64,@@@@"), "data URI"),
        ("/buffers/0/uri", json!("data:,"), "base64"),
        ("/skins", json!([{ "joints": [0], "inverseBindMatrices": 0 }]), "accessor 0"),
        ("/skins", json!([{ "joints": [] }]), "no joints"),
        ("/skins", json!([{ "joints": [99] }]), "no node 99"),
        ("/animations", track(0, 0), "accessor 0"),
        ("/animations", track(1, 5), "no sampler 5"),
        ("/extensionsRequired", json!(["KHR_meshopt_compression"]), "KHR_meshopt"),
        ("/asset/version", json!("3.0"), "version"),
    ]
}

#[test]
fn hostile_values_are_refused_with_their_place() {
    for (pointer, value, says) in refused() {
        match load(&with(pointer, value.clone())) {
            Ok(_) => panic!("{pointer} = {value} is accepted"),
            Err(error) => assert!(error.contains(says), "{pointer} = {value}: {error}"),
        }
    }
}

#[test]
fn odd_but_legal_files_load() {
    let cases = [
        ("/nodes/0/scale", json!([0, 0, 0])),
        ("/nodes/0/scale", json!([-1, 1, 1])),
        ("/nodes/0/rotation", json!([3, 4, 5, 6])),
        ("/meshes/0/primitives/0/mode", json!(0)),
        ("/meshes/0/primitives/0/mode", json!(5)),
        ("/meshes/0/primitives/0/mode", json!(6)),
        ("/accessors/0/min", json!("x")),
        ("/accessors/0", json!({ "componentType": 5126, "count": 3, "type": "VEC3" })),
        ("/images", json!([{}])),
        ("/images", json!([{ "uri": "data:image/png;base64,AAAA" }, { "uri": "not-there.png" }])),
        ("/extensionsUsed", json!(["SOMETHING_new"])),
    ];
    for (pointer, value) in cases {
        assert!(load(&with(pointer, value.clone())).is_ok(), "{pointer} = {value}");
    }
    let model = load(&with("/extensionsUsed", json!(["SOMETHING_new"]))).unwrap();
    assert!(model.notes.iter().any(|n| n.text.contains("SOMETHING_new")));
}

/// Checks files of a few kilobytes that declare gigabytes of data.
#[test]
fn short_files_cannot_ask_for_much_memory() {
    let zeros = json!({ "componentType": 5126, "count": 1_000_000, "type": "VEC3" });
    let primitive = json!({ "attributes": { "POSITION": 0 } });
    let mut shared = with("/accessors/0", zeros.clone());
    shared["meshes"][0]["primitives"] = json!(vec![primitive; 200]);
    let mut morphs = with("/accessors/0", zeros);
    morphs["meshes"][0]["primitives"] =
        json!([{ "attributes": { "POSITION": 0 }, "targets": vec![json!({}); 1000] }]);
    let mut tracks = with("/accessors/1", json!({ "componentType": 5126, "count": 1, "type": "SCALAR" }));
    tracks["accessors"][0] = json!({ "componentType": 5126, "count": 3_000_000, "type": "VEC3" });
    tracks["meshes"] = json!([]);
    tracks["nodes"] = json!([{}]);
    tracks["animations"] = json!([{ "samplers": [{ "input": 1, "output": 0 }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }] }]);
    for (name, file) in [("primitives", shared), ("morph targets", morphs), ("tracks", tracks)] {
        let error = load(&file).expect_err(name);
        assert!(error.contains("numbers, its limit"), "{name}: {error}");
    }
    let once = json!({ "componentType": 5126, "count": 100_000, "type": "VEC3" });
    assert!(load(&with("/accessors/0", once)).is_ok(), "zeros are legal");
}

#[test]
fn broken_vertices_and_indices_are_named() {
    let mut bytes = payload();
    bytes[12..16].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = load(&with("/buffers/0/uri", json!(data_uri(&bytes)))).unwrap_err();
    assert!(error.contains("vertex 1 is not finite"), "{error}");
    let mut bytes = payload();
    bytes[40..42].copy_from_slice(&60000u16.to_le_bytes());
    let error = load(&with("/buffers/0/uri", json!(data_uri(&bytes)))).unwrap_err();
    assert!(error.contains("60000 of 3"), "{error}");
}

#[test]
fn deep_and_endless_trees_end() {
    for (count, fits) in [(1000, true), (20_000, false)] {
        let mut nodes: Vec<Value> = (0..count).map(|i| json!({ "children": [i + 1] })).collect();
        nodes.push(json!({ "mesh": 0 }));
        assert_eq!(load(&with("/nodes", json!(nodes))).is_ok(), fits, "{count} levels");
    }
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let text = valid().to_string().replacen('{', &format!("{{\"extras\":{deep},"), 1);
    // The parser decides whether it loads; it must return.
    let _ = load_model_bytes("deep", text.as_bytes());
    assert!(load_model_bytes("empty", b"").is_err());
    assert!(load_model_bytes("cut", b"{").is_err());
}

#[cfg(unix)]
#[test]
fn nothing_outside_the_folder_is_opened() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.bin"), payload()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link.bin");
    std::os::unix::fs::symlink(outside.path().join("secret.bin"), &link).unwrap();
    let pipe = folder.path().join("pipe.bin");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::write(folder.path().join("beside.bin"), payload()).unwrap();
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    let uris = [
        format!("../{name}/secret.bin"),
        format!("%2e%2e/{name}/secret.bin"),
        outside.path().join("secret.bin").to_str().unwrap().to_owned(),
        format!("file://{}/secret.bin", outside.path().display()),
        "http://127.0.0.1:9/x.bin".to_owned(),
        "/dev/zero".to_owned(),
        "..\\secret.bin".to_owned(),
        "%ff.bin".to_owned(),
        "link.bin".to_owned(),
        "pipe.bin".to_owned(),
        ".".to_owned(),
    ];
    let path = folder.path().join("case.gltf");
    for uri in uris {
        fs::write(&path, with("/buffers/0/uri", json!(uri)).to_string()).unwrap();
        let error = load_model(&path, &ReadAs::default()).expect_err(&uri);
        assert!(message(&error).contains("buffer 0"), "{uri}: {error}");
    }
    fs::write(&path, with("/buffers/0/uri", json!("beside.bin")).to_string()).unwrap();
    assert_eq!(load_model(&path, &ReadAs::default()).unwrap().geometries[0].triangles, [[0, 1, 2]]);
    assert!(load_model(folder.path(), &ReadAs::default()).is_err(), "a folder is not a model");
    assert!(load_model(&pipe, &ReadAs::default()).is_err(), "a pipe is not a model");
}

/// Returns the valid file with a body of a box, and a joint from it to a second node.
fn with_physics(node: Value, root: Value) -> Value {
    let mut file = with("/extensions", json!({}));
    file["extensions"] = json!({ "KHR_physics_rigid_bodies": root,
                                 "KHR_implicit_shapes": { "shapes": [{ "type": "box" }] } });
    file["nodes"] = json!([{ "mesh": 0, "extensions": { "KHR_physics_rigid_bodies": node } }, {}]);
    file
}

fn with_joint(joint: Value) -> Value {
    let node = json!({ "motion": {}, "joint": { "connectedNode": 1, "joint": 0 } });
    with_physics(node, json!({ "physicsJoints": [joint] }))
}

fn with_limit(limit: Value) -> Value {
    with_joint(json!({ "limits": [limit] }))
}

#[test]
fn joint_limits_reduce_to_axes() {
    use tumble::body::AxisRange::{Free, Limited, Locked};
    let reduced = |limits: Value| load(&with_joint(json!({ "limits": limits }))).unwrap().joints.remove(0);
    let together = reduced(json!([{ "linearAxes": [0, 1, 2], "min": 0, "max": 0 }]));
    let apart: Vec<Value> = (0..3).map(|axis| json!({ "linearAxes": [axis], "min": 0, "max": 0 })).collect();
    assert_eq!(together, reduced(json!(apart)), "one limit of three axes or three of one");
    assert_eq!(together.linear.map(|a| a.range), [Locked; 3]);
    assert_eq!(together.angular.map(|a| a.range), [Free; 3]);
    let hinge = reduced(json!([{ "angularAxes": [1, 2], "min": 0, "max": 0 },
                               { "angularAxes": [0], "min": -0.5 }]));
    let twist = Limited { min: -0.5, max: f64::INFINITY };
    assert_eq!(hinge.angular.map(|a| a.range), [twist, Locked, Locked]);
    let cone = reduced(json!([{ "angularAxes": [0, 1], "max": 0.4 }]));
    assert_eq!((cone.cone, cone.angular.map(|a| a.range)), (Some(0.4), [Free; 3]));
    let soft = reduced(json!([{ "linearAxes": [2], "min": 0, "max": 1, "stiffness": 7, "damping": 3 }]));
    let spring = soft.linear[2].soft.unwrap();
    assert_eq!((spring.stiffness, spring.damping), (7.0, 3.0));
}

#[test]
fn physics_that_makes_no_sense_is_refused() {
    let body = |motion: Value| with_physics(json!({ "motion": motion }), json!({}));
    let drive = |key: &str| {
        let mut drive = json!({ "type": "linear", "mode": "force", "axis": 0 });
        drive[key] = json!(-1);
        with_joint(json!({ "drives": [drive] }))
    };
    let filter = |filter: Value| with_physics(json!({}), json!({ "collisionFilters": [filter] }));
    let cases = [
        (body(json!({ "mass": -1 })), "negative"),
        (body(json!({ "inertiaDiagonal": [-1, 1, 1] })), "negative"),
        (body(json!({ "inertiaOrientation": [0, 0, 0, 0] })), "no rotation"),
        (body(json!({ "inertiaOrientation": [1e200, 0, 0, 0] })), "no rotation"),
        (body(json!({ "isKinematic": "yes" })), "isKinematic"),
        (drive("stiffness"), "stiffness"),
        (drive("damping"), "damping"),
        (drive("maxForce"), "maxForce"),
        (with_limit(json!({ "linearAxes": [0], "max": 1, "stiffness": -5 })), "stiffness"),
        (with_limit(json!({ "linearAxes": [0], "min": 2, "max": 1 })), "above"),
        (with_limit(json!({ "linearAxes": [3], "max": 1 })), "axis 3"),
        (with_limit(json!({ "angularAxes": [0, 1], "max": -1 })), "cone"),
        (with_limit(json!({ "linearAxes": [0, 2], "max": -1 })), "a distance cannot be"),
        (with_joint(json!({ "limits": {} })), "list"),
        (filter(json!({ "collisionSystems": [1] })), "names"),
        (filter(json!({ "collideWithSystems": "a" })), "list"),
    ];
    for (file, says) in cases {
        let error = load(&file).expect_err(says);
        assert!(error.contains(says), "{says}: {error}");
    }
}

#[test]
fn physics_that_is_left_out_is_noted() {
    let collider = |geometry: Value| with_physics(json!({ "collider": { "geometry": geometry } }), json!({}));
    let twice = json!({ "limits": [{ "linearAxes": [0], "max": 1 }, { "linearAxes": [0], "max": 9 }] });
    let distances = json!({ "limits": [
        { "linearAxes": [0, 2], "max": 1 },
        { "linearAxes": [0, 1, 2], "max": 1 },
    ] });
    let drive = json!({ "type": "linear", "mode": "force", "axis": 0, "odd": 1 });
    let cases = [
        (collider(json!({})), "neither"),
        (collider(json!({ "shape": 0, "node": 0 })), "first of these is taken"),
        (with_limit(json!({ "min": 0, "max": 0 })), "no axis"),
        (with_limit(json!({ "linearAxes": [0], "max": 1, "odd": 3 })), "odd"),
        (with_limit(json!({ "angularAxes": [0, 1], "min": 0.1, "max": 0.4 })), "inner angle"),
        (with_limit(json!({ "angularAxes": [0, 1, 2], "max": 0.4 })), "range of each"),
        (with_limit(json!({ "linearAxes": [0, 1], "min": -1, "max": 0.4 })), "never below 0"),
        (with_joint(distances), "earlier limit of the distance"),
        (with_joint(twice), "earlier limit"),
        (with_joint(json!({ "drives": [drive] })), "odd"),
        (with_physics(json!({}), json!({ "physicsMaterials": [{ "restitution": 5 }] })), "now 1"),
        (with("/meshes/0/primitives/0/attributes", json!({ "POSITION": 0, "JOINTS_0": 0 })), "missing"),
    ];
    for (file, says) in cases {
        let model = load(&file).unwrap();
        assert!(model.notes.iter().any(|n| n.text.contains(says)), "{says}: {:?}", model.notes);
    }
    let clean = with_limit(json!({ "linearAxes": [0], "min": 0, "max": 1, "stiffness": 2, "damping": 1 }));
    assert!(load(&clean).unwrap().notes.is_empty(), "nothing is left out here");
}

#[test]
fn a_rotation_key_must_be_a_rotation() {
    let turning = |keys: &[[f32; 4]], interpolation: &str| {
        let mut bytes: Vec<u8> = [0.0f32, 1.0].iter().flat_map(|t| t.to_le_bytes()).collect();
        bytes.extend(keys.iter().flatten().flat_map(|x| x.to_le_bytes()));
        let mut file = with(
            "/animations",
            json!([{
                "samplers": [{ "input": 2, "output": 3, "interpolation": interpolation }],
                "channels": [{ "sampler": 0, "target": { "node": 0, "path": "rotation" } }]
            }]),
        );
        let add = |list: &mut Value, value: Value| list.as_array_mut().unwrap().push(value);
        add(&mut file["buffers"], json!({ "byteLength": bytes.len(), "uri": data_uri(&bytes) }));
        add(&mut file["bufferViews"], json!({ "buffer": 1, "byteLength": 8 }));
        add(&mut file["bufferViews"], json!({ "buffer": 1, "byteOffset": 8, "byteLength": bytes.len() - 8 }));
        add(
            &mut file["accessors"],
            json!({ "bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR" }),
        );
        add(
            &mut file["accessors"],
            json!({ "bufferView": 3, "componentType": 5126, "count": keys.len(), "type": "VEC4" }),
        );
        load(&file)
    };
    let (zero, one) = ([0.0; 4], [0.0, 0.0, 0.0, 1.0]);
    assert!(turning(&[one, one], "LINEAR").is_ok());
    assert!(turning(&[one, zero], "LINEAR").unwrap_err().contains("zero quaternion"));
    assert!(turning(&[zero, one, zero, zero, one, zero], "CUBICSPLINE").is_ok(), "tangents may be zero");
    assert!(turning(&[zero, one, zero, one, zero, one], "CUBICSPLINE").is_err());
    assert!(turning(&[one, one, one], "LINEAR").is_err(), "three values for two times");
}

/// Returns a binary file; `None` keeps the correct value.
fn glb(version: u32, total: Option<u32>, json_length: Option<u32>, binary: Option<&[u8]>) -> Vec<u8> {
    let mut text = with("/buffers/0", json!({ "byteLength": 42 })).to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut body = json_length.unwrap_or(text.len() as u32).to_le_bytes().to_vec();
    body.extend(b"JSON");
    body.extend(&text);
    if let Some(bytes) = binary {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        body.extend((bytes.len() as u32).to_le_bytes());
        body.extend(b"BIN\0");
        body.extend(&bytes);
    }
    let mut file = b"glTF".to_vec();
    file.extend(version.to_le_bytes());
    file.extend(total.unwrap_or(12 + body.len() as u32).to_le_bytes());
    file.extend(&body);
    file
}

#[test]
fn binary_files_are_checked_chunk_by_chunk() {
    let data = payload();
    let whole = glb(2, None, None, Some(&data));
    assert!(load_model_bytes("whole", &whole).is_ok());
    let broken = [
        glb(1, None, None, Some(&data)),
        glb(2, Some(0), None, Some(&data)),
        glb(2, Some(5), None, Some(&data)),
        glb(2, Some(u32::MAX), None, Some(&data)),
        glb(2, None, Some(u32::MAX), Some(&data)),
        glb(2, None, Some(4), Some(&data)),
        glb(2, None, None, None),
        glb(2, None, None, Some(b"1234")),
    ];
    for (index, file) in broken.iter().enumerate() {
        assert!(load_model_bytes("broken", file).is_err(), "case {index}");
    }
    for length in 0..whole.len() {
        assert!(load_model_bytes("cut", &whole[..length]).is_err(), "cut to {length} bytes");
    }
}

#[test]
fn values_are_read_as_the_file_means_them() {
    let mut bytes: Vec<u8> = Vec::new();
    for v in [[0i16, 0, 0], [32767, 0, 0], [0, -32768, 0], [16384, 16384, 0]] {
        bytes.extend(v.iter().chain(&[0]).flat_map(|x| x.to_le_bytes()));
    }
    let strip = json!({
        "asset": { "version": "2.0" }, "nodes": [{ "mesh": 0 }],
        "extensionsRequired": ["KHR_mesh_quantization"],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "mode": 5 }] }],
        "buffers": [{ "byteLength": 32, "uri": data_uri(&bytes) }],
        "bufferViews": [{ "buffer": 0, "byteLength": 32, "byteStride": 8 }],
        "accessors": [{ "bufferView": 0, "componentType": 5122, "normalized": true, "count": 4, "type": "VEC3" }]
    });
    let model = load(&strip).unwrap();
    let geometry = &model.geometries[0];
    assert_eq!(geometry.positions[1].x, 1.0);
    assert_eq!(geometry.positions[2].y, -1.0);
    assert_eq!(geometry.triangles, [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(model.roots, [0]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_mutation_of_a_file_panics(edits in prop::collection::vec((0usize..600, any::<u8>()), 1..6)) {
        let mut file = glb(2, None, None, Some(&payload()));
        for (at, value) in edits {
            let at = at % file.len();
            file[at] = value;
        }
        let _ = load_model_bytes("mutated", &file);
    }
}
