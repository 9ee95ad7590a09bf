//! Tests of `diff` on recordings of two scripted runs. Every value of their difference is derived by
//! hand.

use std::path::PathBuf;

use glam::DQuat;

use super::scene::{Scripted, index, record, scene, scripted, shift};
use crate::body::{Bodies, state_hash};
use crate::compare::CompareError;
use crate::compare::diff::{Difference, Displaced, RunFigures, diff};
use crate::compare::result::{Estimate, Parting};
use crate::scene::{BodyDef, Scene};
use crate::world::bodies_at_start;

/// Records two scripts as `a.tumble` and `b.tumble`. Returns their difference, and the folder of both
/// files.
fn differ(engines: [Scripted; 2]) -> (Difference, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let paths: [PathBuf; 2] = ["a", "b"].map(|name| folder.path().join(name).with_extension("tumble"));
    for (path, engine) in paths.iter().zip(engines) {
        record(path, &scene(), engine);
    }
    (diff([&paths[0], &paths[1]]).unwrap(), folder)
}

/// Creates a script without motion, whose steps take `ms` each.
fn still(ms: impl IntoIterator<Item = u64>) -> Scripted {
    scripted(&scene(), 0, |_, _| {}).taking(ms.into_iter().map(|ms| [0, 0, ms, 0]))
}

fn ratio(own: Vec<u64>, its: Vec<u64>) -> Option<Estimate> {
    differ([still(own), still(its)]).0.ratio
}

#[test]
fn equal_recordings_are_the_same() {
    let (rest, _folder) = differ([still([1; 3]), still([9; 3])]);
    assert_eq!((rest.steps, rest.same, rest.first_state, rest.first), (3, true, None, None));
    assert_eq!((rest.first_count, rest.last_count, rest.farthest), (0, 0, Vec::new()));
}

#[test]
fn recordings_of_which_only_hashes_differ_are_not_the_same() {
    // The state hash includes velocities, but a comparison of poses does not.
    let faster = scripted(&scene(), 3, |step, states| {
        if step == 2 {
            states[1].linear_velocity.x = 1.0;
        }
    });
    let (found, _folder) = differ([still([0; 3]), faster]);
    assert_eq!((found.same, found.first_state, found.first), (false, Some(2), None));
    assert_eq!((found.first_count, found.last_count), (0, 0));
    let hashes = found.runs.map(|run| run.state_hash);
    assert_eq!(hashes[0], hashes[1], "they end in one state");
}

#[test]
fn a_recording_that_is_shorter_is_not_the_same_whichever_it_is() {
    for (own, its) in [(3, 2), (2, 3)] {
        let (found, _folder) = differ([still(vec![0; own]), still(vec![0; its])]);
        assert_eq!((found.same, found.steps, found.first_state, found.first), (false, 2, None, None));
        assert_eq!(found.runs.map(|run| run.steps as usize), [own, its]);
    }
}

#[test]
fn poses_that_differ_are_named_with_the_first_step_and_how_many_bodies_there_are() {
    let moved = scripted(&scene(), 4, |step, states| match step {
        2 => {
            shift(states, "hub", [0.0, 0.0, -0.5]);
            shift(states, "mark.1", [2.0, 0.0, 0.0]);
            shift(states, "lid", [0.0, 1.0, 0.0]);
        }
        3 => shift(states, "arm", [9.0, 0.0, 0.0]),
        4 => {
            shift(states, "hub", [0.0, 0.0, -4.0]);
            shift(states, "pin", [8.0, 0.0, 0.0]);
            // Half a turn moves a corner, which is 0.75 m from the center, by another 1.5 m.
            states[index("pin")].pose.rotation = DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0);
        }
        _ => {}
    });
    let (found, _folder) = differ([still([0; 5]), moved]);
    let first = Parting { step: 2, body: "mark.1".to_owned(), touching: None, distance: 2.0 };
    assert_eq!((found.same, found.first_state, found.first), (false, Some(2), Some(first)));
    assert_eq!((found.steps, found.first_count, found.last_count), (4, 3, 2));
    let displaced = |body: &str, distance| Displaced { body: body.to_owned(), distance };
    assert_eq!(found.farthest, [displaced("pin", 9.5), displaced("hub", 4.0)]);
}

#[test]
fn the_twenty_farthest_are_named() {
    // The 25 bodies are 1, 2, …, 25 m away.
    let mut scene = Scene::new("marks");
    for k in 0..25 {
        scene.add_body(BodyDef::empty(format!("mark.{k}")));
    }
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.tumble", "b.tumble"].map(|name| folder.path().join(name));
    for (path, share) in paths.iter().zip([0.0, 1.0]) {
        let script = scripted(&scene, 1, move |_, states| {
            states.iter_mut().zip(1..).for_each(|(state, k)| state.pose.position.x = share * f64::from(k));
        });
        record(path, &scene, script);
    }
    let found = diff([&paths[0], &paths[1]]).unwrap();
    assert_eq!((found.first_count, found.last_count, found.farthest.len()), (25, 25, 20));
    let [first, .., last] = &found.farthest[..] else { panic!() };
    assert_eq!((first.body.as_str(), first.distance), ("mark.24", 25.0));
    assert_eq!((last.body.as_str(), last.distance), ("mark.5", 6.0));
}

