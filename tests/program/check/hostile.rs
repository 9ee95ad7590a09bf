//! Broken or excessive input is reported, and takes no longer than necessary.

use glam::DVec3;
use tumble::check::Kind;
use tumble::generate::sphere;
use tumble::report::findings::CheckDocument;

use super::{check, cube, cubes, found, is_refused, pairs, stderr, stdout};
use crate::parts_file::{Node, PartsFile, Stored};

#[test]
fn lengths_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = cubes(&folder.path().join("two.glb"), &[("left", 0.0), ("right", 0.2)]);
    for length in ["NaN", "NaNmm", "-1mm", "1", "infm", "1e999m", "mm", "", "1 furlong", "1,5mm", "0x1mm"] {
        for option in ["--clearance", "--tolerance"] {
            is_refused(&check(&path, &[option, length]), &[option, &format!("{length:?}"), "length"]);
        }
    }
    is_refused(&check(&folder.path().join("none.glb"), &[]), &["none.glb"]);
    is_refused(&check(&path, &["--json", "--csv"]), &["--csv"]);
}

#[test]
fn an_assembly_whose_parts_all_overlap_is_told_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<(String, f64)> = (0..60).map(|k| (format!("part_{k}"), 1e-3 * f64::from(k))).collect();
    let named: Vec<(&str, f64)> = all.iter().map(|(name, x)| (&**name, *x)).collect();
    let path = cubes(&folder.path().join("heap.glb"), &named);
    let output = check(&path, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("1770 of 1770 pairs of parts overlap"), "{}", stderr(&output));
    assert!(stdout(&output).lines().count() <= 14, "{}", stdout(&output));
    assert!(stdout(&output).contains("1,770 clashes"), "{}", stdout(&output));
    assert!(stderr(&output).lines().count() <= 3, "{}", stderr(&output));
}

#[test]
fn ten_thousand_instances_of_a_part_are_asked_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("field.glb");
    let mut file = PartsFile::new(Node::new("all", None));
    let mesh = file.mesh("cube", cube());
    for k in 0..10_000 {
        let [x, y] = [k % 100, k / 100].map(|n| 0.25 * f64::from(n));
        // One part is 5 mm inside the next part. Another part is 0.5 mm from the next part.
        let off = [(4321, 0.13), (8765, 0.1245)].iter().find(|planted| planted.0 == k).map_or(0.0, |p| p.1);
        file.root.add(Node::new(format!("part_{k}"), Some(mesh)).at(DVec3::new(x + off, y, 0.0)));
    }
    file.write(&path, Stored::InOrder);
    let document = found(&path, &["--clearance", "1mm"]);
    let right = [
        ("all/part_4321", "all/part_4322", Kind::Clash),
        ("all/part_8765", "all/part_8766", Kind::Clearance),
    ];
    assert_eq!(pairs(&document.findings), right);
    assert_eq!((document.part_count, document.triangle_count), (10_000, 120_000));
}

#[test]
fn parts_ten_kilometres_apart_are_asked_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let far = 8192.0;
    let all = [("here", 0.0), ("beside", 0.25), ("there", far), ("in_there", far + 0.0625)];
    let path = cubes(&folder.path().join("far.glb"), &all);
    let document = found(&path, &["--clearance", "200mm"]);
    let (near, clash) =
        (("all/beside", "all/here", Kind::Clearance), ("all/in_there", "all/there", Kind::Clash));
    assert_eq!(pairs(&document.findings), [near, clash]);
    assert_eq!(document.findings[1].distance_m, 0.125);
    assert!((document.findings[0].depth_m.unwrap() / 0.0625 - 1.0).abs() < 0.05, "{:?}", document.findings);
    let all = found(&path, &["--clearance", "20000m"]);
    assert_eq!((all.findings.len(), all.near_count), (6, 6));
    let farthest = all.findings.iter().map(|f| f.distance_m).fold(0.0, f64::max);
    assert!((farthest - (far + 0.0625 - 0.125)).abs() < 1e-9, "{farthest}");
}

#[test]
fn a_single_part_has_nothing_to_meet() {
    let folder = tempfile::tempdir().unwrap();
    let path = cubes(&folder.path().join("one.glb"), &[("alone", 0.0)]);
    let output = check(&path, &["--clearance", "1m", "--fail-on", "any"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("1 part,") && stdout(&output).contains("nothing found"),
        "{}",
        stdout(&output)
    );
    let document = found(&path, &["--clearance", "1m"]);
    assert_eq!((document.part_count, document.near_count, document.findings.len()), (1, 0, 0));
}

/// Returns whether a process already handles Ctrl-C.
#[cfg(target_os = "linux")]
fn handles_interrupts(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap_or(0) & 2 != 0)
}

/// Returns the processor time that a process used, in hundredths of a second.
#[cfg(target_os = "linux")]
fn ticks(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name of the process is in parentheses and may contain spaces.
    let (_, rest) = stat.rsplit_once(')').unwrap();
    rest.split_whitespace().nth(11).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_check_keeps_what_was_found_and_says_how_far_it_came() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heap.glb");
    let mut file = PartsFile::new(Node::new("all", None));
    let mesh = file.mesh("ball", sphere(0.1, 64));
    for k in 0..400 {
        let place = 1e-4 * DVec3::new(f64::from(k), f64::from(k % 20), f64::from(k % 7));
        file.root.add(Node::new(format!("ball_{k}"), Some(mesh)).at(place));
    }
    file.write(&path, Stored::InOrder);
    for arguments in [&["--json"][..], &[]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tumble"))
            .arg("check")
            .arg(&path)
            .args(["--threads", "1"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while !handles_interrupts(child.id()) {
            assert!(child.try_wait().unwrap().is_none(), "the check ended by itself");
            std::thread::yield_now();
        }
        // The test waits until the process has worked for a third of a second, so that it has checked
        // some pairs.
        let before = ticks(child.id());
        while ticks(child.id()) < before + 33 {
            assert!(child.try_wait().unwrap().is_none(), "the check ended by itself");
            std::thread::yield_now();
        }
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        if arguments.is_empty() {
            let text = stdout(&output);
            assert!(
                text.contains("not complete: ") && text.contains("of 79,800 pairs were tested"),
                "{text}"
            );
            continue;
        }
        let document = CheckDocument::read(stdout(&output)).unwrap();
        assert!(!document.complete && document.near_count == 79_800, "{}", document.near_count);
        assert!((1..79_800).contains(&document.asked_count), "{}", document.asked_count);
        // Each checked pair overlaps, so each is listed.
        assert_eq!(document.findings.len(), document.asked_count);
        assert!(document.findings.iter().all(|f| f.kind == Kind::Clash));
    }
}
