//! Damaged files never panic: they load, and the result can be retargeted, or they are refused.

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;
use tumble::import::{ReadAs, load_model, retarget};
use tumble::scene::load_scene;

use super::likeness::Walk;
use super::{BVH, walker, write};

/// Returns the first frames of a walk, so that an edit is likely to hit data that is read.
fn beginning(text: &str, line_count: usize) -> String {
    let lines = text.lines().take(line_count);
    lines.map(|l| if l.starts_with("Frames:") { "Frames: 3" } else { l }).collect::<Vec<_>>().join("\n")
}

const SPOKES: [&str; 14] = [
    "nan",
    "inf",
    "-1",
    "0",
    "1e999",
    "4294967296",
    "{",
    "}",
    "\n",
    ":",
    "begin\n",
    "end\n",
    "JOINT x {",
    "root root",
];

/// Returns the bytes with parts replaced, cut out, doubled or inserted.
fn damaged(text: &str, edits: &[(usize, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for &(at, kind, value) in edits {
        let at = at % bytes.len().max(1);
        let end = (at + usize::from(value)).min(bytes.len());
        match kind % 5 {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            3 => drop(bytes.splice(at..at, SPOKES[usize::from(value) % SPOKES.len()].bytes())),
            _ => bytes[at..end.min(at + 1)].fill(value),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_damage_to_a_file_panics(edits in prop::collection::vec((any::<usize>(), 0u8.., any::<u8>()), 1..4)) {
        let folder = tempfile::tempdir().unwrap();
        let walker = walker();
        let walk = Walk::of(&walker);
        let header = walk.bvh().lines().position(|l| l == "MOTION").unwrap();
        let bvh = beginning(&walk.bvh(), header + 6);
        let (asf, amc) = (walk.asf(), beginning(&walk.amc(), 75));
        let undamaged = write(folder.path(), "whole.asf", &asf);
        let files = [("a.bvh", bvh), ("a.amc", amc), ("a.asf", asf)];
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::write(&path, damaged(&text, &edits)).unwrap();
            if let Ok(model) = load_model(&path, &ReadAs::default()) {
                for clip in &model.clips {
                    let _ = retarget(&model, clip, &walker, &BTreeMap::new());
                }
            }
            let _ = load_scene(path.to_str().unwrap(), None);
            if name == "a.amc" {
                fs::remove_file(&undamaged).unwrap();
            }
        }
        // The whole motion on the damaged skeleton, the only one left.
        let path = write(folder.path(), "b.amc", &beginning(&walk.amc(), 75));
        let _ = load_model(&path, &ReadAs::default());
    }
}

#[test]
fn announced_counts_allocate_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    for count in ["4194304", "99999999999999999999", "1398101"] {
        let text = BVH.replace("Frames: 2", &format!("Frames: {count}"));
        assert!(load_model(&write(folder.path(), "many.bvh", &text), &ReadAs::default()).is_err(), "{count}");
    }
    let deep = format!(
        "HIERARCHY\nROOT r {{ OFFSET 0 0 0 CHANNELS 0 {}",
        "JOINT j { OFFSET 0 0 0 CHANNELS 0 ".repeat(5000)
    );
    let error =
        load_model(&write(folder.path(), "deep.bvh", &deep), &ReadAs::default()).unwrap_err().to_string();
    assert!(error.contains("more than 4096 joints"), "{error}");
}
