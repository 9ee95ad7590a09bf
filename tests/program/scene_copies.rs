//! `tumble scenes --copy` copies a built-in scene with its models to a user's folder, where the user
//! can change it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tumble::scene::{builtin_scenes, load_scene};

fn copy(scene: &str, folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tumble"));
    command.args(["scenes", "--copy", scene]).arg(folder).output().unwrap()
}

#[test]
fn a_copy_of_every_built_in_scene_is_the_same_scene() {
    let folder = tempfile::tempdir().unwrap();
    for builtin in builtin_scenes() {
        // All scenes are copied into one new folder, so they share models.
        let target = folder.path().join("a/b");
        let output = copy(builtin.name, &target);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let file = target.join(format!("{}.toml", builtin.name));
        let listed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(listed.lines().next(), file.to_str(), "the scene file is named first");
        assert!(listed.lines().all(|l| Path::new(l).is_file()), "{listed}");
        let [copied, own] = [file.to_str().unwrap(), builtin.name].map(|name| {
            let scene = load_scene(name, None).unwrap();
            let triangles: Vec<_> = scene.meshes.iter().map(|m| m.triangles().to_vec()).collect();
            // Figures and notes name the file from which they come. These names differ.
            (format!("{:?} {:?} {:?}", scene.bodies, scene.joints, scene.config), triangles)
        });
        assert!(copied == own, "{}: the copy is another scene", builtin.name);
    }
}

#[test]
fn a_copy_that_was_changed_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    assert!(copy("chain", folder.path()).status.success());
    assert!(copy("chain", folder.path()).status.success(), "what is the same may be there");
    let file = folder.path().join("chain.toml");
    fs::write(&file, "steps = 1\n").unwrap();
    fs::remove_file(folder.path().join("chain.glb")).unwrap();
    let output = copy("chain", folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("chain.toml") && errors.contains("another folder"), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "steps = 1\n");
    assert!(!folder.path().join("chain.glb").exists(), "nothing is written where something is in the way");
}

#[test]
fn a_scene_that_is_not_built_in_cannot_be_copied() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("mine");
    let output = copy("parts-try", &target);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("parts-try") && errors.contains("parts-tray"), "{errors}");
    assert!(!target.exists());
}
