//! Contacts of a recording in the window and in pictures: one arrow per pair, while the scene itself
//! shows one per contact, and none if they are not kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use glam::{DVec2, DVec3, Vec3};
use image::RgbaImage;
use tumble::generate::{cuboid, sphere, torus};
use tumble::viewer::{PictureOptions, Studio};

use crate::gltf;
use crate::graphics::can_draw;
use crate::panels::Bench;

const SIZE: [u32; 2] = [640, 360];
/// Last step, at which everything is at rest.
const END: u32 = 150;
const GRAVITY: f64 = 9.81;
/// The box stands on the ground. The ball lies in a ring in the air, and touches it all around.
const SCENE: &str = r#"
steps = 150
[camera]
eye = [0.4, 0.6, 2.0]
target = [0.4, 0.1, 0.0]
[ground]
[[model]]
file = "box.gltf"
position = [0.0, 0.1, 0.0]
[[model]]
file = "ring.gltf"
rotation = [90.0, 0.0, 0.0]
position = [0.8, 0.2, 0.0]
[[model]]
file = "ball.gltf"
position = [0.8, 0.272, 0.0]
[[part]]
name = "box"
mass = 2.0
[[part]]
name = "ball"
mass = 1.0
[[part]]
name = "ring"
motion = "static"
[[part]]
name = "{ball,ring}"
friction = 0.0
"#;

/// Writes the scene and a recording of it. Returns their paths.
fn recorded(folder: &Path, kept: &str) -> [PathBuf; 2] {
    gltf::write(folder, "box", &cuboid(Vec3::splat(0.2), 1.0));
    gltf::write(folder, "ball", &sphere(0.16, 32));
    gltf::write(folder, "ring", &torus(0.2, 0.05, 64, 32));
    let (scene, run) = (folder.join("scene.toml"), folder.join(format!("{kept}.tumble")));
    fs::write(&scene, SCENE).unwrap();
    let program = Command::new(env!("CARGO_BIN_EXE_tumble"))
        .arg("run")
        .arg(&scene)
        .args(["--record-contacts", kept, "--record"])
        .arg(&run)
        .output()
        .unwrap();
    assert!(program.status.success(), "{}", String::from_utf8_lossy(&program.stderr));
    [scene, run]
}

fn studio(path: &Path) -> Studio {
    Studio::new(path.to_str().unwrap(), SIZE, &PictureOptions::default()).unwrap()
}

/// Returns the force of one body on the other at a step, world, N: the sum of all arrows.
fn pressing(studio: &mut Studio, [a, b]: [&str; 2]) -> DVec3 {
    let stage = studio.app().stage.as_ref().unwrap();
    let name = |body: u32| &*stage.show.scene.bodies[body as usize].name;
    let marks = stage.contacts.as_ref().unwrap().iter();
    let toward = |side: f32, normal: Vec3, force: f32| (side * force * normal).as_dvec3();
    marks
        .map(|mark| match [name(mark.a), name(mark.b)] {
            pair if pair == [a, b] => toward(1.0, mark.normal, mark.force),
            pair if pair == [b, a] => toward(-1.0, mark.normal, mark.force),
            _ => DVec3::ZERO,
        })
        .sum()
}

/// Returns the pixels with the color of forces in one picture but not in the other.
fn arrows(picture: &RgbaImage, plain: &RgbaImage) -> Vec<DVec2> {
    let is_force = |p: &image::Rgba<u8>| p[0] > 220 && (150..230).contains(&p[1]) && p[2] < 120;
    let new =
        picture.enumerate_pixels().filter(|(x, y, p)| is_force(p) && !is_force(plain.get_pixel(*x, *y)));
    new.map(|(x, y, _)| DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5)).collect()
}

/// Returns the pixel of a world position, from the upper left.
fn pixel(studio: &mut Studio, place: DVec3) -> DVec2 {
    let app = studio.app();
    let at = app.camera.project(place, app.aspect()).unwrap();
    let size = DVec2::from(SIZE.map(f64::from));
    0.5 * DVec2::new(1.0 + at.x, 1.0 - at.y) * size
}

