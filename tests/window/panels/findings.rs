//! Findings of a check and of a run: the way to each and back, and their review.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use tumble::viewer::{App, Status};

use super::bench::Bench;
use super::design;

/// Returns the names of the visible parts.
fn shown(app: &App) -> Vec<String> {
    let stage = app.stage.as_ref().unwrap();
    let bodies = (0u32..).zip(&stage.show.scene.bodies);
    bodies.filter(|(body, _)| !stage.show.hidden.hides(*body)).map(|(_, b)| b.name.clone()).collect()
}

fn status(bench: &mut Bench) -> Status {
    Status::of(bench.app(), [1280, 1100])
}

/// Opens a design of three boxes and waits for its check.
fn checked(folder: &std::path::Path) -> Bench {
    let mut bench = design::open(folder);
    bench.wait("the check", |app| app.stage.as_ref().is_some_and(|s| s.check.document().is_some()));
    bench.harness.run_steps(3);
    bench
}

#[test]
fn a_design_is_checked_at_once_and_a_click_shows_a_clash_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = checked(folder.path());
    bench.harness.get_by_label("Findings (1)");
    bench.harness.get_by_label("clash: base – lid (1)");
    let (before, all) = (bench.app().camera, shown(bench.app()));
    bench.harness.get_by_role_and_label(Role::Button, "base – lid: 50.00 mm deep").click();
    bench.wait("the place", |app| app.place_of_visit().is_some());
    let now = status(&mut bench);
    assert_eq!(now.selected, ["base", "lid"]);
    assert_eq!(shown(bench.app()), ["base", "lid"], "all else is hidden");
    assert!(now.place.unwrap().iter().all(|x| x.abs() < 1.0 / 3.0), "{:?}", now.place);
    bench.wait("the depth", |app| app.measure.is_some());
    bench.key(Key::Escape);
    bench.harness.run_steps(2);
    assert_eq!((bench.app().camera, shown(bench.app())), (before, all), "Escape brings back what was shown");
    assert_eq!(status(&mut bench).selected, [""; 0]);
}

/// Opens a run in which one of three boxes spins faster than can be followed. A second one is static, and the
/// third one leaves it.
fn faulty(folder: &std::path::Path) -> Bench {
    let model = design::write(folder);
    let text = format!(
        "[[model]]\nfile = {:?}\n[[part]]\nname = \"post\"\nmotion = \"dynamic\"\n\
         angular_velocity = [0.0, 1e5, 0.0]\n[[part]]\nname = \"lid\"\nmotion = \"dynamic\"\n\
         velocity = [0.0, 2.0, 300.0]\n[[part]]\nname = \"base\"\nmotion = \"static\"\n",
        model.file_name().unwrap()
    );
    let path = folder.join("faulty.toml");
    std::fs::write(&path, text).unwrap();
    Bench::with(path.to_str().unwrap())
}

#[test]
fn every_finding_of_a_run_leads_to_its_parts_and_its_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = faulty(folder.path());
    bench.app().playhead.stop_at(300);
    bench.wait_for_step(300);
    let findings: Vec<_> = bench.app().findings().cloned().collect();
    let of_parts: Vec<_> = findings.iter().enumerate().filter(|(_, f)| !f.parts.is_empty()).collect();
    assert!(!of_parts.is_empty(), "{findings:?}");
    for (index, finding) in of_parts {
        bench.app().visit_at(index);
        bench.wait("the place", |app| app.place_of_visit().is_some());
        let now = status(&mut bench);
        let names = |parts: &[u32]| -> Vec<String> {
            let stage = bench.harness.state().stage.as_ref().unwrap();
            parts.iter().map(|&p| stage.show.scene.bodies[p as usize].name.clone()).collect()
        };
        let (mut wanted, mut seen) = (names(&finding.parts), shown(bench.harness.state()));
        assert_eq!((now.selected, now.step), (wanted.clone(), finding.step), "{}", finding.text);
        wanted.sort();
        seen.sort();
        assert_eq!(seen, wanted, "{}", finding.text);
        assert!(now.place.unwrap().iter().all(|x| x.abs() < 1.0 / 3.0), "{:?}", now.place);
    }
    bench.key(Key::Escape);
    bench.wait_for_step(300);
    assert_eq!(status(&mut bench).hidden, 0);
}

#[test]
fn keys_go_from_finding_to_finding_and_round() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = checked(folder.path());
    bench.key(Key::N);
    let first = status(&mut bench).finding.unwrap();
    let count = bench.app().findings().count();
    (0..count).for_each(|_| bench.key(Key::N));
    assert_eq!(status(&mut bench).finding.as_ref(), Some(&first), "{count} times on and round");
    bench.chord(Modifiers::SHIFT, Key::N);
    bench.key(Key::N);
    assert_eq!(status(&mut bench).finding.as_ref(), Some(&first));
    let mut empty = Bench::with_chain();
    empty.key(Key::N);
    assert_eq!(empty.message(), Some("nothing was found"));
}

#[test]
fn a_finding_that_is_accepted_stays_so_when_the_model_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = checked(folder.path());
    bench.key(Key::N);
    bench.type_into("word", "press fit");
    bench.harness.key_press(Key::Enter);
    bench.harness.run_steps(3);
    bench.harness.get_by_role_and_label(Role::CheckBox, "accepted").click();
    bench.harness.run_steps(3);
    let file = std::fs::read_to_string(folder.path().join("design.obj.review.toml")).unwrap();
    for line in ["kind = \"clash\"", "verdict = \"accepted\"", "word = \"press fit\""] {
        assert!(file.contains(line), "{line} is not in {file}");
    }
    let again = checked(folder.path());
    again.harness.get_by_label("accepted: base – lid: 50.00 mm deep");
}

#[test]
fn a_word_that_is_still_written_stays_with_its_finding_when_another_is_clicked_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = checked(folder.path());
    let stage = bench.app().stage.as_mut().unwrap();
    stage.overlaps = vec![tumble::record::Overlap { a: 0, b: 2 }];
    stage.note_findings();
    bench.key(Key::N);
    bench.type_into("word", "press fit");
    bench.harness.get_by_label_contains("base – post intersect").click();
    bench.harness.run_steps(3);
    let file = std::fs::read_to_string(folder.path().join("design.obj.review.toml")).unwrap();
    let (entry, _) = file.split_once("word = \"press fit\"").unwrap();
    assert!(entry.contains("kind = \"clash\""), "{file}");
    assert_eq!(file.matches("press fit").count(), 1, "{file}");
    assert!(bench.app().visited().unwrap().parts == [0, 2]);
}

#[test]
fn a_built_in_scene_says_that_it_keeps_no_review() {
    let mut bench = Bench::with_chain();
    let overlap = tumble::record::Overlap { a: 1, b: 3 };
    let stage = bench.app().stage.as_mut().unwrap();
    stage.overlaps = vec![overlap];
    stage.note_findings();
    bench.key(Key::N);
    bench.harness.get_by_role_and_label(Role::CheckBox, "accepted").click();
    bench.harness.run_steps(3);
    assert!(bench.message().unwrap().contains("built-in"), "{:?}", bench.message());
}
