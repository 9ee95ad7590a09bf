//! A whole comparison of scripted recordings, and the choice of contenders for timed runs.

use std::time::Duration;

use super::scene::{Scripted, index, record, scene, scripted, shift, stages};
use crate::compare::maker::Maker;
use crate::compare::observed::Seen;
use crate::compare::race::Laps;
use crate::compare::result::{
    Comparison, ContenderResult, Deepest, Ended, Estimate, Loss, Lost, Parting, Passed, Rest, Spread,
};
use crate::compare::{CompareOptions, Contender, Phase, compare, fill, remarks, time};
use crate::contact::PairRule;
use crate::record::{EndReason, RunReader};
use crate::scene::Scene;
use crate::timing::Timings;

/// Creates the first script: six steps at rest, of 1, 2, …, 6 ms.
fn first(scene: &Scene) -> Scripted {
    let mut script = scripted(scene, 6, |_, _| {}).taking((1..=6).map(|ms| [0, ms, 0, 0]));
    script.energy = |step| f64::from(step);
    script
}

/// Creates the second script: five steps of 6 ms, in which the loose block enters the guest, passes
/// through it, and falls.
fn second(scene: &Scene) -> Scripted {
    let mut script = scripted(scene, 5, |step, states| {
        let guest = states[index("guest")].pose.position;
        let loose = &mut states[index("loose")].pose.position;
        match step {
            2 => *loose = guest + glam::DVec3::new(-0.125, 0.125, 0.125),
            3 => *loose = guest + glam::DVec3::new(8.0, 0.125, 0.125),
            4 | 5 => *loose = glam::DVec3::new(48.0, -64.0, 0.0),
            _ => {}
        }
        shift(states, "mark.1", [0.0, if step == 5 { -0.5 } else { 0.0 }, 0.0]);
    });
    script = script.taking([[1, 2, 0, 3]; 5]);
    script.counts.contacts = 9;
    script
}

/// Records both scripts in a folder, and returns the recordings as contenders.
fn recorded(scene: &Scene) -> (Vec<Contender>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["one", "two"].map(|name| folder.path().join(name).with_extension("tumble"));
    record(&paths[0], scene, first(scene));
    record(&paths[1], scene, second(scene));
    let names = paths.each_ref().map(|path| path.to_str().unwrap());
    (Contender::list(names).unwrap(), folder)
}

/// Compares the two recordings over six steps, and measures overlap every second step.
fn whole() -> (Comparison, tempfile::TempDir) {
    let scene = scene();
    let (contenders, folder) = recorded(&scene);
    let recordings = Some(folder.path().join("out"));
    std::fs::create_dir(recordings.as_ref().unwrap()).unwrap();
    let options =
        CompareOptions { steps: 6, repeats: 3, seed: 77, overlap_every: 2, recordings, ..Default::default() };
    (compare(&scene, &contenders, &options, &mut |_, _| true).unwrap(), folder)
}

/// Compares the two recordings over eight steps until `go_on` returns false. Also returns the reported
/// progress.
fn watched(go_on: fn(Phase, f64) -> bool) -> (Comparison, Vec<(Phase, f64)>) {
    let scene = scene();
    let (contenders, folder) = recorded(&scene);
    let recordings = Some(folder.path().join("out"));
    std::fs::create_dir(recordings.as_ref().unwrap()).unwrap();
    let options = CompareOptions { steps: 8, repeats: 3, recordings, ..CompareOptions::default() };
    let mut said = Vec::new();
    let mut watch = |phase, share| {
        said.push((phase, share));
        go_on(phase, share)
    };
    let found = compare(&scene, &contenders, &options, &mut watch).unwrap();
    let own = folder.path().join("out").join(found.contenders[0].recording.as_ref().unwrap());
    assert_eq!(RunReader::open(&own).unwrap().end().map(|end| end.reason), Some(EndReason::Interrupted));
    (found, said)
}

#[test]
fn a_comparison_says_how_far_it_is_and_what_was_left_out() {
    let (found, said) = watched(|_, _| true);
    assert_eq!((found.steps, found.notes[0].as_str()), (6, "6 of 8 steps were taken"));
    assert_eq!((found.tracked, found.sampled), (vec![1, 2, 3, 4, 5, 6], vec![0, 1, 2, 3, 4, 5, 6]));
    // An eighth step is not begun, because no contender takes a seventh.
    let observing: Vec<f64> = said[2..].iter().map(|said| said.1).collect();
    assert_eq!(said[..2], [(Phase::SettingUp, 0.0), (Phase::SettingUp, 0.5)]);
    assert_eq!(observing, [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75]);
    assert!(said[2..].iter().all(|said| said.0 == Phase::Observing));

    let (found, _) = watched(|phase, share| phase != Phase::Observing || share < 0.25);
    assert_eq!((found.steps, found.notes[0].as_str()), (2, "2 of 8 steps were taken"));
    assert_eq!([found.steps_of(0), found.steps_of(1)], [2, 2]);

    let (found, said) = watched(|phase, share| phase != Phase::SettingUp || share < 0.5);
    assert_eq!((found.contenders.len(), said[1]), (1, (Phase::SettingUp, 0.5)));
    assert!(found.notes[0].ends_with("two.tumble was not set up"), "{:?}", found.notes);
}

