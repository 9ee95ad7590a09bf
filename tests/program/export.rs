//! `tumble export` as a user runs it: the written files, their names, the JSON output, and the errors.
#![cfg(feature = "viewer")]

use std::path::Path;
use std::process::{Command, Output};

use crate::gltf;
use crate::graphics::can_draw;
use serde_json::{Value, json};
use tumble::generate::Replica;
use tumble::generate::cuboid;

fn tumble(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tumble")).args(arguments).current_dir(folder).output().unwrap()
}

fn export(folder: &Path, arguments: &[&str]) -> Output {
    let small = ["export", "--to", "png", "--size", "64x36"];
    tumble(folder, &[&small, arguments].concat())
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the message for a user's mistake. Asserts that the exit code is 2.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(output.stdout.is_empty());
    text
}

fn size_of(path: &Path) -> (u32, u32) {
    let reader = image::ImageReader::open(path).unwrap().with_guessed_format().unwrap();
    assert_eq!(reader.format(), Some(image::ImageFormat::Png), "{}", path.display());
    reader.into_dimensions().unwrap()
}

#[test]
fn a_picture_is_named_after_its_scene_or_as_asked() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(stdout(&export(folder, &["chain"])).trim(), "chain.png");
    assert_eq!(size_of(&folder.join("chain.png")), (64, 36));
    assert_eq!(stdout(&export(folder, &["chain", "--step", "3", "--out", "third"])).trim(), "third");
    assert_eq!(size_of(&folder.join("third")), (64, 36));
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/chain.glb");
    std::fs::copy(model, folder.join("my chain.glb")).unwrap();
    assert_eq!(stdout(&export(folder, &["my chain.glb", "--boxes", "0"])).trim(), "my chain.png");
    let eye = ["--eye", "-1.5,1,2", "--target", "0,0.75,0"];
    stdout(&export(folder, &[&["chain", "--out", "aside.png"], &eye[..]].concat()));
    let [straight, aside] = ["chain.png", "aside.png"].map(|p| image::open(folder.join(p)).unwrap());
    assert_ne!(straight, aside, "from elsewhere it looks different");
}

#[test]
fn every_so_many_steps_go_into_a_folder() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let document: Value =
        serde_json::from_str(&stdout(&export(folder, &["chain", "--every", "5", "--steps", "12", "--json"])))
            .unwrap();
    let expected = [0, 5, 10].map(|s| json!({ "step": s, "path": format!("chain/chain-{s:06}.png") }));
    assert_eq!(document["pictures"], json!(expected));
    for step in [0, 5, 10] {
        assert_eq!(size_of(&folder.join(format!("chain/chain-{step:06}.png"))), (64, 36));
    }
    stdout(&tumble(folder, &["run", "chain", "--steps", "9", "--record", "swing.tumble"]));
    let text = stdout(&export(folder, &["swing.tumble", "--every", "4", "--out", "deep/frames"]));
    assert_eq!(text.trim(), "3 pictures in deep/frames");
    for step in [0, 4, 8] {
        assert_eq!(size_of(&folder.join(format!("deep/frames/swing-{step:06}.png"))), (64, 36));
    }
    assert_eq!(stdout(&export(folder, &["swing.tumble"])).trim(), "swing.png");
    let [last, scene] =
        [&["swing.tumble", "--out", "a.png"][..], &["chain", "--step", "9", "--out", "b.png"]];
    let pictures = [(last, "a.png"), (scene, "b.png")].map(|(arguments, path)| {
        stdout(&export(folder, arguments));
        image::open(folder.join(path)).unwrap().into_rgb8()
    });
    let far = pictures[0].iter().zip(pictures[1].iter()).filter(|(a, b)| a.abs_diff(**b) > 10).count();
    assert!(far <= 12, "a recording shows its last step: {far} values differ");
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    stdout(&tumble(folder, &["run", "chain", "--steps", "3", "--record", "short.tumble"]));
    let said = |arguments: &[&str]| complaint(&export(folder, arguments));
    let text = said(&["short.tumble", "--step", "4"]);
    assert!(text.contains("no step 4") && text.contains("the last is 3"), "{text}");
    let text = said(&["chain", "--out", "nowhere/at/all.png"]);
    assert!(text.contains("nowhere/at/all.png") && text.contains("No such file"), "{text}");
    let text = said(&["chain", "--every", "2", "--steps", "4", "--out", "short.tumble"]);
    assert!(text.contains("short.tumble"), "{text}");
    let text = said(&["nosuchscene"]);
    assert!(text.contains("nosuchscene"), "{text}");
    for (size, what) in [("0x36", "like 1280x720"), ("64", "like 1280x720"), ("100000x36", "100000 × 36")] {
        let text = complaint(&tumble(folder, &["export", "chain", "--to", "png", "--size", size]));
        assert!(text.contains(what), "{text}");
    }
    for arguments in
        [&["chain", "--eye", "1,2,3"][..], &["chain", "--every", "0"], &["chain", "--steps", "4"]]
    {
        said(arguments);
    }
    std::fs::write(folder.join("broken.tumble"), b"TUMBLE? no").unwrap();
    let text = said(&["broken.tumble"]);
    assert!(text.contains("broken.tumble"), "{text}");
    let names = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, ["broken.tumble", "short.tumble"]);
}

