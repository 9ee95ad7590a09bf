//! The same surface moves in the same way, whatever the format of its file is.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use glam::Vec3;
use tumble::scene::load_scene;
use tumble::world::World;

use super::writers::{Part, PlyKind, dae, obj, ply, stl_binary, stl_text, torus, write};
use crate::gltf;

fn hash_after(scene: &Path, step_count: u32) -> u64 {
    let mut scene = load_scene(scene.to_str().unwrap(), None).unwrap();
    scene.config.threads = 1;
    let mut world = World::new(&scene).unwrap();
    for _ in 0..step_count {
        world.step();
    }
    world.state_hash()
}

/// Writes a scene that names each file, in the given order, over a ground.
fn scene_of(folder: &Path, name: &str, files: &[String]) -> std::path::PathBuf {
    let mut text = "[config]\nthreads = 1\n[ground]\ny = -0.3\nsize = 10.0\n".to_owned();
    for file in files {
        writeln!(text, "[[model]]\nfile = {file:?}\nunit = \"m\"\nup = \"y\"").unwrap();
    }
    write(folder, name, text)
}

#[test]
fn the_same_torus_moves_alike_from_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let part = torus("torus", Vec3::new(0.1, 0.7, 0.0), 0.3, 0.1, 24, 12);
    let parts = [part.clone()];
    write(folder, "text.stl", stl_text(&parts));
    write(folder, "binary.stl", stl_binary(&part, "solid as many exporters write"));
    write(folder, "torus.obj", obj(&parts, false));
    write(folder, "negative.obj", obj(&parts, true));
    write(folder, "torus.dae", dae(&parts));
    write(folder, "text.ply", ply(&part, PlyKind::Text));
    write(folder, "little.ply", ply(&part, PlyKind::LittleEndian));
    write(folder, "big.ply", ply(&part, PlyKind::BigEndian));
    gltf::write(folder, "torus", &(part.positions.clone(), part.triangles.clone()));
    let files = [
        "torus.gltf",
        "text.stl",
        "binary.stl",
        "torus.obj",
        "negative.obj",
        "torus.dae",
        "text.ply",
        "little.ply",
        "big.ply",
    ];
    let hashes = files.map(|file| hash_after(&folder.join(file), 120));
    assert!(hashes.iter().all(|h| *h == hashes[0]), "{hashes:x?}");
}

#[test]
fn the_same_assembly_moves_alike_from_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let parts: Vec<Part> = (0..18_u32)
        .map(|k| {
            let center = Vec3::new((k % 3) as f32 * 0.28, (k / 9) as f32 * 0.12, (k / 3 % 3) as f32 * 0.28);
            torus(&format!("part{k:02}"), center, 0.06 + 0.002 * k as f32, 0.02, 12, 8)
        })
        .collect();
    let mut each = [Vec::new(), Vec::new(), Vec::new()];
    for part in &parts {
        let [stl, little, gltf_file] =
            [".stl", ".ply", ".gltf"].map(|extension| format!("{}{extension}", part.name));
        write(folder, &stl, stl_binary(part, ""));
        write(folder, &little, ply(part, PlyKind::LittleEndian));
        gltf::write(folder, &part.name, &(part.positions.clone(), part.triangles.clone()));
        for (list, file) in each.iter_mut().zip([stl, little, gltf_file]) {
            list.push(file);
        }
    }
    write(folder, "all.stl", stl_text(&parts));
    write(folder, "all.obj", obj(&parts, false));
    write(folder, "all.dae", dae(&parts));
    let [stl, ply, gltf] = each;
    let scenes = [
        scene_of(folder, "stl.toml", &stl),
        scene_of(folder, "ply.toml", &ply),
        scene_of(folder, "gltf.toml", &gltf),
        scene_of(folder, "all-stl.toml", &["all.stl".to_owned()]),
        scene_of(folder, "all-obj.toml", &["all.obj".to_owned()]),
        scene_of(folder, "all-dae.toml", &["all.dae".to_owned()]),
    ];
    let names = |path: &Path| -> Vec<String> {
        load_scene(path.to_str().unwrap(), None).unwrap().bodies.into_iter().map(|b| b.name).collect()
    };
    let expected: Vec<String> = parts.iter().map(|p| p.name.clone()).chain(["ground".to_owned()]).collect();
    for scene in &scenes {
        assert_eq!(names(scene), expected, "{}", scene.display());
    }
    let hashes = scenes.each_ref().map(|scene| hash_after(scene, 60));
    assert!(hashes.iter().all(|h| *h == hashes[0]), "{hashes:x?}");
    assert_ne!(hashes[0], hash_after(&scenes[0], 10));
}

#[test]
fn a_unit_and_a_way_up_are_those_of_the_scene_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let part = torus("ring", Vec3::new(0.0, 0.0, 40.0), 30.0, 10.0, 12, 8);
    write(folder, "ring.stl", stl_binary(&part, ""));
    let bounds = |keys: &str| {
        let text = format!("[[model]]\nfile = \"ring.stl\"\n{keys}");
        let scene = load_scene(write(folder, "scene.toml", text).to_str().unwrap(), None).unwrap();
        let body = &scene.bodies[0];
        let mesh = &scene.meshes[body.mesh.unwrap() as usize];
        (mesh.bounds().transformed(&body.pose), scene.notes)
    };
    // A part 80 across is taken as millimeters, with a note.
    let (guessed, notes) = bounds("");
    assert!((guessed.size().x - 0.08).abs() < 1e-5 && (guessed.center().z - 0.04).abs() < 1e-5);
    let note = notes.iter().find(|n| n.place == "ring.stl").unwrap();
    assert!(note.text.contains("80.000 across, taken as mm (80.0 mm; --unit m otherwise)"), "{}", note.text);
    let (said, notes) = bounds("unit = \"in\"\nup = \"z\"");
    assert!((said.size().x - 80.0 * 0.0254).abs() < 1e-3, "{said:?}");
    // The point at z = 40 of the file is up.
    assert!((said.center().y - 40.0 * 0.0254).abs() < 1e-3, "{said:?}");
    assert!(notes.iter().all(|n| n.place != "ring.stl"), "{notes:?}");
    fs::remove_file(folder.join("ring.stl")).unwrap();
}