#[test]
fn a_comparison_says_what_was_compared() {
    let (found, folder) = whole();
    assert_eq!((found.scene.as_str(), found.steps, found.dt), ("by hand", 6, 0.5));
    // Sixteen blocks have twelve triangles each; the marks have no surface.
    assert_eq!((found.bodies, found.triangles), (19, 192));
    assert_eq!((found.repeats, found.seed), (1, 77));
    assert_eq!((found.sampled, found.tracked), (vec![0, 2, 4, 6], vec![1, 2, 3, 4, 5, 6]));
    let once = |k: usize| {
        let name = &found.contenders[k].name;
        format!("{name} was timed once, while it was observed: it is a recording")
    };
    assert_eq!(found.notes, [once(0), once(1)]);
    for (one, (steps, is_complete)) in found.contenders.iter().zip([(6, true), (5, false)]) {
        let file = folder.path().join("out").join(one.recording.as_ref().unwrap());
        let reader = RunReader::open(&file).unwrap();
        let end = reader.end().unwrap();
        assert_eq!((reader.step_count(), end.reason == EndReason::Finished), (steps, is_complete));
        assert_eq!(one.recording_fault, None);
    }
    assert_eq!(found.contenders[1].recording.as_deref(), Some("2-two.tumble"));
}

#[test]
fn a_recording_takes_what_it_took() {
    let (found, _folder) = whole();
    let [own, its] = &found.contenders[..] else { panic!() };
    // The first contender takes 21 ms in six steps, the second 30 ms in five. They have one whole block
    // of five steps in common, in 15 and 30 ms.
    let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-12, "{x} {y}");
    near(own.mean.value, 3.5);
    near(own.runs[0], 3.5);
    assert_eq!((own.mean.interval, own.runs.len()), (None, 1));
    near(its.mean.value, 6.0);
    near(its.runs[0], 6.0);
    assert_eq!((own.ratio, its.ratio), (None, Some(Estimate { value: 2.0, interval: None })));
    assert_eq!(own.spread, Spread { p50: 3.0, p95: 6.0, p99: 6.0, worst: 6.0, worst_step: 6 });
    assert_eq!(own.times.test, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!((&its.times.update, &its.times.solve), (&vec![1.0; 5], &vec![3.0; 5]));
    assert_eq!([found.steps_of(0), found.steps_of(1)], [6, 5]);
}

