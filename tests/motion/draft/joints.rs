//! Joints: locks, limits, and whether the two connected bodies collide.

use glam::DVec3;
use serde_json::{Value, json};
use tumble::import::NoteKind;

use super::{Run, cube, file, has_note, open};

/// Returns a file with a slider along y whose frames are rotated by 45° about z. The box on the slider
/// slides down by at most 2 m, past the static box.
fn slider(collide: bool) -> Value {
    let eighth = json!([0.0, 0.0, 0.38268346, 0.9238795]);
    let mut standing = cube("standing", [0.0; 3], json!({}));
    standing["children"] = json!([1]);
    let mut sliding = cube("sliding", [-1.4142137, 1.4142134, 0.0], json!({ "motion": { "mass": 1.0 } }));
    sliding["children"] = json!([2]);
    (standing["rotation"], sliding["rotation"]) = (eighth.clone(), eighth);
    let joint = json!({ "connectedNode": 2, "joint": 0, "enableCollision": collide });
    let frame = json!({ "extensions": { "KHR_physics_rigid_bodies": { "joint": joint } } });
    let physics = json!({ "physicsJoints": [{ "limits": [
        { "min": 0.0, "max": 0.0, "linearAxes": [0, 2] },
        { "min": 0.0, "max": 0.0, "angularAxes": [0, 1, 2] },
        { "min": -2.0, "max": 2.0, "linearAxes": [1] },
    ] }] });
    file(&[standing, frame, json!({}), sliding], &physics)
}

#[test]
fn joint_to_static_node_disables_collision_unless_enabled() {
    let along = DVec3::new(-1.0, 1.0, 0.0).normalize();
    let free = Run::of(&slider(false)).seconds(5.0);
    let at = free.at("sliding");
    assert!(at.distance(-2.0 * along) < 5e-3, "through it, to the end of its way: {at}");
    // Stopped by the face of the static box, at a distance of a meter.
    let stopped = Run::of(&slider(true)).seconds(5.0);
    let at = stopped.at("sliding");
    assert!(at.distance(along) < 5e-3, "{at}");
}

#[test]
fn a_joint_finds_the_collider_above_its_node_or_the_only_one_below_it() {
    let joint = |connected: usize| json!({ "joint": { "connectedNode": connected, "joint": 0 } });
    let ends = |parent: Value, others: &[Value]| {
        let mut door = cube("door", [2.0, 0.0, 0.0], json!({ "motion": {} }));
        door["extensions"]["KHR_physics_rigid_bodies"]["joint"] = joint(0)["joint"].clone();
        let nodes = [&[parent, door], others].concat();
        let locked = json!({ "limits": [{ "min": 0.0, "max": 0.0, "linearAxes": [0, 1, 2] }] });
        let scene = open(&file(&nodes, &json!({ "physicsJoints": [locked] })));
        let name = scene.bodies.get(scene.joints[0].b as usize).map(|b| b.name.clone());
        name.unwrap_or_else(|| "world".to_owned())
    };
    let post = |children: Value| {
        let mut post = cube("post", [0.0; 3], json!({}));
        post["children"] = children;
        post
    };
    assert_eq!(ends(cube("post", [0.0; 3], json!({})), &[]), "post", "at it");
    assert_eq!(ends(json!({ "children": [2] }), &[cube("post", [0.0; 3], json!({}))]), "post", "below it");
    let deep = [json!({ "children": [3] }), cube("post", [0.0; 3], json!({}))];
    assert_eq!(ends(json!({ "children": [2] }), &deep), "post", "farther below it");
    let two = [cube("post", [0.0; 3], json!({})), cube("wall", [0.0, 0.0, 3.0], json!({}))];
    assert_eq!(ends(json!({ "children": [2, 3] }), &two), "world", "one of two");
    let with_body =
        [cube("post", [0.0; 3], json!({})), cube("cat", [0.0, 3.0, 0.0], json!({ "motion": {} }))];
    assert_eq!(ends(json!({ "children": [2, 3] }), &with_body), "world", "it holds the scene");
    assert_eq!(ends(json!({}), &[post(json!([3])), json!({})]), "world", "elsewhere");
}

#[test]
fn joints_that_cannot_hold_are_told() {
    let mut alone = cube("alone", [0.0; 3], json!({ "motion": {} }));
    alone["extensions"]["KHR_physics_rigid_bodies"]["joint"] = json!({ "connectedNode": 0, "joint": 0 });
    let mut wall = cube("wall", [5.0, 0.0, 0.0], json!({}));
    wall["extensions"]["KHR_physics_rigid_bodies"]["joint"] = json!({ "connectedNode": 2, "joint": 0 });
    let nodes = [alone, wall, cube("other", [9.0, 0.0, 0.0], json!({}))];
    let scene = open(&file(&nodes, &json!({ "physicsJoints": [{}] })));
    assert!(scene.joints.is_empty());
    for name in ["alone", "wall"] {
        let note =
            scene.notes.iter().find(|n| n.place == name && n.text.contains("does not hold two bodies"));
        assert_eq!(note.map(|n| n.kind), Some(NoteKind::Ignored), "{name}: {:?}", scene.notes);
    }
    assert!(has_note(&scene, NoteKind::Ignored, "does not hold two bodies"));
}

/// Compares a box on a ball joint, which swings, with one on a fixed joint, which stays.
#[test]
fn a_ball_joint_swings_and_a_fixed_one_stays() {
    let frames = |limits: Value| {
        let mut standing = cube("standing", [0.0; 3], json!({}));
        standing["children"] = json!([1]);
        let joint = json!({ "connectedNode": 3, "joint": 0 });
        let frame = json!({
            "translation": [0.5, 0.0, 0.0],
            "extensions": { "KHR_physics_rigid_bodies": { "joint": joint } },
        });
        let mut held = cube("held", [1.5, 0.0, 0.0], json!({ "motion": {} }));
        held["children"] = json!([3]);
        let nodes = [standing, frame, held, json!({ "translation": [-1.0, 0.0, 0.0] })];
        file(&nodes, &json!({ "physicsJoints": [{ "limits": limits }] }))
    };
    let point = json!({ "min": 0.0, "max": 0.0, "linearAxes": [0, 1, 2] });
    let turn = json!({ "min": 0.0, "max": 0.0, "angularAxes": [0, 1, 2] });
    let fixed = Run::of(&frames(json!([point, turn]))).seconds(2.0);
    assert!(fixed.at("held").distance(DVec3::X * 1.5) < 2e-3, "{}", fixed.at("held"));
    let ball = Run::of(&frames(json!([point]))).seconds(0.5);
    let at = ball.at("held");
    assert!((at.distance(DVec3::X * 0.5) - 1.0).abs() < 1e-3 && at.y < -0.3, "{at}");
}
