//! Pinned state hashes and counts: each change of the motion or of the searches shows as a changed
//! line.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::sync::{Mutex, PoisonError};

use tumble::scene::Scene;
use tumble::world::{StepCounts, World};

/// Number of steps after which the state is pinned.
const STEPS: u32 = 300;
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/motion/golden/pins.toml");
const HEAD: &str = "# The state hash of every scene after 300 steps, which no hierarchy, broad phase, number of threads or \
                    build changes.\n# Where the motion was meant to change, `TUMBLE_PIN=1 cargo test --test motion golden::ends` \
                    writes them anew.\n";

const COUNTS_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/motion/golden/counts.toml");
const COUNTS_HEAD: &str = "# The work of every scene, summed over 300 steps with the default settings: more of it is slower.\n\
                           # `TUMBLE_PIN=1 cargo test --test motion golden::ends` writes them anew.\n";

/// Lock so that tests write their lines one after the other.
static WRITES: Mutex<()> = Mutex::new(());

/// Returns the state hash of a scene after `steps` steps.
pub fn hash_after(scene: &Scene, steps: u32) -> u64 {
    let mut world = World::new(scene).unwrap();
    for _ in 0..steps {
        world.step();
    }
    world.state_hash()
}

/// Returns the pinned hashes, by the name of the scene.
pub fn read() -> BTreeMap<String, String> {
    toml::from_str(&fs::read_to_string(FILE).unwrap()).unwrap()
}

/// Returns the pinned counts of each scene, summed over all steps, by the name of the scene.
pub fn read_counts() -> BTreeMap<String, Work> {
    toml::from_str(&fs::read_to_string(COUNTS_FILE).unwrap()).unwrap()
}

/// Counts of the work of a scene, with the settings that a user gets. They do not depend on the machine or
/// the number of threads.
pub type Work = BTreeMap<String, u64>;

/// Names of the pinned counts. Each stands for work that takes a noticeable share of the time of some scene.
const COUNTS: [&str; 12] = [
    "passes",
    "node_tests",
    "candidates",
    "false_alarms",
    "built_records",
    "contacts",
    "depth_queries",
    "guard_tests",
    "core_paths",
    "further_rows",
    "mechanism_solutions",
    "factorizations",
];

/// Returns the line of a scene in the file of counts.
fn line(scene: &str, work: &Work) -> String {
    let values = COUNTS.map(|name| format!("{name} = {}", work[name]));
    format!("{scene} = {{ {} }}\n", values.join(", "))
}

/// Returns the state hash of a scene after `STEPS` steps, and the counts summed over these steps.
fn run(scene: &Scene) -> (String, Work) {
    let mut world = World::new(scene).unwrap();
    let mut counts = StepCounts::default();
    for _ in 0..STEPS {
        world.step();
        counts += world.counts();
    }
    let all = toml::Table::try_from(counts).unwrap();
    let work = COUNTS.iter().map(|&name| (name.to_owned(), all[name].as_integer().unwrap() as u64)).collect();
    (format!("{:016x}", world.state_hash()), work)
}

/// Compares the result of a scene with the pinned one, or pins the result if `TUMBLE_PIN` is set.
pub fn settle(scene: &Scene) {
    let (found, work) = run(scene);
    if env::var_os("TUMBLE_PIN").is_some() {
        let _turn = WRITES.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut pins, mut counts) = (read(), read_counts());
        pins.insert(scene.name.clone(), found);
        counts.insert(scene.name.clone(), work);
        let lines: String = pins.iter().map(|(name, hash)| format!("{name} = \"{hash}\"\n")).collect();
        fs::write(FILE, format!("{HEAD}{lines}")).unwrap();
        let lines: String = counts.iter().map(|(name, work)| line(name, work)).collect();
        return fs::write(COUNTS_FILE, format!("{COUNTS_HEAD}{lines}")).unwrap();
    }
    assert_eq!(Some(&found), read().get(&scene.name), "the motion of {} changed:\n{HEAD}", scene.name);
    let known = read_counts();
    assert_eq!(Some(&work), known.get(&scene.name), "the work of {} changed:\n{COUNTS_HEAD}", scene.name);
}
