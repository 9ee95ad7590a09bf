//! Names of contenders and the settings that they stand for, and the bodies that a recording as a
//! contender returns.

use std::sync::Arc;

use super::scene::{index, record, scene, scripted};
use crate::articulation::LinkTreeKind;
use crate::body::Activity;
use crate::broad::BroadPhaseKind;
use crate::compare::CompareError;
use crate::compare::contender::Contender;
use crate::compare::engine::Engine;
use crate::compare::maker::Maker;
use crate::compare::recorded::Recorded;
use crate::config::{Budget, Config};
use crate::plan::TreePlan;
use crate::tree::{SplitRule, TreeKind};

/// Returns the settings of a contender, for a scene with 3 threads, sleep, and a budget of 9 node tests
/// in which every fifth unsearched pair is sampled.
fn config(name: &str) -> Config {
    let budget = Some(Budget { us: None, tests: Some(9), sample: 5 });
    let own = Config { threads: 3, sleep: true, budget, ..Config::default() };
    Contender::list([name, "brute-force"]).unwrap()[0].config(&own)
}

#[test]
fn a_name_changes_what_it_says_and_nothing_else() {
    let own = config("scene");
    assert_eq!((own.threads, own.sleep), (3, true));
    let with = |change: fn(&mut Config)| {
        let mut changed = own.clone();
        change(&mut changed);
        changed
    };
    assert_eq!(config("aabb"), with(|c| c.tree = TreeKind::Aabb.into()));
    assert_eq!(config("tree=obb"), with(|c| c.tree = TreePlan::try_from("obb".to_owned()).unwrap()));
    assert_eq!(config("hybrid"), with(|c| c.broad = BroadPhaseKind::Hybrid));
    assert_eq!(config("broad=brute-force"), with(|c| c.broad = BroadPhaseKind::BruteForce));
    assert_eq!(config("links=obb"), with(|c| c.links = LinkTreeKind::Obb));
    assert_eq!(config("links=brute-force"), with(|c| c.links = LinkTreeKind::BruteForce));
    assert_eq!(config("threads=2"), with(|c| c.threads = 2));
    assert_eq!(config("no-sleep"), with(|c| c.sleep = false));
    for rule in SplitRule::ALL {
        assert_eq!(config(&format!("split={}", rule.name())).split, rule);
    }
    // The replaced budget keeps the scene's sampling interval.
    let budget = |us, tests| Some(Budget { us, tests, sample: 5 });
    assert_eq!(config("budget-us=500").budget, budget(Some(500), None));
    assert_eq!(config("budget-tests=700").budget, budget(None, Some(700)));
    let many = config("hybrid:threads=1:no-sleep");
    assert_eq!((many.broad, many.threads, many.sleep), (BroadPhaseKind::Hybrid, 1, false));
}

#[test]
fn two_contenders_are_enough_and_one_is_not() {
    assert_eq!(Contender::list(["aabb", " obb "]).unwrap().len(), 2);
    assert!(matches!(Contender::list(["aabb"]), Err(CompareError::TooFew)));
    assert!(matches!(Contender::list(["aabb", "obb", "tree=aabb"]), Err(CompareError::Twice(_))));
    let all = Contender::list(["run.tumble", "scene"]).unwrap();
    assert_eq!(all[0].recording().unwrap().to_str(), Some("run.tumble"));
    assert_eq!(all[1].recording(), None);
}

#[test]
fn a_contender_says_what_it_stands_for_and_whether_the_clock_decides() {
    let about = |name: &str| {
        let contenders = Contender::list([name, "brute-force:threads=9"]).unwrap();
        let maker = Maker::new(&contenders[0], &scene());
        (maker.about(), maker.is_by_clock(), maker.is_recorded())
    };
    let own = |rest: &str| format!("tumble: aabb, hybrid, {rest}");
    assert_eq!(about("aabb:hybrid"), (own("1 thread"), false, false));
    assert_eq!(about("aabb:hybrid:threads=0").0, own("one thread per core"));
    assert_eq!(about("aabb:hybrid:threads=2:no-sleep").0, own("2 threads, no sleep"));
    assert_eq!(about("aabb:hybrid:budget-us=500"), (own("1 thread, 500 µs per step"), true, false));
    let by_tests = about("aabb:hybrid:budget-tests=700");
    assert_eq!(by_tests, (own("1 thread, 700 node tests per step"), false, false));
    assert_eq!(about("run.tumble").0, "a recording, with the times of its own run");
    assert!(about("run.tumble").2);
}

#[cfg(feature = "reference")]
#[test]
fn rapier_says_its_length_unit_and_iterations() {
    let contenders = Contender::list(["rapier-convex:no-sleep", "scene"]).unwrap();
    let mut scene = scene();
    scene.config.substeps = 7;
    // The longest side of a block is 1 m, which becomes the length unit.
    let expected = "rapier3d 0.36: boxes, balls and convex parts, length unit 1.000 m, 7 solver iterations, 1 \
                    thread, no sleep";
    assert_eq!(Maker::new(&contenders[0], &scene).about(), expected);
}

#[test]
fn a_recording_gives_back_poses_rests_counts_and_hashes_step_by_step() {
    let (scene, folder) = (scene(), tempfile::tempdir().unwrap());
    let path = folder.path().join("run.tumble");
    let script = || {
        let mut script = scripted(&scene, 3, |step, states| {
            states[index("loose")].pose.position.y = f64::from(step);
            states[index("lid")].activity = if step == 2 { Activity::Asleep } else { Activity::Quarantined };
        });
        script = script.taking([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]);
        script.counts.node_tests = 6;
        script.energy = |step| f64::from(step);
        script
    };
    record(&path, &scene, script());
    let mut by_hand = script();
    let mut engine = Recorded::new(&path, &scene).unwrap();
    for step in 1..=3 {
        assert_eq!(engine.step(), by_hand.step());
        engine.observe().unwrap();
        by_hand.observe().unwrap();
        let states = &engine.bodies().states;
        assert_eq!(states[index("loose")].pose.position.y, f64::from(step));
        let activity = if step == 2 { Activity::Asleep } else { Activity::Quarantined };
        assert_eq!(states[index("lid")].activity, activity);
        assert_eq!(states[index("arm")].activity, Activity::Awake { slow_for: 0.0 });
        let (counts, measures) = engine.record();
        assert_eq!((counts.node_tests, measures.energy), (6, f64::from(step)));
        assert_eq!(engine.state_hash(), crate::body::state_hash(by_hand.bodies()));
    }
    assert_eq!(engine.step(), None);
    assert_eq!((engine.why_over().as_str(), engine.unmapped().len()), ("it has no more steps", 0));
    let stop = Arc::default();
    let contenders = Contender::list([path.to_str().unwrap(), "scene"]).unwrap();
    assert!(Maker::new(&contenders[0], &scene).engine(&stop).unwrap().step().is_some());
}
