//! A check that is divided into shards, some of them killed, gives the document of an undivided check.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::frame::written;
use super::{check, cubes, is_refused, stderr, stdout};
use crate::frame::Frame;
use crate::parts_file::Stored;
use crate::whole_files::on_a_full_disk;

const OPTIONS: [&str; 4] = ["--clearance", "1mm", "--fail-on", "none"];

fn model(folder: &Path) -> PathBuf {
    written(folder, "frame.glb", &Frame::low(), Stored::InOrder)
}

/// Runs a shard, and returns its file.
fn shard(model: &Path, shard: &str, out: &Path) -> PathBuf {
    let output = check(model, &[&OPTIONS[..], &["--shard", shard, "--out", out.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    out.join(format!("check-{}.jsonl", shard.replace('/', "-of-")))
}

fn merged(model: &Path, out: &Path) -> std::process::Output {
    check(model, &[&OPTIONS[..], &["--json", "--merge", out.to_str().unwrap()]].concat())
}

fn whole(model: &Path) -> Vec<u8> {
    check(model, &[&OPTIONS[..], &["--json"]].concat()).stdout
}

#[test]
fn any_number_of_shards_two_of_them_killed_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let model = model(folder.path());
    let whole = whole(&model);
    for count in [1, 3, 8] {
        let out = folder.path().join(format!("of-{count}"));
        let files: Vec<PathBuf> =
            (1..=count).map(|number| shard(&model, &format!("{number}/{count}"), &out)).collect();
        // A killed process leaves a file of which the end is missing, also in the middle of a line.
        for (file, share) in files.iter().zip([0.7, 0.02]) {
            let length = fs::metadata(file).unwrap().len();
            fs::File::options()
                .write(true)
                .open(file)
                .unwrap()
                .set_len((share * length as f64) as u64)
                .unwrap();
        }
        let refused = merged(&model, &out);
        is_refused(&refused, &["pairs have no answer yet"]);
        let resumed = check(
            &model,
            &[&OPTIONS[..], &["--shard", &format!("1/{count}"), "--out", out.to_str().unwrap()]].concat(),
        );
        assert!(stderr(&resumed).contains("the last line was incomplete"), "{}", stderr(&resumed));
        if count > 1 {
            shard(&model, &format!("2/{count}"), &out);
        }
        let output = merged(&model, &out);
        assert_eq!(output.stdout, whole, "{count} shards: {}", stderr(&output));
    }
}

#[test]
fn a_shard_that_is_killed_at_any_moment_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let model = model(folder.path());
    let out = folder.path().join("out");
    let file = out.join("check-1-of-1.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["check", model.to_str().unwrap(), "--shard", "1/1", "--out", out.to_str().unwrap()])
        .args(OPTIONS)
        .spawn()
        .unwrap();
    while !file.exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    shard(&model, "1/1", &out);
    assert_eq!(merged(&model, &out).stdout, whole(&model));
    // With all answers there, nothing is examined.
    let again = check(&model, &[&OPTIONS[..], &["--shard", "1/1", "--out", out.to_str().unwrap()]].concat());
    let counts: Vec<&str> = stdout(&again).split(' ').filter(|word| word.parse::<u32>().is_ok()).collect();
    assert!(counts.len() == 3 && counts.iter().all(|count| *count == counts[0]), "{}", stdout(&again));
}

#[test]
fn shards_of_another_check_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let model = cubes(&folder.path().join("row.glb"), &[("left", 0.0), ("middle", 0.12), ("right", 0.24)]);
    let out = folder.path().join("out");
    shard(&model, "1/1", &out);
    let arguments = ["--merge", out.to_str().unwrap(), "--clearance", "2mm"];
    is_refused(&check(&model, &arguments), &["check-1-of-1.jsonl", "another check", "clearance"]);
    cubes(&model, &[("left", 0.0), ("middle", 0.121), ("right", 0.24)]);
    is_refused(&merged(&model, &out), &["another check", "the model, the rules or the options have changed"]);
    let arguments = [&OPTIONS[..], &["--shard", "1/1", "--out", out.to_str().unwrap()]].concat();
    is_refused(&check(&model, &arguments), &["another check"]);
    is_refused(&merged(&model, folder.path()), &["has no file of a shard"]);
    is_refused(&check(&model, &["--shard", "3/2", "--out", "x"]), &["shards count from 1"]);
    is_refused(&check(&model, &["--shard", "1/2"]), &["--out"]);
}

#[test]
fn a_file_of_something_else_is_not_touched_and_a_damaged_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let model = cubes(&folder.path().join("row.glb"), &[("left", 0.0), ("right", 0.12)]);
    let out = folder.path().join("out");
    let file = shard(&model, "1/1", &out);
    let good = fs::read_to_string(&file).unwrap();
    let bad_number = format!("{good}{{\"clean\":[9999],\"others\":[]}}\n");
    for (text, line) in [("my notes", 1), ("my notes\n", 1), (&format!("{good}???\n"), 3), (&bad_number, 3)] {
        fs::write(&file, text).unwrap();
        let arguments = [&OPTIONS[..], &["--shard", "1/1", "--out", out.to_str().unwrap()]].concat();
        is_refused(&check(&model, &arguments), &["check-1-of-1.jsonl", &format!("line {line} is damaged")]);
        is_refused(&merged(&model, &out), &[&format!("line {line} is damaged")]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

/// A digit that is changed by hand makes a line of which every value could be right.
#[test]
fn a_shard_that_was_changed_is_neither_believed_nor_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let row = [("a", 0.0), ("b", 0.12), ("c", 0.3), ("d", 0.6)];
    let model = cubes(&folder.path().join("row.glb"), &row);
    let out = folder.path().join("out");
    let file = shard(&model, "1/1", &out);
    let good = fs::read_to_string(&file).unwrap();
    assert!(good.contains("\"parts\":[0,1]"), "{good}");
    for (from, to) in [
        ("\"parts\":[0,1]", "\"parts\":[999999,1]"),
        ("\"parts\":[0,1]", "\"parts\":[0,2]"),
        ("\"kind\":\"clash\"", "\"kind\":\"contact\""),
        ("\"hash\":\"", "\"hash\":\"0"),
    ] {
        let (head, answers) = good.split_once('\n').unwrap();
        fs::write(&file, format!("{head}\n{}", answers.replace(from, to))).unwrap();
        is_refused(&merged(&model, &out), &["check-1-of-1.jsonl", "line 2 is damaged"]);
    }
}

#[test]
fn a_full_disk_stops_a_shard_and_its_answers_stay() {
    let folder = tempfile::tempdir().unwrap();
    let model = model(folder.path());
    let arguments = "check frame.glb --clearance 1mm --fail-on none --shard 1/1 --out out";
    let output = on_a_full_disk(folder.path(), 4, arguments);
    is_refused(&output, &["check-1-of-1.jsonl: cannot be written", "the same command goes on"]);
    let out = folder.path().join("out");
    let left = fs::read_to_string(out.join("check-1-of-1.jsonl")).unwrap();
    assert!(left.ends_with('\n'), "only whole lines are left");
    shard(&model, "1/1", &out);
    assert_eq!(merged(&model, &out).stdout, whole(&model));
}
