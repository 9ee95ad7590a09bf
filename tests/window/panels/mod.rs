//! Panels and keys of the window, driven without one: buttons, shortcuts, dialogs, and the mouse in the
//! view. Widgets are found by their accessible names, as a screen reader finds them. Nothing is drawn.
#![cfg(feature = "viewer")]

mod assembly;
mod bench;
mod budget;
pub mod design;
mod findings;
mod joints;
mod measure;
mod parts;
mod view;

use egui::accesskit::{Action, Role};
use egui::{Key, Modifiers, PointerButton, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use tumble::generate;
use tumble::scene::builtin_scenes;
use tumble::viewer::{App, Dialog, Look};

pub use bench::Bench;

use crate::gltf;

/// Returns the names of all active widgets; panics if one has none.
fn names(bench: &Bench, state: &str) -> Vec<String> {
    bench.harness.check_accessibility();
    let root = bench.harness.root();
    let nodes = root.children_recursive().filter(|n| {
        let data = n.accesskit_node();
        let acts = [Action::Click, Action::SetValue, Action::Increment].iter();
        // A scroll bar has the name of its contents.
        let is_passive =
            matches!(data.role(), Role::Label | Role::TextRun | Role::GenericContainer | Role::ScrollBar);
        !is_passive && acts.clone().any(|a| data.data().supports_action(*a))
    });
    let name = |n: egui_kittest::Node| {
        let (label, role) = (n.accesskit_node().label().unwrap_or_default(), n.accesskit_node().role());
        assert!(!label.trim().is_empty(), "{state}: a {role:?} at {:?} has no name", n.rect());
        label
    };
    nodes.map(name).collect()
}

#[test]
fn everything_that_acts_has_a_name() {
    let mut bench = Bench::with_chain();
    let plain = names(&bench, "at first");
    for name in [
        "Play",
        "Restart",
        "Step back",
        "Step forward",
        "Speed",
        "Timeline",
        "Open",
        "Help",
        "View",
        "At most",
    ] {
        assert!(plain.iter().any(|n| n == name), "{name} is not among {plain:?}");
    }
    bench.app().options.boxes = true;
    bench.app().select(Some(1));
    bench.harness.run();
    bench.harness.get_by_label_contains("Parts (").click();
    bench.harness.run();
    let more = names(&bench, "boxes, parts and a selection");
    for name in ["level", "Find", "link.2"] {
        assert!(more.iter().any(|n| n == name), "{name} is not among {more:?}");
    }
    for (dialog, name) in [(Dialog::Picker, "Open file"), (Dialog::Help, "Close")] {
        bench.app().dialog = dialog;
        bench.harness.run();
        let names = names(&bench, name);
        assert!(names.iter().any(|n| n == name), "{name} is not among {names:?}");
    }
}

#[test]
fn buttons_play_pause_and_step() {
    let mut bench = Bench::with_chain();
    bench.button("Step forward");
    bench.wait_for_step(1);
    bench.button("Step forward");
    bench.wait_for_step(2);
    bench.button("Step back");
    bench.wait_for_step(1);
    bench.button("Play");
    bench.wait("motion", |app| app.playhead.playing && app.playhead.step() > 5);
    bench.button("Pause");
    assert!(!bench.app().playhead.playing);
    bench.button("Restart");
    bench.wait_for_step(0);
    bench.button("Step back");
    bench.wait_for_step(0);
}

#[test]
fn keys_play_pause_and_step() {
    let mut bench = Bench::with_chain();
    for (key, step) in [(Key::Period, 1), (Key::ArrowRight, 2), (Key::Comma, 1), (Key::ArrowLeft, 0)] {
        bench.key(key);
        bench.wait_for_step(step);
    }
    bench.chord(Modifiers::SHIFT, Key::Period);
    bench.wait_for_step(10);
    bench.chord(Modifiers::SHIFT, Key::Comma);
    bench.wait_for_step(0);
    bench.key(Key::Space);
    assert!(bench.app().playhead.playing);
    bench.key(Key::Space);
    assert!(!bench.app().playhead.playing);
    bench.key(Key::Plus);
    assert_eq!(bench.app().playhead.speed, 2.0);
    bench.key(Key::Minus);
    assert_eq!(bench.app().playhead.speed, 1.0);
}

#[test]
fn keys_change_what_is_shown() {
    let mut bench = Bench::with_chain();
    bench.app().has_wireframe = true;
    let before = bench.app().options;
    bench.app().select(Some(1));
    for key in [Key::C, Key::B, Key::V, Key::G, Key::M, Key::Backslash] {
        bench.key(key);
    }
    let after = bench.app().options;
    assert_eq!((after.contacts, after.boxes, after.ground, after.wireframe), (true, true, false, true));
    assert_eq!((after.look, after.panels), (Look::Colliding, false));
    assert!(bench.harness.query_by_label("Timeline").is_none(), "\\ hides the panels");
    for key in [Key::C, Key::B, Key::V, Key::G, Key::M, Key::Backslash] {
        bench.key(key);
    }
    assert_eq!(bench.app().options, before);
    bench.key(Key::F1);
    assert_eq!(bench.app().dialog, Dialog::Help);
    bench.chord(Modifiers::COMMAND, Key::O);
    assert_eq!(bench.app().dialog, Dialog::Picker);
    bench.key(Key::Escape);
    assert_eq!((bench.app().dialog, bench.app().selection.single()), (Dialog::None, Some(1)));
    bench.key(Key::Escape);
    assert_eq!(bench.app().selection.single(), None);
}

#[test]
fn the_timeline_shows_any_step_so_far() {
    let mut bench = Bench::with_chain();
    bench.chord(Modifiers::SHIFT, Key::Period);
    bench.wait_for_step(10);
    bench.harness.get_by_label("Timeline").set_value_accesskit(4.0);
    bench.wait_for_step(4);
    let rect = bench.harness.get_by_label("Timeline").rect();
    bench.drag(PointerButton::Primary, rect.left_center() + vec2(8.0, 0.0), vec2(rect.width(), 0.0));
    bench.harness.run();
    let app = bench.app();
    let last = app.stage.as_ref().unwrap().source.range().1;
    assert_eq!(app.stage.as_ref().unwrap().frame.step, last, "dragged to its end");
    assert!(last >= 10);
}

#[test]
fn the_picker_opens_scenes_and_files() {
    let mut bench = Bench::empty();
    bench.button("Open");
    for scene in builtin_scenes() {
        bench.harness.get_by_role_and_label(Role::Button, scene.name);
    }
    bench.button("chain");
    assert_eq!(bench.app().loader.waiting(), Some("chain"));
    bench.wait("the chain", |app| app.stage.is_some());
    let name = |app: &App| app.stage.as_ref().map(|s| s.show.scene.name.clone());
    assert_eq!(name(bench.app()).as_deref(), Some("chain"));

    bench.chord(Modifiers::COMMAND, Key::O);
    bench.type_text("nosuchscene");
    assert_eq!(bench.app().picker_text, "nosuchscene", "letters are no shortcuts in a field");
    bench.key(Key::Enter);
    bench.wait("a message", |app| app.message.is_some());
    assert!(bench.message().unwrap().contains("nosuchscene"), "{:?}", bench.message());
    assert_eq!(name(bench.app()).as_deref(), Some("chain"), "what was shown stays");
    let shown = bench.message().unwrap().to_owned();
    // The chain may be moving: a few frames instead of waiting for rest.
    bench.harness.run_steps(3);
    bench.harness.get_by_label(&shown);

    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/chain.glb");
    bench.chord(Modifiers::COMMAND, Key::O);
    bench.app().picker_text = model.to_owned();
    bench.button("Open file");
    bench.wait("the model", |app| app.stage.as_ref().is_some_and(|s| s.name == model));
    assert_eq!(bench.message(), None);
}

#[test]
fn help_lists_every_binding() {
    let mut bench = Bench::empty();
    bench.button("Help");
    bench.harness.run();
    let rows = [
        ("Space or P", "play or pause"),
        (". or Right", "one step forward"),
        (", or Left", "one step back"),
        ("Shift+. or Shift+Right", "ten steps forward"),
        ("Shift+, or Shift+Left", "ten steps back"),
        ("R or Backspace", "back to the start"),
        ("Ctrl+L or F5", "load the file again"),
        ("-", "slower"),
        ("+ or =", "faster"),
        ("F", "frame the selection, or everything"),
        ("Escape", "close what is open, or go back to what was shown, or select nothing"),
        ("H", "hide the selection"),
        ("I", "hide everything else"),
        ("Shift+H", "show everything again"),
        ("C", "contacts and their forces"),
        ("B", "boxes of one level of the hierarchies"),
        ("M", "wires instead of surfaces"),
        ("V", "show drawn or colliding surfaces"),
        ("K", "components of colliding surfaces, in colors"),
        ("L", "simplified colliding surfaces"),
        ("[", "a coarser level of these"),
        ("]", "a finer level of these"),
        ("G", "ground lines"),
        ("T", "contacts within a budget, or exactly, from the start"),
        ("\\", "hide or show the panels"),
        ("F1 or ?", "this help"),
        ("Ctrl+O", "open a scene, a model or a recording"),
        ("Ctrl+P", "save a picture of the view"),
        ("Ctrl+Q", "quit"),
        ("Left drag", "orbit"),
        ("Click", "select a part"),
        ("N", "go to the next finding"),
    ];
    for (keys, text) in rows {
        bench.harness.get_by_label(keys);
        bench.harness.get_by_label(text);
    }
    bench.button("Close");
    assert_eq!(bench.app().dialog, Dialog::None);
}

#[test]
fn help_is_whole_in_a_small_window() {
    let mut bench = Bench::of_size(vec2(1280.0, 720.0));
    bench.key(Key::F1);
    bench.harness.run();
    let window = egui::Rect::from_min_size(egui::Pos2::ZERO, vec2(1280.0, 720.0));
    for text in ["Left drag", "Drop a file", "Space or P", "M", "wires instead of surfaces", "Ctrl+Q", "quit"]
    {
        let rect = bench.harness.get_by_label(text).rect();
        assert!(window.shrink(8.0).contains_rect(rect), "{text} is at {rect:?}");
    }
}

#[test]
fn a_scene_stops_at_its_end_and_goes_on_when_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    gltf::write(folder.path(), "box", &generate::cuboid(glam::Vec3::splat(0.1), 1.0));
    let path = folder.path().join("short.toml");
    std::fs::write(&path, "steps = 20\n[[model]]\nfile = \"box.gltf\"\n").unwrap();
    let mut bench = Bench::empty();
    bench.app().open(path.to_str().unwrap());
    bench.wait("its end", |app| app.stage.as_ref().is_some_and(|s| s.frame.step == 20));
    bench.wait("a stop", |app| !app.playhead.playing);
    assert!(bench.message().unwrap().contains("end of the scene's 20 steps"), "{:?}", bench.message());
    bench.harness.run();
    bench.harness.get_by_label_contains("step 20, the end");
    let stage = bench.app().stage.as_ref().unwrap();
    assert_eq!((stage.source.range(), stage.span()), ((0, 20), (0, 20)), "no step is simulated beyond");
    bench.key(Key::Space);
    bench.wait("more", |app| app.playhead.playing && app.playhead.step() > 25);
    bench.key(Key::R);
    bench.wait("its end once more", |app| !app.playhead.playing && app.playhead.step() == 20);
}

