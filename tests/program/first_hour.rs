//! The experience of a new user with models of their own: warnings that name the fault, and errors with
//! advice. The binary is run as a user runs it.

use std::fs;
use std::path::Path;

use glam::Vec3;
use serde_json::{Value, json};
use tumble::generate::{self, Triangles};

use crate::gltf;
use crate::workshop::Workshop;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");

/// Creates a folder with `cube.gltf`, a cube of 100 mm per side.
fn with_cube() -> Workshop {
    let workshop = Workshop::new();
    gltf::write(workshop.path(), "cube", &cube());
    workshop
}

fn cube() -> Triangles {
    generate::cuboid(Vec3::splat(0.1), 0.05)
}

/// Returns cubes at these heights, as entries of a scene file.
fn cubes(heights: &[f64]) -> String {
    let entry = |(i, y): (usize, &f64)| {
        // The cubes are shifted relative to each other, so that no two sides are aligned.
        let shift = i as f64;
        format!("[[model]]\nfile = \"cube.gltf\"\nposition = [{}, {y}, {}]\n", 0.02 * shift, 0.013 * shift)
    };
    format!("gravity = [0.0, 0.0, 0.0]\n{}", heights.iter().enumerate().map(entry).collect::<String>())
}

/// The first command of the README used to end with an error on a machine without a display.
#[test]
fn the_first_command_without_a_display_runs_the_demo_and_draws_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tumble"))
        .current_dir(folder.path())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.starts_with("parts-tray: ") && text.contains("none can open here: "), "{text}");
    let picture = fs::read(folder.path().join("tumble.png"));
    let is_drawn = picture.is_ok_and(|bytes| bytes.starts_with(b"\x89PNG"));
    assert!(is_drawn == text.contains("tumble.png shows its end"), "{text}");
    assert!(is_drawn || text.contains("There is no picture: "), "{text}");
}

#[test]
fn recenter_on_several_nodes_says_that_it_puts_them_in_one_place() {
    let workshop = Workshop::new();
    let entry = format!("[[model]]\nfile = {:?}\nrecenter = true\n", format!("{ASSETS}/parts.glb"));
    workshop
        .write("all.toml", &format!("{entry}copies = {{ count = [2, 1, 1], spacing = [1.0, 1.0, 1.0] }}\n"));
    let report = workshop.json(&["inspect", "all.toml"]);
    let notes: Vec<&Value> =
        report["notes"].as_array().unwrap().iter().filter(|n| n["kind"] == "warning").collect();
    let said: Vec<&str> = notes.iter().map(|n| n["text"].as_str().unwrap()).collect();
    let recentered: Vec<&&str> = said.iter().filter(|t| t.contains("recenter")).collect();
    let nodes = report["bodies"].as_array().unwrap().len() / 2;
    assert_eq!(recentered.len(), 1, "once for all copies: {said:?}");
    assert!(recentered[0].starts_with(&format!("recenter puts {nodes} nodes in one place: ")), "{said:?}");
    assert!(
        recentered[0].contains("gear_small") && recentered[0].contains("more; name one node an entry"),
        "{said:?}"
    );
    let run = workshop.tumble(&["run", "all.toml", "--steps", "0"]);
    assert!(run.error().contains("warning: parts.glb: recenter puts"), "{}", run.error());
    workshop.write("one.toml", &format!("{entry}nodes = [\"bracket\"]\n"));
    assert!(!workshop.tumble(&["run", "one.toml", "--steps", "0"]).error().contains("recenter"));
}

