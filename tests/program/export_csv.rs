//! `tumble export --to csv` as a user runs it: the tables are compared with their recording, rows are
//! selected, and wrong input is refused.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use crate::gltf;
use glam::{DQuat, DVec3, Vec3};
use serde_json::{Value, json};
use tumble::files::Existing;
use tumble::generate::cuboid;
use tumble::pose::Pose;
use tumble::record::sheets::{self, Part, SheetError};
use tumble::record::{Rest, RunReader};

pub fn tumble(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tumble")).args(arguments).current_dir(folder).output().unwrap()
}

pub fn export(folder: &Path, arguments: &[&str]) -> Output {
    tumble(folder, &[&["export", "--to", "csv"], arguments].concat())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the message for a user's mistake. Asserts that the exit code is 2.
fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
    assert!(output.stdout.is_empty());
    stderr(output)
}

/// Creates a folder with a recording of 130 steps of the chain, which has 18 bodies.
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    stdout(&tumble(folder.path(), &["run", "chain", "--steps", "130", "--record", "chain.tumble"]));
    folder
}

/// Returns the columns and the rows of a table. A row maps the names of columns to fields.
pub fn table(path: &Path) -> (Vec<String>, Vec<BTreeMap<String, String>>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let columns: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader.records().map(|record| {
        let fields = record.unwrap();
        columns.iter().cloned().zip(fields.iter().map(str::to_owned)).collect()
    });
    let rows = rows.collect();
    (columns, rows)
}

pub fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {:?} is no number", row[column]))
}

pub fn vector(row: &BTreeMap<String, String>, columns: [&str; 3]) -> DVec3 {
    DVec3::from_array(columns.map(|column| number(row, column)))
}

fn pose(row: &BTreeMap<String, String>) -> Pose {
    let [x, y, z, w] = ["qx", "qy", "qz", "qw"].map(|column| number(row, column));
    Pose::new(DQuat::from_xyzw(x, y, z, w), vector(row, ["x_m", "y_m", "z_m"]))
}

fn linear(row: &BTreeMap<String, String>) -> DVec3 {
    vector(row, ["vx_m_per_s", "vy_m_per_s", "vz_m_per_s"])
}

fn angular(row: &BTreeMap<String, String>) -> DVec3 {
    vector(row, ["wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s"])
}

#[test]
fn bodies_have_the_poses_of_the_recording_and_velocities_that_lead_from_one_to_the_next() {
    let folder = recorded();
    let folder = folder.path();
    let text = stdout(&export(folder, &["chain.tumble"]));
    assert_eq!(
        text,
        "chain/bodies.csv: 2,358 rows\nchain/steps.csv: 130 rows\nchain/joints.csv: 6,681 rows\n\
                      chain/pairs.csv: 0 rows\n"
    );
    let (columns, rows) = table(&folder.join("chain/bodies.csv"));
    assert_eq!(
        columns.join(","),
        "step,time_s,body,x_m,y_m,z_m,qx,qy,qz,qw,vx_m_per_s,vy_m_per_s,vz_m_per_s,wx_rad_per_s,wy_rad_per_s,\
         wz_rad_per_s,state"
    );
    let mut reader = RunReader::open(&folder.join("chain.tumble")).unwrap();
    let names: Vec<String> = reader.scene().bodies.iter().map(|body| body.name.clone()).collect();
    let dt = reader.scene().config.dt;
    let mut rows = rows.into_iter();
    let mut before: Vec<Pose> = Vec::new();
    let mut fastest: f64 = 0.0;
    for step in 0..=130 {
        let frame = reader.seek(step).unwrap();
        for (body, name) in names.iter().enumerate() {
            let row = rows.next().unwrap();
            assert_eq!((&row["step"], &row["body"]), (&step.to_string(), name));
            assert_eq!(number(&row, "time_s"), f64::from(step) * dt);
            assert_eq!(pose(&row), frame.poses[body], "step {step}, {name}");
            assert_eq!(row["state"], "awake");
            let Some(before) = before.get(body) else {
                assert_eq!((linear(&row), angular(&row)), (DVec3::ZERO, DVec3::ZERO), "it starts at rest");
                continue;
            };
            let led = Pose::new(
                DQuat::from_scaled_axis(angular(&row) * dt) * before.rotation,
                before.position + linear(&row) * dt,
            );
            let now = frame.poses[body];
            assert!(led.position.distance(now.position) < 1e-12, "step {step}, {name}");
            assert!((led.rotation.dot(now.rotation).abs() - 1.0).abs() < 1e-12, "step {step}, {name}");
            fastest = fastest.max(linear(&row).length());
        }
        before = frame.poses.clone();
    }
    assert!(rows.next().is_none());
    assert!(fastest > 1.0, "the chain swings: {fastest} m/s");
}

