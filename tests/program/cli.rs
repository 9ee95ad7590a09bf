//! The binary, run as a user runs it: help, JSON keys, exit codes, and errors that name the file and
//! the reason.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn tumble(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tumble")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    serde_json::from_str(stdout(output)).unwrap()
}

fn path_in(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn every_verb_explains_itself() {
    for verb in ["run", "play", "inspect", "export", "scenes"] {
        let output = tumble(&[verb, "--help"]);
        assert!(output.status.success());
        assert!(stdout(&output).contains("--json"), "{verb}");
        let summary = stdout(&tumble(&["--help"])).lines().any(|l| l.trim_start().starts_with(verb));
        assert!(summary, "{verb} is not in the overview");
    }
}

#[test]
fn run_prints_the_promised_json() {
    let document = json(&tumble(&["run", "chain", "--steps", "20", "--json"]));
    assert_eq!(document["scene"], "chain");
    assert_eq!(document["steps"], 20);
    for key in ["dt", "bodies", "links", "triangles", "threads", "quarantined"] {
        assert!(document[key].is_number(), "{key}: {}", document[key]);
    }
    for kind in ["tree", "broad", "links"] {
        assert!(document["kinds"][kind].is_string(), "{kind}");
    }
    for stage in ["update", "test", "query", "solve", "total"] {
        for figure in ["mean", "p50", "p95", "p99", "max"] {
            assert!(document["timings_ms"][stage][figure].is_number(), "{stage} {figure}");
        }
    }
    for count in ["pairs", "node_tests", "candidates", "false_alarms", "contacts"] {
        for figure in ["mean", "max"] {
            assert!(document["counts"][count][figure].is_number(), "{count} {figure}");
        }
    }
    assert!(document["energy_j"]["first"].is_number() && document["energy_j"]["last"].is_number());
    assert!(document["penetration_mm"]["max"].is_number());
    let hash = document["state_hash"].as_str().unwrap();
    assert_eq!(hash.len(), 16);
    assert!(u64::from_str_radix(hash, 16).is_ok());
}

#[test]
fn a_recorded_run_plays_back_and_validates_on_other_threads() {
    let folder = tempfile::tempdir().unwrap();
    let run = path_in(folder.path(), "chain.tumble");
    let recorded =
        json(&tumble(&["run", "chain", "--steps", "30", "--threads", "1", "--record", &run, "--json"]));
    let played = json(&tumble(&["play", &run, "--validate", "--threads", "2", "--json"]));
    assert_eq!(played["state_hash"], recorded["state_hash"]);
    assert_eq!(played["complete"], true);
    assert_eq!(played["validation"]["equal_count"], 30);
    assert_eq!(played["validation"]["first_difference"], Value::Null);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(played["validation"]["threads"], cores.min(2));
    assert!(played["validation"]["timings_ms"]["total"]["max"].is_number());
    // Data that both documents have must be equal.
    for key in ["steps", "dt", "bodies", "threads", "energy_j", "penetration_mm", "counts", "timings_ms"] {
        assert_eq!(played[key], recorded[key], "{key}");
    }
    assert_eq!((&played["planned_steps"], &played["recorded_steps"]), (&30.into(), &30.into()));
    assert_eq!(played["ended"], "finished");
    let output = tumble(&["play", &run, "--validate"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("recorded by tumble ") && text.contains("; 1 thread\n"), "{text}");
    assert!(text.contains("simulated again on ") && text.contains("all 30 steps are the same"), "{text}");
}

#[test]
fn no_more_threads_are_taken_than_there_are_cores() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(255);
    let run = |threads: usize| {
        tumble(&["run", "chain", "--steps", "1", "--json", "--threads", &threads.to_string()])
    };
    let [enough, too_many] = [run(cores), run(cores + 1)];
    assert!(!stderr(&enough).contains("threads"), "{}", stderr(&enough));
    let said = format!("{} threads are limited to the number of cores", cores + 1);
    assert!(stderr(&too_many).contains(&said), "{}", stderr(&too_many));
    let too_many = json(&too_many);
    assert_eq!((&too_many["threads"], &too_many["shared_stages"]), (&cores.into(), &0.into()));
}

#[test]
fn a_recording_with_steps_missing_is_not_called_sound() {
    let folder = tempfile::tempdir().unwrap();
    let run = path_in(folder.path(), "chain.tumble");
    json(&tumble(&["run", "chain", "--steps", "60", "--record", &run, "--json"]));
    let whole = std::fs::read(&run).unwrap();
    // The cases are a flipped byte in one of the last steps, and the file that a killed run leaves.
    let mut flipped = whole.clone();
    let late = whole.len() - whole.len() / 50;
    flipped[late] ^= 1;
    for (bytes, recorded, says) in [
        (&flipped[..], Value::from(60), "of 60 recorded steps can be read: chunk "),
        (&whole[..late], Value::Null, "the run was cut off after step "),
    ] {
        std::fs::write(&run, bytes).unwrap();
        for validate in [&["--validate"][..], &[]] {
            let output = tumble(&[&["play", &run, "--json"], validate].concat());
            assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
            let played: Value = serde_json::from_str(stdout(&output)).unwrap();
            assert_eq!((&played["complete"], &played["recorded_steps"]), (&false.into(), &recorded));
            assert_eq!(played["planned_steps"], 60);
            let steps = played["steps"].as_u64().unwrap();
            assert!((1..60).contains(&steps), "{steps}");
            assert!(played["problem"].as_str().unwrap().contains(says), "{}", played["problem"]);
            assert!(stderr(&output).contains(says), "{}", stderr(&output));
        }
        let text = tumble(&["play", &run, "--validate"]);
        assert!(stdout(&text).contains("others are missing"), "{}", stdout(&text));
    }
}

#[test]
#[cfg(feature = "viewer")]
fn a_budget_for_a_recording_is_refused_and_not_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let run = path_in(folder.path(), "run.tumble");
    json(&tumble(&["run", "chain", "--steps", "3", "--record", &run, "--json"]));
    let output = tumble(&["view", &run, "--budget-us", "100"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("the budget of its run"), "{}", stderr(&output));
}

#[test]
fn bad_input_exits_with_2_and_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let broken = path_in(folder.path(), "broken.glb");
    std::fs::write(&broken, b"glTF but not really").unwrap();
    let scene = path_in(folder.path(), "scene.toml");
    std::fs::write(&scene, "name = \"x\"\n\ngravty = [0, 0, 0]\n").unwrap();
    for (arguments, says) in [
        (vec!["run", "no-such-scene"], "no-such-scene"),
        (vec!["run", &broken], "broken.glb"),
        (vec!["inspect", &broken], "broken.glb"),
        (vec!["run", &scene], "line 3"),
        (vec!["play", &broken], "broken.glb"),
        (vec!["run", "chain", "--dt", "-1"], "dt"),
        (vec!["run", "chain", "--dt", "nan"], "dt"),
        (vec!["run", "chain", "--tree", "oak"], "oak"),
    ] {
        let output = tumble(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{arguments:?}: {}", stderr(&output));
        assert!(stdout(&output).is_empty(), "{arguments:?}");
    }
}

#[test]
fn scenes_lists_what_runs() {
    let document = json(&tumble(&["scenes", "--json"]));
    let names: Vec<&str> = document.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert!(
        ["parts-tray", "walk-through", "chain", "ragdolls"].iter().all(|n| names.contains(n)),
        "{names:?}"
    );
    for name in names {
        let report = json(&tumble(&["inspect", name, "--json"]));
        assert!(report["triangle_count"].as_u64().unwrap() > 0, "{name}");
        for surface in report["surfaces"].as_array().unwrap() {
            assert_eq!(surface["tree_valid"], true, "{name}: {surface}");
        }
    }
}

#[test]
fn a_run_takes_sub_steps_and_keeps_bodies_awake_as_asked() {
    let run = |more: &[&str]| {
        let arguments = ["run", "first-scene", "--steps", "120", "--json"];
        json(&tumble(&[&arguments[..], more].concat()))
    };
    let [plain, fine, awake] = [&[][..], &["--substeps", "8"], &["--no-sleep"]].map(run);
    assert!(plain["sleeping"].as_u64() > Some(0), "nothing has come to rest: {}", plain["sleeping"]);
    assert_eq!(awake["sleeping"], 0);
    assert_ne!(fine["state_hash"], plain["state_hash"]);
    let output = tumble(&["run", "chain", "--substeps", "0"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("substeps must be from 1 to 1000"), "{}", stderr(&output));
}

#[test]
fn a_run_that_records_nothing_has_nothing_to_replace() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["run", "chain", "--steps", "1", "--force"];
    let output = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_time_step_is_said_as_it_is_written() {
    let output = tumble(&["run", "chain", "--steps", "1", "--dt", "0.3333333333333333"]);
    assert!(stderr(&output).contains("steps of 1/3 s are longer than 0.05 s"), "{}", stderr(&output));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["inspect", "parts-tray", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("panicked"));
}