#[test]
fn parts_that_overlap_at_the_start_are_named_with_their_depth() {
    let workshop = with_cube();
    workshop.write("deep.toml", &cubes(&[0.0, 0.097, 0.1955]));
    let said = workshop.tumble(&["run", "deep.toml", "--steps", "0"]);
    let expected =
        "warning: deep: 2 pairs of parts overlap at the start: cube – cube.2 3.0 mm, cube.2 – cube.3 1.5 mm.";
    assert!(said.error().contains(expected), "{}", said.error());
    assert!(said.error().contains("rule = \"permanent\""), "{}", said.error());
    for arguments in [&["run", "deep.toml", "--steps", "1"][..], &["inspect", "deep.toml"]] {
        let overlaps = workshop.json(arguments)["overlaps_at_start"].clone();
        let depths: Vec<f64> =
            overlaps.as_array().unwrap().iter().map(|o| o["depth_mm"].as_f64().unwrap()).collect();
        assert!((depths[0] - 3.0).abs() < 0.01 && (depths[1] - 1.5).abs() < 0.01, "{overlaps}");
        assert_eq!((&overlaps[0]["a"], &overlaps[0]["b"]), (&json!("cube"), &json!("cube.2")));
        assert_eq!(overlaps[0]["is_estimate"], false);
    }
}

/// Guards against missing a part that is inside another one, as their surfaces do not intersect.
#[test]
fn a_part_wholly_inside_another_is_named_and_one_in_a_cavity_is_not() {
    let workshop = with_cube();
    let (mut positions, mut triangles) = generate::cuboid(Vec3::splat(0.3), 1.0);
    gltf::write(workshop.path(), "rock", &(positions.clone(), triangles.clone()));
    gltf::write(workshop.path(), "bin", &(positions.clone(), triangles[2..].to_vec()));
    let start = positions.len() as u32;
    positions.extend(positions.clone().iter().map(|&p| 0.6 * p));
    triangles.extend(triangles.clone().iter().map(|&[a, b, c]| [c + start, b + start, a + start]));
    gltf::write(workshop.path(), "safe", &(positions, triangles));
    let around = |name: &str| {
        workshop.write(
            &format!("{name}.toml"),
            &format!("{}[[model]]\nfile = \"{name}.gltf\"\n", cubes(&[0.02])),
        );
        workshop.json(&["inspect", &format!("{name}.toml")])["overlaps_at_start"].clone()
    };
    let named = json!([
        { "a": "cube", "b": "rock", "depth_mm": null, "enclosed": "cube", "is_estimate": false,
          "is_held": false, "looks_like_facets": false }
    ]);
    assert_eq!(around("rock"), named);
    assert_eq!((around("safe"), around("bin")), (json!([]), json!([])));
    // The same scene, with the other order in the file.
    let rock_first = "[[model]]\nfile = \"rock.gltf\"\n[[model]]";
    workshop.write("after.toml", &cubes(&[0.02]).replacen("[[model]]", rock_first, 1));
    let after = workshop.json(&["inspect", "after.toml"])["overlaps_at_start"].clone();
    assert_eq!(
        after,
        json!([
            { "a": "rock", "b": "cube", "depth_mm": null, "enclosed": "cube", "is_estimate": false,
          "is_held": false, "looks_like_facets": false }
        ])
    );
    let said = workshop.tumble(&["run", "rock.toml", "--steps", "0"]);
    let expected = "warning: rock: wholly inside another part at the start: cube in rock. No surfaces touch";
    assert!(said.error().contains(expected), "{}", said.error());
    assert!(said.text().contains("pairs overlapping at the start  1"), "{}", said.text());
}

#[test]
fn press_fits_and_parts_that_only_touch_do_not_overlap_at_the_start() {
    let workshop = with_cube();
    let rule = |rule: &str| {
        format!("{}[[pair]]\na = \"cube\"\nb = \"cube*\"\nrule = \"{rule}\"\n", cubes(&[0.0, 0.09]))
    };
    workshop.write("touch.toml", &cubes(&[0.0, 0.1, 0.2])).write("near.toml", &cubes(&[0.0, 0.1001]));
    workshop.write("press.toml", &rule("permanent")).write("ignore.toml", &rule("ignore"));
    workshop.write("collide.toml", &rule("collide"));
    for scene in ["touch.toml", "near.toml", "press.toml", "ignore.toml"] {
        assert_eq!(workshop.json(&["run", scene, "--steps", "0"])["overlaps_at_start"], json!([]), "{scene}");
    }
    let overlaps = workshop.json(&["run", "collide.toml", "--steps", "0"])["overlaps_at_start"].clone();
    assert_eq!(overlaps.as_array().unwrap().len(), 1, "{overlaps}");
}