#[test]
fn a_body_starts_with_the_velocity_of_its_scene_at_its_origin_and_its_rest_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (positions, triangles) = cuboid(Vec3::splat(0.2), 0.1);
    let aside = positions.into_iter().map(|p| p + Vec3::X).collect();
    gltf::write(folder, "box", &(aside, triangles));
    let scene = "gravity = [0, 0, 0]\nsteps = 3\n[[model]]\nfile = \"box.gltf\"\n[[part]]\nname = \"box\"\n\
                 density = 1000\nvelocity = [0, 2, 0]\nangular_velocity = [0, 0, 1]\n";
    std::fs::write(folder.join("scene.toml"), scene).unwrap();
    stdout(&tumble(folder, &["run", "scene.toml", "--record", "run.tumble"]));
    stdout(&export(folder, &["run.tumble", "--body", "box", "--out", "."]));
    let (_, rows) = table(&folder.join("bodies.csv"));
    let scene = RunReader::open(&folder.join("run.tumble")).unwrap().scene().clone();
    let body = scene.bodies.iter().find(|body| body.name == "box").unwrap();
    let origin = DVec3::new(0.0, 2.0, 0.0) + DVec3::Z.cross(-body.center);
    assert!(body.center.length() > 0.5, "its centre is not its origin: {}", body.center);
    assert!(linear(&rows[0]).distance(origin) < 1e-12, "{}, not {origin}", linear(&rows[0]));
    assert_eq!(angular(&rows[0]), DVec3::Z);
    for row in &rows[1..] {
        // The value is a mean over a step. During the step, the direction rotates by 1/60 rad.
        assert!(linear(row).distance(origin) < 0.05, "{}", linear(row));
        assert!(angular(row).distance(DVec3::Z) < 1e-9, "{}", angular(row));
    }

    stdout(&tumble(folder, &["run", "parts-tray", "--steps", "200", "--record", "tray.tumble"]));
    stdout(&export(folder, &["tray.tumble"]));
    let (_, rows) = table(&folder.join("tray/bodies.csv"));
    let mut reader = RunReader::open(&folder.join("tray.tumble")).unwrap();
    let rests = reader.seek(200).unwrap().rests.clone();
    let last = &rows[rows.len() - rests.len()..];
    let asleep = last.iter().filter(|row| row["state"] == "asleep");
    assert_eq!(asleep.clone().count(), rests.iter().filter(|&&rest| rest == Rest::Asleep).count());
    assert!(asleep.clone().count() > 0);
    let moves = |row: &&BTreeMap<String, String>| linear(row) != DVec3::ZERO || angular(row) != DVec3::ZERO;
    assert_eq!(asleep.filter(moves).count(), 0, "bodies asleep do not move");
}

#[test]
fn steps_have_times_counts_and_what_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    stdout(&tumble(folder, &["run", "parts-tray", "--steps", "40", "--record", "run.tumble"]));
    stdout(&export(folder, &["run.tumble"]));
    let (columns, rows) = table(&folder.join("run/steps.csv"));
    let mut reader = RunReader::open(&folder.join("run.tumble")).unwrap();
    let (dt, names) = (reader.scene().config.dt, reader.scene().bodies.clone());
    let first = ["step", "time_s", "update_ms", "test_ms", "query_ms", "solve_ms"];
    let last = ["energy_j", "deepest_mm", "deepest_a", "deepest_b", "state_hash"];
    assert_eq!(
        (&columns[..6], &columns[columns.len() - 5..]),
        (&first.map(str::to_owned)[..], &last.map(str::to_owned)[..])
    );
    assert_eq!(rows.len(), 40);
    let mut touching = 0;
    for (step, row) in (1..).zip(&rows) {
        let record = reader.record(step).unwrap();
        assert_eq!(number(row, "step"), f64::from(step));
        assert_eq!(number(row, "time_s"), f64::from(step) * dt);
        let timings = record.timings;
        for (column, time) in
            first[2..].iter().zip([timings.update, timings.test, timings.query, timings.solve])
        {
            assert!((number(row, column) - time.as_secs_f64() * 1e3).abs() < 1e-9, "{column}");
        }
        let counts = serde_json::to_value(record.counts).unwrap();
        let counts = counts.as_object().unwrap();
        assert_eq!(counts.len() + first.len() + last.len(), columns.len());
        for (name, count) in counts {
            assert_eq!(row[name], count.to_string(), "step {step}, {name}");
        }
        assert_eq!(number(row, "energy_j"), record.measures.energy);
        assert!((number(row, "deepest_mm") - 1e3 * record.measures.penetration).abs() < 1e-12);
        let deepest =
            record.measures.deepest.map_or([""; 2], |pair| pair.map(|body| &*names[body as usize].name));
        assert_eq!([&*row["deepest_a"], &row["deepest_b"]], deepest);
        assert_eq!(row["state_hash"], format!("{:016x}", record.state_hash));
        touching += u32::from(record.measures.deepest.is_some());
    }
    assert!(touching > 0, "parts land in the tray");
}

