//! Spellings of glTF: surfaces, numbers, containers and nodes.

use serde_json::{Value, json};

use super::gltf_text::{binary, file, floats};
use super::{Row, check, gltf_colors, gltf_moving, gltf_physics, refused, row};

pub const CORNERS: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
const FIRST: &str = "n: 0 0 0, 1 0 0, 1 1 0";
const SECOND: &str = "n: 0 0 0, 1 1 0, 0 1 0";

/// Accessor: its type, the kind of its components, its bytes.
pub type Data = (&'static str, u32, Vec<u8>);

pub fn corners() -> Data {
    ("VEC3", 5126, floats(&CORNERS))
}

pub fn shorts(all: &[u16]) -> Data {
    ("SCALAR", 5123, all.iter().flat_map(|i| i.to_le_bytes()).collect())
}

/// Returns a file of one node `n` with one primitive of these accessors; the first holds its positions.
pub fn tile(data: &[Data], primitive: &Value, more: impl FnOnce(&mut Value)) -> String {
    file(data, |file| {
        let mut primitive = primitive.clone();
        primitive["attributes"]["POSITION"] = 0.into();
        file["nodes"] = json!([{ "name": "n", "mesh": 0 }]);
        file["meshes"] = json!([{ "primitives": [primitive] }]);
        more(file);
    })
}

fn shape(about: &'static str, data: &[Data], primitive: Value, wanted: &str) -> Row {
    row(about, "a.gltf", tile(data, &primitive, |_| {}), wanted)
}

pub fn rows() -> Vec<Row> {
    let all = [shapes(), numbers(), packed(), nodes(), refusals()];
    all.into_iter()
        .flatten()
        .chain(gltf_colors::rows())
        .chain(gltf_moving::rows())
        .chain(gltf_physics::rows())
        .collect()
}

fn shapes() -> Vec<Row> {
    let both = format!("{FIRST}\n{SECOND}");
    let listed = shorts(&[0, 1, 2, 0, 2, 3]);
    vec![
        shape(
            "triangles by their indices",
            &[corners(), listed.clone()],
            json!({ "indices": 1, "mode": 4 }),
            &both,
        ),
        shape("triangles, where no mode is said", &[corners(), listed], json!({ "indices": 1 }), &both),
        shape("no indices, and one corner too many", &[corners()], json!({}), FIRST),
        shape("a fan", &[corners()], json!({ "mode": 6 }), &both),
        shape(
            "a strip: every second triangle is turned around",
            &[corners(), shorts(&[0, 1, 3, 2])],
            json!({ "indices": 1, "mode": 5 }),
            "n: 0 0 0, 1 0 0, 0 1 0
             n: 0 1 0, 1 0 0, 1 1 0",
        ),
        row(
            "two primitives, and lines, which have no surface",
            "a.gltf",
            tile(&[corners(), shorts(&[0, 2, 3])], &json!({}), |file| {
                let own = |more: Value| {
                    let mut primitive = json!({ "attributes": { "POSITION": 0 } });
                    primitive.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                    primitive
                };
                file["meshes"][0]["primitives"] =
                    json!([own(json!({ "mode": 1 })), own(json!({})), own(json!({ "indices": 1 }))]);
            }),
            &both,
        )
        .says("Ignored: Lines have no surface"),
    ]
}

fn numbers() -> Vec<Row> {
    let bytes = |all: &[u8]| ("SCALAR", 5121, all.to_vec());
    let longs = |all: &[u32]| ("SCALAR", 5125, all.iter().flat_map(|i| i.to_le_bytes()).collect());
    // Three corners of a tile that is 2 by 1 and starts at −1, in integer steps.
    let small = |kind, data: Vec<u8>| {
        shape("positions in whole numbers", &[("VEC3", kind, data)], json!({}), "n: -1 0 0, 1 0 0, 1 1 0")
    };
    let i16s = |all: [i16; 9]| all.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let normal = |about, kind, data: Vec<u8>, wanted| {
        let text = tile(&[("VEC3", kind, data)], &json!({}), |file| {
            file["accessors"][0]["normalized"] = true.into()
        });
        row(about, "a.gltf", text, wanted)
    };
    let spread = |stride: u32, offset: u32| {
        // A number before the first corner, and one after each.
        let all: Vec<f32> =
            std::iter::once(9.0).chain(CORNERS.chunks(3).flat_map(|c| [c[0], c[1], c[2], 7.0])).collect();
        tile(&[("VEC3", 5126, floats(&all))], &json!({}), |file| {
            file["accessors"][0]["byteOffset"] = offset.into();
            file["accessors"][0]["count"] = 3.into();
            file["bufferViews"][0]["byteStride"] = stride.into();
        })
    };
    let sparse = |indices: &[u16]| {
        let data = [corners(), shorts(indices), ("VEC3", 5126, floats(&[5.0, 5.0, 5.0, 1.0, 1.0, 3.0]))];
        tile(&data, &json!({}), |file| {
            file["accessors"][0]["sparse"] = json!({
                "count": 2, "indices": { "bufferView": 1, "componentType": 5123 }, "values": { "bufferView": 2 },
            });
        })
    };
    vec![
        shape("indices in bytes", &[corners(), bytes(&[0, 1, 2])], json!({ "indices": 1 }), FIRST),
        shape("indices in four bytes", &[corners(), longs(&[0, 1, 2])], json!({ "indices": 1 }), FIRST),
        small(5120, [-1i8, 0, 0, 1, 0, 0, 1, 1, 0].map(|x| x as u8).to_vec()),
        small(5122, i16s([-1, 0, 0, 1, 0, 0, 1, 1, 0])),
        shape(
            "positions in bytes without a sign",
            &[("VEC3", 5121, vec![200, 0, 0, 255, 0, 0, 0, 1, 0])],
            json!({}),
            "n: 200 0 0, 255 0 0, 0 1 0",
        ),
        shape(
            "and in two",
            &[("VEC3", 5123, shorts(&[40000, 0, 0, 1, 0, 0, 0, 1, 0]).2)],
            json!({}),
            "n: 40000 0 0, 1 0 0, 0 1 0",
        ),
        // The least value counts as the one after it.
        normal("normalised bytes", 5120, vec![128, 0, 0, 127, 0, 0, 127, 129, 0], "n: -1 0 0, 1 0 0, 1 -1 0"),
        normal(
            "normalised shorts",
            5122,
            i16s([i16::MIN, 0, 0, i16::MAX, 0, 0, 0, -32767, 0]),
            "n: -1 0 0, 1 0 0, 0 -1 0",
        ),
        normal(
            "normalised bytes without a sign",
            5121,
            vec![0, 0, 0, 255, 0, 0, 0, 51, 0],
            "n: 0 0 0, 1 0 0, 0 0.2 0",
        ),
        normal(
            "and shorts",
            5123,
            shorts(&[0, 0, 0, 65535, 0, 0, 0, 13107, 0]).2,
            "n: 0 0 0, 1 0 0, 0 0.2 0",
        ),
        row("a stride, and a place to begin", "a.gltf", spread(16, 4), FIRST),
        refused("a stride that is too small", "a.gltf", spread(8, 4), "a stride of 8 bytes does not fit"),
        refused("elements beyond their view", "a.gltf", spread(16, 32), "reach beyond their buffer view"),
        row("sparse: some are replaced", "a.gltf", sparse(&[1, 2]), "n: 0 0 0, 5 5 5, 1 1 3"),
        refused("sparse indices that do not ascend", "a.gltf", sparse(&[2, 1]), "do not ascend"),
        refused(
            "sparse indices beyond the last",
            "a.gltf",
            sparse(&[1, 4]),
            "do not ascend within the accessor",
        ),
        shape(
            "the largest coordinate",
            &[("VEC3", 5126, floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1e10, 0.0]))],
            json!({}),
            "n: 0 0 0, 1 0 0, 0 -1e10 0",
        ),
        refused(
            "a coordinate beyond it",
            "a.gltf",
            tile(
                &[("VEC3", 5126, floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.1e10, 0.0]))],
                &json!({}),
                |_| {},
            ),
            "vertex 2 is not finite or beyond 1e10",
        ),
    ]
}

