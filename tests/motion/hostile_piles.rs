//! Piles of bodies at one position. The number of pairs grows with the square of the number of bodies:
//! a scene with too many is refused with a message, and a few overlapping parts are searched as usual.

use std::fs;
use std::process::{Command, Output};

use glam::{DMat3, DVec3, Vec3};
use serde_json::Value;
use tumble::body::Motion;
use tumble::config::Budget;
use tumble::contact::STEP_EFFORT;
use tumble::generate::{self, Triangles};
use tumble::random::Random;
use tumble::scene::Scene;
use tumble::tree::TreeKind;
use tumble::world::World;

use crate::common::{add_body, add_floor, add_mesh, scene};

fn cube() -> Triangles {
    generate::cuboid(Vec3::splat(0.1), 1.0)
}

/// Returns a scene of `count` bodies that share one surface and one position.
fn pile(surface: &Triangles, count: usize) -> Scene {
    let mut scene = scene("pile");
    let mesh = add_mesh(&mut scene, "part", surface);
    for _ in 0..count {
        add_body(&mut scene, mesh, Motion::Dynamic, DVec3::ZERO);
    }
    scene
}

/// Runs the program for two steps on a scene file with the given text.
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

/// Runs copies of a gear inside each other, as if the spacing had been forgotten. Their overlap is
/// searched as usual.
#[test]
fn a_few_copies_in_one_place_are_searched_as_ever() {
    let output = run("[[model]]\nfile = \"parts.glb\"\nnodes = [\"gear_small\"]\n\
                      position = [0, 0.5, 0]\ncopies = { count = [3, 1, 1], spacing = [0, 0, 0] }\n[ground]\n");
    assert_eq!(output.status.code(), Some(0));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["counts"]["intersections"]["max"].as_u64().unwrap() > 1000);
}

