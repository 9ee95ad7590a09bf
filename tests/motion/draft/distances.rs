//! Limits over several linear axes: they bound the distance between two joint frames.

use glam::DVec3;
use serde_json::{Value, json};
use tumble::import::NoteKind;

use super::{G, Run, cube, file, has_note, open, try_open};

/// Returns a file with a limit on the linear axes between the centers of two boxes: a static one at the
/// origin, and one that starts at `at` with `motion`.
fn apart(limit: Value, at: [f64; 3], motion: Value) -> Value {
    let mut standing = cube("standing", [0.0; 3], json!({}));
    standing["extensions"]["KHR_physics_rigid_bodies"]["joint"] = json!({ "connectedNode": 1, "joint": 0 });
    let nodes = [standing, cube("held", at, json!({ "motion": motion }))];
    file(&nodes, &json!({ "physicsJoints": [{ "limits": [limit] }] }))
}

/// Hangs a box by a corner. It swings below the static frame and never exceeds the limit of the
/// distance.
#[test]
fn a_limit_over_three_axes_bounds_how_far_apart_the_frames_are() {
    let mut standing = cube("standing", [0.0; 3], json!({}));
    standing["children"] = json!([1]);
    let joint = json!({ "connectedNode": 2, "joint": 0 });
    let frame = json!({
        "translation": [0.0, -0.5, 0.0],
        "extensions": { "KHR_physics_rigid_bodies": { "joint": joint } },
    });
    let mut held = cube("held", [0.0, -1.0, 0.0], json!({ "motion": {} }));
    held["children"] = json!([2]);
    let nodes = [standing, frame, json!({ "translation": [0.5, 0.5, 0.5] }), held];
    let limit = json!({ "min": 0.0, "max": 1.0, "linearAxes": [0, 1, 2] });
    let mut run = Run::of(&file(&nodes, &json!({ "physicsJoints": [{ "limits": [limit] }] })));
    assert!(run.scene.notes.iter().all(|n| !n.text.contains("several axes")), "{:?}", run.scene.notes);
    let mut farthest: f64 = 0.0;
    for _ in 0..600 {
        run.world.step();
        let corner = run.state("held").pose.transform_point(DVec3::splat(0.5));
        farthest = farthest.max(corner.distance(DVec3::new(0.0, -0.5, 0.0)));
    }
    assert!((0.999..1.01).contains(&farthest), "{farthest}");
}

/// Compares the period with T = 2π·√(l/g) / M(1, cos θ/2), where M is the arithmetic–geometric mean.
/// The box hangs by its center, so it need not rotate.
#[test]
fn a_body_on_a_rod_of_fixed_length_swings_as_a_point() {
    let length = 1.5;
    let start = 40.0_f64.to_radians();
    let at = length * DVec3::new(start.sin(), -start.cos(), 0.0);
    let rod = json!({ "min": length, "max": length, "linearAxes": [0, 1, 2] });
    let mut run = Run::of(&apart(rod, at.to_array(), json!({})));
    let (mut crossings, mut before) = (Vec::new(), at.x);
    for step in 1..=900 {
        run.world.step();
        let at = run.at("held");
        assert!((at.length() - length).abs() < 1e-3, "{}", at.length());
        if before > 0.0 && at.x <= 0.0 {
            crossings.push((f64::from(step) - at.x / (at.x - before)) / 60.0);
        }
        before = at.x;
    }
    let swings = crossings.len() - 1;
    let period = (crossings[swings] - crossings[0]) / swings as f64;
    let (mut mean, mut other) = (1.0_f64, (0.5 * start).cos());
    for _ in 0..8 {
        (mean, other) = (0.5 * (mean + other), (mean * other).sqrt());
    }
    let expected = std::f64::consts::TAU * (length / G).sqrt() / mean;
    assert!((period / expected - 1.0).abs() < 2e-3, "{period} instead of {expected}");
}

