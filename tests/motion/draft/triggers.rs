//! Triggers: the report lists which bodies enter and when, as the draft's sample requires.

use serde_json::{Value, json};

use super::{G, Run, cube, file};

/// Returns a trigger of 15 m by 15 m about the origin, `height` high.
fn trigger(height: f64) -> Value {
    let own = json!({ "trigger": { "geometry": { "shape": 1 } } });
    json!({ "name": "zone", "scale": [1.0, height, 1.0], "extensions": { "KHR_physics_rigid_bodies": own } })
}

#[test]
fn a_body_that_falls_through_a_trigger_comes_in_and_goes_out_again() {
    let draft = file(&[trigger(1.0), cube("box", [0.0, 6.0, 0.0], json!({ "motion": {} }))], &json!({}));
    let run = Run::of(&draft).seconds(2.0);
    let [visit] = run.world.visits() else { panic!("{:?}", run.world.visits()) };
    assert_eq!((&visit.trigger_name[..], &visit.body_name[..]), ("zone", "box"));
    // The box enters when its lower face has fallen 5 m, and leaves when its upper face has fallen 7 m.
    let step_after = |height: f64| (60.0 * (2.0 * height / G).sqrt()).ceil() as u32;
    assert!(visit.entered.abs_diff(step_after(5.0)) <= 1, "{visit:?}");
    assert!(visit.left.unwrap().abs_diff(step_after(7.0)) <= 1, "{visit:?}");
    assert!((run.at("box").y - (6.0 - 0.5 * G * 4.0)).abs() < 0.2, "nothing holds it");
}

/// Tests a body inside a trigger whose surfaces do not intersect.
#[test]
fn a_body_wholly_within_a_trigger_is_inside_from_the_first_step_on() {
    let still = json!({ "motion": { "gravityFactor": 0.0 } });
    let nodes =
        [trigger(15.0), cube("box", [1.0, 0.0, 2.0], still.clone()), cube("far", [20.0, 0.0, 0.0], still)];
    let run = Run::of(&file(&nodes, &json!({}))).seconds(2.0);
    let visits: Vec<_> = run.world.visits().iter().map(|v| (&v.body_name[..], v.entered, v.left)).collect();
    assert_eq!(visits, [("box", 1, None)], "also while it sleeps");
    assert!(!run.state("box").is_awake());
}