#[test]
fn open_surfaces_that_cross_overlap_at_the_start() {
    let workshop = with_cube();
    let [a, b, c, d] =
        [[-0.2, 0.0, -0.2], [0.2, 0.0, -0.2], [0.2, 0.0, 0.2], [-0.2, 0.0, 0.2]].map(Vec3::from);
    gltf::write(workshop.path(), "sheet", &(vec![a, b, c, d], vec![[0, 2, 1], [0, 3, 2]]));
    let sheet = |turn: f64| format!("[[model]]\nfile = \"sheet.gltf\"\nrotation = [{turn}, 10.0, 0.0]\n");
    workshop.write("cross.toml", &format!("{}{}", sheet(0.0), sheet(80.0)));
    let overlaps = workshop.json(&["run", "cross.toml", "--steps", "0"])["overlaps_at_start"].clone();
    assert!(overlaps[0]["depth_mm"].as_f64().unwrap() > 1.0, "{overlaps}");
}

#[test]
fn the_built_in_scenes_start_without_overlaps() {
    let workshop = Workshop::new();
    for scene in ["parts-tray", "walk-through", "chain", "ragdolls"] {
        assert_eq!(workshop.json(&["inspect", scene])["overlaps_at_start"], json!([]), "{scene}");
    }
}

#[test]
fn costliest_pairs_of_the_report_do_not_depend_on_threads() {
    let workshop = with_cube();
    let dearest = |threads: &str| {
        let run = ["run", "parts-tray", "--steps", "12", "--threads", threads];
        let document = workshop.json(&run);
        assert_eq!(document["slow_steps"]["over_ms"], 500.0);
        document["dearest_pairs"].clone()
    };
    let pairs = dearest("1");
    assert_eq!(pairs, dearest("2"));
    let shares: Vec<f64> = pairs.as_array().unwrap().iter().map(|p| p["share"].as_f64().unwrap()).collect();
    assert_eq!(shares.len(), 5);
    assert!(shares.is_sorted_by(|x, y| x >= y) && shares.iter().sum::<f64>() <= 1.0 + 1e-12, "{shares:?}");
    assert!(pairs[0]["candidates"].as_u64().unwrap() >= pairs[0]["false_alarms"].as_u64().unwrap());

    // If there is only one pair, it has all the work, in each count.
    workshop.write("two.toml", &cubes(&[0.0, 0.0999]));
    let run = workshop.json(&["run", "two.toml", "--steps", "1"]);
    let [pair, counts] = [&run["dearest_pairs"][0], &run["counts"]];
    assert_eq!((&pair["a"], &pair["b"], &pair["share"]), (&json!("cube"), &json!("cube.2"), &json!(1.0)));
    for count in ["candidates", "false_alarms"] {
        assert_eq!(pair[count], counts[count]["max"], "{count}");
    }
    assert!(pair["candidates"].as_u64().unwrap() > 0, "{pair}");
    // The entry has the number of searches, the margin, and the edge length (half a cube's side).
    assert_eq!(pair["searches"], counts["searched"]["max"], "{pair}");
    let mm = |field: &str| pair[field].as_f64().unwrap();
    assert!(mm("margin_mm") > 0.1 && (mm("edge_mm") - 50.0).abs() < 1e-3, "{pair}");
    let text = workshop.tumble(&["run", "two.toml", "--steps", "1"]).text();
    assert!(text.contains("costliest pairs") && text.contains("cube – cube.2"), "{text}");
}