#[test]
fn a_limit_over_two_axes_is_a_tube_along_the_third() {
    let tube = json!({ "max": 0.8, "linearAxes": [0, 2] });
    let motion = json!({ "linearVelocity": [2.0, 1.0, 1.0], "gravityFactor": 0.0 });
    let mut run = Run::of(&apart(tube, [0.0, 3.0, 0.0], motion));
    let mut widest: f64 = 0.0;
    for _ in 0..120 {
        run.world.step();
        let at = run.at("held");
        widest = widest.max(at.x.hypot(at.z));
    }
    assert!((0.799..0.805).contains(&widest), "{widest}");
    assert!((run.at("held").y - 5.0).abs() < 1e-6, "free along it: {}", run.at("held"));
}

#[test]
fn a_body_in_the_middle_of_a_distance_limit_keeps_its_speed() {
    for (min, stops) in [(0.0, false), (0.5, true)] {
        let limit = json!({ "min": min, "max": 1.0, "linearAxes": [0, 1, 2] });
        let motion = json!({ "linearVelocity": [10.0, 0.0, 0.0], "gravityFactor": 0.0 });
        let run = Run::of(&apart(limit, [-0.9, 0.0, 0.0], motion)).seconds(0.15);
        let at = run.at("held");
        let expected = if stops { -0.5 } else { 0.6 };
        assert!(at.distance(DVec3::X * expected) < 5e-3, "at least {min} apart: {at}");
    }
}

#[test]
fn a_soft_limit_on_the_distance_gives_by_the_load_over_its_stiffness() {
    let soft = json!({ "max": 1.0, "linearAxes": [0, 1, 2], "stiffness": 100.0, "damping": 10.0 });
    let run = Run::of(&apart(soft, [0.0, -1.0, 0.0], json!({ "mass": 1.0 }))).seconds(6.0);
    let at = run.at("held");
    assert!(at.distance(DVec3::NEG_Y * (1.0 + G / 100.0)) < 5e-4, "{at}");
}

/// Hangs a chain of ten boxes of 1 kg on ropes of 1.5 m, with 1000 kg at the end: joints under such a
/// load are solved directly together.
#[test]
fn ropes_bear_a_thousand_times_the_weight_of_what_hangs_on_them() {
    let mut nodes = vec![cube("0", [0.0; 3], json!({}))];
    for at in 1..=10 {
        let mass = if at == 10 { 1000.0 } else { 1.0 };
        let joint = json!({ "connectedNode": at - 1, "joint": 0 });
        let own = json!({ "motion": { "mass": mass }, "joint": joint });
        nodes.push(cube(&at.to_string(), [0.0, -1.5 * f64::from(at), 0.0], own));
    }
    let limit = json!({ "max": 1.5, "linearAxes": [0, 1, 2] });
    let run = Run::of(&file(&nodes, &json!({ "physicsJoints": [{ "limits": [limit] }] }))).seconds(3.0);
    let at = run.at("10");
    assert!((-15.01..=-15.0 + 1e-6).contains(&at.y) && at.x.hypot(at.z) < 1e-3, "{at}");
}

#[test]
fn distances_that_cannot_be_are_refused_and_those_that_say_nothing_are_told() {
    let refused = |limit: Value| try_open(&apart(limit, [2.0, 0.0, 0.0], json!({})), None).unwrap_err();
    let axes = json!([0, 2]);
    let crossed = refused(json!({ "min": 2.0, "max": 1.0, "linearAxes": axes }));
    assert!(crossed.contains("joint 0, limit 0") && crossed.contains("min 2 is above max 1"), "{crossed}");
    let negative = refused(json!({ "max": -1.0, "linearAxes": axes }));
    assert!(negative.contains("a distance cannot be -1 m at most"), "{negative}");
    let none = refused(json!({ "max": null, "linearAxes": axes }));
    assert!(none.contains("max must be a finite number"), "{none}");
    let below =
        open(&apart(json!({ "min": -1.0, "max": 1.0, "linearAxes": axes }), [2.0, 0.0, 0.0], json!({})));
    assert!(has_note(&below, NoteKind::Ignored, "a distance is never below 0: min -1 says nothing"));
    assert_eq!(below.joints[0].distance.unwrap().min, 0.0);
}