#[test]
fn faults_are_listed_by_name() {
    let mut bench = Bench::with_chain();
    bench.harness.get_by_label("Findings (0)");
    let weight = bench.place_of("weight").0;
    let overlap = tumble::record::Overlap { a: 1, b: weight };
    let stage = bench.app().stage.as_mut().unwrap();
    stage.overlaps = vec![overlap];
    stage.incidents.falls = vec![tumble::world::Fall { body: weight, name: "weight".to_owned(), step: 0 }];
    stage.note_findings();
    bench.harness.run();
    bench.harness.get_by_label("Findings (2)");
    bench.harness.get_by_label("fell out (1)");
    bench.harness.get_by_label_contains("weight fell out of the world");
    bench.harness.get_by_label_contains("– weight intersect and are not kept apart").click();
    bench.harness.run_steps(3);
    assert_eq!(bench.app().selection.pair(), Some([1, weight]), "both parts, not one of them");
}

#[test]
fn a_short_click_moves_the_timeline() {
    let mut bench = Bench::with_chain();
    bench.app().playhead.stop_at(400);
    bench.wait_for_step(400);
    let rail = bench.harness.get_by_label("Timeline").rect();
    for share in [0.1, 0.5, 0.3, 0.6, 0.0] {
        bench.tap_at(rail.lerp_inside(vec2(share, 0.5)));
        let step = (600.0 * share) as u32;
        let shown = bench.app().playhead.step();
        assert!(shown.abs_diff(step) <= 4, "pressed at {step}, shown {shown}");
        let once = shown;
        bench.harness.run_steps(3);
        assert_eq!(bench.app().playhead.step(), once, "and stays there");
    }
}

