//! Kinds of hierarchies and numbers of threads change the timings, never the motion: every combination
//! gives the same state hash after every step of a scene. The final states of scenes are pinned.

mod pins;
mod scenes;

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

use crate::common;

/// Returns the state hash after each step of a scene under a configuration.
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

/// Compares the hashes of every step and reports the first step that differs.
fn assert_same(what: &str, expected: &[u64], found: &[u64]) {
    let differs = expected.iter().zip(found).position(|(e, f)| e != f);
    assert_eq!(differs, None, "{what}: first step that differs");
    assert_eq!(expected.len(), found.len());
}

/// Generates one test per scene, so that the tests run in parallel. A scene has the settings that a
/// user gets.
macro_rules! scenes_end_as_pinned {
    ($($name:ident)*) => {
        mod ends {
            $(#[test]
            fn $name() {
                super::pins::settle(&super::named(&stringify!($name).replace('_', "-")));
            })*
        }

        #[test]
        fn every_scene_is_pinned_and_nothing_else() {
            let mut tested = vec![$(stringify!($name).replace('_', "-")),*];
            tested.sort();
            let mut names: Vec<String> = builtin_scenes().iter().map(|builtin| builtin.name.to_owned()).collect();
            names.extend(scenes::generated().into_iter().map(|scene| scene.name));
            names.sort();
            assert_eq!(tested, names, "scenes with a test, and scenes");
            assert!(pins::read().into_keys().eq(names.clone()), "tests/motion/golden/pins.toml has other scenes");
            assert!(pins::read_counts().into_keys().eq(names), "tests/motion/golden/counts.toml has other scenes");
        }
    };
}

scenes_end_as_pinned!(
    bounces boxes bullet chain dominoes first_scene gear inside_each_other mass_ratio paddle parts_tray
    pick_and_place ragdolls rings sheets slivers slope tori tower walk_through
);

/// Returns a built-in or a generated scene.
fn named(name: &str) -> Scene {
    let own = scenes::generated().into_iter().find(|scene| scene.name == name);
    own.unwrap_or_else(|| scene(name))
}

/// Number of steps in which the bodies of generated scenes have fallen, hit and begun to rest.
const SHORT_RUN: u32 = 100;

/// Runs every hierarchy, plain and guided. Each runs on one of the scenes, with one to three threads.
#[test]
fn every_tree_kind_gives_the_same_motion() {
    let scenes = scenes::generated();
    let expected: Vec<u64> = scenes.iter().map(|scene| pins::hash_after(scene, SHORT_RUN)).collect();
    let plans = TreePlan::all().filter(|plan| plan.kind != TreeKind::BruteForce);
    for (k, tree) in plans.enumerate() {
        let at = k % scenes.len();
        let mut scene = scenes[at].clone();
        (scene.config.tree, scene.config.threads) = (tree, 1 + k as u32 % 3);
        assert_eq!(pins::hash_after(&scene, SHORT_RUN), expected[at], "{}: {tree:?}", scene.name);
    }
}

#[test]
fn threads_do_not_change_the_motion() {
    for (name, steps) in [
        ("chain", 300),
        ("walk-through", 60),
        ("ragdolls", 90),
        ("parts-tray", 40),
        ("pick-and-place", 60),
        ("first-scene", 60),
    ] {
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

/// Compares all broad phases on scenes of single bodies, and one broad phase per family on scenes with
/// articulated characters and fine parts.
#[test]
fn broad_phases_do_not_change_the_motion() {
    let one_each: Vec<BroadPhaseKind> = BroadPhaseKind::ALL
        .into_iter()
        .filter(|kind| ["hybrid", "hash2", "sweep1"].contains(&kind.name()))
        .collect();
    assert_eq!(one_each.len(), 3);
    for (scene, steps, kinds) in [
        (named("boxes"), SHORT_RUN, BroadPhaseKind::ALL.as_slice()),
        (named("paddle"), SHORT_RUN, &BroadPhaseKind::ALL),
        (named("ragdolls"), 60, &one_each),
        (named("parts-tray"), 40, &one_each),
    ] {
        let expected = hashes(&scene, scene.config.clone(), steps);
        for &broad in kinds.iter().filter(|kind| **kind != scene.config.broad) {
            let config = Config { broad, ..scene.config.clone() };
            assert_same(
                &format!("{}, {}", scene.name, broad.name()),
                &expected,
                &hashes(&scene, config, steps),
            );
        }
    }
}

#[test]
fn link_trees_do_not_change_the_motion() {
    for (name, steps) in [("chain", 60), ("walk-through", 60), ("ragdolls", 60)] {
        let scene = named(name);
        let expected = hashes(&scene, scene.config.clone(), steps);
        for links in LinkTreeKind::ALL.into_iter().filter(|kind| *kind != scene.config.links) {
            let config = Config { links, ..scene.config.clone() };
            assert_same(&format!("{name}, {}", links.name()), &expected, &hashes(&scene, config, steps));
        }
    }
}

/// Compares brute force only on a few small meshes, because it tests every triangle pair in every pass.
#[test]
fn brute_force_moves_alike() {
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
    let config = Config { tree: TreeKind::BruteForce.into(), ..scene.config.clone() };
    assert_same("brute force", &expected, &hashes(&scene, config, 60));
}

/// Compares all kinds on fine teeth and threads, slivers, and bodies that start inside each other. Here
/// some surfaces are within the margin by the volumes of one hierarchy and far from it by those of
/// another.
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
