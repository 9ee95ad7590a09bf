//! Deviation from the first contender's bodies, checked against values derived by hand: the farthest
//! body, the median body, the recorded bodies, and the step at which the contenders part.

use super::scene::{Scripted, index, scene, scripted, seen, shift};
use crate::compare::observe::Observer;
use crate::compare::result::{ContenderResult, Parting};

/// Observes two contenders over four steps: the first stays at rest, the second follows the script.
fn beside(second: Scripted) -> ContenderResult {
    let scene = scene();
    let ([own, its], [sampled, tracked]) = seen(&scene, [4, 3], [scripted(&scene, 4, |_, _| {}), second]);
    assert_eq!((sampled, tracked), (vec![0, 3, 4], vec![1, 2, 3, 4]));
    assert!(own.deviation.farthest.is_empty() && own.first_difference.is_none() && own.parting.is_none());
    its
}

fn parting(step: u32, body: &str, touching: Option<&str>, distance: f64) -> Option<Parting> {
    Some(Parting { step, body: body.to_owned(), touching: touching.map(str::to_owned), distance })
}

#[test]
fn the_farthest_and_the_middle_body_are_those_of_nineteen() {
    let scene = scene();
    // In step 3 the bodies are 0, 1, …, 18 m away, from the last to the first; the median is the tenth,
    // 9 m. In step 2, nine of the nineteen bodies are 4 m away, so the median deviation is 0. In step
    // 4, ten are, so it is 4 m.
    let result = beside(scripted(&scene, 4, |step, states| {
        let count = states.len();
        for (k, state) in states.iter_mut().enumerate() {
            let way = match step {
                2 if k < 9 => -4.0,
                3 => (count - 1 - k) as f64,
                4 if k < 10 => 4.0,
                _ => 0.0,
            };
            state.pose.position.z += way;
        }
    }));
    assert_eq!(result.deviation.farthest, [0.0, 4.0, 18.0, 4.0]);
    assert_eq!(result.deviation.middle, [0.0, 0.0, 9.0, 4.0]);
}

