//! Contacts and joints in recordings: a reader gets the world's data, and impossible data is refused.

use std::fs;
use std::path::{Path, PathBuf};

use glam::DVec3;
use tumble::record::container::{self, ChunkWriter};
use tumble::record::{
    ContactMark, EndReason, History, Kept, RunReader, RunWriter, StepRecord, format, validate,
};
use tumble::scene::{Scene, load_scene};
use tumble::world::{AxisStep, JointStep, PairTouch, World};

/// Contacts and joints after a step.
struct Seen {
    touching: Vec<PairTouch>,
    joints: Vec<JointStep>,
    axes: Vec<AxisStep>,
    marks: Vec<ContactMark>,
}

fn scene(name: &str) -> Scene {
    let mut scene = load_scene(name, None).unwrap();
    scene.config.threads = 1;
    scene
}

/// Records a run. Returns its data after each step.
fn record(scene: &Scene, kept: Kept, steps: u32, path: &Path) -> Vec<Seen> {
    let mut writer = RunWriter::new(Box::new(fs::File::create(path).unwrap()), path, scene).unwrap();
    let mut world = World::new(scene).unwrap();
    let mut history = History::new(scene, usize::MAX);
    let step = |step: u32| {
        let timings = world.step();
        history.append(&world, &timings);
        writer.append_world(&world, &timings, kept).unwrap();
        Seen {
            touching: world.touching().to_vec(),
            joints: world.joint_steps().to_vec(),
            axes: world.axis_steps().1.to_vec(),
            marks: history.contacts(step).to_vec(),
        }
    };
    let seen = (1..=steps).map(step).collect();
    writer.finish(EndReason::Finished).unwrap();
    seen
}

/// Returns whether a number is within the digits that a recording keeps.
fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 2.0_f64.powi(-14) * (1.0 + expected.abs())
}

fn assert_same(found: &PairTouch, expected: &PairTouch) {
    assert_eq!((found.a, found.b, found.is_impact), (expected.a, expected.b, expected.is_impact));
    let off = |vector: fn(&PairTouch) -> DVec3| vector(found).distance(vector(expected));
    let all = format!("{found:?} {expected:?}");
    assert!((found.force - expected.force).abs() <= 1e-6 * expected.force, "{all}");
    assert!((found.gap - expected.gap).abs() <= 2.0_f64.powi(-14) * expected.gap.abs(), "{all}");
    assert!(off(|t| t.push).max(off(|t| t.friction)) <= 2.0_f64.powi(-14) * expected.force, "{all}");
    // The lighter body of each pair extends at most a meter here; two roundings may add up.
    let places = [off(|t| t.places[0]), off(|t| t.places[1]), off(|t| t.point)];
    assert!(places.into_iter().fold(0.0, f64::max) <= 2.0 * 2.0_f64.powi(-14), "{all}");
}

#[test]
fn pairs_and_joints_come_back_as_the_world_said_them_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    for (name, steps) in [("first-scene", 130), ("pick-and-place", 200), ("parts-tray", 70)] {
        let (scene, path) = (scene(name), folder.path().join(name));
        let seen = record(&scene, Kept::Pairs, steps, &path);
        let mut reader = RunReader::open(&path).unwrap();
        assert!(reader.touching().unwrap().is_none(), "nothing is known of the start");
        let mut pair_count = 0;
        for step in (1..=steps).chain([5, 61, 60, steps, 1]) {
            reader.seek(step).unwrap();
            let Seen { touching, joints, axes, .. } = &seen[step as usize - 1];
            let found = reader.touching().unwrap().unwrap();
            assert_eq!(found.len(), touching.len(), "{name}, step {step}");
            found.iter().zip(touching).for_each(|(found, expected)| assert_same(found, expected));
            pair_count += found.len();
            let (found_joints, found_axes) = reader.joints().unwrap().unwrap();
            assert_eq!((found_joints.len(), found_axes.len()), (joints.len(), axes.len()));
            for (found, expected) in found_joints.iter().zip(joints) {
                assert!(near(found.force, expected.force) && near(found.torque, expected.torque));
                assert_eq!(found.deviation.is_some(), expected.deviation.is_some());
            }
            for (found, expected) in found_axes.iter().zip(axes) {
                assert!((found.coordinate - expected.coordinate).abs() < 1e-9, "{found:?} {expected:?}");
                assert!(near(found.effort, expected.effort), "{found:?} {expected:?}");
                assert_eq!(
                    (found.is_at_limit, found.is_stalled),
                    (expected.is_at_limit, expected.is_stalled)
                );
            }
        }
        assert!(pair_count > 200, "{name}: {pair_count}");
    }
}

