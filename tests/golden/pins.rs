//! State hashes that are written down: a change of motion is a line in a diff.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::fs;

use tumble::scene::Scene;
use tumble::world::World;

/// After so many steps.
const STEPS: u32 = 300;
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/pins.toml");
const HEAD: &str = "# The state hash of every scene after 300 steps, which no hierarchy, broad phase, number of threads or \
                    build changes.\n# Where the motion was meant to change, `TUMBLE_PIN=1 cargo test --test golden scenes_end` \
                    writes them anew.\n";

/// What a scene comes to.
pub fn hash(scene: &Scene) -> String {
    let mut world = World::new(scene).unwrap();
    for _ in 0..STEPS {
        world.step();
    }
    format!("{:016x}", world.state_hash())
}

/// What is written down, by the name of the scene.
pub fn read() -> BTreeMap<String, String> {
    toml::from_str(&fs::read_to_string(FILE).unwrap()).unwrap()
}

/// Compares what scenes came to with what is written down, or writes it down if that is asked for.
pub fn settle(found: &BTreeMap<String, String>) {
    let line = |(name, hash): (&String, &String)| format!("{name} = \"{hash}\"\n");
    if env::var_os("TUMBLE_PIN").is_some() {
        let mut text = HEAD.to_owned();
        found.iter().map(line).for_each(|line| text.push_str(&line));
        return fs::write(FILE, text).unwrap();
    }
    let pinned = read();
    let mut changed = String::new();
    for (name, hash) in found.iter().filter(|(name, hash)| pinned.get(*name) != Some(*hash)) {
        let before = pinned.get(name).map_or("nothing", String::as_str);
        let _ = writeln!(changed, "{name}: {hash}, pinned is {before}");
    }
    let gone: Vec<&String> = pinned.keys().filter(|name| !found.contains_key(*name)).collect();
    assert!(
        changed.is_empty() && gone.is_empty(),
        "the motion changed:\n{changed}no longer there: {gone:?}\n{HEAD}"
    );
}
