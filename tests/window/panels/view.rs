//! The mouse in the view: select, orbit, pan, zoom, fly.

use egui::{Key, Modifiers, PointerButton, vec2};
use egui_kittest::kittest::Queryable;
use glam::{DVec2, DVec3};

use super::bench::Bench;

#[test]
fn a_click_selects_what_is_under_it() {
    let mut bench = Bench::with_chain();
    for name in ["anchor", "link.10", "weight"] {
        let (index, at) = bench.place_of(name);
        bench.click_at(at);
        assert_eq!(bench.app().selection.single(), Some(index), "{name} at {at}");
        assert!(bench.harness.query_all_by_label(name).count() > 0, "the panel says what is selected");
    }
    let corner = bench.on_screen(DVec2::new(-0.95, 0.95));
    bench.click_at(corner);
    assert_eq!(bench.app().selection.single(), None);
}

#[test]
fn a_click_on_the_ground_clears_the_selection() {
    let mut bench = Bench::with("parts-tray");
    let (tray, at) = bench.place_of("tray");
    bench.click_at(at);
    assert_eq!(bench.app().selection.single(), Some(tray), "what a file makes static is a part");
    let mut grid = (-9..=9).flat_map(|x| (-9..=9).map(move |y| 0.1 * DVec2::new(x.into(), y.into())));
    let app = bench.app();
    let on_ground = |point: &DVec2| app.pick(*point).is_some_and(|hit| app.is_ground(hit.body));
    let ground = grid.find(on_ground).expect("some of the ground is in sight");
    let at = bench.on_screen(ground);
    let camera = bench.app().camera;
    bench.click_at(at);
    assert_eq!(bench.app().selection.single(), None);
    bench.click_at(at);
    bench.click_at(at);
    assert_eq!((bench.app().selection.single(), bench.app().camera), (None, camera), "and nothing to fly to");
}

#[test]
fn the_mouse_moves_the_camera() {
    let mut bench = Bench::with_chain();
    let middle = bench.on_screen(DVec2::ZERO);
    let start = bench.app().camera;
    bench.drag(PointerButton::Primary, middle, vec2(80.0, 40.0));
    let orbited = bench.app().camera;
    assert_eq!((orbited.target, orbited.distance), (start.target, start.distance));
    assert!(orbited.yaw < start.yaw && orbited.pitch > start.pitch);
    assert_eq!(bench.app().selection.single(), None, "a drag is no click");

    bench.drag(PointerButton::Secondary, middle, vec2(80.0, 40.0));
    let panned = bench.app().camera;
    assert_eq!((panned.yaw, panned.distance), (orbited.yaw, orbited.distance));
    assert!(panned.target.distance(orbited.target) > 0.01);

    bench.harness.hover_at(middle);
    bench.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 3.0),
        modifiers: Modifiers::NONE,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
    });
    bench.harness.run();
    assert!(bench.app().camera.distance < panned.distance, "the wheel comes nearer");
    assert_eq!(bench.app().camera.target, panned.target);

    let here = bench.app().camera.target;
    bench.press(middle, PointerButton::Primary, true);
    bench.harness.hover_at(middle + vec2(30.0, 0.0));
    bench.harness.key_down(Key::W);
    bench.harness.step();
    bench.harness.step();
    bench.harness.key_up(Key::W);
    bench.press(middle, PointerButton::Primary, false);
    bench.harness.step();
    let flown = bench.app().camera.target - here;
    assert!(flown != DVec3::ZERO, "W flies while dragging");
    bench.app().has_wireframe = true;
    bench.key(Key::W);
    assert!(!bench.app().options.wireframe, "and never draws wires");

    bench.key(Key::F);
    assert!(bench.app().camera.target.distance(here + flown) > 1e-3, "F frames everything");
}
