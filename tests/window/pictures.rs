//! Pictures drawn without a window, tested by their content: colors where picking finds a body, and
//! differences between pictures. There are no stored files, so any driver will do.
#![cfg(feature = "viewer")]

use crate::gltf;
use crate::graphics::can_draw;
use glam::DVec2;
use image::RgbaImage;
use tumble::viewer::{Look, Options, PictureError, PictureOptions, Studio};

const SIZE: [u32; 2] = [320, 180];

fn studio(name: &str) -> Studio {
    Studio::new(name, SIZE, &PictureOptions::default()).unwrap()
}

/// Returns the picked bodies under the pixels of a coarse grid.
fn seen(studio: &mut Studio) -> Vec<([u32; 2], Option<String>)> {
    let app = studio.app();
    let bodies = &app.stage.as_ref().unwrap().show.scene.bodies;
    let name = |[x, y]: [u32; 2]| {
        let share = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5) / DVec2::from(SIZE.map(f64::from));
        let hit = app.pick(DVec2::new(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y))?;
        Some(bodies[hit.body as usize].name.clone())
    };
    let pixels = (0..SIZE[0]).step_by(3).flat_map(|x| (0..SIZE[1]).step_by(3).map(move |y| [x, y]));
    pixels.map(|p| (p, name(p))).collect()
}

/// Returns the mean color of the pixels whose body has a fitting name.
fn mean(
    picture: &RgbaImage,
    seen: &[([u32; 2], Option<String>)],
    fits: impl Fn(Option<&str>) -> bool,
) -> [f64; 3] {
    let pixels: Vec<_> = seen.iter().filter(|s| fits(s.1.as_deref())).map(|s| s.0).collect();
    assert!(pixels.len() > 10, "{} pixels", pixels.len());
    let sum = |k: usize| pixels.iter().map(|&[x, y]| f64::from(picture.get_pixel(x, y)[k])).sum::<f64>();
    std::array::from_fn(|k| sum(k) / pixels.len() as f64)
}

/// Returns the number of pixels that differ by more than rounding.
fn differing(a: &RgbaImage, b: &RgbaImage) -> usize {
    let far = |(a, b): &(&image::Rgba<u8>, &image::Rgba<u8>)| (0..3).any(|k| a[k].abs_diff(b[k]) > 10);
    a.pixels().zip(b.pixels()).filter(far).count()
}

fn count(picture: &RgbaImage, is_it: impl Fn([i32; 3]) -> bool) -> usize {
    picture.pixels().filter(|p| is_it([p[0], p[1], p[2]].map(i32::from))).count()
}

fn body(studio: &mut Studio, name: &str) -> u32 {
    let stage = studio.app().stage.as_ref().unwrap();
    stage.show.scene.bodies.iter().position(|b| b.name == name).unwrap() as u32
}

#[test]
fn parts_hang_over_their_tray_under_the_sky() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("parts-tray");
    // From farther away than the scene's own camera, so that falling parts are in sight.
    let (eye, target) = (glam::DVec3::new(0.9, 0.75, 1.1), glam::DVec3::new(0.0, 0.08, 0.0));
    studio.app().look_from(&tumble::scene::CameraDef { eye, target, vertical_fov: 40.0 });
    let picture = studio.picture(0).unwrap();
    let seen = seen(&mut studio);
    let of = |name: &str| mean(&picture, &seen, |n| n.is_some_and(|n| n.starts_with(name)));
    let [tray, bracket, elbow, gear] = ["tray", "bracket", "pipe_elbow", "gear_small"].map(of);
    assert!(tray[0] > tray[2] + 15.0, "the tray is sand-coloured: {tray:?}");
    assert!(bracket[0] > bracket[2] + 60.0, "brackets are orange: {bracket:?}");
    assert!(elbow[1] > elbow[0] + 20.0, "elbows are green: {elbow:?}");
    assert!(gear[0] > gear[2] + 30.0, "small gears are of brass: {gear:?}");

    let corners = [(2, 2), (SIZE[0] - 3, 2)].map(|(x, y)| *picture.get_pixel(x, y));
    for sky in corners {
        assert!(sky[2] >= sky[0] && sky[0] > 150, "the sky is bright and not warm: {sky:?}");
    }
    let below = picture.get_pixel(SIZE[0] / 2, SIZE[1] - 3);
    assert!(below[0].abs_diff(below[2]) < 25 && below[0] > 90 && below[0] < 220, "a grey floor: {below:?}");
}

