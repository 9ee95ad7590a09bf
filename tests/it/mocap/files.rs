//! BVH, ASF and AMC files: poses calculated by hand, a walk written in all formats, invalid files.

use std::fs;
use std::path::Path;

use glam::DVec3;
use tumble::import::{ReadAs, load_model};

use super::likeness::{SCALE, Walk, name};
use super::{AMC, ASF, BVH, walker, write};
use crate::clips::{key_count, node, places};

#[test]
fn a_small_bvh_has_the_joints_and_the_motion_worked_out_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let model = load_model(&write(folder.path(), "small.bvh", BVH), &ReadAs::default()).unwrap();
    let names: Vec<&str> = model.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["hips", "knee", "knee_end"]);
    let clip = &model.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration, clip.tracks.len()), ("small", 0.5, 3));
    assert_eq!(places(&model, Some((clip, 0))), [DVec3::Y * 5.0, DVec3::Y * 3.0, DVec3::Y * 2.0]);
    // A quarter turn about z: down becomes right. Then the knee about its own x: down becomes -z.
    let found = places(&model, Some((clip, 1)));
    let expected = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(3.0, 2.0, 3.0), DVec3::new(3.0, 2.0, 2.0)];
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.distance(expected) < 1e-12, "{found} for {expected}");
    }
}

/// Uses a first bone that rotates about its own x, which is the world's y.
#[test]
fn a_small_amc_has_the_motion_worked_out_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "small.asf", ASF);
    let model = load_model(&write(folder.path(), "small.amc", AMC), &ReadAs::default()).unwrap();
    let names: Vec<&str> = model.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["root", "thigh", "shin", "shin_end"]);
    let clip = &model.clips[0];
    assert!((clip.duration - 1.0 / 120.0).abs() < 1e-8);
    let standing = [5.0, 5.0, 3.0, 2.0].map(|y| DVec3::Y * y);
    for (found, expected) in places(&model, Some((clip, 0))).iter().zip(standing) {
        assert!(found.distance(expected) < 1e-12, "{found} for {expected}");
    }
    // Root: x first, then z, each by a quarter: -y → -z → -z. x → x → y, z → -y → x. Thigh about y by a
    // quarter: x → -z, z → x. Shin about x: -y → -z, then by the thigh → -x, by the root → -y.
    let found = places(&model, Some((clip, 1)));
    let root = DVec3::new(1.0, 2.0, 3.0);
    let expected = [root, root, root + DVec3::new(0.0, 0.0, -2.0), root + DVec3::new(0.0, -1.0, -2.0)];
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.distance(expected) < 1e-12, "{found} for {expected}");
    }
}

#[test]
fn wrong_files_are_refused_with_the_line_and_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, text: String, line: usize, reason: &str| {
        let path = write(folder.path(), name, &text);
        let error = load_model(&path, &ReadAs::default()).expect_err(reason).to_string();
        assert!(error.contains(name), "{error}");
        assert!(error.contains(&format!("line {line}:")) && error.contains(reason), "{reason}: {error}");
    };
    let bvh = |from: &str, to: &str| BVH.replacen(from, to, 1);
    let cases = [
        (String::new(), 1, "the file ends where HIERARCHY should be"),
        (bvh("Frames: 2", "Frames: 0"), 17, "no frames"),
        (bvh("Frames: 2", "Frames: 3"), 20, "ends after 2 of 3 frames"),
        (bvh("Frames: 2", "Frames: 1"), 20, "more lines than the 1 frames"),
        (bvh("Frames: 2", "Frames: 99999999999"), 17, "more than"),
        (bvh("Frames: 2", "Frames: -1"), 17, "not a count"),
        (bvh("0.5", "0"), 18, "cannot be meant"),
        (bvh("0.5", "nan"), 18, "not finite"),
        (bvh("0 5 0 0", "0 5 0"), 19, "8 numbers, 9 were announced"),
        (bvh("1 2 3 90", "1 inf 3 90"), 20, "not finite"),
        (bvh("1 2 3 90", "1 x 3 90"), 20, "\"x\" is not a number"),
        (bvh("CHANNELS 3 X", "CHANNELS 7 X"), 9, "7 channels"),
        (bvh("CHANNELS 3 X", "CHANNELS 2 X"), 9, "\"Zrotation\" cannot stand here"),
        (bvh("Zrotation Xrotation", "Zrotation Zrotation"), 5, "is given twice"),
        (bvh("OFFSET 0 -2 0", "OFFSET 0 1e30 0"), 8, "beyond"),
        (bvh("}\n  }\n}", "}\n  }"), 15, "\"MOTION\" cannot stand here"),
        (bvh("ROOT", "JOINT"), 2, "cannot stand here"),
        (BVH[..60].to_owned(), 5, "the file ends"),
    ];
    for (text, line, reason) in cases {
        refused("case.bvh", text, line, reason);
    }
    let asf = |from: &str, to: &str| ASF.replacen(from, to, 1);
    let cases = [
        (asf("root thigh", "thigh thigh"), 35, "does not hang on the root"),
        (asf("root thigh", "shin thigh"), 35, "does not hang on the root"),
        (asf("thigh shin", "thigh shin shin"), 34, "follows two bones"),
        (asf("thigh shin", "thigh foot"), 34, "there is no bone \"foot\""),
        (asf("thigh shin", "thigh root"), 34, "is the root"),
        (asf("name shin", "name thigh"), 30, "two bones \"thigh\""),
        (asf("direction 0 -1 0", "direction 0 0 0"), 16, "is zero"),
        (asf("direction 0 -1 0", "direction 0 -1"), 16, "2 numbers instead of three"),
        (asf("length 2", "length nan"), 17, "not finite"),
        (asf("length 2", "length -2"), 17, "negative"),
        (asf("length 0.0254", "length 0"), 5, "cannot be meant"),
        (asf("0 0 90 XYZ", "0 0 90 XYX"), 18, "not an order of the axes"),
        (asf("dof rx rz", "dof rx rq"), 19, "not a degree of freedom"),
        (asf("angle deg", "angle gon"), 6, "not a unit"),
        (ASF[..ASF.find("dof rx rz").unwrap()].to_owned(), 19, "ends inside of a bone"),
    ];
    for (text, line, reason) in cases {
        refused("case.asf", text, line, reason);
    }
    fs::remove_file(folder.path().join("case.asf")).unwrap();
    refused_without_skeleton(folder.path());
    write(folder.path(), "only.asf", ASF);
    let amc = |from: &str, to: &str| AMC.replacen(from, to, 1);
    let cases = [
        (amc("2\nroot", "3\nroot"), 7, "frame 3 follows frame 1"),
        (amc("2\nroot", "1\nroot"), 7, "frame 1 follows frame 1"),
        (amc("shin 0\n", ""), 6, "frame 1 ends without \"shin\""),
        (amc("shin 90\n", ""), 9, "frame 2 ends without \"shin\""),
        (amc("shin 0\n", "shin 0\nshin 0\n"), 7, "is given twice"),
        (amc("shin 0\n", "foot 0\n"), 6, "no bone \"foot\""),
        (amc("thigh 0 0", "thigh 0"), 5, "1 numbers, 2 are needed"),
        (amc("thigh 90 0", "thigh 90 inf"), 9, "not finite"),
        (amc("1\n", ""), 3, "before the first frame"),
        (":DEGREES\n".to_owned(), 1, "there are no frames"),
    ];
    for (text, line, reason) in cases {
        refused("case.amc", text, line, reason);
    }
}

