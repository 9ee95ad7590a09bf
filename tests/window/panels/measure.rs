//! Measurements: of two parts selected by clicks, live, and of points.

use egui::{Key, Modifiers, PointerButton, Pos2};
use egui_kittest::kittest::Queryable;
use glam::{DVec2, DVec3};
use tumble::viewer::{App, Gap, Status};

use super::bench::Bench;
use super::design;
use crate::brute;
use crate::rounds::rounds;

impl Bench {
    /// Clicks with Shift held.
    fn shift_click_at(&mut self, pos: Pos2) {
        let modifiers = Modifiers::SHIFT;
        self.harness.hover_at(pos);
        self.harness.event(egui::Event::ModifiersChanged(modifiers));
        for pressed in [true, false] {
            let button = PointerButton::Primary;
            self.harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
        }
        self.harness.step();
        self.harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
        self.harness.run_steps(2);
    }

    /// Returns a screen position where a part is visible.
    fn seen_at(&mut self, name: &str) -> Pos2 {
        let app = self.app();
        let bodies = &app.stage.as_ref().unwrap().show.scene.bodies;
        let grid = (-99..=99).flat_map(|x| (-99..=99).map(move |y| 0.01 * DVec2::new(x.into(), y.into())));
        let is_seen = |at: &DVec2| app.pick(*at).is_some_and(|hit| bodies[hit.body as usize].name == name);
        let at: Vec<DVec2> = grid.filter(is_seen).collect();
        let middle = *at.get(at.len() / 2).unwrap_or_else(|| panic!("{name} is not in sight"));
        self.on_screen(middle)
    }

    /// Selects two parts of a scene, by a click and one with Shift.
    fn select_two(&mut self, [a, b]: [&str; 2]) {
        let at = self.seen_at(a);
        self.click_at(at);
        let at = self.seen_at(b);
        self.shift_click_at(at);
        let names = Status::of(self.app(), [1, 1]).selected;
        assert_eq!(names, [a, b]);
    }
}

/// Returns whether the shown distance belongs to the visible step.
fn is_current(app: &App) -> bool {
    let step = app.stage.as_ref().map(|s| s.frame.step);
    app.measure.is_some_and(|m| Some(m.step) == step)
}

#[test]
fn two_parts_that_are_clicked_on_say_how_far_apart_or_how_deep_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = design::open(folder.path());
    bench.select_two(["base", "post"]);
    bench.wait("the distance", is_current);
    bench.harness.run_steps(2);
    bench.harness.get_by_label("250.0 mm");
    assert!((Status::of(bench.app(), [1, 1]).measured.unwrap() - 0.25).abs() < 1e-6);
    bench.select_two(["base", "lid"]);
    bench.wait("the depth", is_current);
    let deep = Status::of(bench.app(), [1, 1]).measured.unwrap();
    assert!((deep - 0.05).abs() < 0.04 * 0.05, "{deep}");
    bench.app().select(Some(0));
    bench.key(Key::H);
    bench.app().select(Some(0));
    bench.app().select_too(2);
    bench.wait("the distance again", is_current);
    bench.harness.run_steps(2);
    bench.harness.get_by_label("base: hidden");
}

#[test]
fn the_distance_shown_is_that_of_all_triangles_in_every_step() {
    let pairs = [("pick-and-place", ["nut", "finger"]), ("first-scene", ["drum", "drum.3"])];
    for (scene, names) in pairs {
        let mut bench = Bench::with(scene);
        bench.select_two(names);
        let count = rounds(200) as u32;
        for step in (1..=count).map(|n| n * 200 / count) {
            bench.app().playhead.stop_at(step);
            bench.wait_for_step(step);
            bench.wait("the distance", is_current);
            let shown = Status::of(bench.app(), [1, 1]).measured.unwrap();
            let stage = bench.app().stage.as_ref().unwrap();
            let triangles = |name: &str| -> Vec<[DVec3; 3]> {
                let index = stage.show.scene.bodies.iter().position(|b| b.name == name).unwrap();
                let mesh = &stage.show.scene.meshes[stage.show.scene.bodies[index].mesh.unwrap() as usize];
                let pose = &stage.frame.poses[index];
                let corners = |t: u32| mesh.corners(t).map(|p| pose.transform_point(p));
                (0..mesh.triangles().len() as u32).map(corners).collect()
            };
            let (of_a, of_b) = (triangles(names[0]), triangles(names[1]));
            let right = brute::distance(&of_a, &of_b);
            match bench.harness.state().measure.unwrap().gap {
                Gap::Apart(_) => {
                    assert!((shown - right).abs() < 1e-5, "{scene}, step {step}: {shown}, {right}")
                }
                gap => assert!(brute::cross(&of_a, &of_b), "{scene}, step {step}: {gap:?}, {right}"),
            }
        }
    }
}

#[test]
fn a_measure_of_another_step_is_never_shown_as_this_one_s() {
    let mut bench = Bench::with("first-scene");
    bench.select_two(["drum", "drum.3"]);
    bench.app().playhead.stop_at(60);
    bench.wait_for_step(60);
    for jump in 0..60 {
        // As a user drags the timeline: a step, and a few pictures there.
        bench.app().playhead.stop_at(jump / 3 * 37 % 61);
        bench.harness.step();
        let app = bench.harness.state();
        let (Some(stage), Some(measure)) = (&app.stage, app.measure) else { continue };
        let is_old = measure.step != stage.frame.step;
        let marked = bench.harness.query_all_by_label("of step").count() > 0;
        assert_eq!(is_old, marked, "measured in {}, shown {}", measure.step, stage.frame.step);
    }
    bench.wait("the measure of the last step", is_current);
}

#[test]
fn a_ruler_goes_from_corner_to_corner_and_with_the_parts() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = design::open(folder.path());
    bench.key(Key::X);
    // Beside the two upper corners of the post that are nearest to the eye.
    let corners = [DVec3::new(1.45, 1.0, 0.2), DVec3::new(1.25, 1.0, 0.2)];
    for (corner, inwards) in corners.into_iter().zip([-0.004, 0.004]) {
        let (camera, aspect) = (bench.app().camera, bench.app().aspect());
        let seen = camera.project(corner + DVec3::new(inwards, -0.004, 0.0), aspect).unwrap();
        let at = bench.on_screen(seen);
        bench.click_at(at);
    }
    let length = Status::of(bench.app(), [1, 1]).ruler.unwrap();
    assert!((length - 0.2).abs() < 1e-6, "{length}");
    bench.key(Key::Escape);
    assert_eq!(Status::of(bench.app(), [1, 1]).ruler, None);
}