#[test]
fn a_step_looks_the_same_each_time_and_another_step_does_not() {
    if !can_draw(&[]) {
        return;
    }
    let mut first = studio("chain");
    let there = first.picture(12).unwrap();
    let later = first.picture(40).unwrap();
    let back = first.picture(12).unwrap();
    let other = studio("chain").picture(12).unwrap();
    assert!(differing(&there, &later) > 300, "{} pixels differ", differing(&there, &later));
    assert!(differing(&there, &back) <= 4, "{} pixels differ", differing(&there, &back));
    assert!(differing(&there, &other) <= 4, "{} pixels differ", differing(&there, &other));
}

#[test]
fn a_part_in_the_ground_is_red_and_the_ground_is_not() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("parts-tray");
    let tray = body(&mut studio, "tray");
    studio.picture(0).unwrap();
    let bodies = &studio.app().stage.as_ref().unwrap().show.scene.bodies;
    let ground = bodies.iter().position(|b| b.is_ground).unwrap() as u32;
    let part = bodies.iter().position(|b| b.name == "gear_small").unwrap() as u32;
    assert_ne!(part, tray);
    let (a, b) = (part.min(ground), part.max(ground));
    studio.app().stage.as_mut().unwrap().overlaps = vec![tumble::record::Overlap { a, b }];
    let picture = studio.picture(0).unwrap();
    let red = count(&picture, |[r, g, b]| r > 120 && g < 90 && b < 90);
    let all = (SIZE[0] * SIZE[1]) as usize;
    assert!(red > 0 && red * 50 < all, "{red} of {all} pixels are red");
}

/// Returns whether a color is that of outlines, also if faint.
fn is_outline([r, g, b]: [i32; 3]) -> bool {
    r > g + 55 && b > g + 40 && r > b - 25
}

#[test]
fn a_selected_part_keeps_its_colour_and_has_an_outline() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("walk-through");
    let drum = body(&mut studio, "drum");
    let plain = studio.picture(0).unwrap();
    let seen = seen(&mut studio);
    studio.app().select(Some(drum));
    let picture = studio.picture(0).unwrap();
    let [before, after] = [&plain, &picture].map(|p| mean(p, &seen, |n| n == Some("drum")));
    assert!(before[2] > before[0] + 20.0, "drums are blue: {before:?}");
    assert!((0..3).all(|k| (before[k] - after[k]).abs() < 12.0), "and stay blue: {before:?} {after:?}");
    assert_eq!(count(&plain, is_outline), 0, "nothing else has the colour");
    assert!(count(&picture, is_outline) > 40, "{} pixels", count(&picture, is_outline));
    studio.app().select(None);
    assert_eq!(studio.picture(0).unwrap(), plain, "and gone again");
}

#[test]
fn hidden_parts_and_figures_are_neither_drawn_nor_clicked_on() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("walk-through");
    let drum = body(&mut studio, "drum");
    let plain = studio.picture(0).unwrap();
    let before = seen(&mut studio);
    let stage = studio.app().stage.as_mut().unwrap();
    let figure = &stage.show.scene.skeletons[0];
    let links = figure.first_body..figure.first_body + figure.link_count;
    let names: Vec<String> =
        links.clone().map(|link| stage.show.scene.bodies[link as usize].name.clone()).collect();
    links.chain([drum]).for_each(|body| stage.show.hidden.set(body, true));
    let picture = studio.picture(0).unwrap();
    let is_hidden = |n: Option<&str>| n.is_some_and(|n| n == "drum" || names.iter().any(|name| name == n));
    let changed = before.iter().filter(|(_, name)| is_hidden(name.as_deref()));
    let changed: Vec<_> =
        changed.map(|&([x, y], _)| plain.get_pixel(x, y) != picture.get_pixel(x, y)).collect();
    let count = changed.iter().filter(|c| **c).count();
    assert!(changed.len() > 40 && 20 * count > 19 * changed.len(), "{count} of {} pixels", changed.len());
    assert!(!seen(&mut studio).iter().any(|s| is_hidden(s.1.as_deref())));
    studio.app().select(Some(drum));
    let outlined = studio.picture(0).unwrap();
    assert!(self::count(&outlined, is_outline) > 40, "what is selected is outlined where it is");
    studio.app().select(None);
    studio.app().stage.as_mut().unwrap().show.hidden.clear();
    assert_eq!(studio.picture(0).unwrap(), plain);
}

