//! Kinds and threads change the timings, never the motion: every combination gives the same state hash after
//! every step of the same scene.

use tumble::articulation::LinkTreeKind;
use tumble::broad::BroadPhaseKind;
use tumble::config::Config;
use tumble::scene::{Scene, load_scene};
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

#[test]
fn threads_do_not_change_the_motion() {
    for (name, steps) in [("chain", 300), ("walk-through", 60), ("parts-tray", 40)] {
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
    for (name, steps) in [("chain", 120), ("walk-through", 60), ("parts-tray", 40)] {
        let scene = scene(name);
        let expected = hashes(&scene, scene.config.clone(), steps);
        for broad in BroadPhaseKind::ALL {
            for links in LinkTreeKind::ALL {
                let config = Config { broad, links, ..scene.config.clone() };
                let what = format!("{name}, {}, {}", broad.name(), links.name());
                assert_same(&what, &expected, &hashes(&scene, config, steps));
            }
        }
    }
}

/// Brute force over every triangle pair is slow, so it judges short stretches that have contacts.
#[test]
fn trees_do_not_change_the_motion() {
    let scene = scene("chain");
    let expected = hashes(&scene, scene.config.clone(), 20);
    for tree in TreeKind::ALL {
        let config = Config { tree, ..scene.config.clone() };
        assert_same(tree.name(), &expected, &hashes(&scene, config, 20));
    }
}