fn distance_to_line(at: DVec2, [from, to]: [DVec2; 2]) -> f64 {
    let along = ((at - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
    at.distance(from + along * (to - from))
}

#[test]
fn each_pair_of_a_recording_has_an_arrow_where_it_touches_as_long_as_its_force_is_large() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [_, run] = recorded(folder.path(), "pairs");
    let mut studio = studio(&run);
    assert!(studio.has_contacts());
    let plain = studio.picture(END).unwrap();
    studio.app().options.contacts = true;
    let picture = studio.picture(END).unwrap();
    let app = studio.app();
    let stage = app.stage.as_ref().unwrap();
    let scale = stage.force_scale(&[], &app.camera).unwrap();
    assert_eq!(scale.force, 20.0, "the weight of the box, rounded up");
    // Each starts at the point of the weight (for the ball in the plane of its contact) and points to
    // the later body.
    let lever = 0.16 / (0.16 + 0.05);
    let height = 0.2 + ((0.16_f64 + 0.05).powi(2) - 0.2 * 0.2).sqrt() * (1.0 - lever);
    let arrow = |foot: DVec3, weight: f64| [foot, foot + scale.length * weight / scale.force * DVec3::Y];
    let expected = [arrow(DVec3::ZERO, -2.0 * GRAVITY), arrow(DVec3::new(0.8, height, 0.0), GRAVITY)];
    let expected = expected.map(|ends| ends.map(|end| pixel(&mut studio, end)));
    let drawn = arrows(&picture, &plain);
    assert!(drawn.len() > 60, "{} pixels", drawn.len());
    for at in &drawn {
        let off = expected.map(|line| distance_to_line(*at, line));
        assert!(off[0].min(off[1]) < 4.5, "{at} is on neither of {expected:?}");
    }
    for [from, to] in expected {
        assert!(from.distance(to) > 15.0, "{from} {to}");
        let nearest = |end: DVec2| drawn.iter().map(|at| at.distance(end)).fold(f64::INFINITY, f64::min);
        // The mark of the contact covers the foot.
        assert!(nearest(to) < 2.5 && nearest(from) < 6.0, "{from} {to}: {} {}", nearest(from), nearest(to));
    }
    let start = studio.picture(0).unwrap();
    studio.app().options.contacts = false;
    assert_eq!(studio.picture(0).unwrap(), start, "nothing is known of the start");
}

#[test]
fn the_arrows_of_a_pair_come_to_those_of_its_contacts_in_the_scene_itself() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [scene, run] = recorded(folder.path(), "pairs");
    let [mut live, mut recorded] = [scene, run].map(|path| studio(&path));
    for studio in [&mut live, &mut recorded] {
        studio.picture(END).unwrap();
    }
    for (pair, weight) in [(["ground", "box"], 2.0 * GRAVITY), (["ring", "ball"], GRAVITY)] {
        let [of_contacts, of_pair] = [&mut live, &mut recorded].map(|studio| pressing(studio, pair));
        for force in [of_contacts, of_pair] {
            assert!(force.distance(weight * DVec3::Y) < 0.02 * weight, "{pair:?}: {force}");
        }
    }
    let count = |studio: &mut Studio| studio.app().stage.as_ref().unwrap().contacts.as_ref().unwrap().len();
    assert_eq!(count(&mut recorded), 2);
    assert!(count(&mut live) > 10, "the ball touches the ring all around: {}", count(&mut live));
}

#[test]
fn a_recording_without_contacts_has_none_to_show_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let [_, run] = recorded(folder.path(), "none");
    let mut bench = Bench::with(run.to_str().unwrap());
    bench.app().playhead.stop_at(END);
    bench.wait_for_step(END);
    assert!(bench.app().stage.as_ref().unwrap().contacts.is_none());
    let contacts = bench.harness.get_by_role_and_label(Role::CheckBox, "Contacts");
    assert!(contacts.accesskit_node().is_disabled());
    contacts.hover();
    bench.harness.run_steps(60);
    bench.harness.get_by_label("this recording keeps no contacts");
}

#[test]
fn a_part_of_a_recording_lists_the_pairs_it_touches() {
    let folder = tempfile::tempdir().unwrap();
    let [_, run] = recorded(folder.path(), "pairs");
    let mut bench = Bench::with(run.to_str().unwrap());
    bench.app().playhead.stop_at(END);
    bench.wait_for_step(END);
    let contacts = bench.harness.get_by_role_and_label(Role::CheckBox, "Contacts");
    assert!(!contacts.accesskit_node().is_disabled());
    bench.app().options.contacts = true;
    bench.harness.run();
    bench.harness.get_by_label("20 N, forces of all pairs");
    let part = bench.place_of("box").0;
    bench.app().select(Some(part));
    bench.harness.run();
    bench.harness.get_by_label("20 N, forces on box");
    bench.harness.get_by_label_contains("ground: ");
    bench.harness.get_by_label_contains(" mm deep");
    assert_eq!(bench.harness.query_all_by_label_contains(" point").count(), 0, "they are not kept");
}