#[test]
fn an_outline_is_seen_through_what_hides_the_part_and_fainter() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("walk-through");
    let drum = body(&mut studio, "drum");
    studio.picture(0).unwrap();
    let stage = studio.app().stage.as_ref().unwrap();
    let [min, max] = stage.show.body_box(drum, &stage.frame).unwrap();
    let target = 0.5 * (min + max);
    let mut outline = |eye: glam::DVec3| {
        studio.app().look_from(&tumble::scene::CameraDef { eye, target, vertical_fov: 40.0 });
        studio.app().select(None);
        let plain = studio.picture(0).unwrap();
        studio.app().select(Some(drum));
        let picture = studio.picture(0).unwrap();
        let changed = plain.pixels().zip(picture.pixels()).map(|(a, b)| {
            let off = (0..3).map(|k| u32::from(a[k].abs_diff(b[k]))).sum::<u32>();
            (off, is_outline([b[0], b[1], b[2]].map(i32::from)))
        });
        let changed: Vec<_> = changed.filter(|c| c.0 > 30).collect();
        assert!(changed.len() > 40, "{} pixels", changed.len());
        let lined = changed.iter().filter(|c| c.1).count();
        assert!(2 * lined > changed.len(), "{lined} of {} in its colour", changed.len());
        (changed.len(), changed.iter().map(|c| c.0).max().unwrap())
    };
    let above = outline(target + glam::DVec3::new(0.0, 5.0, 0.5));
    // From below the ground, 3 m thick, it is completely hidden.
    let below = outline(target - glam::DVec3::new(0.0, 5.0, 0.5));
    assert!(below.0 < above.0 && below.1 < above.1, "thinner and fainter: {below:?}, {above:?}");
}

#[test]
fn parts_that_reach_into_each_other_are_red() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("walk-through");
    let is_red = |[r, g, b]: [i32; 3]| r > 120 && r > 2 * g && r > 2 * b;
    let plain = studio.picture(0).unwrap();
    let [drum, crate_] = ["drum", "crate"].map(|name| body(&mut studio, name));
    studio.app().stage.as_mut().unwrap().overlaps = vec![tumble::record::Overlap { a: crate_, b: drum }];
    let picture = studio.picture(0).unwrap();
    assert_eq!(count(&plain, is_red), 0);
    let seen = seen(&mut studio);
    for name in ["drum", "crate"] {
        let [r, g, b] = mean(&picture, &seen, |n| n == Some(name));
        assert!(r > 1.6 * g && r > 1.6 * b, "{name}: {r} {g} {b}");
    }
}

/// Returns the share of the pixels of a coarse grid that show neither the ground nor nothing.
fn share_of_parts(studio: &mut Studio) -> f64 {
    studio.picture(0).unwrap();
    let seen = seen(studio);
    let parts = seen.iter().filter(|s| s.1.as_deref().is_some_and(|n| n != "ground"));
    parts.count() as f64 / seen.len() as f64
}

#[test]
fn the_demo_s_tray_fills_most_of_the_picture() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("parts-tray");
    studio.picture(0).unwrap();
    let seen = seen(&mut studio);
    let tray: Vec<[u32; 2]> = seen.iter().filter(|s| s.1.as_deref() == Some("tray")).map(|s| s.0).collect();
    let side = |k: usize| {
        let (low, high) =
            (tray.iter().map(|p| p[k]).min().unwrap(), tray.iter().map(|p| p[k]).max().unwrap());
        f64::from(high - low) / f64::from(SIZE[k])
    };
    assert!(side(0) > 0.6 && side(1) > 0.6, "{} × {} of it", side(0), side(1));
}

#[test]
fn a_scene_is_framed_by_what_moves_and_not_by_its_ground() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    gltf::write(folder.path(), "box", &tumble::generate::cuboid(glam::Vec3::splat(0.1), 1.0));
    let path = folder.path().join("boxes.toml");
    let text = "[ground]\nsize = 1.5\n[[model]]\nfile = \"box.gltf\"\nposition = [0.3, 0.3, 0.0]\n\
                copies = { count = [3, 3, 1], spacing = [0.15, 0.15, 0.15] }\n";
    std::fs::write(&path, text).unwrap();
    let mut studio = studio(path.to_str().unwrap());
    let share = share_of_parts(&mut studio);
    assert!(share > 0.12, "{share}");
}