#[test]
fn models_are_found_where_the_user_says_and_nowhere_else() {
    let workshop = with_cube();
    let store = with_cube();
    fs::rename(store.path().join("cube.gltf"), store.path().join("block.gltf")).unwrap();
    let stored = store.path().join("block.gltf");
    let entry = |file: &str| format!("[[model]]\nfile = {file:?}\n");
    workshop.write("absolute.toml", &entry(stored.to_str().unwrap()));
    workshop.json(&["run", "absolute.toml", "--steps", "1"]);

    workshop.write("named.toml", &entry("block.gltf"));
    let missing = workshop.refused(&["run", "named.toml"]);
    let own = workshop.path().canonicalize().unwrap();
    assert!(missing.contains("named.toml: line 2: block.gltf cannot be found in"), "{missing}");
    assert!(missing.contains(own.to_str().unwrap()) && missing.contains("--model-path DIR"), "{missing}");
    let folder = store.path().to_str().unwrap();
    for verb in [&["run", "named.toml", "--steps", "1"][..], &["inspect", "named.toml"]] {
        workshop.json(&[verb, &["--model-path", own.to_str().unwrap(), "--model-path", folder]].concat());
    }
    let bench = ["bench", "boxtree-build", "--quick", "--mesh", "named.toml", "--model-path", folder];
    assert_eq!(workshop.tumble(&bench).code(), 0, "{}", workshop.tumble(&bench).error());
    let no_folder = workshop.refused(&["run", "named.toml", "--model-path", "cube.gltf"]);
    assert!(no_folder.contains("is not an existing folder"), "{no_folder}");

    // The scene file's own folder precedes a model path.
    workshop.write("own.toml", &entry("cube.gltf"));
    workshop.json(&["run", "own.toml", "--steps", "1", "--model-path", folder]);
}

#[test]
#[cfg(unix)]
fn a_link_out_of_the_folders_is_refused_with_a_way_out() {
    let workshop = Workshop::new();
    let store = with_cube();
    let deep = workshop.path().join("project/scenes");
    fs::create_dir_all(&deep).unwrap();
    let stored = store.path().canonicalize().unwrap();
    std::os::unix::fs::symlink(stored.join("cube.gltf"), deep.join("link.gltf")).unwrap();
    workshop.write("project/scenes/s.toml", "[[model]]\nfile = \"link.gltf\"\n");
    let refused = workshop.refused(&["run", "project/scenes/s.toml"]);
    assert!(refused.contains("outside of the scene file's folder"), "{refused}");
    let way_out = format!("--model-path {}", stored.display());
    assert!(refused.contains(&way_out), "{refused}");
    workshop.json(&[
        "run",
        "project/scenes/s.toml",
        "--steps",
        "1",
        "--model-path",
        stored.to_str().unwrap(),
    ]);
}

