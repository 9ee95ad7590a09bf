//! Colliders: a body of any shape rests on any shape with a level top.

use serde_json::{Value, json};

use super::{Run, cube, file};

/// Shapes, and the distance that each reaches below its center, m.
const SHAPES: [(&str, f64); 5] =
    [("box", 0.5), ("sphere", 0.5), ("capsule", 0.75), ("cylinder", 0.25), ("cone", 0.25)];

/// Returns the implicit shape of the given name.
fn shape(name: &str) -> Value {
    let round = |kind: &str, top: f64, bottom: f64| json!({ "type": kind, kind: { "height": 0.5, "radiusTop": top, "radiusBottom": bottom } });
    match name {
        "capsule" => round("capsule", 0.5, 0.5),
        "cylinder" => round("cylinder", 2.0, 2.0),
        "cone" => round("cylinder", 0.0, 0.5),
        "plane" => json!({ "type": "plane", "plane": { "sizeX": 5.0, "sizeZ": 5.0 } }),
        other => json!({ "type": other, other: {} }),
    }
}

#[test]
fn every_shape_is_held_by_what_has_a_level_top() {
    for (name, low) in SHAPES {
        for (below, top) in [("plane", 0.0), ("box", 0.5), ("cylinder", 0.25)] {
            let body = cube("body", [0.0, low + 0.1, 0.0], json!({ "motion": {} }));
            let standing = json!({ "collider": { "geometry": { "shape": 1 } } });
            let mut draft = file(&[body, cube("standing", [0.0, -top, 0.0], standing)], &json!({}));
            draft["extensions"]["KHR_implicit_shapes"]["shapes"] = json!([shape(name), shape(below)]);
            let run = Run::of(&draft).seconds(2.0);
            let index = run.scene.bodies.iter().position(|b| b.name == "body").unwrap();
            let mesh = &run.scene.meshes[run.scene.bodies[index].mesh.unwrap() as usize];
            let pose = run.state("body").pose;
            let lowest = mesh.vertices().iter().map(|v| pose.transform_point(v.as_dvec3()).y);
            let lowest = lowest.fold(f64::INFINITY, f64::min);
            assert!(lowest.abs() < 3e-3, "{name} on {below}: its lowest point is at {lowest} m");
        }
    }
}
