//! Skins from other programs, mainly broken ones: a reported repair or an error with its position, and
//! a run that ends with finite poses, whatever surface collides.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tumble::articulation::{LinkTreeKind, SkinKind};
use tumble::import::NoteKind;
use tumble::scene::{Scene, load_scene};
use tumble::world::World;

/// A tube of triangles along x on a chain of joints, one per meter.
struct Tube {
    joint_count: usize,
    /// Distance of joints, m.
    spacing: f32,
    weight: fn(vertex: usize) -> [f32; 4],
    scale: [f32; 3],
}

impl Default for Tube {
    fn default() -> Self {
        Self { joint_count: 4, spacing: 1.0, weight: |_| [0.75, 0.25, 0.0, 0.0], scale: [1.0; 3] }
    }
}

impl Tube {
    fn file(&self) -> Value {
        let (mut positions, mut joints, mut weights, mut corners) = (vec![], vec![], vec![], vec![]);
        for ring in 0..self.joint_count {
            for (y, z) in [(0.2f32, 0.0f32), (-0.1, 0.2), (-0.1, -0.2)] {
                weights.extend((self.weight)(positions.len()).map(f32::to_le_bytes));
                positions.push([ring as f32 + 0.5, y, z]);
                joints.push([ring as u16, (ring + 1).min(self.joint_count - 1) as u16, 0, 0]);
            }
        }
        for ring in 0..self.joint_count as u16 - 1 {
            for k in 0..3 {
                let [a, b] = [k, (k + 1) % 3].map(|side| 3 * ring + side);
                corners.extend([a, b, a + 3, b, b + 3, a + 3]);
            }
        }
        let mut bytes = positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
        let mut starts = vec![0];
        starts.push(bytes.len());
        bytes.extend(joints.iter().flatten().flat_map(|j| j.to_le_bytes()));
        starts.push(bytes.len());
        bytes.extend(weights.iter().flatten());
        starts.push(bytes.len());
        bytes.extend(corners.iter().flat_map(|c| c.to_le_bytes()));
        starts.push(bytes.len());
        let views: Vec<Value> = starts
            .windows(2)
            .map(|w| json!({ "buffer": 0, "byteOffset": w[0], "byteLength": w[1] - w[0] }))
            .collect();
        let nodes = (0..self.joint_count).map(|j| {
            let children = if j + 1 < self.joint_count { vec![j + 1] } else { vec![] };
            let x = if j > 0 { self.spacing } else { 0.0 };
            let scale = if j == 1 { self.scale } else { [1.0; 3] };
            let mut node =
                json!({ "name": format!("bone {j}"), "translation": [x, 0.0, 0.0], "scale": scale });
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            node
        });
        let mut nodes: Vec<Value> = nodes.collect();
        nodes.push(json!({ "name": "tube", "mesh": 0, "skin": 0 }));
        let (vertex_count, corner_count) = (positions.len(), corners.len());
        json!({
            "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0, self.joint_count] }],
            "nodes": nodes,
            "skins": [{ "joints": (0..self.joint_count).collect::<Vec<_>>() }],
            "meshes": [{ "name": "tube", "primitives": [{
                "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 }, "indices": 3
            }] }],
            "animations": [{ "name": "still", "channels": [], "samplers": [] }],
            "buffers": [{ "byteLength": bytes.len(), "uri": format!(
                "data:application/octet-stream;base64,{}", STANDARD.encode(&bytes)
            ) }],
            "bufferViews": views,
            "accessors": [
                { "bufferView": 0, "componentType": 5126, "count": vertex_count, "type": "VEC3" },
                { "bufferView": 1, "componentType": 5123, "count": vertex_count, "type": "VEC4" },
                { "bufferView": 2, "componentType": 5126, "count": vertex_count, "type": "VEC4" },
                { "bufferView": 3, "componentType": 5123, "count": corner_count, "type": "SCALAR" }
            ]
        })
    }
}

fn load(file: &Value) -> Result<Scene, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tube.gltf");
    fs::write(&path, file.to_string()).unwrap();
    load_scene(path.to_str().unwrap(), None).map_err(|error| {
        let source = std::error::Error::source(&error).map(|s| format!(": {s}")).unwrap_or_default();
        format!("{error}{source}")
    })
}

/// Loads and runs with rigid and exact skins under every hierarchy. Returns the notes of the scene.
fn run(file: &Value) -> Vec<(NoteKind, String)> {
    let scene = load(file).unwrap();
    for skins in SkinKind::ALL {
        for links in LinkTreeKind::ALL {
            let mut scene = scene.clone();
            (scene.config.skins, scene.config.links) = (skins, links);
            let mut world = World::new(&scene).unwrap();
            for _ in 0..5 {
                world.step();
            }
            assert!(world.bodies().states.iter().all(|s| s.is_finite()));
            assert!(world.quarantined().is_empty());
            let finite = |m: &tumble::mesh::Mesh| m.vertices().iter().all(|v| v.is_finite());
            assert!(world.meshes().iter().all(|m| finite(m)));
        }
    }
    scene.notes.into_iter().map(|n| (n.kind, n.text)).collect()
}

