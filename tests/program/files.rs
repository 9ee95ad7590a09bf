//! The files that the binary reads and overwrites, as a user runs it. It reads only regular files. It
//! overwrites files only if asked, and inputs never.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tumble::generate::cuboid;

use crate::gltf;

fn tumble(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tumble")).args(arguments).current_dir(folder).output().unwrap()
}

fn succeeds(folder: &Path, arguments: &[&str]) {
    let output = tumble(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the message for a user's mistake. Asserts that the exit code is 2.
fn complaint(folder: &Path, arguments: &[&str]) -> String {
    let output = tumble(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    text
}

/// Returns the name and the contents of every file in a folder.
fn contents(folder: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let entry = |e: std::io::Result<fs::DirEntry>| {
        let e = e.unwrap();
        (e.file_name(), fs::read(e.path()).unwrap_or_default())
    };
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(entry).collect();
    entries.sort();
    entries
}

/// Writes a scene with a model whose buffer is a separate file. Adds a second name for each by a link
/// and by a hard link, and an unrelated file.
fn workshop(folder: &Path) {
    gltf::write(folder, "box", &cuboid(glam::Vec3::ONE, 1.0));
    fs::write(folder.join("scene.toml"), "[ground]\n[[model]]\nfile = \"box.gltf\"\n").unwrap();
    fs::write(folder.join("thesis.txt"), "years of work").unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    fs::hard_link(folder.join("box.gltf"), folder.join("hard.gltf")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("box.bin", folder.join("soft.bin")).unwrap();
}

#[test]
fn a_recording_replaces_nothing_unasked_and_no_input_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    workshop(folder);
    let before = contents(folder);
    let inputs: &[&str] = &[
        "scene.toml",
        "box.gltf",
        "box.bin",
        "hard.gltf",
        if cfg!(unix) { "soft.bin" } else { "./box.bin" },
    ];
    for target in inputs {
        for force in [&[][..], &["--force"]] {
            let arguments = [&["run", "scene.toml", "--steps", "2", "--record", target], force].concat();
            let text = complaint(folder, &arguments);
            assert!(text.contains(target) && text.contains("is read here, as"), "{text}");
        }
    }
    let text = complaint(folder, &["run", "box.gltf", "--steps", "2", "--record", "box.gltf", "--force"]);
    assert!(text.contains("is read here, as box.gltf"), "{text}");
    let text = complaint(folder, &["run", "scene.toml", "--steps", "2", "--record", "thesis.txt"]);
    assert_eq!(text.lines().last(), Some("error: thesis.txt: is there already; --force replaces it"));
    let text = complaint(folder, &["run", "scene.toml", "--steps", "2", "--record", "folder", "--force"]);
    assert!(text.contains("folder: is a folder"), "{text}");
    assert_eq!(contents(folder), before, "nothing has changed");

    let record = ["run", "scene.toml", "--steps", "2", "--record", "run.tumble"];
    succeeds(folder, &record);
    assert!(complaint(folder, &record).contains("run.tumble: is there already"));
    succeeds(folder, &[&record[..], &["--force"]].concat());
    succeeds(folder, &["play", "run.tumble", "--validate"]);
}

#[test]
fn an_experiment_replaces_no_table_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("bench")).unwrap();
    fs::write(folder.join("bench/boxes-random.svg"), "last year's").unwrap();
    let bench = ["bench", "boxes-random", "--quick", "--steps", "1", "--broad", "hybrid"];
    let text = complaint(folder, &bench);
    assert!(text.contains("boxes-random.svg: is there already; --force replaces it"), "{text}");
    assert_eq!(contents(&folder.join("bench")).len(), 1);
    succeeds(folder, &[&bench[..], &["--force"]].concat());
    assert_ne!(fs::read(folder.join("bench/boxes-random.svg")).unwrap(), b"last year's");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_named_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["pipe.toml", "pipe.tumble", "pipe.glb"] {
        let made = Command::new("mkfifo").arg(folder.join(name)).status().unwrap();
        assert!(made.success());
    }
    for name in ["zero.toml", "zero.tumble"] {
        std::os::unix::fs::symlink("/dev/zero", folder.join(name)).unwrap();
    }
    for (arguments, name) in [
        (&["run", "pipe.toml"][..], "pipe.toml"),
        (&["run", "pipe.glb"], "pipe.glb"),
        (&["run", "zero.toml"], "zero.toml"),
        (&["inspect", "zero.toml"], "zero.toml"),
        (&["play", "pipe.tumble"], "pipe.tumble"),
        (&["play", "zero.tumble"], "zero.tumble"),
        (&["run", "chain", "--steps", "1", "--record", "pipe.tumble"], "pipe.tumble"),
        (&["run", "chain", "--steps", "1", "--record", "pipe.tumble", "--force"], "pipe.tumble"),
        (&["run", "chain", "--steps", "1", "--record", "/dev/null", "--force"], "/dev/null"),
    ] {
        let text = complaint(folder, arguments);
        assert!(text.contains(name) && text.contains("is not a regular file"), "{arguments:?}: {text}");
    }
}

#[test]
fn a_text_that_is_too_long_is_refused_by_its_length() {
    let folder = tempfile::tempdir().unwrap();
    let file = fs::File::create(folder.path().join("long.toml")).unwrap();
    file.set_len(1 << 30).unwrap();
    let text = complaint(folder.path(), &["run", "long.toml"]);
    assert!(text.contains("it has 1073741824 bytes, the limit is 16777216"), "{text}");
}
