//! The parts as a tree: folded, searched, hidden, isolated.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use tempfile::TempDir;
use tumble::scene::OpenAs;

use super::bench::Bench;
use crate::assembly::assembly;

/// Opens a frame of two sides and a lid as designed, and returns the folder of its file too.
fn with_assembly() -> (Bench, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = assembly(folder.path(), &[0, 1, 2, 3, 4, 5, 6, 7]);
    let mut bench = Bench::empty();
    bench.app().loader.opened.otherwise = OpenAs::Designed;
    bench.app().open(path.to_str().unwrap());
    bench.wait("the assembly", |app| app.stage.is_some());
    assert!(!bench.app().playhead.playing, "nothing moves in a design");
    // The window does this before its first picture.
    bench.key(Key::F);
    bench.harness.run();
    (bench, folder)
}

fn rows(bench: &Bench) -> usize {
    bench.harness.query_all_by_role(Role::TreeItem).count()
}

/// Clicks on a row, at its name.
fn click_row(bench: &mut Bench, name: &str) {
    let row = bench.harness.get_by_role_and_label(Role::TreeItem, name).rect();
    bench.click_at(row.center());
}

/// Returns the paths of the visible bodies.
fn seen(bench: &mut Bench) -> Vec<String> {
    let show = &bench.app().stage.as_ref().unwrap().show;
    let bodies = (0..).zip(&show.scene.bodies).filter(|(b, _)| !show.hidden.hides(*b));
    bodies.map(|(_, b)| b.path.clone()).collect()
}

#[test]
fn branches_fold_and_a_part_that_is_selected_in_the_view_is_shown_in_the_tree() {
    let (mut bench, _folder) = with_assembly();
    assert_eq!(rows(&bench), 8, "a design is opened with its tree");
    bench.button("Fold frame");
    assert_eq!(rows(&bench), 1);
    let (lid, at) = bench.place_of("lid");
    bench.click_at(at);
    assert_eq!((bench.app().selection.single(), rows(&bench)), (Some(lid), 8));
    bench.button("Fold side #2");
    assert_eq!(rows(&bench), 6);
    bench.type_into("Find", "side #2");
    bench.harness.run();
    assert_eq!(rows(&bench), 4, "a search shows what is folded");
}

#[test]
fn branches_and_parts_are_hidden_and_shown_alone() {
    let (mut bench, _folder) = with_assembly();
    let all = seen(&mut bench);
    assert_eq!(all.len(), 5);
    let lid = bench.place_of("lid").1;
    let tick = |bench: &mut Bench, name: &str| {
        bench.harness.get_by_role_and_label(Role::CheckBox, name).click();
        bench.harness.run_steps(3);
    };
    tick(&mut bench, "Show lid");
    assert_eq!(seen(&mut bench), all[..4]);
    bench.click_at(lid);
    assert_eq!(bench.app().selection.single(), None, "what is hidden cannot be clicked on");
    bench.harness.get_by_label("1 hidden");
    tick(&mut bench, "Show lid");

    click_row(&mut bench, "side");
    assert_eq!((bench.app().selection.single(), bench.app().chosen().len()), (None, 2));
    bench.harness.get_by_label("frame/side");
    bench.key(Key::I);
    assert_eq!(seen(&mut bench), all[..2]);
    bench.harness.get_by_label("3 hidden");
    bench.chord(Modifiers::SHIFT, Key::H);
    assert_eq!(seen(&mut bench), all);
    bench.key(Key::H);
    assert_eq!((seen(&mut bench), bench.app().chosen().len()), (all[2..].to_vec(), 0));
    bench.key(Key::F5);
    bench.wait("the file again", |app| app.loader.waiting().is_none());
    assert_eq!(seen(&mut bench), all[2..], "it is the same after a change to the file");
    bench.button("Show all");
    assert_eq!(seen(&mut bench), all);
}
