//! `tumble compare` and `tumble diff` as a user runs them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use glam::Vec3;
use serde_json::Value;
use tumble::files::{Existing, STAGING};
use tumble::generate;
use tumble::record::{EndReason, RunReader, RunWriter};
use tumble::scene::Scene;
use tumble::world::bodies_at_start;

use super::gltf;

fn tumble(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tumble")).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Compares into a new folder. Returns the document that is printed.
fn compared(out: &Path, arguments: &[&str]) -> Value {
    let out = out.to_str().unwrap();
    let output = tumble(&[&["compare"], arguments, &["--out", out, "--json"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn kinds_move_alike_and_all_that_is_promised_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let own = ["chain", "--with", "boxtree8,aabb,hybrid:threads=2", "--steps", "12", "--repeats", "6"];
    let document = compared(&out, &own);
    assert_eq!((&document["steps"], &document["repeats"]), (&12.into(), &6.into()));
    let contenders = document["contenders"].as_array().unwrap();
    for one in contenders {
        assert_eq!(one["first_difference"], Value::Null, "{}", one["name"]);
        assert_eq!(one["state_hash"], contenders[0]["state_hash"]);
        assert_eq!(one["times"]["query"].as_array().unwrap().len(), 12);
        assert_eq!(one["runs"].as_array().unwrap().len(), 6);
        assert_eq!(one["passages"], Value::Array(Vec::new()), "the links of a chain stay in each other");
        assert!(one["mean"]["interval"][0].as_f64().unwrap() > 0.0);
        assert_eq!(one["counts"]["contacts"], contenders[0]["counts"]["contacts"]);
        let recording = out.join(one["recording"].as_str().unwrap());
        assert_eq!(RunReader::open(&recording).unwrap().step_count(), 12);
    }
    assert_ne!(contenders[0]["counts"]["node tests"], contenders[1]["counts"]["node tests"]);
    assert!(contenders[1]["ratio"]["interval"][1].is_number());
    assert_eq!(contenders[0]["ratio"], Value::Null);
    let rows = fs::read_to_string(out.join("steps.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1 + 3 * 12);

    // The page can be rebuilt from the data alone.
    let again = folder.path().join("again");
    let from = out.join("comparison.json");
    let output = tumble(&["compare", "--from", from.to_str().unwrap(), "--out", again.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    for file in ["page.html", "comparison.json", "steps.csv"] {
        assert_eq!(fs::read(out.join(file)).unwrap(), fs::read(again.join(file)).unwrap(), "{file}");
    }
    assert!(fs::read_to_string(out.join("page.html")).unwrap().contains("hybrid:threads=2"));
}

#[cfg(feature = "reference")]
#[test]
fn rapier_takes_part_and_says_what_it_does_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let with = "scene,rapier,rapier-edges,rapier-convex:no-sleep";
    let own = ["first-scene", "--with", with, "--steps", "6", "--repeats", "1"];
    let document = compared(folder.path(), &own);
    for one in &document["contenders"].as_array().unwrap()[1..] {
        assert!(one["about"].as_str().unwrap().contains("length unit"), "{}", one["about"]);
        assert!(one["parting"]["body"].is_string(), "another engine moves otherwise");
        assert_eq!(one["counts"]["node tests"], Value::Null, "it does not count them");
        assert!(one["counts"]["contacts"].is_array());
    }
}

/// Uses a scene in which a part has rolling resistance. The note appears only for such scenes.
#[cfg(feature = "reference")]
#[test]
fn rapier_says_that_it_has_no_resistance_to_rolling() {
    let folder = tempfile::tempdir().unwrap();
    gltf::write(folder.path(), "ball", &generate::sphere(0.1, 16));
    let scene = folder.path().join("ball.toml");
    for (rule, says) in [("", false), ("rolling = 0.001", true), ("spinning = 0.001", true)] {
        let text = format!("[ground]\n[[model]]\nfile = \"ball.gltf\"\n[[part]]\nname = \"ball\"\n{rule}\n");
        fs::write(&scene, text).unwrap();
        let own = [scene.to_str().unwrap(), "--with", "scene,rapier", "--steps", "2", "--repeats", "1"];
        let document = compared(&folder.path().join(format!("out {rule}")), &own);
        let unmapped = document["contenders"][1]["unmapped"].as_array().unwrap();
        let is_said =
            unmapped.iter().any(|what| what == "resistance to rolling and spinning: rapier has none");
        assert_eq!(is_said, says, "{rule:?}: {unmapped:?}");
    }
}

#[test]
fn a_list_that_makes_no_sense_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let refused = |with: &str, why: &str| {
        let output = tumble(&["compare", "chain", "--with", with, "--out", out.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{with}");
        assert!(stderr(&output).contains(why), "{with}: {}", stderr(&output));
        assert!(!out.exists(), "nothing is made for {with}");
    };
    refused("aabb", "name at least two contenders");
    refused("aabb,obb,aabb", "\"aabb\" is named twice");
    refused("aabb,tree=aabb", "\"tree=aabb\" is named twice");
    refused("aabb,octopus", "\"octopus\"");
    refused("aabb,threads=two", "is not a whole number");
    refused("aabb,threads=4294967297", "threads must be at most");
    refused("aabb,colour=red", "no setting is called \"colour\"");
    refused("aabb,missing.tumble", "missing.tumble");
    if cfg!(feature = "reference") {
        refused("aabb,rapier:aabb", "rapier takes only the setting no-sleep");
    } else {
        refused("aabb,rapier", "--features reference");
    }
}

#[test]
fn a_folder_with_files_is_left_alone_unless_forced() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    fs::write(folder.path().join("mine.txt"), "kept").unwrap();
    let own = ["compare", "chain", "--with", "boxtree8,aabb", "--steps", "2", "--repeats", "1", "--out", out];
    let output = tumble(&own);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("already contains files"), "{}", stderr(&output));
    let output = tumble(&[&own[..], &["--force"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join("mine.txt")).unwrap(), "kept");
    assert!(folder.path().join("page.html").exists());
}

/// Records a run of a scene.
fn record(path: &Path, arguments: &[&str]) {
    let own = [&["run"], arguments, &["--record", path.to_str().unwrap()]].concat();
    let output = tumble(&own);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn a_recording_takes_part_unless_it_is_of_another_scene_or_damaged_before_its_steps() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    record(&path("run.tumble"), &["chain", "--steps", "8"]);
    record(&path("other.tumble"), &["first-scene", "--steps", "1"]);
    let bytes = fs::read(path("run.tumble")).unwrap();
    fs::write(path("torn.tumble"), &bytes[..bytes.len() - 2500]).unwrap();
    fs::write(path("headless.tumble"), &bytes[..900]).unwrap();
    let run = |name: &str, out: &str| {
        let with = format!("scene,{}", path(name).display());
        let out = path(out).to_str().unwrap().to_owned();
        let own = ["compare", "chain", "--with", &with, "--steps", "12", "--repeats", "1", "--json"];
        tumble(&[&own[..], &["--out", &out]].concat())
    };
    let whole: Value = serde_json::from_slice(&run("run.tumble", "a").stdout).unwrap();
    let one = &whole["contenders"][1];
    assert_eq!((&one["first_difference"], &one["ended"]["step"]), (&Value::Null, &8.into()));
    let torn: Value = serde_json::from_slice(&run("torn.tumble", "b").stdout).unwrap();
    let one = &torn["contenders"][1];
    assert!(one["ended"]["step"].as_u64().unwrap() < 8, "{}", one["ended"]);
    assert!(one["unmapped"][0].as_str().unwrap().contains("cut off"), "{}", one["unmapped"]);
    for (name, why) in [("other.tumble", "of another scene"), ("headless.tumble", "headless.tumble")] {
        let output = run(name, &format!("beside-{name}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn diff_says_whether_runs_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    record(&folder.path().join("a.tumble"), &["chain", "--steps", "20"]);
    record(&folder.path().join("b.tumble"), &["chain", "--steps", "20", "--tree", "obb"]);
    record(&folder.path().join("short.tumble"), &["chain", "--steps", "15"]);
    record(&folder.path().join("longer-step.tumble"), &["chain", "--steps", "20", "--dt", "0.01"]);
    let diff = |b: &str| tumble(&["diff", &path("a.tumble"), &path(b), "--json"]);
    let same = diff("b.tumble");
    assert_eq!(same.status.code(), Some(0));
    let document: Value = serde_json::from_slice(&same.stdout).unwrap();
    assert_eq!((&document["same"], &document["steps"]), (&true.into(), &20.into()));
    assert!(document["ratio"]["interval"][0].is_number());
    let short = diff("short.tumble");
    assert_eq!(short.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&short.stdout).unwrap();
    assert_eq!((&document["same"], &document["first"]), (&false.into(), &Value::Null));
    let other = diff("longer-step.tumble");
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("its steps take 0.01 s, those of chain 1/60 s"), "{}", stderr(&other));
}

#[test]
fn a_step_that_takes_a_thousand_times_as_long_as_the_baseline_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let own = ["chain", "--with", "boxtree8,aabb", "--steps", "10", "--repeats", "3"];
    let measured = compared(&folder.path().join("before"), &own);
    for (scale, code) in [(1e-3, 1), (1e3, 0)] {
        let mut baseline = measured.clone();
        let mean = &mut baseline["contenders"][0]["mean"];
        for at in ["/value", "/interval/0", "/interval/1"] {
            let time = mean.pointer(at).unwrap().as_f64().unwrap();
            *mean.pointer_mut(at).unwrap() = (scale * time).into();
        }
        // The other contender is left out, because its timings are too noisy.
        baseline["contenders"].as_array_mut().unwrap().truncate(1);
        fs::write(path("baseline.json"), baseline.to_string()).unwrap();
        let against = ["--baseline", &path("baseline.json"), "--out", &path(&format!("{code}"))];
        let output = tumble(&[&["compare"], &own[..], &against].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert_eq!(text.contains("boxtree8: time"), code == 1, "{text}");
        assert!(text.contains("aabb is not compared"), "{text}");
    }
}

/// Tests a tilted cube that falls on the ground. Its overlap is deepest as it hits the ground, which the
/// samples miss.
#[test]
fn the_deepest_overlap_is_the_same_for_40_and_60_steps_of_one_motion() {
    let folder = tempfile::tempdir().unwrap();
    gltf::write(folder.path(), "cube", &generate::cuboid(Vec3::splat(0.1), 0.1));
    let scene = folder.path().join("fall.toml");
    // At some heights the cube lands so softly that it is deepest at rest, after all steps of the shorter
    // run.
    let mut landings = 0;
    for height in [0.11, 0.13, 0.14, 0.2, 0.3] {
        let entry = format!("position = [0, {height}, 0]\nrotation = [0, 0, 10]\n");
        fs::write(&scene, format!("[ground]\n[[model]]\nfile = \"cube.gltf\"\n{entry}")).unwrap();
        let deepest = |steps: &str, every: &str| {
            let out = folder.path().join(format!("{height} {steps} {every}"));
            let own =
                [scene.to_str().unwrap(), "--with", "boxtree8,aabb", "--repeats", "1", "--steps", steps];
            let document = compared(&out, &[&own[..], &["--overlap-every", every]].concat());
            document["contenders"][0]["deepest"].clone()
        };
        let all = deepest("60", "1");
        if all["step"].as_u64().unwrap() >= 40 {
            continue;
        }
        landings += u32::from(all["depth"].as_f64().unwrap() > 1e-3);
        for (steps, every) in [("40", "4"), ("60", "5"), ("40", "1000")] {
            assert_eq!(deepest(steps, every), all, "from {height} m, every {every} of {steps} steps");
        }
    }
    assert!(landings > 0, "no landing is deeper than a millimeter");
    let out = folder.path().join("text");
    let own =
        ["compare", scene.to_str().unwrap(), "--with", "boxtree8,aabb", "--repeats", "1", "--steps", "60"];
    let output = tumble(&[&own[..], &["--out", out.to_str().unwrap()]].concat());
    let said =
        "sampled at 12 of 60 steps, and before and after the step that the engine itself calls deepest";
    assert!(String::from_utf8_lossy(&output.stdout).contains(said), "{}", stderr(&output));
    assert!(fs::read_to_string(out.join("page.html")).unwrap().contains(said));
}

#[test]
fn the_means_of_steps_csv_add_up_to_the_mean_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let own = ["chain", "--with", "boxtree8,aabb", "--steps", "12", "--repeats", "3"];
    let document = compared(folder.path(), &own);
    let mut rows = csv::Reader::from_path(folder.path().join("steps.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    for one in document["contenders"].as_array().unwrap() {
        let own: Vec<_> = rows.iter().filter(|row| row[0] == one["name"]).collect();
        let stages = own.iter().flat_map(|row| (2..6).map(|stage| row[stage].parse::<f64>().unwrap()));
        let mean = stages.sum::<f64>() / own.len() as f64;
        let page = one["mean"]["value"].as_f64().unwrap();
        assert!((mean / page - 1.0).abs() < 1e-9, "{}: {mean} in the rows, {page} on the page", one["name"]);
    }
}

#[test]
fn a_baseline_of_another_scene_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let before = folder.path().join("before");
    compared(&before, &["chain", "--with", "boxtree8,aabb", "--steps", "4", "--repeats", "1"]);
    let baseline = before.join("comparison.json");
    let against = |scene: &str, steps: &str, out: &str| {
        let out = folder.path().join(out);
        let own = ["compare", scene, "--with", "boxtree8", "--steps", steps, "--repeats", "1"];
        let given = ["--baseline", baseline.to_str().unwrap(), "--out", out.to_str().unwrap()];
        (tumble(&[&own[..], &given].concat()), out)
    };
    // 100,000 steps would take minutes.
    for (scene, steps) in [("chain", "100000"), ("first-scene", "100000")] {
        let (output, out) = against(scene, steps, "other");
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("the baseline does not fit: it is of 4 steps"),
            "{}",
            stderr(&output)
        );
        assert!(!out.exists());
    }
    // A single contender is enough, and a success is told.
    let (output, _) = against("chain", "4", "same");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("no contender is worse than the baseline"));
    fs::write(&baseline, "{}").unwrap();
    let (output, out) = against("chain", "100000", "none");
    assert_eq!((output.status.code(), out.exists()), (Some(2), false), "{}", stderr(&output));
    assert!(stderr(&output).contains("comparison.json"), "{}", stderr(&output));
}

/// Writes a run again with all of its recorded data. If requested, moves one body from a step on.
fn rewrite(from: &Path, to: &Path, moved: Option<(usize, u32, f64)>) {
    let mut reader = RunReader::open(from).unwrap();
    let scene = Scene { files: Vec::new(), ..reader.scene().clone() };
    let mut writer = RunWriter::create(to, &scene, Existing::Keep).unwrap();
    let mut bodies = bodies_at_start(&scene);
    for step in 1..=reader.step_count() {
        let record = reader.record(step).unwrap();
        let frame = reader.seek(step).unwrap();
        for (state, pose) in bodies.states.iter_mut().zip(&frame.poses) {
            state.pose = *pose;
        }
        if let Some((body, _, way)) = moved.filter(|(_, first, _)| step >= *first) {
            bodies.states[body].pose.position.y += way;
        }
        writer.append(&bodies, &record.timings, &record.counts, &record.measures).unwrap();
    }
    writer.finish(EndReason::Finished).unwrap();
}

#[test]
fn diff_names_the_step_and_the_body_that_is_off_by_a_nanometre() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    record(&path("run.tumble"), &["chain", "--steps", "60"]);
    let scene = RunReader::open(&path("run.tumble")).unwrap().scene().clone();
    let body = scene.bodies.iter().position(|body| body.name == "link.7").unwrap();
    rewrite(&path("run.tumble"), &path("a.tumble"), None);
    rewrite(&path("run.tumble"), &path("b.tumble"), Some((body, 50, 1e-9)));
    let [a, b] = ["a.tumble", "b.tumble"].map(|name| path(name).to_str().unwrap().to_owned());
    let output = tumble(&["diff", &a, &b, "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let first = &document["first"];
    assert_eq!((&first["step"], &first["body"]), (&50.into(), &"link.7".into()));
    assert!((first["distance"].as_f64().unwrap() - 1e-9).abs() < 1e-13, "{first}");
    assert_eq!((&document["first_state"], &document["last_count"]), (&50.into(), &1.into()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["compare", "parts-tray", "--with", "boxtree8,aabb", "--steps", "100000", "--out"])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let steps = |path: &Path| RunReader::open(path).map_or(0, |reader| reader.step_count());
    while steps(&out.join(STAGING).join("2-aabb.tumble")) < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let data = fs::read_to_string(out.join("comparison.json")).unwrap();
    let document: Value = serde_json::from_str(&data).unwrap();
    let taken = document["steps"].as_u64().unwrap();
    assert!((2..100_000).contains(&taken), "{taken}");
    assert!(document["notes"][0].as_str().unwrap().contains("of 100000 steps were taken"));
    assert!(u64::from(steps(&out.join("1-boxtree8.tumble"))) >= taken);
    assert!(out.join("page.html").exists());
}

#[test]
fn a_step_that_searches_more_than_the_baseline_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let own = ["chain", "--with", "boxtree8,aabb", "--steps", "10", "--repeats", "1"];
    let mut baseline = compared(&folder.path().join("before"), &own);
    let judged = |baseline: &Value, out: &str| {
        fs::write(path("baseline.json"), baseline.to_string()).unwrap();
        let against = ["--baseline", &path("baseline.json"), "--max-regress", "5%", "--out", &path(out)];
        tumble(&[&["compare"], &own[..], &against].concat())
    };
    let output = judged(&baseline, "same");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let tests = baseline["contenders"][1]["counts"]["node tests"][4].as_u64().unwrap();
    baseline["contenders"][1]["counts"]["node tests"][4] = (tests - 1).into();
    let output = judged(&baseline, "more");
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(text.contains("aabb: node tests") && text.contains("from step 5 on"), "{text}");
    let document = |output: &Output| serde_json::from_slice::<Value>(&output.stdout).unwrap();
    fs::write(path("baseline.json"), baseline.to_string()).unwrap();
    let against = ["--json", "--baseline", &path("baseline.json"), "--out", &path("json")];
    let printed = document(&tumble(&[&["compare"], &own[..], &against].concat()));
    assert_eq!(printed["baseline"]["regressions"][0]["what"], "node tests");
    assert!(printed["baseline"]["not_judged"][0].as_str().unwrap().contains("too few repeats"));
    baseline["scene"] = "another".into();
    let output = judged(&baseline, "other");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the baseline does not fit"), "{}", stderr(&output));
}

/// Collects the JSON pointers to all lists in a document.
fn lists(at: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(all) => {
            found.push(at.to_owned());
            all.iter().take(2).enumerate().for_each(|(k, inner)| lists(&format!("{at}/{k}"), inner, found));
        }
        Value::Object(all) => {
            all.iter().for_each(|(key, inner)| lists(&format!("{at}/{key}"), inner, found));
        }
        _ => (),
    }
}

#[test]
fn a_comparison_with_lists_cut_short_is_shown_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let own = ["chain", "--with", "boxtree8,aabb", "--steps", "6", "--repeats", "1"];
    let whole = compared(&folder.path().join("whole"), &own);
    let (cut, out) = (folder.path().join("cut.json"), folder.path().join("out"));
    let mut found = Vec::new();
    lists("", &whole, &mut found);
    assert!(found.len() > 30, "{found:?}");
    for at in found {
        for kept in [0, 1] {
            let mut document = whole.clone();
            document.pointer_mut(&at).unwrap().as_array_mut().unwrap().truncate(kept);
            fs::write(&cut, document.to_string()).unwrap();
            let [from, out] = [&cut, &out].map(|path| path.to_str().unwrap());
            let output = tumble(&["compare", "--from", from, "--out", out, "--force"]);
            assert!(matches!(output.status.code(), Some(0 | 2)), "{at} cut to {kept}: {}", stderr(&output));
        }
    }
}
