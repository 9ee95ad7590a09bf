//! Sections: pictures of cut parts, clicks into the cut, and the areas.
#![cfg(feature = "viewer")]

use egui::Key;
use egui_kittest::kittest::Queryable;
use glam::{DVec2, DVec3, Vec3};
use image::RgbaImage;
use tumble::generate;
use tumble::query::Plane;
use tumble::scene::{CameraDef, OpenAs, SceneName};
use tumble::viewer::{PictureOptions, Studio};

use crate::gltf;
use crate::graphics::can_draw;
use crate::panels::design;

const SIZE: [u32; 2] = [640, 480];

/// Returns whether a pixel has the color of a cut, sRGB.
fn is_cap(pixel: &image::Rgba<u8>) -> bool {
    [242i32, 148, 61].iter().zip(pixel.0).all(|(want, is)| (want - i32::from(is)).abs() < 4)
}

/// Returns a picture of a single part, cut by a plane, from an eye; and for each pixel the intersection
/// of its ray with the plane.
fn cut(
    triangles: &generate::Triangles,
    plane: Plane,
    eye: DVec3,
) -> (RgbaImage, impl Fn(u32, u32) -> Option<DVec3>) {
    let folder = tempfile::tempdir().unwrap();
    let path = gltf::write(folder.path(), "part", triangles);
    let camera = CameraDef { eye, target: DVec3::ZERO, vertical_fov: 40.0 };
    let mut wanted = PictureOptions { camera: Some(camera), ..PictureOptions::default() };
    wanted.options.section = Some(plane);
    wanted.options.ground = false;
    let name = path.to_str().unwrap().to_owned();
    let name = SceneName { name, otherwise: OpenAs::Designed, ..SceneName::default() };
    let mut studio = Studio::new(name, SIZE, &wanted).unwrap();
    let picture = studio.picture(0).unwrap();
    let camera = studio.app().camera;
    let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
    let at_plane = move |x: u32, y: u32| {
        let share = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5) / DVec2::from(SIZE.map(f64::from));
        let ray = camera.direction(DVec2::new(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y), aspect);
        let away = -plane.height(camera.eye()) / plane.normal.dot(ray);
        (away > 0.0).then(|| camera.eye() + away * ray)
    };
    (picture, at_plane)
}

/// Returns whether a pixel has the color of the line around a cut, mixed with that of the cut or not.
fn is_line(pixel: &image::Rgba<u8>) -> bool {
    pixel[0] < 240 && pixel[0] > pixel[2] + 10
}

/// Width of the line around a cut inside it, m: two and a half pixels.
const LINE: f64 = 0.012;

/// Asserts that a picture shows the cut exactly where a point of the plane is in the part. `inside`
/// returns the depth, m, negative outside.
fn judge(picture: &RgbaImage, at_plane: impl Fn(u32, u32) -> Option<DVec3>, inside: impl Fn(DVec3) -> f64) {
    let (mut right, mut all, mut wrong) = (0, 0, 0);
    for (x, y, pixel) in picture.enumerate_pixels() {
        let depth = at_plane(x, y).map_or(f64::NEG_INFINITY, &inside);
        // A pixel and a half are 5 mm here.
        if depth > 0.0 {
            all += 1;
            right += usize::from(is_cap(pixel) || depth < LINE && is_line(pixel));
        } else if depth < -0.01 {
            wrong += usize::from(is_cap(pixel));
        }
    }
    assert!(all > 5000, "{all} pixels");
    assert!(right as f64 >= 0.99 * all as f64, "{right} of {all} pixels of the cut");
    assert_eq!(wrong, 0, "pixels beside the cut have its colour");
}

#[test]
fn a_cube_that_is_cut_shows_its_cut_in_one_colour_and_nothing_of_the_other_half() {
    if !can_draw(&[]) {
        return;
    }
    let cube = generate::cuboid(Vec3::ONE, 1.0);
    let eye = DVec3::new(1.5, 1.0, 2.6);
    for plane in [
        Plane::through(DVec3::Z * 0.1, DVec3::Z),
        Plane::through(DVec3::ZERO, DVec3::new(1.0, 0.3, 0.9)),
        Plane::through(DVec3::X * 0.37, DVec3::X),
    ] {
        let (picture, at_plane) = cut(&cube, plane, eye);
        judge(&picture, at_plane, |p| 0.5 - p.abs().max_element());
    }
    let (picture, _) = cut(&cube, Plane::through(DVec3::X * 3.0, DVec3::X), eye);
    assert_eq!(picture.pixels().filter(|p| is_cap(p)).count(), 0, "a plane outside cuts nothing");
    let (empty, _) = cut(&cube, Plane::through(DVec3::X * -3.0, DVec3::X), eye);
    let (other, _) = cut(&cube, Plane::through(DVec3::Y * -3.0, DVec3::Y), eye);
    assert!(empty == other && empty != picture, "all of the part is cut away");
}