fn says(notes: &[(NoteKind, String)], kind: NoteKind, part: &str) {
    assert!(notes.iter().any(|(k, text)| *k == kind && text.contains(part)), "{part:?} is not in {notes:?}");
}

#[test]
fn a_sound_skin_is_loaded_without_a_word() {
    assert_eq!(run(&Tube::default().file()), []);
}

#[test]
fn weights_that_are_no_numbers_count_as_nothing_and_are_told() {
    let weight = |vertex: usize| match vertex {
        4 => [f32::NAN, 0.5, 0.0, 0.0],
        5 => [f32::INFINITY, f32::NAN, -1.0, 0.0],
        _ => [0.5, 0.5, 0.0, 0.0],
    };
    let notes = run(&Tube { weight, ..Tube::default() }.file());
    says(&notes, NoteKind::Repaired, "4 weights are negative or no numbers");
    says(&notes, NoteKind::Repaired, "1 vertices have no weights");
}

#[test]
fn a_skin_without_weights_is_a_part_without_a_skeleton() {
    let mut file = Tube::default().file();
    file["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap().remove("WEIGHTS_0");
    says(&run(&file), NoteKind::Ignored, "JOINTS_0 and WEIGHTS_0 need each other");
    assert!(load(&file).unwrap().skeletons.is_empty());
    let none = Tube { weight: |_| [0.0; 4], ..Tube::default() };
    says(&run(&none.file()), NoteKind::Repaired, "12 vertices have no weights");
}

#[test]
fn bones_of_no_length_stand_on_each_other() {
    assert_eq!(run(&Tube { spacing: 0.0, ..Tube::default() }.file()), []);
}

#[test]
fn a_bone_scaled_to_nothing_is_left_out_and_told() {
    let notes = run(&Tube { scale: [1.0, 0.0, 1.0], ..Tube::default() }.file());
    says(&notes, NoteKind::Ignored, "is scaled to nothing");
}

#[test]
fn three_hundred_joints_are_three_hundred_links() {
    let file = Tube { joint_count: 300, ..Tube::default() }.file();
    let scene = load(&file).unwrap();
    assert!(scene.skeletons[0].link_count > 290, "{}", scene.skeletons[0].link_count);
    run(&file);
}

#[test]
fn skins_that_make_no_sense_are_named() {
    let fails = |change: &dyn Fn(&mut Value), parts: &[&str]| {
        let mut file = Tube::default().file();
        change(&mut file);
        let message = load(&file).unwrap_err();
        assert!(parts.iter().all(|p| message.contains(p)), "{message}");
    };
    fails(&|f| f["nodes"][3]["children"] = json!([0]), &["tube.gltf"]);
    fails(&|f| f["skins"][0]["joints"] = json!([0, 1, 99, 3]), &["skin 0", "no node 99"]);
    fails(&|f| f["skins"][0]["joints"] = json!([0, 1]), &["tube", "joint beyond the 2"]);
    fails(&|f| f["skins"][0]["joints"] = json!([]), &["skin 0", "no joints"]);
    fails(&|f| f["accessors"][2]["count"] = json!(3), &["one element per vertex"]);
    fails(&|f| f["skins"][0]["inverseBindMatrices"] = json!(0), &["tube.gltf"]);
}

/// Compares the same influences in the first set of four and in the second, with an empty first set.
#[test]
fn influences_beyond_the_fourth_move_a_vertex_like_the_first_four() {
    let first = Tube::default().file();
    let mut second = first.clone();
    let attributes = &mut second["meshes"][0]["primitives"][0]["attributes"];
    (attributes["JOINTS_1"], attributes["WEIGHTS_1"]) = (json!(1), json!(2));
    (attributes["JOINTS_0"], attributes["WEIGHTS_0"]) = (json!(4), json!(5));
    // An accessor without data is all zeros.
    let accessors = second["accessors"].as_array_mut().unwrap();
    for component in [5123, 5126] {
        accessors.push(json!({ "componentType": component, "count": 12, "type": "VEC4" }));
    }
    assert_eq!(run(&second), []);
    let ends = [first, second].map(|file| {
        let mut scene = load(&file).unwrap();
        scene.config.skins = SkinKind::Exact;
        let mut world = World::new(&scene).unwrap();
        for _ in 0..5 {
            world.step();
        }
        let links = scene.skeletons[0].link_count;
        let vertices: Vec<_> = world.meshes().iter().flat_map(|m| m.vertices().to_vec()).collect();
        (links, vertices, world.state_hash())
    });
    assert!(ends[0].0 > 1);
    assert_eq!(ends[0], ends[1]);
}
