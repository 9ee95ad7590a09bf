//! State hashes that are written down: a change of motion is a line in a diff.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::sync::{Mutex, PoisonError};

use tumble::scene::Scene;
use tumble::world::World;

/// After so many steps.
const STEPS: u32 = 300;
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/motion/golden/pins.toml");
const HEAD: &str = "# The state hash of every scene after 300 steps, which no hierarchy, broad phase, number of threads or \
                    build changes.\n# Where the motion was meant to change, `TUMBLE_PIN=1 cargo test --test motion golden::ends` \
                    writes them anew.\n";

/// Tests that write their lines take turns.
static WRITES: Mutex<()> = Mutex::new(());

/// What a scene comes to in so many steps.
pub fn hash_after(scene: &Scene, steps: u32) -> u64 {
    let mut world = World::new(scene).unwrap();
    for _ in 0..steps {
        world.step();
    }
    world.state_hash()
}

/// What is written down, by the name of the scene.
pub fn read() -> BTreeMap<String, String> {
    toml::from_str(&fs::read_to_string(FILE).unwrap()).unwrap()
}

/// Compares what a scene comes to with what is written down, or writes it down if that is asked for.
pub fn settle(scene: &Scene) {
    let found = format!("{:016x}", hash_after(scene, STEPS));
    if env::var_os("TUMBLE_PIN").is_some() {
        let _turn = WRITES.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pins = read();
        pins.insert(scene.name.clone(), found);
        let lines: String = pins.iter().map(|(name, hash)| format!("{name} = \"{hash}\"\n")).collect();
        return fs::write(FILE, format!("{HEAD}{lines}")).unwrap();
    }
    assert_eq!(Some(&found), read().get(&scene.name), "the motion of {} changed:\n{HEAD}", scene.name);
}
