//! Scenes in which all triangles come near all others: extremely fast bodies, steps of one second, and
//! fans. The work of each step is limited, and the skipped pairs are reported. The tests run the
//! program as a user runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tumble::scene::load_scene;
use tumble::tree::TreeKind;
use tumble::world::World;

use crate::rounds::is_full;

/// Largest number of triangle pairs that a step may test, which takes about ten seconds. Without a
/// limit, the scenes here had many times as many.
const MOST_CANDIDATES: u64 = 1 << 27;

/// Writes a scene file. Copies the models that it may name into the same folder.
fn lay_out(folder: &Path, text: &str) -> String {
    for model in ["parts.glb", "walker.glb", "standing.glb"] {
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        fs::copy(assets.join(model), folder.join(model)).unwrap();
    }
    fs::write(folder.join("scene.toml"), text).unwrap();
    folder.join("scene.toml").to_str().unwrap().to_owned()
}

fn run(folder: &Path, text: &str) -> Output {
    run_steps(folder, text, "2")
}

fn run_steps(folder: &Path, text: &str, count: &str) -> Output {
    let path = lay_out(folder, text);
    Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["run", &path, "--json", "--steps", count])
        .output()
        .unwrap()
}

/// Returns the JSON of a run. Asserts that the run stays within its limit.
fn is_bounded(output: &Output) -> Value {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let candidates = document["counts"]["candidates"]["max"].as_u64().unwrap();
    assert!(candidates < MOST_CANDIDATES, "{candidates}");
    document
}

/// Returns the JSON of a run. Asserts that the run stays within its limit and reports the skipped
/// pairs.
fn ends(output: &Output) -> Value {
    let document = is_bounded(output);
    assert!(document["counts"]["crowded"]["max"].as_u64() > Some(0), "{}", document["counts"]);
    // If bodies were set aside, these bodies are named instead of pairs.
    let are_named = document["crowded_pairs"].as_array().is_some_and(|pairs| !pairs.is_empty());
    assert!(are_named || document["quarantined"].as_u64() > Some(0), "{document}");
    document
}

fn fast_parts(motion: &str) -> String {
    let part = |name: &str, x: f64| {
        format!(
            "[[model]]\nfile = \"parts.glb\"\nnodes = [\"{name}\"]\nrecenter = true\nposition = [{x}, 0.3, 0]\n"
        )
    };
    let parts = [part("nut", 0.0), part("gear_small", 0.3), part("gear_large", 0.3)].concat();
    format!("{parts}[[part]]\nname = \"nut\"\n{motion}\n[ground]\n")
}

/// Guards against steps that take 12 to 38 s. The part that falls collides with the ground at the time of
/// impact. The one that flies aside kicks two gears, which are then crowded.
#[test]
fn a_part_at_two_million_kilometres_a_second_does_not_hang_the_step() {
    let folder = tempfile::tempdir().unwrap();
    let landed = is_bounded(&run(folder.path(), &fast_parts("velocity = [0, -2.1e9, 0]")));
    assert!(landed["counts"]["impacts"]["max"].as_u64() > Some(0), "{}", landed["counts"]);
    assert_eq!(landed["counts"]["crowded"]["max"], 0, "{}", landed["counts"]);
    assert_eq!(landed["passages"], Value::Array(Vec::new()));
    ends(&run(folder.path(), &fast_parts("velocity = [2.1e9, 0, 0]")));
    is_bounded(&run(folder.path(), &fast_parts("angular_velocity = [1e300, 0, 0]")));
}

/// Checks the JSON and the table: the step, and the speeds before and after the spin is cut.
#[test]
fn a_spin_that_is_too_fast_to_follow_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let scene = |spin: &str| {
        format!(
            "gravity = [0, 0, 0]\n[[model]]\nfile = \"parts.glb\"\nnodes = [\"gear_small\"]\n\
             [[part]]\nname = \"gear_small\"\nangular_velocity = [0, {spin}, 0]\n"
        )
    };
    // The limit is eight turns per sub-step, and there are 240 sub-steps per second.
    let most = 8.0 * std::f64::consts::TAU * 240.0;
    for (spin, speed) in [("1e9", 1e9), ("-1e300", 1e300)] {
        let document = is_bounded(&run(folder.path(), &scene(spin)));
        let cut = &document["cut_spins"][0];
        assert_eq!((&cut["body"], &cut["first_step"]), (&"gear_small".into(), &1.into()), "{document}");
        assert_eq!((&cut["spin_rad_s"], &cut["fastest_step"]), (&speed.into(), &1.into()));
        assert!((cut["kept_rad_s"].as_f64().unwrap() / most - 1.0).abs() < 1e-9, "{cut}");
        assert_eq!(document["counts"]["cut_spins"]["max"], 1, "{}", document["counts"]);
        assert_eq!(document["quarantined"], 0);
    }
    let path = lay_out(folder.path(), &scene("1e9"));
    let table = Command::new(env!("CARGO_BIN_EXE_tumble")).args(["run", &path, "--steps", "2"]).output();
    let table = String::from_utf8(table.unwrap().stdout).unwrap();
    assert!(table.contains("gear_small spun too fast to follow: 1.000e9 rad/s, cut to 12063.716"), "{table}");
    assert_eq!(is_bounded(&run(folder.path(), &scene("12000.0")))["cut_spins"], Value::Array(Vec::new()));
}