/// Returns a tube with an outer and an inner radius and a height of 1, about y, with `sides` sides.
fn tube(radii: [f32; 2], sides: u32) -> generate::Triangles {
    let mut positions = Vec::new();
    for (radius, height) in [(radii[0], -0.5), (radii[0], 0.5), (radii[1], 0.5), (radii[1], -0.5)] {
        for side in 0..sides {
            let angle = side as f32 * std::f32::consts::TAU / sides as f32;
            positions.push(Vec3::new(radius * angle.cos(), height, -radius * angle.sin()));
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..4 {
        for side in 0..sides {
            let at = |ring: u32, side: u32| ring % 4 * sides + side % sides;
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    (positions, triangles)
}

#[test]
fn a_tube_that_is_cut_shows_a_ring() {
    if !can_draw(&[]) {
        return;
    }
    let tube = tube([0.5, 0.3], 96);
    let (picture, at_plane) = cut(&tube, Plane::through(DVec3::Y * 0.2, DVec3::Y), DVec3::new(0.6, 2.8, 0.9));
    // The wall of 96 flat sides is thinner by a thousandth.
    judge(&picture, at_plane, |p| {
        let radius = p.with_y(0.0).length();
        (0.4995 - radius).min(radius - 0.3)
    });
}

#[test]
fn a_click_into_a_cut_selects_what_is_seen_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = design::open(folder.path());
    let camera =
        CameraDef { eye: DVec3::new(0.6, 0.9, 5.0), target: DVec3::new(0.6, 0.6, 0.5), vertical_fov: 40.0 };
    bench.app().look_from(&camera);
    // All of the post is in front of it.
    bench.app().options.section = Some(Plane::through(DVec3::Z * 0.5, DVec3::Z));
    bench.harness.run_steps(2);
    let names = |bench: &mut crate::panels::Bench, point: DVec3| {
        let (camera, aspect) = (bench.app().camera, bench.app().aspect());
        let seen = camera.project(point, aspect).unwrap();
        let hit = bench.app().pick(seen)?;
        let name = bench.app().stage.as_ref().unwrap().show.scene.bodies[hit.body as usize].name.clone();
        Some((name, hit.point))
    };
    let (name, point) = names(&mut bench, DVec3::new(0.5, 0.4, 0.5)).unwrap();
    assert_eq!(name, "base");
    assert!((point.z - 0.5).abs() < 1e-9, "the click meets the cut itself: {point}");
    assert_eq!(names(&mut bench, DVec3::new(0.3, 1.3, 0.5)).unwrap().0, "lid");
    assert!(names(&mut bench, DVec3::new(1.35, 0.5, 0.5)).is_some_and(|(name, _)| name == "post"));
    bench.key(Key::U);
    assert!(names(&mut bench, DVec3::new(1.35, 0.5, 0.1)).is_none(), "the post is cut away");
}

#[test]
fn a_section_has_the_area_of_every_part_and_keys_turn_it_round() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = design::open(folder.path());
    bench.key(Key::O);
    let plane = bench.app().options.section.unwrap();
    assert_eq!(plane.normal.abs().max_element(), 1.0, "along an axis");
    let eye = bench.app().camera.eye();
    assert!(plane.height(eye) > 0.0, "the half at the eye's side is taken away");
    bench.app().options.section = Some(Plane { normal: DVec3::Y, offset: 0.97 });
    // Sections are drawn with the picture.
    let mut drawing = Default::default();
    bench.app().draw(&mut drawing);
    bench.harness.run_steps(2);
    bench.harness.get_by_label("1 m²  base");
    bench.harness.get_by_label("1 m²  lid");
    bench.harness.get_by_label("40\u{202f}000 mm²  post");
    bench.harness.get_by_label("2.04 m²");
    bench.key(Key::U);
    assert_eq!(bench.app().options.section.unwrap().offset, -0.97);
    bench.key(Key::O);
    assert_eq!(bench.app().options.section, None);
}
