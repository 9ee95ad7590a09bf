//! Things in one place, whose pairs grow with the square of their number: too many are refused by name, and what
//! parts that overlap really need is looked at as ever.

mod common;

use std::fs;
use std::process::{Command, Output};

use glam::{DVec3, Vec3};
use serde_json::Value;
use tumble::body::Motion;
use tumble::mesh::generate::{self, Triangles};
use tumble::scene::Scene;
use tumble::world::World;

use common::{add_body, add_floor, add_mesh, scene};

fn cube() -> Triangles {
    generate::cuboid(Vec3::splat(0.1), 1.0)
}

/// Bodies of one surface, all in one place.
fn pile(surface: &Triangles, count: usize) -> Scene {
    let mut scene = scene("pile");
    let mesh = add_mesh(&mut scene, "part", surface);
    for _ in 0..count {
        add_body(&mut scene, mesh, Motion::Dynamic, DVec3::ZERO);
    }
    scene
}

fn run(text: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pile.toml");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/chain.glb"), folder.path().join("chain.glb"))
        .unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/parts.glb"), folder.path().join("parts.glb"))
        .unwrap();
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    Command::new(env!("CARGO_BIN_EXE_tumble")).args(["run", path, "--steps", "2", "--json"]).output().unwrap()
}

#[test]
fn a_thousand_bodies_in_one_place_are_refused_by_name() {
    for count in [1000, 50_000] {
        let refused = World::new(&pile(&cube(), count)).err().unwrap().to_string();
        assert!(refused.starts_with("too many bodies lie in one place"), "{refused}");
        assert!(
            refused.contains(if count == 1000 {
                "more than 42,000 pairs"
            } else {
                "more than 1,610,000 pairs"
            }),
            "{refused}"
        );
        assert!(refused.contains("\"part.") && refused.contains("copies need a spacing"), "{refused}");
    }
    let copies = "[[model]]\nfile = \"chain.glb\"\nnodes = [\"link\"]\n\
                  copies = { count = [3000, 1, 1], spacing = [0, 0, 0] }\n";
    for text in [copies.to_owned(), "[[model]]\nfile = \"chain.glb\"\nnodes = [\"link\"]\n".repeat(2000)] {
        let output = run(&text);
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("error: too many bodies lie in one place"), "{message}");
    }
}

#[test]
fn many_bodies_apart_and_some_that_overlap_are_no_crowd() {
    let mut scene = scene("grid");
    let mesh = add_mesh(&mut scene, "part", &cube());
    for at in 0..2000 {
        let place = DVec3::new(f64::from(at % 50), f64::from(at / 50 % 10), f64::from(at / 500)) * 0.1;
        add_body(&mut scene, mesh, Motion::Dynamic, place);
    }
    add_floor(&mut scene, 100.0);
    assert!(World::new(&scene).is_ok(), "all touch their neighbours");
    let mut world = World::new(&pile(&cube(), 40)).unwrap();
    world.step();
    assert!(world.counts().intersections > 0);
}

/// Copies of a gear in each other are what a forgotten spacing makes: they overlap, are held, and told.
#[test]
fn a_few_copies_in_one_place_are_searched_as_ever() {
    let output = run("[[model]]\nfile = \"parts.glb\"\nnodes = [\"gear_small\"]\n\
                      copies = { count = [3, 1, 1], spacing = [0, 0, 0] }\n[ground]\n");
    assert_eq!(output.status.code(), Some(0));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["counts"]["intersections"]["max"].as_u64().unwrap() > 1000);
}
