//! Checks at steps of scenes and recordings. A check uses the poses of the parts at the given step.

use std::path::{Path, PathBuf};
use std::process::Command;

use glam::DVec3;
use tumble::check::Kind;
use tumble::record::RunReader;
use tumble::report::findings::CheckDocument;

use super::brute::{Surface, all_pairs};
use super::{check, cube, found, is_refused, pairs, parts};

/// Writes a scene in which a cube falls on another, and a recording of it.
fn fall(folder: &Path) -> (PathBuf, PathBuf) {
    let places = [("below", cube(), DVec3::ZERO), ("above", cube(), 0.25 * DVec3::Y)];
    parts(&folder.join("two.glb"), &places);
    let scene = folder.join("fall.toml");
    let text = "[[model]]\nfile = \"two.glb\"\n[[part]]\nname = \"below\"\nmotion = \"static\"\n";
    std::fs::write(&scene, text).unwrap();
    let run = folder.join("fall.tumble");
    let program = env!("CARGO_BIN_EXE_tumble");
    let output =
        Command::new(program).arg("run").arg(&scene).args(["--steps", "30", "--record"]).arg(&run).output();
    assert!(output.unwrap().status.success());
    (scene, run)
}

/// Returns an answer without its model's name, as text.
fn figures(document: CheckDocument) -> String {
    let document = CheckDocument { model: String::new(), ..document };
    serde_json::to_string(&document).unwrap()
}

#[test]
fn a_step_of_a_scene_and_of_its_recording_have_the_findings_of_its_poses() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, run) = fall(folder.path());
    let mut reader = RunReader::open(&run).unwrap();
    let mut gaps = Vec::new();
    for step in [0, 7, 20] {
        let arguments = ["--step", &step.to_string(), "--clearance", "1m"];
        let document = found(&scene, &arguments);
        assert_eq!(document.step, Some(step));
        let poses = reader.seek(step).unwrap().poses.clone();
        let right = all_pairs(&Surface::all(reader.scene(), &poses), 1.0);
        let [finding] = &document.findings[..] else { panic!("{:?}", document.findings) };
        assert!((finding.distance_m - right[0].1.distance).abs() < 1e-9, "{finding:?}, {right:?}");
        gaps.push(finding.distance_m);
        assert_eq!(figures(document), figures(found(&run, &arguments)), "step {step}");
    }
    assert!(gaps[0] > gaps[1] && gaps[1] > gaps[2], "{gaps:?}");
    // Without the option, nothing is stepped.
    let plain = found(&scene, &["--clearance", "1m"]);
    assert_eq!((plain.step, plain.findings[0].distance_m), (None, gaps[0]));
    assert_eq!(plain.findings[0].kind, Kind::Clearance);
}

#[test]
fn a_step_that_a_recording_does_not_have_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, run) = fall(folder.path());
    is_refused(&check(&run, &["--step", "31"]), &["fall.tumble", "31", "30"]);
    is_refused(&check(&run, &["--step", "-1"]), &["--step", "-1"]);
    is_refused(&check(&scene, &["--step", "1.5"]), &["--step", "1.5"]);
    let model = folder.path().join("two.glb");
    assert_eq!(pairs(&found(&model, &["--step", "0"]).findings), []);
}
