//! Damage to recordings that a checksum alone, or a chunk alone, does not show: chunks exchanged or
//! lost as a whole, bytes that change while the file is open, false lengths.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use glam::{DVec3, Vec3};
use tumble::body::Motion;
use tumble::generate;
use tumble::record::container::FORMAT_VERSION;
use tumble::record::{EndReason, Kept, RunReader, RunWriter, format};
use tumble::world::World;

use crate::common;

const STEP_COUNT: u32 = 6;

/// Records a falling box.
fn record(folder: &Path) -> PathBuf {
    let mut scene = common::scene("box");
    common::add_floor(&mut scene, 4.0);
    let cube = common::add_mesh(&mut scene, "box", &generate::cuboid(Vec3::splat(0.2), 1.0));
    common::add_body(&mut scene, cube, Motion::Dynamic, DVec3::new(0.0, 1.0, 0.0));
    let path = folder.join("box.tumble");
    let file = fs::File::create(&path).unwrap();
    let mut writer = RunWriter::new(Box::new(file), &path, &scene).unwrap();
    let mut world = World::new(&scene).unwrap();
    for _ in 0..STEP_COUNT {
        let timings = world.step();
        writer.append_world(&world, &timings, Kept::All).unwrap();
    }
    writer.finish(EndReason::Finished).unwrap();
    path
}

/// Returns the position and kind of each chunk of a file.
fn chunks(bytes: &[u8]) -> Vec<(u32, Range<usize>)> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (mut chunks, mut at) = (Vec::new(), 12);
    while at < bytes.len() {
        let end = at + 24 + word(at + 4) as usize;
        chunks.push((word(at), at..end));
        at = end;
    }
    chunks
}

/// Returns the chunks of steps, the first of which is step 1.
fn steps(bytes: &[u8]) -> Vec<Range<usize>> {
    let is_step = |kind: u32| kind == format::KEYFRAME || kind == format::STEP;
    chunks(bytes).into_iter().filter(|(kind, _)| is_step(*kind)).map(|(_, place)| place).collect()
}

#[test]
fn whole_steps_that_were_exchanged_or_lost_are_missed() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path());
    let whole = fs::read(&path).unwrap();
    let steps = steps(&whole);
    assert_eq!(steps.len(), STEP_COUNT as usize);
    let (third, fourth) = (steps[2].clone(), steps[3].clone());
    let (before, after) = (&whole[..third.start], &whole[fourth.end..]);
    let exchanged = [before, &whole[fourth.clone()], &whole[third.clone()], after].concat();
    let lost = [before, &whole[fourth], after].concat();
    let twice = [&whole[..third.end], &whole[third], after].concat();
    for (what, bytes, left) in [("exchanged", exchanged, 2), ("lost", lost, 2), ("twice", twice, 3)] {
        fs::write(&path, bytes).unwrap();
        let reader = RunReader::open(&path).unwrap();
        assert_eq!(reader.step_count(), left, "{what}: steps before the first that is not in its place");
        let problem = reader.problem().unwrap();
        assert!(problem.contains("found chunk"), "{what}: {problem}");
    }
}

#[test]
fn a_byte_that_changes_after_the_file_was_checked_is_noticed_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path());
    let whole = fs::read(&path).unwrap();
    let last = steps(&whole).pop().unwrap();
    for at in (last.start + 24..last.end).step_by(7) {
        fs::write(&path, &whole).unwrap();
        let mut reader = RunReader::open(&path).unwrap();
        assert!(reader.is_complete());
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        fs::write(&path, bytes).unwrap();
        assert!(reader.seek(STEP_COUNT - 1).is_ok(), "what did not change is read");
        let error = reader.seek(STEP_COUNT).err().unwrap_or_else(|| panic!("byte {at} changed unnoticed"));
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(cause.contains("is damaged"), "byte {at}: {error}: {cause}");
    }
}

/// Returns a chunk of two stored bytes that claim to unpack to a gigabyte.
fn bomb(kind: u32) -> Vec<u8> {
    let stored = [0x1f, 0xff];
    let mut header = Vec::new();
    for word in [kind, stored.len() as u32, 1 << 30, 0, 0] {
        header.extend(word.to_le_bytes());
    }
    let checksum = crc32fast::hash(&[&header[..], &stored].concat());
    [&header[..], &checksum.to_le_bytes(), &stored].concat()
}

/// Reads two stored bytes that claim to unpack to a gigabyte, in a program with less memory than that:
/// it gets an error and does not try.
#[cfg(target_os = "linux")]
#[test]
fn a_length_that_cannot_be_true_takes_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let sound = record(folder.path());
    let path = folder.path().join("bomb.tumble");
    let mut bytes = fs::read(&sound).unwrap()[..12].to_vec();
    assert_eq!(bytes[8..], FORMAT_VERSION.to_le_bytes());
    bytes.extend(bomb(format::GEOMETRY));
    fs::write(&path, &bytes).unwrap();
    // The end of a file is read separately if a step before it is damaged.
    let damaged = folder.path().join("damaged.tumble");
    let mut bytes = fs::read(&sound).unwrap();
    let (_, end) = chunks(&bytes).pop().unwrap();
    let third = steps(&bytes)[2].clone();
    bytes[third.end - 1] ^= 1;
    bytes.truncate(end.start);
    bytes.extend(bomb(format::END));
    fs::write(&damaged, &bytes).unwrap();
    let play = |path: &Path| {
        let limited = "ulimit -v 800000; exec \"$0\" \"$@\"";
        let arguments = ["-c", limited, env!("CARGO_BIN_EXE_tumble"), "play"];
        std::process::Command::new("sh").args(arguments).arg(path).output().unwrap()
    };
    let output = play(&sound);
    assert_eq!(output.status.code(), Some(0), "a sound recording plays within the limit: {output:?}");
    for (path, name) in [(path, "bomb.tumble"), (damaged, "damaged.tumble")] {
        let output = play(&path);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(name), "{error}");
    }
}
