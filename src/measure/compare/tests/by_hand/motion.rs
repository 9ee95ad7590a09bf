//! Motion of bodies in an observed run, checked against values derived by hand: step of rest, speed of
//! shivering, lost bodies, and counts.

use super::scene::{index, scene, scripted, seen, shift};
use crate::body::Activity;
use crate::compare::result::{ContenderResult, Ended, Loss, Lost, Rest};
use crate::world::StepCounts;

/// Observes a body that is `places[k]` m above its start after step k + 1.
fn walked(name: &'static str, places: &'static [f64]) -> ContenderResult {
    let scene = scene();
    let steps = places.len() as u32;
    let script = scripted(&scene, steps, move |step, states| {
        let way = step.checked_sub(1).map_or(0.0, |k| places[k as usize]);
        shift(states, name, [0.0, way, 0.0]);
    });
    let ([result], _) = seen(&scene, [steps, 100], [script]);
    result
}

#[test]
fn a_body_rests_after_its_last_step_faster_than_20_mm_a_second() {
    let since = |places| walked("mark.1", places).rest.since;
    // A step takes half a second, so 10 mm in a step are 20 mm/s. Before the first step the body is at
    // 0 m.
    assert_eq!(since(&[0.0, 0.0, 0.0]), Some(0));
    assert_eq!(since(&[0.0, 0.25, 0.25, 0.25]), Some(2));
    assert_eq!(since(&[0.0, 0.25, 0.25, 0.5]), None, "it moves in the last");
    assert_eq!(since(&[0.01, 0.01, 0.01]), Some(0), "it goes just 10 mm in the first");
    assert_eq!(since(&[0.25, 0.2401, 0.2401]), Some(1), "9.9 mm in the second, backwards");
    assert_eq!(since(&[0.25, 0.2399, 0.2399]), Some(2), "10.1 mm in the second, backwards");
}

#[test]
fn bodies_that_nothing_moves_are_not_asked_whether_they_rest() {
    for still in ["ground", "zone", "led.1"] {
        let rest = walked(still, &[0.0, 1.0, 2.0]).rest;
        assert_eq!(rest, Rest { since: Some(0), shiver: Some(0.0) }, "{still}");
    }
}

#[test]
fn shiver_is_the_mean_speed_of_the_bodies_that_can_move_over_the_last_tenth_of_the_steps() {
    let scene = scene();
    // In step 18 of 20 one body moves 64 m, but the measured last tenth begins after it. In step 19 one
    // body moves 1 m and another 3 m, at 2 and 6 m/s, which is a mean of 0.5 m/s over sixteen bodies.
    // In step 20 one body moves back by 2 m, at 4 m/s, a mean of 0.25 m/s.
    let far = |states: &mut [_], x: f64, y: f64, z: f64| {
        shift(states, "loose", [64.0 + x, 0.0, 0.0]);
        shift(states, "mark.1", [0.0, y, 0.0]);
        shift(states, "mark.2", [0.0, 0.0, z]);
    };
    let script = scripted(&scene, 20, move |step, states| match step {
        18 => far(states, 0.0, 0.0, 0.0),
        19 => far(states, 1.0, 3.0, 0.0),
        20 => far(states, 1.0, 3.0, -2.0),
        _ => {}
    });
    let ([result], _) = seen(&scene, [20, 100], [script]);
    assert_eq!(result.rest, Rest { since: None, shiver: Some(0.375) });
}

#[test]
fn a_tenth_of_fifteen_steps_are_two_and_who_ends_before_them_has_no_shiver() {
    let scene = scene();
    // Moving 16 m in step 14 is 32 m/s of one body of sixteen, a mean of 2 m/s. No body moves in step
    // 15.
    let places = |step: u32, states: &mut [_]| {
        let way = if step >= 14 { 16.0 } else { 0.0 };
        shift(states, "mark.3", [0.0, way, 0.0]);
    };
    let script = scripted(&scene, 15, places);
    let short = scripted(&scene, 13, places);
    let ([own, its], _) = seen(&scene, [15, 100], [script, short]);
    assert_eq!(own.rest, Rest { since: Some(14), shiver: Some(1.0) });
    assert_eq!(its.rest, Rest { since: Some(0), shiver: None });
    let reason = "it has no more steps".to_owned();
    assert_eq!((own.ended, its.ended), (None, Some(Ended { step: 13, reason })));
}

