//! Short files that would take all memory or unlimited time. Each either ends at a limit, which the
//! message names, or is read quickly. The tests run the program as a user runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

fn tumble(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tumble")).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Returns a model with one mesh of `triangles` triangles. The caller adds the nodes and everything
/// else.
fn model(triangles: usize) -> Value {
    let corners = [[0.0f32, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    let faces = [[0u16, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mut bytes: Vec<u8> = corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let indices = faces.iter().cycle().take(triangles).flatten();
    bytes.extend(indices.flat_map(|i| i.to_le_bytes()));
    json!({
        "asset": { "version": "2.0" },
        "nodes": [],
        "meshes": [{ "name": "tetrahedron",
            "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "buffers": [{ "byteLength": bytes.len(),
            "uri": format!("data:application/octet-stream;base64,{}", STANDARD.encode(&bytes)) }],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": bytes.len() - 48 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5123, "count": 3 * triangles, "type": "SCALAR" }]
    })
}

/// Returns a node with the mesh, at a distance from all other nodes.
fn node(index: usize, name: &str) -> Value {
    json!({ "name": name, "mesh": 0, "translation": [index as f64, 0.5, 0.0] })
}

fn inspect(file: &Value) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.gltf");
    fs::write(&path, file.to_string()).unwrap();
    tumble(&["inspect", path.to_str().unwrap(), "--json"])
}

fn is_loaded(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Asserts that the exit code is 2 and that the message contains all of these texts.
fn is_refused(output: &Output, says: &[&str]) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(says.iter().all(|part| message.contains(part)), "{says:?} is not in: {message}");
}

fn run_scene(folder: &Path, text: &str) -> Output {
    fs::write(folder.join("hostile.toml"), text).unwrap();
    tumble(&["run", folder.join("hostile.toml").to_str().unwrap(), "--steps", "1"])
}

/// Checks filters with many names. Comparing all names for each pair of bodies would take ten million
/// million comparisons.
#[test]
fn filters_of_many_names_on_many_bodies_load_at_once() {
    let names: Vec<String> = (0..1000).map(|n| format!("system {n}")).collect();
    let mut file = model(4);
    let body = |index: usize| {
        let mut body = node(index, "body");
        body["extensions"] = json!({ "KHR_physics_rigid_bodies": {
            "motion": {}, "collider": { "geometry": { "node": index }, "collisionFilter": index % 2 }
        } });
        body
    };
    file["nodes"] = json!((0..4900).map(body).collect::<Vec<_>>());
    file["extensions"] = json!({ "KHR_physics_rigid_bodies": { "collisionFilters": [
        { "collisionSystems": names, "notCollideWithSystems": names },
        { "collisionSystems": ["other"], "collideWithSystems": names }
    ] } });
    assert_eq!(is_loaded(&inspect(&file))["bodies"].as_array().unwrap().len(), 4900);
}

#[test]
fn more_materials_than_are_read_are_refused_before_they_are_parsed() {
    let mut file = model(4);
    file["nodes"] = json!([node(0, "one")]);
    for (list, said) in [("materials", "materials"), ("bufferViews", "buffer views"), ("nodes", "nodes")] {
        let mut file = file.clone();
        file[list] = json!(vec![json!({}); 600_000]);
        let says = format!("{list}: there are 600,000 {said}, the limit is 524,288");
        is_refused(&inspect(&file), &["hostile.gltf", &says]);
    }
    let mut nested = file.clone();
    nested["animations"] = json!([{ "channels": vec![json!({}); 2_200_000], "samplers": [] }]);
    is_refused(&inspect(&nested), &["objects, the limit is 2,097,152"]);
    let mut kept = file;
    kept["extras"] = json!({ "numbers": vec![0; 1_100_000] });
    is_refused(&inspect(&kept), &["values below extensions and extras, the limit is 1,048,576"]);
}

#[test]
fn a_mesh_named_by_thousands_of_colliders_of_thousands_of_nodes_is_refused() {
    let mut file = model(1000);
    let collider = json!({ "KHR_physics_rigid_bodies": {
        "motion": {}, "collider": { "geometry": { "node": 0 } } } });
    let children: Vec<usize> = (1..=2000).collect();
    let mut nodes = vec![json!({ "name": "assembly", "children": children })];
    nodes.extend(children.iter().map(|_| json!({ "mesh": 0 })));
    nodes.extend(children.iter().map(|_| json!({ "extensions": collider })));
    file["nodes"] = json!(nodes);
    is_refused(
        &inspect(&file),
        &["hostile.gltf", "nodes, vertices and triangles", "the limit is 67,108,864"],
    );
}

/// Reads parts that would exceed the limit if each were laid out.
#[test]
fn a_mesh_of_thousands_of_parts_is_laid_out_once() {
    let mut file = model(4000);
    file["nodes"] = json!((0..20_000).map(|at| node(at, &format!("part {at}"))).collect::<Vec<_>>());
    let document = is_loaded(&inspect(&file));
    let bodies = document["bodies"].as_array().unwrap();
    assert_eq!(bodies.len(), 20_001);
    assert!(bodies[..20_000].iter().enumerate().all(|(at, body)| body["name"] == format!("part {at}")));
}

#[test]
fn one_long_name_on_many_nodes_is_kept_short_and_told() {
    let mut file = model(4);
    let count = 15_001;
    file["nodes"] = json!((0..count).map(|at| node(at, "")).collect::<Vec<_>>());
    for node in file["nodes"].as_array_mut().unwrap() {
        node.as_object_mut().unwrap().remove("name");
    }
    file["meshes"][0]["name"] = json!("n".repeat(200_000));
    let document = is_loaded(&inspect(&file));
    assert_eq!(document["bodies"].as_array().unwrap().len(), count + 1);
    let notes = document["notes"].to_string();
    assert!(notes.contains("a name has 200000 bytes, and 256 of them are kept"), "{notes}");
    assert!(notes.len() < 1_000_000, "{}", notes.len());
}

/// Checks names for which a new name is hard to find: one after the other, the candidates are taken by
/// earlier names.
#[test]
fn names_that_look_like_those_of_copies_stay_apart() {
    let mut file = model(4);
    let deep = (0..120).map(|depth| format!("a{}", ".2".repeat(depth)));
    let names: Vec<String> = deep.chain((0..2000).map(|_| "a".to_owned())).collect();
    file["nodes"] = json!(names.iter().enumerate().map(|(at, name)| node(at, name)).collect::<Vec<_>>());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("names.gltf");
    fs::write(&path, file.to_string()).unwrap();
    let scene = tumble::scene::load_scene(path.to_str().unwrap(), None).unwrap();
    let mut kept: Vec<&str> = scene.bodies.iter().map(|b| b.name.as_str()).collect();
    assert!(kept.contains(&"a.3") && kept.contains(&"a.2001"), "the next number that is free");
    assert!(kept.iter().all(|name| name.len() <= 2 * 120));
    kept.sort_unstable();
    kept.dedup();
    assert_eq!(kept.len(), scene.bodies.len());
}

#[test]
fn a_nested_pattern_is_an_error_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = model(4);
    file["nodes"] = json!([node(0, "gear")]);
    fs::write(folder.path().join("a.gltf"), file.to_string()).unwrap();
    let nested = |depth: usize| format!("{}b{}", "{a,".repeat(depth), "}".repeat(depth));
    for (depth, says) in [(250, "is not a pattern"), (500, "a pattern has 2,001 bytes, the limit is 1,024")] {
        let entry = format!("[[model]]\nfile = \"a.gltf\"\nnodes = [\n \"{}\"\n]\n", nested(depth));
        is_refused(&run_scene(folder.path(), &entry), &["hostile.toml: line 4: a.gltf:", says]);
        let rule = format!("[[model]]\nfile = \"a.gltf\"\n[[part]]\nname = \"{}\"\n", nested(depth));
        is_refused(&run_scene(folder.path(), &rule), &["hostile.toml: line 4: part", says]);
    }
    let entry = format!("[[model]]\nfile = \"a.gltf\"\nnodes = [\"{{gear,{}}}\"]\n", nested(20));
    assert_eq!(run_scene(folder.path(), &entry).status.code(), Some(0));
}

#[test]
fn a_limit_that_leaves_a_joint_no_place_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = model(4);
    file["nodes"] = json!([node(0, "a"), node(1, "b")]);
    fs::write(folder.path().join("a.gltf"), file.to_string()).unwrap();
    let run = |kind: &str, limits: &str| {
        let joint =
            format!("[[joint]]\nkind = \"{kind}\"\na = \"a\"\nb = \"b\"\nanchor = [0, 0, 0]\n{limits}\n");
        run_scene(folder.path(), &format!("[[model]]\nfile = \"a.gltf\"\n{joint}"))
    };
    for kind in ["hinge", "slider"] {
        let says = "leaves the joint no range; omit it for no limit";
        is_refused(&run(kind, "max = -inf"), &["hostile.toml: line 8", "a limit of -inf", says]);
        is_refused(&run(kind, "min = inf"), &["hostile.toml: line 8", "a limit of inf", says]);
        let free = run(kind, "min = -inf\nmax = inf");
        assert_eq!(free.status.code(), Some(0), "{}", stderr(&free));
    }
}

#[test]
fn nothing_in_a_name_reaches_the_terminal_as_a_command() {
    let evil = "\u{1b}[31mred\u{1b}]0;pwned\u{7}\r\nerror: fake\u{9b}2J\u{202e}";
    let mut file = model(4);
    file["nodes"] = json!([node(0, evil), node(1, "b")]);
    file["nodes"][0]["rotation"] = json!([3, 4, 5, 6]);
    file["extensionsUsed"] = json!([evil]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evil.gltf");
    fs::write(&path, file.to_string()).unwrap();
    let path = path.to_str().unwrap();
    let is_plain = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{text:?}");
        assert!(!text.lines().any(|line| line.starts_with("error")), "{text:?}");
    };
    for arguments in [&["inspect", path][..], &["run", path, "--steps", "1"]] {
        let output = tumble(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(stderr(&output).contains("\\u{1b}[31mred"), "{}", stderr(&output));
        is_plain(&output.stdout);
        is_plain(&output.stderr);
    }
    let missing = tumble(&["run", &format!("no{evil}.glb")]);
    assert!(!stderr(&missing).contains('\u{1b}') && stderr(&missing).lines().count() == 1);
    let toml = run_scene(
        folder.path(),
        "[[model]]\nfile = \"evil.gltf\"\n[[pair]]\na = \"\\u001b[2J\"\nb = \"*\"\nrule = \"ignore\"\n",
    );
    assert!(stderr(&toml).contains("\\u{1b}[2J") && !stderr(&toml).contains('\u{1b}'), "{}", stderr(&toml));
}

#[test]
fn rules_for_all_pairs_of_all_parts_are_refused_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = model(4);
    file["nodes"] = json!([node(0, "gear")]);
    fs::write(folder.path().join("a.gltf"), file.to_string()).unwrap();
    let scene = |count: usize| {
        format!(
            "[[model]]\nfile = \"a.gltf\"\ncopies = {{ count = [{count}, 1, 1], spacing = [0.5, 0, 0] }}\n\
             [[pair]]\na = \"*\"\nb = \"gear\"\nrule = \"ignore\"\n"
        )
    };
    assert_eq!(run_scene(folder.path(), &scene(300)).status.code(), Some(0));
    let says = "there are 9,000,000 pairs of parts with a rule, the limit is 4,194,304";
    is_refused(&run_scene(folder.path(), &scene(3000)), &["hostile.toml: line 5: pair * / gear:", says]);
}

#[test]
fn more_bodies_than_a_scene_may_have_are_refused_before_they_are_made() {
    let mut file = model(4);
    file["nodes"] = json!((0..100_001).map(|at| node(at, "")).collect::<Vec<_>>());
    is_refused(&inspect(&file), &["there are 100,001 bodies or more, the limit is 100,000"]);
}