fn refused_without_skeleton(folder: &Path) {
    let error = load_model(&write(folder, "alone.amc", AMC), &ReadAs::default()).unwrap_err().to_string();
    assert!(error.contains("alone.amc") && error.contains("needs the .asf"), "{error}");
}

/// Compares the walker's walk in another format: every joint is at the same position.
#[test]
fn a_walk_written_as_bvh_moves_as_its_glb_does() {
    let folder = tempfile::tempdir().unwrap();
    let walker = walker();
    let walk = Walk::of(&walker);
    let own = load_model(&write(folder.path(), "walk.bvh", &walk.bvh()), &ReadAs::default()).unwrap();
    let (a, b) = (&own.clips[0], &walker.clips[0]);
    assert_eq!(key_count(a), key_count(b));
    assert!((a.duration - b.duration).abs() < 1e-6, "{} {}", a.duration, b.duration);
    for key in 0..walk.frame_count() {
        let (found, expected) = (places(&own, Some((a, key))), places(&walker, Some((b, key))));
        for (joint, place) in walker.nodes.iter().zip(expected).filter(|(joint, _)| joint.skin.is_none()) {
            let far = found[node(&own, name(&joint.name, 1))].distance(place);
            assert!(far < 1e-9, "{}: {far} m at key {key}", joint.name);
        }
    }
}

/// Compares a figure of another build. Its positions differ, but its bones keep their length, and its
/// legs are those of the walker, 1.2 times as large.
#[test]
fn a_walk_written_as_amc_keeps_its_bones_and_its_steps() {
    let folder = tempfile::tempdir().unwrap();
    let walker = walker();
    let walk = Walk::of(&walker);
    write(folder.path(), "walk.asf", &walk.asf());
    let own = load_model(&write(folder.path(), "walk.amc", &walk.amc()), &ReadAs::default()).unwrap();
    let clip = &own.clips[0];
    assert_eq!(key_count(clip), walk.frame_count());
    assert!((clip.duration - walker.clips[0].duration).abs() < 1e-6, "{}", clip.duration);
    let rest = places(&own, None);
    let length = |at: &[DVec3], n: usize| at[n].distance(at[own.nodes[n].parent.unwrap() as usize]);
    for key in 0..walk.frame_count() {
        let now = places(&own, Some((clip, key)));
        for n in 1..now.len() {
            assert!((length(&now, n) - length(&rest, n)).abs() < 1e-12, "{}", own.nodes[n].name);
        }
        let expected = places(&walker, Some((&walker.clips[0], key)));
        for joint in ["hips", "head", "left_lower_leg", "left_foot", "right_lower_leg", "right_foot"] {
            let far = now[node(&own, name(joint, 2))].distance(SCALE * expected[node(&walker, joint)]);
            assert!(far < 1e-9, "{joint}: {far} m at key {key}");
        }
    }
}
