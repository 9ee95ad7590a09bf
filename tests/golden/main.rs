//! Kinds and threads change the timings, never the motion: every combination gives the same state hash after
//! every step of the same scene. What scenes come to in the end is pinned.

#[path = "../common/mod.rs"]
mod common;
mod pins;
mod scenes;

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};
use tumble::articulation::LinkTreeKind;
use tumble::body::Motion;
use tumble::broad::BroadPhaseKind;
use tumble::config::Config;
use tumble::generate;
use tumble::plan::TreePlan;
use tumble::random::Random;
use tumble::scene::{Scene, builtin_scenes, load_scene};
use tumble::tree::TreeKind;
use tumble::world::World;

fn hashes(scene: &Scene, config: Config, steps: u32) -> Vec<u64> {
    let scene = Scene { config, ..scene.clone() };
    let mut world = World::new(&scene).unwrap();
    (0..steps)
        .map(|_| {
            world.step();
            world.state_hash()
        })
        .collect()
}

fn scene(name: &str) -> Scene {
    load_scene(name, None).unwrap()
}

/// Compares step by step and names the first that differs.
fn assert_same(what: &str, expected: &[u64], found: &[u64]) {
    let differs = expected.iter().zip(found).position(|(e, f)| e != f);
    assert_eq!(differs, None, "{what}: first step that differs");
    assert_eq!(expected.len(), found.len());
}

/// With the settings that a user gets.
#[test]
fn scenes_end_as_they_are_pinned() {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for builtin in builtin_scenes() {
        found.insert(builtin.name.to_owned(), pins::hash(&scene(builtin.name)));
    }
    found.extend(scenes::generated().into_iter().map(|scene| (scene.name.clone(), pins::hash(&scene))));
    pins::settle(&found);
}

/// Every hierarchy, plain and guided, and every number of threads, each on some of the scenes.
#[test]
fn no_kind_ends_otherwise_than_is_pinned() {
    let (pinned, scenes) = (pins::read(), scenes::generated());
    let plans = TreePlan::all().filter(|plan| plan.kind != TreeKind::BruteForce);
    for (k, tree) in plans.enumerate() {
        let mut scene = scenes[k % scenes.len()].clone();
        (scene.config.tree, scene.config.threads) = (tree, 1 + k as u32 % 3);
        assert_eq!(pins::hash(&scene), pinned[&scene.name], "{}: {tree:?}", scene.name);
    }
}

#[test]
fn threads_do_not_change_the_motion() {
    for (name, steps) in [("chain", 300), ("walk-through", 60), ("ragdolls", 90), ("parts-tray", 40)] {
        let scene = scene(name);
        let with = |threads| Config { threads, ..scene.config.clone() };
        let expected = hashes(&scene, with(1), steps);
        for threads in [2, 3, 8] {
            assert_same(
                &format!("{name}, {threads} threads"),
                &expected,
                &hashes(&scene, with(threads), steps),
            );
        }
    }
}

#[test]
fn broad_phases_and_link_trees_do_not_change_the_motion() {
    for (name, steps) in [("chain", 120), ("walk-through", 60), ("ragdolls", 60), ("parts-tray", 40)] {
        let scene = scene(name);
        let expected = hashes(&scene, scene.config.clone(), steps);
        for broad in BroadPhaseKind::ALL {
            let config = Config { broad, ..scene.config.clone() };
            assert_same(&format!("{name}, {}", broad.name()), &expected, &hashes(&scene, config, steps));
        }
        for links in LinkTreeKind::ALL {
            let config = Config { links, ..scene.config.clone() };
            assert_same(&format!("{name}, {}", links.name()), &expected, &hashes(&scene, config, steps));
        }
    }
}

/// Brute force looks at every triangle pair in every pass, so it judges a few small meshes that meet.
#[test]
fn trees_do_not_change_the_motion() {
    let mut scene = common::scene("small");
    common::add_floor(&mut scene, 3.0);
    let torus = common::add_mesh(&mut scene, "torus", &generate::torus(0.3, 0.1, 16, 8));
    let cube = common::add_mesh(&mut scene, "box", &generate::cuboid(Vec3::splat(0.2), 0.1));
    for (mesh, height) in [(torus, 0.42), (cube, 1.0), (torus, 1.5)] {
        let place = DVec3::new(0.05 * height, height, 0.02);
        common::add_body(&mut scene, mesh, Motion::Dynamic, place);
    }
    let expected = hashes(&scene, scene.config.clone(), 60);
    assert!(expected.windows(2).all(|w| w[0] != w[1]), "nothing moves");
    for tree in TreeKind::ALL {
        let config = Config { tree: tree.into(), ..scene.config.clone() };
        assert_same(tree.name(), &expected, &hashes(&scene, config, 60));
    }
}

/// Fine teeth and threads, slivers, and bodies that start inside each other: what is far from the margin for
/// one hierarchy's volumes is near for another's.
#[test]
fn gears_nuts_and_slivers_move_alike_under_every_kind() {
    let mut scene = common::scene("gears");
    common::add_floor(&mut scene, 1.0);
    let parts = load_scene(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/parts.glb"), None).unwrap();
    let mut meshes: Vec<u32> = Vec::new();
    for name in ["gear_small", "nut"] {
        let mesh = parts.bodies.iter().find(|b| b.name == name).unwrap().mesh.unwrap();
        scene.meshes.push(parts.meshes[mesh as usize].clone());
        meshes.push(scene.meshes.len() as u32 - 1);
    }
    let slab = scenes::with_slivers(generate::cuboid(Vec3::new(0.06, 0.02, 0.04), 0.005));
    meshes.push(common::add_mesh(&mut scene, "slivers", &slab));
    let mut random = Random::new(3, 0);
    for k in 0..4 {
        let offset = 0.004 * DVec3::new(random.signed(), random.signed(), random.signed());
        let place = DVec3::new(0.012 * f64::from(k % 3), 0.03 + 0.012 * f64::from(k), 0.0) + offset;
        let body = common::add_body(&mut scene, meshes[k as usize % 3], Motion::Dynamic, place);
        scene.bodies[body].pose.rotation = random.rotation();
    }
    let steps = 6;
    let expected = hashes(&scene, scene.config.clone(), steps);
    for tree in TreeKind::ALL.into_iter().filter(|tree| *tree != TreeKind::BruteForce) {
        let config = Config { tree: tree.into(), ..scene.config.clone() };
        assert_same(tree.name(), &expected, &hashes(&scene, config, steps));
    }
}
