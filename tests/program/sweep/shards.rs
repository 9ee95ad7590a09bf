//! A sweep in shards. Shards are killed, interrupted or run out of disk, and go on; the tables are the
//! same, byte for byte.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tumble::random::Random;

use super::{drops, read_json, results};
use crate::rounds::rounds;
use crate::whole_files::on_a_full_disk;
use crate::workshop::Workshop;

const TABLES: [&str; 2] = ["table.csv", "table.json"];
/// Two hundred runs.
const VARY: [&str; 8] = [
    "--vary",
    "part.washer.friction=0.1..0.9:5",
    "--vary",
    "tree=boxtree8,sphere",
    "--vary",
    "substeps=2,4",
    "--seeds",
    "4",
];

/// Returns the arguments of the sweep of eighty runs.
fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["sweep", "drop.toml"], &VARY[..], more].concat()
}

fn start(shop: &Workshop, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tumble"));
    command.args(arguments).current_dir(shop.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.process_group(0);
    command.spawn().unwrap()
}

fn read(shop: &Workshop, name: &str) -> Vec<u8> {
    fs::read(shop.path().join(name)).unwrap()
}

/// Waits until a sweep has a number of results, or its process ended.
fn wait_for(child: &mut Child, sweep: &Path, count: usize) {
    while results(sweep).len() < count && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
}

#[test]
fn four_shards_two_of_them_killed_give_the_tables_of_one_process() {
    let shop = drops();
    let whole = shop.tumble(&sweep(&["--out", "whole"]));
    assert_eq!(whole.code(), 0, "{}", whole.error());
    shop.tumble(&["sweep", "merge", "whole"]);
    let mut random = Random::new(7, 0);
    for round in 0..rounds(10) {
        let outs: Vec<String> = (1..=4).map(|shard| format!("r{round}-{}", shard.min(3))).collect();
        for (shard, out) in (1..=4).zip(&outs) {
            let number = format!("{shard}/4");
            let arguments = sweep(&["--shard", &number, "--out", out]);
            if shard % 2 == 0 {
                // Shards 3 and 4 share a folder, so it may have results before.
                let folder = shop.path().join(out);
                let there = results(&folder).len();
                let mut child = start(&shop, &arguments);
                wait_for(&mut child, &folder, there + 1 + (random.uniform() * 15.0) as usize);
                child.kill().unwrap();
                child.wait().unwrap();
                let count = results(&folder).len() - there;
                assert!((1..20).contains(&count), "it was killed after {count} runs");
            }
            let said = shop.tumble(&arguments);
            assert_eq!(said.code(), 0, "{}", said.error());
            assert!(said.text().contains(&format!("80 runs, 20 in shard {number}")), "{}", said.text());
            assert_eq!(said.text().contains("were done before"), shard % 2 == 0, "{}", said.text());
        }
        // The order of the folders makes no difference.
        let [a, b, c] = [&outs[0], &outs[1], &outs[2]].map(String::as_str);
        for (out, folders) in [("m1", [a, b, c]), ("m2", [c, a, b])] {
            let merged = shop.tumble(&[&["sweep", "merge", "--out", out], &folders[..]].concat());
            assert!(merged.code() < 2, "{}", merged.error());
            for name in TABLES {
                assert!(
                    read(&shop, &format!("{out}/{name}")) == read(&shop, &format!("whole/{name}")),
                    "{name}"
                );
            }
        }
        for name in ["page.html", "timings.csv"] {
            assert!(read(&shop, &format!("m1/{name}")) == read(&shop, &format!("m2/{name}")), "{name}");
        }
    }
    // Each result has the state of a run alone; the command in it repeats the run.
    for path in results(&shop.path().join("whole")).iter().step_by(10 / rounds(10)) {
        let result = read_json(path);
        let command = result["command"].as_str().unwrap().replacen("tumble", env!("CARGO_BIN_EXE_tumble"), 1);
        let line = format!("{command} --json");
        let alone = Command::new("sh").args(["-c", &line]).current_dir(shop.path()).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&alone.stdout).unwrap();
        assert_eq!(report["state_hash"], result["state_hash"], "{line}");
    }
}

/// Starts a sweep whose runs take minutes.
fn long_sweep(shop: &Workshop, out: &str) -> Child {
    start(shop, &["sweep", "parts-tray", "--vary", "tree=brute-force", "--seeds", "4", "--out", out])
}

/// Returns the processes that work at a sweep's runs.
fn runs_of(parent: u32) -> Vec<String> {
    let is_child = |process: &String| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // After the name, which may contain spaces, follow the state and the parent.
        let after = stat.rsplit_once(") ").map_or("", |(_, after)| after);
        after.split(' ').nth(1) == Some(&parent.to_string())
    };
    let all = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    all.filter(is_child).collect()
}

fn is_alive(process: &str) -> bool {
    // A process that ended and was not waited for is a zombie: it has no command line.
    fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|line| !line.is_empty())
}