/// Returns files in other containers.
fn packed() -> Vec<Row> {
    let plain = tile(&[corners()], &json!({}), |_| {});
    let mut apart: Value = serde_json::from_str(&plain).unwrap();
    apart["buffers"][0]["uri"] = "my%20data.bin".into();
    let outside = apart.to_string().replace("my%20data.bin", "../a.bin");
    let mut within = apart.clone();
    within["buffers"][0].as_object_mut().unwrap().remove("uri");
    let mut other = binary(&within.to_string(), &floats(&CORNERS));
    let glb = other.clone();
    other[4] = 1;
    vec![
        row("data beside the file", "a.gltf", apart.to_string(), FIRST)
            .beside("my data.bin", floats(&CORNERS)),
        row("GLB with its data", "a.glb", glb, FIRST),
        row("GLB with its data in its text", "a.glb", binary(&plain, &[]), FIRST),
        refused("another version of GLB", "a.glb", other, "version 1 is not 2"),
        refused(
            "data outside its folder",
            "a.gltf",
            outside,
            "is not a relative path inside the model's folder",
        ),
    ]
}

fn nodes() -> Vec<Row> {
    let placed = |about: &'static str, node: Value, wanted: &str| {
        let text = tile(&[corners()], &json!({}), |file| {
            let own = file["nodes"][0].as_object_mut().unwrap();
            own.extend(node.as_object().unwrap().clone());
        });
        row(about, "a.gltf", text, wanted)
    };
    let tree = |scene: Value| {
        tile(&[corners()], &json!({}), |file| {
            file["nodes"] = json!([
                { "name": "root", "translation": [0, 0, 5], "children": [1] },
                { "name": "n", "mesh": 0, "scale": [2, 2, 2] },
                { "name": "other", "mesh": 0 },
            ]);
            file["scenes"] = json!([{ "nodes": [0] }, { "nodes": [2] }]);
            file["scene"] = scene;
        })
    };
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let seen = |camera: Value| {
        tile(&[corners()], &json!({}), |file| {
            file["nodes"][0] = json!({ "name": "n", "mesh": 0, "camera": 0, "translation": [0, 0, 1] });
            file["cameras"] = json!([camera]);
        })
    };
    let at_one = "n: 0 0 1, 1 0 1, 1 1 1";
    let perspective = json!({ "type": "perspective", "perspective": { "yfov": 0.5, "znear": 0.1 } });
    let flat =
        json!({ "type": "orthographic", "orthographic": { "xmag": 1, "ymag": 1, "zfar": 9, "znear": 0.1 } });
    vec![
        // Scaled, then rotated by 90° about z, then moved.
        placed(
            "translation, rotation and scale",
            json!({ "translation": [1, 2, 3], "rotation": [0, 0, half, half], "scale": [2, 1, -1], "extras": { "a": 1 } }),
            "n: 1 2 3, 1 4 3, 0 4 3",
        ),
        placed("a rotation that is too long", json!({ "rotation": [0, 0, 3, 3] }), "n: 0 0 0, 0 1 0, -1 1 0")
            .says("Repaired: its rotation had length 4.243, now 1"),
        placed(
            "a matrix, column by column",
            json!({ "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1] }),
            "n: 5 6 7, 5 7 7, 4 7 7",
        ),
        placed(
            "instances without an attribute that is read",
            json!({ "extensions": { "EXT_mesh_gpu_instancing": { "attributes": {} } } }),
            FIRST,
        )
        .says("LeftOut: has no TRANSLATION, ROTATION or SCALE: its instances are left out"),
        row(
            "instances: one node each",
            "a.gltf",
            tile(&[corners(), ("VEC3", 5126, floats(&[0., 0., 1., 0., 0., 2.]))], &json!({}), |file| {
                let attributes = json!({ "attributes": { "TRANSLATION": 1 } });
                file["nodes"][0]["extensions"] = json!({ "EXT_mesh_gpu_instancing": attributes });
            }),
            "n #1: 0 0 1, 1 0 1, 1 1 1\nn #2: 0 0 2, 1 0 2, 1 1 2",
        ),
        row("the scene that is named", "a.gltf", tree(json!(1)), &FIRST.replace("n:", "other:"))
            .says("Ignored: only the default of 2 scenes is used"),
        row(
            "the first scene, where none is named; below its parent",
            "a.gltf",
            tree(Value::Null),
            "n: 0 0 5, 2 0 5, 2 2 5",
        )
        .says("Ignored: only the default of 2 scenes is used"),
        row("a camera", "a.gltf", seen(perspective), &format!("{at_one}\nn sees from 0 0 1, angle 28.64789")),
        row(
            "a camera without an angle",
            "a.gltf",
            seen(flat),
            &format!("{at_one}\nn sees from 0 0 1, angle none"),
        ),
        refused("a scene that is not there", "a.gltf", tree(json!(2)), "the default scene does not exist"),
    ]
}

fn refusals() -> Vec<Row> {
    let with = |key: &str, value: Value| tile(&[corners()], &json!({}), |file| file[key] = value);
    let none = [
        "KHR_materials_x",
        "KHR_texture_x",
        "EXT_texture_x",
        "MSFT_texture_x",
        "KHR_lights_punctual",
        "KHR_xmp",
        "KHR_xmp_json_ld",
        "KHR_mesh_quantization",
    ];
    vec![
        row("extensions of looks may be required", "a.gltf", with("extensionsRequired", json!(none)), FIRST),
        refused(
            "others may not",
            "a.gltf",
            with("extensionsRequired", json!(["KHR_animation_pointer"])),
            "KHR_animation_pointer is not supported",
        ),
        refused(
            "another version",
            "a.gltf",
            with("asset", json!({ "version": "1.0" })),
            "version 1.0 is not 2.x",
        ),
    ]
}

#[test]
fn every_spelling_of_gltf_comes_out_as_it_says() {
    check(&rows());
}
