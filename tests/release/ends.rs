//! The built-in scenes end as `tests/motion/golden/pins.toml` says, however this test was built. CI runs it
//! in the release build; `tests/motion` pins the same scenes in the build of the tests.

use std::path::Path;

use tumble_model::scene::{builtin_scenes, load_scene};
use tumble_sim::world::World;

const PINS: &str = "../../tests/motion/golden/pins.toml";
/// Number of steps after which the state is pinned.
const STEPS: u32 = 300;

#[test]
fn built_in_scenes_end_as_they_are_pinned() {
    let pins = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PINS)).unwrap();
    for scene in builtin_scenes() {
        let mut world = World::new(&load_scene(scene.name, None).unwrap()).unwrap();
        for _ in 0..STEPS {
            world.step();
        }
        let end = format!("{} = \"{:016x}\"", scene.name, world.state_hash());
        assert!(pins.lines().any(|line| line == end), "{end} is not pinned");
    }
}
