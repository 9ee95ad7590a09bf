//! Files that are written, compared word for word.

use glam::{DVec3, Vec3};
use serde_json::{Value, json};
use tumble::body::Motion;
use tumble::convert::{Format, Opened, convert, scene_file};
use tumble::generate;
use tumble::import::{Unit, Up};
use tumble::scene::{OpenAs, Scene, SceneName, load_scene};

use super::gltf_text::{file, floats};
use super::stl;
use crate::common;
use crate::formats::writers::write;

const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// Returns a red lid that moves and has its own mass, a post of the same surface that is rotated by
/// 180° about z, and a trigger.
fn scene(folder: &std::path::Path) -> Scene {
    let indices = FACES.as_flattened().iter().flat_map(|i| i.to_le_bytes()).collect();
    let data = [("VEC3", 5126, floats(CORNERS.as_flattened())), ("SCALAR", 5125, indices)];
    let text = file(&data, |file| {
        let body = |own: Value| json!({ "KHR_physics_rigid_bodies": own });
        let geometry = json!({ "geometry": { "mesh": 0 } });
        file["materials"] =
            json!([{ "pbrMetallicRoughness": { "baseColorFactor": [1.0, 0.21953, 0.0, 1.0] } }]);
        file["meshes"] = json!([{ "name": "tip", "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1, "material": 0 }] }]);
        file["nodes"] = json!([
            { "name": "lid", "mesh": 0, "extensions": body(json!({ "motion": { "mass": 7, "linearVelocity": [1, 0, 0] }, "collider": geometry })) },
            { "name": "post", "mesh": 0, "translation": [2, 0, 0], "rotation": [0, 0, 1, 0], "extensions": body(json!({ "collider": geometry })) },
            { "name": "gate", "translation": [5, 0, 0], "extensions": body(json!({ "trigger": { "geometry": { "shape": 0 } } })) },
        ]);
        file["scenes"] = json!([{ "nodes": [0, 1, 2] }]);
        file["extensions"] = json!({ "KHR_implicit_shapes": { "shapes": [{ "type": "box" }] } });
    });
    load_scene(write(folder, "two.gltf", text).to_str().unwrap(), None).unwrap()
}

fn written(format: Format, origin: DVec3) -> (Vec<u8>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let converted = convert(&scene(folder.path()), format, origin).unwrap();
    (converted.bytes, converted.lost)
}

const LOST: [&str; 3] = ["1 triggers", "1 masses", "1 velocities"];

#[test]
fn an_obj_has_each_part_where_it_stands() {
    let faces = |before: u32| {
        FACES
            .map(|f| {
                let [a, b, c] = f.map(|v| v + before);
                format!("f {a} {b} {c}\n")
            })
            .concat()
    };
    let (lid, post) = ("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n", "v 2 0 0\nv 1 0 0\nv 2 -1 0\nv 2 0 1\n");
    let wanted = format!("# meters, y up\no lid\n{lid}{}o post\n{post}{}", faces(1), faces(5));
    let (bytes, lost) = written(Format::Obj, DVec3::ZERO);
    assert_eq!(String::from_utf8(bytes).unwrap(), wanted);
    let own = ["colours", "the places of parts: their coordinates are those of the scene"];
    assert_eq!(lost, [&LOST[..], &own].concat());
    // Relative to a point of the scene.
    let (bytes, lost) = written(Format::Obj, DVec3::new(1.0, 0.0, 0.5));
    let text = String::from_utf8(bytes).unwrap();
    assert!(
        text.starts_with("# meters, y up\n# relative to 1 0 0.5\no lid\nv -1 0 -0.5\nv 0 0 -0.5\n"),
        "{text}"
    );
    let origin = "the origin: coordinates are relative to (1, 0, 0.5) m of the scene";
    assert_eq!(lost, [&LOST[..], &[origin, "colours"]].concat());
}

#[test]
fn an_stl_of_two_parts_has_normals_that_point_out() {
    let (bytes, _) = written(Format::Stl, DVec3::ZERO);
    let text = String::from_utf8(bytes).unwrap();
    let facets = |name: &str| {
        text.split("endsolid").find(|s| s.contains(&format!("solid {name}\n"))).unwrap().to_owned()
    };
    let wanted = "solid lid
        facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet
        facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet
        facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet
        facet normal 0.57735026 0.57735026 0.57735026\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet";
    let words =
        |text: &str| text.replace("-0 ", "0 ").split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&facets("lid")), words(wanted));
    assert!(facets("post").contains("facet normal -0.57735026 -0.57735026 0.57735026"), "{text}");
}

#[test]
fn an_stl_of_one_part_has_normals_that_point_out() {
    let folder = tempfile::tempdir().unwrap();
    let corner = |v: u32| Vec3::from_array(CORNERS[v as usize]);
    let file = stl::binary("", &FACES.map(|f| f.map(corner)));
    let scene = load_scene(write(folder.path(), "one.stl", file).to_str().unwrap(), None).unwrap();
    let place = scene.bodies.iter().find(|b| !b.is_ground).unwrap().pose.position;
    let bytes = convert(&scene, Format::Stl, place).unwrap().bytes;
    let number = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let vector = |at: usize| Vec3::new(number(at), number(at + 4), number(at + 8));
    assert_eq!((bytes[80..84].to_vec(), bytes.len()), (vec![4, 0, 0, 0], 84 + 4 * 50));
    let third = Vec3::splat(1.0 / 3.0_f32.sqrt());
    for (at, normal) in [(0, Vec3::NEG_Z), (1, Vec3::NEG_Y), (2, Vec3::NEG_X), (3, third)] {
        let first = 84 + 50 * at;
        assert!(vector(first).distance(normal) < 1e-6, "{at}: {}", vector(first));
        let corners = [0, 1, 2].map(|k| vector(first + 12 + 12 * k));
        assert_eq!(corners, FACES[at].map(corner));
    }
}

#[test]
fn a_glb_says_what_the_scene_has() {
    let (bytes, lost) = written(Format::Glb, DVec3::ZERO);
    assert_eq!(lost, LOST);
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(4), word(8), &bytes[16..20]), (&b"glTF"[..], 2, bytes.len(), &b"JSON"[..]));
    let end = 20 + word(12);
    let document: Value = serde_json::from_slice(&bytes[20..end]).unwrap();
    let data = &bytes[end + 8..];
    assert_eq!((word(end), &bytes[end + 4..end + 8], word(end) % 4), (data.len(), &b"BIN\0"[..], 0));
    let mut wanted = floats(CORNERS.as_flattened());
    wanted.extend(FACES.as_flattened().iter().flat_map(|i| i.to_le_bytes()));
    assert_eq!(data, wanted);
    let color = &document["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"];
    // 0.21953 in linear light is code 129: (129 / 255 + 0.055) / 1.055 to the power of 2.4.
    let found: Vec<f64> = color.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!(found.iter().zip([1.0, 0.219_526, 0.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    let mut rest = document.clone();
    rest["materials"] = Value::Null;
    let wanted = json!({
        "asset": { "version": "2.0", "generator": "tumble" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [{ "name": "lid", "mesh": 0 }, { "name": "post", "mesh": 0, "translation": [2.0, 0.0, 0.0], "rotation": [0.0, 0.0, 1.0, 0.0] }],
        "meshes": [{ "name": "lid", "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1, "material": 0 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 1.0] },
            { "bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR" },
        ],
        "bufferViews": [{ "buffer": 0, "byteOffset": 0, "byteLength": 48 }, { "buffer": 0, "byteOffset": 48, "byteLength": 48 }],
        "buffers": [{ "byteLength": 96 }],
        "materials": null,
    });
    assert_eq!(rest, wanted);
}

/// Checks the choice of the worst part. At 1 km positions are 6e-5 m apart, at 5 km 5e-4 m. A cube of 1
/// cm loses a larger share of itself than one of 1 m, though its position is rounded by less.
#[test]
fn the_part_that_loses_most_of_its_detail_is_named() {
    let mut scene = common::scene("far");
    for (name, size, far) in [("large", 1.0, 5_000.000_2), ("small", 0.01, 1_000.000_02), ("near", 1.0, 1.0)]
    {
        let mesh = common::add_mesh(&mut scene, name, &generate::cuboid(Vec3::splat(size), 10.0));
        let body = common::add_body(&mut scene, mesh, Motion::Static, DVec3::X * far);
        scene.bodies[body].name = name.to_owned();
    }
    let said = convert(&scene, Format::Glb, DVec3::ZERO).unwrap().lost;
    // 1000.00002 becomes 1000.
    let wanted = "detail far from the origin: the places of 2 parts are rounded, most of \"small\", by up to 2.0e-5 m; \
                  --origin X,Y,Z near a part keeps more";
    assert!(said.iter().any(|lost| lost == wanted), "{said:?}");
}

#[test]
fn a_scene_file_says_how_its_model_was_opened() {
    let folder = tempfile::tempdir().unwrap();
    // 400 to 401 mm along x, 900 to 902 mm downwards.
    let corner = |v: u32| {
        Vec3::from_array(CORNERS[v as usize]) * Vec3::new(1.0, 2.0, 1.0) + Vec3::new(400.0, -902.0, 0.0)
    };
    let file = stl::binary("", &FACES.map(|f| f.map(corner)));
    let path = write(folder.path(), "tip.stl", file);
    let mut name = SceneName { open_as: Some(OpenAs::Drop), ..SceneName::from(path.to_str().unwrap()) };
    (name.read_as.unit, name.read_as.up) = (Some(Unit::Millimeter), Some(Up::Z));
    let scene = load_scene(name.clone(), None).unwrap();
    let text = scene_file(&scene, &Opened { name: &name, file: "tip.stl".to_owned(), joints: None });
    let head = "name = \"tip\"\n\n[[model]]\nfile = \"tip.stl\"\nunit = \"mm\"\nup = \"z\"\n\n[ground]\n";
    assert!(text.starts_with(head), "{text}");
    assert!(
        text.ends_with("\n# The parts, as [[part]], [[pair]] and [[joint]] call them:\n#   tip\n"),
        "{text}"
    );
    // The ground of a scene file is centered at the origin, and extends to below the part.
    let bounds = |scene: &Scene| {
        let ground = scene.bodies.iter().find(|b| b.is_ground).unwrap();
        scene.meshes[ground.mesh.unwrap() as usize].bounds().transformed(&ground.pose)
    };
    let (was, is) = (
        bounds(&scene),
        bounds(&load_scene(write(folder.path(), "tip.toml", &text).to_str().unwrap(), None).unwrap()),
    );
    assert!(was.min.x > 0.0, "the ground lies beside the origin: {was:?}");
    assert!(
        is.min.x <= was.min.x && is.min.z <= was.min.z && is.max.x >= was.max.x && is.max.z >= was.max.z,
        "{is:?}, {was:?}"
    );
    assert!((is.max.y - was.max.y).abs() < 1e-6);
}