#[test]
fn poses_that_differ_in_the_last_step_alone_are_not_the_same() {
    let moved = scripted(&scene(), 3, |step, states| {
        if step == 3 {
            shift(states, "arm", [0.25, 0.0, 0.0]);
        }
    });
    let (found, _folder) = differ([moved, still([0; 3])]);
    assert_eq!((found.same, found.first_state, found.first_count, found.last_count), (false, Some(3), 1, 1));
    assert_eq!((found.first.as_ref().unwrap().step, found.first.unwrap().distance), (3, 0.25));
}

#[test]
fn a_run_by_itself_is_of_the_common_steps() {
    // Both runs have three steps in common. The first run takes 1 + 2 + 6 ms for update in these, a
    // mean of 3 ms; the other stages follow likewise.
    let own: [[u64; 4]; 4] = [[1, 20, 300, 4000], [2, 20, 300, 1000], [6, 20, 0, 1000], [900; 4]];
    let first = scripted(&scene(), 0, |_, _| {}).taking(own);
    let (found, folder) = differ([first, still([3; 3])]);
    let of_start = format!("{:016x}", state_hash(&bodies_at_start(&scene()) as &Bodies));
    let figures = |name: &str, steps: u32, mean_ms: f64, stages_ms: [f64; 4]| RunFigures {
        path: folder.path().join(name).display().to_string(),
        tumble_version: env!("CARGO_PKG_VERSION").to_owned(),
        steps,
        problem: None,
        mean_ms,
        stages_ms,
        state_hash: of_start.clone(),
    };
    assert_eq!(
        found.runs,
        [
            figures("a.tumble", 4, 2223.0, [3.0, 20.0, 200.0, 2000.0]),
            figures("b.tumble", 3, 3.0, [0.0, 0.0, 3.0, 0.0])
        ]
    );
    // The second run takes 9 ms and the first 6669 ms. Three blocks are too few for an interval.
    let Estimate { value, interval } = found.ratio.unwrap();
    assert!((value - 9.0 / 6669.0).abs() < 1e-12 && interval.is_none(), "{value} {interval:?}");
}

#[test]
fn the_interval_of_a_ratio_is_where_it_lies_in_95_of_100_cases() {
    // There are forty blocks of one step. Half of them have a ratio of 1, the others of 3. If k of
    // forty resampled blocks are of the second half, the ratio is 1 + k / 20. By the binomial
    // distribution, k is at most 13 in 1.9 of 100 cases, and at most 14 in 4.0. So the 2.5 % end is k =
    // 14, and the other end is k = 26. For other percentages it would differ: 15 for 5 %, 18 for 25 %,
    // 12 for 0.5 %.
    let its: Vec<u64> = (0..40).map(|step| if step < 20 { 1 } else { 3 }).collect();
    let Estimate { value, interval } = ratio(vec![1; 40], its).unwrap();
    let [low, high] = interval.unwrap();
    assert!((value - 2.0).abs() < 1e-12, "{value}");
    assert!((low - 1.7).abs() < 1e-9 && (high - 2.3).abs() < 1e-9, "{low}–{high}");
}

#[test]
fn a_ratio_is_that_of_the_second_to_the_first_and_so_is_its_interval() {
    let found = ratio(vec![4; 40], vec![10; 40]).unwrap();
    assert_eq!(found, Estimate { value: 2.5, interval: Some([2.5, 2.5]) });
    let found = ratio(vec![10; 40], vec![4; 40]).unwrap();
    assert_eq!(found, Estimate { value: 0.4, interval: Some([0.4, 0.4]) });
}

#[test]
fn an_interval_is_over_forty_blocks_and_needs_six() {
    // Eighty steps form blocks of two steps. All blocks are equal, although single steps differ.
    let its: Vec<u64> = (0..80).map(|step| 1 + 2 * (step % 2)).collect();
    assert_eq!(ratio(vec![1; 80], its).unwrap(), Estimate { value: 2.0, interval: Some([2.0, 2.0]) });
    assert_eq!(ratio(vec![1; 6], vec![3; 6]).unwrap().interval, Some([3.0, 3.0]));
    assert_eq!(ratio(vec![1; 5], vec![3; 5]).unwrap().interval, None);
}

#[test]
fn there_is_no_ratio_to_nothing_and_no_interval_that_is_not_finite() {
    assert_eq!(ratio(vec![0; 8], vec![3; 8]), None);
    assert_eq!(ratio(vec![0; 8], vec![0; 8]), None);
    // Only one of forty blocks of the first run takes any time. It is missing in 36 of 100 resamplings,
    // which makes the ratio infinite.
    let once: Vec<u64> = (0..40).map(|step| u64::from(step == 7)).collect();
    assert_eq!(ratio(once, vec![1; 40]), Some(Estimate { value: 40.0, interval: None }));
}

#[test]
fn recordings_of_other_scenes_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.tumble", "b.tumble"].map(|name| folder.path().join(name));
    let mut other = scene();
    other.bodies[3].pose.position.x += 1.0;
    record(&paths[0], &scene(), still([0]));
    record(&paths[1], &other, still([0]));
    let Err(CompareError::OtherScene { path, reason }) = diff([&paths[0], &paths[1]]) else { panic!() };
    assert_eq!((path, reason.as_str()), (paths[1].clone(), "its body \"lid\" starts elsewhere"));
}
