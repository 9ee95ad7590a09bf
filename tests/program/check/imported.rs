//! Content of files that a check must not lose: digits far from the origin, instances, parts of one name,
//! and geometry that is missing.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use glam::DVec3;
use serde_json::{Value, json};
use tumble::check::Kind;

use super::{check, found, stderr, stdout};

/// Name, corners and triangles.
type Solid = (&'static str, [DVec3; 8], [[usize; 3]; 12]);

/// Returns the corners and triangles of a box between two corners, m.
fn cuboid(min: DVec3, max: DVec3) -> ([DVec3; 8], [[usize; 3]; 12]) {
    let corner = |k: usize| {
        let side = |bit: usize, axis: usize| if k >> bit & 1 == 0 { min[axis] } else { max[axis] };
        DVec3::new(side(0, 0), side(1, 1), side(2, 2))
    };
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles: Vec<[usize; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    (std::array::from_fn(corner), triangles.try_into().unwrap())
}

/// Returns a slab and a duct that is 10 mm deep in it, with sizes of no round numbers, moved.
fn slab_and_duct(moved: DVec3) -> [Solid; 2] {
    let (slab, triangles) = cuboid(moved, moved + DVec3::new(4.013_57, 0.200_3, 3.001_9));
    let low = moved + DVec3::new(1.001_1, 0.190_3, 1.003);
    let (duct, _) = cuboid(low, low + DVec3::new(0.300_7, 0.250_1, 0.513));
    [("slab", slab, triangles), ("duct", duct, triangles)]
}

fn text_of(point: DVec3) -> String {
    format!("{:.6} {:.6} {:.6}", point.x, point.y, point.z)
}

fn obj(folder: &Path, moved: DVec3) -> PathBuf {
    let mut text = String::new();
    for (number, (name, points, triangles)) in slab_and_duct(moved).into_iter().enumerate() {
        text += &format!("o {name}\n");
        points.iter().for_each(|&point| text += &format!("v {}\n", text_of(point)));
        let vertex = |k: usize| 8 * number + k + 1;
        triangles
            .iter()
            .for_each(|t| text += &format!("f {} {} {}\n", vertex(t[0]), vertex(t[1]), vertex(t[2])));
    }
    written(folder, "far.obj", text)
}

fn stl(folder: &Path, moved: DVec3) -> PathBuf {
    let mut text = String::new();
    for (name, points, triangles) in slab_and_duct(moved) {
        text += &format!("solid {name}\n");
        for triangle in triangles {
            let vertices = triangle.map(|k| format!("vertex {}\n", text_of(points[k])));
            text += &format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", vertices.concat());
        }
        text += &format!("endsolid {name}\n");
    }
    written(folder, "far.stl", text)
}

/// Writes a scene of two PLY files: texts with coordinates declared as floats, or doubles in binary.
fn ply(folder: &Path, moved: DVec3, is_text: bool) -> PathBuf {
    let mut scene = String::new();
    for (name, points, triangles) in slab_and_duct(moved) {
        let (format, kind) = if is_text { ("ascii", "float") } else { ("binary_little_endian", "double") };
        let mut bytes = format!(
            "ply\nformat {format} 1.0\nelement vertex 8\nproperty {kind} x\nproperty {kind} y\nproperty {kind} z\n\
             element face 12\nproperty list uchar int vertex_indices\nend_header\n"
        )
        .into_bytes();
        if is_text {
            points.iter().for_each(|&point| bytes.extend(format!("{}\n", text_of(point)).bytes()));
            triangles.iter().for_each(|t| bytes.extend(format!("3 {} {} {}\n", t[0], t[1], t[2]).bytes()));
        } else {
            points.iter().flat_map(|point| point.to_array()).for_each(|x| bytes.extend(x.to_le_bytes()));
            for triangle in triangles {
                bytes.push(3);
                triangle.iter().for_each(|&k| bytes.extend((k as i32).to_le_bytes()));
            }
        }
        fs::write(folder.join(format!("{name}.ply")), bytes).unwrap();
        scene += &format!(
            "[[model]]\nfile = \"{name}.ply\"\nunit = \"m\"\n[[part]]\nname = \"{name}\"\nmotion = \"static\"\n"
        );
    }
    written(folder, "far.toml", scene)
}

fn dae(folder: &Path, moved: DVec3) -> PathBuf {
    let (mut geometries, mut nodes) = (String::new(), String::new());
    for (name, points, triangles) in slab_and_duct(moved) {
        let numbers: Vec<String> = points.iter().map(|&point| text_of(point)).collect();
        let corners: Vec<String> = triangles.as_flattened().iter().map(usize::to_string).collect();
        geometries += &format!(
            "<geometry id=\"{name}\" name=\"{name}\"><mesh><source id=\"{name}-p\"><float_array id=\"{name}-a\" count=\"24\">{}\
             </float_array><technique_common><accessor source=\"#{name}-a\" count=\"8\" stride=\"3\"/></technique_common>\
             </source><vertices id=\"{name}-v\"><input semantic=\"POSITION\" source=\"#{name}-p\"/></vertices>\
             <triangles count=\"12\"><input semantic=\"VERTEX\" source=\"#{name}-v\" offset=\"0\"/><p>{}</p></triangles>\
             </mesh></geometry>",
            numbers.join(" "),
            corners.join(" ")
        );
        nodes +=
            &format!("<node id=\"{name}-n\" name=\"{name}\"><instance_geometry url=\"#{name}\"/></node>");
    }
    let text = format!(
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset>\
         <unit meter=\"1\"/><up_axis>Y_UP</up_axis></asset><library_geometries>{geometries}</library_geometries>\
         <library_visual_scenes><visual_scene id=\"s\">{nodes}</visual_scene></library_visual_scenes>\
         <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
    );
    written(folder, "far.dae", text)
}

fn written(folder: &Path, name: &str, text: String) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_duct_in_a_slab_clashes_at_2860_km_as_at_home_in_every_format_with_the_digits() {
    for moved in [DVec3::ZERO, DVec3::new(2_600_123.4, 431.7, -1_199_876.5)] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for path in [obj(folder, moved), stl(folder, moved), ply(folder, moved, true), dae(folder, moved)] {
            expect_clash(&path, moved);
        }
        expect_clash(&ply(folder, moved, false), moved);
    }
}

fn expect_clash(path: &Path, moved: DVec3) {
    let is_scene = path.extension().unwrap() == "toml";
    let arguments: &[&str] = if is_scene { &[] } else { &["--unit", "m", "--up", "y"] };
    let document = found(path, arguments);
    let name = path.display();
    let [finding] = &document.findings[..] else { panic!("{name}, {moved}: {document:?}") };
    assert_eq!(
        (finding.kind, document.coarse_tolerance.is_none()),
        (Kind::Clash, true),
        "{name}: {finding:?}"
    );
    assert!((finding.depth_m.unwrap() - 0.01).abs() < 5e-4, "{name}: {finding:?}");
    assert!(finding.tolerance_m < 1e-5, "{name}: {finding:?}");
    let place = DVec3::from(finding.points[0]) - moved;
    assert!((0.9..1.4).contains(&place.x) && (0.18..0.21).contains(&place.y), "{name}: {place}");
}

/// `recenter = true` places the origin of the file, also where the reader gave a part another one.
#[test]
fn far_parts_that_are_recentered_by_their_file_keep_their_distance() {
    let folder = tempfile::tempdir().unwrap();
    let moved = DVec3::new(2_600_123.4, 431.7, -1_199_876.5);
    obj(folder.path(), moved);
    let at = -moved;
    let scene = format!(
        "[[model]]\nfile = \"far.obj\"\nunit = \"m\"\nrecenter = true\nposition = [{}, {}, {}]\n",
        at.x, at.y, at.z
    );
    expect_clash(&written(folder.path(), "moved.toml", scene), DVec3::ZERO);
}

#[test]
fn two_objects_of_one_name_are_two_parts_and_their_clash_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let near = obj(folder.path(), DVec3::ZERO);
    let text = fs::read_to_string(&near).unwrap().replace("o duct", "o slab");
    let document = found(&written(folder.path(), "same.obj", text.clone()), &["--unit", "m"]);
    assert_eq!((document.part_count, document.findings.len()), (2, 1), "{document:?}");
    assert_eq!(document.findings[0].kind, Kind::Clash);
    // Only groups collect their faces, within one object.
    let group = text.replace("o slab", "g slab");
    let output = check(&written(folder.path(), "group.obj", group), &["--unit", "m", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["part_count"], 1, "{document}");
}

/// Returns a glTF file of a cube of 0.1 m at x = 1 m and of one node with instances of the same cube
/// that are 0.095 m apart along x, beginning at 0.
fn instances(count: usize) -> Value {
    let (points, triangles) = cuboid(DVec3::splat(-0.05), DVec3::splat(0.05));
    let mut bytes: Vec<u8> =
        points.iter().flat_map(|p| p.as_vec3().to_array()).flat_map(f32::to_le_bytes).collect();
    bytes.extend(triangles.as_flattened().iter().flat_map(|&k| (k as u16).to_le_bytes()));
    let at = bytes.len();
    bytes.extend((0..count).flat_map(|k| [0.095 * k as f32, 0.0, 0.0]).flat_map(f32::to_le_bytes));
    let uri = format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(&bytes));
    let extension = "EXT_mesh_gpu_instancing";
    json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0, 1] }],
        "extensionsUsed": [extension], "extensionsRequired": [extension],
        "nodes": [
            { "name": "pin", "mesh": 0, "translation": [1, 0, 0] },
            { "name": "bolt", "mesh": 0, "extensions": { extension: { "attributes": { "TRANSLATION": 2 } } } }
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3",
              "min": [-0.05, -0.05, -0.05], "max": [0.05, 0.05, 0.05] },
            { "bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR" },
            { "bufferView": 2, "componentType": 5126, "count": count, "type": "VEC3" }
        ],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 96 }, { "buffer": 0, "byteOffset": 96, "byteLength": 72 },
            { "buffer": 0, "byteOffset": at, "byteLength": 12 * count }
        ],
        "buffers": [{ "byteLength": bytes.len(), "uri": uri }]
    })
}