#[test]
fn some_steps_and_some_bodies_have_the_rows_that_they_have_among_all() {
    let folder = recorded();
    let folder = folder.path();
    stdout(&export(folder, &["chain.tumble", "--out", "all"]));
    let (_, all) = table(&folder.join("all/bodies.csv"));
    let of = |keep: &dyn Fn(u32, &str) -> bool| -> Vec<BTreeMap<String, String>> {
        let kept = |row: &&BTreeMap<String, String>| keep(row["step"].parse().unwrap(), &row["body"]);
        all.iter().filter(kept).cloned().collect()
    };
    let some = |name: &str, arguments: &[&str]| {
        stdout(&export(folder, &[&["chain.tumble", "--out", name], arguments].concat()));
        table(&folder.join(name).join("bodies.csv")).1
    };
    let every = some("every", &["--every", "40"]);
    assert_eq!(every, of(&|step, _| [0, 40, 80, 120, 130].contains(&step)));
    assert_eq!(every.len(), 5 * 18);
    let steps: Vec<String> =
        table(&folder.join("every/steps.csv")).1.iter().map(|row| row["step"].clone()).collect();
    assert_eq!(steps, ["40", "80", "120", "130"]);
    // `link` also matches the copies of the link, which have numbers.
    let links = some("links", &["--body", "link"]);
    assert_eq!(links, of(&|_, body| body.starts_with("link")));
    assert_eq!(links.len(), 131 * 16);
    let ends = some("ends", &["--body", "{anchor,link.1?}", "--body", "weight", "--every", "1000"]);
    assert_eq!(
        ends,
        of(&|step, body| {
            let is_end =
                ["anchor", "weight"].contains(&body) || (body.starts_with("link.1") && body.len() == 7);
            is_end && [0, 130].contains(&step)
        })
    );
    assert_eq!(ends.len(), 2 * 9);
    assert_eq!(table(&folder.join("ends/steps.csv")).1.len(), 1, "tables of steps are of all bodies");
}

#[test]
fn names_that_csv_would_divide_are_read_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = gltf::write(folder, "box", &cuboid(Vec3::ONE, 1.0));
    let mut document: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    document["nodes"][0]["name"] = json!("a \"wide\", long box");
    std::fs::write(&path, document.to_string()).unwrap();
    stdout(&tumble(folder, &["run", "box.gltf", "--steps", "2", "--record", "box.tumble"]));
    stdout(&export(folder, &["box.tumble", "--body", "a*box"]));
    let (_, rows) = table(&folder.join("box/bodies.csv"));
    assert_eq!(rows.iter().map(|row| &*row["body"]).collect::<Vec<_>>(), ["a \"wide\", long box"; 3]);
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let folder = recorded();
    let folder = folder.path();
    gltf::write(folder, "box", &cuboid(Vec3::ONE, 1.0));
    std::fs::write(folder.join("broken.tumble"), b"TUMBLE? no").unwrap();
    let names = || {
        let names = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let before = names();
    for (arguments, says) in [
        (&["chain"][..], "chain: is not a recording: `tumble run chain --record chain.tumble` makes one"),
        (&["box.gltf"], "`tumble run box.gltf --record box.tumble` makes one"),
        (&["nowhere.tumble"], "nowhere.tumble"),
        (&["broken.tumble"], "broken.tumble"),
        (&["chain.tumble", "--body", "lnk.2"], "no body is called \"lnk.2\"; did you mean \"link.2\"?"),
        (
            &["chain.tumble", "--body", "{anchor,wieght}"],
            "no body is called \"wieght\"; did you mean \"weight\"?",
        ),
        (&["chain.tumble", "--body", "a/b/*"], "no body is called \"a/b/*\""),
        (&["chain.tumble", "--body", "[x"], "\"[x\" is not a pattern"),
        (&["chain.tumble", "--unit", "mm"], "chain.tumble: is no model: --unit"),
        (&["chain.tumble", "--every", "0"], "--every"),
        (&["chain.tumble", "--out", "box.gltf"], "box.gltf"),
    ] {
        let text = complaint(&export(folder, arguments));
        assert!(text.contains(says), "{arguments:?}: {text}");
    }
    let text = complaint(&export(folder, &["chain.tumble", "--size", "64x36"]));
    assert!(text.contains("--size is for pictures, which --to png writes"), "{text}");
    let text = complaint(&tumble(folder, &["export", "chain", "--to", "png", "--body", "link"]));
    assert!(text.contains("--body is for tables, which --to csv writes"), "{text}");
    assert_eq!(names(), before);
}