#[test]
fn contacts_of_a_fast_part_do_not_depend_on_the_hierarchy() {
    let folder = tempfile::tempdir().unwrap();
    let path = lay_out(folder.path(), &fast_parts("velocity = [0, -2.1e9, 0]"));
    let mut scene = load_scene(&path, None).unwrap();
    let kinds = [(TreeKind::Boxtree8, 1), (TreeKind::Boxtree8, 3), (TreeKind::Sphere, 1)];
    let ends = kinds.map(|(kind, threads)| {
        scene.config.tree = kind.into();
        scene.config.threads = threads;
        let mut world = World::new(&scene).unwrap();
        world.step();
        (world.counts().effort, world.counts().crowded, world.state_hash())
    });
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:x?}");
}

/// Guards against steps that take 13 s. They did because the joints threw the links apart and each link
/// was searched against all others.
#[test]
fn a_powered_figure_of_two_micrometres_does_not_hang_the_step() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[[model]]\nfile = \"walker.glb\"\nscale = 1e-6\nanimation = { clip = \"walk\" }\n\
                figure = \"powered\"\n[ground]\n";
    ends(&run(folder.path(), text));
}

/// Guards against a first step that takes 20 to 33 s.
#[test]
fn steps_of_a_second_of_a_chain_do_not_hang() {
    let output = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["run", "chain", "--steps", "1", "--dt", "1", "--json"])
        .output()
        .unwrap();
    // No pair is skipped either.
    let document = is_bounded(&output);
    assert_eq!(document["counts"]["crowded"]["max"], 0);
}

#[test]
fn a_stride_of_light_years_is_refused_and_one_of_a_million_kilometres_ends() {
    let folder = tempfile::tempdir().unwrap();
    let scene = |stride: &str| {
        format!(
            "[[model]]\nfile = \"walker.glb\"\nanimation = {{ clip = \"walk\", stride = {stride} }}\n\
             [[model]]\nfile = \"standing.glb\"\nnodes = [\"crate\"]\nrecenter = true\nposition = [-0.3, 0.0, 1.0]\n\
             copies = {{ count = [3, 3, 1], spacing = [0.6, 0.556, 0.6] }}\n[ground]\n"
        )
    };
    let output = run(folder.path(), &scene("[0, -9.2e18, 1.35]"));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    let says = "the stride of an animation must be finite and at most 1e10 m along an axis";
    assert!(message.contains("scene.toml: line ") && message.contains(says), "{message}");
    ends(&run(folder.path(), &scene("[0, -1e9, 1.35]")));
}

/// Writes a shallow cone of slivers around one vertex, as a glTF file with a separate data file.
fn write_fan(folder: &Path, count: u32) {
    let rim = |k: u32| {
        let angle = std::f32::consts::TAU * k as f32 / count as f32;
        [angle.cos(), 0.0, -angle.sin()]
    };
    let corners: Vec<[f32; 3]> = std::iter::once([0.0, 0.05, 0.0]).chain((0..count).map(rim)).collect();
    let triangles: Vec<[u32; 3]> = (0..count).map(|k| [0, 1 + k, 1 + (k + 1) % count]).collect();
    let mut bytes: Vec<u8> = corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let start = bytes.len();
    bytes.extend(triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes()));
    let file = serde_json::json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "name": "fan", "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "buffers": [{ "byteLength": bytes.len(), "uri": "fan.bin" }],
        "bufferViews": [{ "buffer": 0, "byteLength": start },
            { "buffer": 0, "byteOffset": start, "byteLength": bytes.len() - start }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": corners.len(), "type": "VEC3" },
            { "bufferView": 1, "componentType": 5125, "count": 3 * triangles.len(), "type": "SCALAR" }]
    });
    fs::write(folder.join("fan.bin"), bytes).unwrap();
    fs::write(folder.join("fan.gltf"), file.to_string()).unwrap();
}

/// Checks slivers that are apart but whose boxes overlap, which makes a hundred million pairs; with
/// `TUMBLE_FULL=1` ten thousand million, which take minutes.
#[test]
fn two_fans_of_ten_thousand_triangles_are_held_and_named() {
    let folder = tempfile::tempdir().unwrap();
    write_fan(folder.path(), if is_full() { 100_000 } else { 10_000 });
    // One fan falls onto the other.
    let text = "[[model]]\nfile = \"fan.gltf\"\nposition = [0, 0.01, 0]\n\
                copies = { count = [1, 2, 1], spacing = [0, 0.3, 0] }\n[ground]\n";
    let document = ends(&run_steps(folder.path(), text, "24"));
    assert_eq!(document["crowded_pairs"][0]["too_many_places"], true, "{document}");
}
