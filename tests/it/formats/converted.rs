//! A converted file equals the opened one: the same surfaces at the same poses, and a list of the
//! losses.

use std::path::Path;

use glam::{DVec3, Vec3};
use tumble::convert::{Format, Opened, convert, scene_file};
use tumble::import::{Colliders, JointMotion};
use tumble::scene::{OpenAs, Scene, SceneName, load_scene};
use tumble::world::World;

use super::robots::arm;
use super::writers::{obj, stl_binary, torus, write};

fn open(path: &Path) -> Scene {
    load_scene(path.to_str().unwrap(), None).unwrap()
}

fn hash_after(scene: &Scene, step_count: u32) -> u64 {
    let mut world = World::new(scene).unwrap();
    for _ in 0..step_count {
        world.step();
    }
    world.state_hash()
}

#[test]
fn surfaces_are_the_same_in_every_format_and_move_alike() {
    let folder = tempfile::tempdir().unwrap();
    let parts = [0.0, 1.0].map(|x| torus(&format!("ring{x}"), Vec3::new(x, 0.5, 0.0), 0.3, 0.1, 16, 8));
    let scene = open(&write(folder.path(), "rings.obj", obj(&parts, false)));
    for (format, name) in [(Format::Glb, "rings.glb"), (Format::Stl, "rings.stl"), (Format::Obj, "again.obj")]
    {
        let converted = convert(&scene, format, DVec3::ZERO).unwrap();
        assert!(converted.lost.is_empty(), "{:?}", converted.lost);
        let again = open(&write(folder.path(), name, converted.bytes));
        let names = |scene: &Scene| scene.bodies.iter().map(|b| b.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&again), names(&scene));
        assert_eq!(hash_after(&again, 60), hash_after(&scene, 60), "{name}");
    }
    let one = open(&write(folder.path(), "one.stl", stl_binary(&parts[0], "")));
    let converted = convert(&one, Format::Stl, DVec3::ZERO).unwrap();
    assert_eq!(converted.lost, ["the part's name: binary STL has none"]);
    assert_eq!(
        hash_after(&open(&write(folder.path(), "one.stl", converted.bytes)), 60),
        hash_after(&one, 60)
    );
}

#[test]
fn a_robot_is_written_as_it_stands_and_what_is_lost_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let scene = open(&arm(folder.path()));
    let converted = convert(&scene, Format::Glb, DVec3::ZERO).unwrap();
    let lost = ["1 bodies without a surface", "4 joints", "4 masses", "1,152 triangles that are drawn"];
    for what in lost {
        assert!(converted.lost.iter().any(|l| l.starts_with(what)), "{what}: {:?}", converted.lost);
    }
    let again = open(&write(folder.path(), "arm.glb", converted.bytes));
    for body in again.bodies.iter().filter(|b| !b.is_ground) {
        let was = scene.bodies.iter().find(|b| b.name == body.name).unwrap();
        assert!(was.pose.position.distance(body.pose.position) < 1e-6);
        assert!(was.pose.rotation.angle_between(body.pose.rotation) < 1e-6);
    }
}

#[test]
fn a_scene_file_opens_the_model_as_it_was_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = arm(folder.path());
    let mut name = SceneName { open_as: Some(OpenAs::FixedBase), ..SceneName::from(path.to_str().unwrap()) };
    name.read_as.pose = vec![("shoulder".to_owned(), 0.25)];
    let scene = load_scene(name.clone(), None).unwrap();
    let text = scene_file(&scene, &Opened { name: &name, file: "arm/arm.urdf".to_owned(), joints: None });
    let again = open(&write(folder.path(), "arm.toml", text));
    assert_eq!(hash_after(&again, 30), hash_after(&scene, 30));
    // With a table that moves its joints.
    let table = write(folder.path(), "arm.csv", "time,elbow\n0,0.3\n0.4,1\n");
    name.read_as.joints = Some(JointMotion { path: table, speed: 1.0, looped: false });
    let scene = load_scene(name.clone(), None).unwrap();
    let (file, joints) = ("arm/arm.urdf".to_owned(), Some("arm.csv".to_owned()));
    let text = scene_file(&scene, &Opened { name: &name, file, joints });
    let moved = open(&write(folder.path(), "arm.toml", text));
    assert_eq!(hash_after(&moved, 30), hash_after(&scene, 30));
    assert_ne!(hash_after(&moved, 30), hash_after(&again, 30));
    // With the drawn geometry as the colliding one.
    name.read_as.colliders = Colliders::Drawn;
    let scene = load_scene(name.clone(), None).unwrap();
    let (file, joints) = ("arm/arm.urdf".to_owned(), Some("arm.csv".to_owned()));
    let text = scene_file(&scene, &Opened { name: &name, file, joints });
    assert!(text.contains("\ncolliders = \"drawn\"\n"), "{text}");
    let drawn = open(&write(folder.path(), "arm.toml", text));
    let solid = |scene: &Scene| scene.bodies.iter().map(|b| b.mesh.is_some()).collect::<Vec<_>>();
    assert_eq!(solid(&drawn), solid(&scene));
    assert_ne!(solid(&drawn), solid(&moved));
    // Parts fixed as designed, and parts that drop.
    let ring = torus("ring", Vec3::Y, 300.0, 100.0, 16, 8);
    let path = write(folder.path(), "ring.stl", stl_binary(&ring, ""));
    for open_as in [OpenAs::Designed, OpenAs::Drop] {
        let name = SceneName { open_as: Some(open_as), ..SceneName::from(path.to_str().unwrap()) };
        let scene = load_scene(name.clone(), None).unwrap();
        let text = scene_file(&scene, &Opened { name: &name, file: "ring.stl".to_owned(), joints: None });
        let again = open(&write(folder.path(), "ring.toml", text));
        assert_eq!(again.bodies.len(), scene.bodies.len());
        for (body, was) in again.bodies.iter().zip(&scene.bodies) {
            assert_eq!((&body.name, body.motion, body.is_ground), (&was.name, was.motion, was.is_ground));
            assert!((body.pose.position.y - was.pose.position.y).abs() < 1e-12);
        }
    }
}

#[test]
fn a_scene_file_plays_the_animation_that_the_model_played() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/walker.glb");
    let name = SceneName::from(path.to_str().unwrap());
    let scene = load_scene(name.clone(), None).unwrap();
    let file = path.display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let text = scene_file(&scene, &Opened { name: &name, file, joints: None });
    let again = open(&write(folder.path(), "walker.toml", text));
    assert!(scene.skeletons[0].motion.looped);
    assert_eq!(hash_after(&again, 30), hash_after(&scene, 30));
}

#[test]
fn options_for_models_are_refused_for_scenes() {
    let mut name = SceneName::from("chain");
    assert!(load_scene(name.clone(), None).is_ok());
    name.read_as.unit = Some(tumble::import::Unit::Millimeter);
    let error = load_scene(name, None).unwrap_err().to_string();
    assert!(error.starts_with("chain: is no model: --unit"), "{error}");
}
