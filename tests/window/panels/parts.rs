//! Components and simplified models: selected by keys and check boxes, and computed once.

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use tempfile::TempDir;
use tumble::generate::Replica;
use tumble::viewer::Look;

use super::bench::Bench;
use super::gltf;

/// Opens a windmill, paused, and returns the folder of its file too.
fn with_windmill() -> (Bench, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = gltf::write(folder.path(), "windmill", &Replica::Windmill.triangles());
    let mut bench = Bench::empty();
    bench.app().open(path.to_str().unwrap());
    bench.wait("the windmill", |app| app.stage.is_some());
    bench.key(Key::Space);
    bench.key(Key::R);
    bench.wait_for_step(0);
    (bench, folder)
}

/// Returns the look, the level and the number of levels once the parts are computed.
fn shown(bench: &mut Bench) -> (Look, Option<(u32, u32)>) {
    bench.wait("the parts", |app| !app.is_searching());
    (bench.app().options.look, bench.app().part_level())
}

#[test]
fn keys_show_components_and_simplified_models_level_by_level() {
    let (mut bench, _folder) = with_windmill();
    assert_eq!(shown(&mut bench), (Look::Drawn, None), "nothing is looked for unasked");
    bench.key(Key::K);
    let (look, level) = shown(&mut bench);
    assert_eq!(look, Look::Components);
    let (first, count) = level.unwrap();
    assert!(first == 1 && count >= 2, "a windmill has {count} levels");
    assert!(!bench.app().part_shapes.is_empty(), "what was found is there to be uploaded");
    bench.key(Key::CloseBracket);
    assert_eq!(shown(&mut bench).1, Some((2, count)));
    for _ in 0..count {
        bench.key(Key::CloseBracket);
    }
    assert_eq!(shown(&mut bench).1, Some((count, count)), "none is finer than the last");
    bench.key(Key::L);
    assert_eq!(shown(&mut bench), (Look::Simplified, Some((count, count))));
    for _ in 0..count {
        bench.key(Key::OpenBracket);
    }
    assert_eq!(shown(&mut bench).1, Some((1, count)));
    bench.key(Key::L);
    assert_eq!(shown(&mut bench), (Look::Drawn, None), "the same key again");
    bench.key(Key::CloseBracket);
    assert_eq!(bench.app().options.part_level, 1, "no level where none is shown");
}

#[test]
fn boxes_to_tick_show_one_or_the_other() {
    let (mut bench, _folder) = with_windmill();
    let tick = |bench: &mut Bench, name: &str| {
        bench.harness.get_by_role_and_label(Role::CheckBox, name).click();
        bench.harness.run_steps(3);
    };
    tick(&mut bench, "Components");
    assert_eq!(shown(&mut bench).0, Look::Components);
    bench.harness.run();
    bench.harness.get_by_label_contains("level 1, cells of");
    bench.app().options.boxes = true;
    bench.harness.run();
    let rect = |role, name| bench.harness.get_by_role_and_label(role, name).rect();
    let (slider, next) = (rect(Role::Slider, "detail"), rect(Role::Button, "Frame"));
    assert!(slider.max.x < next.min.x, "there is room for {slider:?} before {next:?}");
    tick(&mut bench, "Simplified");
    assert_eq!(shown(&mut bench).0, Look::Simplified);
    bench.harness.get_by_role_and_label(Role::Slider, "detail").set_value_accesskit(2.0);
    bench.harness.run();
    assert_eq!(shown(&mut bench).1.unwrap().0, 2);
    tick(&mut bench, "Simplified");
    assert_eq!(shown(&mut bench), (Look::Drawn, None));
}

#[test]
fn another_scene_starts_at_the_coarsest_level_and_finds_its_own_parts() {
    let (mut bench, _folder) = with_windmill();
    bench.key(Key::K);
    shown(&mut bench);
    bench.key(Key::CloseBracket);
    bench.app().open("walk-through");
    let found = |app: &tumble::viewer::App| {
        app.stage.as_ref().is_some_and(|s| s.show.scene.name == "walk-through" && s.show.parts.is_some())
    };
    bench.wait("the parts of the other", found);
    assert_eq!(shown(&mut bench).1.unwrap().0, 1);
    bench.app().shapes_again();
    bench.wait("the parts again, for a new device", found);
}