#[test]
fn every_contact_comes_back_or_one_for_each_pair_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, path) = (scene("first-scene"), folder.path().join("run.tumble"));
    for kept in Kept::ALL {
        let seen = record(&scene, kept, 40, &path);
        let mut reader = RunReader::open(&path).unwrap();
        for step in [40, 3, 17, 18] {
            reader.seek(step).unwrap();
            let Seen { touching, marks, .. } = &seen[step as usize - 1];
            let found = reader.contacts().unwrap();
            match kept {
                Kept::None => assert_eq!(found, None),
                Kept::All => assert_eq!(found.unwrap(), *marks),
                Kept::Pairs => {
                    let bodies: Vec<_> = found.unwrap().iter().map(|mark| (mark.a, mark.b)).collect();
                    assert_eq!(bodies, touching.iter().map(PairTouch::bodies).collect::<Vec<_>>());
                }
            }
        }
    }
}

/// Reads a file written before recordings kept contacts, when bodies fell by whole sub-steps: a world
/// moves differently from the first step on.
#[test]
fn a_recording_of_version_1_opens_and_can_be_compared_with_its_scene() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/version_1.tumble");
    let mut reader = RunReader::open(&path).unwrap();
    assert!(reader.is_complete());
    let mut world = World::new(reader.scene()).unwrap();
    let step = |_| {
        world.step();
        world.state_hash()
    };
    let validation = validate(&mut reader, step).unwrap();
    assert_eq!(validation.first_difference.map(|difference| difference.step), Some(1), "{validation:?}");
    reader.seek(5).unwrap();
    assert!(reader.touching().unwrap().is_none() && reader.joints().unwrap().is_none());
}

/// Writes the file with another record in place of a step; its checksums are right.
fn rewritten(path: &Path, step: u32, other: &StepRecord) {
    let mut source = fs::File::open(path).unwrap();
    let scan = container::scan(&mut source).unwrap();
    let copy = path.with_extension("copy");
    let mut writer = ChunkWriter::new(Box::new(fs::File::create(&copy).unwrap())).unwrap();
    let mut steps = 0;
    for place in scan.chunks {
        let mut payload = container::read_chunk(&mut source, place).unwrap();
        steps += u32::from(matches!(place.kind, format::KEYFRAME | format::STEP));
        if steps == step && matches!(place.kind, format::KEYFRAME | format::STEP) {
            format::encode(other, &mut payload).unwrap();
        }
        writer.append(place.kind, &payload).unwrap();
    }
}

/// Checks records with a right checksum, as only a faulty program writes them.
#[test]
fn lists_that_do_not_follow_those_of_the_step_before_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, path) = (scene("first-scene"), folder.path().join("run.tumble"));
    record(&scene, Kept::All, 24, &path);
    let mut whole = RunReader::open(&path).unwrap();
    let mut refused = 0;
    for (step, from) in [(12, 1), (12, 4), (13, 20), (1, 9), (2, 1), (20, 2)] {
        for list in 0..4 {
            let (mut record, other) = (whole.record(step).unwrap(), whole.record(from).unwrap());
            match list {
                0 => record.touches = other.touches,
                1 => record.joints = other.joints,
                2 => record.axes = other.axes,
                _ => record.contacts = other.contacts,
            }
            rewritten(&path, step, &record);
            let mut reader = RunReader::open(&path.with_extension("copy")).unwrap();
            let outcome = reader.seek(step).map(|_| ());
            let read = outcome.and_then(|()| {
                reader.touching()?;
                reader.joints()?;
                reader.contacts()
            });
            if let Err(error) = read {
                let text = error.to_string();
                assert!(text.contains(&format!("step {step}")), "{text}");
                refused += 1;
            }
        }
    }
    assert!(refused > 12, "{refused}");
}