#[test]
#[cfg(target_os = "linux")]
fn no_run_outlives_its_sweep() {
    for signal in ["-KILL", "-TERM", "-INT"] {
        let shop = drops();
        let mut child = long_sweep(&shop, "s");
        let mut runs = Vec::new();
        while runs.is_empty() {
            assert!(child.try_wait().unwrap().is_none());
            runs = runs_of(child.id());
        }
        // Ctrl-C reaches the runs too.
        let group = if signal == "-INT" { "-" } else { "" };
        let target = format!("{group}{}", child.id());
        assert!(Command::new("kill").args([signal, "--", &target]).status().unwrap().success());
        let code = child.wait().unwrap().code();
        // If a run did not end, this would last for minutes.
        while runs.iter().any(|run| is_alive(run)) {
            std::thread::yield_now();
        }
        assert_eq!(
            results(&shop.path().join("s")).len(),
            0,
            "{signal}: a run that was stopped has no result"
        );
        assert_eq!(
            code,
            match signal {
                "-TERM" => Some(143),
                "-INT" => Some(130),
                _ => None,
            }
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_shard_is_done_by_one_process_at_a_time() {
    let shop = drops();
    let mut child = long_sweep(&shop, "s");
    while runs_of(child.id()).is_empty() {
        assert!(child.try_wait().unwrap().is_none());
    }
    let arguments = ["sweep", "parts-tray", "--vary", "tree=brute-force", "--seeds", "4", "--out", "s"];
    let error = shop.refused(&arguments);
    assert!(error.contains("s: another process works at shard 1/1 already"), "{error}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_full_disk_stops_a_shard_and_loses_nothing() {
    let shop = drops();
    let arguments = "sweep drop.toml --vary steps=1,40 --jobs 1 --out s";
    let written =
        || results(&shop.path().join("s")).iter().map(|path| fs::read(path).unwrap()).collect::<Vec<_>>();
    // A result has more than 2 kB, the description of the sweep less.
    let output = on_a_full_disk(shop.path(), 4, arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("s/runs/000000.json: cannot be written") && error.contains("the same command goes on"),
        "{error}"
    );
    assert!(written().is_empty());
    assert_eq!(shop.tumble(&arguments.split(' ').collect::<Vec<_>>()).code(), 0);
    let before = written();
    assert_eq!(before.len(), 2);
    // A merge on a full disk leaves the results and the earlier tables as they were.
    assert!(shop.tumble(&["sweep", "merge", "s"]).code() < 2);
    let page = read(&shop, "s/page.html");
    let output = on_a_full_disk(shop.path(), 1, "sweep merge s");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"));
    assert!(written() == before && read(&shop, "s/page.html") == page);
}

#[test]
fn a_damaged_result_is_told_and_made_again() {
    let shop = drops();
    let sweep = || shop.tumble(&["sweep", "drop.toml", "--vary", "steps=1,2,3", "--out", "s"]);
    assert_eq!(sweep().code(), 0);
    let path = shop.path().join("s/runs/000001.json");
    let whole = read_json(&path);
    fs::write(&path, &fs::read(&path).unwrap()[..100]).unwrap();
    let merged = shop.tumble(&["sweep", "merge", "s"]);
    assert_eq!(merged.code(), 1);
    assert!(merged.error().contains("000001.json: is not the result of a run"), "{}", merged.error());
    assert!(merged.text().contains("1 without a result: 1"), "{}", merged.text());
    let said = sweep();
    assert!(said.error().contains("the run is repeated"), "{}", said.error());
    assert_eq!(read_json(&path)["state_hash"], whole["state_hash"]);
    // A result in the place of another is no result.
    fs::copy(shop.path().join("s/runs/000002.json"), &path).unwrap();
    let merged = shop.tumble(&["sweep", "merge", "s"]);
    assert!(merged.error().contains("000001.json: is the result of run 2"), "{}", merged.error());
}

/// Tests a scene that is edited in the middle of a sweep, and back: no result is of the edited scene.
#[test]
fn a_scene_that_changes_stops_its_sweep_and_mixes_no_results() {
    let shop = drops();
    shop.write("drop.toml", &super::DROP.replace("steps = 40", "steps = 400"));
    let arguments = ["sweep", "drop.toml", "--seeds", "40", "--jobs", "1", "--out", "s"];
    let folder = shop.path().join("s");
    let mut child = start(&shop, &arguments);
    wait_for(&mut child, &folder, 3);
    shop.write("drop.toml", &super::DROP.replace("steps = 40", "steps = 200"));
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let there = results(&folder).len();
    assert!((3..40).contains(&there), "{there}");
    shop.write("drop.toml", &super::DROP.replace("steps = 40", "steps = 400"));
    assert_eq!(shop.tumble(&arguments).code(), 0);
    let steps = |path: &std::path::PathBuf| read_json(path)["report"]["steps"].as_u64();
    assert!(results(&folder).iter().all(|path| steps(path) == Some(400)));
    // Results of another sweep are no results of this one.
    let other = ["sweep", "drop.toml", "--seeds", "40", "--jobs", "1", "--out", "t", "--set", "steps=2"];
    assert_eq!(shop.tumble(&other).code(), 0);
    fs::copy(folder.join("runs/000007.json"), shop.path().join("t/runs/000007.json")).unwrap();
    let merged = shop.tumble(&["sweep", "merge", "t"]);
    assert!(merged.error().contains("000007.json: is the result of another sweep"), "{}", merged.error());
    let again = shop.tumble(&other);
    assert!(again.error().contains("000007.json: is the result of another sweep"), "{}", again.error());
    assert!(again.text().contains("39 were done before"), "{}", again.text());
}

/// A recording that cannot be written is a fault of the machine, so that a scheduler repeats the shard.
#[test]
fn a_shard_stops_if_a_recording_cannot_be_written() {
    let shop = drops();
    let output =
        on_a_full_disk(shop.path(), 64, "sweep drop.toml --vary steps=1,2 --record all --jobs 1 --out s");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("recordings/000000.tumble"), "{error}");
}