#[test]
fn the_deviation_of_every_body_that_can_move_is_kept_by_its_name() {
    let scene = scene();
    let result = beside(scripted(&scene, 4, |step, states| {
        for (k, state) in states.iter_mut().enumerate() {
            state.pose.position.y += f64::from(step) * k as f64;
        }
        states[index("mark.3")].pose.position.x += if step == 4 { 1e300 } else { 0.0 };
    }));
    let bodies = result.deviation.bodies;
    assert_eq!(bodies.len(), 17, "neither the ground nor the zone can move");
    assert_eq!(bodies["arm"], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(bodies["led.1"], [11.0, 22.0, 33.0, 44.0]);
    assert_eq!(bodies["mark.3"][..3], [18.0, 36.0, 54.0]);
    assert_eq!(bodies["mark.3"][3], f32::MAX, "it can be written");
    assert_eq!(result.deviation.farthest[3], f64::from(f32::MAX));
}

#[test]
fn two_differ_by_the_least_bit_and_part_by_a_hundredth_of_the_size_of_a_body() {
    let scene = scene();
    // A corner is 0.75 m from the center of a block. A hundredth of that is 7.5 mm.
    let mut script = scripted(&scene, 4, |step, states| {
        let [loose, guest] = [[0.0, 0.0], [0.0, 1e-12], [0.007_49, 0.007_48], [0.007_51, 0.007_53]]
            [step.saturating_sub(1) as usize];
        shift(states, "loose", [0.0, loose, 0.0]);
        shift(states, "guest", [0.0, -guest, 0.0]);
    });
    script.touched = Some(index("hub") as u32);
    let result = beside(script);
    assert_eq!(result.first_difference, parting(2, "guest", Some("hub"), 1e-12));
    assert_eq!(result.parting, parting(4, "guest", Some("hub"), 0.007_53));
    assert_eq!(result.deviation.farthest, [0.0, 1e-12, 0.007_49, 0.007_53]);
}

#[test]
fn a_body_without_a_surface_parts_as_one_of_a_millimetre() {
    let scene = scene();
    let result = beside(scripted(&scene, 4, |step, states| {
        let [first, second] =
            [[0.0, 0.0], [0.9e-5, 0.8e-5], [0.9e-5, 1.1e-5], [1.0, 2.0]][step.saturating_sub(1) as usize];
        shift(states, "mark.1", [0.0, first, 0.0]);
        shift(states, "mark.2", [0.0, second, 0.0]);
        // The block "loose" is farther away than the mark, but by less than a hundredth of its size.
        shift(states, "loose", [0.0, if step > 1 { 1e-3 } else { 0.0 }, 0.0]);
    }));
    assert_eq!(result.first_difference, parting(2, "loose", None, 1e-3));
    assert_eq!(result.parting, parting(3, "mark.2", None, 1.1e-5));
}

#[test]
fn two_rotations_by_one_angle_are_as_far_apart_as_the_chord_of_a_corner() {
    let scene = scene();
    // A rotation by 60° moves a corner by its distance from the center, 0.75 m.
    let result = beside(scripted(&scene, 4, |step, states| {
        if step > 2 {
            let turn = glam::DQuat::from_rotation_z(60_f64.to_radians());
            states[index("loose")].pose.rotation = turn;
        }
    }));
    let [.., last] = result.deviation.farthest[..] else { panic!() };
    assert!((last - 0.75).abs() < 1e-12, "{last}");
    assert_eq!(result.parting.unwrap().step, 3);
}

#[test]
fn at_most_a_hundred_steps_and_the_last_are_kept() {
    let scene = scene();
    let kept = |steps: u32| {
        let observer = Observer::new(&scene, steps);
        (1..=steps).filter(|&step| observer.is_tracked(step)).collect::<Vec<u32>>()
    };
    assert_eq!(kept(3), [1, 2, 3]);
    assert_eq!(kept(100).len(), 100);
    // 101 steps: every second step is kept, from 2 to 100, and the last.
    assert_eq!((kept(101).len(), kept(101)[0], kept(101)[50]), (51, 2, 101));
    // 250 steps: every third step is kept, from 3 to 249, and the last.
    assert_eq!((kept(250).len(), kept(250)[0], kept(250)[83]), (84, 3, 250));
}

#[test]
fn overlap_is_measured_twelve_times_unless_told_otherwise_and_after_the_last_step() {
    let scene = scene();
    let sampled = |steps: u32, every: u32| {
        let (_, [sampled, _]) = seen(&scene, [steps, every], [scripted(&scene, steps, |_, _| {})]);
        sampled
    };
    assert_eq!(sampled(5, 0), [0, 1, 2, 3, 4, 5]);
    assert_eq!(sampled(36, 0), [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36]);
    // 38 steps: a twelfth is more than 3, so every fourth step is sampled.
    assert_eq!(sampled(38, 0), [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 38]);
    assert_eq!(sampled(30, 7), [0, 7, 14, 21, 28, 30]);
}

#[test]
fn one_that_ends_early_is_no_longer_compared_and_nobody_is_compared_with_a_first_that_ended() {
    let scene = scene();
    let away = |step: u32, states: &mut [_]| shift(states, "loose", [f64::from(step), 0.0, 0.0]);
    let stays = || scripted(&scene, 4, |_, _| {});
    let ([_, short], [_, tracked]) = seen(&scene, [4, 1], [stays(), scripted(&scene, 2, away)]);
    assert_eq!((short.deviation.farthest, tracked), (vec![1.0, 2.0], vec![1, 2, 3, 4]));
    assert_eq!((short.overlap.len(), short.ended.unwrap().step), (3, 2));
    let ([short, long], _) =
        seen(&scene, [4, 1], [scripted(&scene, 2, |_, _| {}), scripted(&scene, 4, away)]);
    assert_eq!((long.deviation.farthest, long.energy.len()), (vec![1.0, 2.0], 4));
    assert_eq!((short.energy.len(), long.ended), (2, None));
}
