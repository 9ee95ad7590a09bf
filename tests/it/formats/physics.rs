//! Physics of glTF by the newer draft, and the errors if nothing is left of a file.

use glam::Vec3;
use serde_json::{Value, json};
use tumble::body::{Combine, Motion};
use tumble::scene::load_scene;

use super::writers::{torus, write};
use crate::gltf;

/// Writes a ring whose node has these physics, and materials.
fn ring(folder: &std::path::Path, collider: &Value, materials: &Value) -> std::path::PathBuf {
    let part = torus("ring", Vec3::ZERO, 1.0, 0.3, 12, 8);
    let path = gltf::write(folder, "ring", &(part.positions, part.triangles));
    let mut file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    file["nodes"] = json!([{ "name": "ring", "extensions": { "KHR_physics_rigid_bodies": { "motion": {}, "collider": collider } } }]);
    file["extensions"] = json!({ "KHR_physics_rigid_bodies": { "physicsMaterials": materials } });
    write(folder, "ring.gltf", file.to_string())
}

#[test]
fn a_collider_may_name_a_mesh_and_say_how_its_friction_combines() {
    let folder = tempfile::tempdir().unwrap();
    let collider = json!({ "geometry": { "mesh": 0 }, "physicsMaterial": 0 });
    let materials =
        json!([{ "dynamicFriction": 0.2, "frictionCombine": "minimum", "restitutionCombine": "average" }]);
    let scene = load_scene(ring(folder.path(), &collider, &materials).to_str().unwrap(), None).unwrap();
    let body = &scene.bodies[0];
    assert_eq!((body.name.as_str(), body.motion), ("ring", Motion::Dynamic));
    assert_eq!(scene.meshes[body.mesh.unwrap() as usize].triangles().len(), 192);
    assert_eq!(
        (body.combine.friction, body.combine.restitution),
        (Some(Combine::Minimum), Some(Combine::Average))
    );
    assert!(scene.notes.iter().all(|n| !n.text.contains("not understood")), "{:?}", scene.notes);
    let wrong = json!([{ "frictionCombine": "sum" }]);
    let error = load_scene(ring(folder.path(), &collider, &wrong).to_str().unwrap(), None).unwrap_err();
    assert!(error.to_string().contains("frictionCombine is \"sum\", it must be average"), "{error}");
}

#[test]
fn a_file_of_which_nothing_is_left_says_what_was_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let collider = json!({ "geometry": { "voxels": 0 } });
    let error = load_scene(ring(folder.path(), &collider, &json!([])).to_str().unwrap(), None).unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("no node has a surface; not read: ") && said.contains("voxels not understood"),
        "{said}"
    );
}
