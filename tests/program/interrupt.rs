//! A run that a user ends stops even inside a long step. Its state is then that of the last whole
//! step.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tumble::record::{End, EndReason, RunReader};
use tumble::scene::load_scene;
use tumble::tree::TreeKind;
use tumble::world::World;

use crate::whole_files::unfinished;

/// Starts a run in which every step takes many seconds, and waits for the run's first step.
fn long_run(folder: &Path, arguments: &[&str]) -> (Child, PathBuf) {
    let path = folder.join("run.tumble");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["run", "parts-tray", "--tree", "brute-force", "--threads", "1", "--steps", "20", "--record"])
        .arg(&path)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while RunReader::open(&unfinished(&path)).is_err() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended by itself");
        std::thread::yield_now();
    }
    (child, path)
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_signal_ends_a_long_step_with_report_recording_and_the_shells_exit_code() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let (child, path) = long_run(folder.path(), &["--json"]);
        send(signal, &child);
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(code), "{stderr}");
        let report: Value = serde_json::from_slice(&stdout).unwrap();
        assert_eq!(report["steps"], 0, "the first step would have taken many seconds");
        assert!(stderr.contains("interrupted after 0 of 20 steps"), "{stderr}");
        let reader = RunReader::open(&path).unwrap();
        assert_eq!(reader.problem(), None);
        assert_eq!(reader.end(), Some(End { step_count: 0, reason: EndReason::Interrupted }));
        // The recording is complete, and its figures are the same as in the report.
        let played =
            Command::new(env!("CARGO_BIN_EXE_tumble")).arg("play").arg(&path).arg("--json").output().unwrap();
        let said = String::from_utf8_lossy(&played.stderr);
        assert_eq!(played.status.code(), Some(0), "{said}");
        assert!(said.contains("was interrupted after 0 of 20 steps"), "{said}");
        let played: Value = serde_json::from_slice(&played.stdout).unwrap();
        assert_eq!((&played["ended"], &played["energy_j"]), (&"interrupted".into(), &report["energy_j"]));
    }
}

#[test]
fn a_step_that_is_taken_back_leaves_the_bodies_of_the_last_whole_one() {
    for kind in [TreeKind::Boxtree8, TreeKind::BruteForce] {
        for threads in [1, 2] {
            let mut scene = load_scene("parts-tray", None).unwrap();
            scene.config.tree = kind.into();
            scene.config.threads = threads;
            let mut world = World::new(&scene).unwrap();
            let flag = Arc::new(AtomicBool::new(false));
            world.stop_on(&flag);
            let whole = if kind == TreeKind::BruteForce { 0 } else { 3 };
            for _ in 0..whole {
                assert!(world.try_step().is_some());
            }
            let (hash, energy, asleep) = (world.state_hash(), world.energy(), world.sleeping_count());
            let stopper = std::thread::spawn({
                let flag = Arc::clone(&flag);
                move || flag.store(true, Ordering::Relaxed)
            });
            // The flag may be set before, in or after a step. A step that was completed counts.
            let mut last = (hash, energy, asleep);
            let mut taken = whole;
            while world.try_step().is_some() {
                taken += 1;
                last = (world.state_hash(), world.energy(), world.sleeping_count());
            }
            stopper.join().unwrap();
            assert_eq!(world.step_count(), taken);
            assert_eq!((world.state_hash(), world.energy(), world.sleeping_count()), last);
            assert!(world.try_step().is_none(), "it stays stopped");
            // Up to the stop, the world equals a world that was not interrupted.
            let mut other = World::new(&scene).unwrap();
            for _ in 0..taken {
                other.step();
            }
            assert_eq!(other.state_hash(), last.0);
        }
    }
}
