//! Assemblies: the path of a part is its position in the tree of its file, whatever the order of the
//! nodes.

use std::collections::BTreeMap;
use std::path::Path;

use tumble::body::Motion;
use tumble::scene::load_scene;

use super::writers::write;
use crate::assembly::assembly;

/// Returns the paths of parts and their positions, in mm.
fn places(path: &Path) -> BTreeMap<String, [i64; 3]> {
    let scene = load_scene(path.to_str().unwrap(), None).unwrap();
    let parts = scene.bodies.iter().filter(|b| !b.is_ground);
    let millimeters = |x: f64| (x * 1e3).round() as i64;
    parts.map(|b| (b.path.clone(), b.pose.position.to_array().map(millimeters))).collect()
}

#[test]
fn a_part_keeps_its_path_where_the_file_shuffles_its_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let straight = places(&assembly(folder.path(), &[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(straight.len(), 5, "{straight:?}");
    assert_eq!(straight["frame/lid"], [4000, 500, 0]);
    assert!(straight.contains_key("frame/side #2/bolt #2"), "{straight:?}");
    for order in [[7, 6, 5, 4, 3, 2, 1, 0], [2, 5, 3, 0, 6, 1, 7, 4]] {
        assert_eq!(places(&assembly(folder.path(), &order)), straight);
    }
}

#[test]
fn a_rule_with_a_slash_means_parts_by_their_path() {
    let folder = tempfile::tempdir().unwrap();
    assembly(folder.path(), &[0, 1, 2, 3, 4, 5, 6, 7]);
    let moved = |pattern: &str| {
        let text = format!(
            "[[model]]\nfile = \"assembly.gltf\"\n[[part]]\nname = {pattern:?}\nmotion = \"static\"\n"
        );
        let scene = load_scene(write(folder.path(), "scene.toml", text).to_str().unwrap(), None).unwrap();
        scene.bodies.iter().filter(|b| b.motion == Motion::Static).count()
    };
    assert_eq!(
        [moved("frame/side #2/*"), moved("frame/*/bolt"), moved("frame*"), moved("bolt")],
        [2, 2, 0, 4]
    );
}
