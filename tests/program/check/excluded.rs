//! Pairs that a scene keeps apart are checked too and listed separately. They cause no failure unless
//! the user requests it.

use std::path::Path;

use glam::DVec3;
use serde_json::json;
use tumble::check::{Kind, Reason};

use super::{check, cube, cubes, found, pairs, stderr, stdout};
use crate::parts_file::{Node, PartsFile, Stored};

/// Asserts that the pair is listed only as excluded, and that it counts only if requested.
fn is_excluded(model: &Path, reason: Reason) {
    let document = found(model, &[]);
    assert_eq!(pairs(&document.findings), [], "{reason:?}");
    let [finding] = &document.excluded[..] else { panic!("{reason:?}: {:?}", document.excluded) };
    assert_eq!((finding.kind, finding.excluded), (Kind::Clash, Some(reason)));
    assert!((finding.depth_m.unwrap() / 0.025 - 1.0).abs() < 0.05, "{finding:?}");
    for fail_on in ["clash", "any"] {
        let output = check(model, &["--fail-on", fail_on]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains("excluded: 1 pair "), "{}", stdout(&output));
        let output = check(model, &["--fail-on", fail_on, "--with-excluded"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    }
    let output = check(model, &["--csv"]);
    let row = stdout(&output).lines().nth(1).unwrap();
    assert_eq!(row.split(',').nth(3), Some(reason.name()), "{row}");
}

#[test]
fn parts_that_a_joint_or_a_rule_of_a_scene_keeps_apart_are_excluded() {
    let folder = tempfile::tempdir().unwrap();
    cubes(&folder.path().join("two.glb"), &[("left", 0.0), ("right", 0.1)]);
    let scene = folder.path().join("scene.toml");
    let pair = "a = \"left\"\nb = \"right\"\n";
    let joint = "[[joint]]\nkind = \"hinge\"\nanchor = [0, 0, 0]\n";
    for (text, reason) in [
        (format!("{joint}{pair}"), Reason::Joint),
        (format!("[[pair]]\nrule = \"ignore\"\n{pair}"), Reason::Rule),
    ] {
        std::fs::write(&scene, format!("[[model]]\nfile = \"two.glb\"\n{text}")).unwrap();
        is_excluded(&scene, reason);
    }
    // A joint that lets its two parts collide excludes no pair.
    std::fs::write(&scene, format!("[[model]]\nfile = \"two.glb\"\n{joint}collide = true\n{pair}")).unwrap();
    let document = found(&scene, &[]);
    assert_eq!((document.findings.len(), document.excluded.len()), (1, 0));
}

#[test]
fn parts_that_the_filters_of_their_file_keep_apart_are_excluded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("filtered.glb");
    let mut file = PartsFile::new(Node::new("all", None));
    file.mesh("cube", cube());
    file.physics = Some(json!({ "collisionFilters": [
        { "collisionSystems": ["a"], "notCollideWithSystems": ["b"] },
        { "collisionSystems": ["b"] },
    ] }));
    for (filter, (name, x)) in [("left", 0.0), ("right", 0.1)].into_iter().enumerate() {
        let mut node = Node::new(name, Some(0)).at(DVec3::X * x);
        let geometry = json!({ "node": filter + 1 });
        node.physics =
            Some(json!({ "motion": {}, "collider": { "geometry": geometry, "collisionFilter": filter } }));
        file.root.add(node);
    }
    file.write(&path, Stored::InOrder);
    is_excluded(&path, Reason::Filter);
}