#[test]
fn instances_that_a_file_requires_are_parts_and_each_clash_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = instances(10);
    let document = found(&written(folder.path(), "ten.gltf", file.to_string()), &[]);
    // Neighbors overlap by 5 mm, and the last one, at 0.855 m, does not reach the pin.
    assert_eq!((document.part_count, document.findings.len()), (11, 9), "{document:?}");
    assert!(document.findings.iter().all(|finding| finding.kind == Kind::Clash));
    assert!(document.findings.iter().any(|f| f.a == "bolt/bolt #1" && f.b == "bolt/bolt #2"), "{document:?}");
    let extension = "/nodes/1/extensions/EXT_mesh_gpu_instancing";
    let refused = |change: &dyn Fn(&mut Value), says: &str| {
        let mut file = file.clone();
        change(&mut file);
        let output = check(&written(folder.path(), "bad.gltf", file.to_string()), &[]);
        assert_eq!(output.status.code(), Some(2), "{says}: {}", stdout(&output));
        assert!(stderr(&output).contains(says), "{says}: {}", stderr(&output));
    };
    refused(&|f| f["extensionsRequired"][0] = json!("EXT_unheard_of"), "EXT_unheard_of is not supported");
    refused(&|f| *f.pointer_mut(extension).unwrap() = json!([]), "must be an object");
    refused(&|f| f.pointer_mut(extension).unwrap()["attributes"]["TRANSLATION"] = json!(9), "there are 3");
    refused(&|f| f.pointer_mut(extension).unwrap()["attributes"]["SCALE"] = json!(0), "different numbers");
    refused(&|f| f["accessors"][2]["count"] = json!(1_000_000_000), "beyond their buffer view");
}

