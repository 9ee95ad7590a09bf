//! OMI_physics_*: the defaults of the bodies, and gravity.

use glam::DVec3;
use serde_json::{Value, json};
use tumble::import::NoteKind;

use super::{Run, has_note, open};

/// Returns a file without gravity whose nodes can use shape 0, a box a meter wide.
fn file(nodes: &Value, roots: &[usize]) -> Value {
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
        "nodes": nodes,
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape", "OMI_physics_gravity"],
        "extensions": {
            "OMI_physics_shape": { "shapes": [{ "type": "box", "box": { "size": [1.0, 1.0, 1.0] } }] },
            "OMI_physics_gravity": { "gravity": 0.0 },
        },
    })
}

#[test]
fn a_body_that_says_nothing_has_a_kilogram_and_turns_about_its_node() {
    let body = |motion: Value| json!({ "OMI_physics_body": { "motion": motion } });
    let collider = json!({ "OMI_physics_body": { "collider": { "shape": 0 } } });
    let spin =
        json!({ "type": "dynamic", "angularVelocity": [0.0, 0.0, 1.0], "inertiaDiagonal": [0.0, 0.0, 0.0] });
    let said = json!({ "type": "dynamic", "mass": 3.0, "centerOfMass": [0.5, 0.0, 0.0] });
    let nodes = json!([
        { "name": "plain", "extensions": body(spin), "children": [1] },
        { "translation": [2.0, 0.0, 0.0], "extensions": collider },
        { "name": "said", "translation": [0.0, 9.0, 0.0], "extensions": body(said), "children": [3] },
        { "extensions": collider },
    ]);
    let run = Run::of(&file(&nodes, &[0, 2])).seconds(2.0);
    let [plain, said] = ["plain", "said"].map(|n| run.scene.bodies.iter().find(|b| b.name == n).unwrap());
    assert_eq!((plain.mass, plain.center), (1.0, DVec3::ZERO));
    assert!((plain.inertia.z_axis.z - 1.0 / 6.0).abs() < 1e-6, "a cube of 1 kg: {}", plain.inertia);
    assert_eq!((said.mass, said.center), (3.0, DVec3::X * 0.5));
    let state = run.state("plain");
    assert!(state.pose.position.length() < 1e-9, "about its node: {}", state.pose.position);
    assert!(state.angular_velocity.distance(DVec3::Z) < 1e-6, "{}", state.angular_velocity);
}

#[test]
fn gravity_in_one_place_is_noted_with_its_node_and_type() {
    let trigger = json!({
        "OMI_physics_body": { "trigger": { "shape": 0 } },
        "OMI_physics_gravity": { "type": "point", "gravity": 9.8, "point": { "unitDistance": 6.4 } },
    });
    let body = json!({ "OMI_physics_body": { "motion": { "type": "dynamic" }, "collider": { "shape": 0 } } });
    let nodes = json!([{ "name": "planet", "extensions": trigger }, { "name": "box", "extensions": body }]);
    let scene = open(&file(&nodes, &[0, 1]));
    let text = "its point gravity, 9.8 m/s², acts in one place only: it is left out";
    assert!(has_note(&scene, NoteKind::Ignored, text), "{:?}", scene.notes);
    assert!(scene.notes.iter().any(|n| n.place.contains("planet") && n.text == text), "{:?}", scene.notes);
}