#[test]
fn pictures_replace_nothing_unasked_and_no_input_at_all() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = gltf::write(folder, "box", &cuboid(glam::Vec3::ONE, 1.0));
    let mut document: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    document["images"] = json!([{ "uri": "skin.png" }]);
    std::fs::write(&path, document.to_string()).unwrap();
    std::fs::write(folder.join("skin.png"), b"a picture").unwrap();
    let model = std::fs::read(&path).unwrap();
    stdout(&tumble(folder, &["run", "box.gltf", "--steps", "4", "--record", "box.tumble"]));
    let run = std::fs::read(folder.join("box.tumble")).unwrap();
    for (run, input) in [("box.gltf", "box.gltf"), ("box.gltf", "skin.png"), ("box.tumble", "box.tumble")] {
        let text = complaint(&export(folder, &[run, "--out", input, "--force"]));
        assert!(text.contains("is read here") && text.contains(input), "{text}");
    }
    assert_eq!(std::fs::read(folder.join("box.gltf")).unwrap(), model);
    assert_eq!(std::fs::read(folder.join("skin.png")).unwrap(), b"a picture");
    assert_eq!(std::fs::read(folder.join("box.tumble")).unwrap(), run);

    stdout(&export(folder, &["box.gltf"]));
    let text = complaint(&export(folder, &["box.gltf"]));
    assert!(text.contains("box.png: is there already; --force replaces it"), "{text}");
    stdout(&export(folder, &["box.gltf", "--force"]));
    // One of the pictures exists in the folder already. This blocks all of them.
    std::fs::create_dir(folder.join("box")).unwrap();
    std::fs::write(folder.join("box/box-000004.png"), b"mine").unwrap();
    let text = complaint(&export(folder, &["box.tumble", "--every", "2"]));
    assert!(text.contains("box-000004.png: is there already"), "{text}");
    assert_eq!(std::fs::read_dir(folder.join("box")).unwrap().count(), 1);
}

#[test]
fn parts_are_tiles_of_every_level_and_counted() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    gltf::write(folder, "windmill", &Replica::Windmill.triangles());
    let text = stdout(&export(folder, &["windmill.gltf", "--parts"]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.last(), Some(&"windmill.png"));
    let first = lines.iter().find(|l| l.contains("level 1, cells of ")).unwrap();
    for word in [" triangle", " edge", " point", "; ", " component"] {
        assert!(first.contains(word), "{word} in {first}");
    }
    let document: Value = serde_json::from_str(&stdout(&export(
        folder,
        &["windmill.gltf", "--parts", "--step", "2", "--force", "--json"],
    )))
    .unwrap();
    let surfaces = document["surfaces"].as_array().unwrap();
    let levels = surfaces.iter().map(|s| s["levels"].as_array().unwrap().len()).max().unwrap() as u32;
    assert!(levels >= 2);
    let told = text.lines().filter(|l| l.trim_start().starts_with("level ")).count();
    assert_eq!(surfaces.iter().map(|s| s["levels"].as_array().unwrap().len()).sum::<usize>(), told);
    for surface in surfaces {
        let counts: Vec<u64> =
            surface["levels"].as_array().unwrap().iter().map(|l| l["components"].as_u64().unwrap()).collect();
        assert!(counts.is_sorted() && counts.iter().all(|&c| c >= 2), "{counts:?}");
        assert!(counts.iter().all(|&c| c <= surface["triangles"].as_u64().unwrap()));
    }
    let (width, height) = size_of(&folder.join("windmill.png"));
    assert!(width >= 2 * 64 && height >= levels * 36 && height.is_multiple_of(levels), "{width} × {height}");
    let text = complaint(&export(folder, &["chain", "--parts", "--colliding"]));
    assert!(text.contains("--parts") && text.contains("--colliding"), "{text}");
    gltf::write(folder, "box", &cuboid(glam::Vec3::ONE, 1.0));
    let text = complaint(&export(folder, &["box.gltf", "--parts"]));
    assert!(text.contains("box has no parts to show"), "{text}");
    let document: Value = serde_json::from_str(&stdout(&export(folder, &["box.gltf", "--json"]))).unwrap();
    assert!(document.get("surfaces").is_none(), "only where parts are asked for");
}

#[test]
fn a_recording_without_contacts_says_so_and_one_with_them_does_not() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (kept, is_told) in [("none", true), ("pairs", false), ("all", false)] {
        let file = format!("{kept}.tumble");
        let arguments = ["run", "chain", "--steps", "1", "--record", &file, "--record-contacts", kept];
        stdout(&tumble(folder, &arguments));
        let output = export(folder, &[&file, "--contacts"]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(text.contains("has no contacts"), is_told, "{kept}: {text}");
        assert_eq!(stdout(&output).trim(), format!("{kept}.png"));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_window_system_nothing_is_said_that_reads_as_failure() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["export", "chain", "--to", "png", "--size", "64x36"])
        .env_remove("XDG_RUNTIME_DIR")
        .env_remove("WAYLAND_DISPLAY")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(stdout(&output).trim(), "chain.png");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("error") && !said.contains("XDG"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_driver_it_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["export", "chain", "--to", "png"])
        .env("VK_ICD_FILENAMES", "/nonexistent")
        .env("VK_DRIVER_FILES", "/nonexistent")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = complaint(&output);
    assert!(text.contains("no graphics driver") && text.contains("mesa-vulkan-drivers"), "{text}");
}