#[test]
fn geometry_that_is_missing_is_told_and_is_no_all_clear() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = instances(1);
    // A mesh of which every triangle is a point.
    file["meshes"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "primitives": [{ "attributes": { "POSITION": 2 } }] }));
    file["nodes"][0]["mesh"] = json!(1);
    file["accessors"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "componentType": 5126, "count": 3, "type": "VEC3" }));
    file["meshes"][1]["primitives"][0]["attributes"]["POSITION"] = json!(3);
    let path = written(folder.path(), "empty.gltf", file.to_string());
    let output = check(&path, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stdout(&output).contains("geometry is missing: ") && stdout(&output).contains("--allow-missing"));
    let output = check(&path, &["--allow-missing", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["missing"][0].as_str().unwrap().contains("has no usable surface"), "{document}");
    assert_eq!(document["import_notes"][0]["kind"], "left-out", "{document}");
    // A finding fails the check even then, and JSON has both.
    let mut file = instances(2);
    file["nodes"][0]["mesh"] = json!(1);
    file["meshes"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "primitives": [{ "attributes": { "POSITION": 3 } }] }));
    file["accessors"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "componentType": 5126, "count": 3, "type": "VEC3" }));
    let output = check(&written(folder.path(), "both.gltf", file.to_string()), &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["missing"][0].is_string() && document["findings"][0]["kind"] == "clash", "{document}");
}

#[test]
fn a_node_of_gltf_stands_where_its_digits_say() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = instances(1);
    // Apart by a tenth of a micrometer, 3,000 km away: in 32 bits both would be at 3,000,000.
    file["nodes"][0]["translation"] = json!([3_000_000.000_000_1, 0, 0]);
    file["nodes"][1] = json!({ "name": "other", "mesh": 0, "translation": [3_000_000.100_020_1, 0, 0] });
    file["extensionsRequired"] = json!([]);
    let document = found(&written(folder.path(), "far.gltf", file.to_string()), &["--clearance", "1mm"]);
    let [finding] = &document.findings[..] else { panic!("{document:?}") };
    assert_eq!(finding.kind, Kind::Clearance, "{finding:?}");
    assert!((finding.distance_m - 2e-5).abs() < 1e-8, "{finding:?}");
}