#[test]
fn misspelt_names_get_a_suggestion() {
    let workshop = with_cube();
    let own = |lines: &str| format!("{}{lines}", cubes(&[0.0]));
    workshop.write("file.toml", "[[model]]\nfile = \"cubes.gltf\"\n");
    workshop.write(
        "joint.toml",
        &own("[[joint]]\nkind = \"ball\"\na = \"world\"\nb = \"cbue\"\nanchor = [0, 0, 0]\n"),
    );
    for (arguments, says) in [
        (["run", "walkthrough"], "did you mean \"walk-through\"?"),
        (["run", "parts-try"], "did you mean \"parts-tray\"?"),
        (["run", "jiont.toml"], "did you mean \"joint.toml\"?"),
        (["inspect", "./cube.glt"], "did you mean \"cube.gltf\"?"),
        (["run", "file.toml"], "line 2: cubes.gltf cannot be found in"),
        (["run", "file.toml"], "did you mean \"cube.gltf\"?"),
        (["run", "joint.toml"], "no part is called \"cbue\"; did you mean \"cube\"?"),
    ] {
        let said = workshop.refused(&arguments);
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
    for (lines, says) in [
        (
            "nodes = [\"cubes*\"]\n[[model]]\nfile = \"cube.gltf\"",
            "no node is called \"cubes*\"; did you mean \"cube\"?",
        ),
        (
            "nodes = [\"lid*\"]\n[[model]]\nfile = \"cube.gltf\"",
            "no node is called \"lid*\"; there is \"cube\"",
        ),
        ("[[part]]\nname = \"cub\"\nfriction = 0.1", "no part has such a name; did you mean \"cube\"?"),
        (
            "[[pair]]\na = \"cube\"\nb = \"kube\"\nrule = \"ignore\"",
            "no part is called \"kube\"; did you mean \"cube\"?",
        ),
        // The name in the braces that matches nothing is reported. The other names may match.
        (
            "[[part]]\nname = \"{cube,x-carriage}\"\nfriction = 0.1",
            "warning: {cube,x-carriage}: no part matches \"x-carriage\" in the braces; there is \"cube\"",
        ),
        (
            "nodes = [\"{cube,cubs}\"]\n[[model]]\nfile = \"cube.gltf\"",
            "no node matches \"cubs\" in the braces; did you mean \"cube\"?",
        ),
        (
            "[[pair]]\na = \"{cube,lid}\"\nb = \"cube\"\nrule = \"ignore\"",
            "no part matches \"lid\" in the braces; there is \"cube\"",
        ),
    ] {
        workshop.write("notes.toml", &own(lines));
        let said = workshop.tumble(&["run", "notes.toml", "--steps", "0"]);
        assert!(said.code() == 0 && said.error().contains(says), "{lines}: {}", said.error());
    }
}

#[test]
fn files_of_other_kinds_are_told_where_they_go() {
    let workshop = with_cube();
    workshop.json(&["run", "chain", "--steps", "2", "--record", "chain.tumble"]);
    fs::create_dir(workshop.path().join("folder")).unwrap();
    workshop.write("folder/own.toml", "").write("folder/notes.txt", "");
    let kinds = ["part.3mf", "part.OFF", "part.step", "robot.xacro", "car.fbx", "notes.txt"];
    for name in kinds {
        workshop.write(name, "solid");
    }
    let told = [
        ("part.3mf", "assimp export part.3mf part.glb"),
        ("part.OFF", "assimp export part.off part.glb"),
        ("part.step", "FreeCAD"),
        ("robot.xacro", "xacro robot.xacro > robot.urdf"),
        ("car.fbx", "Blender"),
        ("notes.txt", "is neither a scene (.toml) nor a model"),
        ("folder", "is a folder: name a scene or a model in it: there is \"own.toml\""),
        ("chain.tumble", "`tumble play` reads and checks it, `tumble view` shows it"),
    ];
    for (name, says) in told {
        for verb in ["run", "inspect"] {
            let said = workshop.refused(&[verb, name]);
            assert!(said.contains(name) && said.contains(says), "{verb} {name}: {said}");
        }
    }
    workshop.write("off.toml", "[[model]]\nfile = \"part.OFF\"\n");
    assert!(workshop.refused(&["run", "off.toml"]).contains("assimp export"));
    let played = workshop.refused(&["play", "off.toml"]);
    assert!(played.contains("`tumble run` takes scenes and models"), "{played}");
}

#[test]
fn a_wrong_file_is_named_by_its_apparent_format() {
    let workshop = Workshop::new();
    for (begins, says) in [
        ("<!DOCTYPE html><html>404</html>", "a web page"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "git lfs pull"),
        ("solid part\nfacet normal 0 0 1\n", "STL"),
        ("PK\u{3}\u{4}", "ZIP"),
        ("", "an empty file"),
        ("hello", "nothing that is known here"),
    ] {
        workshop.write("part.glb", begins);
        let said = workshop.refused(&["run", "part.glb"]);
        assert!(said.contains("part.glb: header: this is no glTF: it looks like"), "{said}");
        assert!(said.contains(says), "{begins}: {said}");
    }
}

/// Returns two joints. If requested, also returns a clip that rotates the first joint, which needs
/// `bones.bin`.
fn bones(has_clip: bool) -> String {
    let mut file = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "hip", "children": [1] }, { "name": "knee" }],
    });
    if has_clip {
        file["buffers"] = json!([{ "byteLength": 40, "uri": "bones.bin" }]);
        file["bufferViews"] =
            json!([{ "buffer": 0, "byteLength": 8 }, { "buffer": 0, "byteOffset": 8, "byteLength": 32 }]);
        file["accessors"] = json!([
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0.0], "max": [1.0] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4" },
        ]);
        file["animations"] = json!([{
            "name": "kick",
            "samplers": [{ "input": 0, "output": 1 }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "rotation" } }],
        }]);
    }
    file.to_string()
}

