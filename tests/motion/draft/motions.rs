//! Motions: velocities, masses and gravity of a file take effect, and no ground is added.

use glam::DVec3;
use serde_json::json;
use tumble::import::NoteKind;
use tumble::scene::OpenAs;

use super::{G, Run, cube, file, has_note, open, open_as};

/// Returns a floating cube that rotates about `axis` of its node.
fn turning(axis: [f64; 3]) -> serde_json::Value {
    cube("box", [0.0; 3], json!({ "motion": { "angularVelocity": axis, "gravityFactor": 0.0 } }))
}

/// Rotates a cube freely. A ground under its lowest point would brake it, because the edges of the
/// rotating cube reach lower.
#[test]
fn a_body_without_gravity_turns_on_about_its_node_s_axis() {
    let plain = file(&[turning([1.0, 0.0, 0.0])], &json!({}));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut own = turning([0.0, 0.0, 1.0]);
    own["name"] = json!("box");
    let nodes = [json!({ "children": [1], "rotation": [0.0, half, 0.0, half] }), own];
    let below_a_turned_node = file(&nodes, &json!({}));
    for draft in [plain, below_a_turned_node] {
        let run = Run::of(&draft).seconds(5.0);
        assert_eq!(run.scene.bodies.len(), 1, "no ground");
        let state = run.state("box");
        assert!(state.angular_velocity.distance(DVec3::X) < 1e-6, "{}", state.angular_velocity);
        assert!(state.pose.position.length() < 1e-9, "{}", state.pose.position);
        let angle = state.pose.rotation.angle_between(open(&draft).bodies[0].pose.rotation);
        assert!((angle - (std::f64::consts::TAU - 5.0)).abs() < 1e-3, "{angle}");
    }
}

#[test]
fn equal_masses_hand_their_speed_on_and_a_heavy_one_keeps_its_own() {
    let motion = |mass: f64, speed: f64| json!({ "motion": { "mass": mass, "linearVelocity": [speed, 0.0, 0.0], "gravityFactor": 0.0 } });
    let nodes = [
        cube("light", [-3.0, 0.0, 0.0], motion(1.0, 5.0)),
        cube("heavy", [-3.0, 0.0, 5.0], motion(100.0, 5.0)),
        cube("beside light", [0.0; 3], motion(1.0, 0.0)),
        cube("beside heavy", [0.0, 0.0, 5.0], motion(1.0, 0.0)),
    ];
    let run = Run::of(&file(&nodes, &json!({}))).seconds(2.0);
    let speed = |name| run.state(name).linear_velocity.x;
    // Without restitution both bodies continue with the total momentum over the total mass, except for
    // the push that separates them.
    for [a, b] in [["light", "beside light"], ["heavy", "beside heavy"]] {
        let mass = if a == "heavy" { 100.0 } else { 1.0 };
        let momentum = mass * speed(a) + speed(b);
        assert!((momentum - 5.0 * mass).abs() < 1e-9, "{a}: {momentum}");
        assert!((0.0..0.15).contains(&(speed(b) - speed(a))), "{a}: {} and {}", speed(a), speed(b));
    }
}

#[test]
fn a_kinematic_body_keeps_its_velocity_and_gravity_acts_by_its_factor() {
    let nodes = [
        cube(
            "kinematic",
            [0.0; 3],
            json!({ "motion": { "isKinematic": true, "linearVelocity": [1, 0, 0] } }),
        ),
        cube("half", [5.0, 0.0, 0.0], json!({ "motion": { "gravityFactor": 0.5 } })),
        cube("plain", [10.0, 0.0, 0.0], json!({ "motion": {} })),
    ];
    let run = Run::of(&file(&nodes, &json!({}))).seconds(1.0);
    assert!(run.at("kinematic").distance(DVec3::X) < 1e-9, "{}", run.at("kinematic"));
    for (name, factor) in [("half", 0.5), ("plain", 1.0)] {
        let speed = run.state(name).linear_velocity.y;
        assert!((speed + factor * G).abs() < 1e-6, "{name}: {speed}");
    }
}

#[test]
fn a_file_with_physics_gets_a_ground_only_where_it_is_asked_for() {
    let draft = file(&[cube("box", [0.0, 3.0, 0.0], json!({ "motion": {} }))], &json!({}));
    let plain = open(&draft);
    assert!(plain.bodies.iter().all(|b| !b.is_ground));
    assert!(has_note(&plain, NoteKind::Assumed, "--as drop puts one under it, [ground] in a scene file"));
    let dropped = open_as(&draft, Some(OpenAs::Drop));
    assert!(dropped.bodies.iter().any(|b| b.is_ground));
    assert!(has_note(&dropped, NoteKind::Assumed, "so a ground with sides of 10.000 m is put under them"));
    // A file with its own floor needs no note.
    let floor = cube("floor", [0.0; 3], json!({}));
    let held = open(&file(&[cube("box", [0.0, 3.0, 0.0], json!({ "motion": {} })), floor], &json!({})));
    assert!(!has_note(&held, NoteKind::Assumed, "--as drop"), "{:?}", held.notes);
}