/// Returns random triangles, each as large as the space that they fill.
fn soup(count: u32) -> Triangles {
    let mut random = Random::new(5, 0);
    let mut corner = || DVec3::new(random.signed(), random.signed(), random.signed()).as_vec3();
    let corners = (0..3 * count).map(|_| corner()).collect();
    (corners, (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect())
}

/// Returns a fan of slivers about one point, in folds, so that it is no flat face with other diagonals. Every
/// triangle touches every triangle of another fan at the same point.
fn fan(count: u32) -> Triangles {
    let rim = |k: u32| {
        let angle = std::f32::consts::TAU * k as f32 / count as f32;
        Vec3::new(angle.cos(), 0.02 * (k % 2) as f32, angle.sin())
    };
    let corners = std::iter::once(Vec3::ZERO).chain((0..count).map(rim)).collect();
    (corners, (0..count).map(|k| [0, 1 + k, 1 + (k + 1) % count]).collect())
}

/// Tests pairs whose millions of deep features once kept a step from ending. Such a pair keeps its old
/// contacts with every hierarchy, and is searched as usual once its bodies are apart.
#[test]
fn surfaces_that_touch_in_too_many_places_are_held_counted_and_named() {
    let end = |surface: &Triangles, kind: TreeKind| {
        let mut scene = pile(surface, 2);
        scene.config.tree = kind.into();
        for body in &mut scene.bodies {
            (body.mass, body.inertia) = (1.0, DMat3::IDENTITY);
        }
        let mut world = World::new(&scene).unwrap();
        world.step();
        world.step();
        assert_eq!((world.counts().crowded, world.counts().contacts), (world.counts().passes, 0));
        let [crowded] = &world.incidents().crowded_pairs[..] else { panic!("{:?}", world.incidents()) };
        assert_eq!((crowded.first_step, crowded.last_step, crowded.step_count), (1, 2, 2));
        assert_eq!((&*crowded.a_name, &*crowded.b_name), ("part.0", "part.1"));
        let hash = world.state_hash();
        world.bodies_mut().states[1].pose.position += 100.0 * DVec3::X;
        world.step();
        assert_eq!(world.counts().crowded, 0);
        hash
    };
    let hashes = [TreeKind::Boxtree8, TreeKind::Aabb, TreeKind::OBB].map(|kind| end(&soup(700), kind));
    assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{hashes:x?}");
    end(&fan(20_000), TreeKind::Boxtree8);
}

/// Runs a soup that falls fast in several passes per step; one as a trigger, which needs only one
/// intersection; and one under a budget, which ends the search before it takes too long. All end and
/// report their results.
#[test]
fn crowded_pairs_end_in_many_passes_as_triggers_and_under_a_budget() {
    let soups = |steps: u32, change: &dyn Fn(&mut Scene)| {
        let mut scene = pile(&soup(700), 2);
        scene.config.threads = 1;
        for body in &mut scene.bodies {
            (body.mass, body.inertia) = (1.0, DMat3::IDENTITY);
        }
        change(&mut scene);
        let mut world = World::new(&scene).unwrap();
        (0..steps).for_each(|_| _ = world.step());
        world
    };
    // Only one step, because in the next one the tunneling guard has already stopped the soup.
    let fast = soups(1, &|scene| scene.bodies[0].linear_velocity = 20.0 * DVec3::X);
    assert!(fast.counts().passes > 1 && fast.counts().crowded > 0, "{:?}", fast.counts());
    let [pair] = &fast.incidents().crowded_pairs[..] else { panic!("{:?}", fast.incidents()) };
    assert_eq!((pair.step_count, pair.is_too_much), (1, true));

    let trigger = soups(2, &|scene| scene.bodies[0].trigger = true);
    assert!(trigger.pairs()[0].judged.is_intersecting && trigger.pairs()[0].contacts.is_empty());
    assert_eq!(trigger.incidents().crowded_pairs, [], "that they intersect is all that is asked");

    let tests = Some(10_000);
    let limited = soups(2, &|scene| scene.config.budget = Some(Budget { tests, ..Budget::default() }));
    assert!(limited.counts().units_used < 100_000, "{:?}", limited.counts());
    assert!(limited.bodies().states.iter().all(|state| state.pose.position.is_finite()));
}

/// Runs a pile in which no single pair exceeds its limit, but all pairs together exceed the limit of a
/// step.
#[test]
fn pairs_that_a_step_has_no_time_for_are_held_and_the_next_goes_on_with_them() {
    let run = |kind: TreeKind, threads: u32| {
        let mut scene = pile(&soup(40), 18);
        (scene.config.tree, scene.config.threads) = (kind.into(), threads);
        for (k, body) in scene.bodies.iter_mut().enumerate() {
            (body.mass, body.inertia) = (1.0, DMat3::IDENTITY);
            // Fast enough that no pair's contacts are only recycled.
            body.linear_velocity = DVec3::X * 0.01 * k as f64;
        }
        let mut world = World::new(&scene).unwrap();
        world.limit_effort(STEP_EFFORT >> 5);
        let mut step = || {
            world.step();
            let crowded = world
                .pairs()
                .iter()
                .filter(|pair| pair.judged.crowding.is_some())
                .map(|pair| (pair.a, pair.b));
            (world.counts().effort, crowded.collect::<Vec<_>>(), world.state_hash())
        };
        let steps = [step(), step()];
        let [left, still] = steps.each_ref().map(|(_, crowded, _)| crowded);
        assert!(left.len() < world.pairs().len() && still.len() < left.len(), "{left:?}, {still:?}");
        assert!(!still.is_empty() && !still.contains(&left[0]), "the first that was left is the next");
        let crowded = &world.incidents().crowded_pairs;
        assert!(crowded.len() >= left.len() && crowded.iter().all(|pair| !pair.is_too_much), "{crowded:?}");
        steps
    };
    assert!(run(TreeKind::Boxtree8, 1) == run(TreeKind::OBB, 3));
}