#[test]
fn tab_goes_to_the_controls_and_space_then_presses_them() {
    let mut bench = Bench::with_chain();
    bench.key(Key::Tab);
    bench.key(Key::Tab);
    assert!(bench.app().options.panels, "the panels stay");
    assert!(bench.harness.ctx.memory(|m| m.focused().is_some()), "a control has the keyboard");
    bench.key(Key::Space);
    bench.key(Key::G);
    assert!(!bench.app().playhead.playing && bench.app().options.ground, "it is the control's");
    bench.app().select(Some(1));
    bench.key(Key::Escape);
    bench.harness.run_steps(2);
    assert_eq!(bench.app().selection.single(), Some(1), "Escape leaves the control alone");
    bench.key(Key::Space);
    assert!(bench.app().playhead.playing, "and then Space plays again");
}

#[test]
fn keys_say_why_they_show_nothing() {
    let mut bench = Bench::with_chain();
    bench.app().select(Some(1));
    let away = tumble::scene::CameraDef {
        eye: glam::DVec3::Y * 500.0,
        target: glam::DVec3::new(3.0, 900.0, 0.0),
        vertical_fov: 40.0,
    };
    bench.app().look_from(&away);
    bench.key(Key::B);
    assert!(bench.message().unwrap().contains("out of sight"), "{:?}", bench.message());
}