#[test]
fn tables_replace_nothing_unasked_and_never_the_recording() {
    let folder = recorded();
    let folder = folder.path();
    std::fs::create_dir(folder.join("out")).unwrap();
    std::fs::write(folder.join("out/steps.csv"), b"mine").unwrap();
    std::fs::write(folder.join("out/notes.txt"), b"mine").unwrap();
    let text = complaint(&export(folder, &["chain.tumble", "--out", "out"]));
    assert!(text.contains("out/steps.csv: is there already; --force replaces it"), "{text}");
    assert_eq!(std::fs::read(folder.join("out/steps.csv")).unwrap(), b"mine");
    assert_eq!(std::fs::read_dir(folder.join("out")).unwrap().count(), 2);
    stdout(&export(folder, &["chain.tumble", "--out", "out", "--force"]));
    assert_eq!(table(&folder.join("out/steps.csv")).1.len(), 130);
    assert_eq!(std::fs::read(folder.join("out/notes.txt")).unwrap(), b"mine");

    std::fs::rename(folder.join("chain.tumble"), folder.join("bodies.csv")).unwrap();
    let run = std::fs::read(folder.join("bodies.csv")).unwrap();
    let text = complaint(&export(folder, &["bodies.csv", "--out", ".", "--force"]));
    assert!(text.contains("is read here") && text.contains("bodies.csv"), "{text}");
    assert_eq!(std::fs::read(folder.join("bodies.csv")).unwrap(), run);
}

#[test]
fn an_export_that_is_stopped_leaves_the_tables_that_were_there() {
    let folder = recorded();
    let folder = folder.path();
    std::fs::create_dir(folder.join("out")).unwrap();
    std::fs::write(folder.join("out/bodies.csv"), b"mine").unwrap();
    let mut reader = RunReader::open(&folder.join("chain.tumble")).unwrap();
    let part = Part { bodies: vec![0], every: 1 };
    let mut steps = 0;
    let mut go_on = || {
        steps += 1;
        steps < 100
    };
    let target = (&*folder.join("out"), Existing::Replace);
    let stopped = sheets::write(&mut reader, &part, target, &mut go_on);
    assert!(matches!(stopped, Err(SheetError::Stopped(_))), "{stopped:?}");
    assert_eq!(steps, 100);
    assert_eq!(std::fs::read(folder.join("out/bodies.csv")).unwrap(), b"mine");
    assert_eq!(std::fs::read_dir(folder.join("out")).unwrap().count(), 1);
}

#[test]
fn a_recording_that_was_cut_off_is_written_to_its_last_whole_step_and_said() {
    let folder = recorded();
    let folder = folder.path();
    let whole = std::fs::read(folder.join("chain.tumble")).unwrap();
    std::fs::write(folder.join("cut.tumble"), &whole[..whole.len() - whole.len() / 10]).unwrap();
    let held = RunReader::open(&folder.join("cut.tumble")).unwrap().step_count();
    assert!((60..130).contains(&held), "{held}");
    let output = export(folder, &["cut.tumble", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let problem = format!("the run was cut off after step {held} of 130");
    assert!(stderr(&output).contains(&format!("cut.tumble: {problem}")), "{}", stderr(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = json!([
        { "path": "cut/bodies.csv", "rows": 18 * (held + 1) },
        { "path": "cut/steps.csv", "rows": held },
        { "path": "cut/joints.csv", "rows": 17 * 3 * (held + 1) },
        { "path": "cut/pairs.csv", "rows": 0 },
    ]);
    assert_eq!(
        document,
        json!({ "recording": "cut.tumble", "steps": held, "complete": false, "problem": problem, "files": files })
    );
    let (_, rows) = table(&folder.join("cut/bodies.csv"));
    assert_eq!((rows.len() as u32, &*rows.last().unwrap()["step"]), (18 * (held + 1), &*held.to_string()));
}