#[test]
fn contacts_and_boxes_are_drawn_in_their_colours() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("walk-through");
    let step = 4;
    let is_point = |[r, g, b]: [i32; 3]| r > 180 && g < 90 && b < 100;
    let is_force = |[r, g, b]: [i32; 3]| r > 220 && (150..230).contains(&g) && b < 120;
    let is_box = |[r, g, b]: [i32; 3]| b > r + 60 && b > g + 20;
    let plain = studio.picture(step).unwrap();
    assert!(studio.has_contacts());
    studio.app().options.contacts = true;
    let contacts = studio.picture(step).unwrap();
    assert!(count(&contacts, is_point) > count(&plain, is_point) + 20);
    assert!(count(&contacts, is_force) > count(&plain, is_force) + 5);
    studio.app().options = Options { boxes: true, ..Options::default() };
    let roots = studio.picture(step).unwrap();
    assert!(count(&roots, is_box) > count(&plain, is_box) + 100);
    studio.app().options.level = 6;
    let leaves = studio.picture(step).unwrap();
    assert!(count(&leaves, is_box) > count(&roots, is_box), "deeper boxes are more");
    studio.app().options = Options::default();
    assert!(differing(&studio.picture(step).unwrap(), &plain) <= 4, "and gone again");
}

#[test]
fn ground_lines_can_be_left_out() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("chain");
    let with = studio.picture(0).unwrap();
    studio.app().options.ground = false;
    let without = studio.picture(0).unwrap();
    assert!(differing(&with, &without) > 100);
}

#[test]
fn a_figure_is_drawn_as_its_skin_not_as_links() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("walk-through");
    studio.picture(0).unwrap();
    let app = studio.app();
    let stage = app.stage.as_ref().unwrap();
    assert!(stage.show.has_looks());
    let joined = |a: [glam::DVec3; 2], b: [glam::DVec3; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    let links =
        (0u32..).zip(&stage.show.scene.bodies).filter(|(_, b)| b.motion == tumble::body::Motion::Kinematic);
    let figure = links.filter_map(|(i, _)| stage.show.body_box(i, &stage.frame)).reduce(joined).unwrap();
    let aspect = app.aspect();
    app.camera.frame(figure.into_iter(), aspect);
    let skinned = studio.picture(0).unwrap();
    studio.app().options.look = Look::Colliding;
    let links = studio.picture(0).unwrap();
    assert!(differing(&skinned, &links) > 100, "{} pixels differ", differing(&skinned, &links));
}

#[test]
fn parts_look_other_than_what_collides_and_leave_no_trace() {
    if !can_draw(&[]) {
        return;
    }
    let mut studio = studio("walk-through");
    let looks = [Look::Colliding, Look::Components, Look::Simplified, Look::Colliding];
    let pictures = looks.map(|look| {
        studio.app().options.look = look;
        studio.picture(0).unwrap()
    });
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        let off = differing(&pictures[a], &pictures[b]);
        assert!(off > 100, "{:?} and {:?}: {off} pixels differ", looks[a], looks[b]);
    }
    assert_eq!(pictures[0], pictures[3]);
    let colors = |picture: &RgbaImage| count(picture, |[r, g, b]| r.max(g).max(b) - r.min(g).min(b) > 90);
    assert!(colors(&pictures[1]) > 2 * colors(&pictures[0]) + 100, "components are colourful");
}

#[test]
fn a_recording_looks_like_the_scene_it_was_made_from() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.tumble");
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(["run", "walk-through", "--steps", "24", "--record"])
        .arg(&path)
        .output()
        .unwrap();
    assert!(run.status.success());
    let mut recorded = studio(path.to_str().unwrap());
    assert_eq!(recorded.last_step(), Some(24));
    assert!(recorded.has_contacts());
    let mut live = studio("walk-through");
    assert_eq!(live.last_step(), None);
    for step in [24, 7] {
        let off = differing(&recorded.picture(step).unwrap(), &live.picture(step).unwrap());
        assert!(off <= 4, "step {step}: {off} pixels differ");
    }
    let error = recorded.picture(25).unwrap_err();
    assert!(matches!(error, PictureError::NoSuchStep { step: 25, last: 24 }), "{error}");
}

#[test]
fn a_picture_that_cannot_be_drawn_is_an_error_in_words() {
    if !can_draw(&[]) {
        return;
    }
    for size in [[0, 0], [0, 90], [160, 0], [100_000, 90], [160, 100_000]] {
        let error = Studio::new("chain", size, &PictureOptions::default()).err().unwrap();
        assert!(matches!(error, PictureError::Size { .. }), "{size:?}: {error}");
        let text = error.to_string();
        assert!(text.contains(&format!("{} × {}", size[0], size[1])), "{text}");
    }
    let error = Studio::new("nosuchscene", SIZE, &PictureOptions::default()).err().unwrap();
    assert!(error.to_string().contains("nosuchscene"), "{error}");
    let mut smallest = Studio::new("chain", [1, 1], &PictureOptions::default()).unwrap();
    assert_eq!(smallest.picture(0).unwrap().dimensions(), (1, 1));
}