#[test]
fn inspect_lists_the_joints_and_clips_of_a_file_of_motion() {
    let workshop = Workshop::new();
    let floats = [0.0f32, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0];
    let bytes: Vec<u8> = floats.into_iter().flat_map(f32::to_le_bytes).collect();
    fs::write(workshop.path().join("bones.bin"), bytes).unwrap();
    workshop.write("kick.gltf", &bones(true));
    let report = workshop.json(&["inspect", "kick.gltf"]);
    assert_eq!(report["joints"], json!(["hip"]), "{report}");
    let clip = &report["clips"][0];
    assert_eq!(
        (&clip["name"], &clip["frame_count"], &clip["duration_s"]),
        (&json!("kick"), &json!(2), &json!(1.0))
    );
    let text = workshop.tumble(&["inspect", "kick.gltf"]).text();
    assert!(text.contains("1 joint: hip") && text.contains("kick"), "{text}");
    assert!(workshop.refused(&["run", "kick.gltf"]).contains("animation = { file = … }"));
    workshop.write(
        "walk.bvh",
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT Knee\n{\n\
         OFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n\
         MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n0 0 9 0 0 0\n",
    );
    let report = workshop.json(&["inspect", "walk.bvh"]);
    assert_eq!(report["joints"], json!(["Hips", "Knee"]), "{report}");
}

#[test]
fn inspect_lists_the_joints_of_a_robot() {
    let workshop = Workshop::new();
    let arm = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/arm.urdf");
    let arm = arm.to_str().unwrap();
    let report = workshop.json(&["inspect", arm]);
    let joints = report["joints"].as_array().unwrap();
    assert_eq!(joints.len(), 6);
    let shoulder = json!({
        "name": "shoulder", "turns": true, "min": -1.8, "max": 1.8, "target": 0.0, "effort": 40.0, "velocity": 2.0,
        "has_table": false, "follows": null,
    });
    assert_eq!(joints[1], shoulder);
    assert_eq!((&joints[5]["name"], &joints[5]["follows"]), (&json!("grip_thumb"), &json!("grip")));
    let text = workshop.tumble(&["inspect", arm]).text();
    let row: Vec<&str> = text.lines().find(|l| l.contains("shoulder")).unwrap().split_whitespace().collect();
    assert_eq!(
        row,
        "shoulder turns, rad -1.8000 1.8000 0.0000 40 N·m 2 rad/s hand".split(' ').collect::<Vec<_>>()
    );
}

#[test]
fn a_model_without_a_mesh_is_called_that_and_not_motion() {
    let workshop = Workshop::new();
    workshop.write("bones.gltf", &bones(false));
    for verb in ["run", "inspect"] {
        let said = workshop.refused(&[verb, "bones.gltf"]);
        assert!(said.contains("bones.gltf: is a model without a mesh: none of its nodes (2)"), "{said}");
        assert!(!said.contains("motion"), "{said}");
    }
}

#[test]
fn steps_that_are_too_long_or_none_are_said() {
    let workshop = with_cube();
    workshop.write("cube.toml", &cubes(&[0.0]));
    let said = |arguments: &[&str]| workshop.tumble(&[&["run", "cube.toml"], arguments].concat()).error();
    assert!(said(&["--dt", "1", "--steps", "1"]).contains("steps of 1 s are longer than 0.05 s"));
    assert!(said(&["--steps", "0"]).contains("no step is taken"));
    let usual = said(&["--steps", "1"]);
    assert!(!usual.contains("longer than") && !usual.contains("no step"), "{usual}");
    for option in ["--steps", "--seed", "--threads"] {
        let refused = workshop.refused(&["run", "cube.toml", option, "-5"]);
        assert!(
            refused.contains("-5") && refused.contains(option) && !refused.contains("-- -5"),
            "{refused}"
        );
    }
}
