//! Size of recordings: the data of contacts stays well below that of bodies.

use std::fs;
use std::path::Path;

use glam::Vec3;
use tumble::generate::cuboid;
use tumble::record::{EndReason, Kept, RunWriter};
use tumble::scene::{Scene, load_scene};
use tumble::world::World;

use crate::gltf;

/// Returns the size of a recording of `steps` steps, bytes.
fn bytes(scene: &Scene, kept: Kept, steps: u32, path: &Path) -> f64 {
    let mut writer = RunWriter::new(Box::new(fs::File::create(path).unwrap()), path, scene).unwrap();
    let mut world = World::new(scene).unwrap();
    for _ in 0..steps {
        let timings = world.step();
        writer.append_world(&world, &timings, kept).unwrap();
    }
    writer.finish(EndReason::Finished).unwrap();
    fs::metadata(path).unwrap().len() as f64
}

/// Measures the worst case for a recording: nothing moves visibly, but every number changes slightly in
/// every step.
#[test]
fn pairs_take_less_than_half_as_much_as_bodies_also_in_heaps_that_never_rest() {
    let folder = tempfile::tempdir().unwrap();
    gltf::write(folder.path(), "box", &cuboid(Vec3::splat(0.2), 1.0));
    let path = folder.path().join("scene.toml");
    let text = "[ground]\n[[model]]\nfile = \"box.gltf\"\nposition = [0.0, 0.3, 0.0]\n[model.copies]\n\
                count = [5, 4, 5]\nspacing = [0.36, 0.36, 0.36]\nrandom_rotation = true\n\
                [[part]]\nname = \"box*\"\ndensity = 500.0\n[config]\nsleep = false\n";
    fs::write(&path, text).unwrap();
    let mut scene = load_scene(path.to_str().unwrap(), None).unwrap();
    scene.config.threads = 1;
    let [none, pairs] =
        [Kept::None, Kept::Pairs].map(|kept| bytes(&scene, kept, 300, &folder.path().join(kept.name())));
    assert!(none / (300.0 * 100.0) > 60.0, "every body moves in every step: {none} bytes");
    assert!(pairs / none < 1.45, "{}", pairs / none);
}
