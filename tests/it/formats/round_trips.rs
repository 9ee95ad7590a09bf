//! Parts with odd names at odd positions, written and read again: the same parts, or a note on the
//! difference.

use glam::{DVec3, Vec3};
use tumble::convert::{Format, convert};
use tumble::generate::{cuboid, torus};
use tumble::import::{ReadAs, Unit, Up};
use tumble::mesh::Mesh;
use tumble::pose::Pose;
use tumble::random::Random;
use tumble::scene::{BodyDef, OpenAs, Scene, SceneName, load_scene};

use super::writers::write;
use crate::rounds::rounds;

const PIECES: [&str; 24] = [
    "a",
    "b",
    " ",
    "  ",
    "\\",
    "\\\\",
    "#",
    "/",
    ".2",
    "\u{a0}",
    "\u{3000}",
    "\"",
    "'",
    "ß",
    "solid",
    "endsolid",
    "o",
    "default",
    "-1",
    "_",
    "歯車",
    "{",
    "%20",
    "vertex 0 0 0",
];

fn pick(random: &mut Random, count: usize) -> usize {
    ((random.uniform() * count as f64) as usize).min(count - 1)
}

/// Returns a few parts that share some of their surfaces, of 1 mm to 1 m, up to 10 km from the origin.
fn parts(random: &mut Random) -> Scene {
    let mut scene = Scene::new("parts");
    let mut meshes = Vec::new();
    for name in ["a", "b"] {
        let size = 10f64.powf(-3.0 * random.uniform()) as f32;
        let (positions, triangles) = if random.uniform() < 0.5 {
            cuboid(Vec3::splat(size), size.into())
        } else {
            torus(size, 0.25 * size, 12, 8)
        };
        meshes.push(scene.add_mesh(Mesh::new(name, &positions, &triangles).unwrap()));
    }
    let far = [0.0, 0.1, 0.1, 1.0, 100.0, 1e4][pick(random, 6)];
    let mut names = Vec::new();
    while names.len() < 1 + pick(random, 5) {
        let name: String = (0..1 + pick(random, 4)).map(|_| PIECES[pick(random, PIECES.len())]).collect();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let mut body = BodyDef { name, ..BodyDef::fixed(&scene, meshes[pick(random, 2)]) };
        if random.uniform() < 0.8 {
            let position = far * DVec3::new(random.signed(), random.signed(), random.signed());
            body.pose = Pose { position, rotation: random.rotation() };
        }
        scene.add_body(body);
    }
    scene
}

/// Returns name, triangle count and volume of each part, in order.
fn summary(scene: &Scene) -> Vec<(String, usize, f64)> {
    let part = |body: &BodyDef| {
        let mesh = &scene.meshes[body.mesh? as usize];
        Some((body.name.clone(), mesh.triangles().len(), mesh.surface().volume.volume))
    };
    scene.bodies.iter().filter_map(part).collect()
}

#[test]
fn odd_names_and_places_come_back_or_the_difference_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(7, 0);
    let (mut same, mut said) = (0, 0);
    for round in 0..rounds(1000) {
        let scene = parts(&mut random);
        let format = [Format::Obj, Format::Stl, Format::Glb][round % 3];
        let name = ["parts.obj", "parts.stl", "parts.glb"][round % 3];
        let origin = scene.bodies[0].pose.position;
        let origin = if random.uniform() < 0.5 { DVec3::ZERO } else { origin };
        let converted = convert(&scene, format, origin).unwrap();
        let path = write(folder.path(), name, &converted.bytes);
        let units = if format == Format::Glb { (None, None) } else { (Some(Unit::Meter), Some(Up::Y)) };
        let read_as = ReadAs { unit: units.0, up: units.1, ..ReadAs::default() };
        let wanted =
            SceneName { read_as, open_as: Some(OpenAs::Designed), ..SceneName::from(path.to_str().unwrap()) };
        let is_said = |what: &str| converted.lost.iter().any(|lost| lost.contains(what));
        let is_blurred = is_said("detail far from the origin");
        let again = match load_scene(wanted, None) {
            Ok(again) => again,
            Err(error) => {
                assert!(is_blurred && error.to_string().contains("area"), "{round}: {error}");
                continue;
            }
        };
        let (before, after) = (summary(&scene), summary(&again));
        if is_blurred {
            said += 1;
            continue;
        }
        assert_eq!(before.len(), after.len(), "{round}: {before:?} {after:?}");
        for (a, b) in before.iter().zip(&after) {
            let is_named = a.0 == b.0
                || is_said("names that a line of text does not keep")
                || is_said("the part's name");
            assert!(is_named, "{round}: {:?} is {:?}: {:?}", a.0, b.0, converted.lost);
            assert_eq!(a.1, b.1, "{round}: triangles of {:?}", a.0);
            assert!((a.2 - b.2).abs() <= 1e-3 * a.2, "{round}: volumes {} and {} of {:?}", a.2, b.2, a.0);
        }
        same += 1;
    }
    assert!(same > said && said > 0, "{same} came back, of {said} the difference was said");
}

#[test]
fn near_an_origin_of_its_own_a_small_part_keeps_its_detail() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = Scene::new("far");
    let (positions, triangles) = cuboid(Vec3::splat(1e-3), 1e-3);
    let mesh = scene.add_mesh(Mesh::new("pin", &positions, &triangles).unwrap());
    let place = DVec3::new(1000.0, 0.25, 0.0);
    let body = BodyDef { name: "pin".to_owned(), ..BodyDef::fixed(&scene, mesh) };
    scene.add_body(body.at(place));
    for format in [Format::Obj, Format::Stl] {
        let converted = convert(&scene, format, DVec3::ZERO).unwrap();
        let said = converted.lost.iter().find(|lost| lost.contains("detail far from the origin")).unwrap();
        assert!(said.contains("1 parts") && said.contains("e-5 m"), "{said}");
        let converted = convert(&scene, format, place).unwrap();
        assert!(!converted.lost.iter().any(|lost| lost.contains("detail")), "{:?}", converted.lost);
        assert!(converted.lost.iter().any(|lost| lost.contains("relative to (1000, 0.25, 0) m")));
        let name = if format == Format::Obj { "pin.obj" } else { "pin.stl" };
        let path = write(folder.path(), name, &converted.bytes);
        let read_as = ReadAs { unit: Some(Unit::Meter), up: Some(Up::Y), ..ReadAs::default() };
        let again =
            load_scene(SceneName { read_as, ..SceneName::from(path.to_str().unwrap()) }, None).unwrap();
        let volume = again.meshes[again.bodies[0].mesh.unwrap() as usize].surface().volume.volume;
        assert!((volume / 1e-9 - 1.0).abs() < 1e-6, "{volume}");
    }
}
