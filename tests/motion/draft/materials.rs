//! Materials: how friction and restitution of two bodies combine to those of the pair.

use glam::DVec3;
use serde_json::{Value, json};

use super::{G, Run, cube, file};

fn box_of(name: &str, at: [f64; 3], material: usize, motion: Value) -> Value {
    let collider = json!({ "geometry": { "shape": 0 }, "physicsMaterial": material });
    cube(name, at, json!({ "collider": collider, "motion": motion }))
}

/// Returns a slab of the given material, rotated about z by an angle (rad).
fn floor(material: usize, angle: f64) -> Value {
    let collider = json!({ "geometry": { "shape": 1 }, "physicsMaterial": material });
    let mut floor = cube("floor", [0.0; 3], json!({ "collider": collider }));
    floor["rotation"] = json!([0.0, 0.0, (0.5 * angle).sin(), (0.5 * angle).cos()]);
    floor
}

/// Slides two boxes on a floor without friction. Materials without a combine mode use the average.
#[test]
fn on_a_floor_without_friction_materials_are_told_apart() {
    let angle = 0.5_f64;
    let frictions = [0.547, 0.024];
    let down = DVec3::new(-angle.cos(), -angle.sin(), 0.0);
    let at = |z: f64| [-1.003 * angle.sin(), 1.003 * angle.cos(), z];
    let turned = |mut node: Value| {
        node["rotation"] = json!([0.0, 0.0, (0.5 * angle).sin(), (0.5 * angle).cos()]);
        node
    };
    let nodes = [
        floor(2, angle),
        turned(box_of("honey", at(-2.0), 0, json!({}))),
        turned(box_of("soap", at(2.0), 1, json!({}))),
    ];
    let [honey, soap] = frictions;
    let materials =
        json!([{ "dynamicFriction": honey }, { "dynamicFriction": soap }, { "dynamicFriction": 0 }]);
    let run = Run::of(&file(&nodes, &json!({ "physicsMaterials": materials }))).seconds(1.0);
    for (name, friction) in [("honey", 0.5 * honey), ("soap", 0.5 * soap)] {
        let expected = G * (angle.sin() - friction * angle.cos());
        let speed = run.state(name).linear_velocity.dot(down);
        assert!((speed / expected - 1.0).abs() < 0.03, "{name}: {speed} instead of {expected} m/s");
    }
}

/// Returns the height above the floor after the first bounce, as a share of the drop height.
fn bounce(falls: &Value, below: &Value) -> f64 {
    let nodes = [floor(1, 0.0), box_of("box", [0.0, 3.0, 0.0], 0, json!({}))];
    let mut run = Run::of(&file(&nodes, &json!({ "physicsMaterials": [falls, below] })));
    let (mut has_met, mut highest) = (false, 0.0_f64);
    for _ in 0..120 {
        run.world.step();
        let state = run.state("box");
        has_met |= state.linear_velocity.y >= 0.0;
        let is_back = has_met && state.linear_velocity.y < -2.0;
        if is_back {
            break;
        }
        highest = highest.max(if has_met { state.pose.position.y - 1.0 } else { 0.0 });
    }
    highest / 2.0
}

#[test]
fn explicit_combine_mode_wins_else_average() {
    for (falls, below, expected) in [
        (json!({ "restitution": 0.5, "restitutionCombine": "minimum" }), json!({}), 0.0),
        (json!({ "restitution": 0.5, "restitutionCombine": "maximum" }), json!({}), 0.5),
        (json!({ "restitution": 0.8 }), json!({}), 0.4),
        (
            json!({ "restitution": 0.8 }),
            json!({ "restitution": 0.6, "restitutionCombine": "multiply" }),
            0.48,
        ),
    ] {
        let height = bounce(&falls, &below);
        assert!((height.sqrt() - expected).abs() < 0.06, "{falls} on {below}: {}", height.sqrt());
    }
}

/// Slides a box on the ground of a scene file. The ground has no combine mode, so the pair uses the
/// geometric mean.
#[test]
fn on_the_ground_of_a_scene_file_the_geometric_mean_of_the_frictions_counts() {
    let motion = json!({ "linearVelocity": [3.0, 0.0, 0.0] });
    let draft = file(
        &[box_of("box", [0.0, 0.5, 0.0], 0, motion)],
        &json!({ "physicsMaterials": [{ "dynamicFriction": 0.08 }] }),
    );
    let run = Run::of_scene(&draft, "[ground]\n").seconds(0.5);
    let lost = 3.0 - run.state("box").linear_velocity.x;
    let expected = 0.5 * G * (0.5_f64 * 0.08).sqrt();
    assert!((lost / expected - 1.0).abs() < 0.05, "{lost} instead of {expected} m/s");
}
