//! A recording returns every step bit by bit, in any order. For any damage to the file, the reader
//! separates the intact part from the damaged one, and never returns wrong data.

use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use glam::{DMat3, DQuat, DVec3, Vec3};
use proptest::prelude::*;
use tumble::body::{Activity, Bodies, BodyState, Motion, state_hash};
use tumble::files::{Existing, TargetError};
use tumble::mesh::Mesh;
use tumble::pose::Pose;
use tumble::record::container::{self, Sink};
use tumble::record::{
    Difference, EndReason, Frame, RecordError, Rest, RunReader, RunWriter, format, validate,
};
use tumble::scene::looks::Paint;
use tumble::scene::{BodyDef, PartRange, Scene};
use tumble::timing::Timings;
use tumble::world::{Measures, StepCounts};

use crate::rounds::rounds;

const BODY_COUNT: usize = 5;

fn tetrahedron(name: &str, size: f32) -> Arc<Mesh> {
    let corners = [Vec3::ZERO, Vec3::X * size, Vec3::Y * size, Vec3::Z * size];
    Arc::new(Mesh::new(name, &corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap())
}

/// Returns five tetrahedra of three meshes, two of which are the same surface; the first never moves.
fn scene() -> Scene {
    let mut scene = Scene::new("tetrahedra");
    scene.description = "Made for the tests of recordings.".into();
    scene.meshes = vec![tetrahedron("a", 1.0), tetrahedron("b", 2.0), tetrahedron("a", 1.0)];
    scene.paints = vec![Paint::Plain([200, 100, 0])];
    scene.steps = 200;
    for index in 0..BODY_COUNT {
        let is_fixed = index == 0;
        scene.add_body(BodyDef {
            mesh: Some(index as u32 % 3),
            parts: vec![PartRange { name: "node".into(), first_triangle: 0 }],
            motion: if is_fixed { Motion::Static } else { Motion::Dynamic },
            mass: if is_fixed { f64::INFINITY } else { 1.0 },
            rolling: 0.001 * index as f64,
            spinning: 0.0001 * index as f64,
            ..BodyDef::empty(format!("body {index}")).at(DVec3::new(index as f64, 0.0, 0.0))
        });
    }
    scene
}

/// Returns some motion: body 1 always moves, body 2 until it falls asleep and wakes again, body 3 until
/// it is quarantined, body 4 only at step 7.
fn bodies_after(step: u32) -> Bodies {
    let state = |index: usize| {
        let still = match index {
            1 => step,
            2 => {
                if step < 120 {
                    step.min(30)
                } else {
                    step
                }
            }
            3 => step.min(45),
            4 => u32::from(step >= 7),
            _ => 0,
        };
        let t = f64::from(still) / 60.0;
        BodyState {
            pose: Pose::new(DQuat::from_rotation_y(t), DVec3::new(index as f64, -0.1 * t * t, t / 3.0)),
            linear_velocity: DVec3::new(0.0, -0.2 * t, 1.0 / 3.0),
            angular_velocity: DVec3::Y,
            inverse_mass: 1.0,
            center: DVec3::ZERO,
            inertia: DMat3::IDENTITY,
            inverse_inertia: DMat3::IDENTITY,
            gravity_factor: 1.0,
            motion: Motion::Dynamic,
            activity: match index {
                2 if (31..120).contains(&step) => Activity::Asleep,
                3 if step >= 45 => Activity::Quarantined,
                _ => Activity::Awake { slow_for: t },
            },
        }
    };
    Bodies { states: (0..BODY_COUNT).map(state).collect(), ..Bodies::default() }
}

fn cost_of(step: u32) -> (Timings, StepCounts) {
    let timings = Timings { query: Duration::from_micros(u64::from(step)), ..Timings::default() };
    (timings, StepCounts { pairs: u64::from(step), contacts: 3, ..StepCounts::default() })
}

fn frame_after(step: u32) -> Frame {
    let bodies = bodies_after(step);
    let (timings, counts) = cost_of(step);
    Frame {
        step,
        poses: bodies.states.iter().map(|s| s.pose).collect(),
        rests: bodies.states.iter().map(|s| Rest::from(s.activity)).collect(),
        turns: Vec::new(),
        timings,
        counts,
        measures: measures(),
        state_hash: Some(state_hash(&bodies)),
    }
}

/// In-memory disk of a given size.
#[derive(Clone)]
struct Disk {
    bytes: Arc<Mutex<Vec<u8>>>,
    size: usize,
}

impl Disk {
    fn of_size(size: usize) -> Self {
        Self { bytes: Arc::default(), size }
    }

    fn contents(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }
}

impl Write for Disk {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let mut bytes = self.bytes.lock().unwrap();
        let count = data.len().min(self.size - bytes.len());
        if count == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        bytes.extend(&data[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Disk {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.bytes.lock().unwrap().truncate(length as usize);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write(disk: &Disk, step_count: u32) -> Result<(), RecordError> {
    let mut writer = RunWriter::new(Box::new(disk.clone()), Path::new("run"), &scene())?;
    for step in 1..=step_count {
        let (timings, counts) = cost_of(step);
        writer.append(&bodies_after(step), &timings, &counts, &measures())?;
    }
    writer.finish(EndReason::Finished).map(drop)
}

fn recording(step_count: u32) -> Vec<u8> {
    let disk = Disk::of_size(usize::MAX);
    write(&disk, step_count).unwrap();
    disk.contents()
}

fn read(bytes: Vec<u8>) -> Result<RunReader, RecordError> {
    RunReader::new(Box::new(Cursor::new(bytes)), Path::new("run"))
}

/// Returns the error with its causes, as the user sees it.
fn message(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}

#[test]
fn every_frame_comes_back_forwards_backwards_and_at_random() {
    let step_count = 200;
    let mut reader = read(recording(step_count)).unwrap();
    assert!(reader.is_complete(), "{:?}", reader.problem());
    assert_eq!(reader.step_count(), step_count);
    assert_eq!(reader.end().unwrap().reason, EndReason::Finished);
    let start = reader.seek(0).unwrap().clone();
    assert_eq!(start.poses, scene().bodies.iter().map(|b| b.pose).collect::<Vec<_>>());
    let forwards = 1..=step_count;
    let backwards = (1..=step_count).rev();
    // 7919 is prime, so this visits every step once.
    let scattered = (1..=step_count).map(|k| k * 7919 % step_count + 1);
    for step in forwards.chain(backwards).chain(scattered) {
        assert_eq!(reader.seek(step).unwrap(), &frame_after(step), "step {step}");
    }
    assert_eq!(reader.seek(0).unwrap(), &start);
    assert!(matches!(reader.seek(201), Err(RecordError::NoSuchStep { step: 201, step_count: 200, .. })));
}

#[test]
fn the_scene_comes_back_with_its_meshes_and_each_surface_is_stored_once() {
    let bytes = recording(1);
    let reader = read(bytes.clone()).unwrap();
    let (read, written) = (reader.scene(), scene());
    assert_eq!(read.bodies, written.bodies);
    assert_eq!((&read.config, read.gravity, &read.name), (&written.config, written.gravity, &written.name));
    assert_eq!(read.meshes.len(), 3);
    for (a, b) in read.meshes.iter().zip(&written.meshes) {
        assert_eq!(a.surface(), b.surface());
    }
    assert!(Arc::ptr_eq(&read.meshes[0], &read.meshes[2]));
    let scan = container::scan(&mut Cursor::new(bytes)).unwrap();
    assert_eq!(scan.chunks.iter().filter(|c| c.kind == format::GEOMETRY).count(), 2);
}

#[test]
fn a_file_cut_anywhere_is_read_up_to_its_last_whole_step() {
    let whole = recording(4);
    let mut most = 0;
    for length in 0..whole.len() {
        match read(whole[..length].to_vec()) {
            Ok(mut reader) => {
                assert!(!reader.is_complete(), "{length} bytes");
                assert!(reader.step_count() >= most, "more bytes never hold fewer steps");
                most = reader.step_count();
                for step in 1..=most {
                    assert_eq!(reader.seek(step).unwrap(), &frame_after(step));
                }
            }
            Err(error) => assert_eq!(most, 0, "{length} bytes: {error}"),
        }
    }
    assert_eq!(most, 4);
}

#[test]
fn every_flipped_bit_is_noticed_and_every_frame_before_it_is_right() {
    let whole = recording(3);
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok(mut reader) = read(bytes) else { continue };
        assert!(!reader.is_complete(), "bit {bit}");
        for step in 1..=reader.step_count() {
            assert_eq!(reader.seek(step).unwrap(), &frame_after(step), "bit {bit}");
        }
    }
}

#[test]
fn a_full_disk_is_an_error_that_says_what_is_saved_and_all_of_it_is_readable() {
    let whole = recording(6).len();
    let mut saved_counts = Vec::new();
    for size in (0..whole).step_by(7) {
        let disk = Disk::of_size(size);
        let error = write(&disk, 6).unwrap_err();
        let RecordError::Write { steps_saved, source, .. } = &error else { panic!("{error}") };
        assert_eq!(source.kind(), io::ErrorKind::StorageFull);
        assert!(message(&error).contains(&format!("run: recording stopped, {steps_saved} steps are saved")));
        if let Ok(mut reader) = read(disk.contents()) {
            assert_eq!(reader.step_count(), *steps_saved);
            assert_eq!(
                reader.problem(),
                Some(&*format!("the run was cut off after step {steps_saved} of 200"))
            );
            for step in 1..=*steps_saved {
                assert_eq!(reader.seek(step).unwrap(), &frame_after(step));
            }
        }
        saved_counts.push(*steps_saved);
    }
    saved_counts.dedup();
    assert_eq!(saved_counts, [0, 1, 2, 3, 4, 5, 6], "at six steps only the end is missing");
}

#[test]
fn after_a_failed_write_nothing_more_is_recorded() {
    let whole = recording(2).len();
    let disk = Disk::of_size(whole - 100);
    let mut writer = RunWriter::new(Box::new(disk.clone()), Path::new("run"), &scene()).unwrap();
    let (timings, counts) = cost_of(1);
    let mut first_error = None;
    for step in 1..=10 {
        if writer.append(&bodies_after(step), &timings, &counts, &measures()).is_err()
            && first_error.is_none()
        {
            first_error = Some(step);
        }
    }
    let saved = first_error.unwrap() - 1;
    assert_eq!(writer.step_count(), saved);
    assert!(writer.finish(EndReason::Finished).is_err());
    assert_eq!(read(disk.contents()).unwrap().step_count(), saved);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_neither_recorded_to_nor_read() {
    for existing in [Existing::Keep, Existing::Replace] {
        let error = RunWriter::create(Path::new("/dev/full"), &scene(), existing).err().unwrap();
        assert_eq!(message(&error), "/dev/full: is not a regular file");
    }
    let error = RunReader::open(Path::new("/dev/zero")).err().unwrap();
    assert_eq!(message(&error), "/dev/zero: cannot be opened: it is not a regular file");
}

#[test]
fn a_file_is_recorded_by_one_run_at_a_time_and_replaced_by_the_next_only_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("run.tumble");
    let create = |existing| RunWriter::create(&path, &scene(), existing);
    let mut writer = create(Existing::Keep).unwrap();
    assert!(matches!(create(Existing::Replace), Err(RecordError::Busy { .. })));
    let (timings, counts) = cost_of(1);
    writer.append(&bodies_after(1), &timings, &counts, &measures()).unwrap();
    // Steps are not buffered: a reader sees the step before the run ends.
    let reader = RunReader::open(&path).unwrap();
    assert_eq!((reader.step_count(), reader.end()), (1, None));
    writer.finish(EndReason::Interrupted).unwrap();
    let reader = RunReader::open(&path).unwrap();
    assert!(reader.is_complete());
    assert_eq!(reader.end().unwrap().reason, EndReason::Interrupted);
    let kept = create(Existing::Keep);
    assert!(matches!(kept, Err(RecordError::Target(TargetError::Exists(_)))));
    assert_eq!(RunReader::open(&path).unwrap().step_count(), 1);
    create(Existing::Replace).unwrap().finish(EndReason::Finished).unwrap();
    assert_eq!(RunReader::open(&path).unwrap().step_count(), 0);
}

#[test]
fn a_recording_never_overwrites_the_files_of_its_scene() {
    let folder = tempfile::tempdir().unwrap();
    let [model, other] = ["model.glb", "other.glb"].map(|name| folder.path().join(name));
    std::fs::write(&model, b"a model").unwrap();
    std::fs::hard_link(&model, &other).unwrap();
    let scene = Scene { files: vec![model.clone()], ..scene() };
    for path in [&model, &other, &folder.path().join(".").join("model.glb")] {
        for existing in [Existing::Keep, Existing::Replace] {
            let error = RunWriter::create(path, &scene, existing).err().unwrap();
            assert!(matches!(error, RecordError::Target(TargetError::Input { .. })), "{error}");
        }
    }
    assert_eq!(std::fs::read(&model).unwrap(), b"a model");
}

#[test]
fn other_files_and_other_versions_are_told_apart() {
    let error = |bytes: &[u8]| message(&read(bytes.to_vec()).err().unwrap());
    assert_eq!(error(b""), "run: this is not a recording of tumble (`tumble run` takes scenes and models)");
    assert_eq!(
        error(b"glTF\x02\0\0\0 and more"),
        "run: this is not a recording of tumble (`tumble run` takes scenes and models)"
    );
    let mut future = recording(1);
    future[8] = 200;
    assert_eq!(
        error(&future),
        "run: this recording has format version 200, and this tumble reads versions 1 to 2"
    );
    let whole = recording(1);
    assert_eq!(error(&whole[..12]), "run: holds no whole scene: the file ends before it");
    assert_eq!(error(&whole[..60]), "run: holds no whole scene: chunk 0 at byte 12 is cut off");
    let folder = tempfile::tempdir().unwrap();
    assert!(message(&RunReader::open(folder.path()).err().unwrap()).contains("not a regular file"));
    assert!(matches!(RunReader::open(&folder.path().join("none")), Err(RecordError::Open { .. })));
}

#[test]
fn stated_lengths_are_not_believed() {
    let mut bytes = recording(1)[..12].to_vec();
    let mut header = Vec::new();
    header.extend(format::GEOMETRY.to_le_bytes());
    header.extend(u32::MAX.to_le_bytes());
    header.extend(u32::MAX.to_le_bytes());
    header.extend(0_u64.to_le_bytes());
    let checksum = crc32fast::hash(&header);
    bytes.extend(&header);
    bytes.extend(checksum.to_le_bytes());
    assert!(message(&read(bytes.clone()).err().unwrap()).ends_with("chunk 0 at byte 12 is cut off"));

    // A valid checksum over two stored bytes that claim to unpack to 4 GiB.
    bytes.truncate(12);
    header[4..8].copy_from_slice(&2_u32.to_le_bytes());
    let mut covered = header.clone();
    covered.extend([0x1f, 0xff]);
    bytes.extend(&header);
    bytes.extend(crc32fast::hash(&covered).to_le_bytes());
    bytes.extend([0x1f, 0xff]);
    assert!(message(&read(bytes).err().unwrap()).starts_with("run: would take more than 33554"));
}

#[test]
fn a_recording_damaged_or_cut_anywhere_says_how_many_steps_are_missing() {
    let whole = recording(40);
    let chunks = container::scan(&mut Cursor::new(whole.clone())).unwrap().chunks;
    let first_step = chunks.iter().position(|c| c.kind == format::KEYFRAME).unwrap();
    let place = |chunk: usize| chunks[chunk].offset as usize;
    // In the thirtieth step: in its payload, and in the lengths before it.
    for byte in [place(first_step + 29) + 30, place(first_step + 29) + 5] {
        let mut bytes = whole.clone();
        bytes[byte] ^= 0x10;
        let reader = read(bytes.clone()).unwrap();
        assert_eq!((reader.step_count(), reader.is_complete()), (29, false));
        assert_eq!(reader.end().map(|e| e.step_count), Some(40));
        let problem = reader.problem().unwrap();
        assert!(problem.starts_with("29 of 40 recorded steps can be read: chunk "), "{problem}");
        // The same with its end cut off: only the planned number of steps is known.
        bytes.truncate(whole.len() - 1);
        let reader = read(bytes).unwrap();
        assert_eq!((reader.step_count(), reader.end()), (29, None));
        let problem = reader.problem().unwrap();
        assert!(problem.contains("29 of 200"), "{problem}");
    }
    let reader = read(whole[..place(first_step + 29)].to_vec()).unwrap();
    assert_eq!(reader.problem(), Some("the run was cut off after step 29 of 200"));
}

#[test]
fn replaying_names_the_first_step_that_differs() {
    let mut reader = read(recording(100)).unwrap();
    let same = validate(&mut reader, |step| state_hash(&bodies_after(step))).unwrap();
    assert_eq!((same.equal_count, same.first_difference), (100, None));
    let mut asked = Vec::new();
    let other = validate(&mut reader, |step| {
        asked.push(step);
        state_hash(&bodies_after(if step < 42 { step } else { step + 1 }))
    })
    .unwrap();
    let recorded = state_hash(&bodies_after(42));
    let found = state_hash(&bodies_after(43));
    assert_eq!(other.first_difference, Some(Difference { step: 42, recorded, found }));
    assert_eq!(other.equal_count, 41);
    assert_eq!(asked, (1..=42).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(10_000) as u32, ..ProptestConfig::default() })]

    /// Overwrites, cuts, lengthens or moves parts: no panic, and no frame that was not recorded.
    #[test]
    fn a_mutilated_file_gives_right_frames_or_none(
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 1..9)), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
        moved in prop::option::of((any::<prop::sample::Index>(), any::<prop::sample::Index>())),
    ) {
        thread_local!(static WHOLE: Vec<u8> = recording(3));
        let mut bytes = WHOLE.with(Vec::clone);
        if let Some((from, to)) = moved {
            let last = bytes.len() - 64;
            let (from, to) = (from.index(last), to.index(last));
            bytes.copy_within(from..from + 64, to);
        }
        for (place, new) in edits {
            let place = place.index(bytes.len());
            let end = (place + new.len()).min(bytes.len());
            bytes[place..end].copy_from_slice(&new[..end - place]);
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(mut reader) = read(bytes) {
            for step in 1..=reader.step_count() {
                prop_assert_eq!(reader.seek(step).unwrap(), &frame_after(step));
            }
        }
    }
}

fn measures() -> Measures {
    Measures { energy: 12.5, penetration: 1e-4, deepest: Some([1, 4]) }
}