#[test]
fn a_recording_moves_as_it_moved() {
    let (found, _folder) = whole();
    let [own, its] = &found.contenders[..] else { panic!() };
    assert_eq!(own.energy, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!((&own.counts["contacts"], &its.counts["contacts"]), (&vec![0; 6], &vec![9; 5]));
    assert_eq!((own.rest, own.ended.clone()), (Rest { since: Some(0), shiver: Some(0.0) }, None));
    let reason = "it has no more steps".to_owned();
    assert_eq!((its.rest, its.ended.clone()), (Rest::default(), Some(Ended { step: 5, reason })));
    // The guest is at 33 m and the loose block at 48 m. In the step, the loose block moves 15 m and an
    // eighth in one direction, and an eighth of a meter in each of the two others.
    let way = (15.125_f64.powi(2) + 2.0 * 0.125_f64.powi(2)).sqrt();
    let first = its.first_difference.clone().unwrap();
    assert_eq!((first.step, first.body.as_str(), first.touching), (2, "loose", None));
    assert!((first.distance - way).abs() < 1e-12);
    assert!(matches!(&its.parting, Some(Parting { step: 2, .. })));
    assert_eq!(its.lost, [Lost { body: "loose".to_owned(), step: 4, how: Loss::Fell }]);
    assert_passages(its.passages.clone().unwrap());
    assert_eq!(own.passages, Some(Vec::new()));
    assert_eq!(its.deviation.farthest.len(), 5);
    assert_eq!(its.deviation.farthest[3..], [64.0, 64.0]);
    assert_eq!(its.deviation.bodies["mark.1"], [0.0, 0.0, 0.0, 0.0, 0.5]);
    assert_eq!((own.overlap.as_slice(), its.overlap.len()), (&[0.0; 4][..], 3));
    let Deepest { step, bodies, depth } = its.deepest.clone().unwrap();
    assert_eq!((step, bodies), (2, ["guest".to_owned(), "loose".to_owned()]));
    assert!((depth - 0.375).abs() < 1e-6, "{depth}");
    assert_ne!(own.state_hash, its.state_hash);
}

/// Checks the passages. The loose block passes through both led bodies, and each core passes through
/// the other's surface. If both bodies yield, the passing body is the first of the pair; if one yields,
/// that body.
fn assert_passages(mut found: Vec<Passed>) {
    found.sort_by_key(|passed| passed.body.clone());
    let passed =
        |body: &str, through: &str| Passed { body: body.to_owned(), through: through.to_owned(), step: 2 };
    assert_eq!(found, [passed("guest", "loose"), passed("led.2", "loose"), passed("loose", "led.1")]);
}

/// Times three contenders, each a world of the program, in a scene with one resting block over two
/// steps. `seconds` are the times that they took in the observed run.
fn raced(seconds: [u64; 3], watch: &mut dyn FnMut(Phase, f64) -> bool) -> Vec<Laps> {
    let mut scene = scene();
    scene.bodies.truncate(2);
    (scene.joints, scene.skeletons) = Default::default();
    scene.pair_rules = vec![(0, 1, PairRule::Collide)];
    let options = CompareOptions { steps: 2, repeats: 2, ..CompareOptions::default() };
    let contenders = Contender::list(["scene", "aabb", "obb"]).unwrap();
    let makers: Vec<Maker> = contenders.iter().map(|one| Maker::new(one, &scene)).collect();
    let seen = seconds
        .map(|s| Seen { result: ContenderResult::default(), run: vec![stages([500 * s, 0, 0, 0]); 2] });
    time(&makers, &seen, &options, 2, watch).unwrap()
}

#[test]
fn a_contender_far_slower_than_the_median_is_timed_once() {
    let laps = raced([1, 11, 1], &mut |_, _| true);
    assert_eq!(laps.iter().map(|laps| laps.hashes.len()).collect::<Vec<_>>(), [2, 0, 2]);
    assert_eq!(laps[1].once.as_deref(), Some("it takes over 10 times as long as the middle one"));
    assert_eq!((laps[1].took(), laps[1].set_up_ms()), (11.0, None));
    assert_eq!((&laps[0].once, &laps[2].once), (&None, &None));
    assert!(laps[0].set_up_ms().is_some());
    // The median is 2 s, so 11 s is less than ten times as long.
    let laps = raced([2, 11, 2], &mut |_, _| true);
    assert!(laps.iter().all(|laps| laps.hashes.len() == 2 && laps.once.is_none()));
}

#[test]
fn of_whom_no_timed_run_was_finished_the_observed_one_counts() {
    let mut shares = Vec::new();
    let laps = raced([1, 2, 3], &mut |phase, share| {
        shares.push((phase, share));
        shares.len() < 4
    });
    // Two steps are one block, so the first three turns are one run of each contender.
    assert_eq!(laps.iter().map(|laps| laps.hashes.len()).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!(shares[3], (Phase::Timing, 0.5));
    let laps = raced([1, 2, 3], &mut |_, _| false);
    assert_eq!(laps.iter().map(Laps::took).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    assert!(laps.iter().all(|laps| laps.once.as_deref() == Some("no other run was finished")));
}

#[test]
fn shared_preparation_counts_as_set_up_and_timed_runs_end_as_observed() {
    let laps = &raced([1, 1, 1], &mut |_, _| true)[0];
    let mut result = ContenderResult { name: "a".to_owned(), set_up_ms: 7.0, ..ContenderResult::default() };
    fill(&mut result, laps, Duration::from_secs(2));
    assert!((result.set_up_ms - laps.set_up_ms().unwrap() - 2000.0).abs() < 1e-6);
    assert_eq!((result.runs.len(), result.times.update.len(), result.mean), (2, 2, laps.mean()));
    assert!(laps.hashes[0] == laps.hashes[1]);
    let said = "a does not end in the same state every time";
    assert_eq!(remarks(&result, laps).as_deref(), Some(said), "another state was observed");
    result.state_hash = format!("{:016x}", laps.hashes[0]);
    assert_eq!(remarks(&result, laps), None);
    // A contender without timed runs only has the set-up time of the observed run.
    let once = Laps::of(&[Timings::default()]);
    fill(&mut result, &once, Duration::from_secs(2));
    assert!((result.set_up_ms - laps.set_up_ms().unwrap() - 2000.0).abs() < 1e-6);
}