#[test]
fn a_small_window_leaves_half_of_itself_to_the_view() {
    let mut bench = Bench::of_size(vec2(400.0, 300.0));
    bench.app().open("parts-tray");
    bench.wait("the scene", |app| app.stage.is_some());
    bench.harness.run_steps(4);
    let area = bench.app().area;
    assert!(area.width() >= 190.0 && area.height() >= 170.0, "{area:?}");
    for name in ["Pause", "Timeline", "Open", "Show", "Help"] {
        let rect = bench.harness.get_by_label(name).rect();
        assert!(rect.max.x <= 401.0 && rect.max.y <= 301.0, "{name} at {rect:?}");
    }
}

#[test]
fn forces_have_a_scale_of_the_selected_part_or_of_all() {
    let mut bench = Bench::with("walk-through");
    bench.app().playhead.stop_at(6);
    bench.wait_for_step(6);
    bench.key(Key::C);
    bench.harness.run();
    bench.harness.get_by_label_contains(" N, forces at all contacts");
    let stage = bench.app().stage.as_ref().unwrap();
    let marks = stage.contacts.as_ref().unwrap();
    let pressed = marks.iter().find(|m| m.force > 0.0).unwrap().b;
    let name = stage.show.scene.bodies[pressed as usize].name.clone();
    bench.app().select(Some(pressed));
    bench.harness.run();
    bench.harness.get_by_label_contains(&format!(" N, forces on {name}"));
}

#[test]
fn the_list_of_parts_filters_and_selects() {
    let mut bench = Bench::with_chain();
    bench.harness.get_by_label_contains("Parts (").click();
    bench.harness.run();
    let count = |bench: &Bench| bench.harness.query_all_by_role(Role::TreeItem).count();
    let all = count(&bench);
    assert!(all > 3, "{all} of 18 parts are in sight");
    bench.type_into("Find", "weig");
    bench.harness.run();
    assert_eq!(count(&bench), 1);
    assert!(bench.app().options.ground, "g is a letter here");
    bench.harness.get_by_role_and_label(Role::TreeItem, "weight").click();
    bench.harness.run();
    let weight = bench.place_of("weight").0;
    assert_eq!(bench.app().selection.single(), Some(weight));
    bench.harness.get_by_label("moves freely");
}