#[test]
fn a_block_that_turns_goes_as_fast_as_its_corners() {
    let scene = scene();
    // A corner is 0.75 m from the center, so half a turn moves it by 1.5 m. Over half a second this is
    // 3 m/s, of one body of sixteen.
    let script = scripted(&scene, 1, |step, states| {
        if step == 1 {
            let half_turn = glam::DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0);
            states[index("loose")].pose.rotation = half_turn;
        }
    });
    let ([result], _) = seen(&scene, [1, 100], [script]);
    assert_eq!(result.rest.shiver, Some(0.1875));
}

#[test]
fn a_body_below_the_lowest_corner_by_more_than_the_longest_body_fell() {
    // The ground ends at −4.5 m. Arm and hand together measure 2 × 1 × 2 m with a diagonal of 3 m,
    // longer than that of any other joined bodies. So a body has fallen below −7.5 m.
    let scene = scene();
    let script = scripted(&scene, 4, |step, states| {
        let height = [0.0, -7.4375, -7.5, -7.5625, -7.5625][step as usize];
        shift(states, "mark.1", [0.0, height, 0.0]);
        shift(states, "led.1", [0.0, 2.0 * height, 0.0]);
        if step == 2 {
            shift(states, "mark.2", [0.0, -100.0, 0.0]);
        }
        if step > 3 {
            states[index("mark.3")].activity = Activity::Quarantined;
        }
    });
    let ([result], _) = seen(&scene, [4, 100], [script]);
    let lost = |body: &str, step, how| Lost { body: body.to_owned(), step, how };
    assert_eq!(
        result.lost,
        [lost("mark.1", 3, Loss::Fell), lost("mark.3", 4, Loss::NotFinite)],
        "mark.2 came back, and led.1 cannot fall"
    );
}

#[test]
fn a_body_that_falls_again_is_lost_in_the_later_step_and_others_stay_lost() {
    let scene = scene();
    let script = scripted(&scene, 5, |step, states| {
        let is_low = step == 2 || step >= 4;
        shift(states, "mark.1", [0.0, if is_low { -50.0 } else { 0.0 }, 0.0]);
        shift(states, "mark.2", [0.0, -50.0 * f64::from(step.min(1)), 0.0]);
    });
    let ([result], _) = seen(&scene, [5, 100], [script]);
    let lost = |body: &str, step| Lost { body: body.to_owned(), step, how: Loss::Fell };
    assert_eq!(result.lost, [lost("mark.2", 1), lost("mark.1", 4)]);
}

#[test]
fn counts_stand_under_their_names_and_an_energy_that_json_cannot_hold_is_the_largest() {
    let scene = scene();
    let mut script = scripted(&scene, 5, |_, _| {});
    script.counts = StepCounts {
        passes: 1,
        pairs: 2,
        node_tests: 3,
        candidates: 4,
        false_alarms: 5,
        contacts: 6,
        awake_bodies: 7,
        ..StepCounts::default()
    };
    script.energy = |step| [0.0, -2.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 8.0][step as usize];
    let ([result], _) = seen(&scene, [5, 100], [script]);
    let names = ["passes", "pairs", "node tests", "candidates", "false alarms", "contacts", "awake bodies"];
    for (name, count) in names.into_iter().zip(1..) {
        assert_eq!(result.counts[name], [count; 5], "{name}");
    }
    assert_eq!(result.counts.len(), 7);
    assert_eq!(result.energy, [-2.5, f64::MAX, f64::MAX, -f64::MAX, 8.0]);
}
